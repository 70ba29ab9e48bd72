/* Measures of the objective at the present point: network and forces. */
#include <math.h>
#include <string.h>

#include "minimiser.h"

/* Iterations after which forces are measured again although they cannot be seen to be small. */
enum { SELDOM = 100 };

/* 1 if `out` holds measures of m->x. They can be taken only where the latest evaluation was. */
static int measure(dem_minimiser *m, dem_objective_measure *out) {
  memset(out, 0, sizeof *out);
  out->struct_size = (uint32_t)sizeof *out;
  if (!m->table.measure || m->evaluated != m->x) return 0;
  const dem_status status = m->table.measure(m->user, m->x, m->gradient, out);
  if (status < 0) m->failed = status;
  if (status) return 0;
  if (m->network_seen != 0 && out->network != 0 && m->network_seen != out->network) m->report.network_changes++;
  m->network_seen = out->network;
  m->force_mean = out->force_mean;
  m->measured = m->x;
  if (out->force_mean > 0) m->report.force_relative = out->force_largest / out->force_mean;
  return 1;
}

int demi_minimiser_network_holds(dem_minimiser *m) {
  dem_objective_measure now;
  if (!measure(m, &now)) {
    m->network = 0;
    return 0;
  }
  const int same = now.network != 0 && now.network == m->network;
  m->network = now.network;
  return same;
}

/* The largest force is at least |gradient|/sqrt(n), so that it needs no measuring while this is large compared with the mean contact
 * force as last measured; that changes slowly, a factor of 2 is allowed for. */
static int may_balance(const dem_minimiser *m) {
  if (m->force_mean < 0 || m->report.iterations % SELDOM == 0) return 1;
  return m->norm <= 2 * m->options.force_relative * m->force_mean * sqrt((double)m->n);
}

int demi_minimiser_forces_balance(dem_minimiser *m) {
  dem_objective_measure now;
  if (m->options.force_relative <= 0) return 0;
  if (!m->measured && (!may_balance(m) || !measure(m, &now))) return 0;
  return m->force_mean > 0 && m->report.force_relative <= m->options.force_relative;
}
