/* The physics does not depend on the frame, the numbering, the number of threads, the neighbour list or the place of the
 * periodic box.
 *
 * Where arithmetic differs, round-off grows with the chaos of the system. How much is measured: a run displaced by 1e-9 gives
 * the growth A of a displacement. Each of n steps rounds coordinates of size X by X 1.1e-16 and the rest by as much again, so
 * results may differ by n X A 2.2e-16. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"

enum { STEPS = 600 };
static const double EPSILON = 2.2e-16, SIZE = 8; /* of the coordinates in the scenes */

/* A change of frame, of vectors and of axial vectors. */
typedef struct frame {
  double m[3][3];
  double sign; /* of axial vectors beyond m: the determinant */
  double shift[3], speed[3];
} frame;

static void transform(const double m[3][3], double sign, const double *shift, double *values, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    const double a[3] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
    for (int k = 0; k < 3; k++)
      values[3 * i + k] = sign * (m[k][0] * a[0] + m[k][1] * a[1] + m[k][2] * a[2]) + (shift ? shift[k] : 0);
  }
}

static void to_frame(snapshot *s, const frame *f, double time) {
  double shift[3];
  for (int k = 0; k < 3; k++) shift[k] = f->shift[k] + time * f->speed[k];
  transform(f->m, 1, shift, s->x, s->count);
  transform(f->m, 1, f->speed, s->v, s->count);
  transform(f->m, f->sign, NULL, s->w, s->count);
}

static void put_state(dem_system *s, const snapshot *state) {
  ASSERT_OK(s, dem_system_set_field(s, DEM_POSITION, state->count, NULL, state->x, 0));
  ASSERT_OK(s, dem_system_set_field(s, DEM_VELOCITY, state->count, NULL, state->v, 0));
  ASSERT_OK(s, dem_system_set_field(s, DEM_SPIN, state->count, NULL, state->w, 0));
}

/* The cluster, overlapping from the start, brought into a frame (NULL: as it is) and displaced by `apart`; its end. */
static void run_in_frame(const dem_law_options *law, const frame *f, double apart, snapshot *end) {
  const scene_setup setup = {.particles = 60, .law = law};
  world r;
  snapshot start;
  world_open_scene(&r, "cluster", &setup);
  snapshot_take(&start, r.system);
  for (int64_t i = 0; i < 3 * start.count; i++) start.x[i] = 0.9 * start.x[i] + (i / 3 % 3 == i % 3 ? apart : 0);
  if (f) to_frame(&start, f, 0);
  put_state(r.system, &start);
  ASSERT_OK(r.system, dem_system_step(r.system, STEPS));
  snapshot_take(end, r.system);
  snapshot_free(&start);
  world_close(&r);
}

static double growth(const dem_law_options *law, const snapshot *end) {
  snapshot other;
  run_in_frame(law, NULL, 1e-9, &other);
  const double a = snapshot_distance(end, &other, NULL) / 1e-9;
  snapshot_free(&other);
  return fmax(a, 1);
}

static void check_frame(const char *what, const dem_law_options *law, const frame *f) {
  snapshot here, there;
  run_in_frame(law, NULL, 0, &here);
  const double bound = STEPS * SIZE * EPSILON * growth(law, &here);
  run_in_frame(law, f, 0, &there);
  to_frame(&here, f, STEPS * 1e-4);
  const double d = snapshot_distance(&here, &there, NULL);
  print_message("# %s: %.1e apart, bound %.1e\n", what, d, bound);
  snapshot_free(&here);
  snapshot_free(&there);
  ASSERT_BELOW(bound, 1e-8); /* or the test would say nothing */
  ASSERT_BELOW(d, bound);
}

