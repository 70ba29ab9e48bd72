/* Frozen particles that are driven: against moving frames, in a rough shear cell whose books close, and what is refused. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "assertions.h"

#include <sys/mman.h>
#include <unistd.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"

/* ---- one ---- */

/* An impact on a driven sphere is one on a frozen sphere seen from a moving frame. */
static void driven_particles_are_moving_frames(void **state) {
  (void)state;
  static const char *const schemes[] = {"velocity-verlet", "euler", "improved-velocity-verlet"};
  const double u[3] = {0.75, -0.5, 1.25}, v[3] = {1, 0.2, -1}, seen[3] = {v[0] + u[0], v[1] + u[1], v[2] + u[2]};
  const double spin[3] = {3, -2, 1};
  for (int k = 0; k < 3; k++) {
    world_options o = world_defaults();
    world rest, moving;
    double x[3], y[3], p[3], q[3];
    o.integrator = schemes[k];
    world_open(&rest, &o);
    world_open(&moving, &o);
    const dem_id a = world_add_frozen(&rest, 0.5, (double[3]){0, 0, 0}),
                 b = world_add_frozen(&moving, 0.5, (double[3]){0, 0, 0});
    const dem_id i = world_add_sphere(&rest, 0.5, (double[3]){0.1, 0, 0.996}, v, NULL),
                 j = world_add_sphere(&moving, 0.5, (double[3]){0.1, 0, 0.996}, seen, NULL);
    ASSERT_OK(rest.system, dem_system_set_frozen_motion(rest.system, 1, &a, NULL, spin));
    ASSERT_OK(moving.system, dem_system_set_frozen_motion(moving.system, 1, &b, u, spin));
    ASSERT_OK(rest.system, dem_system_step(rest.system, 400));
    ASSERT_OK(moving.system, dem_system_step(moving.system, 400));
    world_read_one(&rest, i, DEM_POSITION, x);
    world_read_one(&moving, j, DEM_POSITION, y);
    world_read_one(&rest, i, DEM_VELOCITY, p);
    world_read_one(&moving, j, DEM_VELOCITY, q);
    for (int c = 0; c < 3; c++) {
      ASSERT_ABS(y[c], x[c] + 0.04 * u[c], 1e-12);
      ASSERT_ABS(q[c], p[c] + u[c], 1e-10);
    }
    assert_true(p[2] > 0.3);
    world_read_one(&moving, b, DEM_POSITION, y);
    world_read_one(&moving, b, DEM_VELOCITY, q);
    for (int c = 0; c < 3; c++) ASSERT_ABS(y[c], 0.04 * u[c], 1e-14);
    ASSERT_BITS(q, u, sizeof u);
    /* what drives it has given what the other gained: a momentum p costs u.p */
    world_assert_closed(&moving, "moving frame");
    assert_true(world_energy(&moving).walls != 0);
    world_assert_closed(&rest, "frame at rest");
    assert_true(world_energy(&rest).walls != 0); /* its spin */
    world_close(&rest);
    world_close(&moving);
  }
}

/* ---- a rough shear cell ---- */

enum { SIDE = 6, LAYERS = 6 };

/* Layers of spheres over a periodic floor; the lowest and the highest frozen, the highest in `top`. */
static void shear_cell(world *w, dem_id top[SIDE * SIDE]) {
  dem_id ids[SIDE * SIDE * LAYERS];
  dice d = {3};
  rows r;
  assert_int_equal(rows_create(&r, SIDE * SIDE * LAYERS), 0);
  for (int n = 0; n < SIDE * SIDE * LAYERS; n++) {
    const int i = n % SIDE, j = n / SIDE % SIDE, k = n / SIDE / SIDE, edge = k == 0 || k == LAYERS - 1;
    const double shift = edge ? 0 : 0.04;
    const int64_t row = rows_put(&r, i + dice_uniform(&d, -shift, shift), j + dice_uniform(&d, -shift, shift), 0.95 * k,
                                 0.5 + (edge ? 0 : dice_uniform(&d, -0.05, 0.0)));
    r.frozen[row] = edge;
  }
  world_add_rows(w, &r, ids);
  memcpy(top, ids + SIDE * SIDE * (LAYERS - 1), SIDE * SIDE * sizeof *ids);
}

