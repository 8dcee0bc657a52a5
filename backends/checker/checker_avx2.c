/* The checker for processors with avx2: CMakeLists.txt gives this file its flags. */
#define CHECKER corels_checker_avx2
#include "checker.c"
