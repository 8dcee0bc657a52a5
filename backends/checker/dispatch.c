/* Which of the compiled checkers this processor can run. */
#include "checker.h"

extern const corels_checker corels_checker_plain, corels_checker_avx2, corels_checker_avx512;

const corels_checker *corels_checker_here(void) {
#ifdef CORELS_X86_WIDE
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return &corels_checker_avx512;
    if (__builtin_cpu_supports("avx2")) return &corels_checker_avx2;
#endif
    return &corels_checker_plain;
}
