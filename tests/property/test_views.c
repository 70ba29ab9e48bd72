/* Views by field, the order of the listing, and the callback before each step. */
#include "assertions.h"

#include <math.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"

enum { COUNT = 40, MANY = 300 };

typedef struct crowd {
  world world;
  dem_id ids[COUNT];
} crowd;

static void add_rows(dem_system *s, int count, double z, dem_id *ids) {
  rows r;
  assert_int_equal(rows_create(&r, count), 0);
  for (int k = 0; k < count; k++) {
    const int64_t row = rows_put(&r, 0.98 * (k % 8), 0.98 * (k / 8), z, 0.5 + 0.001 * k);
    rows_velocity(&r, row, 0.1 * k, -0.2, 0.3);
    rows_spin(&r, row, 0.5, 0.1 * k, -0.1);
  }
  ASSERT_OK(s, rows_add(&r, s, ids));
  rows_destroy(&r);
}

static void open_with(crowd *w, double drag, const char *integrator) {
  world_options o = world_defaults();
  const double up[3] = {0, 0, 1}, point[3] = {0, 0, -0.49};
  o.system.drag = drag;
  o.system.gravity[2] = -10;
  o.system.periodic[0] = 1;
  o.system.box_high[0] = 8;
  o.integrator = integrator;
  world_open(&w->world, &o);
  ASSERT_OK(w->world.system, scene_add_plane(w->world.system, 0, point, up));
  add_rows(w->world.system, COUNT, 0, w->ids);
  ASSERT_OK(w->world.system, dem_system_step(w->world.system, 25));
}

static void open_world(crowd *w) { open_with(w, 0, NULL); }

static void close_world(crowd *w) { world_close(&w->world); }

static dem_view view_of(dem_system *s, int32_t field, int32_t mode) {
  dem_view v = {.struct_size = sizeof v};
  ASSERT_OK(s, dem_view_acquire(s, field, mode, &v));
  return v;
}

static void close_view(dem_system *s, dem_view *v) { ASSERT_OK(s, dem_view_release(s, v)); }

static void expect_busy(dem_system *s, int32_t field, int32_t mode) {
  dem_view v = {.struct_size = sizeof v};
  ASSERT_STATUS(s, dem_view_acquire(s, field, mode, &v), DEM_BUSY);
  assert_true(strstr(dem_system_message(s), "view") != NULL);
}

/* ---- who may be open beside whom ---- */

static void fields_do_not_bar_each_other(void **state) {
  (void)state;
  static const int32_t others[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN,     DEM_RADIUS, DEM_DENSITY,      DEM_MASS,
                                   DEM_INERTIA,  DEM_TORQUE,   DEM_MATERIAL, DEM_IMAGE,  DEM_HALF_VELOCITY};
  crowd w;
  open_world(&w);
  dem_view force = view_of(w.world.system, DEM_HOST_FORCE, DEM_WRITE),
           torque = view_of(w.world.system, DEM_HOST_TORQUE, DEM_WRITE);
  (void)torque;
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    if (others[k] == DEM_TORQUE) continue;
    dem_view a = view_of(w.world.system, others[k], DEM_READ), b = view_of(w.world.system, others[k], DEM_READ);
    close_view(w.world.system, &a);
    close_view(w.world.system, &b);
  }
  expect_busy(w.world.system, DEM_HOST_FORCE, DEM_WRITE);
  expect_busy(w.world.system, DEM_HOST_FORCE, DEM_READ);
  expect_busy(w.world.system, DEM_FORCE, DEM_READ);
  expect_busy(w.world.system, DEM_TORQUE, DEM_READ);
  ASSERT_STATUS(w.world.system, dem_system_step(w.world.system, 1), DEM_BUSY);
  ASSERT_STATUS(w.world.system, dem_system_remove_particles(w.world.system, 1, w.ids), DEM_BUSY);
  close_view(w.world.system, &force);
  close_view(w.world.system, &torque);
  dem_view read = view_of(w.world.system, DEM_HALF_SPIN, DEM_READ);
  expect_busy(w.world.system, DEM_SPIN, DEM_WRITE);
  dem_view write = view_of(w.world.system, DEM_VELOCITY, DEM_WRITE);
  expect_busy(w.world.system, DEM_HALF_VELOCITY, DEM_READ);
  close_view(w.world.system, &write);
  close_view(w.world.system, &read);
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
  close_world(&w);
}

