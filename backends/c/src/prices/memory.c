/* The common arrays of all cells: they grow by doubling, within the limit. */
#include <stdlib.h>
#include <string.h>

#include "cell.h"

/* One of the arrays to which cells append: bytes of an element, and what the elements are of. */
typedef struct {
    void **array;
    size_t size;
    int kind;
} growing;

enum { GROWING = 10 };
/* Up to which values of earlier prices are kept: look-ups of more miss the processor's caches, and
 * cost more than they spare. */
enum { EARLIER_STATES = 262144 };

static void list_growing(const corels_prices *prices, growing *list) {
    corels_prices *p = (corels_prices *)prices;
    size_t classes = (size_t)p->in.classes;
    const growing all[GROWING] = {
        {(void **)&p->cells, sizeof(price_cell), N_CELLS},
        {(void **)&p->of, (size_t)p->stride, N_CELLS},
        {(void **)&p->members, sizeof(int32_t), N_MEMBERS},
        {(void **)&p->needs, sizeof(uint8_t), N_MEMBERS},
        {(void **)&p->shares, sizeof(float), N_MEMBERS},
        {(void **)&p->weights, classes * sizeof(int32_t), N_MEMBERS},
        {(void **)&p->traces, sizeof(uint8_t), N_TRACES},
        {(void **)&p->wishes, classes * sizeof(float), N_TRACES},
        {(void **)&p->prices, classes * sizeof(int32_t), N_TRACES},
        {(void **)&p->values, sizeof(int32_t), N_STATES},
    };
    memcpy(list, all, sizeof all);
}

static size_t earlier_bytes(const corels_prices *p) {
    return p->used[N_STATES] * PRICE_EARLIER * sizeof *p->earlier;
}

size_t corels_prices_bytes(const corels_prices *p) {
    growing list[GROWING];
    size_t bytes = 0, cells = p->room[N_CELLS];
    list_growing(p, list);
    for (int i = 0; i < GROWING; i++) bytes += p->room[list[i].kind] * list[i].size;
    return sizeof *p + bytes + (size_t)p->in.antecedents * (cells + 16) +
           (p->earlier ? earlier_bytes(p) : 0) +
           3 * ((size_t)p->in.antecedents + 1) * sizeof(int32_t);
}

/* What comes with a cell. */
static void find_sizes(const price_cell *cell, price_sizes sizes) {
    sizes[N_CELLS] = 1;
    sizes[N_MEMBERS] = (size_t)cell->points;
    sizes[N_TRACES] = (size_t)cell->traces;
    sizes[N_STATES] = (size_t)cell->states;
}

/* The room of a kind with so many more. */
static size_t wanted(const corels_prices *p, const price_sizes more, int kind) {
    size_t room = p->room[kind];
    while (room < p->used[kind] + more[kind]) room = room ? room + room / 2 : more[kind] + 64;
    return room;
}

static int grow(corels_prices *p, const price_sizes more, const growing *g) {
    size_t room = wanted(p, more, g->kind);
    if (room == p->room[g->kind]) return 1;
    void *array = realloc(*g->array, room * g->size);
    if (array) *g->array = array;
    return array != NULL;
}

/* Arrays of one kind have one room, which changes once all have grown. */
price_cell *price_reserve(corels_prices *p, price_cell cell, price_sizes sizes, size_t limit) {
    growing list[GROWING];
    size_t more = 0;
    find_sizes(&cell, sizes);
    list_growing(p, list);
    for (int i = 0; i < GROWING; i++)
        more += (wanted(p, sizes, list[i].kind) - p->room[list[i].kind]) * list[i].size;
    if (limit && corels_prices_bytes(p) + more > limit) return NULL;
    for (int i = 0; i < GROWING; i++)
        if (!grow(p, sizes, list + i)) return NULL;
    for (int k = 0; k < N_KINDS; k++) p->room[k] = wanted(p, sizes, k);
    cell.member = (uint32_t)p->used[N_MEMBERS], cell.trace = (uint32_t)p->used[N_TRACES];
    cell.state = (uint32_t)p->used[N_STATES];
    p->cells[p->n] = cell;
    return p->cells + p->n;
}

