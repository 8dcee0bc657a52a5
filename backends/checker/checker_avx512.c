#define CHECKER corels_checker_avx512 /* with flags of its own: see CMakeLists.txt */
#include "checker.c"
