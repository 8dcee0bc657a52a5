/* Tables of a plugin's bound (corels/tables.h), as the scheduler knows tables. */
#include <stdlib.h>

#include "numbers.h"
#include "tables.h"

/* Sets after which tables that rule out next to nothing are not asked any more. */
enum { TRIAL = 500 };
/* Nanoseconds that looking up a child is taken to take, and one more for so many words of a view.
 */
enum { LOOK_CHILD = 15, LOOK_WORDS = 5 };

typedef struct {
    tables head;
    corels_table_bound of; /* a copy: the caller's may go once the search is there */
    void *own;
    size_t room; /* for the building under way */
    int building;
} foreign_tables;

/* What a bound's functions are called back with. */
typedef struct {
    foreign_tables *tables;
    const build_budget *budget;
} piece;

/* The most that it holds is noted here, because it may be done before it comes back. */
static int over(const corels_building *b) {
    const piece *p = b->engine;
    size_t now = p->tables->of.bytes(p->tables->own);
    if (now > p->tables->head.reserved) p->tables->head.reserved = now;
    return control_due(p->budget->control, p->budget->pace);
}

static uint64_t point(const corels_building *b, int32_t x) {
    const piece *p = b->engine;
    return (uint64_t)record_point(p->budget->proof, x);
}

static uint64_t antecedent(const corels_building *b, int32_t r) {
    const piece *p = b->engine;
    return (uint64_t)record_antecedent(p->budget->proof, r);
}

static int put(const corels_building *b, const uint64_t *numbers, size_t n) {
    const piece *p = b->engine;
    return record_of_bound(p->budget->proof, p->tables->of.name, numbers, n);
}

static int build(tables *head, int stage, const build_budget *budget) {
    foreign_tables *t = (foreign_tables *)head;
    piece now = {t, budget};
    if (!t->building) t->room = budget->room;
    corels_building b = {.incumbent = budget->incumbent,
                         .max_rules = budget->max_rules,
                         .room = t->room,
                         .over = over,
                         .done = &head->done,
                         .record = budget->proof ? put : NULL,
                         .point = point,
                         .antecedent = antecedent,
                         .engine = &now};
    (void)stage;
    if (!t->building) head->done = 0;
    int status = t->of.build(t->own, &b);
    t->building = status == CORELS_OK;
    if (t->building) return status;
    head->done = -1;
    if (status == CORELS_DONE) head->view_words = t->of.view_words(t->own);
    return status;
}

static void free_tables(tables *head) {
    foreign_tables *t = (foreign_tables *)head;
    t->of.end(t->own);
    free(t);
}

static size_t bytes(const tables *head) {
    const foreign_tables *t = (const foreign_tables *)head;
    return sizeof *t + (t->building ? 0 : t->of.bytes(t->own));
}

static void view_of(const tables *head, const corels_viewed *from, uint64_t *view) {
    const foreign_tables *t = (const foreign_tables *)head;
    t->of.view(t->own, from, view);
}

static int64_t least(const tables *head, const uint64_t *view, int32_t r, int64_t most) {
    const foreign_tables *t = (const foreign_tables *)head;
    return lesser(most, t->of.least(t->own, view, r, 0, 0));
}

static int32_t keep(const tables *head, const uint64_t *view, node_view *node, int32_t *list,
                    int32_t n) {
    const foreign_tables *t = (const foreign_tables *)head;
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int64_t need = child_need(node, list[i]);
        int64_t found = t->of.least(t->own, view, list[i], 1, need);
        if (found < need)
            list[kept++] = list[i];
        else
            lower(&node->floor, node->need - need + found);
    }
    node->looked = n * (int64_t)(LOOK_CHILD + head->view_words / LOOK_WORDS);
    return kept;
}

/* If the number of rules before a set is not known, the tables are not asked: what they say may
 * depend on it. */
static void plan(tables *head, int64_t incumbent, int32_t max_rules, int32_t before) {
    foreign_tables *t = (foreign_tables *)head;
    head->due[0] = before == INT32_MAX ? -1 : t->of.due(t->own, incumbent, max_rules);
}

static const tables_ops ops = {build, free_tables, bytes, view_of, least, keep, plan};

tables *foreign_tables_new(const tables_data *data) {
    foreign_tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->of = *data->foreign;
    t->own = t->of.begin(&data->in, t->of.user);
    t->head = (tables){.ops = &ops,
                       .stages = 1,
                       .first = 1,
                       .provable = 1,
                       .trial = TRIAL,
                       .due = {-1},
                       .done = -1};
    if (t->own) return &t->head;
    free(t);
    return NULL;
}
