/* The digits of weights, one measure after another: the lowest digits first. */
#include "digits.h"

#include "bits.h"

static uint64_t word_of(const int32_t *weights, int32_t points, int shift, int32_t word) {
    uint64_t bits = 0;
    for (int32_t i = 64 * word; i < 64 * word + 64 && i < points; i++)
        bits |= (uint64_t)((weights[i] >> shift) & 1) << (i % 64);
    return bits;
}

/* Appends one digit, or nothing if it is zero everywhere. */
static void append(digits *to, const int32_t *weights, int32_t points, int32_t measure, int shift) {
    uint64_t *words = to->words + to->longest;
    int32_t most = corels_words(points), low = most, high = 0;
    for (int32_t w = 0; w < most; w++) {
        uint64_t bits = word_of(weights, points, shift, w);
        if (bits && low == most) low = w;
        if (bits) high = w + 1;
        if (low < most) words[w - low] = bits;
    }
    if (high <= low) return;
    to->all[to->n++] =
        (digit){(uint32_t)measure, (uint32_t)shift, (uint32_t)low, (uint32_t)high, to->longest};
    to->longest += (size_t)(high - low);
}

static int needed(const int32_t *weights, int32_t points) {
    int32_t any = 0;
    for (int32_t i = 0; i < points; i++) any |= weights[i];
    int n = 0;
    while (any >> n) n++;
    return n;
}

int digits_new(digits *to, const int32_t *weights, int32_t points, int32_t measures) {
    size_t n = 0, words = (size_t)corels_words(points);
    for (int32_t k = 0; k < measures; k++)
        n += (size_t)needed(weights + (size_t)k * (size_t)points, points);
    *to = (digits){0};
    to->all = store_take(&to->arrays, n, sizeof *to->all);
    to->words = store_take(&to->arrays, n * words, sizeof *to->words);
    if (to->arrays.failed) return 0;
    for (int32_t k = 0; k < measures; k++) {
        const int32_t *of = weights + (size_t)k * (size_t)points;
        int most = needed(of, points);
        for (int b = 0; b < most; b++) append(to, of, points, k, b);
    }
    return 1;
}

digits digits_of_first(const digits *of, int32_t measures) {
    digits found = {.words = of->words, .all = of->all};
    while (found.n < of->n && of->all[found.n].measure < (uint32_t)measures) {
        const digit *d = of->all + found.n++;
        found.longest += d->high - d->low;
    }
    return found;
}

void digits_free(digits *of) {
    store_free(&of->arrays);
}
