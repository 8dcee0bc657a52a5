# Compiler options shared by every native target. -ffp-contract=off: priorities are the only
# floating-point numbers in the engine, and both backends must compute them alike.
add_library(corels_options INTERFACE)
if(MSVC AND NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "corels needs C11 atomics and GCC's vector types, which Microsoft's own compiler "
    "lacks: build with clang-cl (-T ClangCL, part of the build tools) or MinGW")
elseif(MSVC) # clang-cl
  target_compile_options(corels_options INTERFACE /O2 /W3 /clang:-ffp-contract=off
    $<$<BOOL:${CORELS_WERROR}>:/WX>)
else()
  target_compile_options(corels_options INTERFACE
    -O3 -ffp-contract=off -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    $<$<BOOL:${CORELS_WERROR}>:-Werror>)
endif()

# `make test-sanitize`: Python itself is not built with sanitizers, so their library is preloaded.
option(CORELS_SANITIZE "Build with address and undefined-behaviour sanitizers" OFF)
if(CORELS_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_options(corels_options INTERFACE ${sanitizers} -g -fno-omit-frame-pointer)
  target_link_options(corels_options INTERFACE ${sanitizers})
endif()
