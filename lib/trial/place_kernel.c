/* Rows of a block brought to a trial state, once per instruction set; see trial.h. */
#include "trial.h"

#include "wide.h"

/* Box of the displacements of some rows, which are finite: u was checked. */
typedef struct reach {
  demi_wide low, high;
} reach;

static inline void note(reach *r, demi_wide moved) {
  r->low = demi_min(r->low, moved);
  r->high = demi_max(r->high, moved);
}

/* In `dims` dimensions, with rotations if `turns`, with velocities if `moves`: constants where it is called. */
static inline __attribute__((always_inline)) void place_rows(dem_trial *t, const double *u, int32_t first, int32_t last,
                                                             const int dims, const int turns, const int moves, reach *r) {
  const int width = dims + (turns ? (dims == 2 ? 1 : 3) : 0);
  const demi_columns *c = &t->replica.store.columns;
  const demi_wide alpha = demi_spread(t->options.alpha);
  const double rate = t->rate;
  for (int32_t row = first; row < last; row++) {
    const double *v = u + (int64_t)width * t->of_row[row];
    double *position = c->position + 4 * (int64_t)row, *velocity = c->velocity + 8 * (int64_t)row;
    const demi_wide d = {v[0], v[1], dims == 3 ? v[2] : 0.0, 0.0}, x = demi_load4(t->base + 4 * (int64_t)row) + alpha * d;
    note(r, x - demi_load4(position));
    demi_store4(position, x);
    if (!moves) continue;
    for (int a = 0; a < dims; a++) velocity[a] = rate * v[a];
    for (int a = 0; a < 3; a++) velocity[4 + a] = turns && (dims == 3 || a == 2) ? rate * v[dims == 3 ? 3 + a : 2] : 0.0;
  }
}

static inline __attribute__((always_inline)) void place(dem_trial *t, const double *u, int32_t first, int32_t last,
                                                        const int moves, reach *r) {
  if (t->dimension == 2 && t->options.rotations) place_rows(t, u, first, last, 2, 1, moves, r);
  if (t->dimension == 2 && !t->options.rotations) place_rows(t, u, first, last, 2, 0, moves, r);
  if (t->dimension == 3 && t->options.rotations) place_rows(t, u, first, last, 3, 1, moves, r);
  if (t->dimension == 3 && !t->options.rotations) place_rows(t, u, first, last, 3, 0, moves, r);
}

void DEMI_VARIANT_NAME(place_block)(dem_trial *t, const double *u, int32_t block) {
  const demi_motion *m = &t->replica.list.motion;
  const int32_t first = demi_block_first(m, block), last = demi_block_first(m, block + 1);
  double *recent = m->recent + 8 * (int64_t)block;
  reach r = {{0}, {0}};
  if (t->lean)
    place(t, u, first, last, 0, &r);
  else
    place(t, u, first, last, 1, &r);
  demi_store4(recent, r.low);
  demi_store4(recent + 4, r.high);
  recent[3] = recent[7] = 0;
}
