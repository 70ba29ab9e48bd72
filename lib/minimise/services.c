#include <math.h>

#include "minimiser.h"

/* A status of one of the objective's functions as strategies see it. */
static dem_status answer(dem_minimiser *m, const char *function, dem_status status) {
  if (status == DEM_OK) return DEM_OK;
  if (status > 0 && status != DEM_NO_MEMORY && status != DEM_BUSY) return DEM_BAD_ARGUMENT;
  if (status < 0) m->failed = status;
  return demi_refuse_alone(&m->message, m->context, status, "objective '%s': its function '%s' answered %s", m->name, function,
                           status < 0           ? "with a failure"
                           : status == DEM_BUSY ? "that something is in use"
                                                : "that memory is short");
}

dem_status demi_minimiser_evaluate(dem_minimiser *m, const double *x, int32_t ask, double *value, double *gradient) {
  const int slope = (ask & (DEM_OBJECTIVE_GRADIENT | DEM_OBJECTIVE_TANGENT)) != 0;
  m->report.gradients += slope;
  m->report.values += !slope;
  m->evaluated = NULL;
  dem_status status = m->table.evaluate(m->user, x, ask, ask & DEM_OBJECTIVE_VALUE ? value : NULL, slope ? gradient : NULL);
  if (status) return answer(m, "evaluate", status);
  if (ask & DEM_OBJECTIVE_VALUE && !isfinite(*value)) return DEM_BAD_ARGUMENT;
  m->evaluated = x;
  return DEM_OK;
}

dem_status demi_minimiser_try(dem_minimiser *m, const double *x, double *value, double *gradient, double *norm) {
  const dem_status status = demi_minimiser_evaluate(m, x, DEM_OBJECTIVE_VALUE | DEM_OBJECTIVE_GRADIENT, value, gradient);
  if (status) return status;
  *norm = demi_norm(&m->vectors, gradient);
  return isfinite(*norm) ? DEM_OK : DEM_BAD_ARGUMENT;
}

dem_status demi_minimiser_apply(dem_minimiser *m, const double *p, double *product) {
  m->report.products++;
  return answer(m, "apply", m->table.apply(m->user, p, product));
}

static void exchange(double **a, double **b) {
  double *was = *a;
  *a = *b;
  *b = was;
}

void demi_minimiser_move(dem_minimiser *m, double **x, double **gradient, double value, double norm, double step) {
  exchange(&m->x, x);
  exchange(&m->gradient, gradient);
  m->value = value;
  m->norm = norm;
  m->report.step = step;
  m->measured = NULL;
}
