/* Contacts of a box that deforms fast, against brute force over all images at every step. */
#include "assertions.h"

#include <stdlib.h>

#include "moving_box.h"
#include "series.h"

typedef struct matrix {
  double of[3][3];
} matrix;

static matrix product(const matrix *a, const matrix *b) {
  matrix c = {{{0}}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) c.of[i][j] += a->of[i][k] * b->of[k][j];
  return c;
}

/* Edges of a box that was a cube of this length: exp(L t) length, by the series. */
static matrix edges_at(const double rate[6], double length, double time) {
  const matrix l = {
      {{rate[0] * time, rate[3] * time, rate[4] * time}, {0, rate[1] * time, rate[5] * time}, {0, 0, rate[2] * time}}};
  matrix sum = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, term = sum;
  for (int n = 1; n < 40; n++) {
    term = product(&term, &l);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) sum.of[i][j] += term.of[i][j] /= n;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum.of[i][j] *= length;
  return sum;
}

/* Takes whole edges off a vector until it is near the shortest of its lattice. */
static void fold(const matrix *h, double r[3]) {
  for (int a = 2; a >= 0; a--) {
    const double turns = round(r[a] / h->of[a][a]);
    for (int k = 0; k <= a; k++) r[k] -= turns * h->of[k][a];
  }
}

static double shortest(const matrix *h, const double *p, const double *q) {
  double r[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, least = INFINITY;
  fold(h, r);
  for (int n = 0; n < 125; n++) {
    const int turn[3] = {n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2};
    double square = 0;
    for (int a = 0; a < 3; a++) {
      double d = r[a];
      for (int k = 0; k < 3; k++) d += h->of[a][k] * turn[k];
      square += d * d;
    }
    least = fmin(least, square);
  }
  return sqrt(least);
}

enum { MOST = 125 };

/* Every pair that surely touches is a contact, and every contact touches. */
static void check(const world *w, const matrix *h, int n) {
  static uint8_t found[MOST][MOST];
  static dem_contact contacts[4000];
  double x[3 * MOST], radius[MOST];
  dem_id ids[MOST];
  int64_t count = 0;
  memset(found, 0, sizeof found);
  world_read(w, DEM_POSITION, x), world_read(w, DEM_RADIUS, radius);
  ASSERT_OK(w->system, dem_system_ids(w->system, n, ids));
  ASSERT_OK(w->system, dem_system_contact_count(w->system, &count));
  assert_true(count <= 4000);
  ASSERT_OK(w->system, dem_system_contacts(w->system, 4000, contacts, sizeof *contacts));
  for (int64_t c = 0; c < count; c++) {
    int i = 0, j = 0;
    while (ids[i] != contacts[c].i) i++;
    while (ids[j] != contacts[c].j) j++;
    assert_false(found[i][j]);
    found[i][j] = found[j][i] = 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double gap = shortest(h, x + 3 * i, x + 3 * j) - radius[i] - radius[j];
      if (fabs(gap) > 1e-10) assert_int_equal(found[i][j], gap < 0);
    }
}

static void run(const double rate[6], double skin, double speed, int32_t dimension, int64_t steps) {
  moving_box b = moving_box_defaults();
  world w;
  b.dimension = dimension, b.side = dimension == 3 ? 5 : 9, b.spacing = 1.05;
  b.skin = skin, b.speed = speed, b.dt = 5e-4;
  const int n = dimension == 3 ? 125 : 81;
  moving_box_open(&w, &b, NULL);
  moving_box_drive(&w, rate);
  for (int64_t k = 1; k <= steps; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    matrix h = edges_at(rate, b.side * b.spacing, (double)k * b.dt);
    if (dimension == 2) h.of[2][2] = 1e6;
    check(&w, &h, n);
  }
  assert_true(world_contacts(&w) > 0);
  world_close(&w);
}

static void no_contact_is_missed(void **state) {
  (void)state;
  const double motions[5][6] = {
      {0, 0, 0, 10, 0, 0}, {-1.5, 1, 0.5, 0, 0, 0}, {0, 0, 0, 6, -5, 8}, {-1, 0.7, 0.3, 7, 5, -6}, {1, -1.5, 0.5, -12, 3, 4}};
  const double skins[3] = {0.01, 0.08, 0.12};
  for (int k = 0; k < 5; k++)
    for (int m = 0; m < 3; m++)
      if (series_takes(3 * k + m)) run(motions[k], skins[m], m == 1 ? 10 : 0.5, 3, 200);
}

static void no_contact_is_missed_in_a_plane(void **state) {
  (void)state;
  const double motions[2][6] = {{0, 0, 0, 10, 0, 0}, {-1, 0.7, 0, -9, 0, 0}};
  const double skins[3] = {0.01, 0.08, 0.5};
  for (int k = 0; k < 2; k++)
    for (int m = 0; m < 3; m++)
      if (series_takes(3 * k + m)) run(motions[k], skins[m], 2, 2, 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_contact_is_missed),
      cmocka_unit_test(no_contact_is_missed_in_a_plane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
