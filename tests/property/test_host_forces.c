/* Forces of the host stay apart from those of contacts, and the books of what a host changes are exact. */
#include "assertions.h"

#include "scenes/world.h"

typedef struct run {
  world world;
  dem_id id[2];
} run;

static void open_run(run *r, int32_t ledger, double dt, double drag) {
  world_options o = world_defaults();
  o.system.dt = dt;
  o.system.ledger = ledger;
  o.system.drag = drag;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal_stiffness = 1e4;
  o.law.friction = 0.5;
  world_open(&r->world, &o);
}

static void close_run(run *r) { world_close(&r->world); }

static void put(run *r, int64_t count, const double *x, const double *v, const double *w) {
  const double radius[2] = {0.5, 0.5}, density[2] = {1, 1};
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = count;
  p.position = x;
  p.velocity = v;
  p.spin = w;
  p.radius = radius;
  p.density = density;
  ASSERT_OK(r->world.system, dem_system_add_particles(r->world.system, &p, r->id));
}

/* Two spheres that press on each other and rub. */
static void touching(run *r, double drag) {
  const double x[6] = {-0.499, 0, 0, 0.499, 0, 0}, v[6] = {1, 0.5, 0, -1, 0, 0.25};
  open_run(r, 1, 1e-4, drag);
  put(r, 2, x, v, NULL);
  ASSERT_OK(r->world.system, dem_system_step(r->world.system, 20));
}

static void get(const run *r, int32_t field, double *values) {
  ASSERT_OK(r->world.system, dem_system_get_field(r->world.system, field, 2, r->id, values, 0));
}
static void set(run *r, int32_t field, const double *values) {
  ASSERT_OK(r->world.system, dem_system_set_field(r->world.system, field, 2, r->id, values, 0));
}

/* However large, a host force that is put on and taken off again leaves the contact force as it was, to the bit. */
static void contact_force_survives(void **state) {
  (void)state;
  for (int exponent = 0; exponent <= 60; exponent += 2) {
    run r;
    double before[6], after[6], contact[6], force[6] = {pow(10, exponent), 1, 0, 0, 0, -pow(10, exponent)};
    const double none[6] = {0};
    touching(&r, exponent % 4 ? 0 : 3);
    get(&r, DEM_FORCE, before);
    get(&r, DEM_CONTACT_FORCE, contact);
    set(&r, DEM_HOST_FORCE, force);
    set(&r, DEM_HOST_TORQUE, force);
    get(&r, DEM_CONTACT_FORCE, after);
    ASSERT_BITS(contact, after, sizeof after);
    set(&r, DEM_HOST_TORQUE, none);
    set(&r, DEM_HOST_FORCE, none);
    get(&r, DEM_FORCE, after);
    ASSERT_BITS(before, after, sizeof after);
    ASSERT_OK(r.world.system, dem_system_step(r.world.system, 1));
    const dem_energy e = world_energy(&r.world);
    energy_assert_closed(&e, 1e-14, "contact force");
    close_run(&r);
  }
}

/* From one end of the range of numbers to the other. */
static void finite_to_finite(void **state) {
  (void)state;
  run r;
  double f[6];
  const double up[6] = {1e60}, down[6] = {-1e60}, none[6] = {0};
  touching(&r, 0);
  get(&r, DEM_FORCE, f);
  set(&r, DEM_HOST_FORCE, up);
  set(&r, DEM_HOST_FORCE, down);
  set(&r, DEM_HOST_FORCE, none);
  double after[6];
  get(&r, DEM_FORCE, after);
  ASSERT_BITS(f, after, sizeof f);
  ASSERT_OK(r.world.system, dem_system_step(r.world.system, 1));
  close_run(&r);
}

static dem_view view_of(run *r, int32_t field, int32_t mode) {
  dem_view view = {.struct_size = sizeof view};
  ASSERT_OK(r->world.system, dem_view_acquire(r->world.system, field, mode, &view));
  return view;
}

