/* Stress of a network of contacts (Love 1927, Weber 1966; Rothenburg and Selvadurai 1981), positive in compression:
 *
 *   V sigma_ab = sum_c r_a f_b,   r = x_i - x_j, f the whole force on i,   plus the kinetic part  sum_i m c_a c_b.
 *
 * Division between the particles: particle i has s_i r (x) f with s_i = a_i/(a_i + a_j), which is (x_i - x_c) (x) f with the contact
 * point x_c where the arms reach from centre to centre; or 1/2. A wall has no part: the particle has (x_i - x_c) (x) f with the
 * closest point x_c of the wall. So the sum over particles is the sum over contacts. */
#include "stress.h"

#include <string.h>

#include "compensated.h"

/* ---- contacts ---- */

static double part_of_i(const demi_link *link, int32_t split) {
  return split == DEM_SPLIT_HALF && link->j >= 0 ? 0.5 : link->at_i;
}

typedef struct section_sums {
  int32_t split;
  const double *weight;
  demi_sum of[DEMI_SECTIONS][9];
} section_sums;

static void add_to_section(void *user, const demi_link *l) {
  section_sums *sums = user;
  const double at_i = part_of_i(l, sums->split);
  const double w = sums->weight[l->i] * at_i + (l->j >= 0 ? sums->weight[l->j] * (1 - at_i) : 0);
  if (w == 0) return;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) demi_sum_add(&sums->of[l->section][3 * a + b], w * (l->r[a] * l->force[b]));
}

void demi_stress_of_sections(const demi_statics_source *s, int32_t split, const double *weight,
                             double of_section[DEMI_SECTIONS][9]) {
  section_sums sums;
  memset(&sums, 0, sizeof sums);
  sums.split = split;
  sums.weight = weight;
  demi_links_each(s, DEM_SECTIONS_ALL, add_to_section, &sums);
  for (int k = 0; k < DEMI_SECTIONS; k++)
    for (int a = 0; a < 9; a++) of_section[k][a] = demi_sum_get(&sums.of[k][a]);
}

typedef struct row_sums {
  int32_t split;
  double *rows;
} row_sums;

static void add_to_rows(void *user, const demi_link *l) {
  const row_sums *sums = user;
  const double at_i = part_of_i(l, sums->split);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double both = l->r[a] * l->force[b];
      sums->rows[9 * l->i + 3 * a + b] += at_i * both;
      if (l->j >= 0) sums->rows[9 * l->j + 3 * a + b] += (1 - at_i) * both;
    }
}

void demi_stress_of_rows(const demi_statics_source *s, int32_t sections, int32_t split, double *rows) {
  row_sums sums = {split, rows};
  demi_links_each(s, sections, add_to_rows, &sums);
}

/* ---- kinetic ---- */

/* Position wrapped into the box, and the velocity of that image. */
static void place_of(const demi_statics_source *s, int64_t row, double x[3], double v[3]) {
  const double *stored = s->store->columns.position + 4 * row;
  double shift[3], image[3] = {0, 0, 0};
  int32_t unused[3] = {0, 0, 0};
  for (int a = 0; a < 3; a++) x[a] = stored[a];
  demi_box_wrap(&s->shown, x, unused);
  for (int a = 0; a < 3; a++) shift[a] = stored[a] - x[a];
  if (s->rate) demi_box_image_velocity(s->rate, shift, image);
  for (int a = 0; a < 3; a++) v[a] = s->store->columns.velocity[8 * row + a] - image[a];
}

static void velocity_less(const demi_statics_source *s, const demi_flow *flow, int64_t row, double c[3]) {
  const double *g = flow->gradient;
  double x[3], v[3];
  place_of(s, row, x, v);
  for (int a = 0; a < 3; a++) c[a] = v[a] - flow->at_origin[a] - (g[3 * a] * x[0] + g[3 * a + 1] * x[1] + g[3 * a + 2] * x[2]);
}

/* Weighted mean of the velocities less `flow`; 0 where nothing moves. */
static void mean_less(const demi_statics_source *s, const demi_flow *flow, const double *weight, double out[3]) {
  demi_sum mass = {0, 0}, momentum[3] = {{0, 0}};
  for (int64_t row = 0; row < s->store->count; row++) {
    const double w = weight ? weight[row] : 1;
    double c[3];
    if (w == 0 || demi_store_frozen(s->store, row)) continue;
    velocity_less(s, flow, row, c);
    demi_sum_add(&mass, w * s->store->columns.mass[row]);
    for (int a = 0; a < 3; a++) demi_sum_add(&momentum[a], w * s->store->columns.mass[row] * c[a]);
  }
  for (int a = 0; a < 3; a++) out[a] = mass.value > 0 ? demi_sum_get(&momentum[a]) / demi_sum_get(&mass) : 0;
}

demi_flow demi_flow_find(const demi_statics_source *s, const dem_statics_options *o, const double *weight) {
  demi_flow flow;
  double mean[3];
  memset(&flow, 0, sizeof flow);
  mean_less(s, &flow, weight, flow.mean_velocity);
  if (o->kinetic != DEM_KINETIC_PECULIAR) return flow;
  for (int a = 0; a < s->dimension; a++)
    for (int b = 0; b < s->dimension; b++) flow.gradient[3 * a + b] = o->gradient[3 * a + b];
  mean_less(s, &flow, weight, mean);
  memcpy(flow.at_origin, mean, sizeof mean);
  return flow;
}

void demi_stress_kinetic_of(const demi_statics_source *s, const demi_flow *flow, int64_t row, double out[9]) {
  double c[3];
  memset(out, 0, 9 * sizeof *out);
  if (demi_store_frozen(s->store, row)) return;
  velocity_less(s, flow, row, c);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) out[3 * a + b] = s->store->columns.mass[row] * (c[a] * c[b]);
}

void demi_stress_kinetic(const demi_statics_source *s, const demi_flow *flow, const double *weight, double out[9]) {
  demi_sum sum[9];
  memset(sum, 0, sizeof sum);
  for (int64_t row = 0; row < s->store->count; row++) {
    double of_row[9];
    if (weight[row] == 0) continue;
    demi_stress_kinetic_of(s, flow, row, of_row);
    for (int k = 0; k < 9; k++) demi_sum_add(&sum[k], weight[row] * of_row[k]);
  }
  for (int k = 0; k < 9; k++) out[k] = demi_sum_get(&sum[k]);
}
