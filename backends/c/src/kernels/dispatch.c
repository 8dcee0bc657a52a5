/* Which kernel table runs here. The processor is asked through the compiler's run-time support,
 * which also checks that the operating system saves the wide registers. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

/* From the fastest to the slowest. */
static const corels_kernel_table *const tables[] = {
#ifdef CORELS_X86_WIDE
    &corels_kernel_avx512,   &corels_kernel_avx2,
#endif
#ifdef CORELS_X86
    &corels_kernel_popcnt,
#endif
#ifdef CORELS_ARM64
    &corels_kernel_neon,
#endif
    &corels_kernel_portable,
};

corels_squeeze corels_squeeze_of(uint64_t set) {
    corels_squeeze s = {.set = set, .ones = (uint64_t)corels_ones(set)};
    uint64_t left = ~set << 1; /* the places below, within the word, that are to be closed */
    for (int i = 0; i < 6; i++) {
        uint64_t odd = left;
        for (int j = 1; j < 64; j *= 2) odd ^= odd << j;
        s.moves[i] = odd & set;
        set = (set ^ s.moves[i]) | s.moves[i] >> (1 << i);
        left &= ~odd;
    }
    return s;
}

atomic_int corels_quick_pext;

static int runs_here(const corels_kernel_table *table) {
    (void)table;
#ifdef CORELS_X86
    __builtin_cpu_init();
    int bmi2 = __builtin_cpu_supports("bmi2") != 0, quick = bmi2 && !__builtin_cpu_is("amdfam17h");
    atomic_store_explicit(&corels_quick_pext, quick, memory_order_relaxed);
    if (table == &corels_kernel_popcnt) return __builtin_cpu_supports("popcnt") != 0;
#endif
#ifdef CORELS_X86_WIDE
    if (table == &corels_kernel_avx2)
        return bmi2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    if (table == &corels_kernel_avx512)
        return bmi2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vpopcntdq");
#endif
    return 1;
}

static const corels_kernel_table *named(const char *name) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i]->ops.name, name) == 0) return runs_here(tables[i]) ? tables[i] : NULL;
    return NULL;
}

/* The fastest that runs here: found at the first call, by whichever thread makes it. */
static const corels_kernel_table *fastest(void) {
    static _Atomic(const corels_kernel_table *) found;
    const corels_kernel_table *table = atomic_load_explicit(&found, memory_order_acquire);
    for (size_t i = 0; !table; i++)
        if (runs_here(tables[i])) table = tables[i];
    atomic_store_explicit(&found, table, memory_order_release);
    return table;
}

const corels_kernel_table *corels_kernel_table_current(void) {
    const char *forced = getenv("CORELS_KERNEL");
    return forced && *forced ? named(forced) : fastest();
}

const corels_kernel *corels_kernel_named(const char *name) {
    const corels_kernel_table *table = named(name);
    return table ? &table->ops : NULL;
}

const corels_kernel *corels_kernel_current(void) {
    const corels_kernel_table *table = corels_kernel_table_current();
    return table ? &table->ops : NULL;
}
