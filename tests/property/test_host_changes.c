/* What a host may change between steps, and what must not notice it: books, histories, memory. And that heat stays heat. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/world.h"

static int64_t count_of(const world *r) {
  int64_t n = 0;
  assert_int_equal(dem_system_particle_count(r->system, &n), DEM_OK);
  return n;
}

static void set_all(world *r, int32_t field, double x, double y, double z) {
  const int64_t n = count_of(r);
  double *values = malloc((size_t)n * 3 * sizeof *values);
  assert_non_null(values);
  for (int64_t k = 0; k < n; k++) {
    values[3 * k] = x;
    values[3 * k + 1] = y;
    values[3 * k + 2] = z;
  }
  ASSERT_OK(r->system, dem_system_set_field(r->system, field, n, NULL, values, 0));
  free(values);
}

/* Gravity and host forces that change every step, with drag: closure is an identity, whatever the forces do. */
static void books_close_while_forces_change(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 1, .drag = 2};
  world r;
  world_open_scene(&r, "settling", &setup);
  for (int k = 0; k < 500; k++) {
    const double g[3] = {0.3 * (k % 3), 0, k % 2 ? -1.0 : -0.2};
    ASSERT_OK(r.system, dem_system_set_gravity(r.system, g));
    set_all(&r, DEM_HOST_FORCE, k % 2 ? 0.5 : -0.5, 0.1 * (k % 5), 0);
    ASSERT_OK(r.system, dem_system_step(r.system, 1));
  }
  const dem_energy e = world_energy(&r);
  assert_true(e.drag > 0 && e.host != 0);
  world_assert_closed(&r, "forces that change");
  world_close(&r);
}

/* Host forces through a view and through set are the same thing, and neither builds a list. */
static void host_forces_cost_no_list(void **state) {
  (void)state;
  world a, b;
  world_open_scene(&a, "settling", NULL);
  world_open_scene(&b, "settling", NULL);
  ASSERT_OK(a.system, dem_system_step(a.system, 200));
  ASSERT_OK(b.system, dem_system_step(b.system, 200));
  const int64_t before = world_statistics(&a).rebuilds;
  for (int k = 0; k < 20; k++) {
    dem_view view = {.struct_size = sizeof view};
    ASSERT_OK(a.system, dem_view_acquire(a.system, DEM_HOST_FORCE, DEM_WRITE, &view));
    for (int64_t row = 0; row < view.count; row++) view.data[row * view.stride] = 0.01 * k;
    ASSERT_OK(a.system, dem_view_release(a.system, &view));
    set_all(&b, DEM_HOST_FORCE, 0.01 * k, 0, 0);
    ASSERT_OK(a.system, dem_system_step(a.system, 1));
    ASSERT_OK(b.system, dem_system_step(b.system, 1));
  }
  assert_true(world_statistics(&a).rebuilds - before <= 1 && world_statistics(&b).rebuilds - before <= 1);
  /* sums are taken apart and put together again: round-off of forces, 1e-16 each */
  ASSERT_REL(world_statistics(&a).kinetic_energy, world_statistics(&b).kinetic_energy, 1e-10);
  world_close(&a);
  world_close(&b);
}

/* A few that have flown off must not make the search grid grow: memory stays that of the rest. */
static void strangers_cost_no_memory(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "cluster", NULL);
  ASSERT_OK(r.system, dem_system_step(r.system, 1));
  const int64_t before = world_statistics(&r).bytes;
  const double far_away[3] = {1e9, -1e9, 1e9};
  dem_id first;
  dem_id *ids = malloc((size_t)count_of(&r) * sizeof *ids);
  assert_non_null(ids);
  ASSERT_OK(r.system, dem_system_ids(r.system, count_of(&r), ids));
  first = ids[0];
  free(ids);
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, 1, &first, far_away, 0));
  ASSERT_OK(r.system, dem_system_step(r.system, 1));
  assert_true(world_statistics(&r).bytes < 2 * before + 1000000);
  ASSERT_OK(r.system, dem_system_check(r.system));
  world_close(&r);
}