static void in_every_frame(const char *what, const frame *f) {
  dem_law_options hooke, hertz;
  scene_hooke(&hooke);
  scene_hertz(&hertz);
  check_frame(what, &hooke, f);
  check_frame(what, &hertz, f);
  scene_add_rolling(&hooke, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
  scene_add_rolling(&hertz, DEM_ROLLING_CONSTANT, DEM_TWISTING_MARSHALL);
  check_frame(what, &hooke, f);
  check_frame(what, &hertz, f);
  for (int k = 0; scene_joint(k, &hertz); k++) check_frame(what, &hertz, f);
}

static void rotated(void **state) {
  (void)state;
  /* Euler-Rodrigues of the quaternion (1, 2, 3, 4)/sqrt 30. */
  const frame f = {
      {{-20 / 30., 4 / 30., 22 / 30.}, {20 / 30., -10 / 30., 20 / 30.}, {10 / 30., 28 / 30., 4 / 30.}}, 1, {0}, {0}};
  in_every_frame("rotated", &f);
}

static void mirrored(void **state) {
  (void)state;
  const frame f = {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, -1, {0}, {0}};
  in_every_frame("mirrored", &f);
}

static void moving(void **state) {
  (void)state;
  const frame f = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1, {0.3, -0.2, 1.1}, {1.5, -2.5, 0.5}};
  in_every_frame("moving", &f);
}

/* ---- numbering ---- */

static void check_relabelled(const dem_law_options *law) {
  snapshot here, there;
  run_in_frame(law, NULL, 0, &here);
  const double bound = STEPS * SIZE * EPSILON * growth(law, &here);
  const scene_setup setup = {.particles = 60, .law = law, .reversed = 1};
  world r;
  world_open_scene(&r, "cluster", &setup);
  snapshot_take(&there, r.system);
  for (int64_t i = 0; i < 3 * there.count; i++) there.x[i] *= 0.9;
  put_state(r.system, &there);
  snapshot_free(&there);
  ASSERT_OK(r.system, dem_system_step(r.system, STEPS));
  snapshot_take(&there, r.system);
  world_close(&r);
  snapshot_reverse(&there);
  const double d = snapshot_distance(&here, &there, NULL);
  print_message("# relabelled: %.1e apart, bound %.1e\n", d, bound);
  snapshot_free(&here);
  snapshot_free(&there);
  ASSERT_BELOW(d, bound);
}

