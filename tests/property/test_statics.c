/* Stress against closed forms and identities:
 *
 *   lattice          nearest neighbours s apart, overlap d = 1 - s, Hooke of stiffness k; isotropic pressure
 *                    simple cubic k d/s^2,  face-centred 2 sqrt(2) k d/s^2,  hexagonal in the plane sqrt(3) k d/s
 *   virial           elastic laws: dE/de_aa = -V sigma_aa of a periodic box that is stretched along a with its particles;
 *                    of an open cluster that is deformed, x_a += g x_b: dE/dg = -V sigma_ba
 *   walls            V sigma = sum_i x_i (x) F_i - sum_walls x_c (x) f_c for any state, and at rest sigma_aa = wall force / area
 *   turned cluster   sigma' = R sigma R^t
 *   partitions       sum of V_k sigma_k over regions, or of V_i sigma_i over particles = V sigma
 *   kinetic part     1/V sum m c c, with a mean flow that is known */
#include "assertions.h"

#include "packings.h"

static void lattices_have_their_stress(void **state) {
  (void)state;
  for (int kind = SIMPLE_CUBIC; kind <= HEXAGONAL; kind++)
    for (double d = 1e-6; d < 0.02; d *= 10) {
      const double s = 1 - d, k = 1e5;
      const double expected[] = {k * d / (s * s), 2 * sqrt(2.0) * k * d / (s * s), sqrt(3.0) * k * d / s};
      packing w = lattice_open(kind, s, 4, k, 1);
      const dem_statics t = statics_of(&w, NULL);
      const int dimension = kind == HEXAGONAL ? 2 : 3;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) ASSERT_ABS(t.stress[3 * a + b], a == b && a < dimension ? expected[kind] : 0, 1e-13 * k);
      ASSERT_REL(t.pressure, expected[kind], 1e-13 / d);
      ASSERT_ABS(t.deviator, 0, 1e-12 * k);
      ASSERT_BITS(t.stress, t.stress_of_section[DEM_SECTION_PAIR], sizeof t.stress);
      assert_int_equal(t.dimension, dimension);
      packing_close(&w);
    }
}

/* ---- virial ---- */

static double energy_of(packing *w) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e.potential_normal[0] + e.potential_normal[1];
}

static dem_law_options elastic(int hertz) {
  dem_law_options l = packing_spring(1e4);
  if (!hertz) return l;
  dem_law_options_init(&l, sizeof l);
  l.normal = DEM_NORMAL_HERTZ;
  l.tangential = DEM_TANGENTIAL_NONE;
  return l;
}

/* A copy of w with positions F x, in a box of the diagonal of F. */
static double deformed_energy(const packing *w, int dimension, int periodic, double side, const double f[9],
                              const dem_law_options *law) {
  dem_system_options o = packing_options(dimension);
  const int64_t count = particle_count(w);
  double *x = field_of(w, DEM_POSITION, 3), *radius = field_of(w, DEM_RADIUS, 1), *density = field_of(w, DEM_DENSITY, 1);
  for (int a = 0; a < dimension; a++) {
    o.periodic[a] = periodic;
    o.box_high[a] = side * f[4 * a];
  }
  packing v = packing_open(&o, law);
  for (int64_t k = 0; k < count; k++) {
    double y[3];
    for (int a = 0; a < 3; a++) y[a] = f[3 * a] * x[3 * k] + f[3 * a + 1] * x[3 * k + 1] + f[3 * a + 2] * x[3 * k + 2];
    memcpy(x + 3 * k, y, sizeof y);
  }
  dem_particles p = {.struct_size = sizeof p, .count = count, .position = x, .radius = radius, .density = density};
  ASSERT_OK(v.system, dem_system_add_particles(v.system, &p, NULL));
  const double e = energy_of(&v);
  packing_close(&v);
  free(x);
  free(radius);
  free(density);
  return e;
}

