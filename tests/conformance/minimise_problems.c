#include "conformance/minimise_problems.h"

#include <string.h>

#define UNUSED(n, i) ((void)(n), (void)(i))

static void rosenbrock(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  const jet *y = x + i / 2 * 2;
  *r = i % 2 == 0 ? jet_scale(10, jet_sub(y[1], jet_square(y[0]))) : jet_sub(jet_of(1), y[0]);
}

static void freudenstein_roth(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  const jet y = x[1];
  const jet inner = i == 0 ? jet_shift(jet_mul(jet_sub(jet_of(5), y), y), -2) : jet_shift(jet_mul(jet_shift(y, 1), y), -14);
  *r = jet_shift(jet_add(x[0], jet_mul(inner, y)), i == 0 ? -13 : -29);
}

static void powell_badly_scaled(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  if (i == 0) *r = jet_shift(jet_scale(1e4, jet_mul(x[0], x[1])), -1);
  if (i == 1) *r = jet_shift(jet_add(jet_exp(jet_scale(-1, x[0])), jet_exp(jet_scale(-1, x[1]))), -1.0001);
}

static void brown_badly_scaled(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  *r = i < 2 ? jet_shift(x[i], i == 0 ? -1e6 : -2e-6) : jet_shift(jet_mul(x[0], x[1]), -2);
}

static void beale(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  static const double y[] = {1.5, 2.25, 2.625};
  jet power = x[1];
  for (int k = 0; k < i; k++) power = jet_mul(power, x[1]);
  *r = jet_sub(jet_of(y[i]), jet_mul(x[0], jet_sub(jet_of(1), power)));
}

static void jennrich_sampson(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  const double k = i + 1;
  *r = jet_sub(jet_of(2 + 2 * k), jet_add(jet_exp(jet_scale(k, x[0])), jet_exp(jet_scale(k, x[1]))));
}

static void helical_valley(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  if (i == 0) {
    const jet turn = jet_shift(jet_scale(0.5 / acos(-1.0), jet_atan(jet_div(x[1], x[0]))), x[0].v < 0 ? 0.5 : 0);
    *r = jet_scale(10, jet_sub(x[2], jet_scale(10, turn)));
  } else if (i == 1) {
    *r = jet_scale(10, jet_shift(jet_sqrt(jet_add(jet_square(x[0]), jet_square(x[1]))), -1));
  } else {
    *r = x[2];
  }
}

