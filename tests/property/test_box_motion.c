/* Energy books of boxes that deform while they step: they close, with the work of the box in dem_energy.box, whatever moves it. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "moving_box.h"
#include "series.h"

static const double SHEAR[6] = {0, 0, 0, 2, 0, 0}, PRESS[6] = {-0.5, -0.5, -0.5, 0, 0, 0},
                    MIXED[6] = {-0.6, 0.4, 0.3, 2, 1, -1.5}, FLAT[6] = {-0.5, 0.3, 0, 2, 0, 0};
static const char *const schemes[3] = {"euler", "velocity-verlet", "improved-velocity-verlet"};

/* Steps in three parts, and closes the books at each: between them the host reads, and sets the motion anew. */
static void run_and_close(const world *w, const dem_box_motion *motion, int64_t steps, const char *what) {
  double before = 0;
  for (int part = 0; part < 3; part++) {
    if (part < 2) ASSERT_OK(w->system, dem_system_set_box_motion(w->system, motion));
    ASSERT_OK(w->system, dem_system_step(w->system, steps / 3));
    world_assert_closed(w, what);
    const dem_energy e = world_energy(w);
    assert_true(fabs(e.box - before) > 1e-6); /* the box did work */
    before = e.box;
  }
}

static dem_box_motion rates(const double rate[6]) {
  dem_box_motion m;
  dem_box_motion_init(&m, sizeof m);
  memcpy(m.rate, rate, sizeof m.rate);
  return m;
}

static dem_box_motion servo(int32_t dimension, int32_t coupled) {
  dem_box_motion m;
  dem_box_motion_init(&m, sizeof m);
  for (int k = 0; k < 6; k++)
    if (dimension == 3 || k == DEM_BOX_XX || k == DEM_BOX_YY || k == DEM_BOX_XY) m.control[k] = DEM_BOX_STRESS;
  m.stress[DEM_BOX_XX] = m.stress[DEM_BOX_YY] = m.stress[DEM_BOX_ZZ] = 2000;
  m.stress[DEM_BOX_XY] = -300;
  m.gain = 1e-3;
  m.rate_limit = 2;
  m.coupled = coupled;
  return m;
}

static int64_t runs; /* so far */

static void close_all(const moving_box *b, const dem_law_options *law, int bonds, const char *name) {
  const dem_box_motion motion[5] = {rates(SHEAR), rates(PRESS), rates(MIXED), servo(3, 0), servo(3, 1)};
  const dem_box_motion flat[5] = {rates(SHEAR), rates(FLAT), rates(FLAT), servo(2, 0), servo(2, 1)};
  for (int k = 0; k < 5; k++) {
    world w;
    char what[160];
    if ((b->dimension == 2 && k == 2) || !series_takes(runs++)) continue;
    moving_box_open(&w, b, law);
    if (bonds) moving_box_bond(&w);
    snprintf(what, sizeof what, "%s, motion %d, %s, ledger %d, %d dimensions%s", name, k, b->integrator, b->ledger,
             b->dimension, bonds ? ", bonds" : "");
    run_and_close(&w, b->dimension == 2 ? &flat[k] : &motion[k], 900, what);
    world_close(&w);
  }
}

static void for_all_schemes(const dem_law_options *law, int bonds, const char *name) {
  for (int32_t ledger = 1; ledger <= 2; ledger++)
    for (int32_t dimension = 2; dimension <= 3; dimension++)
      for (int k = 0; k < 3; k++) {
        moving_box b = moving_box_defaults();
        b.dimension = dimension;
        b.integrator = schemes[k];
        b.ledger = ledger;
        close_all(&b, law, bonds, name);
      }
}

static void books_close_with_friction(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  for_all_schemes(&law, 0, "friction");
}

static void books_close_with_bonds(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  for_all_schemes(&law, 1, "bonds");
}

static void books_close_with_rolling_and_adhesion(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  scene_add_rolling(&law, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
  for_all_schemes(&law, 0, "rolling and twisting");
  const char *name;
  for (int k = 0; (name = scene_joint(k, &law)) != NULL; k++) {
    moving_box b = moving_box_defaults();
    b.ledger = 2;
    b.integrator = schemes[k % 3];
    close_all(&b, &law, 0, name);
  }
}

/* Shares of contacts and the heat of particles are sums of what the books hold. */
static void gravity_and_drag_do_not_disturb_the_books(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    moving_box b = moving_box_defaults();
    world w;
    b.integrator = schemes[k];
    b.ledger = 1 + k % 2;
    moving_box_open(&w, &b, NULL);
    ASSERT_OK(w.system, dem_system_set_gravity(w.system, (double[3]){1, -2, 3}));
    double rate[125], fluid[375];
    for (int n = 0; n < 125; n++) rate[n] = 5 + n % 3;
    for (int n = 0; n < 375; n++) fluid[n] = n % 7 - 3;
    world_write(&w, DEM_DRAG_RATE, rate);
    world_write(&w, DEM_FLUID_VELOCITY, fluid);
    const dem_box_motion m = rates(MIXED);
    run_and_close(&w, &m, 900, schemes[k]);
    world_close(&w);
  }
}