static void check_virial(int dimension, int periodic, int hertz) {
  const int side = dimension == 3 ? 5 : 8;
  const double spacing = 0.75, step = 1e-5;
  const dem_law_options law = elastic(hertz);
  packing w = crowd_open(dimension, side, spacing, periodic, &law, 0);
  dem_statics_options o = statics_options();
  o.volume = periodic ? 0 : 17;
  const dem_statics t = statics_of(&w, &o);
  assert_true(t.contacts > 60);
  for (int a = 0; a < dimension; a++)
    for (int b = 0; b < dimension; b++) {
      double e[2];
      if (periodic && a != b) continue;
      for (int k = 0; k < 2; k++) {
        double f[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        f[3 * a + b] += (k ? 1 : -1) * step;
        e[k] = deformed_energy(&w, dimension, periodic, spacing * side, f, &law);
      }
      ASSERT_ABS((e[1] - e[0]) / (2 * step), -t.volume * t.stress[3 * b + a], 2e-6 * t.volume * t.pressure);
    }
  packing_close(&w);
}

static void virial_theorem(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int periodic = 0; periodic < 2; periodic++)
      for (int hertz = 0; hertz < 2; hertz++) check_virial(dimension, periodic, hertz);
}

/* ---- walls ---- */

enum { SIDES = 6 };

static void add_walls(packing *w, const double low, const double high, int32_t wall[SIDES]) {
  for (int k = 0; k < SIDES; k++) {
    dem_wall plane;
    dem_wall_init(&plane, sizeof plane);
    for (int a = 0; a < 3; a++) plane.position[a] = k % 2 ? high : low;
    plane.axis[k / 2] = k % 2 ? -1 : 1;
    plane.material = 1;
    ASSERT_OK(w->system, dem_system_add_wall(w->system, &plane, &wall[k]));
  }
}

static packing walled_open(const dem_law_options *law, const dem_law_options *of_walls, double speed, int32_t wall[SIDES]) {
  const dem_system_options o = packing_options(3);
  packing w = packing_open(&o, law);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  ASSERT_OK(w.system, scene_set_law(w.context, w.system, 0, 1, of_walls));
  crowd_put(&w, 3, 5, 0.75, 99, speed);
  add_walls(&w, 0.05, 3.7, wall);
  return w;
}

static dem_law_options rough(void) {
  dem_law_options l;
  scene_hooke(&l);
  return l;
}

static void walls_balance_the_stress_in_any_state(void **state) {
  (void)state;
  int32_t wall[SIDES];
  const dem_law_options law = rough();
  packing w = walled_open(&law, &law, 3, wall);
  ASSERT_OK(w.system, dem_system_step(w.system, 200));
  dem_statics_options o = statics_options();
  o.volume = pow(3.65, 3);
  const dem_statics t = statics_of(&w, &o);
  int64_t count;
  double *x = field_of(&w, DEM_POSITION, 3), *f = field_of(&w, DEM_FORCE, 3), sum[9] = {0};
  dem_contact *c = contacts_of(&w, &count);
  for (int64_t k = 0; k < particle_count(&w); k++)
    for (int a = 0; a < 9; a++) sum[a] += x[3 * k + a / 3] * f[3 * k + a % 3] / o.volume;
  for (int64_t k = 0; k < count; k++)
    for (int a = 0; a < 9 && c[k].wall >= 0; a++) sum[a] -= c[k].point[a / 3] * c[k].force[a % 3] / o.volume;
  assert_true(fabs(t.stress[1] - t.stress[3]) > 1e-6 * t.pressure); /* moments are not balanced while they turn */
  ASSERT_TENSOR(t.stress, sum, 1e-12);
  free(c);
  free(x);
  free(f);
  packing_close(&w);
}

/* Smooth walls: on rough ones friction carries a part of the force from wall to wall. */
static void walls_at_rest_feel_the_stress(void **state) {
  (void)state;
  int32_t wall[SIDES];
  dem_law_options law = rough();
  law.damping = DEM_DAMPING_RATE;
  law.normal_damping = 200;
  const dem_law_options smooth = packing_spring(1e5);
  packing w = walled_open(&law, &smooth, 0, wall);
  ASSERT_OK(w.system, dem_system_set_dt(w.system, 2e-4));
  ASSERT_OK(w.system, dem_system_step(w.system, 60000));
  dem_statics_options o = statics_options();
  o.volume = pow(3.65, 3);
  const dem_statics t = statics_of(&w, &o);
  for (int k = 0; k < SIDES; k++) {
    double force[3];
    ASSERT_OK(w.system, scene_wall_force(w.system, wall[k], force));
    ASSERT_REL(fabs(force[k / 2]) / (3.65 * 3.65), t.stress[4 * (k / 2)], 1e-9);
  }
  for (int a = 0; a < 3; a++) ASSERT_ABS(t.stress[3 * a + (a + 1) % 3], t.stress[3 * ((a + 1) % 3) + a], 1e-9 * t.pressure);
  packing_close(&w);
}

