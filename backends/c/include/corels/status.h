/* What a function of the library answers: 0, or why it could not do its work. A status is one of
 * these values, never a sum of them. One table, translated to exceptions in one place in Python.
 */
#pragma once

/* cffi: begin */
enum corels_status {
    CORELS_OK = 0,
    CORELS_NO_MEMORY = 1,
    CORELS_BAD_ARGUMENT = 2,
    CORELS_DONE = 3,        /* the work is complete: a search has proved its incumbent optimal */
    CORELS_PART_FAILED = 4, /* a part asked to stop */
    CORELS_LOST = 5,        /* the search lost or invented prefixes: nothing is proved (a defect) */
};
/* cffi: end */
