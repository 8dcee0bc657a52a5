/* The face of the fast search: make, step, look, free. */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

static int valid(const corels_fast_instance *in, const corels_fast_options *options) {
    return in->antecedents >= 0 && in->points >= 0 && in->classes >= 1 && in->rule_cost >= 0 &&
           in->unit >= 1 && options->threads >= 1 && options->threads <= 1024;
}

/* The worst regret of each point, over the classes. */
static void fill_worst(struct corels_fast *fast) {
    for (int32_t i = 0; i < fast->in.points; i++)
        for (int32_t c = 0; c < fast->in.classes; c++) {
            int32_t regret = fast->regrets[(size_t)c * fast->in.points + i];
            if (regret > fast->worst[i]) fast->worst[i] = regret;
        }
}

static int copy_instance(struct corels_fast *fast, const corels_fast_instance *in) {
    size_t words = ((size_t)in->points + 63) / 64, points = (size_t)in->points;
    fast->in = *in;
    fast->words = (int32_t)words;
    /* For two classes in regret form the worst regret is the sum, and needs no measure. */
    fast->measures = in->classes + (in->classes != 2);
    fast->masks = malloc((size_t)in->antecedents * words * sizeof(uint64_t) + 1);
    fast->regrets = malloc((size_t)(in->classes + 1) * points * sizeof(int32_t) + 1);
    if (!fast->masks || !fast->regrets) return CORELS_NO_MEMORY;
    if (words) memcpy(fast->masks, in->masks, (size_t)in->antecedents * words * sizeof(uint64_t));
    if (points) memcpy(fast->regrets, in->regrets, (size_t)in->classes * points * sizeof(int32_t));
    fast->worst = fast->regrets + (size_t)in->classes * points;
    memset(fast->worst, 0, points * sizeof(int32_t));
    fill_worst(fast);
    fast->in.masks = NULL, fast->in.regrets = NULL;
    return CORELS_OK;
}

/* The list without rules. */
static int offer_default(struct corels_fast *fast) {
    int64_t least = INT64_MAX;
    for (int32_t c = 0; c < fast->in.classes; c++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < fast->in.points; i++)
            sum += fast->regrets[(size_t)c * fast->in.points + i];
        if (sum < least) least = sum;
    }
    return corels_offer(&fast->incumbent, fast->in.unit * least, NULL, 0);
}

static int make_memo(struct corels_fast *fast) {
    int32_t closure = (fast->in.antecedents + 63) / 64;
    fast->by_closure = closure < fast->words;
    fast->key_words = fast->by_closure ? closure : fast->words;
    if (!corels_has(fast, CORELS_FAST_MEMO)) return CORELS_OK;
    fast->memo = corels_memo_new(fast->key_words, 0, fast->options.threads,
                                 atomic_load(&fast->incumbent.cost));
    return fast->memo ? CORELS_OK : CORELS_NO_MEMORY;
}

static int make_walkers(struct corels_fast *fast) {
    fast->walkers = calloc((size_t)fast->options.threads, sizeof *fast->walkers);
    if (!fast->walkers) return CORELS_NO_MEMORY;
    for (int32_t i = 0; i < fast->options.threads; i++) {
        int status = corels_walker_new(fast->walkers + i, fast);
        if (status != CORELS_OK) return status;
    }
    return CORELS_OK;
}

static int prepare(struct corels_fast *fast, const corels_fast_instance *in) {
    int status = copy_instance(fast, in);
    if (status == CORELS_OK) status = offer_default(fast);
    if (status != CORELS_OK) return status;
    if (!in->antecedents || !in->points) {
        atomic_store(&fast->done, 1);
        return CORELS_OK;
    }
    status = corels_counter_new(&fast->counter, fast->masks, in->antecedents, in->points,
                                fast->regrets, fast->measures, fast->options.family);
    if (status != CORELS_OK) return status;
    fast->stride = corels_counter_stride(fast->counter);
    fast->fixed_bytes = sizeof *fast + corels_counter_bytes(fast->counter) +
                        (size_t)in->antecedents * fast->words * sizeof(uint64_t) +
                        (size_t)(in->classes + 1) * in->points * sizeof(int32_t);
    status = make_memo(fast);
    if (status == CORELS_OK) status = make_walkers(fast);
    if (status == CORELS_OK && corels_has(fast, CORELS_FAST_START)) status = corels_start(fast);
    if (status == CORELS_OK && corels_has(fast, CORELS_FAST_START)) status = corels_polish(fast);
    if (status != CORELS_OK) return status;
    corels_share_memory(fast);
    fast->start_counts = fast->walkers ? fast->walkers->seen.counts : 0;
    return status;
}

int corels_fast_new(corels_fast **out, const corels_fast_instance *instance,
                    const corels_fast_options *options) {
    *out = NULL;
    if (!valid(instance, options) || !corels_kernel_table_current()) return CORELS_BAD_ARGUMENT;
    struct corels_fast *fast = calloc(1, sizeof *fast);
    if (!fast) return CORELS_NO_MEMORY;
    if (corels_incumbent_new(&fast->incumbent) != CORELS_OK) {
        free(fast);
        return CORELS_NO_MEMORY;
    }
    fast->options = *options;
    fast->kernel = corels_kernel_table_current();
    int status = prepare(fast, instance);
    if (status == CORELS_OK)
        *out = fast;
    else
        corels_fast_free(fast);
    return status;
}

void corels_fast_free(corels_fast *fast) {
    if (!fast) return;
    for (int32_t i = 0; fast->walkers && i < fast->options.threads; i++)
        corels_walker_free(fast->walkers + i);
    free(fast->walkers);
    corels_counter_free(fast->counter);
    corels_blocks_free(fast->blocks);
    corels_memo_free(fast->memo);
    corels_record_free(fast->record);
    corels_incumbent_free(&fast->incumbent);
    free(fast->masks);
    free(fast->regrets);
    free(fast);
}

int corels_fast_offer(corels_fast *fast, int64_t cost) {
    return corels_offer(&fast->incumbent, cost, NULL, 0);
}

int32_t corels_fast_list(const corels_fast *fast, int32_t *rules) {
    int32_t length = fast->incumbent.length;
    if (length) memcpy(rules, fast->incumbent.rules, (size_t)length * sizeof *rules);
    return length;
}

const char *corels_fast_kernel(const corels_fast *fast) {
    return fast->counter ? corels_counter_name(fast->counter) : "none";
}
