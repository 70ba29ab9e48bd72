/* Gradient and energy of an evaluation in the order of the unknowns: sums of the loads, gravity and the host's forces. */
#include <math.h>
#include <string.h>

#include "compensated.h"
#include "trial.h"

static void write_row(const dem_trial *t, const double *force, const double *moment, double *out) {
  for (int a = 0; a < t->dimension; a++) out[a] = -force[a];
  if (!t->options.rotations) return;
  if (t->dimension == 2)
    out[2] = -moment[2];
  else
    for (int a = 0; a < 3; a++) out[3 + a] = -moment[a];
}

static void write_particles(const dem_trial *t, double *gradient) {
  for (int64_t row = 0; row < t->particles; row++) {
    const double *load = t->replica.store.columns.load + 8 * row;
    write_row(t, load, load + 4, gradient + (int64_t)t->of_row[row] * t->width);
  }
}

/* The moment that works along changes of a rotation vector r: with R(r + dr) = R(J dr) R(r),
 * J = 1 + (1 - cos r)/r^2 [r x] + (r - sin r)/r^3 [r x]^2, and M . (J dr) = (J^T M) . dr. */
static void along_rotation(const double r[3], double moment[3]) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = sqrt(square);
  const double a = angle > 1e-4 ? (1.0 - cos(angle)) / square : 0.5 - square / 24.0;
  const double b = angle > 1e-2 ? (angle - sin(angle)) / (square * angle) : 1.0 / 6.0 - square / 120.0;
  double once[3], twice[3];
  for (int k = 0; k < 3; k++) once[k] = r[(k + 1) % 3] * moment[(k + 2) % 3] - r[(k + 2) % 3] * moment[(k + 1) % 3];
  for (int k = 0; k < 3; k++) twice[k] = r[(k + 1) % 3] * once[(k + 2) % 3] - r[(k + 2) % 3] * once[(k + 1) % 3];
  for (int k = 0; k < 3; k++) moment[k] += b * twice[k] - a * once[k];
}

/* Loads on the walls, in the order of the contacts. */
void demi_trial_write_walls(const dem_trial *t, const demi_loads *loads, double *gradient) {
  const double alpha = t->options.alpha;
  for (int32_t w = 0; w < t->walls; w++) {
    const int64_t first = t->particles * t->width + (int64_t)w * t->wall_width;
    const double *v = t->u + first;
    double force[3], moment[3], *out = gradient + first;
    demi_wall_load sum;
    memset(&sum, 0, sizeof sum);
    if (t->particles > 0) demi_walls_add_loads(loads, &t->replica.list, w, &sum);
    for (int a = 0; a < 3; a++) {
      force[a] = demi_sum_get(&sum.component[a]);
      moment[a] = demi_sum_get(&sum.component[3 + a]);
    }
    if (t->dimension == 3) along_rotation((double[3]){alpha * v[3], alpha * v[4], alpha * v[5]}, moment);
    for (int a = 0; a < t->dimension; a++) out[a] = -force[a];
    for (int a = 0; a < 3 && t->dimension == 3; a++) out[3 + a] = -moment[a];
    if (t->dimension == 2) out[2] = -moment[2];
  }
}

void demi_trial_write_loads(const dem_trial *t, const demi_loads *loads, double *gradient) {
  write_particles(t, gradient);
  demi_trial_write_walls(t, loads, gradient);
}

/* Force of gravity and the host on a wall. */
static double wall_pull(const dem_trial *t, int32_t w, int axis) {
  const dem_wall *given = &t->wall[w].given;
  return given->motion == DEM_WALL_FREE ? given->force[axis] + given->mass * t->system->options.gravity[axis] : 0;
}

void demi_trial_add_wall_pulls(const dem_trial *t, double *gradient) {
  for (int32_t w = 0; w < t->walls; w++)
    for (int a = 0; a < t->dimension; a++)
      gradient[t->particles * t->width + (int64_t)w * t->wall_width + a] -= wall_pull(t, w, a);
}

void demi_trial_add_pulls(const dem_trial *t, double *gradient) {
  for (int64_t row = 0; row < t->particles && demi_trial_is_pulled(t); row++) {
    double force[3], moment[3], *out = gradient + (int64_t)t->of_row[row] * t->width;
    demi_trial_find_pull(t, row, force, moment);
    for (int a = 0; a < t->dimension; a++) out[a] -= force[a];
    if (t->options.rotations && t->dimension == 2) out[2] -= moment[2];
    for (int a = 0; a < 3 && t->options.rotations && t->dimension == 3; a++) out[3 + a] -= moment[a];
  }
  demi_trial_add_wall_pulls(t, gradient);
}

/* Of gravity and the host: -(F . alpha u + M . alpha u_rotation). */
double demi_trial_linear_energy(const dem_trial *t, const double *u) {
  demi_sum sum = {0, 0};
  for (int64_t row = 0; row < t->particles && demi_trial_is_pulled(t); row++) {
    const double *v = u + (int64_t)t->of_row[row] * t->width;
    double force[3], moment[3], work = 0;
    demi_trial_find_pull(t, row, force, moment);
    for (int a = 0; a < t->dimension; a++) work += force[a] * v[a];
    if (t->options.rotations && t->dimension == 2) work += moment[2] * v[2];
    for (int a = 0; a < 3 && t->options.rotations && t->dimension == 3; a++) work += moment[a] * v[3 + a];
    demi_sum_add(&sum, -t->options.alpha * work);
  }
  const double *v = u + t->particles * t->width;
  for (int32_t w = 0; w < t->walls; w++, v += t->wall_width)
    for (int a = 0; a < t->dimension; a++) demi_sum_add(&sum, -t->options.alpha * v[a] * wall_pull(t, w, a));
  return demi_sum_get(&sum);
}

double demi_trial_stored_energy(const dem_trial *t) {
  if (t->particles == 0) return 0;
  const demi_replica *r = &t->replica;
  if (t->lean) return demi_lean_energy(&r->contacts, &r->list);
  const demi_totals totals = demi_contacts_totals(r->contacts.sums, &r->list, DEMI_SECTIONS, r->contacts.loads.rolls);
  double energy = 0;
  for (int32_t section = 0; section < DEMI_SECTIONS; section++)
    for (int32_t mode = 0; mode < DEMI_MODES; mode++) energy += totals.of[section][DEMI_MODE_ENTRY(mode, DEMI_OF_ENERGY)];
  return energy;
}
