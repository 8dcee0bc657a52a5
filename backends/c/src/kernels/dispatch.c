/* Which kernel table runs here: the only global state of the library. */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

const corels_kernel *corels_kernel_named(const char *name) {
    if (strcmp(name, "portable") == 0) return &corels_kernel_portable;
    return NULL;
}

const corels_kernel *corels_kernel_current(void) {
    const char *forced = getenv("CORELS_KERNEL");
    if (forced && *forced) return corels_kernel_named(forced);
    return &corels_kernel_portable;
}
