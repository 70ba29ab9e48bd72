/* Wrapping in a box that deforms, and its flips.
 *
 * The image n edges away from a particle is at x + H n and moves with v + L H n. Wrapping chooses another image to stand for the particle:
 * position and velocity change together, x by -H n and v by -L H n. Velocities as the host reads them belong to the positions as it
 * reads them, which are wrapped.
 *
 * A flip names other edges of the same lattice: where a tilt is more than half an edge, whole edges are taken off. Image counts and the
 * images of bonds are renumbered. Rows and lists are flipped where a list is built. In between, a box that leans too far is read as if
 * it had been flipped: rows are wrapped into the box that the host sees, and their counts are those of its edges. */
#include <math.h>
#include <string.h>

#include "box_motion.h"
#include "kinetic.h"

/* L H n of the edges n that wrapping `row` into `box` takes off; returns 0 if there are none. Velocities of frozen particles are given,
 * so wrapping leaves them alone. `x` and `turns` are wrapped. */
static int find_wrapping(const dem_system *s, const demi_box *box, int64_t row, double x[3], int32_t turns[3],
                         double velocity[3]) {
  const double *p = s->store.columns.position + 4 * row;
  double shift[3];
  for (int a = 0; a < 3; a++) x[a] = p[a];
  demi_box_wrap(box, x, turns);
  for (int a = 0; a < 3; a++) shift[a] = p[a] - x[a];
  if ((shift[0] == 0 && shift[1] == 0 && shift[2] == 0) || demi_store_frozen(&s->store, row)) return 0;
  demi_box_image_velocity(s->box_motion.given.rate, shift, velocity);
  return 1;
}

static void wrap_row(dem_system *s, int64_t row) {
  double *x = s->store.columns.position + 4 * row, *v = s->store.columns.velocity + 8 * row, wrapped[3], image[3];
  const int turned = find_wrapping(s, &s->box, row, wrapped, s->store.columns.image + 3 * row, image);
  const demi_kinetic old = demi_kinetic_of(s, row);
  for (int a = 0; a < 3; a++) {
    x[a] = wrapped[a];
    if (turned) v[a] -= image[a];
  }
  if (!turned || !s->ledger.on || !demi_box_moves(s)) return;
  demi_ledger_add(&s->ledger, &s->ledger.box, demi_kinetic_of(s, row).linear);
  demi_ledger_add(&s->ledger, &s->ledger.box, -old.linear);
}

void demi_box_wrap_rows(dem_system *s) {
  for (int64_t row = 0; row < s->store.count; row++) wrap_row(s, row);
}

void demi_box_read_place(const dem_system *s, int64_t row, double x[3], int32_t image[3]) {
  demi_box room;
  const demi_box *shown = demi_box_shown(&s->box, &room);
  memcpy(x, s->store.columns.position + 4 * row, 3 * sizeof *x);
  memcpy(image, s->store.columns.image + 3 * row, 3 * sizeof *image);
  if (shown != &s->box) demi_box_renumber(&s->box, shown, image);
  demi_box_wrap(shown, x, image);
}

void demi_box_flip(dem_system *s) {
  const demi_box from = s->box;
  if (!demi_box_leans(&from)) return;
  s->box = demi_box_flipped(&from);
  for (int64_t row = 0; row < s->store.count; row++) demi_box_renumber(&from, &s->box, s->store.columns.image + 3 * row);
  demi_bonds_renumber(&s->bonds, &from, &s->box);
}

void demi_box_settle(dem_system *s) {
  demi_box_flip(s);
  if (demi_box_moves(s)) demi_box_wrap_rows(s);
}

void demi_box_take_in(dem_system *s, int64_t row) {
  double *x = s->store.columns.position + 4 * row, *v = s->store.columns.velocity + 8 * row, wrapped[3], image[3];
  const int turned = find_wrapping(s, &s->box, row, wrapped, s->store.columns.image + 3 * row, image);
  for (int a = 0; a < 3; a++) {
    x[a] = wrapped[a];
    if (turned && demi_box_moves(s)) v[a] -= image[a];
  }
}

void demi_box_unwrapped_velocity(dem_system *s, int64_t row) {
  double *v = s->store.columns.velocity + 8 * row, less[3] = {0, 0, 0};
  demi_box_wrapped_velocity(s, row, less);
  for (int a = 0; a < 3; a++) v[a] -= less[a];
}

void demi_box_wrapped_velocity(const dem_system *s, int64_t row, double velocity[3]) {
  double unused[3], image[3];
  int32_t turns[3] = {0, 0, 0};
  demi_box room;
  if (!demi_box_moves(s) || !find_wrapping(s, demi_box_shown(&s->box, &room), row, unused, turns, image)) return;
  for (int a = 0; a < 3; a++) velocity[a] -= image[a];
}

/* m (V.V/2 - v.V), V = L H n */
double demi_box_wrapped_kinetic(const dem_system *s) {
  demi_sum sum = {0, 0};
  demi_box room;
  const demi_box *shown = demi_box_shown(&s->box, &room);
  for (int64_t row = 0; row < s->store.count && demi_box_moves(s); row++) {
    double unused[3], image[3], power = 0;
    int32_t turns[3] = {0, 0, 0};
    if (!find_wrapping(s, shown, row, unused, turns, image)) continue;
    for (int a = 0; a < 3; a++) power += image[a] * (0.5 * image[a] - s->store.columns.velocity[8 * row + a]);
    demi_sum_add(&sum, s->store.columns.mass[row] * power);
  }
  return demi_sum_get(&sum);
}