static void what_is_not_open_is_not_closed(void **state) {
  (void)state;
  crowd w;
  open_world(&w);
  dem_view v = view_of(w.world.system, DEM_VELOCITY, DEM_READ), wrong = v;
  wrong.field = DEM_SPIN;
  ASSERT_STATUS(w.world.system, dem_view_release(w.world.system, &wrong), DEM_BAD_ARGUMENT);
  wrong = v;
  wrong.mode = DEM_WRITE;
  ASSERT_STATUS(w.world.system, dem_view_release(w.world.system, &wrong), DEM_BAD_ARGUMENT);
  close_view(w.world.system, &v);
  ASSERT_STATUS(w.world.system, dem_view_release(w.world.system, &v), DEM_BAD_ARGUMENT);
  dem_view old = {.struct_size = offsetof(dem_view, integers)};
  ASSERT_OK(w.world.system, dem_view_acquire(w.world.system, DEM_POSITION, DEM_READ, &old));
  ASSERT_OK(w.world.system, dem_view_release(w.world.system, &old));
  ASSERT_STATUS(w.world.system, dem_view_acquire(w.world.system, DEM_MATERIAL, DEM_READ, &old), DEM_BAD_STRUCT);
  for (int32_t field = DEM_RADIUS; field <= DEM_TORQUE; field++) {
    dem_view none = {.struct_size = sizeof none};
    ASSERT_STATUS(w.world.system, dem_view_acquire(w.world.system, field, DEM_WRITE, &none), DEM_BAD_ARGUMENT);
  }
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
  close_world(&w);
}

/* ---- what they show ---- */

static void views_show_what_get_gives(void **state) {
  (void)state;
  static const int32_t fields[] = {DEM_VELOCITY,       DEM_SPIN,           DEM_RADIUS,         DEM_DENSITY,
                                   DEM_MASS,           DEM_INERTIA,        DEM_FORCE,          DEM_TORQUE,
                                   DEM_HOST_FORCE,     DEM_HOST_TORQUE,    DEM_HALF_VELOCITY,  DEM_HALF_SPIN,
                                   DEM_CONTACT_FORCE,  DEM_DRAG_RATE,      DEM_CONTACT_TORQUE, DEM_FLUID_SPIN,
                                   DEM_FLUID_VELOCITY, DEM_SPIN_DRAG_RATE, DEM_DRAG_IMPULSE,   DEM_DRAG_ANGULAR_IMPULSE};
  crowd w;
  const double push[3] = {1, 2, 3}, rate = 2, spin_rate = 3;
  open_world(&w);
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_DRAG_RATE, 1, w.ids + 5, &rate, 0));
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_SPIN_DRAG_RATE, 1, w.ids + 6, &spin_rate, 0));
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_FLUID_VELOCITY, 1, w.ids + 5, push, 0));
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_FLUID_SPIN, 1, w.ids + 6, push, 0));
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_HOST_FORCE, 1, w.ids + 3, push, 0));
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 300));
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
    dem_view v = view_of(w.world.system, fields[f], DEM_READ);
    assert_int_equal(v.count, COUNT);
    assert_null(v.integers);
    for (int64_t k = 0; k < v.count; k++) {
      double wanted[3];
      ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, fields[f], 1, v.ids + k, wanted, 0));
      assert_memory_equal(wanted, v.data + k * v.stride, (size_t)v.components * sizeof *wanted);
    }
    close_view(w.world.system, &v);
  }
  dem_view x = view_of(w.world.system, DEM_POSITION, DEM_READ), image = view_of(w.world.system, DEM_IMAGE, DEM_READ);
  dem_view material = view_of(w.world.system, DEM_MATERIAL, DEM_READ);
  assert_null(image.data);
  for (int64_t k = 0; k < x.count; k++) {
    int32_t turns[3], kind;
    double at[3];
    ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_POSITION, 1, x.ids + k, at, 0));
    ASSERT_OK(w.world.system, dem_system_get_field_int(w.world.system, DEM_IMAGE, 1, x.ids + k, turns, 0));
    ASSERT_OK(w.world.system, dem_system_get_field_int(w.world.system, DEM_MATERIAL, 1, x.ids + k, &kind, 0));
    const int32_t *mine = image.integers + k * image.stride;
    ASSERT_BELOW(fabs(x.data[k * x.stride] + 8.0 * mine[0] - (at[0] + 8.0 * turns[0])), 1e-12);
    assert_int_equal(material.integers[k * material.stride], kind);
  }
  close_view(w.world.system, &x);
  close_view(w.world.system, &image);
  close_view(w.world.system, &material);
  close_world(&w);
}

