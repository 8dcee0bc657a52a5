/* The common arrays of all cells: they grow by doubling, within the limit. */
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "corels/memory.h"

/* Where tables have more states, look-ups of earlier values miss the processor's caches, and cost
 * more than they spare. */
enum { MOST_STATES = 1 << 18 };

/* One of the arrays to which cells append. Some share a number of elements, and its `room`. */
typedef struct {
    void **array;
    size_t used, more, size; /* elements in use, elements to come, bytes of one */
    size_t *room;
} growing;

enum { GROWING = 11 };

static void list_growing(const corels_prices *prices, const price_sizes *by, growing *list) {
    corels_prices *p = (corels_prices *)prices;
    size_t classes = (size_t)p->in.classes, n = (size_t)p->n;
    size_t points = by->points, traces = by->traces;
    const growing all[GROWING] = {
        {(void **)&p->cells, n, 1, sizeof(price_cell), &p->cells_room},
        {(void **)&p->of, n, 1, (size_t)p->stride, &p->cells_room},
        {(void **)&p->members, p->members_n, points, sizeof(int32_t), &p->members_room},
        {(void **)&p->shares, p->members_n, points, sizeof(float), &p->members_room},
        {(void **)&p->weights, p->members_n, points, classes * sizeof(int32_t), &p->members_room},
        {(void **)&p->traces, p->traces_n, traces, sizeof(uint64_t), &p->traces_room},
        {(void **)&p->wishes, p->traces_n, traces, classes * sizeof(float), &p->traces_room},
        {(void **)&p->prices, p->traces_n, traces, classes * sizeof(int32_t), &p->traces_room},
        {(void **)&p->subsets, p->subsets_n, by->subsets, sizeof(uint64_t), &p->subsets_room},
        {(void **)&p->values, p->states_n, by->states, sizeof(int32_t), &p->states_room},
        {(void **)&p->next, p->next_n, by->next, sizeof(uint16_t), &p->next_room},
    };
    memcpy(list, all, sizeof all);
}

static size_t wanted(const growing *g) {
    size_t room = *g->room;
    while (room < g->used + g->more) room = room ? room + room / 2 : g->more + 64;
    return room;
}

static int grow(const growing *g, size_t room) {
    void *array = realloc(*g->array, room * g->size);
    if (array) *g->array = array;
    return array != NULL;
}

/* A `room` changes once all arrays that share it have grown. */
static int grow_all(const growing *list) {
    for (size_t i = 0; i < GROWING; i++)
        if (wanted(list + i) != *list[i].room && !grow(list + i, wanted(list + i))) return 0;
    for (size_t i = GROWING; i-- > 0;) {
        size_t room = wanted(list + i);
        int last = i == 0 || list[i - 1].room != list[i].room;
        if (last) *list[i].room = room;
    }
    return 1;
}

static size_t earlier_bytes(const corels_prices *p) {
    return p->states_n * PRICE_EARLIER * sizeof *p->earlier;
}

size_t price_copy_bytes(const corels_prices *p) {
    return price_bytes(p) + (p->small && !p->earlier ? earlier_bytes(p) : 0);
}

size_t price_bytes(const corels_prices *p) {
    growing list[GROWING];
    size_t bytes = 0;
    list_growing(p, &(price_sizes){0}, list);
    for (int i = 0; i < GROWING; i++) bytes += *list[i].room * list[i].size;
    return sizeof *p + bytes + p->records_n * sizeof *p->records +
           (p->touched ? (size_t)p->touched_first[p->in.antecedents] * sizeof(int32_t) : 0) +
           (p->small ? (size_t)p->in.antecedents * (p->cells_room + 16) +
                           p->cells_room * sizeof *p->short_cells
                     : p->cells_room * sizeof *p->long_cells) +
           (p->has_wholes ? p->cells_room * (size_t)p->stride * sizeof *p->wholes : 0) +
           (p->earlier ? earlier_bytes(p) : 0) +
           3 * ((size_t)p->in.antecedents + 1) * sizeof(int32_t);
}

int price_reserve(corels_prices *p, const price_sizes *by, size_t limit) {
    growing list[GROWING];
    size_t more = by->records * sizeof *p->records;
    list_growing(p, by, list);
    for (int i = 0; i < GROWING; i++) more += (wanted(list + i) - *list[i].room) * list[i].size;
    if (limit && price_bytes(p) + more > limit) return 0;
    return grow_all(list);
}

void price_added(corels_prices *p, const price_sizes *sizes) {
    p->n++;
    p->members_n += sizes->points;
    p->traces_n += sizes->traces;
    p->states_n += sizes->states;
    p->subsets_n += sizes->subsets;
    p->next_n += sizes->next;
    p->records_n += sizes->records;
}

/* A copy of `n` elements; *done stays as it is, or falls to 0 where memory is short. */
static void *copied(const void *from, size_t n, size_t size, int *done) {
    void *to = from ? malloc(n * size + 1) : NULL;
    if (to) memcpy(to, from, n * size);
    *done &= to || !from;
    return to;
}

