#define CHECKER corels_checker_avx2 /* with flags of its own: see CMakeLists.txt */
#include "checker.c"
