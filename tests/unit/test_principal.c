/* Principal values and invariants: of tensors that are turned from given values, in closed form in two dimensions, and by what they
 * must be: S d_k = value_k d_k, an orthonormal right-handed frame, invariants that are sums and products of the values. */
#include "assertions.h"

#include "scenes/scenes.h"

static dem_principal of(const double t[9], int32_t dimension) {
  dem_principal p;
  assert_int_equal(dem_principal_init(&p, sizeof p), DEM_OK);
  assert_int_equal(dem_tensor_principal(t, dimension, &p), DEM_OK);
  assert_int_equal(p.dimension, dimension);
  return p;
}

static double size_of(const double t[9]) {
  double most = 0;
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(t[k]));
  return most;
}

static void check_frame(const dem_principal *p) {
  double d[3][3];
  memcpy(d, p->direction, sizeof d);
  for (int k = 0; k < 3; k++)
    for (int m = 0; m < 3; m++) ASSERT_ABS(d[k][0] * d[m][0] + d[k][1] * d[m][1] + d[k][2] * d[m][2], k == m, 4e-15);
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    ASSERT_ABS(d[0][b] * d[1][c] - d[0][c] * d[1][b], d[2][a], 4e-15);
  }
}

static void check_values(const double t[9], const dem_principal *p) {
  const double tol = 1e-14 * size_of(t);
  double s[3], sum = 0, square = 0, product = 1, skew = 0;
  for (int k = 0; k < p->dimension; k++)
    for (int a = 0; a < p->dimension; a++) {
      double turned = 0;
      for (int b = 0; b < p->dimension; b++) turned += 0.5 * (t[3 * a + b] + t[3 * b + a]) * p->direction[k][b];
      ASSERT_ABS(turned, p->value[k] * p->direction[k][a], tol);
      skew += pow(0.5 * (t[3 * a + k] - t[3 * k + a]), 2);
    }
  for (int k = 0; k < p->dimension; k++) sum += p->value[k];
  for (int k = 0; k < p->dimension; k++) s[k] = p->value[k] - sum / p->dimension;
  for (int k = 0; k < p->dimension; k++) square += s[k] * s[k], product *= s[k];
  ASSERT_ABS(p->mean, sum / p->dimension, tol);
  ASSERT_ABS(p->second, 0.5 * square, tol * size_of(t));
  ASSERT_ABS(p->third, p->dimension == 3 ? product : 0, tol * size_of(t) * size_of(t));
  ASSERT_ABS(p->deviator, sqrt((p->dimension == 3 ? 1.5 : 0.5) * square), tol);
  ASSERT_ABS(p->shear, 0.5 * (p->value[0] - p->value[p->dimension - 1]), tol);
  ASSERT_ABS(p->asymmetry, sqrt(skew), tol);
  for (int k = 0; k + 1 < p->dimension; k++) assert_true(p->value[k] >= p->value[k + 1]);
}

static void random_tensors(void **state) {
  (void)state;
  dice d = {20};
  for (int n = 0; n < 20000; n++) {
    double t[9];
    const double scale = pow(10, dice_uniform(&d, -40, 40));
    for (int k = 0; k < 9; k++) t[k] = scale * dice_uniform(&d, -1, 1) * pow(10, dice_uniform(&d, n % 2 ? -12 : 0, 0));
    for (int32_t dimension = 2; dimension <= 3; dimension++) {
      const dem_principal p = of(t, dimension);
      check_frame(&p);
      check_values(t, &p);
    }
  }
}

