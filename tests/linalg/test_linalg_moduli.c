/* Elastic moduli against closed forms and finite strain.
 *
 *   triangle   a lattice without prestress: Lame constants lambda = mu = sqrt(3)/4 k, nothing non-affine
 *   pressed    the same with overlap d at distance a: p = sqrt(3) k d/a, bulk = -V dp/dV = sqrt(3)/2 k (1 + d/a), and the shear modulus is
 *              the slope of the shear stress of three bonds that follow a simple shear
 *   rough      the triangle with tangential springs k_t between spheres that turn: bulk = sqrt(3)/2 k, mu = sqrt(3)/4 (k + k_t). In simple
 *              shear the spheres follow the mean rotation; before they do, the slope is mu + sqrt(3)/2 k_t
 *   square     under pressure: simple shear costs -p, and the particles are at no minimum
 *   packing    random, in two and three dimensions: every component against the strain +-h, after which particles find their places */
#include "assertions.h"

#include <stdlib.h>

#include "solids.h"

static const double PI = 3.14159265358979323846;

static void find(solid *s, dem_linalg_moduli *m) {
  dem_linalg_moduli_init(m, sizeof *m);
  const dem_status status = dem_linalg_find_moduli(s->linalg, s->trial, m);
  if (status) print_error("%s\n", dem_linalg_message(s->linalg));
  assert_int_equal(status, DEM_OK);
}

static void triangle_without_prestress(void **state) {
  (void)state;
  solid s;
  dem_linalg_moduli m;
  const double mu = sqrt(3) / 4 * STIFFNESS;
  const double expected[9] = {3 * mu, mu, 0, mu, 3 * mu, 0, 0, 0, mu};
  solid_open_lattice(&s, SOLID_TRIANGLE, 6, 6, 1e-11, 1);
  find(&s, &m);
  assert_int_equal(m.dimension, 2);
  assert_int_equal(m.components, 3);
  assert_int_equal(m.stable, 1);
  assert_int_equal(m.rigid, 2);
  for (int k = 0; k < 9; k++) {
    ASSERT_ABS(m.stiffness[k], expected[k], 1e-8 * mu);
    ASSERT_ABS(m.affine[k], expected[k], 1e-8 * mu);
    ASSERT_ABS(m.green[k], expected[k], 1e-8 * mu);
  }
  ASSERT_REL(m.bulk, 2 * mu, 1e-8);
  ASSERT_REL(m.shear, mu, 1e-8);
  solid_close(&s);
}

/* Shear stress of the triangular lattice in simple shear g along the direction at `angle` to x: three bonds per area sqrt(3)/2 a^2. */
static double sheared(double a, double g, double angle) {
  double sum = 0;
  for (int b = 0; b < 3; b++) {
    const double turn = PI / 3 * b - angle, y = a * sin(turn), x = a * cos(turn) + g * y, length = sqrt(x * x + y * y);
    sum += STIFFNESS * (1 - length) * -x * y / length;
  }
  return sum / (sqrt(3) / 2 * a * a);
}

static void triangle_under_pressure(void **state) {
  (void)state;
  solid s;
  dem_linalg_moduli m;
  const double d = 0.05, a = 1 - d, h = 1e-4;
  double shear = 0;
  for (int k = 0; k < 6; k++) shear += (sheared(a, h, k * PI / 12) - sheared(a, -h, k * PI / 12)) / (2 * h) / 6;
  solid_open_lattice(&s, SOLID_TRIANGLE, 6, 6, d, 1);
  find(&s, &m);
  ASSERT_REL(m.pressure, sqrt(3) * STIFFNESS * d / a, 1e-12);
  ASSERT_REL(m.bulk, sqrt(3) / 2 * STIFFNESS * (1 + d / a), 1e-11);
  ASSERT_REL(m.shear, shear, 1e-7);
  ASSERT_REL(m.stiffness[8], (sheared(a, h, 0) - sheared(a, -h, 0)) / (2 * h), 1e-7);
  ASSERT_REL(m.shear_affine, m.shear, 1e-10);
  ASSERT_BELOW(m.unrest, 1e-11);
  solid_close(&s);
}

