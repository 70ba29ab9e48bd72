/* The tangent of one bond: against differences of the response, under rigid motions, its symmetry and how it is lost, and rods and
 * cantilevers of bonds against closed forms. */
#include "assertions.h"

#include "bond_tangent.h"
#include "scenes/scenes.h"
#include "unit/bond_pair.h"
#include "vectors.h"

/* Velocity or spin number c of v_i, w_i, v_j, w_j. */
static double *rate_of(bond_pair *p, int c) {
  double *const of[4] = {p->velocity[0], p->spin[0], p->velocity[1], p->spin[1]};
  return of[c / 3] + c % 3;
}

static void loads_of(const bond_pair *p, double load[12]) {
  double across[3], turn[3], moment[3];
  const demi_bond_response r = bond_pair_response(p);
  demi_bond_moment(&r.state, &r.forces, moment);
  for (int a = 0; a < 3; a++) across[a] = r.state.force[a] + r.forces.drag[a];
  cross(r.forces.normal, across, turn);
  for (int a = 0; a < 3; a++) {
    load[a] = (r.forces.elastic + r.forces.damping) * r.forces.normal[a] + across[a];
    load[6 + a] = -load[a];
    load[3 + a] = -r.forces.arm[0] * turn[a] + moment[a];
    load[9 + a] = -r.forces.arm[1] * turn[a] - moment[a];
  }
}

static demi_bond_tangent tangent_of(const bond_pair *given) {
  bond_pair p = *given;
  demi_bond_response r;
  demi_bond_tangent t;
  const demi_bond_input in = bond_pair_input(&p, DEMI_BOND_FORCES);
  demi_bond_respond(&in, &r);
  demi_bond_find_tangent(&in, &r, &t);
  return t;
}

/* K of displacements u at places u and velocities u/dt. */
static void stiffness_of(const bond_pair *p, double k[12][12]) {
  const demi_bond_tangent t = tangent_of(p);
  for (int r = 0; r < 12; r++)
    for (int c = 0; c < 12; c++) k[r][c] = t.position[r][c] + t.rate[r][c] / p->dt;
}

/* A beam, or a spring, between the radii 2 and 6 in no special direction: unloaded, at rest, undamped, 5 % longer than its rest length. */
static bond_pair pair_of(int32_t model) {
  static const double span[3] = {2.1, -1.7, 2.6};
  bond_pair p = model == DEM_BOND_BEAM ? bond_pair_beam() : bond_pair_spring();
  p.type.normal_damping = p.type.tangential_damping = 0;
  memcpy(p.span, span, sizeof span);
  p.state.rest_length = sqrt(dot(span, span)) / 1.05;
  p.dt = 0.01;
  return p;
}

/* Shear force and moments, scaled. */
static void load_pair(bond_pair *p, double scale) {
  static const double across[3] = {0.3, 0.5, -0.2}, bent[3] = {-0.1, 0.4, 0.2};
  const double square = dot(p->span, p->span);
  for (int a = 0; a < 3; a++) {
    p->state.force[a] = scale * (across[a] - dot(across, p->span) / square * p->span[a]);
    p->state.bending[a] = scale * (bent[a] - dot(bent, p->span) / square * p->span[a]);
  }
  p->state.twisting = 0.25 * scale;
}

static void damp_pair(bond_pair *p) {
  p->type.normal_damping = 2;
  p->type.tangential_damping = 3;
}

static void move_pair(bond_pair *p, double speed, uint64_t seed) {
  dice d = {seed};
  for (int k = 0; k < 12; k++) *rate_of(p, k) = speed * dice_uniform(&d, -1, 1);
}

static double largest_of(double k[12][12]) {
  double largest = 0;
  for (int n = 0; n < 144; n++) largest = fmax(largest, fabs(k[n / 12][n % 12]));
  return largest;
}

/* ---- differences ---- */

static void shifted(const bond_pair *given, int rate, int coordinate, double by, double load[12]) {
  bond_pair p = *given;
  if (rate) *rate_of(&p, coordinate) += by;
  if (!rate && coordinate < 3) p.span[coordinate] += by;
  if (!rate && coordinate / 3 == 2) p.span[coordinate % 3] -= by;
  loads_of(&p, load);
}

