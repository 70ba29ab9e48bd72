/* The motion of the box as the host sets it; checks then and before each step. */
#include <math.h>
#include <string.h>

#include "box_motion.h"
#include "engine_change.h"
#include "intake.h"
#include "limits.h"
#include "ready.h"

#define MOTION_V1 DEMI_SIZE_TO(dem_box_motion, rate_limit)

static const double MOST_STRAIN = 0.5; /* of a step */

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
  demi_box_flip(s);
  demi_box_wrap_rows(s); /* with the old velocities of the images */
  m.struct_size = (uint32_t)sizeof m;
  s->box_motion.given = m;
  s->box_motion.on = 0;
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) s->box_motion.on = s->box_motion.on || is_driven(&m, k);
  memset(s->box_motion.force, 0, sizeof s->box_motion.force);
  s->box_motion.power = 0;
  return DEM_OK;
}
