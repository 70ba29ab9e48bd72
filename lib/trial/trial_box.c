/* The strain of the box as unknowns of a trial.
 *
 * With the strain E (upper triangular, e_xx ... in the order of box.h) and X = x_0 - c, the place of a particle at u = 0 from the middle
 * c of the box, the trial state is
 *
 *   x = x_0 + alpha (u + E X),      H = (1 + alpha E) H_0,
 *
 * so the image n of a particle is displaced by alpha (u + E X + E H_0 n). The derivative of the energy by alpha e_ab is
 *
 *   - sum over particles F_a X_b + sum over images F_n,a (H_0 n)_b,
 *
 * F the force on a particle with gravity and the host's, F_n the sum of the forces of all contacts and bonds with image n on their
 * particle i. For contacts alone this is minus V times the stress (> 0 in compression). */
#include <math.h>
#include <string.h>

#include "box_motion.h"
#include "compensated.h"
#include "lengths.h"
#include "ready.h"
#include "trial.h"

static const int AXIS[DEMI_RATES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
/* The components in a plane. */
static const int FLAT[3] = {0, 1, 3};

static int component(const dem_trial *t, int k) { return t->dimension == 2 ? FLAT[k] : k; }

int64_t demi_trial_box_first(const dem_trial *t) { return t->particles * t->width + (int64_t)t->walls * t->wall_width; }

/* The strain in a vector of unknowns. */
static void strain_of(const dem_trial *t, const double *u, double strain[DEMI_RATES]) {
  memset(strain, 0, DEMI_RATES * sizeof *strain);
  for (int k = 0; k < t->box_width; k++) strain[component(t, k)] = u[demi_trial_box_first(t) + k];
}

/* X of a position. */
static void place_of(const dem_trial *t, const double position[3], double x[3]) {
  for (int a = 0; a < 3; a++) x[a] = position[a] - 0.5 * (t->start_box.low[a] + t->start_box.high[a]);
}

void demi_trial_strain_at(const dem_trial *t, const double *u, const double position[3], double displacement[3]) {
  double strain[DEMI_RATES], x[3];
  strain_of(t, u, strain);
  place_of(t, position, x);
  demi_box_image_velocity(strain, x, displacement);
}

void demi_trial_add_strain(const dem_trial *t, const double *u, double *total) {
  if (t->box_width == 0) return;
  for (int64_t row = 0; row < t->particles; row++) {
    double moved[3], *out = total + (int64_t)t->of_row[row] * t->width;
    demi_trial_strain_at(t, u, t->base + 4 * row, moved);
    for (int a = 0; a < t->dimension; a++) out[a] += moved[a];
  }
}

/* ---- the box ---- */

demi_box demi_trial_strained(const demi_box *from, const double strain[DEMI_RATES], double alpha) {
  demi_box to = *from;
  double tilt[3], f[3];
  const double ly = demi_box_length(from, 1), lz = demi_box_length(from, 2);
  for (int a = 0; a < 3; a++) f[a] = 1.0 + alpha * strain[a];
  tilt[DEMI_TILT_XY] = f[0] * from->tilt[DEMI_TILT_XY] + alpha * strain[3] * ly;
  tilt[DEMI_TILT_XZ] = f[0] * from->tilt[DEMI_TILT_XZ] + alpha * (strain[3] * from->tilt[DEMI_TILT_YZ] + strain[4] * lz);
  tilt[DEMI_TILT_YZ] = f[1] * from->tilt[DEMI_TILT_YZ] + alpha * strain[5] * lz;
  for (int a = 0; a < 3; a++) {
    const double middle = 0.5 * (from->low[a] + from->high[a]), half = 0.5 * f[a] * demi_box_length(from, a);
    if (strain[a] == 0) continue;
    to.low[a] = middle - half;
    to.high[a] = middle + half;
  }
  demi_box_set_tilt(&to, tilt);
  return to;
}

/* Vectors E H_0 n of all images. */
static void image_displacements(const dem_trial *t, const double strain[DEMI_RATES], double (*out)[4]) {
  for (int n = 0; n < 27; n++) {
    const double turns[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    double vector[3];
    demi_box_image(&t->start_box, turns, vector);
    demi_box_image_velocity(strain, vector, out[n]);
    out[n][3] = 0;
  }
}

double demi_trial_most_reach(const dem_system *s, const demi_box *box) {
  double most = 20.0 * s->largest_radius;
  for (int a = 0; a < 3; a++)
    if (box->periodic[a]) most = fmin(most, 0.5 * demi_box_height(box, a) - 2.0 * s->largest_radius - demi_system_range(s));
  return most;
}

dem_status demi_trial_check_reach(dem_system *s, const demi_box *box, double reach) {
  const double most = demi_trial_most_reach(s, box);
  if (reach <= most || reach == 0 || s->store.count == 0) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                            "trial: reach is %g, allowed 0 to %g (10 largest diameters; on periodic axes half the box less the "
                            "range of contacts)",
                            reach, most);
}

dem_status demi_trial_strain_box(dem_trial *t, const double *u) {
  static const double at_rest[DEMI_RATES] = {0};
  double strain[DEMI_RATES];
  if (t->box_width == 0) return DEM_OK;
  strain_of(t, u, strain);
  const demi_box to = demi_trial_strained(&t->start_box, strain, t->options.alpha);
  for (int a = 0; a < 3; a++)
    if (to.periodic[a] && !(demi_box_length(&to, a) > 0))
      return demi_system_refuse(t->system, DEM_BAD_ARGUMENT,
                                "trial: the strain makes periodic axis %d %g long, must be above 0", a,
                                demi_box_length(&to, a));
  dem_status status = demi_ready_check_heights(t->system, &to);
  if (!status) status = demi_trial_check_reach(t->system, &to, t->options.reach);
  if (status) return status;
  t->replica.box = to;
  demi_list_move_images(&t->replica.list, at_rest);
  return DEM_OK;
}

void demi_trial_move_images(dem_trial *t, const double *u) {
  double strain[DEMI_RATES];
  if (t->box_width == 0 || t->particles == 0) return;
  strain_of(t, u, strain);
  for (int k = 0; k < DEMI_RATES; k++) strain[k] *= t->rate;
  image_displacements(t, strain, (double(*)[4])(void *)t->replica.list.shift_velocity);
}

const double *demi_trial_image_displacements(dem_trial *t, const double *p) {
  double strain[DEMI_RATES];
  if (t->box_width == 0) return NULL;
  strain_of(t, p, strain);
  image_displacements(t, strain, t->image_displacement);
  return &t->image_displacement[0][0];
}

/* ---- the derivative ---- */

static void sum_images(const dem_trial *t, const demi_loads *l, demi_sum sum[27][3]) {
  static const int32_t SECTIONS[3] = {DEMI_SECTION_PAIR, DEMI_SECTION_GAP, DEMI_SECTION_BOND};
  memset(sum, 0, 27 * sizeof *sum);
  for (int32_t b = 0; b < t->replica.list.motion.blocks; b++)
    for (int k = 0; k < 3; k++)
      for (int64_t c = l->first[SECTIONS[k]][b]; c < l->first[SECTIONS[k]][b] + l->count[SECTIONS[k]][b]; c++)
        for (int a = 0; a < 3; a++) demi_sum_add(&sum[l->image[c]][a], l->rows[8 * c + a]);
}

/* gradient: -F of the particles on entry; the strain's part is written. */
void demi_trial_write_strain(const dem_trial *t, const demi_loads *loads, double *gradient) {
  demi_sum images[27][3], sum[DEMI_RATES];
  if (t->box_width == 0) return;
  if (t->strain_held) memset(gradient + demi_trial_box_first(t), 0, (size_t)t->box_width * sizeof *gradient);
  if (t->strain_held) return;
  memset(sum, 0, sizeof sum);
  for (int64_t row = 0; row < t->particles; row++) {
    const double *g = gradient + (int64_t)t->of_row[row] * t->width;
    double x[3];
    place_of(t, t->base + 4 * row, x);
    for (int k = 0; k < t->box_width; k++) {
      const int c = component(t, k);
      demi_sum_add(&sum[k], g[AXIS[c][0]] * x[AXIS[c][1]]);
    }
  }
  if (t->particles > 0) sum_images(t, loads, images);
  for (int n = 0; n < 27 && t->particles > 0; n++) {
    const double turns[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    double vector[3];
    demi_box_image(&t->start_box, turns, vector);
    for (int k = 0; k < t->box_width; k++) {
      const int c = component(t, k);
      demi_sum_add(&sum[k], demi_sum_get(&images[n][AXIS[c][0]]) * vector[AXIS[c][1]]);
    }
  }
  for (int k = 0; k < t->box_width; k++) gradient[demi_trial_box_first(t) + k] = demi_sum_get(&sum[k]);
}