/* ---- turned ---- */

static void turn(const double r[3][3], double *vectors, int64_t count) {
  for (int64_t k = 0; k < count; k++) {
    double y[3];
    for (int a = 0; a < 3; a++) y[a] = r[a][0] * vectors[3 * k] + r[a][1] * vectors[3 * k + 1] + r[a][2] * vectors[3 * k + 2];
    memcpy(vectors + 3 * k, y, sizeof y);
  }
}

static void stress_turns_with_the_cluster(void **state) {
  (void)state;
  const double r[3][3] = {{2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}};
  const dem_law_options law = rough();
  packing w = crowd_open(3, 4, 0.75, 0, &law, 2), v = crowd_open(3, 4, 0.75, 0, &law, 2);
  const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN};
  for (int k = 0; k < 3; k++) {
    double *vectors = field_of(&v, fields[k], 3);
    turn(r, vectors, particle_count(&v));
    ASSERT_OK(v.system, dem_system_set_field(v.system, fields[k], particle_count(&v), NULL, vectors, 0));
    free(vectors);
  }
  dem_statics_options o = statics_options();
  o.volume = 10;
  o.kinetic = DEM_KINETIC_FULL;
  const dem_statics a = statics_of(&w, &o), b = statics_of(&v, &o);
  const double *from[] = {a.stress, a.stress_kinetic, a.fabric, a.fabric_volume};
  const double *to[] = {b.stress, b.stress_kinetic, b.fabric, b.fabric_volume};
  for (int k = 0; k < 4; k++) {
    double turned[9] = {0};
    for (int n = 0; n < 81; n++)
      turned[3 * (n % 3) + n / 3 % 3] += r[n % 3][n / 9 % 3] * r[n / 3 % 3][n / 27] * from[k][3 * (n / 9 % 3) + n / 27];
    ASSERT_TENSOR(to[k], turned, 1e-12);
  }
  ASSERT_REL(a.deviator, b.deviator, 1e-11);
  ASSERT_REL(a.coordination, b.coordination, 1e-15);
  packing_close(&w);
  packing_close(&v);
}

/* ---- partitions ---- */

static void add_scaled(const double t[9], double factor, double sum[9]) {
  for (int a = 0; a < 9; a++) sum[a] += factor * t[a];
}

/* Eight boxes, shifted so that they reach across the boundary; ids with weights; single particles. */
static void parts_add_up(void **state) {
  (void)state;
  const double side = 0.75 * 6, cut = 0.37 * side, shift = 0.21 * side;
  const dem_law_options law = rough();
  packing w = crowd_open(3, 6, 0.75, 1, &law, 2);
  ASSERT_OK(w.system, dem_system_step(w.system, 100));
  for (int32_t split = DEM_SPLIT_POINT; split <= DEM_SPLIT_HALF; split++) {
    dem_statics_options o = statics_options();
    o.split = split;
    o.kinetic = DEM_KINETIC_FULL;
    const dem_statics whole = statics_of(&w, &o);
    double stress[9] = {0}, kinetic[9] = {0}, contacts = 0, solid = 0;
    int64_t particles = 0;
    o.region = DEM_REGION_BOX;
    for (int k = 0; k < 8; k++) {
      for (int a = 0; a < 3; a++) {
        o.low[a] = shift + (k >> a & 1 ? cut : 0);
        o.high[a] = shift + (k >> a & 1 ? side : cut);
      }
      const dem_statics t = statics_of(&w, &o);
      ASSERT_REL(t.volume, (o.high[0] - o.low[0]) * (o.high[1] - o.low[1]) * (o.high[2] - o.low[2]), 1e-14);
      add_scaled(t.stress, t.volume / whole.volume, stress);
      add_scaled(t.stress_kinetic, t.volume / whole.volume, kinetic);
      contacts += t.contacts;
      particles += t.particles;
      solid += t.packing_fraction * t.volume / whole.volume;
    }
    ASSERT_TENSOR(stress, whole.stress, 1e-13);
    ASSERT_TENSOR(kinetic, whole.stress_kinetic, 1e-13);
    ASSERT_REL(contacts, whole.contacts, 1e-14);
    ASSERT_REL(solid, whole.packing_fraction, 1e-14);
    assert_int_equal(particles, 216);
  }
  packing_close(&w);
}

