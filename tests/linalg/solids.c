#include "assertions.h"

#include "solids.h"

#include <stdlib.h>

static void open_world(solid *s, int dimension, int rough, const int periodic[3], const double length[3]) {
  world_options o = world_defaults();
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal = DEM_NORMAL_HOOKE;
  o.law.normal_stiffness = STIFFNESS;
  o.law.tangential = rough ? DEM_TANGENTIAL_LINEAR : DEM_TANGENTIAL_NONE;
  if (rough) o.law.tangential_stiffness = ROUGH, o.law.friction = 0.5;
  o.system.dimension = dimension;
  o.system.dt = 5e-3;
  o.system.drag = 2;
  for (int a = 0; a < dimension; a++) o.system.periodic[a] = periodic[a], o.system.box_high[a] = length[a];
  world_open(&s->w, &o);
}

static void open_trial(solid *s, int rotations, int box) {
  dem_trial_options o;
  dem_trial_options_init(&o, sizeof o);
  o.rotations = rotations;
  o.box = box;
  ASSERT_OK(s->w.system, dem_trial_open(s->w.system, &o, &s->trial));
  dem_trial_rows_init(&s->rows, sizeof s->rows);
  ASSERT_OK(s->w.system, dem_trial_get_rows(s->trial, &s->rows));
  s->u = calloc((size_t)s->rows.unknowns * 3, sizeof *s->u);
  assert_non_null(s->u);
  s->gradient = s->u + s->rows.unknowns;
  s->product = s->gradient + s->rows.unknowns;
  assert_int_equal(dem_linalg_create(NULL, &s->linalg), DEM_OK);
}

void solid_open_lattice(solid *s, int kind, int nx, int ny, double overlap, int box) {
  const int triangle = kind == SOLID_TRIANGLE || kind == SOLID_ROUGH_TRIANGLE, rough = kind == SOLID_ROUGH_TRIANGLE;
  const double a = 1 - overlap, step = triangle ? sqrt(0.75) * a : a;
  const int chain = kind == SOLID_CHAIN;
  rows r;
  open_world(s, 2, rough, (int[3]){1, !chain, 0}, (double[3]){nx * a, chain ? 9 : ny * step, 0});
  assert_int_equal(rows_create(&r, nx * ny + 1), 0);
  for (int k = 0; k < nx * ny; k++) {
    const int i = k % nx, j = k / nx;
    rows_put(&r, (i + 0.25 + (triangle ? 0.5 * (j % 2) : 0)) * a, (j + 0.5) * step, 0, 0.5);
  }
  if (chain) rows_put(&r, 2, 7, 0, 0.5);
  world_add_rows(&s->w, &r, NULL);
  open_trial(s, rough, box);
}

/* Fractions 0.95 and 0.75 of the box where spheres did not overlap: well above jamming, so that no contact opens at small strains. */
void solid_open_packing(solid *s, int dimension, int side, int box) {
  const double length = side * (dimension == 2 ? 0.9 : 0.87);
  const int count = dimension == 2 ? side * side : side * side * side;
  dice d = {5};
  rows r;
  open_world(s, dimension, 0, (int[3]){1, 1, 1}, (double[3]){length, length, length});
  assert_int_equal(rows_create(&r, count), 0);
  for (int n = 0; n < count; n++) {
    const int at[3] = {n % side, n / side % side, n / side / side};
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = (at[a] + 0.5 + dice_uniform(&d, -0.25, 0.25)) * length / side;
    rows_put(&r, x[0], x[1], dimension == 2 ? 0 : x[2], dice_uniform(&d, 0.42, 0.56));
  }
  world_add_rows(&s->w, &r, NULL);
  ASSERT_OK(s->w.system, dem_system_step(s->w.system, 15000));
  open_trial(s, 0, box);
  solid_relax(s);
  ASSERT_OK(s->w.system, dem_trial_accept(s->trial, NULL));
  memset(s->u, 0, (size_t)s->rows.unknowns * sizeof *s->u);
}

void solid_close(solid *s) {
  assert_int_equal(dem_linalg_destroy(s->linalg), DEM_OK);
  assert_int_equal(dem_trial_close(s->trial), DEM_OK);
  free(s->u);
  world_close(&s->w);
}

/* ---- relaxation ---- */

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* x = -K^-1 g on the particles by conjugate gradients; product and room hold n numbers. */
static void newton_step(solid *s, int64_t n, double *x, double *room) {
  double *r = room, *p = room + s->rows.unknowns, now, before = 0;
  memset(x, 0, (size_t)s->rows.unknowns * sizeof *x);
  memset(p, 0, (size_t)s->rows.unknowns * sizeof *p);
  for (int64_t k = 0; k < n; k++) r[k] = -s->gradient[k];
  const double start = dot(r, r, n);
  for (int k = 0; k < 4000 && (now = dot(r, r, n)) > 1e-20 * start; k++) {
    for (int64_t c = 0; c < n; c++) p[c] = r[c] + (k > 0 ? now / before * p[c] : 0);
    before = now;
    ASSERT_OK(s->w.system, dem_trial_apply(s->trial, p, s->product));
    const double curvature = dot(p, s->product, n);
    assert_true(curvature > -1e-9 * STIFFNESS * dot(p, p, n));
    if (curvature < 1e-9 * STIFFNESS * dot(p, p, n)) return; /* the residual is rounding: a translation */
    for (int64_t c = 0; c < n; c++) x[c] += now / curvature * p[c], r[c] -= now / curvature * s->product[c];
  }
}

void solid_relax(solid *s) {
  const int64_t n = s->rows.particles * s->rows.width;
  double *x = calloc((size_t)s->rows.unknowns * 3, sizeof *x), most = 0;
  for (int k = 0; k < 30; k++) {
    ASSERT_OK(s->w.system, dem_trial_evaluate(s->trial, s->u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, s->gradient));
    most = 0;
    for (int64_t c = 0; c < n; c++) most = fmax(most, fabs(s->gradient[c]));
    if (most < 1e-11) break;
    newton_step(s, n, x, x + s->rows.unknowns);
    for (int64_t c = 0; c < n; c++) s->u[c] += x[c];
  }
  ASSERT_BELOW(most, 1e-11);
  free(x);
}
