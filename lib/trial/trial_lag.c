/* Lagged friction in the replica of a trial (contact/lags.h). */
#include "trial.h"

/* Laws without friction have no caps. */
int demi_trial_lags(const dem_trial *t) {
  return t->options.friction == DEM_TRIAL_FRICTION_LAGGED && !demi_laws_lean(&t->system->laws);
}

void demi_trial_share_reach(dem_trial *t) {
  demi_search *search = &t->replica.search;
  if (!demi_trial_lags(t)) return;
  t->lags.hold = 0.5 * search->skin;
  t->lags.range = search->range;
  search->skin -= t->lags.hold;
  search->range += t->lags.hold;
}

dem_status demi_trial_match_lags(dem_trial *t) {
  if (!t->lagged) return DEM_OK;
  const dem_status status = demi_lags_spread(&t->lags, t->system->context, &t->replica.list, &t->replica.store);
  if (status) t->replica.list.valid = 0;
  return status;
}