static void drive_top(world *w, const dem_id *top, double vx, double vz, double spin) {
  double v[3 * SIDE * SIDE], turn[3 * SIDE * SIDE];
  for (int k = 0; k < SIDE * SIDE; k++) {
    const double each[3] = {vx, 0, vz}, about[3] = {0, spin, 0};
    memcpy(v + 3 * k, each, sizeof each);
    memcpy(turn + 3 * k, about, sizeof about);
  }
  ASSERT_OK(w->system, dem_system_set_frozen_motion(w->system, SIDE * SIDE, top, v, turn));
}

static world_options cell_options(void) {
  world_options o = world_defaults();
  o.system.periodic[0] = o.system.periodic[1] = 1;
  o.system.box_low[0] = o.system.box_low[1] = -0.5;
  o.system.box_high[0] = o.system.box_high[1] = SIDE - 0.5;
  return o;
}

/* Every law with moments of its own, drag, host forces, and both ledgers. */
static void books_of_a_shear_cell_close(void **state) {
  (void)state;
  static const char *const schemes[] = {"velocity-verlet", "euler", "improved-velocity-verlet"};
  for (int k = 0; k < 6; k++) {
    world_options o = cell_options();
    dem_id top[SIDE * SIDE];
    double worst = 0, last = 0;
    o.system.drag = k % 2 ? 0.5 : 0;
    o.system.ledger = k < 3 ? 1 : 2;
    o.system.gravity[2] = -1;
    o.system.threads = k % 2 ? 2 : 1;
    if (k >= 2) scene_add_rolling(&o.law, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
    world w;
    o.integrator = schemes[k % 3];
    world_open(&w, &o);
    shear_cell(&w, top);
    const double push[3] = {0.5, 0, 0};
    ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_HOST_FORCE, 1, top, push, 0)); /* does nothing: it is driven */
    for (int n = 0; n < 12; n++) {
      drive_top(&w, top, 2 + 0.1 * n, n < 6 ? -0.05 : 0.05, n % 3);
      ASSERT_OK(w.system, dem_system_step(w.system, 100));
      ASSERT_OK(w.system, dem_system_check(w.system));
      worst = fmax(worst, world_assert_closed(&w, schemes[k % 3]));
      last = world_energy(&w).walls;
    }
    print_message("# cell %d: residual at most %.1e, driven work %.3g\n", k, worst, last);
    assert_true(fabs(last) > 1 && world_energy(&w).sliding[0] > 0);
    world_close(&w);
  }
}

/* The work is minus the forces on the driven ones times their velocity, and momentum is exchanged: the force on the free ones is
 * minus that on the frozen ones. */
static void work_and_momentum_can_be_read(void **state) {
  (void)state;
  world_options o = cell_options();
  dem_id top[SIDE * SIDE];
  double f[3 * SIDE * SIDE * LAYERS], work = 0;
  world w;
  o.integrator = "euler";
  world_open(&w, &o);
  shear_cell(&w, top);
  drive_top(&w, top, 2, -0.05, 0);
  for (int n = 0; n < 1000; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_FORCE, SIDE * SIDE, top, f, 0));
    for (int k = 0; k < SIDE * SIDE; k++) work -= (2 * f[3 * k] - 0.05 * f[3 * k + 2]) * 1e-4;
  }
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_FORCE, SIDE * SIDE * LAYERS, NULL, f, 0));
  double sum[3] = {0, 0, 0}, size = 0;
  for (int k = 0; k < SIDE * SIDE * LAYERS; k++)
    for (int a = 0; a < 3; a++) sum[a] += f[3 * k + a], size += fabs(f[3 * k + a]);
  for (int a = 0; a < 3; a++) ASSERT_ABS(sum[a], 0, 1e-13 * size);
  ASSERT_REL(work, world_energy(&w).walls, 1e-2); /* forces are read at the end of a step, a step later */
  double x[3];
  int32_t image[3];
  drive_top(&w, top, 20, 0, 0);
  ASSERT_OK(w.system, dem_system_step(w.system, 6000));
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, 1, top, x, 0));
  ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 1, top, image, 0));
  ASSERT_ABS(x[0] + SIDE * image[0], 0.2 + 12, 1e-9);
  assert_int_equal(image[0], 2);
  world_close(&w);
}