/* (4 D(h/2) - D(h))/3 of central differences D, whose error is of the order h^4; relative 1e-10 at h = 1e-3. */
static void compare_with_differences(const bond_pair *p) {
  demi_bond_tangent t = tangent_of(p);
  for (int rate = 0; rate < 2; rate++) {
    double(*claimed)[12] = rate ? t.rate : t.position;
    const double size = largest_of(claimed);
    for (int c = 0; c < 12; c++) {
      double slope[2][12];
      for (int k = 0; k < 2; k++) {
        const double h = 1e-3 / (1 << k);
        double up[12], down[12];
        shifted(p, rate, c, h, up);
        shifted(p, rate, c, -h, down);
        for (int r = 0; r < 12; r++) slope[k][r] = (up[r] - down[r]) / (2 * h);
      }
      for (int r = 0; r < 12; r++) ASSERT_ABS(-(4 * slope[1][r] - slope[0][r]) / 3, claimed[r][c], 1e-9 * size);
    }
  }
}

static void tangents_are_differences(void **state) {
  (void)state;
  for (int k = 0; k < 64; k++) {
    bond_pair p = pair_of(k & 1 ? DEM_BOND_HARMONIC : DEM_BOND_BEAM);
    if (k & 2) move_pair(&p, 0.7, (uint64_t)k);
    if (k & 4) damp_pair(&p);
    if (k & 8) p.kept = 0.6;
    if (k & 16) p.dt = 0;
    if ((k & 32) && !(k & 1)) load_pair(&p, 1);
    compare_with_differences(&p);
  }
}

/* A frame turned so far in one step that carried vectors are stretched and turned well beyond first order. */
static void tangents_hold_after_large_motion(void **state) {
  (void)state;
  bond_pair p = pair_of(DEM_BOND_BEAM);
  load_pair(&p, 3);
  damp_pair(&p);
  move_pair(&p, 40, 5);
  p.span[0] += 1;
  p.kept = 0.9;
  compare_with_differences(&p);
}

/* ---- rigid motions ---- */

static void apply(double k[12][12], const double u[12], double out[12]) {
  for (int r = 0; r < 12; r++) {
    out[r] = 0;
    for (int c = 0; c < 12; c++) out[r] += k[r][c] * u[c];
  }
}

static void translations_give_nothing(void **state) {
  (void)state;
  bond_pair p = pair_of(DEM_BOND_BEAM);
  load_pair(&p, 1);
  damp_pair(&p);
  move_pair(&p, 0.7, 3);
  demi_bond_tangent t = tangent_of(&p);
  for (int a = 0; a < 3; a++)
    for (int r = 0; r < 12; r++) {
      assert_true(t.position[r][a] + t.position[r][6 + a] == 0);
      assert_true(t.rate[r][a] + t.rate[r][6 + a] == 0);
    }
}

/* Turned by a small w about any point, the loads of a bond at rest turn with it: -K u = w x load. Unstressed, they are 0. */
static void rotations_turn_the_loads(void **state) {
  (void)state;
  static const double turn[3] = {0.3, -0.8, 0.5}, about[3] = {4, -2, 1};
  for (int loaded = 0; loaded < 3; loaded++) {
    bond_pair p = pair_of(DEM_BOND_BEAM);
    if (loaded == 0) p.state.rest_length = sqrt(dot(p.span, p.span));
    if (loaded == 2) load_pair(&p, 1);
    double k[12][12], u[12], found[12], load[12], expected[3], arm[3];
    stiffness_of(&p, k);
    for (int end = 0; end < 2; end++) {
      for (int a = 0; a < 3; a++) arm[a] = (end ? 0 : p.span[a]) - about[a];
      cross(turn, arm, u + 6 * end);
      memcpy(u + 3 + 6 * end, turn, sizeof turn);
    }
    apply(k, u, found);
    loads_of(&p, load);
    for (int block = 0; block < 4; block++) {
      cross(turn, load + 3 * block, expected);
      for (int a = 0; a < 3; a++) ASSERT_ABS(-found[3 * block + a], loaded ? expected[a] : 0, 1e-14 * largest_of(k));
    }
  }
}

/* ---- symmetry ---- */

/* |K - K^T| in units of force per length, rotations times |r|. */
static double asymmetry_of(const bond_pair *p, double *size) {
  const double length = sqrt(dot(p->span, p->span));
  double k[12][12], largest = 0;
  stiffness_of(p, k);
  *size = 0;
  for (int r = 0; r < 12; r++)
    for (int c = 0; c < 12; c++) {
      const double unit = (r / 3 % 2 ? length : 1) * (c / 3 % 2 ? length : 1);
      largest = fmax(largest, fabs(k[r][c] - k[c][r]) / unit);
      *size = fmax(*size, fabs(k[r][c]) / unit);
    }
  return largest;
}