static void rough_triangle(void **state) {
  (void)state;
  solid s;
  dem_linalg_moduli m;
  const double mu = sqrt(3) / 4 * (STIFFNESS + ROUGH), bulk = sqrt(3) / 2 * STIFFNESS;
  const double expected[9] = {bulk + mu, bulk - mu, 0, bulk - mu, bulk + mu, 0, 0, 0, mu};
  solid_open_lattice(&s, SOLID_ROUGH_TRIANGLE, 6, 6, 1e-9, 1);
  find(&s, &m);
  assert_int_equal(m.stable, 1);
  assert_int_equal(m.rigid, 2);
  for (int k = 0; k < 9; k++) ASSERT_ABS(m.stiffness[k], expected[k], 1e-7 * mu);
  ASSERT_REL(m.affine[8], mu + sqrt(3) / 2 * ROUGH, 1e-7);
  ASSERT_REL(m.bulk, bulk, 1e-7);
  ASSERT_REL(m.shear, mu, 1e-7);
  solid_close(&s);
}

static void square_under_pressure(void **state) {
  (void)state;
  solid s;
  dem_linalg_moduli m;
  const double d = 0.02, a = 1 - d;
  solid_open_lattice(&s, SOLID_SQUARE, 6, 6, d, 1);
  find(&s, &m);
  ASSERT_REL(m.pressure, STIFFNESS * d / a, 1e-12);
  ASSERT_REL(m.affine[8], -m.pressure, 1e-10);
  ASSERT_REL(m.affine[0], STIFFNESS, 1e-12);
  assert_int_equal(m.stable, 0);
  assert_true(isnan(m.shear) && isnan(m.bulk) && isnan(m.stiffness[0]));
  solid_close(&s);
}

/* Column b of the stiffness from the strains +-h. */
static void measure_column(solid *s, int b, double *column) {
  const double h = 1e-6;
  const int64_t box = s->rows.unknowns - s->rows.box_width;
  memset(column, 0, (size_t)s->rows.box_width * sizeof *column);
  for (int side = -1; side <= 1; side += 2) {
    memset(s->u, 0, (size_t)s->rows.unknowns * sizeof *s->u);
    s->u[box + b] = side * h;
    solid_relax(s);
    for (int a = 0; a < s->rows.box_width; a++) column[a] += side * s->gradient[box + a] / (2 * h * s->rows.volume);
  }
}

static void compare_packing(int dimension, int side) {
  solid s;
  dem_linalg_moduli m;
  double softer = 0;
  solid_open_packing(&s, dimension, side, 1);
  find(&s, &m);
  assert_int_equal(m.stable, 1);
  assert_int_equal(m.rigid, dimension);
  ASSERT_BELOW(m.residual, 1e-11);
  ASSERT_BELOW(m.asymmetry, 1e-14);
  for (int b = 0; b < m.components; b++) {
    double column[6];
    measure_column(&s, b, column);
    for (int a = 0; a < m.components; a++) ASSERT_ABS(m.stiffness[a * m.components + b], column[a], 1e-4 * m.shear);
    softer = fmax(softer, m.affine[b * m.components + b] - m.stiffness[b * m.components + b]);
  }
  print_message("# %d-D: bulk %.4g (affine %.4g), shear %.4g (affine %.4g), p %.3g, products %d\n", dimension, m.bulk,
                m.bulk_affine, m.shear, m.shear_affine, m.pressure, (int)m.products);
  assert_true(softer > 0.02 * m.shear);
  assert_true(m.shear < m.shear_affine && m.bulk < m.bulk_affine);
  solid_close(&s);
}

static void packing_in_a_plane(void **state) {
  (void)state;
  compare_packing(2, 9);
}

static void packing_in_space(void **state) {
  (void)state;
  compare_packing(3, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangle_without_prestress),
      cmocka_unit_test(triangle_under_pressure),
      cmocka_unit_test(rough_triangle),
      cmocka_unit_test(square_under_pressure),
      cmocka_unit_test(packing_in_a_plane),
      cmocka_unit_test(packing_in_space),
  };
  return cmocka_run_group_tests_name("linalg_moduli", tests, NULL, NULL);
}
