/* The table of tuning values as data: defaults, ranges, sentences. */
#include "tuning.h"

#include <math.h>
#include <stddef.h>

#include "corels/tuning.h"

const tuning tuning_defaults = {
#define TUNE(name, type, value, low, high, about) .name = value,
#include "tuning.def"
#undef TUNE
};

/* Whether a type has whole numbers only. */
#define WHOLE(type) _Generic((type)0, double: 0, default: 1)

static const corels_tuning_value rows[] = {
#define TUNE(name, type, value, low, high, about) {#name, about, value, low, high, WHOLE(type)},
#include "tuning.def"
#undef TUNE
};

enum { ROWS = sizeof rows / sizeof *rows };

int32_t corels_tuning_count(void) {
    return ROWS;
}

const corels_tuning_value *corels_tuning_row(int32_t i) {
    return i >= 0 && i < ROWS ? rows + i : NULL;
}

static int in_range(const corels_tuning_value *row, double value) {
    return value >= row->low && value <= row->high && !(row->whole && value != floor(value));
}

int tuning_set(tuning *to, const double *values) {
    for (int i = 0; i < ROWS; i++)
        if (!in_range(rows + i, values[i])) return 0;
    int at = 0;
#define TUNE(name, type, value, low, high, about) to->name = (type)values[at++];
#include "tuning.def"
#undef TUNE
    return 1;
}