/* Two driven ones pass through each other; stopped they stay, released they fly on, and the books take that as the host's. */
static void they_ignore_each_other_and_can_be_stopped(void **state) {
  (void)state;
  world_options o = world_defaults();
  world w;
  dem_id id[2];
  double v[6] = {1, 0, 0, -1, 0, 0}, x[6];
  world_open(&w, &o);
  id[0] = world_add_frozen(&w, 0.5, (double[3]){-1, 0, 0});
  id[1] = world_add_frozen(&w, 0.5, (double[3]){1, 0.1, 0});
  ASSERT_OK(w.system, dem_system_set_frozen_motion(w.system, 2, id, v, NULL));
  ASSERT_OK(w.system, dem_system_step(w.system, 10000));
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, 2, id, x, 0));
  ASSERT_ABS(x[0], 0, 1e-12);
  ASSERT_ABS(x[3], 0, 1e-12);
  ASSERT_ABS(world_energy(&w).kinetic_linear, 0, 0);
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, id, 1));
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, id + 1, 0));
  ASSERT_REL(world_energy(&w).host, 0.5, 1e-14);
  ASSERT_OK(w.system, dem_system_step(w.system, 10000));
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, 2, id, x, 0));
  ASSERT_ABS(x[0], 2, 1e-11);
  ASSERT_ABS(x[3], -3, 1e-11);
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_VELOCITY, 2, id, v, 0));
  ASSERT_ABS(v[0], 0, 0);
  world_assert_closed(&w, "stopped and released");
  world_close(&w);
}

/* Between two driven ones of equal speed u a ball is thrown forward at 2 u and comes back to rest: 2 m u^2 go in and come out
 * again between two readings, and the largest value of an account is that all the same. */
static void work_that_comes_and_goes_is_noted(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.dt = 2e-5;
  o.law.damping = DEM_DAMPING_NONE;
  o.law.restitution = 0;
  world w;
  world_open(&w, &o);
  const dem_id driven[2] = {world_add_frozen(&w, 0.5, (double[3]){-1.1, 0, 0}),
                            world_add_frozen(&w, 0.5, (double[3]){1.5, 0, 0})};
  const dem_id ball = world_add_sphere(&w, 0.5, (double[3]){0, 0, 0}, NULL, NULL);
  const double v[6] = {1, 0, 0, 1, 0, 0};
  double mass, now[3];
  world_read_one(&w, ball, DEM_MASS, &mass);
  ASSERT_OK(w.system, dem_system_set_frozen_motion(w.system, 2, driven, v, NULL));
  world_energy(&w);
  do {
    ASSERT_OK(w.system, dem_system_step(w.system, 100));
    world_read_one(&w, ball, DEM_VELOCITY, now);
  } while (now[0] < 1.99);
  do {
    ASSERT_OK(w.system, dem_system_step(w.system, 100));
    world_read_one(&w, ball, DEM_VELOCITY, now);
  } while (now[0] > 0.01);
  const dem_energy e = world_energy(&w);
  ASSERT_ABS(e.walls, 0, 0.02 * mass);
  ASSERT_REL(e.largest, 2 * mass, 0.01);
  world_close(&w);
}

/* Fields of one number are read as one number, also where it is the last that may be read. */
static void one_number_is_read_of_a_driven_particle(void **state) {
  (void)state;
  static const int32_t fields[] = {DEM_DRAG_RATE, DEM_SPIN_DRAG_RATE, DEM_RADIUS, DEM_DENSITY};
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED);
  assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
  double *value = (double *)(void *)(pages + page) - 1;
  world_options o = world_defaults();
  world w;
  world_open(&w, &o);
  const dem_id id = world_add_frozen(&w, 0.5, (double[3]){0, 0, 0});
  for (int k = 0; k < 4; k++) {
    *value = k < 2 ? 0 : 0.5;
    const double v[3] = {*value, 0, 0};
    ASSERT_OK(w.system, dem_system_set_frozen_motion(w.system, 1, &id, v, NULL));
    ASSERT_OK(w.system, dem_system_set_field(w.system, fields[k], 1, &id, value, 0));
  }
  world_close(&w);
  assert_int_equal(munmap(pages, 2 * page), 0);
}

/* ---- refusals ---- */

static void says(const world *w, const char *a, const char *b) {
  assert_non_null(strstr(dem_system_message(w->system), a));
  assert_non_null(strstr(dem_system_message(w->system), b));
}

