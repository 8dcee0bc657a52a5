/* Which kernel table runs here. The processor is asked through the compiler's run-time support,
 * which also checks that the operating system saves the wide registers. */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

static const corels_kernel_table *const tables[] = {
    &corels_kernel_portable,
};

static int runs_here(const corels_kernel_table *table) {
    (void)table;
    return 1;
}

static const corels_kernel_table *named(const char *name) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i]->face.name, name) == 0) return runs_here(tables[i]) ? tables[i] : NULL;
    return NULL;
}

const corels_kernel_table *corels_kernel_table_current(void) {
    const char *forced = getenv("CORELS_KERNEL");
    if (forced && *forced) return named(forced);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (runs_here(tables[i])) return tables[i];
    return &corels_kernel_portable;
}

const corels_kernel *corels_kernel_named(const char *name) {
    const corels_kernel_table *table = named(name);
    return table ? &table->face : NULL;
}

const corels_kernel *corels_kernel_current(void) {
    const corels_kernel_table *table = corels_kernel_table_current();
    return table ? &table->face : NULL;
}