static void particles_add_up(void **state) {
  (void)state;
  const dem_law_options law = rough();
  for (int dimension = 2; dimension <= 3; dimension++) {
    packing w = crowd_open(dimension, 6, 0.75, 1, &law, 2);
    ASSERT_OK(w.system, dem_system_step(w.system, 100));
    const int64_t count = particle_count(&w);
    dem_statics_options o = statics_options();
    o.kinetic = DEM_KINETIC_PECULIAR;
    const dem_statics whole = statics_of(&w, &o);
    double *radius = field_of(&w, DEM_RADIUS, 1), *values = malloc((size_t)count * 11 * sizeof *values), sum[9] = {0}, both[9];
    double *volume = malloc((size_t)count * sizeof *volume);
    for (int64_t k = 0; k < count; k++) volume[k] = 1.0 + (double)k;
    ASSERT_OK(w.system, dem_system_particle_stress(w.system, &o, count, NULL, volume, values, 11));
    for (int64_t k = 0; k < count; k++) add_scaled(values + 11 * k, volume[k] / whole.volume, sum);
    for (int a = 0; a < 9; a++) both[a] = whole.stress[a] + whole.stress_kinetic[a];
    ASSERT_TENSOR(sum, both, 1e-13);
    double *field = field_of(&w, DEM_STRESS, 9);
    memset(sum, 0, sizeof sum);
    for (int64_t k = 0; k < count; k++) {
      const double r = radius[k], own = 3.14159265358979323846 * (dimension == 2 ? r * r : 4.0 / 3.0 * r * r * r);
      add_scaled(field + 9 * k, own / whole.volume, sum);
    }
    ASSERT_TENSOR(sum, whole.stress, 1e-13);
    free(field);
    free(radius);
    free(volume);
    free(values);
    packing_close(&w);
  }
}

/* A particle alone is its own region, and a list with weights is the weighted sum. */
static void lists_have_weights(void **state) {
  (void)state;
  const dem_law_options law = rough();
  packing w = crowd_open(3, 4, 0.75, 0, &law, 2);
  dem_id ids[64];
  double weights[64], sum[9] = {0}, values[64 * 9];
  dem_statics_options o = statics_options();
  ASSERT_OK(w.system, dem_system_ids(w.system, 64, ids));
  ASSERT_OK(w.system, dem_system_particle_stress(w.system, NULL, 64, ids, NULL, values, 0));
  double *radius = field_of(&w, DEM_RADIUS, 1);
  o.region = DEM_REGION_PARTICLES;
  o.volume = 2;
  o.ids = ids + 10;
  o.count = 20;
  o.weights = weights + 10;
  for (int k = 0; k < 64; k++) {
    const double own = 4.0 / 3.0 * 3.14159265358979323846 * pow(radius[k], 3);
    weights[k] = k % 7 * 0.5;
    if (k >= 10 && k < 30) add_scaled(values + 9 * k, weights[k] * own / o.volume, sum);
  }
  const dem_statics t = statics_of(&w, &o);
  ASSERT_TENSOR(t.stress, sum, 1e-13);
  assert_int_equal(t.particles, 17); /* of 10 ... 29 three are multiples of 7 */
  free(radius);
  packing_close(&w);
}