static void relabelled(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  check_relabelled(&law);
  scene_add_rolling(&law, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
  check_relabelled(&law);
  scene_add_rolling(&law, DEM_ROLLING_CONSTANT, DEM_TWISTING_MARSHALL);
  check_relabelled(&law);
  for (int k = 0; scene_joint(k, &law); k++) check_relabelled(&law);
}

/* ---- threads ---- */

/* The other way round and one after the other: the host's own idea of a parallel loop. */
static void backwards(void *user, int32_t count, dem_task_fn task, void *argument) {
  ++*(int64_t *)user;
  for (int32_t i = count - 1; i >= 0; i--) task(argument, i);
}

static void run_with_threads(const char *name, int32_t threads, int64_t *hook, snapshot *end, dem_energy *energy) {
  const scene_setup setup = {.particles = 1500, .threads = threads, .ledger = 1};
  dem_context_options o;
  world r;
  dem_context_options_init(&o, sizeof o);
  o.parallel = hook ? backwards : NULL;
  o.parallel_user = hook;
  assert_int_equal(world_open_context(&r, &o), DEM_OK);
  assert_int_equal(scene_build(scene_find(name), r.context, &setup, &r.system), DEM_OK);
  ASSERT_OK(r.system, scene_run(scene_find(name), r.system, 400));
  snapshot_take(end, r.system);
  *energy = world_energy(&r);
  world_close(&r);
}

static void check_threads(const char *name) {
  snapshot one, more;
  dem_energy energy_one, energy_more;
  int64_t calls = 0;
  run_with_threads(name, 1, NULL, &one, &energy_one);
  for (int32_t threads = 2; threads <= 4; threads++) {
    run_with_threads(name, threads, threads == 4 ? &calls : NULL, &more, &energy_more);
    snapshot_assert_same_bits(&one, &more);
    ASSERT_BITS(&energy_one, &energy_more, sizeof energy_one);
    snapshot_free(&more);
  }
  snapshot_free(&one);
  assert_true(calls > 0);
}

static void same_bits_from_any_number_of_threads(void **state) {
  (void)state;
  check_threads("cluster");
  check_threads("hertz-bed");
  check_threads("busy");
  check_threads("powder");
}

/* ---- instruction sets ---- */

static dem_status run_with_instructions(int32_t instructions, const char *name, snapshot *end, dem_energy *energy) {
  const scene_setup setup = {.ledger = 1};
  dem_context_options o;
  world r;
  dem_context_options_init(&o, sizeof o);
  o.instructions = instructions;
  const dem_status status = world_open_context(&r, &o);
  if (status) return status; /* this CPU has no such thing */
  assert_int_equal(scene_build(scene_find(name), r.context, &setup, &r.system), DEM_OK);
  ASSERT_OK(r.system, scene_run(scene_find(name), r.system, 1500));
  snapshot_take(end, r.system);
  *energy = world_energy(&r);
  world_close(&r);
  return DEM_OK;
}

static void same_bits_from_every_instruction_set(void **state) {
  (void)state;
  for (int i = 0; i < scene_count; i++) {
    snapshot plain, other;
    dem_energy plain_energy, other_energy;
    assert_int_equal(run_with_instructions(DEM_INSTRUCTIONS_PLAIN, scenes[i].name, &plain, &plain_energy), DEM_OK);
    for (int32_t set = DEM_INSTRUCTIONS_AVX2; set <= DEM_INSTRUCTIONS_AVX512; set++) {
      const dem_status status = run_with_instructions(set, scenes[i].name, &other, &other_energy);
      if (status) {
        assert_int_equal(status, DEM_UNSUPPORTED);
        if (i == 0) print_message("# instruction set %d is not on this CPU\n", set);
        continue;
      }
      snapshot_assert_same_bits(&plain, &other);
      ASSERT_BITS(&plain_energy, &other_energy, sizeof plain_energy);
      snapshot_free(&other);
    }
    snapshot_free(&plain);
  }
}

/* ---- neighbour list ---- */

static void run_with_skin(double skin, const dem_law_options *law, int64_t steps, snapshot *end, int64_t *rebuilds) {
  const scene_setup setup = {.particles = 200, .skin = skin, .law = law};
  world r;
  dem_statistics st;
  world_open_scene(&r, "cluster", &setup);
  snapshot_take(end, r.system);
  for (int64_t i = 0; i < 3 * end->count; i++) end->x[i] *= 0.9;
  put_state(r.system, end);
  snapshot_free(end);
  ASSERT_OK(r.system, dem_system_step(r.system, steps));
  dem_statistics_init(&st, sizeof st);
  ASSERT_OK(r.system, dem_system_statistics(r.system, &st));
  *rebuilds = st.rebuilds;
  snapshot_take(end, r.system);
  world_close(&r);
}

/* The project's figure: 1e-10 over 100 steps. A list that loses a contact or its history is off by far more: one missed
 * spring force in one step is k d dt^2/m = 1e-5. */
static void check_skins(const dem_law_options *law) {
  snapshot large, small;
  int64_t few, many;
  run_with_skin(0.8, law, 100, &large, &few);
  for (double skin = 0.2; skin > 0.004; skin /= 3) {
    run_with_skin(skin, law, 100, &small, &many);
    const double d = snapshot_distance(&large, &small, NULL), v = snapshot_speed_difference(&large, &small);
    print_message("# skin %.3f: %d rebuilds (skin 0.8: %d), %.1e apart, speeds %.1e\n", skin, (int)many, (int)few, d, v);
    snapshot_free(&small);
    ASSERT_BELOW(d, 1e-10);
    ASSERT_BELOW(v, 1e-10 * 1e2); /* a velocity has a scale of v/dx = 1/contact time beyond the positions */
  }
  snapshot_free(&large);
  assert_true(few <= 2 && many >= 5);
}

static void same_physics_with_any_skin(void **state) {
  (void)state;
  dem_law_options hooke, hertz;
  scene_hooke(&hooke);
  scene_hertz(&hertz);
  check_skins(&hooke);
  check_skins(&hertz);
  for (int k = 0; scene_joint(k, &hertz); k += 4) check_skins(&hertz);
}

/* ---- periodic images ---- */

/* The packing moved across the boundary. */
static void run_shifted(double shift, double apart, snapshot *end) {
  world r;
  world_open_scene(&r, "packing2d", NULL);
  snapshot_take(end, r.system);
  for (int64_t i = 0; i < end->count; i++) {
    end->x[3 * i] += shift + (i % 2 ? apart : 0);
    end->x[3 * i + 1] += shift / 3;
  }
  put_state(r.system, end);
  snapshot_free(end);
  ASSERT_OK(r.system, dem_system_step(r.system, STEPS));
  snapshot_take(end, r.system);
  world_close(&r);
}

static void across_the_periodic_boundary(void **state) {
  (void)state;
  const double period[3] = {7.2, 7.2, 0}, shift = 3.6;
  snapshot here, there, near;
  run_shifted(0, 0, &here);
  run_shifted(0, 1e-9, &near);
  run_shifted(shift, 0, &there);
  const double bound = STEPS * SIZE * EPSILON * fmax(1, snapshot_distance(&here, &near, period) / 1e-9);
  for (int64_t i = 0; i < here.count; i++) {
    here.x[3 * i] += shift;
    here.x[3 * i + 1] += shift / 3;
  }
  const double d = snapshot_distance(&here, &there, period);
  for (int64_t i = 0; i < there.count; i++)
    assert_true(there.x[3 * i] >= 0 && there.x[3 * i] < 7.2 && there.x[3 * i + 1] >= 0 && there.x[3 * i + 1] < 7.2);
  print_message("# across the boundary: %.1e apart, bound %.1e\n", d, bound);
  snapshot_free(&here);
  snapshot_free(&near);
  snapshot_free(&there);
  ASSERT_BELOW(bound, 1e-8);
  ASSERT_BELOW(d, bound);
}

/* Free flight around the box: wrapped position plus image times length is where it would be without a box. */
static void images_count_the_turns(void **state) {
  (void)state;
  world w;
  world_options o = world_defaults();
  double x[3];
  int32_t image[3];
  o.system.dt = 1e-2;
  for (int k = 0; k < 3; k++) o.system.periodic[k] = 1, o.system.box_high[k] = 4;
  world_open(&w, &o);
  world_add_sphere(&w, 0.5, (double[3]){1, 2, 3}, (double[3]){7, -5, 0}, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  world_read(&w, DEM_POSITION, x);
  ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 1, NULL, image, 0));
  /* 1000 roundings at a size of 4. */
  ASSERT_ABS(x[0] + 4 * image[0], 1 + 70, 1000 * 4 * EPSILON);
  ASSERT_ABS(x[1] + 4 * image[1], 2 - 50, 1000 * 4 * EPSILON);
  assert_true(x[2] == 3 && image[2] == 0);
  for (int k = 0; k < 3; k++) assert_true(x[k] >= 0 && x[k] < 4);
  world_close(&w);
}

