/* The checker for processors with avx512: CMakeLists.txt gives this file its flags. */
#define CHECKER corels_checker_avx512
#include "checker.c"