/* A sphere across the corner of the periodic box, by brute force over images. */
static void spheres_reach_across_the_boundary(void **state) {
  (void)state;
  const double side = 0.75 * 6;
  const dem_law_options law = rough();
  for (int dimension = 2; dimension <= 3; dimension++) {
    packing w = crowd_open(dimension, 6, 0.75, 1, &law, 0);
    dem_statics_options o = statics_options();
    o.region = DEM_REGION_SPHERE;
    o.radius = 1.4;
    for (int a = 0; a < dimension; a++) o.centre[a] = 0.1 * a - 0.3;
    double *x = field_of(&w, DEM_POSITION, 3);
    int64_t inside = 0;
    for (int64_t k = 0; k < particle_count(&w); k++)
      for (int n = 0; n < (dimension == 3 ? 27 : 9); n++) {
        double square = 0;
        const int turns[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        for (int a = 0; a < dimension; a++) square += pow(x[3 * k + a] + side * turns[a] - o.centre[a], 2);
        inside += square < o.radius * o.radius;
      }
    const dem_statics t = statics_of(&w, &o);
    assert_int_equal(t.particles, inside);
    ASSERT_REL(t.volume, 3.14159265358979323846 * (dimension == 2 ? 1.96 : 4.0 / 3.0 * 1.4 * 1.96), 1e-14);
    free(x);
    packing_close(&w);
  }
}

/* ---- kinetic part ---- */

/* v = U + G x plus or minus c along each axis, by turns: what is left of it is m c_a^2 per particle. */
static void kinetic_part_of_a_known_flow(void **state) {
  (void)state;
  const double u[3] = {3, -2, 1}, c[3] = {0.5, 0.25, 0.125}, g[9] = {0.1, 0.7, 0, -0.2, 0.3, 0.4, 0, 0.6, -0.5};
  packing w = lattice_open(SIMPLE_CUBIC, 1.01, 4, 1, 1);
  const int64_t count = particle_count(&w);
  double *x = field_of(&w, DEM_POSITION, 3), *v = malloc((size_t)count * 3 * sizeof *v), full[9] = {0};
  for (int64_t k = 0; k < count; k++)
    for (int a = 0; a < 3; a++) {
      const int cell[3] = {(int)(k % 4), (int)(k / 4 % 4), (int)(k / 16)};
      v[3 * k + a] = u[a] + c[a] * (cell[a] % 2 ? 1 : -1);
      for (int b = 0; b < 3; b++) v[3 * k + a] += g[3 * a + b] * x[3 * k + b];
    }
  for (int64_t k = 0; k < count; k++)
    for (int a = 0; a < 9; a++) full[a] += v[3 * k + a / 3] * v[3 * k + a % 3]; /* mass 1 */
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_VELOCITY, count, NULL, v, 0));
  dem_statics_options o = statics_options();
  dem_statics t = statics_of(&w, &o);
  for (int a = 0; a < 9; a++) assert_true(t.stress_kinetic[a] == 0);
  o.kinetic = DEM_KINETIC_FULL;
  t = statics_of(&w, &o);
  for (int a = 0; a < 9; a++) full[a] /= t.volume;
  ASSERT_TENSOR(t.stress_kinetic, full, 1e-13);
  assert_true(t.pressure == 0);
  o.kinetic = DEM_KINETIC_PECULIAR;
  memcpy(o.gradient, g, sizeof g);
  t = statics_of(&w, &o);
  /* as many plus as minus along each axis: U is u, and the products of two axes cancel */
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) ASSERT_ABS(t.stress_kinetic[3 * a + b], a == b ? 64 * c[a] * c[a] / t.volume : 0, 1e-12);
  free(x);
  free(v);
  packing_close(&w);
}

/* Maxwell's distribution of temperature T = m <c_x^2>: p V = N T within the error of the mean, sqrt(2/(3 N)). */
static void ideal_gas(void **state) {
  (void)state;
  enum { GAS = 20 };
  packing w = lattice_open(SIMPLE_CUBIC, 1.01, GAS, 1, 1);
  const int64_t count = particle_count(&w);
  double *v = malloc((size_t)count * 3 * sizeof *v);
  dice d = {8};
  for (int64_t k = 0; k < 3 * count; k++)
    v[k] = 5 + 2 * sqrt(-2 * log(1 - dice_uniform(&d, 0, 1))) * cos(6.283185307179586 * dice_uniform(&d, 0, 1));
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_VELOCITY, count, NULL, v, 0));
  dem_statics_options o = statics_options();
  o.kinetic = DEM_KINETIC_PECULIAR;
  const dem_statics t = statics_of(&w, &o);
  dem_principal p;
  dem_principal_init(&p, sizeof p);
  assert_int_equal(dem_tensor_principal(t.stress_kinetic, 3, &p), DEM_OK);
  ASSERT_REL(p.mean * t.volume, (double)count * 4, 4 * sqrt(2.0 / 3.0 / (double)count));
  ASSERT_BELOW(p.deviator / p.mean, 8 / sqrt((double)count));
  for (int a = 0; a < 3; a++) ASSERT_ABS(t.mean_velocity[a], 5, 4 * 2 / sqrt((double)count));
  free(v);
  packing_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattices_have_their_stress),
      cmocka_unit_test(virial_theorem),
      cmocka_unit_test(walls_balance_the_stress_in_any_state),
      cmocka_unit_test(walls_at_rest_feel_the_stress),
      cmocka_unit_test(stress_turns_with_the_cluster),
      cmocka_unit_test(parts_add_up),
      cmocka_unit_test(particles_add_up),
      cmocka_unit_test(lists_have_weights),
      cmocka_unit_test(spheres_reach_across_the_boundary),
      cmocka_unit_test(kinetic_part_of_a_known_flow),
      cmocka_unit_test(ideal_gas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