/* ---- transport of history ---- */

/* Two spheres at rest with a wound-up spring along y, turned about z by `angle` in one go; the tangential force afterwards. */
static double turned_force(int32_t transport, double angle) {
  dem_law_options law;
  scene_hooke(&law);
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  law.friction = 100;
  const scene_setup setup = {.law = &law, .transport = transport, .dt = 1e-6};
  world r;
  world_open_scene(&r, "impact", &setup);
  const double rest[6] = {0}, sideways[6] = {0, 0.5, 0, 0, -0.5, 0}, close[6] = {-0.49, 0, 0, 0.49, 0, 0};
  const double c = 0.49 * cos(angle), d = 0.49 * sin(angle), turned[6] = {-c, -d, 0, c, d, 0};
  double f[6];
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, 2, NULL, close, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 2, NULL, sideways, 0));
  ASSERT_OK(r.system, dem_system_step(r.system, 10)); /* u = 1e-5 */
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 2, NULL, rest, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_SPIN, 2, NULL, rest, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, 2, NULL, turned, 0));
  ASSERT_OK(r.system, dem_system_set_dt(r.system, 1e-12)); /* nothing moves any more */
  ASSERT_OK(r.system, dem_system_step(r.system, 1));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_FORCE, 2, NULL, f, 0));
  world_close(&r);
  return f[0] * sin(angle) - f[1] * cos(angle);
}