/* Total force, contact force, host force and drag, as get and views give them. */
static void parts_of_the_force(void **state) {
  (void)state;
  run r;
  double total[6], contact[6], half[6], mass[2];
  const double force[6] = {1, 2, 3, 4, 5, 6};
  dem_contact c;
  int64_t n = 0;
  touching(&r, 3);
  set(&r, DEM_HOST_FORCE, force);
  set(&r, DEM_HOST_TORQUE, force);
  get(&r, DEM_FORCE, total);
  get(&r, DEM_CONTACT_FORCE, contact);
  get(&r, DEM_HALF_VELOCITY, half);
  get(&r, DEM_MASS, mass);
  for (int k = 0; k < 6; k++) ASSERT_ABS(total[k], contact[k] + force[k] - 3 * mass[k / 3] * half[k], 1e-14 * 100);
  ASSERT_OK(r.world.system, dem_system_contact_count(r.world.system, &n));
  assert_int_equal(n, 1);
  ASSERT_OK(r.world.system, dem_system_contacts(r.world.system, 1, &c, sizeof c));
  for (int a = 0; a < 3; a++) assert_true(fabs(c.force[a]) == fabs(contact[a]) && contact[a] == -contact[3 + a]);
  dem_view all = view_of(&r, DEM_FORCE, DEM_READ), alone = view_of(&r, DEM_CONTACT_FORCE, DEM_READ);
  dem_view turns = view_of(&r, DEM_TORQUE, DEM_READ), alone_too = view_of(&r, DEM_CONTACT_TORQUE, DEM_READ);
  for (int64_t row = 0; row < 2; row++) {
    const int k = all.ids[row] == r.id[0] ? 0 : 1;
    ASSERT_BITS(all.data + row * all.stride, total + 3 * k, 3 * sizeof(double));
    ASSERT_BITS(alone.data + row * alone.stride, contact + 3 * k, 3 * sizeof(double));
  }
  get(&r, DEM_TORQUE, total);
  get(&r, DEM_CONTACT_TORQUE, contact);
  for (int64_t row = 0; row < 2; row++) {
    const int k = all.ids[row] == r.id[0] ? 0 : 1;
    ASSERT_BITS(turns.data + row * turns.stride, total + 3 * k, 3 * sizeof(double));
    ASSERT_BITS(alone_too.data + row * alone_too.stride, contact + 3 * k, 3 * sizeof(double));
  }
  ASSERT_OK(r.world.system, dem_view_release(r.world.system, &all));
  ASSERT_OK(r.world.system, dem_view_release(r.world.system, &alone));
  ASSERT_OK(r.world.system, dem_view_release(r.world.system, &turns));
  ASSERT_OK(r.world.system, dem_view_release(r.world.system, &alone_too));
  close_run(&r);
}

/* A constant force on a free sphere: v = F t/m in every scheme, its work F^2 t^2/(2 m). */
static void constant_force(void **state) {
  (void)state;
  static const char *names[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int k = 0; k < 6; k++) {
    run r;
    const double x[3] = {0}, force[3] = {2, -1, 0.5}, torque[3] = {0.1, 0.2, 0};
    double v[3], w[3], mass, inertia;
    open_run(&r, k >= 3, 1e-3, 0);
    put(&r, 1, x, NULL, NULL);
    ASSERT_OK(r.world.system, dem_system_set_integrator_name(r.world.system, names[k % 3]));
    world_write_one(&r.world, r.id[0], DEM_HOST_FORCE, force);
    world_write_one(&r.world, r.id[0], DEM_HOST_TORQUE, torque);
    ASSERT_OK(r.world.system, dem_system_step(r.world.system, 1000));
    world_read_one(&r.world, r.id[0], DEM_VELOCITY, v);
    world_read_one(&r.world, r.id[0], DEM_SPIN, w);
    world_read_one(&r.world, r.id[0], DEM_MASS, &mass);
    world_read_one(&r.world, r.id[0], DEM_INERTIA, &inertia);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(v[a], force[a] / mass, 1e-12 * fabs(force[a] / mass));
      ASSERT_ABS(w[a], torque[a] / inertia, 1e-12 * fabs(torque[a] / inertia));
    }
    if (k >= 3) {
      const dem_energy e = world_energy(&r.world);
      ASSERT_REL(e.host, 0.5 * 5.25 / mass + 0.5 * 0.05 / inertia, 1e-12);
      energy_assert_closed(&e, 1e-13, names[k % 3]);
    }
    close_run(&r);
  }
}

/* ---- books of what the host changes ---- */

static double somewhere(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) * 0x1p-53;
}

static void one_that_turns(run *r, uint64_t *seed) {
  const double x[3] = {0}, v[3] = {1 + somewhere(seed), 0, 0}, w[3] = {0, 0, 3 + somewhere(seed)};
  open_run(r, 1, 1e-3, 0);
  put(r, 1, x, v, w);
}

/* What changes nothing is booked as nothing, however often. */
static void nothing_moved(void **state) {
  (void)state;
  uint64_t seed = 88172645463325252u;
  const double none[3] = {0};
  for (int kind = 0; kind < 4; kind++) {
    for (int k = 0; k < 10; k++) {
      run r;
      double v[3], radius = 0.5;
      one_that_turns(&r, &seed);
      world_read_one(&r.world, r.id[0], DEM_VELOCITY, v);
      for (int n = 0; n < 10000; n++) {
        dem_view view = {.struct_size = sizeof view};
        if (kind == 0) world_write_one(&r.world, r.id[0], DEM_HOST_FORCE, none);
        if (kind == 1) world_write_one(&r.world, r.id[0], DEM_VELOCITY, v);
        if (kind == 2) world_write_one(&r.world, r.id[0], DEM_RADIUS, &radius);
        if (kind == 3) {
          ASSERT_OK(r.world.system, dem_view_acquire(r.world.system, n % 2 ? DEM_SPIN : DEM_VELOCITY, DEM_WRITE, &view));
          ASSERT_OK(r.world.system, dem_view_release(r.world.system, &view));
        }
        if (n % 10 == 0) ASSERT_OK(r.world.system, dem_system_step(r.world.system, 1));
      }
      const dem_energy e = world_energy(&r.world);
      energy_assert_closed(&e, 4e-16, "nothing moved"); /* of the one reading */
      close_run(&r);
    }
  }
}

