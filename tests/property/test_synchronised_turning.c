/* The improved velocity-Verlet scheme (Vyas et al. 2025; doc/integrators.md): what turns as a whole, a pair or a sphere with a wall, has no
 * relative motion at its contacts, whatever the law. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "property/synchronised.h"
#include "scenes/context.h"
#include "scenes/scenes.h"
#include "vectors.h"

static const double PI = 3.14159265358979323846;

/* ---- a pair that turns as a whole ---- */

static const double SPEED = 2, APART = 0.745, RADII[2] = {0.5, 0.25}, MASSES[2] = {1, 0.125};
static const double TILT[3] = {0.36, 0.48, 0.8}, ALONG[3] = {0.8, -0.6, 0}; /* axis of turning; from one to the other */

/* Corners of a regular polygon: with w' = tan(w dt/2) 2/dt the chords of the half steps and the arms of the half step match the
 * spins w'; the velocities at the corners are those of sin(w dt)/dt. */
static void add_pair(dem_system *s, double dt, dem_id ids[2]) {
  const double corner = sin(SPEED * dt) / dt, spin = 2 * tan(SPEED * dt / 2) / dt;
  double ahead[3];
  rows r;
  cross(TILT, ALONG, ahead);
  assert_int_equal(rows_create(&r, 2), 0);
  for (int k = 0; k < 2; k++) {
    const double at = (k ? -MASSES[0] : MASSES[1]) / (MASSES[0] + MASSES[1]) * APART, v = at * corner;
    rows_put(&r, at * ALONG[0], at * ALONG[1], at * ALONG[2], RADII[k]);
    rows_velocity(&r, k, v * ahead[0], v * ahead[1], v * ahead[2]);
    rows_spin(&r, k, spin * TILT[0], spin * TILT[1], spin * TILT[2]);
  }
  ASSERT_OK(s, rows_add(&r, s, ids));
  rows_destroy(&r);
}

/* Pressed together with the force `push`, and held on their orbit by a bond that bears the contact. */
static dem_system *turning_pair(int scheme, double dt, const dem_law *law, double push) {
  const double chord = 2 * sin(SPEED * dt / 2) / dt, mass = MASSES[0] * MASSES[1] / (MASSES[0] + MASSES[1]);
  dem_system *s = synchronised_create(scheme, dt, DEM_ARMS_CONSERVING);
  dem_bond_type type;
  dem_bond bond = {.type = 0};
  dem_id ids[2];
  ASSERT_OK(s, dem_system_set_law(s, 0, 0, law));
  add_pair(s, dt, ids);
  dem_bond_type_init(&type, sizeof type);
  type.model = DEM_BOND_HARMONIC;
  type.stiffness = 1e5;
  type.contact = 1;
  ASSERT_OK(s, dem_system_add_bond_type(s, &type, NULL));
  bond.i = ids[0];
  bond.j = ids[1];
  bond.rest_length = APART - (push + mass * chord * chord * APART) / type.stiffness;
  ASSERT_OK(s, dem_system_add_bonds(s, 1, &bond, sizeof bond, NULL));
  return s;
}

/* Every tangential law, with dashpots; the force with which it presses at the overlap of the pair. */
static int law_number(int i, dem_law_options *law, double *push) {
  const double overlap = RADII[0] + RADII[1] - APART, radius = RADII[0] * RADII[1] / (RADII[0] + RADII[1]);
  if (i >= 4) return 0;
  i < 2 ? scene_hooke(law) : scene_hertz(law);
  law->tangential = i + 1;
  if (i == 0) law->tangential_stiffness = 0;
  *push = i < 2 ? 1e5 * overlap : 4.0 / 3 * (1e6 / (2 * (1 - 0.3 * 0.3))) * sqrt(radius * overlap) * overlap;
  return 1;
}

/* Of one turn, over the kinetic energy. */
static double heat_of_a_turn(int scheme, double steps, const dem_law_options *options, double push) {
  dem_law *law;
  assert_int_equal(scene_create_law(context, options, &law), DEM_OK);
  dem_system *s = turning_pair(scheme, 2 * PI / SPEED / steps, law, push);
  dem_law_release(law);
  ASSERT_OK(s, dem_system_step(s, (int64_t)steps));
  const dem_energy e = synchronised_books(s);
  dem_system_destroy(s);
  return (fabs(e.damping_normal[0]) + fabs(e.damping_tangential[0]) + e.sliding[0] + e.potential_tangential[0]) /
         (e.kinetic_linear + e.kinetic_angular);
}

/* The plain scheme sees a normal velocity v w dt/2, which works on the dashpots: heat of second order. The improved one sees
 * none; what is left comes from round-off of a stiff contact. */
