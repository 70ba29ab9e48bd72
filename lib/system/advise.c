/* dem_system_advise: what the pairs of a system as it stands ask for (survey.c), in the host's struct. */
#include <dem/advice.h>
#include <math.h>
#include <string.h>

#include "engine.h"
#include "intake.h"
#include "ready.h"
#include "survey.h"

#define ADVICE_V1 DEMI_SIZE_TO(dem_advice, unknown)

/* Part of a contact time that a step takes by default: 1/50, common in the field; and of the stability limit at most. */
static const double usual_fraction = 1.0 / 50.0, safe_part = 0.8;

dem_status demi_advice_defaults(dem_advice *advice, uint32_t struct_size) {
  dem_advice a;
  memset(&a, 0, sizeof a);
  a.fraction = usual_fraction;
  return demi_init(advice, struct_size, &a, sizeof a, ADVICE_V1);
}

static void put_pairs(const demi_survey *v, dem_advice *a) {
  a->contact_time = v->time.value;
  a->contact_i = v->time.i;
  a->contact_j = v->time.j;
  a->contact_wall = v->time.wall;
  a->stable_i = v->stable.i;
  a->stable_j = v->stable.j;
  a->stable_wall = v->stable.wall;
  const demi_extreme *overlap = v->behind.i ? &v->behind : &v->overlap; /* behind a wall: above the radius */
  a->overlap = overlap->value + (v->behind.i ? 1 : 0);
  a->overlap_i = overlap->i;
  a->overlap_j = overlap->j;
  a->overlap_wall = overlap->wall;
  a->impact = v->impact.value;
  a->impact_i = v->impact.i;
  a->impact_j = v->impact.j;
  a->impact_wall = v->impact.wall;
  a->contacts = v->contacts;
  a->approaching = v->approaching;
  a->unknown = v->unknown;
}

static void put_sizes(const dem_system *s, dem_advice *a) {
  const demi_size_ratio r = demi_survey_ratio(s);
  a->ratio_materials[0] = r.materials[0];
  a->ratio_materials[1] = r.materials[1];
  a->frictions_unknown = r.unknown;
  a->size_ratio = r.ratio;
  a->critical_ratio = r.critical;
}

static dem_status check(dem_system *s, const dem_advice *advice, dem_advice *mine) {
  const dem_status status = demi_intake(mine, sizeof *mine, advice, ADVICE_V1);
  if (status)
    return demi_system_refuse(s, status, "advice: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, advice, sizeof *mine, ADVICE_V1));
  if (mine->fraction > 0 && mine->fraction <= 1) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "advice: fraction is %g, allowed above 0 to 1", mine->fraction);
}

dem_status demi_system_advise(dem_system *s, dem_advice *advice) {
  dem_advice a;
  demi_survey survey;
  dem_status status = check(s, advice, &a);
  if (!status) status = demi_system_ready(s);
  if (!status) status = demi_engine_flush(s, 1);
  if (!status && s->store.count > 0) status = demi_engine_search(s);
  if (status) return status;
  demi_survey_pairs(s, &survey);
  const double stability = s->integrator->table.stability;
  put_pairs(&survey, &a);
  put_sizes(s, &a);
  a.stable_dt = stability > 0 ? 0.5 * stability * survey.stable.value : INFINITY;
  a.contact_steps = a.contact_time / s->options.dt;
  a.dt = fmin(a.fraction * a.contact_time, safe_part * a.stable_dt);
  a.speed = demi_survey_speed(s);
  return demi_outgive(advice, &a, sizeof a, ADVICE_V1);
}
