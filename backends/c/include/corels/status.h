/* What a function of the library answers: 0, or why it could not do its work. One table, translated
 * to exceptions in one place in Python.
 */
#ifndef CORELS_STATUS_H
#define CORELS_STATUS_H

/* cffi: begin */
enum corels_status {
    CORELS_OK = 0,
    CORELS_NO_MEMORY = 1,
    CORELS_BAD_ARGUMENT = 2,
    CORELS_DONE = 3,        /* a search has proven its incumbent optimal */
    CORELS_PART_FAILED = 4, /* a part written in another language asked to stop */
};
/* cffi: end */

#endif