static void what_turns_as_a_whole_makes_no_heat(void **state) {
  (void)state;
  dem_law_options law;
  double push;
  for (int i = 0; law_number(i, &law, &push); i++) {
    const double plain = heat_of_a_turn(STANDARD, 20000, &law, push), half = heat_of_a_turn(STANDARD, 40000, &law, push);
    const double improved = heat_of_a_turn(IMPROVED, 20000, &law, push);
    print_message("# tangential %d: heat of a turn %.1e, %.1e of the energy; improved %.1e\n", i + 1, plain, half, improved);
    ASSERT_BELOW(improved, 1e-15);
    assert_true(plain > 1e4 * improved);
  }
}

/* ---- histories are carried, whatever they are ---- */

/* A law that only remembers: a vector in the plane and a number, set when the contact begins. */
typedef struct tracer {
  double *seen; /* what it was handed last: vector and number */
} tracer;

static void trace(const void *parameters, const dem_batch *b) {
  const tracer *t = parameters;
  for (int32_t i = 0; i < b->count; i++) {
    const double n[3] = {b->normal[0][i], b->normal[1][i], b->normal[2][i]}, born = b->history_in[3][i];
    double across[3], start[3];
    cross(TILT, n, across);
    for (int k = 0; k < 3; k++) {
      start[k] = 0.6 * TILT[k] + 0.8 * across[k];
      t->seen[k] = b->history_in[k][i];
      b->history_out[k][i] = born > 0 ? b->history_in[k][i] : start[k];
      b->tangential_elastic[k][i] = 0;
    }
    t->seen[3] = born;
    b->history_out[3][i] = born > 0 ? born : 7.25;
    if (b->tangential_energy) b->tangential_energy[i] = 0;
  }
}

static void press(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int32_t i = 0; i < b->count; i++) {
    b->normal_elastic[i] = 1e5 * b->overlap[i];
    b->normal_damping[i] = 0;
    if (b->normal_energy) b->normal_energy[i] = 0.5e5 * b->overlap[i] * b->overlap[i];
  }
}

static dem_law *tracing_law(double seen[4]) {
  const dem_law_part normal = {.struct_size = sizeof normal,
                               .contract = DEM_LAW_PART_CONTRACT,
                               .name = "press",
                               .kind = DEM_PART_NORMAL,
                               .capabilities = DEM_PART_ENERGY,
                               .evaluate = press};
  const dem_law_part memory = {.struct_size = sizeof memory,
                               .contract = DEM_LAW_PART_CONTRACT,
                               .name = "tracer",
                               .kind = DEM_PART_TANGENTIAL,
                               .capabilities = DEM_PART_ENERGY,
                               .history_items = 2,
                               .parameter_bytes = sizeof(tracer),
                               .history = {DEM_HISTORY_TANGENT, DEM_HISTORY_SCALAR},
                               .evaluate = trace};
  const tracer t = {seen};
  const dem_law_piece pieces[] = {{sizeof(dem_law_piece), 0, &normal, NULL}, {sizeof(dem_law_piece), sizeof t, &memory, &t}};
  dem_law *law;
  assert_int_equal(dem_law_create_from_parts(context, 2, pieces, &law), DEM_OK);
  return law;
}

/* The normal goes round a great circle, so that what is carried along comes back as it was; halfway it has turned with the pair:
 * its part along the axis is the same, its part across has turned round. Turning by projection and stretching tilts it towards
 * the axis by 0.6 0.8^2/2 of the angle a of a step times the angle turned; the improved scheme does not. */
static void histories_turn_with_the_contact(void **state) {
  (void)state;
  for (int scheme = 0; scheme < 2; scheme++) {
    double seen[4], across[3], n[3] = {ALONG[0], ALONG[1], ALONG[2]};
    const int64_t steps = 20000;
    const double tilt = 0.5 * 0.6 * 0.64 * (2 * PI / (double)steps) * PI * (scheme ? 0 : 1);
    dem_law *law = tracing_law(seen);
    dem_system *s = turning_pair(scheme, 2 * PI / SPEED / (double)steps, law, 1e5 * (RADII[0] + RADII[1] - APART));
    dem_law_release(law);
    cross(TILT, n, across);
    ASSERT_OK(s, dem_system_step(s, 1));
    for (int half = 1; half <= 4; half++) {
      double along = 0, round = 0, length = 0;
      ASSERT_OK(s, dem_system_step(s, steps / 2));
      for (int k = 0; k < 3; k++) {
        along += seen[k] * TILT[k];
        round += seen[k] * across[k];
        length += seen[k] * seen[k];
      }
      print_message("# %s, half turn %d: along %.12f, across %.12f, length^2 - 1 = %.1e\n", synchronised_schemes[scheme], half,
                    along, round, length - 1);
      ASSERT_ABS(along - 0.6, half * tilt, 0.01 * half * tilt + 1e-12);
      ASSERT_ABS(round, (half % 2 ? -1 : 1) * sqrt(1 - along * along), 1e-7); /* the normal is that of a step ago */
      ASSERT_ABS(length, 1, 1e-11);
      assert_true(seen[3] == 7.25);
    }
    dem_system_destroy(s);
  }
}