void price_added(corels_prices *p, const price_sizes sizes) {
    p->n++;
    for (int k = 0; k < N_KINDS; k++) p->used[k] += sizes[k];
}

/* 0: no memory; then it is NULL. */
static int copied(void **to, const void *from, size_t bytes) {
    *to = from ? malloc(bytes + 1) : NULL;
    if (*to) memcpy(*to, from, bytes);
    return *to || !from;
}

corels_prices *price_copy(const corels_prices *from) {
    corels_prices *p = malloc(sizeof *p);
    size_t m = (size_t)from->in.antecedents;
    growing list[GROWING];
    store *s;
    if (!p) return NULL;
    *p = *from;
    p->ordered = (store){0};
    s = &p->ordered;
    p->captured = store_copy(s, from->captured, m, (size_t)p->padded);
    p->place = store_copy(s, from->place, m, sizeof *p->place);
    p->antecedent = store_copy(s, from->antecedent, m, sizeof *p->antecedent);
    list_growing(p, list);
    int done = !s->failed;
    done &= copied((void **)&p->earlier, from->earlier, earlier_bytes(p));
    for (int i = 0; i < GROWING; i++) /* all, since until then they are those of the other one */
        done &= copied(list[i].array, *list[i].array, p->room[list[i].kind] * list[i].size);
    if (done) return p;
    corels_prices_free(p);
    return NULL;
}

/* Such units that all values fit 16 bits. */
static int32_t rough_of(const corels_prices *p) {
    int32_t most = 0, rough = 0;
    for (size_t k = 0; k < p->used[N_STATES]; k++) most = p->values[k] > most ? p->values[k] : most;
    while (most >> rough > UINT16_MAX) rough++;
    return rough;
}

int price_keep_values(corels_prices *p) {
    size_t lane = (size_t)(p->made++ % PRICE_EARLIER);
    if (p->used[N_STATES] > EARLIER_STATES) return 1;
    if (!p->earlier) {
        p->earlier = calloc(p->used[N_STATES] * PRICE_EARLIER + 1, sizeof *p->earlier);
        p->rough = rough_of(p);
    }
    if (!p->earlier) return 0;
    for (size_t k = 0; k < p->used[N_STATES]; k++) {
        int32_t value = p->values[k] >> p->rough;
        p->earlier[k * PRICE_EARLIER + lane] = (uint16_t)(value < UINT16_MAX ? value : UINT16_MAX);
    }
    return 1;
}

/* Copies what comes with a cell behind what is there; in `from` it begins at these places. */
static void copy_arrays(const corels_prices *to, const corels_prices *from, const price_sizes at,
                        const price_sizes sizes) {
    growing source[GROWING], list[GROWING];
    list_growing(from, source);
    list_growing(to, list);
    for (int i = 0; i < GROWING; i++) {
        size_t size = list[i].size;
        int kind = list[i].kind;
        if (sizes[kind] && list[i].array != (void **)&to->cells)
            memcpy((char *)*list[i].array + to->used[kind] * size,
                   (const char *)*source[i].array + at[kind] * size, sizes[kind] * size);
    }
}

int price_append(corels_prices *p, corels_prices *part, size_t limit) {
    price_sizes at = {0}, sizes;
    for (int32_t i = 0; i < part->n; i++) {
        if (p->n == PRICE_CELLS) return CORELS_DONE;
        if (!price_reserve(p, part->cells[i], sizes, limit))
            return limit ? CORELS_DONE : CORELS_NO_MEMORY;
        copy_arrays(p, part, at, sizes);
        price_added(p, sizes);
        for (int k = 0; k < N_KINDS; k++) at[k] += sizes[k];
    }
    part->n = 0;
    memset(part->used, 0, sizeof part->used);
    return CORELS_OK;
}

void corels_prices_free(corels_prices *p) {
    if (!p) return;
    growing list[GROWING];
    list_growing(p, list);
    for (int i = 0; i < GROWING; i++) free(*list[i].array);
    free(p->earlier);
    store_free(&p->ordered);
    free(p);
}
