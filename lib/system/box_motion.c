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

#include "engine_change.h"
#include "intake.h"
#include "kinetic.h"
#include "limits.h"
#include "ready.h"

#define MOTION_V1 DEMI_SIZE_TO(dem_box_motion, rate_limit)

static const double MOST_STRAIN = 0.5; /* of a step */
enum { IMAGES = 27 };

static const char *const NAMES[DEM_BOX_COMPONENTS] = {"XX", "YY", "ZZ", "XY", "XZ", "YZ"};
/* The axes that a component needs. */
static const int AXIS[DEM_BOX_COMPONENTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

dem_status demi_box_motion_defaults(dem_box_motion *motion, uint32_t struct_size) {
  dem_box_motion m;
  memset(&m, 0, sizeof m);
  return demi_init(motion, struct_size, &m, sizeof m, MOTION_V1);
}

dem_status demi_system_get_box_motion(const dem_system *s, dem_box_motion *motion) {
  const dem_status status = demi_outgive(motion, &s->box_motion.given, sizeof s->box_motion.given, MOTION_V1);
  return status ? demi_system_refuse(s, status, "box motion: struct_size %u is not usable", motion->struct_size) : DEM_OK;
}

/* ---- checks ---- */

static int is_driven(const dem_box_motion *m, int k) { return m->rate[k] != 0 || m->control[k] == DEM_BOX_STRESS; }

static dem_status check_component(const dem_system *s, const dem_box_motion *m, int k) {
  if (m->control[k] != DEM_BOX_RATE && m->control[k] != DEM_BOX_STRESS)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box motion: control of %s is %d, allowed %d to %d", NAMES[k], m->control[k],
                              DEM_BOX_RATE, DEM_BOX_STRESS);
  if (!demi_bounded(m->rate[k]) || !demi_bounded(m->stress[k]))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box motion: rate of %s is %g and its stress %g, must be finite, -%g to %g",
                              NAMES[k], m->rate[k], m->stress[k], DEMI_LARGEST, DEMI_LARGEST);
  if (!is_driven(m, k)) return DEM_OK;
  if (s->options.dimension == 2 && AXIS[k][1] == 2)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box motion: %s is driven in a system of 2 dimensions", NAMES[k]);
  for (int a = 0; a < 2; a++)
    if (!s->box.periodic[AXIS[k][a]])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box motion: %s is driven, and axis %d is not periodic", NAMES[k],
                                AXIS[k][a]);
  return DEM_OK;
}

static dem_status check_motion(const dem_system *s, const dem_box_motion *m) {
  int servo = 0;
  if (m->coupled != 0 && m->coupled != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box motion: coupled is %d, allowed 0 or 1", m->coupled);
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) {
    const dem_status status = check_component(s, m, k);
    if (status) return status;
    servo = servo || m->control[k] == DEM_BOX_STRESS;
  }
  if (servo && !(demi_bounded_above_zero(m->gain) && demi_bounded_above_zero(m->rate_limit)))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box motion: gain is %g and rate_limit %g, both must be above 0, up to %g",
                              m->gain, m->rate_limit, DEMI_LARGEST);
  return DEM_OK;
}

/* A servo may choose any rate up to its limit in the middle of the step, so the box is taken to shrink as fast as it may. */
static dem_status worst_rates(const dem_system *s, double dt, double rate[DEM_BOX_COMPONENTS]) {
  const dem_box_motion *m = &s->box_motion.given;
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) {
    const int servo = m->control[k] == DEM_BOX_STRESS;
    const double most = servo ? m->rate_limit : fabs(m->rate[k]);
    rate[k] = servo && k < 3 ? -m->rate_limit : m->rate[k];
    if (!(most * dt <= MOST_STRAIN))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box motion: %s of %s is %g, times dt (%g) at most %g",
                                servo ? "rate_limit" : "rate", NAMES[k], most, dt, MOST_STRAIN);
  }
  return DEM_OK;
}

dem_status demi_box_check_step(dem_system *s, double dt) {
  double rate[DEM_BOX_COMPONENTS], queued = 0;
  if (!demi_box_moves(s) || s->store.count == 0) return DEM_OK;
  dem_status status = worst_rates(s, dt, rate);
  if (status) return status;
  for (int32_t k = 0; k < s->interval.op_count; k++)
    if (s->interval.op[k].kind == DEMI_OP_DRIFT) queued += s->interval.op[k].duration;
  demi_box after = s->box;
  demi_box_deform(&after, s->box_motion.given.rate, queued);
  demi_box_deform(&after, rate, dt);
  after = demi_box_flipped(&after);
  return demi_ready_check_heights(s, &after);
}

/* ---- setting ---- */

dem_status demi_system_set_box_motion(dem_system *s, const dem_box_motion *given) {
  dem_box_motion m;
  memset(&m, 0, sizeof m);
  dem_status status = given ? demi_intake(&m, sizeof m, given, MOTION_V1) : DEM_OK;
  if (status)
    return demi_system_refuse(s, status, "box motion: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, given, sizeof m, MOTION_V1));
  if ((status = check_motion(s, &m)) != DEM_OK) return status;
  if ((status = demi_engine_set_contacts_aside(s)) != DEM_OK) return status;
  demi_box_wrap_rows(s); /* with the old velocities of the images */
  m.struct_size = (uint32_t)sizeof m;
  s->box_motion.given = m;
  s->box_motion.on = 0;
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) s->box_motion.on = s->box_motion.on || is_driven(&m, k);
  memset(s->box_motion.force, 0, sizeof s->box_motion.force);
  s->box_motion.power = 0;
  return DEM_OK;
}

/* ---- moving ---- */

void demi_box_advance(dem_system *s) {
  if (!demi_box_moves(s)) return;
  for (int32_t k = 0; k < s->interval.op_count; k++)
    if (s->interval.op[k].kind == DEMI_OP_DRIFT) demi_box_deform(&s->box, s->box_motion.given.rate, s->interval.op[k].duration);
  demi_list_move_images(&s->list, s->box_motion.given.rate);
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
    mean += m->stress[k] - stress[k];
    normal++;
  }
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) {
    if (m->control[k] != DEM_BOX_STRESS) continue;
    const double off = m->coupled && k < 3 ? mean / normal : m->stress[k] - stress[k];
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