/* Forces contain the drag of the fluid: no view of them is made while what it comes from is being written, nor the other way. */
static void forces_follow_from_the_fluid(void **state) {
  (void)state;
  static const struct {
    int32_t total, host, rate, fluid, motion, other_rate;
  } of[] = {{DEM_FORCE, DEM_HOST_FORCE, DEM_DRAG_RATE, DEM_FLUID_VELOCITY, DEM_VELOCITY, DEM_SPIN_DRAG_RATE},
            {DEM_TORQUE, DEM_HOST_TORQUE, DEM_SPIN_DRAG_RATE, DEM_FLUID_SPIN, DEM_SPIN, DEM_DRAG_RATE}};
  crowd w;
  open_world(&w);
  for (int k = 0; k < 2; k++) {
    dem_view rate = view_of(w.world.system, of[k].rate, DEM_WRITE);
    expect_busy(w.world.system, of[k].total, DEM_READ);
    for (int64_t row = 0; row < rate.count; row++) rate.data[row * rate.stride] = 3;
    dem_view other = view_of(w.world.system, of[1 - k].total, DEM_READ);
    close_view(w.world.system, &other);
    close_view(w.world.system, &rate);
    dem_view total = view_of(w.world.system, of[k].total, DEM_READ);
    expect_busy(w.world.system, of[k].host, DEM_WRITE);
    expect_busy(w.world.system, of[k].rate, DEM_WRITE);
    expect_busy(w.world.system, of[k].fluid, DEM_WRITE);
    expect_busy(w.world.system, of[k].motion, DEM_WRITE);
    dem_view free = view_of(w.world.system, of[k].other_rate, DEM_WRITE), read = view_of(w.world.system, of[k].fluid, DEM_READ);
    close_view(w.world.system, &total);
    close_view(w.world.system, &free);
    close_view(w.world.system, &read);
  }
  close_world(&w);
}

/* Motion written through two views at once is booked once. */
static void two_writers_are_booked_once(void **state) {
  (void)state;
  crowd w;
  open_world(&w);
  const dem_energy before = world_energy(&w.world);
  dem_view v = view_of(w.world.system, DEM_VELOCITY, DEM_WRITE), spin = view_of(w.world.system, DEM_SPIN, DEM_WRITE);
  for (int64_t k = 0; k < v.count; k++) v.data[k * v.stride] += 1, spin.data[k * spin.stride + 1] -= 2;
  close_view(w.world.system, &v);
  for (int64_t k = 0; k < spin.count; k++) spin.data[k * spin.stride] *= 1.5;
  close_view(w.world.system, &spin);
  const dem_energy after = world_energy(&w.world);
  const double brought = after.kinetic_linear + after.kinetic_angular - before.kinetic_linear - before.kinetic_angular;
  ASSERT_BELOW(fabs(after.host - before.host - (brought)), 1e-10 * after.kinetic_linear);
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 100));
  world_assert_closed(&w.world, "two writers");
  close_world(&w);
}

/* ---- the listing ---- */

static void assert_listing(dem_system *s, const dem_id *wanted, int64_t count) {
  dem_id listed[MANY], at[MANY];
  int64_t index[MANY], n;
  ASSERT_OK(s, dem_system_particle_count(s, &n));
  assert_int_equal(n, count);
  ASSERT_OK(s, dem_system_ids(s, MANY, listed));
  assert_memory_equal(listed, wanted, (size_t)count * sizeof *wanted);
  ASSERT_OK(s, dem_system_index_of(s, count, wanted, index));
  for (int64_t k = 0; k < count; k++) assert_int_equal(index[k], k);
  ASSERT_OK(s, dem_system_id_at(s, count, index, at));
  assert_memory_equal(at, wanted, (size_t)count * sizeof *wanted);
}

