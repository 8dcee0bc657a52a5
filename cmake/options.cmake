# Compiler options shared by every native target. -ffp-contract=off: priorities are the only
# floating-point numbers in the engine, and both backends must compute them alike.
add_library(corels_options INTERFACE)
target_compile_options(corels_options INTERFACE
  -O3 -ffp-contract=off -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  $<$<BOOL:${CORELS_WERROR}>:-Werror>)