static void stretched_bonds_are_symmetric(void **state) {
  (void)state;
  double size;
  for (int model = DEM_BOND_BEAM; model <= DEM_BOND_HARMONIC; model++)
    for (int compressed = 0; compressed < 2; compressed++) {
      bond_pair p = pair_of(model);
      if (compressed) p.state.rest_length *= 1.3;
      const double asymmetry = asymmetry_of(&p, &size);
      ASSERT_BELOW(asymmetry, 1e-14 * size);
    }
  /* the prestress is in: without it a bond under compression resists a sideways motion by its shear spring alone */
  bond_pair p = pair_of(DEM_BOND_HARMONIC);
  p.span[0] = 4, p.span[1] = p.span[2] = 0, p.state.rest_length = 5;
  double k[12][12];
  stiffness_of(&p, k);
  ASSERT_REL(k[0][0], 7, 1e-14);
  ASSERT_REL(k[1][1], -7.0 / 4, 1e-14); /* -f/L with f = 7 (5 - 4) */
}

/* |f| + |M|/|r| + |T|/|r| over |r|. */
static double held_by(const bond_pair *p) {
  const double length = sqrt(dot(p->span, p->span));
  const double moments = sqrt(dot(p->state.bending, p->state.bending)) + fabs(p->state.twisting);
  return (sqrt(dot(p->state.force, p->state.force)) + moments / length) / length;
}

/* Shear force and moments leave an antisymmetric part of first order in them, so do those that the step itself makes. */
static void asymmetry_is_of_first_order_in_shear_and_moments(void **state) {
  (void)state;
  double before[2] = {0, 0}, size;
  for (int n = 0; n < 6; n++) {
    const double scale = ldexp(1, -2 * n);
    bond_pair loaded = pair_of(DEM_BOND_BEAM), moved = loaded;
    load_pair(&loaded, scale);
    move_pair(&moved, scale, 9);
    const double found[2] = {asymmetry_of(&loaded, &size), asymmetry_of(&moved, &size)};
    print_message("# scale %g: asymmetry %.3e, %.3f of the forces held; of a moved bond %.3e; size %.3g\n", scale, found[0],
                  found[0] / held_by(&loaded), found[1], size);
    for (int k = 0; k < 2; k++) {
      if (n > 2) ASSERT_REL(before[k] / found[k], 4, 0.02);
      before[k] = found[k];
    }
  }
}

/* Whatever is held: at most the forces held over the length. */
static void asymmetry_is_bounded_by_the_forces_held(void **state) {
  (void)state;
  double worst = 0, size;
  dice d = {17};
  for (int n = 0; n < 2000; n++) {
    bond_pair p = pair_of(DEM_BOND_BEAM);
    for (int a = 0; a < 3; a++) {
      p.state.force[a] = n % 4 == 1 ? 0 : dice_uniform(&d, -1, 1);
      p.state.bending[a] = n % 4 == 2 ? 0 : 4 * dice_uniform(&d, -1, 1);
    }
    p.state.twisting = n % 4 == 3 ? 0 : 4 * dice_uniform(&d, -1, 1);
    const double square = dot(p.span, p.span), f = dot(p.state.force, p.span), m = dot(p.state.bending, p.span);
    for (int a = 0; a < 3; a++) {
      p.state.force[a] -= f / square * p.span[a];
      p.state.bending[a] -= m / square * p.span[a];
    }
    p.radius[0] = dice_uniform(&d, 1, 8);
    worst = fmax(worst, asymmetry_of(&p, &size) / held_by(&p));
  }
  print_message("# largest asymmetry: %.3f of the forces held over the length\n", worst);
  ASSERT_BELOW(worst, 1);
}

/* ---- closed forms: chains of bonds of length 1/N, along x, their far end held ---- */

enum { CHAIN = 16, FREE = 6 * CHAIN };

/* Solves K u = f by elimination; K is positive definite. */
static void solve(int n, double k[FREE][FREE], double *u) {
  for (int p = 0; p < n; p++)
    for (int r = p + 1; r < n; r++) {
      const double factor = k[r][p] / k[p][p];
      for (int c = p; c < n; c++) k[r][c] -= factor * k[p][c];
      u[r] -= factor * u[p];
    }
  for (int r = n - 1; r >= 0; r--) {
    for (int c = r + 1; c < n; c++) u[r] -= k[r][c] * u[c];
    u[r] /= k[r][r];
  }
}

/* A chain of equal bonds of length 1/count between equal spheres: E I = k_b I l per bond. Node 0 is the free end; `load` on it. */
static bond_pair link_of(int count) {
  bond_pair p = pair_of(DEM_BOND_BEAM);
  const double l = 1.0 / count;
  p.radius[0] = p.radius[1] = 0.4;
  p.type.radius_factor = 0.5;
  p.type.normal_stiffness = 10 / l;
  p.type.tangential_stiffness = 6 / l;
  p.type.bending_stiffness = 40 / l;
  p.type.twisting_stiffness = 30 / l;
  p.span[0] = p.state.rest_length = l;
  p.span[1] = p.span[2] = 0;
  p.dt = 1;
  return p;
}

