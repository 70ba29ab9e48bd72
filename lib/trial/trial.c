/* Trials: options, opening and closing. */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "engine.h"
#include "intake.h"
#include "limits.h"
#include "ready.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_trial_options, reach)

/* T of statics [time], see trial_evaluate.c. Velocities u/T stay above the smallest double, 2^-1022, for u down to 2^-800. */
#define STATIC_TIME 0x1p200

/* ---- options ---- */

static const dem_trial_options default_options = {.rotations = 1, .alpha = 1.0};

dem_status demi_trial_options_defaults(dem_trial_options *options, uint32_t struct_size) {
  return demi_init(options, struct_size, &default_options, sizeof default_options, OPTIONS_V1);
}

static dem_status check_options(dem_system *s, const dem_trial_options *o) {
  if (o->rotations != 0 && o->rotations != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: rotations is %d, allowed 0 or 1", o->rotations);
  if (!(demi_bounded(o->dt) && (o->dt == 0 || demi_bounded_above_zero(o->dt))))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: dt is %g, must be 0 (statics) or %g to %g", o->dt, 1 / DEMI_LARGEST,
                              DEMI_LARGEST);
  if (!(isfinite(o->alpha) && o->alpha >= 0 && o->alpha <= 1))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: alpha is %g, allowed 0 to 1", o->alpha);
  if (o->alpha == 0 && o->dt == 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: alpha is 0 in statics (dt 0), where nothing would move");
  if (o->box != 0 && o->box != 1) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: box is %d, allowed 0 or 1", o->box);
  if (o->friction != DEM_TRIAL_FRICTION_IMPLICIT && o->friction != DEM_TRIAL_FRICTION_LAGGED)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                              "trial: friction is %d, allowed DEM_TRIAL_FRICTION_IMPLICIT (%d) or _LAGGED (%d)", o->friction,
                              DEM_TRIAL_FRICTION_IMPLICIT, DEM_TRIAL_FRICTION_LAGGED);
  for (int a = 0; a < s->options.dimension && o->box; a++)
    if (!s->box.periodic[a]) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: box is 1, and axis %d is not periodic", a);
  if (!(isfinite(o->reach) && o->reach >= 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: reach is %g, must be finite and >= 0", o->reach);
  return DEM_OK;
}

/* ---- opening ---- */

static void set_scales(dem_trial *t) {
  const dem_trial_options *o = &t->options;
  const double step = o->dt > 0 ? o->dt : STATIC_TIME;
  t->dimension = t->system->options.dimension;
  t->width = t->dimension + (o->rotations ? (t->dimension == 2 ? 1 : 3) : 0);
  t->wall_width = t->dimension == 2 ? 3 : 6;
  t->box_width = o->box ? t->wall_width : 0;
  t->rate = 1.0 / step;
  t->time = o->alpha > 0 ? o->alpha * step : step;
}

/* Velocities of a lean evaluation, which sets none: in statics nothing moves. */
static void stop_rows(dem_trial *t) {
  double *velocity = t->replica.store.columns.velocity;
  for (int64_t row = 0; row < t->particles; row++)
    for (int a = 0; a < 3; a++) velocity[8 * row + a] = velocity[8 * row + 4 + a] = 0;
}

/* The replica begins anew from the present state of the system. */
dem_status demi_trial_copy_system(dem_trial *t) {
  if (t->copied) return DEM_OK;
  static const double strained[DEMI_RATES] = {0};
  const dem_status status = demi_replica_open(&t->replica, t->system, t->options.reach);
  if (t->box_width > 0) t->replica.search.rate = strained; /* images move */
  if (!status) demi_trial_share_reach(t);
  t->copied = !status;
  t->lean_sums.picks = -1;
  if (!status && t->options.dt == 0) stop_rows(t);
  return status;
}

static dem_status fill(dem_trial *t) {
  set_scales(t);
  dem_status status = demi_trial_lay_rows(t);
  if (!status) status = demi_trial_copy_system(t);
  return status ? demi_trial_refuse_memory(t) : DEM_OK;
}

static void enlist(dem_trial *t) {
  demi_guards *g = &t->system->guards;
  t->older = g->first_trial;
  if (t->older) t->older->younger = t;
  g->first_trial = t;
  g->trials++;
}

static void strike_off(dem_trial *t) {
  demi_guards *g = &t->system->guards;
  if (t->older) t->older->younger = t->younger;
  if (t->younger)
    t->younger->older = t->older;
  else
    g->first_trial = t->older;
  g->trials--;
}

void demi_trial_drop_replica(dem_trial *t) { t->copied = t->evaluated = t->has_tangents = t->lagged = t->revealed = 0; }

/* The memory of the trial that was closed last, as if nothing were in it. */
static dem_trial *take_spare(dem_system *s) {
  dem_trial *t = s->guards.spare_trial;
  if (!t) return NULL;
  s->guards.spare_trial = NULL;
  t->older = t->younger = NULL;
  t->in_step = t->astray = t->lean = t->strain_held = 0;
  t->accepted = 0;
  demi_trial_drop_replica(t);
  return t;
}

static void release(dem_trial *t) {
  dem_context *context = t->system->context;
  demi_replica_close(&t->replica);
  demi_carry_free(&t->handed, context);
  demi_tangents_free(&t->tangent);
  demi_lean_free(&t->lean_sums);
  demi_lags_free(&t->lags, context);
  demi_trial_free_rows(t);
  demi_free(context, t, sizeof *t);
}

dem_status demi_trial_open(dem_system *s, const dem_trial_options *given, dem_trial **trial) {
  dem_trial_options o = default_options;
  dem_status status = given ? demi_intake(&o, sizeof o, given, OPTIONS_V1) : DEM_OK;
  if (status)
    return demi_system_refuse(s, status, "trial options: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, given, sizeof o, OPTIONS_V1));
  if ((status = check_options(s, &o)) != DEM_OK) return status;
  if ((status = demi_system_ready(s)) != DEM_OK || (status = demi_trial_check_reach(s, &s->box, o.reach)) != DEM_OK)
    return status;
  if ((status = demi_engine_flush(s, 1)) != DEM_OK) return status;
  dem_trial *t = take_spare(s);
  if (!t) t = demi_allocate_zero(s->context, sizeof *t);
  if (!t) return demi_system_refuse(s, DEM_NO_MEMORY, "trial: out of memory");
  t->system = s;
  t->options = o;
  enlist(t);
  if ((status = fill(t)) != DEM_OK) { /* nothing of it is kept: memory is short, as a rule */
    strike_off(t);
    release(t);
    return status;
  }
  *trial = t;
  return DEM_OK;
}

void demi_trial_free_spare(dem_system *s) {
  if (s->guards.spare_trial) release(s->guards.spare_trial);
  s->guards.spare_trial = NULL;
}

void demi_trial_close(dem_trial *t) {
  if (!t) return;
  strike_off(t);
  demi_trial_free_spare(t->system);
  t->system->guards.spare_trial = t;
}