/* ROTATE keeps the length of the spring, PROJECT leaves its part in the new plane. */
static void springs_turn_with_the_contact(void **state) {
  (void)state;
  const double angle = 0.5, straight = turned_force(DEM_TRANSPORT_ROTATE, 0);
  /* u of 1e-5 at k_t = 2e5/7; the spheres slow each other a little. */
  ASSERT_REL(straight, 2e5 / 7 * 1e-5, 1e-3);
  /* At dt = 1e-12 forces of 1e3 move nothing: 1e-20 of path. */
  ASSERT_REL(turned_force(DEM_TRANSPORT_ROTATE, angle), straight, 1e-9);
  /* While it was wound up the pair turned by u/0.98 = 1e-5 already, which a projection sees. */
  ASSERT_REL(turned_force(DEM_TRANSPORT_PROJECT, 0), straight, 2e-5);
  ASSERT_REL(turned_force(DEM_TRANSPORT_PROJECT, angle), straight * cos(angle), 2e-5);
}

/* ---- two dimensions ---- */

static void two_dimensions_stay_in_the_plane(void **state) {
  (void)state;
  static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int k = 0; k < 3; k++) {
    const scene_setup setup = {.integrator = integrators[k]};
    world r;
    snapshot end;
    world_open_scene(&r, "packing2d", &setup);
    const double push[3] = {0.1, 0.2, 0};
    for (int64_t i = 0; i < 10; i++) {
      dem_id ids[64];
      ASSERT_OK(r.system, dem_system_ids(r.system, 64, ids));
      ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_HOST_FORCE, 1, ids + i, push, 0));
    }
    ASSERT_OK(r.system, dem_system_step(r.system, STEPS));
    snapshot_take(&end, r.system);
    double spin = 0;
    for (int64_t i = 0; i < end.count; i++) {
      assert_true(end.x[3 * i + 2] == 0 && end.v[3 * i + 2] == 0);
      assert_true(end.w[3 * i] == 0 && end.w[3 * i + 1] == 0);
      spin += fabs(end.w[3 * i + 2]);
    }
    assert_true(spin > 0);
    snapshot_free(&end);
    world_close(&r);
  }
}

/* Disc: m = pi R^2 rho, I = m R^2/2; sphere: m = 4/3 pi R^3 rho, I = 2/5 m R^2. */
static void shapes_have_their_inertia(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, rho = 1.9098593171027440, radius = 0.3;
  for (int32_t shape = DEM_SHAPE_SPHERE; shape <= DEM_SHAPE_DISC; shape++) {
    world w;
    world_options o = world_defaults();
    double mass, inertia;
    o.system.dt = 1e-3;
    o.system.dimension = 2;
    o.system.shape = shape;
    world_open(&w, &o);
    world_add_sphere(&w, radius, (double[3]){0, 0, 0}, NULL, NULL);
    world_read(&w, DEM_MASS, &mass);
    world_read(&w, DEM_INERTIA, &inertia);
    const int disc = shape == DEM_SHAPE_DISC;
    ASSERT_REL(mass, rho * (disc ? pi * radius * radius : 4 * pi / 3 * radius * radius * radius), 1e-15);
    ASSERT_REL(inertia, mass * radius * radius * (disc ? 0.5 : 0.4), 1e-15);
    world_close(&w);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotated),
      cmocka_unit_test(mirrored),
      cmocka_unit_test(moving),
      cmocka_unit_test(relabelled),
      cmocka_unit_test(same_bits_from_any_number_of_threads),
      cmocka_unit_test(same_bits_from_every_instruction_set),
      cmocka_unit_test(same_physics_with_any_skin),
      cmocka_unit_test(across_the_periodic_boundary),
      cmocka_unit_test(images_count_the_turns),
      cmocka_unit_test(springs_turn_with_the_contact),
      cmocka_unit_test(two_dimensions_stay_in_the_plane),
      cmocka_unit_test(shapes_have_their_inertia),
  };
  return cmocka_run_group_tests_name("invariance", tests, NULL, NULL);
}
