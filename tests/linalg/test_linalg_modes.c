/* Modes against closed forms, and against each other.
 *
 *   chain       a periodic row: w = 2 sqrt(k/m) |sin(pi j/N)|; the transverse modes cost nothing; a sphere beside it is a rattler
 *   fixed       one sphere of the row is frozen: w = 2 sqrt(k/m) sin(pi j/(2 N)), and that sphere is in no mode
 *   triangle    w^2 = eigenvalues of D(q) = sum over the 3 bonds r of 2 (1 - cos q.r) [k n n - f/L (I - n n)] for all wave vectors
 *   square      the same with 2 bonds: under pressure transverse waves have w^2 < 0
 *   rough       spheres with tangential springs k_t that all turn together: w^2 = 3 k_t L^2/I in a triangle
 *   packing     trace, orthogonality, K x = w^2 M x by the products of the trial; the lowest modes by Lanczos and by LAPACK
 *   early       Lanczos that may not go on gives the modes that it has, and says so */
#include "assertions.h"

#include <stdlib.h>

#include "solids.h"

static const double PI = 3.14159265358979323846;

typedef struct spectrum {
  dem_linalg_modes_report report;
  double *w, *participation, *x;
} spectrum;

static spectrum find(solid *s, const dem_linalg_modes_options *o) {
  spectrum m;
  const int64_t room = s->rows.unknowns;
  dem_linalg_modes_report_init(&m.report, sizeof m.report);
  m.w = calloc((size_t)room, sizeof *m.w);
  m.participation = calloc((size_t)room, sizeof *m.w);
  m.x = calloc((size_t)(room * room), sizeof *m.w);
  const dem_status status = dem_linalg_find_modes(s->linalg, s->trial, o, room, m.w, m.participation, m.x, &m.report);
  if (status) print_error("%s\n", dem_linalg_message(s->linalg));
  assert_int_equal(status, DEM_OK);
  assert_int_equal(m.report.complete, 1);
  return m;
}

static void drop(spectrum *m) {
  free(m->w);
  free(m->participation);
  free(m->x);
}