/* What does change is booked exactly, so that nothing adds up: by set, through views, by freezing, adding and removing. */
static void changes_are_exact(void **state) {
  (void)state;
  uint64_t seed = 88172645463325252u;
  run r;
  one_that_turns(&r, &seed);
  for (int n = 0; n < 20000; n++) {
    const double x[3] = {5, 0, 0}, v[3] = {1 + somewhere(&seed), somewhere(&seed), 0}, w[3] = {somewhere(&seed), 0, 2};
    dem_view view = {.struct_size = sizeof view};
    const dem_id first = r.id[0];
    world_write_one(&r.world, r.id[0], DEM_VELOCITY, v);
    world_write_one(&r.world, r.id[0], DEM_SPIN, w);
    ASSERT_OK(r.world.system, dem_view_acquire(r.world.system, DEM_VELOCITY, DEM_WRITE, &view));
    view.data[0] = 1 + somewhere(&seed);
    ASSERT_OK(r.world.system, dem_view_release(r.world.system, &view));
    if (n % 100 == 0) {
      put(&r, 1, x, v, w);
      ASSERT_OK(r.world.system, dem_system_set_frozen(r.world.system, 1, r.id, 1));
      ASSERT_OK(r.world.system, dem_system_set_frozen(r.world.system, 1, r.id, 0));
      ASSERT_OK(r.world.system, dem_system_remove_particles(r.world.system, 1, r.id));
      r.id[0] = first;
    }
  }
  const dem_energy e = world_energy(&r.world);
  energy_assert_closed(&e, 1e-15, "changes");
  close_run(&r);
}

/* Readings tell how large the residual is against what has been there, though it be gone. */
static void came_and_went(void **state) {
  (void)state;
  uint64_t seed = 88172645463325252u;
  for (int k = 0; k < 20; k++) {
    run r;
    one_that_turns(&r, &seed);
    const dem_energy before = k % 2 ? world_energy(&r.world) : (dem_energy){0};
    const double v[3] = {1e3 * somewhere(&seed), 0, 0}, slow[3] = {1e-3, 0, 0};
    world_write_one(&r.world, r.id[0], DEM_VELOCITY, v);
    world_write_one(&r.world, r.id[0], DEM_VELOCITY, slow);
    ASSERT_OK(r.world.system, dem_system_remove_particles(r.world.system, 1, r.id));
    const dem_energy e = world_energy(&r.world);
    assert_true(e.largest >= 0.5 * (4.0 / 3.0 * 3.14159265358979323846 * 0.125) * v[0] * v[0] && e.largest >= before.largest);
    energy_assert_closed(&e, 1e-15, "came and went");
    close_run(&r);
  }
}

/* The same of work: a strong force speeds a sphere up and stops it before the books are read. */
static void work_came_and_went(void **state) {
  (void)state;
  run r;
  const double x[3] = {0}, push[3] = {1e6, 0, 0}, pull[3] = {-1e6, 0, 0};
  open_run(&r, 1, 1e-3, 0);
  put(&r, 1, x, NULL, NULL);
  world_write_one(&r.world, r.id[0], DEM_HOST_FORCE, push);
  ASSERT_OK(r.world.system, dem_system_step(r.world.system, 777));
  world_write_one(&r.world, r.id[0], DEM_HOST_FORCE, pull);
  ASSERT_OK(r.world.system, dem_system_step(r.world.system, 777));
  const dem_energy e = world_energy(&r.world);
  assert_true(e.largest > 1e11 && e.kinetic_linear < 1e-3 * e.largest);
  energy_assert_closed(&e, 1e-13, "work came and went");
  close_run(&r);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {cmocka_unit_test(contact_force_survives), cmocka_unit_test(finite_to_finite),
                                     cmocka_unit_test(parts_of_the_force),     cmocka_unit_test(constant_force),
                                     cmocka_unit_test(nothing_moved),          cmocka_unit_test(changes_are_exact),
                                     cmocka_unit_test(came_and_went),          cmocka_unit_test(work_came_and_went)};
  return cmocka_run_group_tests_name("host_forces", tests, NULL, NULL);
}
