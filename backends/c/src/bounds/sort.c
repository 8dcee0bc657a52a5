#include "sort.h"

enum { SHORT = 32 };

static void insertion(uint64_t *keys, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        int32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

static void sift(uint64_t *keys, int32_t at, int32_t n) {
    uint64_t key = keys[at];
    for (int32_t child = 2 * at + 1; child < n; at = child, child = 2 * at + 1) {
        if (child + 1 < n && keys[child + 1] > keys[child]) child++;
        if (keys[child] <= key) break;
        keys[at] = keys[child];
    }
    keys[at] = key;
}

void sort_keys(uint64_t *keys, int32_t n) {
    if (n <= SHORT) {
        insertion(keys, n);
        return;
    }
    for (int32_t at = n / 2; at-- > 0;) sift(keys, at, n);
    for (int32_t last = n - 1; last > 0; last--) {
        uint64_t top = keys[0];
        keys[0] = keys[last];
        sift(keys, 0, last);
        keys[last] = top;
    }
}