static void bard(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  static const double y[] = {0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
  const double u = i + 1, v = 15 - i, w = u < v ? u : v;
  *r = jet_sub(jet_of(y[i]), jet_add(x[0], jet_scale(u, jet_inverse(jet_add(jet_scale(v, x[1]), jet_scale(w, x[2]))))));
}

static void gaussian(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  static const double y[] = {0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989};
  const jet away = jet_sub(jet_of((7 - i) / 2.0), x[2]);
  const jet bell = jet_exp(jet_scale(-0.5, jet_mul(x[1], jet_square(away))));
  *r = jet_shift(jet_mul(x[0], bell), -y[i < 8 ? i : 14 - i]);
}

static void box(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  const double t = 0.1 * (i + 1);
  const jet first = jet_sub(jet_exp(jet_scale(-t, x[0])), jet_exp(jet_scale(-t, x[1])));
  *r = jet_sub(first, jet_scale(exp(-t) - exp(-10 * t), x[2]));
}

static void powell_singular(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  if (i == 0) *r = jet_add(x[0], jet_scale(10, x[1]));
  if (i == 1) *r = jet_scale(sqrt(5), jet_sub(x[2], x[3]));
  if (i == 2) *r = jet_square(jet_sub(x[1], jet_scale(2, x[2])));
  if (i == 3) *r = jet_scale(sqrt(10), jet_square(jet_sub(x[0], x[3])));
}

static void wood(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  if (i == 0) *r = jet_scale(10, jet_sub(x[1], jet_square(x[0])));
  if (i == 1) *r = jet_sub(jet_of(1), x[0]);
  if (i == 2) *r = jet_scale(sqrt(90), jet_sub(x[3], jet_square(x[2])));
  if (i == 3) *r = jet_sub(jet_of(1), x[2]);
  if (i == 4) *r = jet_scale(sqrt(10), jet_shift(jet_add(x[1], x[3]), -2));
  if (i == 5) *r = jet_scale(1 / sqrt(10), jet_sub(x[1], x[3]));
}

static void kowalik_osborne(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  static const double y[] = {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246};
  static const double u[] = {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625};
  const jet over = jet_mul(x[0], jet_shift(jet_scale(u[i], x[1]), u[i] * u[i]));
  const jet under = jet_add(jet_shift(jet_scale(u[i], x[2]), u[i] * u[i]), x[3]);
  *r = jet_sub(jet_of(y[i]), jet_div(over, under));
}

static void brown_dennis(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  const double t = (i + 1) / 5.0;
  const jet one = jet_shift(jet_add(x[0], jet_scale(t, x[1])), -exp(t));
  const jet two = jet_shift(jet_add(x[2], jet_scale(sin(t), x[3])), -cos(t));
  *r = jet_add(jet_square(one), jet_square(two));
}

static void biggs(int n, const jet *x, int i, jet *r) {
  UNUSED(n, i);
  const double t = 0.1 * (i + 1), y = exp(-t) - 5 * exp(-10 * t) + 3 * exp(-4 * t);
  const jet one = jet_mul(x[2], jet_exp(jet_scale(-t, x[0]))), two = jet_mul(x[3], jet_exp(jet_scale(-t, x[1])));
  *r = jet_shift(jet_add(jet_sub(one, two), jet_mul(x[5], jet_exp(jet_scale(-t, x[4])))), -y);
}

static void watson(int n, const jet *x, int i, jet *r) {
  if (i == 29) *r = x[0];
  if (i == 30) *r = jet_shift(jet_sub(x[1], jet_square(x[0])), -1);
  if (i >= 29) return;
  const double t = (i + 1) / 29.0;
  double power = 1, before = 0;
  jet sum = jet_of(0), slope = jet_of(0);
  for (int j = 0; j < n; j++) {
    sum = jet_add(sum, jet_scale(power, x[j]));
    slope = jet_add(slope, jet_scale(j * before, x[j]));
    before = power;
    power *= t;
  }
  *r = jet_shift(jet_sub(slope, jet_square(sum)), -1);
}

static void penalty(int n, const jet *x, int i, jet *r) {
  *r = i < n ? jet_scale(sqrt(1e-5), jet_shift(x[i], -1)) : jet_of(-0.25);
  for (int j = 0; i == n && j < n; j++) *r = jet_add(*r, jet_square(x[j]));
}

static void variably_dimensioned(int n, const jet *x, int i, jet *r) {
  *r = i < n ? jet_shift(x[i], -1) : jet_of(0);
  for (int j = 0; i >= n && j < n; j++) *r = jet_add(*r, jet_scale(j + 1, jet_shift(x[j], -1)));
  if (i == n + 1) *r = jet_square(*r);
}

static void boundary_value(int n, const jet *x, int i, jet *r) {
  const double h = 1.0 / (n + 1), t = (i + 1) * h;
  const jet s = jet_shift(x[i], t + 1);
  *r = jet_add(jet_scale(2, x[i]), jet_scale(0.5 * h * h, jet_mul(s, jet_square(s))));
  if (i > 0) *r = jet_sub(*r, x[i - 1]);
  if (i + 1 < n) *r = jet_sub(*r, x[i + 1]);
}

static void broyden_tridiagonal(int n, const jet *x, int i, jet *r) {
  *r = jet_shift(jet_mul(jet_sub(jet_of(3), jet_scale(2, x[i])), x[i]), 1);
  if (i > 0) *r = jet_sub(*r, x[i - 1]);
  if (i + 1 < n) *r = jet_sub(*r, jet_scale(2, x[i + 1]));
}

const problem problems[] = {
    {"Rosenbrock", 1, 2, 2, rosenbrock, {-1.2, 1}, {0, 0}, 0},
    {"Freudenstein-Roth", 2, 2, 2, freudenstein_roth, {0.5, -2}, {0, 48.9842}, 0},
    {"Powell badly scaled", 3, 2, 2, powell_badly_scaled, {0, 1}, {0, 0}, 1},
    {"Brown badly scaled", 4, 2, 3, brown_badly_scaled, {1, 1}, {0, 0}, 1},
    {"Beale", 5, 2, 3, beale, {1, 1}, {0, 0}, 0},
    {"Jennrich-Sampson", 6, 2, 10, jennrich_sampson, {0.3, 0.4}, {124.362, 124.362}, 0},
    {"helical valley", 7, 3, 3, helical_valley, {-1, 0, 0}, {0, 0}, 0},
    {"Bard", 8, 3, 15, bard, {1, 1, 1}, {8.21487e-3, 8.21487e-3}, 0},
    {"Gaussian", 9, 3, 15, gaussian, {0.4, 1, 0}, {1.12793e-8, 1.12793e-8}, 0},
    {"Box", 12, 3, 10, box, {0, 10, 20}, {0, 0}, 0},
    {"Powell singular", 13, 4, 4, powell_singular, {3, -1, 0, 1}, {0, 0}, 0},
    {"Wood", 14, 4, 6, wood, {-3, -1, -3, -1}, {0, 0}, 0},
    {"Kowalik-Osborne", 15, 4, 11, kowalik_osborne, {0.25, 0.39, 0.415, 0.39}, {3.07505e-4, 3.07505e-4}, 0},
    {"Brown-Dennis", 16, 4, 20, brown_dennis, {25, 5, -5, -1}, {85822.2, 85822.2}, 0},
    {"Biggs", 18, 6, 13, biggs, {1, 2, 1, 1, 1, 1}, {0, 5.65565e-3}, 0},
    {"Watson", 20, 6, 31, watson, {0}, {2.28767e-3, 2.28767e-3}, 0},
    {"extended Rosenbrock", 21, 20, 20, rosenbrock, {0}, {0, 0}, 0},
    {"penalty I", 23, 10, 11, penalty, {0}, {7.08765e-5, 7.08765e-5}, 0},
    {"variably dimensioned", 25, 10, 12, variably_dimensioned, {0}, {0, 0}, 0},
    {"discrete boundary value", 28, 10, 10, boundary_value, {0}, {0, 0}, 0},
    {"Broyden tridiagonal", 30, 20, 20, broyden_tridiagonal, {0}, {0, 0}, 0},
};
const int problem_count = sizeof problems / sizeof *problems;

void problem_start(const problem *p, double *x) {
  memcpy(x, p->start, sizeof p->start);
  for (int i = 0; i < p->n; i++) {
    const double t = (i + 1.0) / (p->n + 1);
    if (p->number == 21) x[i] = i % 2 ? 1 : -1.2;
    if (p->number == 23) x[i] = i + 1;
    if (p->number == 25) x[i] = 1 - (i + 1.0) / p->n;
    if (p->number == 28) x[i] = t * (t - 1);
    if (p->number == 30) x[i] = -1;
  }
}

/* Sum of squares: its value, its derivative along `unit`, and its second derivative along p and `unit`. */
static jet sum_of_squares(const problem *p, const double *x, const double *direction, int unit) {
  jet y[PROBLEM_LARGEST], sum = jet_of(0), r = jet_of(0);
  for (int i = 0; i < p->n; i++) y[i] = (jet){x[i], direction ? direction[i] : 0, i == unit, 0};
  for (int i = 0; i < p->residuals; i++) {
    p->residual(p->n, y, i, &r);
    sum = jet_add(sum, jet_square(r));
  }
  return sum;
}

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  problem_run *run = user;
  const problem *p = run->problem;
  if (value) *value = sum_of_squares(p, x, NULL, -1).v;
  for (int i = 0; gradient && i < p->n; i++) gradient[i] = sum_of_squares(p, x, NULL, i).b;
  if (ask & DEM_OBJECTIVE_TANGENT) memcpy(run->at, x, (size_t)p->n * sizeof *x);
  return DEM_OK;
}

static dem_status apply(void *user, const double *direction, double *product) {
  const problem_run *run = user;
  for (int i = 0; i < run->problem->n; i++) product[i] = sum_of_squares(run->problem, run->at, direction, i).ab;
  return DEM_OK;
}

dem_objective_table problem_table(const problem *p) {
  dem_objective_table table;
  dem_objective_table_init(&table, sizeof table);
  table.contract = DEM_OBJECTIVE_CONTRACT;
  table.name = p->name;
  table.unknowns = p->n;
  table.evaluate = evaluate;
  table.apply = apply;
  return table;
}