static void bad_motions_are_refused(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.dimension = 2;
  world w;
  world_open(&w, &o);
  const dem_id id[2] = {world_add_frozen(&w, 0.5, (double[3]){0, 0, 0}),
                        world_add_sphere(&w, 0.5, (double[3]){3, 0, 0}, NULL, NULL)};
  const dem_id unknown = id[1] + 77;
  const double good[3] = {1, 2, 0}, nan[3] = {0, NAN, 0}, out[3] = {0, 0, 1}, turn[3] = {1, 0, 0};
  const double fast[3] = {1e155, 0, 0};
  const uint64_t before = system_hash(w.system);
  dem_system *s = w.system;
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 2, id, NULL, NULL), DEM_BAD_ARGUMENT);
  says(&w, "row 1", "not frozen");
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 1, &unknown, good, NULL), DEM_NOT_FOUND);
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 1, id, nan, NULL), DEM_BAD_ARGUMENT);
  says(&w, "velocity[1]", "nan");
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 1, id, NULL, nan), DEM_BAD_ARGUMENT);
  says(&w, "spin[1]", "finite");
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 1, id, fast, NULL), DEM_BAD_ARGUMENT);
  says(&w, "velocity[0]", "1e+60");
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 1, id, out, NULL), DEM_BAD_ARGUMENT);
  says(&w, "velocity[2]", "2 dimensions");
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 1, id, NULL, turn), DEM_BAD_ARGUMENT);
  says(&w, "spin[0]", "2 dimensions");
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, -1, id, good, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(s, dem_system_set_frozen_motion(s, 1, NULL, good, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(NULL, dem_system_set_frozen_motion(NULL, 1, id, good, NULL), DEM_BAD_ARGUMENT);
  assert_true(system_hash(s) == before);
  /* by set only what it has */
  ASSERT_STATUS(s, dem_system_set_field(s, DEM_VELOCITY, 1, id, good, 0), DEM_BAD_ARGUMENT);
  ASSERT_OK(s, dem_system_set_frozen_motion(s, 1, id, good, NULL));
  ASSERT_OK(s, dem_system_set_field(s, DEM_VELOCITY, 1, id, good, 0));
  const double other[3] = {1, 3, 0};
  ASSERT_STATUS(s, dem_system_set_field(s, DEM_VELOCITY, 1, id, other, 0), DEM_BAD_ARGUMENT);
  dem_view view = {.struct_size = sizeof view};
  ASSERT_OK(s, dem_view_acquire(s, DEM_VELOCITY, DEM_WRITE, &view));
  ASSERT_OK(s, dem_view_release(s, &view));
  ASSERT_OK(s, dem_system_step(s, 10));
  world_close(&w);
}

static void run_cell(int32_t threads, int32_t ledger, int32_t instructions, snapshot *shot) {
  world_options o = cell_options();
  dem_id top[SIDE * SIDE];
  world w;
  o.system.threads = threads;
  o.system.ledger = ledger;
  o.context.instructions = instructions;
  world_open(&w, &o);
  shear_cell(&w, top);
  drive_top(&w, top, 2, -0.1, 1);
  ASSERT_OK(w.system, dem_system_step(w.system, 1500));
  snapshot_take(shot, w.system);
  world_close(&w);
}

static void threads_books_and_instructions_change_no_bit(void **state) {
  (void)state;
  snapshot one, other;
  run_cell(1, 1, DEM_INSTRUCTIONS_AUTO, &one);
  for (int n = 0; n < 3; n++) {
    run_cell(n == 0 ? 3 : 1, n != 1, n == 2 ? DEM_INSTRUCTIONS_PLAIN : DEM_INSTRUCTIONS_AUTO, &other);
    snapshot_assert_same_bits(&one, &other);
    snapshot_free(&other);
  }
  snapshot_free(&one);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(driven_particles_are_moving_frames),
      cmocka_unit_test(books_of_a_shear_cell_close),
      cmocka_unit_test(work_and_momentum_can_be_read),
      cmocka_unit_test(they_ignore_each_other_and_can_be_stopped),
      cmocka_unit_test(work_that_comes_and_goes_is_noted),
      cmocka_unit_test(one_number_is_read_of_a_driven_particle),
      cmocka_unit_test(bad_motions_are_refused),
      cmocka_unit_test(threads_books_and_instructions_change_no_bit),
  };
  return cmocka_run_group_tests_name("driven particles", tests, NULL, NULL);
}