/* A sphere that runs round in a drum, pressed to it by its own inertia. The normal goes round a great circle, whether the drum turns
 * under it or not, and what is carried along keeps its part along the axis. */
static void histories_turn_along_a_wall(void **state) {
  (void)state;
  for (int turns = 0; turns < 2; turns++) {
    const double w = 3, large = 2, k_n = 1e5, x = (large - 0.5) / (1 - w * w / k_n); /* m w^2 x = k_n (x + R - large) */
    const int64_t steps = 2000;
    double seen[4], across[3], v[3];
    dem_wall wall;
    rows r;
    dem_law *law = tracing_law(seen);
    dem_system *s = synchronised_create(IMPROVED, 2 * PI / w / (double)steps, DEM_ARMS_CONSERVING);
    ASSERT_OK(s, dem_system_set_law(s, 0, 0, law));
    dem_law_release(law);
    dem_wall_init(&wall, sizeof wall);
    wall.shape = DEM_WALL_CYLINDER;
    wall.motion = DEM_WALL_PRESCRIBED;
    memcpy(wall.axis, TILT, sizeof wall.axis);
    wall.radius = large;
    for (int a = 0; a < 3; a++) wall.spin[a] = turns ? 0.7 * TILT[a] : 0;
    ASSERT_OK(s, dem_system_add_wall(s, &wall, NULL));
    assert_int_equal(rows_create(&r, 1), 0);
    cross(TILT, ALONG, across);
    for (int a = 0; a < 3; a++) v[a] = w * x * across[a];
    rows_put(&r, x * ALONG[0], x * ALONG[1], x * ALONG[2], 0.5);
    rows_velocity(&r, 0, v[0], v[1], v[2]);
    ASSERT_OK(s, rows_add(&r, s, NULL));
    rows_destroy(&r);
    ASSERT_OK(s, dem_system_step(s, 1));
    for (int half = 1; half <= 4; half++) {
      double along = 0, round = 0;
      ASSERT_OK(s, dem_system_step(s, steps / 2));
      for (int k = 0; k < 3; k++) {
        along += seen[k] * TILT[k];
        round -= seen[k] * across[k]; /* the normal points inwards */
      }
      ASSERT_ABS(along, 0.6, 1e-11);
      ASSERT_ABS(round, half % 2 ? -0.8 : 0.8, 1e-3);
      assert_true(seen[3] == 7.25);
    }
    dem_system_destroy(s);
  }
}

/* ---- a sphere that turns with a wall ---- */

static double slip_in_a_drum(int scheme, int32_t shape, double dt) {
  const double w = 3, large = 2, k_n = 1e5, x = (large - 0.5) / (1 - w * w / k_n); /* m w^2 x = k_n (x + R - large) */
  dem_law_options law;
  dem_wall wall;
  double spin[3];
  rows r;
  dem_system *s = synchronised_create(scheme, dt, DEM_ARMS_CONSERVING);
  scene_hooke(&law);
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  dem_wall_init(&wall, sizeof wall);
  wall.shape = shape;
  wall.motion = DEM_WALL_PRESCRIBED;
  if (shape == DEM_WALL_CYLINDER) wall.axis[2] = 1, wall.radius = large;
  if (shape == DEM_WALL_BOX) wall.size[0] = wall.size[1] = wall.size[2] = 2 * large;
  wall.spin[2] = w;
  ASSERT_OK(s, dem_system_add_wall(s, &wall, NULL));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, x, 0, 0, 0.5);
  rows_velocity(&r, 0, 0, w * x, 0);
  rows_spin(&r, 0, 0, 0, w);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  ASSERT_OK(s, dem_system_run_until(s, 2 * PI / w));
  const dem_energy e = synchronised_books(s);
  ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 1, NULL, spin, 0));
  dem_system_destroy(s);
  const double heat = fabs(e.damping_normal[1]) + fabs(e.damping_tangential[1]) + e.sliding[1];
  print_message("# %s, %s, dt %.0e: spin off by %.1e, heat %.1e\n", shape == DEM_WALL_BOX ? "box" : "drum",
                synchronised_schemes[scheme], dt, spin[2] / w - 1, heat);
  return fabs(spin[2] / w - 1);
}

/* Pressed to the wall of a drum, or to a side of a box, by its own inertia, a sphere turns with it: spin and wall agree to the second
 * order, and to first order under the plain scheme, which brakes it. */