static dem_linalg_modes_options options(int32_t method, int64_t count) {
  dem_linalg_modes_options o;
  dem_linalg_modes_options_init(&o, sizeof o);
  o.method = method;
  o.count = count;
  return o;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- closed forms ---- */

static void chain(void **state) {
  (void)state;
  enum { N = 24 };
  solid s;
  double w[N];
  solid_open_lattice(&s, SOLID_CHAIN, N, 1, 1e-11, 0);
  spectrum m = find(&s, NULL);
  assert_int_equal(m.report.method, DEM_LINALG_DENSE);
  assert_int_equal(m.report.unknowns, 2 * N);
  assert_int_equal(m.report.particles, N);
  assert_int_equal(m.report.rattlers, 1);
  assert_int_equal(m.report.loose, 2);
  assert_int_equal(m.report.rigid, 2);
  assert_int_equal(m.report.count, 2 * N - 2);
  assert_int_equal(m.report.zero, N - 1);
  assert_int_equal(m.report.unstable, 0);
  for (int j = 1; j < N; j++) w[j] = 2 * sqrt(STIFFNESS) * sin(PI * j / N);
  qsort(w + 1, N - 1, sizeof *w, ascending);
  for (int j = 1; j < N; j++) ASSERT_REL(m.w[N - 2 + j], w[j], 1e-9);
  /* neighbours against each other: all take the same part */
  ASSERT_REL(m.participation[2 * N - 3], 1, 1e-9);
  solid_close(&s);
  drop(&m);
}

static void fixed(void **state) {
  (void)state;
  enum { N = 24, FROZEN = 5 };
  solid s;
  dem_trial_options o;
  solid_open_lattice(&s, SOLID_CHAIN, N, 1, 1e-11, 0);
  const dem_id id = s.rows.ids[FROZEN];
  assert_int_equal(dem_trial_close(s.trial), DEM_OK);
  ASSERT_OK(s.w.system, dem_system_set_frozen(s.w.system, 1, &id, 1));
  dem_trial_options_init(&o, sizeof o);
  o.rotations = 0;
  ASSERT_OK(s.w.system, dem_trial_open(s.w.system, &o, &s.trial));
  ASSERT_OK(s.w.system, dem_trial_get_rows(s.trial, &s.rows));
  assert_int_equal(s.rows.frozen[FROZEN], 1);
  spectrum m = find(&s, NULL);
  assert_int_equal(m.report.particles, N - 1);
  assert_int_equal(m.report.rattlers, 1);
  const int64_t first = m.report.count - (N - 1);
  for (int j = 1; j < N; j++) ASSERT_REL(m.w[first + j - 1], 2 * sqrt(STIFFNESS) * sin(PI * j / (2 * N)), 1e-9);
  for (int64_t p = 0; p < m.report.count; p++)
    for (int a = 0; a < 2; a++) assert_true(m.x[p * s.rows.unknowns + 2 * FROZEN + a] == 0);
  solid_close(&s);
  drop(&m);
}

/* w^2 of all waves of a lattice of nx x ny particles with the bonds n at distance `a`; the two of q = 0 are left out. */
typedef struct waves {
  int nx, ny, bonds;
  double a, overlap, step_y, shift_x; /* shift_x: of row 1 against row 0, in units of a */
  double n[3][2];
} waves;

static int list_waves(const waves *v, double *square) {
  const double k = STIFFNESS, f = STIFFNESS * v->overlap / v->a;
  int count = 0;
  for (int i = 0; i < v->nx; i++)
    for (int j = 0; j < v->ny; j++) {
      const double q[2] = {2 * PI * i / (v->nx * v->a), 2 * PI * j / (v->ny * v->step_y)};
      double d[3] = {0, 0, 0};
      for (int b = 0; b < v->bonds; b++) {
        const double *n = v->n[b], phase = 2 * (1 - cos(v->a * (q[0] * n[0] + q[1] * n[1])));
        d[0] += phase * (k * n[0] * n[0] - f * (1 - n[0] * n[0]));
        d[1] += phase * (k + f) * n[0] * n[1];
        d[2] += phase * (k * n[1] * n[1] - f * (1 - n[1] * n[1]));
      }
      const double middle = (d[0] + d[2]) / 2, half = sqrt((d[0] - d[2]) * (d[0] - d[2]) / 4 + d[1] * d[1]);
      if (i + j == 0) continue;
      square[count++] = middle - half;
      square[count++] = middle + half;
    }
  qsort(square, (size_t)count, sizeof *square, ascending);
  return count;
}

static void compare_waves(int kind, const waves *v, int64_t some) {
  solid s;
  double square[512];
  const int count = list_waves(v, square);
  dem_linalg_modes_options o = options(DEM_LINALG_LANCZOS, some);
  solid_open_lattice(&s, kind, v->nx, v->ny, v->overlap, 0);
  spectrum all = find(&s, NULL), few = find(&s, &o);
  int unstable = 0;
  assert_int_equal(all.report.count, count);
  for (int k = 0; k < count; k++) {
    ASSERT_ABS(fabs(all.w[k]) * all.w[k], square[k], 1e-11 * STIFFNESS);
    unstable += square[k] < -1e-9 * STIFFNESS;
  }
  assert_int_equal(all.report.unstable, unstable);
  assert_int_equal(few.report.count, some);
  for (int k = 0; k < some; k++) ASSERT_ABS(fabs(few.w[k]) * few.w[k], square[k], 1e-10 * STIFFNESS);
  solid_close(&s);
  drop(&all);
  drop(&few);
}

static void triangle(void **state) {
  (void)state;
  const double d = 0.03, h = sqrt(0.75);
  const waves v = {6, 8, 3, 1 - d, d, h * (1 - d), 0.5, {{1, 0}, {0.5, h}, {-0.5, h}}};
  compare_waves(SOLID_TRIANGLE, &v, 14);
}

static void square(void **state) {
  (void)state;
  const double d = 0.03;
  const waves v = {6, 7, 2, 1 - d, d, 1 - d, 0, {{1, 0}, {0, 1}}};
  compare_waves(SOLID_SQUARE, &v, 12);
}

static void rough(void **state) {
  (void)state;
  solid s;
  const double inertia = 0.1, turning = sqrt(3 * ROUGH / inertia);
  int found = 0;
  solid_open_lattice(&s, SOLID_ROUGH_TRIANGLE, 6, 6, 1e-9, 0);
  spectrum m = find(&s, NULL);
  assert_int_equal(m.report.unknowns, 3 * 36);
  assert_int_equal(m.report.loose, 0);
  assert_int_equal(m.report.rigid, 2);
  assert_int_equal(m.report.count, 3 * 36 - 2);
  for (int64_t k = 0; k < m.report.count; k++)
    if (fabs(m.w[k] - turning) < 1e-7 * turning) {
      const double *x = m.x + k * s.rows.unknowns;
      found++;
      ASSERT_REL(m.participation[k], 1, 1e-9);
      for (int64_t p = 0; p < 36; p++) ASSERT_ABS(x[3 * p + 2], x[2], 1e-9);
      ASSERT_REL(x[2] * x[2] * 36 * inertia, 1, 1e-9);
    }
  assert_int_equal(found, 1);
  solid_close(&s);
  drop(&m);
}

/* ---- a random packing ---- */

/* Largest |K x - w^2 M x| of a mode, by the trial. */
static double unbalanced(solid *s, const double *x, double w, int masses) {
  double most = 0;
  ASSERT_OK(s->w.system, dem_trial_apply(s->trial, x, s->product));
  for (int64_t u = 0; u < s->rows.unknowns; u++) {
    const double mass = masses ? 1 / s->rows.inverse_mass[u / s->rows.width] : 1;
    most = fmax(most, fabs(s->product[u] - fabs(w) * w * mass * x[u]));
  }
  return most;
}

static double product(const solid *s, const double *x, const double *y, int masses) {
  double sum = 0;
  for (int64_t u = 0; u < s->rows.unknowns; u++)
    sum += (masses ? 1 / s->rows.inverse_mass[u / s->rows.width] : 1) * x[u] * y[u];
  return sum;
}

/* Sum of all w^2: the trace of M^-1 K, of blocks that the trial gives. */
static double trace(solid *s, int masses) {
  const int32_t width = s->rows.width;
  double *diagonal = calloc((size_t)(s->rows.particles * width * width), sizeof *diagonal), sum = 0;
  ASSERT_OK(s->w.system, dem_trial_diagonal(s->trial, diagonal));
  for (int64_t u = 0; u < s->rows.unknowns; u++)
    sum += diagonal[u / width * width * width + u % width * (width + 1)] * (masses ? s->rows.inverse_mass[u / width] : 1);
  free(diagonal);
  return sum;
}

static void check_modes(solid *s, const spectrum *m, int masses) {
  for (int64_t p = 0; p < m->report.count; p++) {
    const double *x = m->x + p * s->rows.unknowns;
    ASSERT_BELOW(unbalanced(s, x, m->w[p], masses), 1e-9 * STIFFNESS);
    for (int64_t q = 0; q <= p; q++) ASSERT_ABS(product(s, x, m->x + q * s->rows.unknowns, masses), p == q, 1e-9);
    assert_true(m->participation[p] > 0.9 / (double)m->report.particles && m->participation[p] <= 1 + 1e-12);
    assert_true(p == 0 || m->w[p] >= m->w[p - 1]);
  }
}

static void compare_packing(int dimension, int side, int masses) {
  solid s;
  dem_linalg_modes_options dense = options(DEM_LINALG_DENSE, 0), lanczos = options(DEM_LINALG_LANCZOS, 25);
  double sum = 0;
  dense.masses = lanczos.masses = masses;
  solid_open_packing(&s, dimension, side, 0);
  spectrum all = find(&s, &dense), few = find(&s, &lanczos);
  assert_int_equal(all.report.rigid, dimension);
  assert_int_equal(all.report.unknowns + all.report.loose, s.rows.unknowns);
  assert_int_equal(all.report.count, all.report.unknowns - dimension);
  assert_int_equal(all.report.unstable, 0);
  check_modes(&s, &all, masses);
  check_modes(&s, &few, masses);
  for (int64_t p = 0; p < all.report.count; p++) sum += all.w[p] * all.w[p];
  ASSERT_REL(sum, trace(&s, masses), 1e-11);
  for (int64_t p = 0; p < few.report.count; p++) {
    const double *x = few.x + p * s.rows.unknowns;
    ASSERT_REL(few.w[p], all.w[p], 1e-9);
    ASSERT_REL(few.participation[p], all.participation[p], 1e-5);
    ASSERT_ABS(fabs(product(&s, x, all.x + p * s.rows.unknowns, masses)), 1, 1e-7);
  }
  print_message("# %d-D, masses %d: w %.4g to %.4g, rattlers %d, restarts %d, fill %d\n", dimension, masses, all.w[0],
                all.w[all.report.count - 1], (int)all.report.rattlers, (int)few.report.restarts, (int)few.report.fill);
  solid_close(&s);
  drop(&all);
  drop(&few);
}

static void packing_in_a_plane(void **state) {
  (void)state;
  compare_packing(2, 9, 1);
}

static void packing_in_space(void **state) {
  (void)state;
  compare_packing(3, 5, 0);
}

static void early(void **state) {
  (void)state;
  enum { WANTED = 60 };
  solid s;
  double w[WANTED];
  dem_linalg_modes_report r;
  dem_linalg_modes_options o = options(DEM_LINALG_LANCZOS, WANTED);
  o.restarts_most = 1;
  solid_open_packing(&s, 3, 5, 0);
  spectrum all = find(&s, NULL);
  dem_linalg_modes_report_init(&r, sizeof r);
  assert_int_equal(dem_linalg_find_modes(s.linalg, s.trial, &o, WANTED, w, NULL, NULL, &r), DEM_OK);
  assert_int_equal(r.complete, 0);
  assert_int_equal(r.restarts, 1);
  assert_true(r.count > 0 && r.count < WANTED);
  for (int64_t k = 0; k < r.count; k++) ASSERT_REL(w[k], all.w[k], 1e-9);
  solid_close(&s);
  drop(&all);
}

/* ---- density of states ---- */

static void density(void **state) {
  (void)state;
  const double w[6] = {0.5, 1, 1.5, 3, 3.9, 4};
  double edges[5], d[4], sum = 0;
  dem_linalg *l;
  dem_linalg_density_options o;
  assert_int_equal(dem_linalg_create(NULL, &l), DEM_OK);
  dem_linalg_density_options_init(&o, sizeof o);
  o.bins = 4;
  o.high = 4;
  assert_int_equal(dem_linalg_density(l, 6, w, &o, edges, d), DEM_OK);
  const double expected[4] = {1, 2, 0, 3};
  for (int b = 0; b < 4; b++) {
    ASSERT_ABS(edges[b], b, 1e-15);
    ASSERT_ABS(d[b], expected[b] / 6, 1e-15);
  }
  o.logarithmic = 1;
  o.low = 0.25;
  o.total = 12;
  assert_int_equal(dem_linalg_density(l, 6, w, &o, edges, d), DEM_OK);
  for (int b = 0; b < 4; b++) {
    ASSERT_REL(edges[b], 0.25 * pow(2, b), 1e-14);
    sum += d[b] * (edges[b + 1] - edges[b]);
  }
  ASSERT_REL(d[1], 1 / (12 * 0.5), 1e-14);
  ASSERT_REL(sum, 0.5, 1e-14);
  assert_int_equal(dem_linalg_destroy(l), DEM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain),
      cmocka_unit_test(fixed),
      cmocka_unit_test(triangle),
      cmocka_unit_test(square),
      cmocka_unit_test(rough),
      cmocka_unit_test(packing_in_a_plane),
      cmocka_unit_test(packing_in_space),
      cmocka_unit_test(early),
      cmocka_unit_test(density),
  };
  return cmocka_run_group_tests_name("linalg_modes", tests, NULL, NULL);
}