static void listed_as_added(void **state) {
  (void)state;
  crowd w;
  open_world(&w);
  assert_listing(w.world.system, w.ids, COUNT);
  ASSERT_OK(w.world.system, dem_system_remove_particles(w.world.system, COUNT, w.ids));
  assert_listing(w.world.system, w.ids, 0);
  add_rows(w.world.system, COUNT, 0, w.ids);
  assert_listing(w.world.system, w.ids, COUNT);
  double radius[COUNT];
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_RADIUS, COUNT, NULL, radius, 0));
  for (int k = 0; k < COUNT; k++) ASSERT_BELOW(fabs(radius[k] - (0.5 + 0.001 * k)), 1e-15);
  close_world(&w);
}

/* Through any adding, removing and sorting: oldest first. */
static void listing_stays_in_order(void **state) {
  (void)state;
  crowd w;
  dice d = {7};
  dem_id model[MANY];
  int64_t count = COUNT;
  open_world(&w);
  memcpy(model, w.ids, sizeof w.ids);
  for (int round = 0; round < 60; round++) {
    const int64_t gone = (int64_t)dice_uniform(&d, 0, (double)count);
    dem_id list[MANY];
    int64_t kept = 0, left = 0;
    for (int64_t k = 0; k < count; k++) {
      if (left < gone && dice_uniform(&d, 0, 1) < 0.4)
        list[left++] = model[k];
      else
        model[kept++] = model[k];
    }
    ASSERT_OK(w.world.system, dem_system_remove_particles(w.world.system, left, list));
    count = kept;
    const int more = (int)dice_uniform(&d, 0, 20);
    if (count + more < MANY && more > 0) {
      add_rows(w.world.system, more, 2 + round, model + count);
      count += more;
    }
    ASSERT_OK(w.world.system, dem_system_step(w.world.system, round % 3));
    assert_listing(w.world.system, model, count);
  }
  const int64_t beyond = count;
  dem_id none;
  int64_t index;
  ASSERT_STATUS(w.world.system, dem_system_id_at(w.world.system, 1, &beyond, &none), DEM_NOT_FOUND);
  ASSERT_STATUS(w.world.system, dem_system_index_of(w.world.system, 1, w.ids, &index), DEM_NOT_FOUND);
  ASSERT_STATUS(w.world.system, dem_system_index_of(w.world.system, -1, w.ids, &index), DEM_BAD_ARGUMENT);
  close_world(&w);
}

/* ---- before each step ---- */

typedef struct host {
  crowd *w;
  int through_view, calls, stop_at, leave_open;
} host;

/* A force that follows the motion: it needs the velocities of the present time. */
static void push(dem_system *s, int through_view) {
  if (!through_view) {
    double v[3 * COUNT], f[3 * COUNT];
    ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, COUNT, NULL, v, 0));
    for (int k = 0; k < 3 * COUNT; k++) f[k] = -0.7 * v[k] + 0.01 * k;
    ASSERT_OK(s, dem_system_set_field(s, DEM_HOST_FORCE, COUNT, NULL, f, 0));
    for (int k = 0; k < 3 * COUNT; k++) f[k] = 0.001 * k;
    ASSERT_OK(s, dem_system_set_field(s, DEM_HOST_TORQUE, COUNT, NULL, f, 0));
    return;
  }
  dem_view v = view_of(s, DEM_VELOCITY, DEM_READ), f = view_of(s, DEM_HOST_FORCE, DEM_WRITE);
  dem_view t = view_of(s, DEM_HOST_TORQUE, DEM_WRITE);
  for (int64_t row = 0; row < v.count; row++) {
    int64_t k;
    ASSERT_OK(s, dem_system_index_of(s, 1, v.ids + row, &k));
    for (int a = 0; a < 3; a++) {
      f.data[row * f.stride + a] = -0.7 * v.data[row * v.stride + a] + 0.01 * (double)(3 * k + a);
      t.data[row * t.stride + a] = 0.001 * (double)(3 * k + a);
    }
  }
  close_view(s, &v);
  close_view(s, &f);
  close_view(s, &t);
}