static void check_rest_on(int32_t shape) {
  const double plain = slip_in_a_drum(STANDARD, shape, 1e-4), half = slip_in_a_drum(STANDARD, shape, 5e-5);
  const double improved = slip_in_a_drum(IMPROVED, shape, 1e-4), better = slip_in_a_drum(IMPROVED, shape, 5e-5);
  ASSERT_ABS(log2(plain / half), 1, 0.1);
  ASSERT_ABS(log2(improved / better), 2, 0.1);
  ASSERT_BELOW(improved, 0.1 * plain);
}

static void rests_on_a_turning_wall(void **state) {
  (void)state;
  check_rest_on(DEM_WALL_CYLINDER);
  check_rest_on(DEM_WALL_BOX);
}

/* ---- the frame of the half step at a turning plane ---- */

/* A law without force that writes down v_n and |v_t|. */
static void watch(const void *parameters, const dem_batch *b) {
  double *const *seen = parameters;
  double square = 0;
  for (int a = 0; a < 3; a++) square += b->tangential_velocity[a][0] * b->tangential_velocity[a][0];
  (*seen)[0] = b->normal_velocity[0];
  (*seen)[1] = sqrt(square);
  for (int32_t q = 0; q < b->count; q++) b->normal_elastic[q] = b->normal_damping[q] = 0;
}

/* x turned by the vector w: its length is the angle. */
static void turn(const double *w, const double *x, double *out) {
  const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), c = cos(angle), s = sin(angle) / angle;
  double wx[3], along = 0;
  cross(w, x, wx);
  for (int a = 0; a < 3; a++) along += w[a] * x[a];
  for (int a = 0; a < 3; a++) out[a] = c * x[a] + s * wx[a] + (1 - c) / (angle * angle) * along * w[a];
}

/* A sphere flies in front of a plane that turns about the origin, through which it goes. Half a step ago the normal n was turned by half
 * of the angle of a step, the sphere was at x, and the plane under it at x - (n.x) n; all but the third power of the angle is exact. */
static void velocities_are_those_of_the_half_step(void **state) {
  (void)state;
  const double dt = 1e-2, w[3] = {0.4, -1.2, 1.6}, start[3] = {0.8, -0.6, 0}, at[3] = {0.5, 0.3, 0.2}, v[3] = {0.3, 0.8, -0.5};
  const double half[3] = {0.5 * dt * w[0], 0.5 * dt * w[1], 0.5 * dt * w[2]};
  double seen[2] = {0, 0}, *const target = seen, n[3], x[3], ground[3], under[3], height = 0, away = 0, square = 0;
  const dem_law_part part = {.struct_size = sizeof part,
                             .contract = DEM_LAW_PART_CONTRACT,
                             .name = "watch",
                             .kind = DEM_PART_NORMAL,
                             .parameter_bytes = sizeof target,
                             .evaluate = watch};
  const dem_law_piece piece = {sizeof piece, sizeof target, &part, &target};
  int64_t contacts;
  dem_law *law;
  dem_wall wall;
  rows r;
  dem_system *s = synchronised_create(IMPROVED, dt, DEM_ARMS_CONSERVING);
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  ASSERT_OK(s, dem_system_set_law(s, 0, 0, law));
  dem_law_release(law);
  dem_wall_init(&wall, sizeof wall);
  wall.shape = DEM_WALL_PLANE;
  wall.motion = DEM_WALL_PRESCRIBED;
  memcpy(wall.axis, start, sizeof start);
  memcpy(wall.spin, w, sizeof w);
  ASSERT_OK(s, dem_system_add_wall(s, &wall, NULL));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_velocity(&r, rows_put(&r, at[0], at[1], at[2], 0.5), v[0], v[1], v[2]);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  ASSERT_OK(s, dem_system_step(s, 1));
  ASSERT_OK(s, dem_system_contact_count(s, &contacts)); /* the evaluation has been made */
  assert_int_equal(contacts, 1);
  turn(half, start, n);
  for (int a = 0; a < 3; a++) {
    x[a] = at[a] + 0.5 * dt * v[a];
    height += n[a] * x[a];
  }
  for (int a = 0; a < 3; a++) under[a] = x[a] - height * n[a];
  cross(w, under, ground);
  for (int a = 0; a < 3; a++) {
    away += n[a] * (v[a] - ground[a]);
    square += (v[a] - ground[a]) * (v[a] - ground[a]);
  }
  ASSERT_ABS(seen[0], away, 1e-6);
  ASSERT_ABS(seen[1], sqrt(square - away * away), 1e-6);
  dem_system_destroy(s);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(what_turns_as_a_whole_makes_no_heat),   TEST(histories_turn_with_the_contact),
      TEST(histories_turn_along_a_wall),           TEST(rests_on_a_turning_wall),
      TEST(velocities_are_those_of_the_half_step),
  };
  return cmocka_run_group_tests_name("synchronised_turning", tests, NULL, NULL);
}
