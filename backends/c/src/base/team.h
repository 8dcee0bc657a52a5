/* A team: threads that go through one loop after another, and are kept in between.
 *
 * A search goes through thousands of short loops: the ascent of prices has five in an iteration of
 * a millisecond. To start a thread for each, and to be woken when it ends, takes as long as a tenth
 * of such a loop. So a team's threads stay. A thread with nothing to do looks out for the next loop
 * for fifty microseconds, and only then goes to sleep.
 *
 * A loop over 0 .. n - 1 is cut into pieces, and each member takes the next piece that no member
 * has taken, as long as there are any. So no member waits for one that wakes late, or whose
 * processor does something else: the caller closes the loop when the last piece is taken, waits for
 * members that still have a piece, and one that comes after that finds the door shut.
 *
 * The caller is the first member. Threads are started when the first loop needs them. `team_rest`
 * ends them, the team remains: a search does so at the end of each step, since a process that has
 * no step under way may be forked or frozen, and a fork copies no threads.
 */
#pragma once

#include <stdint.h>

typedef struct team team;
typedef void (*range_call)(void *argument, int32_t part, int32_t from, int32_t to);

/* Of at most `threads` threads, the caller's included. NULL: no memory. */
team *team_new(int32_t threads);
/* Also if the team is NULL. */
void team_free(team *);
/* How many threads at most; 1 if there is no team. */
int32_t team_size(const team *);
/* Ends the threads until the next loop. */
void team_rest(team *);

/* Calls `call` for ranges that make up 0 .. n - 1, and returns when all is done. Ranges of one part
 * come one after another, those of different parts at once; parts are numbers below `parts`, which
 * is how many members may take part. All ranges but the last one are a multiple of `unit` long.
 * Without a team, or without threads, the caller does all as part 0. */
void team_ranges(team *, int32_t parts, int32_t n, int32_t unit, range_call call, void *argument);