static void expect_refusals(dem_system *s, const dem_id *ids) {
  const double v[3] = {0}, g[3] = {0};
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_STATUS(s, dem_system_set_field(s, DEM_VELOCITY, 1, ids, v, 0), DEM_BUSY);
  assert_non_null(strstr(dem_system_message(s), "DEM_VELOCITY not from the callback before a step"));
  ASSERT_STATUS(s, dem_system_set_field(s, DEM_POSITION, 1, ids, v, 0), DEM_BUSY);
  ASSERT_STATUS(s, dem_system_remove_particles(s, 1, ids), DEM_BUSY);
  ASSERT_STATUS(s, dem_system_set_gravity(s, g), DEM_BUSY);
  ASSERT_STATUS(s, dem_system_step(s, 1), DEM_BUSY);
  ASSERT_STATUS(s, dem_system_set_before_step(s, NULL, NULL), DEM_BUSY);
  expect_busy(s, DEM_VELOCITY, DEM_WRITE);
  ASSERT_OK(s, dem_system_energy(s, &e));
}

static int32_t before(void *user, dem_system *system, const dem_progress *p) {
  host *h = user;
  assert_ptr_equal(system, h->w->world.system);
  assert_int_equal(p->step, h->calls % p->steps);
  if (h->calls % 50 == 7) expect_refusals(system, h->w->ids);
  push(system, h->through_view);
  dem_view open = {.struct_size = sizeof open};
  if (h->calls == h->leave_open) ASSERT_OK(system, dem_view_acquire(system, DEM_POSITION, DEM_READ, &open));
  return ++h->calls == h->stop_at;
}

/* The same bits as single steps with the forces set in between, by set and through views. */
static void before_step_is_like_single_steps(void **state) {
  (void)state;
  static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int k = 0; k < 12; k++) {
    crowd a, b;
    snapshot x, y;
    const double drag = k >= 6 ? 0.5 : 0;
    open_with(&a, drag, integrators[k % 3]);
    open_with(&b, drag, integrators[k % 3]);
    host h = {&a, k / 3 % 2, 0, 0, -1};
    ASSERT_OK(a.world.system, dem_system_set_before_step(a.world.system, before, &h));
    ASSERT_OK(a.world.system, dem_system_step(a.world.system, 120));
    assert_int_equal(h.calls, 120);
    for (int step = 0; step < 120; step++) {
      if (step % 50 == 7) world_energy(&b.world);
      push(b.world.system, h.through_view);
      ASSERT_OK(b.world.system, dem_system_step(b.world.system, 1));
    }
    snapshot_take(&x, a.world.system);
    snapshot_take(&y, b.world.system);
    snapshot_assert_same_bits(&x, &y);
    snapshot_free(&x);
    snapshot_free(&y);
    const dem_energy e = world_energy(&a.world);
    energy_assert_closed(&e, 1e-11, integrators[k % 3]);
    close_world(&a);
    close_world(&b);
  }
}

static void before_step_may_stop(void **state) {
  (void)state;
  crowd w;
  int64_t steps;
  dem_statistics t;
  dem_statistics_init(&t, sizeof t);
  open_world(&w);
  host h = {&w, 1, 0, 6, -1};
  ASSERT_OK(w.world.system, dem_system_set_before_step(w.world.system, before, &h));
  ASSERT_STATUS(w.world.system, dem_system_step(w.world.system, 40), DEM_CANCELLED);
  ASSERT_OK(w.world.system, dem_system_statistics(w.world.system, &t));
  steps = t.steps;
  assert_int_equal(steps, 25 + 5); /* the sixth was not taken */
  h = (host){&w, 1, 0, 0, 3};
  ASSERT_STATUS(w.world.system, dem_system_step(w.world.system, 40), DEM_BUSY);
  assert_true(strstr(dem_system_message(w.world.system), "1 views open") != NULL);
  ASSERT_STATUS(w.world.system, dem_system_step(w.world.system, 1), DEM_BUSY); /* it still is */
  close_world(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_do_not_bar_each_other), cmocka_unit_test(what_is_not_open_is_not_closed),
      cmocka_unit_test(views_show_what_get_gives),    cmocka_unit_test(forces_follow_from_the_fluid),
      cmocka_unit_test(two_writers_are_booked_once),  cmocka_unit_test(listed_as_added),
      cmocka_unit_test(listing_stays_in_order),       cmocka_unit_test(before_step_is_like_single_steps),
      cmocka_unit_test(before_step_may_stop),
  };
  return cmocka_run_group_tests_name("views", tests, NULL, NULL);
}