/* On the seam of a periodic box, position and image together give back what was set. */
static void images_at_the_seam(void **state) {
  (void)state;
  world w;
  world_options o = world_defaults();
  rows r;
  o.system.dt = 1e-3;
  o.system.periodic[0] = 1;
  o.system.box_high[0] = 10;
  world_open(&w, &o);
  const double x[12] = {-1e-17, 0, 0, 25, 3, 0, -0.25, 6, 0, 10, 9, 0}, expected[4] = {0, 25, -0.25, 10};
  assert_int_equal(rows_create(&r, 4), 0);
  for (int k = 0; k < 4; k++) rows_put(&r, x[3 * k], x[3 * k + 1], x[3 * k + 2], 0.5);
  world_add_rows(&w, &r, NULL);
  double y[12];
  int32_t image[12];
  world_read(&w, DEM_POSITION, y);
  ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 4, NULL, image, 0));
  for (int k = 0; k < 4; k++) {
    assert_true(y[3 * k] >= 0 && y[3 * k] < 10);
    ASSERT_ABS(y[3 * k] + 10.0 * image[3 * k], expected[k], 1e-15);
  }
  world_close(&w);
}

/* After gravity changed, the velocity of the evaluation is no longer known; the present one is given, not a wrong one. */
static void half_velocity_after_a_change(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "oblique", NULL);
  ASSERT_OK(r.system, dem_system_step(r.system, 3));
  double v[3], half[3];
  const double g[3] = {1000, 0, 0};
  ASSERT_OK(r.system, dem_system_set_gravity(r.system, g));
  world_read(&r, DEM_VELOCITY, v);
  world_read(&r, DEM_HALF_VELOCITY, half);
  ASSERT_BITS(v, half, sizeof v);
  world_close(&r);
}

/* Whichever of three spheres the host blows up: the box must be twice the range wide. */
static void a_sphere_that_outgrows_the_box(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    world_options o = world_defaults();
    world w;
    dem_id id[3];
    o.system.skin = 0.1;
    o.system.periodic[0] = 1;
    o.system.box_high[0] = 6;
    world_open(&w, &o);
    for (int n = 0; n < 3; n++) id[n] = world_add_sphere(&w, 0.5, (double[3]){1, 0, 10.0 * n}, NULL, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    const double fits = 1.4, outgrows = 1.5, small = 0.5;
    world_write_one(&w, id[k], DEM_RADIUS, &outgrows);
    ASSERT_STATUS(w.system, dem_system_step(w.system, 1), DEM_BAD_ARGUMENT);
    assert_non_null(strstr(dem_system_message(w.system), "must be at least 6.2"));
    world_write_one(&w, id[k], DEM_RADIUS, &fits);
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    world_write_one(&w, id[k], DEM_RADIUS, &outgrows);
    world_write_one(&w, id[k], DEM_RADIUS, &small);
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    world_close(&w);
  }
}

/* A heavy sphere slides over a floor and loads its spring; the host lifts it, so that the friction limit falls to a quarter and below the
 * force of the spring. What the spring then has too much is no heat of the dashpot, which never gives any back. */
static void lifting_takes_no_heat_back(void **state) {
  (void)state;
  for (int32_t ledger = 1; ledger <= 2; ledger++)
    for (double dashpot = 1; dashpot > 1e-8; dashpot *= 0.1) {
      world_options o = world_defaults();
      world w;
      o.system.dt = 1e-5;
      o.system.ledger = ledger;
      dem_law_options_init(&o.law, sizeof o.law);
      o.law.normal_stiffness = o.law.tangential_stiffness = 1e5;
      o.law.friction = 0.5;
      o.law.tangential = DEM_TANGENTIAL_LINEAR;
      o.law.tangential_damping = DEM_DAMPING_COEFFICIENT;
      o.law.shear_damping = dashpot;
      world_open(&w, &o);
      ASSERT_OK(w.system, scene_add_plane(w.system, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}));
      const double heavy = 1e9, lifted[3] = {0.004, 0, 0.5 - 0.0025};
      const dem_id id = world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.5 - 0.01}, (double[3]){1, 0, 0}, NULL);
      world_write_one(&w, id, DEM_DENSITY, &heavy);
      ASSERT_OK(w.system, dem_system_step(w.system, 400));
      const double before = world_energy(&w).damping_tangential[1];
      ASSERT_REL(before, dashpot * 0.004, 0.01); /* c v^2 t */
      world_write_one(&w, id, DEM_POSITION, lifted);
      ASSERT_OK(w.system, dem_system_step(w.system, 1));
      assert_true(world_energy(&w).damping_tangential[1] >= before);
      world_assert_closed(&w, "lifted while it slides");
      world_close(&w);
    }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(books_close_while_forces_change), cmocka_unit_test(host_forces_cost_no_list),
      cmocka_unit_test(strangers_cost_no_memory),        cmocka_unit_test(images_at_the_seam),
      cmocka_unit_test(half_velocity_after_a_change),    cmocka_unit_test(lifting_takes_no_heat_back),
      cmocka_unit_test(a_sphere_that_outgrows_the_box),
  };
  return cmocka_run_group_tests_name("host_changes", tests, NULL, NULL);
}