/* Values given, turned by a rotation about a random axis: equal ones and nearly equal ones too. */
static void turned_values_come_back(void **state) {
  (void)state;
  const double values[][3] = {{3, 2, 1}, {1, 1, 1}, {2, 2, -1}, {1, -2, -2}, {0, 0, 0}, {1, 1 - 1e-13, 0}, {5, 1e-9, 1e-9}};
  dice d = {21};
  for (size_t n = 0; n < sizeof values / sizeof *values; n++)
    for (int m = 0; m < 200; m++) {
      double q[4], r[3][3], t[9] = {0}, norm = 0;
      for (int k = 0; k < 4; k++) q[k] = dice_uniform(&d, -1, 1), norm += q[k] * q[k];
      for (int k = 0; k < 4; k++) q[k] /= sqrt(norm);
      for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        r[a][a] = 1 - 2 * (q[1 + b] * q[1 + b] + q[1 + c] * q[1 + c]);
        r[a][b] = 2 * (q[1 + a] * q[1 + b] - q[0] * q[1 + c]);
        r[b][a] = 2 * (q[1 + a] * q[1 + b] + q[0] * q[1 + c]);
      }
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          for (int k = 0; k < 3; k++) t[3 * a + b] += r[a][k] * values[n][k] * r[b][k];
      const dem_principal p = of(t, 3);
      check_frame(&p);
      for (int k = 0; k < 3; k++) ASSERT_ABS(p.value[k], values[n][k], 1e-14 * (1 + size_of(t)));
    }
}

/* Known by heart: pure shear, uniaxial, a plane stress; and that z does not enter in two dimensions. */
static void closed_forms(void **state) {
  (void)state;
  const double shear[9] = {0, 2, 0, 2, 0, 0, 0, 0, 0}, uniaxial[9] = {0, 0, 0, 0, 7, 0, 0, 0, 0};
  const double plane[9] = {3, 1, 5, 1, 1, 6, 7, 8, 9}, skew[9] = {0, 1, 0, -1, 0, 0, 0, 0, 0};
  dem_principal p = of(shear, 3);
  ASSERT_ABS(p.value[0], 2, 1e-15);
  ASSERT_ABS(p.value[1], 0, 1e-15);
  ASSERT_ABS(p.value[2], -2, 1e-15);
  ASSERT_ABS(p.deviator, sqrt(3.0) * 2, 1e-15);
  ASSERT_ABS(p.direction[0][0], sqrt(0.5), 1e-15);
  ASSERT_ABS(p.direction[0][1], sqrt(0.5), 1e-15);
  p = of(uniaxial, 3);
  ASSERT_ABS(p.deviator, 7, 1e-14);
  ASSERT_ABS(p.third, 2 * pow(7.0 / 3.0, 3), 1e-13);
  assert_true(p.value[0] == 7 && p.direction[0][1] == 1);
  p = of(plane, 2);
  ASSERT_ABS(p.value[0], 2 + sqrt(2.0), 1e-15);
  ASSERT_ABS(p.value[1], 2 - sqrt(2.0), 1e-15);
  ASSERT_ABS(p.deviator, sqrt(2.0), 1e-15);
  ASSERT_ABS(p.shear, sqrt(2.0), 1e-15);
  assert_true(p.value[2] == 0 && p.direction[2][2] == 1 && p.asymmetry == 0);
  p = of(skew, 3);
  ASSERT_ABS(p.asymmetry, sqrt(2.0), 1e-15);
  assert_true(p.mean == 0 && p.deviator == 0 && p.value[0] == 0);
}

static void refusals(void **state) {
  (void)state;
  double t[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  dem_principal p, before;
  assert_int_equal(dem_principal_init(NULL, sizeof p), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_principal_init(&p, 8), DEM_BAD_STRUCT);
  assert_int_equal(dem_principal_init(&p, sizeof p), DEM_OK);
  before = p;
  assert_int_equal(dem_tensor_principal(NULL, 3, &p), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_tensor_principal(t, 3, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_tensor_principal(t, 1, &p), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_tensor_principal(t, 4, &p), DEM_BAD_ARGUMENT);
  for (int k = 0; k < 3; k++) {
    const double bad[] = {NAN, INFINITY, 2e60};
    t[5] = bad[k];
    assert_int_equal(dem_tensor_principal(t, 3, &p), DEM_BAD_ARGUMENT);
  }
  ASSERT_BITS(&p, &before, sizeof p);
  t[5] = 0;
  p.struct_size = 8;
  assert_int_equal(dem_tensor_principal(t, 3, &p), DEM_BAD_STRUCT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_tensors),
      cmocka_unit_test(turned_values_come_back),
      cmocka_unit_test(closed_forms),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