/* ---- reading, setting, adding ---- */

static double kinetic_of(const world *w, int n) {
  double *v = malloc((size_t)n * 6 * sizeof *v), *spin = v + 3 * n, sum = 0, radius[125], mass[125];
  world_read(w, DEM_VELOCITY, v), world_read(w, DEM_SPIN, spin), world_read(w, DEM_RADIUS, radius),
      world_read(w, DEM_MASS, mass);
  for (int k = 0; k < 3 * n; k++)
    sum += 0.5 * mass[k / 3] * (v[k] * v[k] + 0.4 * radius[k / 3] * radius[k / 3] * spin[k] * spin[k]);
  free(v);
  return sum;
}

/* Velocities are those of the positions that are read; dem_energy has their kinetic energy; neither setting back what was read, nor
 * setting the motion anew changes what is read. */
static void readings_agree_with_each_other(void **state) {
  (void)state;
  const double fast[6] = {-0.3, 0.2, 0.1, 8, 3, -5};
  moving_box b = moving_box_defaults();
  world w;
  double x[375], v[375], again[375];
  b.speed = 20; /* many leave the box between two lists */
  moving_box_open(&w, &b, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 40)); /* some have left the box before it moves */
  world_read(&w, DEM_VELOCITY, v);
  moving_box_drive(&w, fast);
  world_read(&w, DEM_VELOCITY, again);
  ASSERT_BITS(v, again, sizeof v);
  for (int k = 0; k < 60; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 7));
    const dem_energy e = world_energy(&w);
    ASSERT_REL(e.kinetic_linear + e.kinetic_angular, kinetic_of(&w, 125), 1e-13);
    world_read(&w, DEM_POSITION, x), world_read(&w, DEM_VELOCITY, v);
    if (k % 3 == 0) world_write(&w, DEM_VELOCITY, v);
    if (k % 3 == 1) world_write(&w, DEM_POSITION, x);
    if (k % 3 == 2) moving_box_drive(&w, fast);
    world_read(&w, DEM_VELOCITY, again);
    for (int n = 0; n < 375; n++) ASSERT_ABS(again[n], v[n], 1e-13 * 40);
    world_read(&w, DEM_POSITION, again);
    for (int n = 0; n < 375; n++) ASSERT_ABS(again[n], x[n], 1e-13);
    world_assert_closed(&w, "readings");
  }
  moving_box_drive(&w, (double[6]){0});
  world_read(&w, DEM_VELOCITY, v);
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, NULL));
  ASSERT_OK(w.system, dem_system_step(w.system, 100));
  world_assert_closed(&w, "at rest again");
  world_close(&w);
}

/* A particle given beyond the face is its image inside. */
static void a_new_particle_takes_the_velocity_of_its_image(void **state) {
  (void)state;
  const double rate[6] = {0.5, -0.25, 0, 3, 0, 0};
  moving_box b = moving_box_defaults();
  world w;
  double x[3], v[3];
  b.side = 5, b.spacing = 2;
  moving_box_open(&w, &b, NULL);
  moving_box_drive(&w, rate);
  const dem_id id = world_add_sphere(&w, 0.5, (double[3]){2, 12, 0.1}, (double[3]){1, 2, 3}, NULL);
  world_read_one(&w, id, DEM_POSITION, x), world_read_one(&w, id, DEM_VELOCITY, v);
  const double at[3] = {2, 2, 0.1}, expected[3] = {1 - 3 * 10, 2 + 0.25 * 10, 3};
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(x[a], at[a], 1e-14);
    ASSERT_ABS(v[a], expected[a], 1e-13);
  }
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(books_close_with_friction),
      cmocka_unit_test(books_close_with_bonds),
      cmocka_unit_test(books_close_with_rolling_and_adhesion),
      cmocka_unit_test(gravity_and_drag_do_not_disturb_the_books),
      cmocka_unit_test(readings_agree_with_each_other),
      cmocka_unit_test(a_new_particle_takes_the_velocity_of_its_image),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