corels_prices *price_copy(const corels_prices *from) {
    corels_prices *p = malloc(sizeof *p);
    size_t m = (size_t)from->in.antecedents, w = sizeof *p->touched;
    growing list[GROWING];
    int done = 1;
    if (!p) return NULL;
    *p = *from;
    list_growing(p, &(price_sizes){0}, list);
    for (int i = 0; i < GROWING; i++)
        *list[i].array = copied(*list[i].array, *list[i].room, list[i].size, &done);
    p->earlier = copied(p->earlier, p->states_n * PRICE_EARLIER, sizeof *p->earlier, &done);
    p->touched = copied(p->touched, (size_t)p->touched_first[m] + 1, w, &done);
    p->captured = copied(p->captured, m * (size_t)p->padded, 1, &done);
    p->wholes = p->records = NULL; /* they come with the new prices */
    p->short_cells = NULL;
    p->long_cells = NULL;
    p->touched_first = copied(p->touched_first, m + 1, sizeof *p->touched_first, &done);
    p->place = copied(p->place, m + 1, sizeof *p->place, &done);
    p->antecedent = copied(p->antecedent, m + 1, sizeof *p->antecedent, &done);
    if (done) return p;
    corels_prices_free(p);
    return NULL;
}

/* Such units that all values fit 16 bits. */
static int32_t rough_of(const corels_prices *p) {
    int32_t most = 0, rough = 0;
    for (size_t k = 0; k < p->states_n; k++) most = p->values[k] > most ? p->values[k] : most;
    while (most >> rough > UINT16_MAX) rough++;
    return rough;
}

int price_keep_values(corels_prices *p) {
    size_t lane = (size_t)(p->made++ % PRICE_EARLIER);
    if (!p->small || p->states_n > MOST_STATES) return 1;
    if (!p->earlier) {
        p->earlier = calloc(p->states_n * PRICE_EARLIER + 1, sizeof *p->earlier);
        p->rough = rough_of(p);
    }
    if (!p->earlier) return 0;
    for (size_t k = 0; k < p->states_n; k++) {
        int32_t value = p->values[k] >> p->rough;
        p->earlier[k * PRICE_EARLIER + lane] = (uint16_t)(value < UINT16_MAX ? value : UINT16_MAX);
    }
    return 1;
}

/* Copies cell i of `from` behind the last one of `to`, where there is room. */
static void copy_cell(corels_prices *to, const corels_prices *from, int32_t i,
                      const price_sizes *sizes) {
    size_t classes = (size_t)to->in.classes, stride = (size_t)to->stride;
    const price_cell *old = from->cells + i;
    price_cell *cell = to->cells + to->n;
    *cell = *old;
    cell->member = to->members_n, cell->trace = to->traces_n;
    cell->state = to->states_n, cell->next = to->next_n;
    memcpy(to->of + (size_t)to->n * stride, from->of + (size_t)i * stride, stride);
    memcpy(to->members + cell->member, from->members + old->member,
           sizes->points * sizeof *to->members);
    for (size_t k = 0; k < sizes->points; k++) to->shares[cell->member + k] = 1;
    for (size_t k = 0; k < sizes->traces; k++)
        to->traces[cell->trace + k] = from->traces[old->trace + k];
    for (size_t k = 0; k < sizes->traces * classes; k++) to->wishes[cell->trace * classes + k] = 1;
    if (to->small) return;
    memcpy(to->subsets + cell->state, from->subsets + old->state,
           sizes->subsets * sizeof *to->subsets);
    if (sizes->next)
        memcpy(to->next + cell->next, from->next + old->next, sizes->next * sizeof *to->next);
}

int price_append(corels_prices *p, corels_prices *part, size_t limit) {
    for (int32_t i = 0; i < part->n; i++) {
        const price_cell *cell = part->cells + i;
        size_t points = (size_t)cell->points, traces = (size_t)cell->traces;
        size_t states = (size_t)cell->states, large = p->small ? 0 : states;
        size_t records = price_records(traces, large);
        price_sizes sizes = {points, traces, states, large, large * traces, records};
        if (p->n == PRICE_CELLS) return CORELS_DONE;
        if (!price_reserve(p, &sizes, limit)) return limit ? CORELS_DONE : CORELS_NO_MEMORY;
        copy_cell(p, part, i, &sizes);
        price_added(p, &sizes);
    }
    part->n = 0;
    part->members_n = part->traces_n = part->states_n = part->subsets_n = part->next_n =
        part->records_n = 0;
    return CORELS_OK;
}

void corels_prices_free(corels_prices *p) {
    if (!p) return;
    growing list[GROWING];
    list_growing(p, &(price_sizes){0}, list);
    for (int i = 0; i < GROWING; i++) free(*list[i].array);
    free(p->earlier);
    free(p->touched_first);
    free(p->touched);
    free(p->captured);
    free(p->wholes);
    free(p->short_cells);
    free(p->long_cells);
    corels_memory_free(p->records);
    free(p->place);
    free(p->antecedent);
    free(p);
}