static void bend_chain(int count, int direction, double u[FREE]) {
  static double k[FREE][FREE];
  const bond_pair p = link_of(count);
  double one[12][12];
  stiffness_of(&p, one);
  memset(k, 0, sizeof k);
  memset(u, 0, FREE * sizeof *u);
  for (int b = 0; b < count; b++)
    for (int r = 0; r < 12; r++)
      for (int c = 0; c < 12; c++)
        if (6 * b + r < 6 * count && 6 * b + c < 6 * count) k[6 * b + r][6 * b + c] += one[r][c];
  u[direction] = 1;
  solve(6 * count, k, u);
}

/* Rod: 1/(E A). Shaft: 1/(G J). Cantilever: hinges k_b = E I/l at the middle of each bond, shear springs: sum of (x_k^2/k_b + 1/k_t)
 * over the bonds, x_k = (k - 1/2) l from the free end, which is 1/(3 E I) (1 - 1/(4 N^2)) + 1/(G A). */
static void chains_are_rods_and_cantilevers(void **state) {
  (void)state;
  const bond_pair p = link_of(1);
  const demi_bond_springs s = demi_bond_springs_of(&p.type, p.radius[0], p.radius[1]);
  for (int n = 1; n <= CHAIN; n *= 2) {
    double u[FREE];
    bend_chain(n, 0, u);
    ASSERT_REL(u[0], 1 / s.normal, 1e-12);
    bend_chain(n, 3, u);
    ASSERT_REL(u[3], 1 / s.twisting, 1e-12);
    for (int across = 1; across < 3; across++) {
      bend_chain(n, across, u);
      ASSERT_REL(u[across], (1 - 0.25 / (n * n)) / (3 * s.bending) + 1 / s.tangential, 1e-11);
      ASSERT_REL(fabs(u[across == 1 ? 5 : 4]), 0.5 / s.bending, 1e-11); /* slope at the end: l^2/(2 E I) */
    }
  }
}

/* ---- purity ---- */

static void tangents_write_nothing_else(void **state) {
  (void)state;
  bond_pair p = pair_of(DEM_BOND_BEAM);
  load_pair(&p, 1);
  move_pair(&p, 0.7, 3);
  const demi_bond_input in = bond_pair_input(&p, DEMI_BOND_FORCES);
  demi_bond_response r, kept;
  demi_bond_tangent first, second;
  unsigned char before[sizeof p];
  memset(&r, 0, sizeof r);
  demi_bond_respond(&in, &r);
  memcpy(before, &p, sizeof p);
  memcpy(&kept, &r, sizeof r);
  demi_bond_find_tangent(&in, &r, &first);
  demi_bond_find_tangent(&in, &r, &second);
  ASSERT_BITS(&first, &second, sizeof first);
  ASSERT_BITS(&p, before, sizeof p);
  ASSERT_BITS(&r, &kept, sizeof r);
}

/* An evaluation that is thrown away tells that the bond would break, and leaves it whole. */
static void a_trial_tells_that_it_would_break(void **state) {
  (void)state;
  bond_pair p = pair_of(DEM_BOND_BEAM), far = p;
  p.type.break_strain = far.type.break_strain = 0.1;
  for (int a = 0; a < 3; a++) far.span[a] *= 1.1;
  const demi_bond_state before = p.state;
  const demi_bond_input here = bond_pair_input(&p, DEMI_BOND_FORCES), there = bond_pair_input(&far, DEMI_BOND_FORCES);
  demi_bond_response r;
  demi_bond_respond(&there, &r);
  assert_int_equal(r.reason, DEM_BREAK_STRAIN);
  ASSERT_BITS(&far.state, &before, sizeof before);
  demi_bond_respond(&here, &r);
  assert_int_equal(r.reason, 0);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangents_are_differences),
      cmocka_unit_test(tangents_hold_after_large_motion),
      cmocka_unit_test(translations_give_nothing),
      cmocka_unit_test(rotations_turn_the_loads),
      cmocka_unit_test(stretched_bonds_are_symmetric),
      cmocka_unit_test(asymmetry_is_of_first_order_in_shear_and_moments),
      cmocka_unit_test(asymmetry_is_bounded_by_the_forces_held),
      cmocka_unit_test(chains_are_rods_and_cantilevers),
      cmocka_unit_test(tangents_write_nothing_else),
      cmocka_unit_test(a_trial_tells_that_it_would_break),
  };
  return cmocka_run_group_tests_name("bond_tangent", tests, NULL, NULL);
}
