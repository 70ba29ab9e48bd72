/* Memory, masses and the trial of implicit_euler.c. */
#include <stdlib.h>

#include "implicit_euler.h"

static int allocate(implicit_euler *s) {
  double **const vectors[] = {&s->mass, &s->velocity, &s->u, &s->residual, &s->p, &s->direction, &s->product, &s->before};
  int complete = 1;
  for (int k = 0; k < 8; k++) complete = (*vectors[k] = calloc((size_t)s->rows.unknowns + 1, sizeof(double))) && complete;
  return complete;
}

dem_status implicit_euler_open(implicit_euler *s, dem_system *system, double h) {
  dem_trial_options o;
  *s = (implicit_euler){.system = system, .h = h};
  dem_trial_options_init(&o, sizeof o);
  dem_trial_rows_init(&s->rows, sizeof s->rows);
  o.rotations = 0;
  o.dt = h;
  dem_status status = dem_trial_open(system, &o, &s->trial);
  if (!status) status = dem_trial_get_rows(s->trial, &s->rows);
  if (!status && !allocate(s)) status = DEM_NO_MEMORY;
  for (int64_t k = 0; !status && k < s->rows.particles * s->rows.width; k++) {
    const double inverse = s->rows.inverse_mass[k / s->rows.width];
    s->mass[k] = inverse > 0 ? 1 / inverse : 0;
  }
  return status;
}

void implicit_euler_close(implicit_euler *s) {
  double *const vectors[] = {s->mass, s->velocity, s->u, s->residual, s->p, s->direction, s->product, s->before};
  for (int k = 0; k < 8; k++) free(vectors[k]);
  dem_trial_close(s->trial);
}
