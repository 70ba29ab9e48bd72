/* The box that deforms while the system steps.
 *
 * In a drift the edges follow dH/dt = L H exactly (store/box.h); image vectors and their velocities V = L H n follow in the list. Kicks
 * leave the box alone: L is constant but for the servo, which sets it after each evaluation.
 *
 * Books. Contacts book f.(v_i - v_j - V), the particles gain f.(v_i - v_j), so the box supplies the power P = sum f.V over all contacts
 * and bonds across its faces. With F_n the sum of the forces with image n this is sum_n F_n.V_n at any time of the interval, and the work
 * of H of kicks is (P + P')/2 H, as for the contacts. A particle that is wrapped changes its velocity by -V; the kinetic energy it gains
 * comes from the box, too. */
#include "box_motion.h"

#include <math.h>
#include <string.h>

enum { IMAGES = 27 };

/* ---- moving ---- */

void demi_box_advance(dem_system *s) {
  if (!demi_box_moves(s)) return;
  for (int32_t k = 0; k < s->interval.op_count; k++)
    if (s->interval.op[k].kind == DEMI_OP_DRIFT) demi_box_deform(&s->box, s->box_motion.given.rate, s->interval.op[k].duration);
  demi_list_move_images(&s->list, s->box_motion.given.rate);
}

/* v - L (x - c), c the middle of the box: of all images of a particle the same. */
void demi_box_relative_velocity(const dem_system *s, int64_t row, double velocity[3]) {
  const double *x = s->store.columns.position + 4 * row, *v = s->store.columns.velocity + 8 * row;
  double middle[3], from_middle[3], flow[3] = {0, 0, 0};
  demi_box_image(&s->box, (double[3]){0.5, 0.5, 0.5}, middle);
  for (int a = 0; a < 3; a++) from_middle[a] = x[a] - s->box.low[a] - middle[a];
  if (demi_box_moves(s)) demi_box_image_velocity(s->box_motion.given.rate, from_middle, flow);
  for (int a = 0; a < 3; a++) velocity[a] = v[a] - flow[a];
}

/* ---- servo ---- */

static double within(double value, double limit) { return fmax(-limit, fmin(limit, value)); }

static void serve(dem_system *s) {
  dem_box_motion *m = &s->box_motion.given;
  double stress[DEM_BOX_COMPONENTS], mean = 0;
  int servo = 0, normal = 0;
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) servo = servo || m->control[k] == DEM_BOX_STRESS;
  if (!servo) return;
  demi_box_stress(s, stress);
  for (int k = 0; k < 3; k++) {
    if (m->control[k] != DEM_BOX_STRESS) continue;
    mean += stress[k] - m->stress[k];
    normal++;
  }
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) {
    if (m->control[k] != DEM_BOX_STRESS) continue;
    const double off = m->coupled && k < 3 ? mean / normal : stress[k] - m->stress[k];
    m->rate[k] = within(m->gain * off, m->rate_limit);
  }
  demi_list_move_images(&s->list, m->rate);
}

/* ---- books ---- */

static double power_now(const dem_system *s) {
  double power = 0;
  for (int n = 0; n < IMAGES; n++)
    for (int a = 0; a < 3; a++) power += s->box_motion.force[n][a] * s->list.shift_velocity[4 * n + a];
  return power;
}

static void add_forces(const demi_loads *l, int64_t first, int64_t end, demi_sum sum[IMAGES][3]) {
  for (int64_t c = first; c < end; c++)
    for (int a = 0; a < 3 && l->image[c] != DEMI_OWN_SHIFT; a++) demi_sum_add(&sum[l->image[c]][a], l->rows[8 * c + a]);
}

static void sum_forces(dem_system *s) {
  const demi_loads *l = &s->contacts.loads;
  demi_sum sum[IMAGES][3];
  memset(sum, 0, sizeof sum);
  for (int32_t b = 0; b < s->list.motion.blocks; b++)
    for (int k = 0; k < DEMI_PAIR_SECTIONS; k++)
      add_forces(l, l->first[DEMI_PAIR_SECTION[k]][b], l->first[DEMI_PAIR_SECTION[k]][b] + l->count[DEMI_PAIR_SECTION[k]][b],
                 sum);
  for (int n = 0; n < IMAGES; n++)
    for (int a = 0; a < 3; a++) s->box_motion.force[n][a] = demi_sum_get(&sum[n][a]);
}

void demi_box_measure(dem_system *s) {
  if (!demi_box_moves(s) || s->store.count == 0) return;
  if (s->ledger.on) {
    sum_forces(s);
    s->box_motion.power = power_now(s);
  }
  serve(s);
}

void demi_box_book(dem_system *s, double duration) {
  if (!demi_box_moves(s) || duration == 0 || !s->list.shift_velocity) return;
  const double now = power_now(s);
  demi_ledger_add(&s->ledger, &s->ledger.box, 0.5 * duration * (s->box_motion.power + now));
  s->box_motion.power = now;
}
