/* Colours of points and antecedents. See colours.c. */
#ifndef AUTOMORPHISMS_COLOURS_H
#define AUTOMORPHISMS_COLOURS_H

#include "automorphisms.h"

typedef struct {
    const automorphism_data *data;
    int32_t things;   /* points and antecedents; colours are numbered like that */
    uint64_t *mixed;  /* [things] scratch */
    uint64_t *sorted; /* [points] the colours of the points, when they were last distinguished */
    int64_t visits;   /* of a point by an antecedent, so far */
} colours;

int colours_new(colours *, const automorphism_data *); /* 0 without memory */
void colours_free(colours *);

/* The colours that regrets give, made finer. `colour`: [things]. */
void colours_begin(colours *, uint64_t *colour);
/* Gives the point a colour of its own, and makes the others finer. */
void colours_single_out(colours *, uint64_t *colour, int32_t point);
/* The colour that several points have, and as few points as any; or 0: all differ. */
uint64_t colours_shared(const colours *);
/* Whether more than a moment has gone into them. */
int colours_spent(const colours *);

#endif
