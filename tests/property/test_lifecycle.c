/* Adding, removing, stopping, resuming, looking on: what a host does between and during steps changes nothing it should not. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"

static double time_of(const dem_system *s) {
  double t;
  ASSERT_OK(s, dem_system_time(s, &t));
  return t;
}

static int64_t steps_of(const dem_system *s) {
  dem_statistics st;
  dem_statistics_init(&st, sizeof st);
  ASSERT_OK(s, dem_system_statistics(s, &st));
  return st.steps;
}

/* The state after `steps` of a scene, in pieces of `piece` (0: one call). */
static void end_of(const char *name, const scene_setup *setup, int64_t steps, int64_t piece, snapshot *end) {
  world r;
  world_open_scene(&r, name, setup);
  for (int64_t done = 0; piece && done < steps; done += piece)
    ASSERT_OK(r.system, dem_system_step(r.system, piece < steps - done ? piece : steps - done));
  if (!piece) ASSERT_OK(r.system, dem_system_step(r.system, steps));
  snapshot_take(end, r.system);
  world_close(&r);
}

/* ---- same bits ---- */

static void assert_same_end(const char *name, const scene_setup *a, const scene_setup *b, int64_t piece_a, int64_t piece_b) {
  snapshot one, other;
  end_of(name, a, 1200, piece_a, &one);
  end_of(name, b, 1200, piece_b, &other);
  snapshot_assert_same_bits(&one, &other);
  snapshot_free(&one);
  snapshot_free(&other);
}

static void a_run_repeats_bit_for_bit(void **state) {
  (void)state;
  for (int i = 0; i < scene_count; i++) assert_same_end(scenes[i].name, NULL, NULL, 0, 0);
}

static void steps_may_be_taken_one_by_one(void **state) {
  (void)state;
  static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int k = 0; k < 2; k++) {
    const scene_setup setup = {.integrator = integrators[k]};
    assert_same_end("settling", &setup, &setup, 0, 1);
    assert_same_end("hertz-bed", &setup, &setup, 0, 7);
    assert_same_end("packing2d", &setup, &setup, 5, 13);
  }
}

static void the_ledger_only_looks_on(void **state) {
  (void)state;
  static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < scene_count; i++) {
      const scene_setup off = {.integrator = integrators[k]}, on = {.integrator = integrators[k], .ledger = 1};
      assert_same_end(scenes[i].name, &off, &on, 0, 0);
    }
}

/* ---- progress and cancelling ---- */

typedef struct watch {
  int64_t calls, stop_at;
  dem_system *system;
  dem_progress last;
  dem_status forbidden; /* what a change from inside was answered */
} watch;

/* Reading is allowed from inside, changing is not. */
static int32_t look(void *user, const dem_progress *p) {
  static double x[3 * 200];
  watch *w = user;
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  w->last = *p;
  w->calls++;
  if (dem_system_get_field(w->system, DEM_POSITION, p->particles, NULL, x, 0) != DEM_OK) return 1;
  if (dem_system_energy(w->system, &e) != DEM_OK) return 1;
  w->forbidden = dem_system_step(w->system, 1);
  return w->calls == w->stop_at;
}

static void a_cancelled_run_resumes(void **state) {
  (void)state;
  snapshot straight, resumed;
  world r;
  end_of("settling", NULL, 1200, 0, &straight);
  world_open_scene(&r, "settling", NULL);
  watch w = {.stop_at = 3, .system = r.system};
  int64_t left = 1200;
  /* Stopped again and again: every third call of the callback, one call each 37 steps. */
  for (int stops = 0; left > 0; stops++) {
    assert_true(stops < 20);
    w.calls = 0;
    ASSERT_OK(r.system, dem_system_set_progress(r.system, 37, look, &w));
    const int64_t before = steps_of(r.system);
    const dem_status status = dem_system_step(r.system, left);
    const int64_t done = steps_of(r.system) - before;
    if (left > 3 * 37) {
      assert_int_equal(status, DEM_CANCELLED);
      assert_int_equal(done, 3 * 37);
      assert_int_equal(w.last.step, done);
      assert_int_equal(w.last.steps, left);
      assert_int_equal(w.last.particles, 120);
      assert_true(w.last.time == time_of(r.system));
      assert_true(w.last.seconds >= 0);
      assert_true(w.forbidden == DEM_BUSY);
    }
    left -= done;
  }
  ASSERT_OK(r.system, dem_system_check(r.system));
  snapshot_take(&resumed, r.system);
  world_close(&r);
  snapshot_assert_same_bits(&straight, &resumed);
  snapshot_free(&straight);
  snapshot_free(&resumed);
}

static void progress_is_called_as_often_as_asked(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "oblique", NULL);
  watch w = {.stop_at = -1, .system = r.system};
  ASSERT_OK(r.system, dem_system_set_progress(r.system, 10, look, &w));
  ASSERT_OK(r.system, dem_system_step(r.system, 100));
  assert_int_equal(w.calls, 10);
  ASSERT_OK(r.system, dem_system_set_progress(r.system, 1, NULL, NULL));
  ASSERT_OK(r.system, dem_system_step(r.system, 10));
  assert_int_equal(w.calls, 10);
  world_close(&r);
}

/* ---- run_until ---- */

static void run_until_ends_exactly(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "cluster", NULL);
  static const double times[] = {1e-5, 3.14159e-3, 0.0123, 0.0123, 0.01230000000001, 0.1};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    const double before = time_of(r.system);
    const int64_t steps = steps_of(r.system);
    ASSERT_OK(r.system, dem_system_run_until(r.system, times[i]));
    assert_true(time_of(r.system) == times[i]);
    /* The fewest steps not longer than dt = 1e-4; at a whole number of steps round-off may ask for one more. */
    const double exact = (times[i] - before) / 1e-4, done = (double)(steps_of(r.system) - steps);
    assert_true(done >= exact - 1e-9 && done < exact + 1 + 1e-9);
  }
  const int64_t steps = steps_of(r.system);
  ASSERT_OK(r.system, dem_system_run_until(r.system, time_of(r.system)));
  assert_int_equal(steps_of(r.system), steps);
  ASSERT_STATUS(r.system, dem_system_run_until(r.system, 0.0999), DEM_BAD_ARGUMENT);
  world_close(&r);
}

/* Steps are equal: a free flight under gravity, exact for velocity-Verlet at any step. */
static void run_until_takes_equal_steps(void **state) {
  (void)state;
  world r;
  double x[3], v[3];
  world_open_scene(&r, "oblique", NULL);
  const double g[3] = {0, -3, 20}; /* upwards: it never reaches the wall */
  const double start[3] = {0, 0, 3}, speed[3] = {1, 0.2, 0};
  ASSERT_OK(r.system, dem_system_set_gravity(r.system, g));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, 1, NULL, start, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, NULL, speed, 0));
  const double t = 0.12345678;
  ASSERT_OK(r.system, dem_system_run_until(r.system, t));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_POSITION, 1, NULL, x, 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, NULL, v, 0));
  for (int k = 0; k < 3; k++) {
    /* 1235 steps, one rounding each of numbers of size 3. */
    ASSERT_ABS(x[k], start[k] + speed[k] * t + g[k] * t * t / 2, 1235 * 3 * 2.2e-16);
    ASSERT_ABS(v[k], speed[k] + g[k] * t, 1235 * 3 * 2.2e-16);
  }
  world_close(&r);
}

/* ---- adding and removing ---- */

/* A sphere far away comes and goes; the others do not notice. Elastic, as forces evaluated anew after a change see the
 * full-step velocity instead of the half-step one, which dashpots notice. Re-sorting may change last bits: in each of 1200
 * steps half a unit in the last place of coordinates up to 8, grown as a displacement of 1e-9 grows. A history lost with the
 * contacts would show at the spring force of one step, k d dt^2/m = 1e-6 and more. */
static void a_stranger_far_away_changes_nothing(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  const scene_setup setup = {.law = &law};
  snapshot alone, with, moved;
  world r;
  end_of("settling", &setup, 1200, 0, &alone);
  world_open_scene(&r, "settling", &setup);
  snapshot_take(&moved, r.system);
  for (int64_t i = 0; i < 3 * moved.count; i++) moved.x[i] += i % 2 ? 1e-9 : 0;
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, moved.count, NULL, moved.x, 0));
  snapshot_free(&moved);
  ASSERT_OK(r.system, dem_system_step(r.system, 1200));
  snapshot_take(&moved, r.system);
  world_close(&r);
  const double growth = snapshot_distance(&alone, &moved, NULL) / 1e-9, bound = 1200 * 8 * 1.1e-16 * growth;
  world_open_scene(&r, "settling", &setup);
  for (int k = 0; k < 12; k++) {
    rows far;
    dem_id id;
    assert_int_equal(rows_create(&far, 1), 0);
    rows_put(&far, 2, 2, 500 + k, 0.4);
    ASSERT_OK(r.system, rows_add(&far, r.system, &id));
    rows_destroy(&far);
    ASSERT_OK(r.system, dem_system_step(r.system, 50));
    ASSERT_OK(r.system, dem_system_remove_particles(r.system, 1, &id));
    ASSERT_OK(r.system, dem_system_step(r.system, 50));
  }
  snapshot_take(&with, r.system);
  world_close(&r);
  const double d = snapshot_distance(&alone, &with, NULL);
  print_message("# with and without a stranger: %.1e apart, bound %.1e\n", d, bound);
  snapshot_free(&alone);
  snapshot_free(&with);
  snapshot_free(&moved);
  ASSERT_BELOW(bound, 1e-8); /* or the test would say nothing */
  ASSERT_BELOW(d, bound);
}

static void removal_removes_contacts_and_forces(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "impact", NULL);
  dem_id ids[2];
  int64_t contacts, count;
  double f[3], v[2][3];
  ASSERT_OK(r.system, dem_system_ids(r.system, 2, ids));
  ASSERT_OK(r.system, dem_system_step(r.system, 20));
  ASSERT_OK(r.system, dem_system_contact_count(r.system, &contacts));
  assert_int_equal(contacts, 1);
  ASSERT_OK(r.system, dem_system_remove_particles(r.system, 1, ids + 1));
  ASSERT_OK(r.system, dem_system_particle_count(r.system, &count));
  assert_int_equal(count, 1);
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, ids, v[0], 0));
  ASSERT_OK(r.system, dem_system_step(r.system, 10));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, ids, v[1], 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_FORCE, 1, ids, f, 0));
  ASSERT_OK(r.system, dem_system_contact_count(r.system, &contacts));
  assert_int_equal(contacts, 0);
  assert_true(f[0] == 0 && f[1] == 0 && f[2] == 0);
  ASSERT_BITS(v[0], v[1], sizeof v[0]); /* free flight from the moment of removal: no kick by a force that is no more */
  world_close(&r);
}

/* The listing is by slot: what stays keeps its place, what comes back has a new name. */
static void ids_go_stale(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "settling", NULL);
  dem_id ids[130], again[130];
  double x[3];
  ASSERT_OK(r.system, dem_system_ids(r.system, 130, ids));
  ASSERT_OK(r.system, dem_system_step(r.system, 300));
  ASSERT_OK(r.system, dem_system_ids(r.system, 130, again));
  ASSERT_BITS(ids, again, 120 * sizeof ids[0]); /* re-sorting of rows does not show */
  ASSERT_OK(r.system, dem_system_remove_particles(r.system, 2, ids + 10));
  ASSERT_STATUS(r.system, dem_system_get_field(r.system, DEM_POSITION, 1, ids + 10, x, 0), DEM_NOT_FOUND);
  ASSERT_STATUS(r.system, dem_system_remove_particles(r.system, 1, ids + 10), DEM_NOT_FOUND);
  rows fresh;
  dem_id fresh_id[2];
  assert_int_equal(rows_create(&fresh, 2), 0);
  rows_put(&fresh, 1, 1, 50, 0.3);
  rows_put(&fresh, 2, 2, 60, 0.3);
  ASSERT_OK(r.system, rows_add(&fresh, r.system, fresh_id));
  rows_destroy(&fresh);
  for (int i = 0; i < 120; i++) assert_true(fresh_id[0] != ids[i] && fresh_id[1] != ids[i]);
  assert_true(fresh_id[0] != 0 && fresh_id[1] != 0 && fresh_id[0] != fresh_id[1]);
  ASSERT_STATUS(r.system, dem_system_get_field(r.system, DEM_POSITION, 1, ids + 10, x, 0), DEM_NOT_FOUND);
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_POSITION, 1, fresh_id + 1, x, 0));
  assert_true(x[0] == 2 && x[2] == 60);
  ASSERT_OK(r.system, dem_system_check(r.system));
  world_close(&r);
}

/* ---- frozen ---- */

static void frozen_never_move(void **state) {
  (void)state;
  world r;
  snapshot before, after;
  int32_t frozen[200] = {0};
  world_open_scene(&r, "hertz-bed", NULL);
  snapshot_take(&before, r.system);
  ASSERT_OK(r.system, dem_system_get_field_int(r.system, DEM_FROZEN, before.count, NULL, frozen, 0));
  ASSERT_OK(r.system, dem_system_step(r.system, 2000));
  snapshot_take(&after, r.system);
  int held = 0;
  for (int64_t i = 0; i < before.count; i++) {
    if (!frozen[i]) continue;
    ASSERT_BITS(before.x + 3 * i, after.x + 3 * i, 3 * sizeof(double));
    assert_true(after.v[3 * i] == 0 && after.v[3 * i + 1] == 0 && after.v[3 * i + 2] == 0);
    held++;
  }
  assert_true(held == 16);
  /* Frozen in flight, released at rest. */
  dem_id moving = 0;
  for (int64_t i = 0; i < before.count && !moving; i++)
    if (!frozen[i]) moving = before.ids[i];
  double v[3];
  ASSERT_OK(r.system, dem_system_set_frozen(r.system, 1, &moving, 1));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, &moving, v, 0));
  assert_true(v[0] == 0 && v[1] == 0 && v[2] == 0);
  ASSERT_OK(r.system, dem_system_set_frozen(r.system, 1, &moving, 0));
  ASSERT_OK(r.system, dem_system_step(r.system, 50));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, &moving, v, 0));
  assert_true(v[0] != 0 || v[2] != 0);
  snapshot_free(&before);
  snapshot_free(&after);
  world_close(&r);
}

/* ---- views ---- */

static dem_view fresh_view(void) {
  dem_view v;
  memset(&v, 0, sizeof v);
  v.struct_size = sizeof v;
  return v;
}

static void many_readers_or_one_writer(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "settling", NULL);
  dem_view a = fresh_view(), b = fresh_view(), w = fresh_view();
  dem_id ids[200];
  ASSERT_OK(r.system, dem_system_ids(r.system, 200, ids));
  ASSERT_OK(r.system, dem_system_step(r.system, 10));
  ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_POSITION, DEM_READ, &a));
  ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_POSITION, DEM_READ, &b));
  assert_ptr_equal(a.data, b.data);
  assert_int_equal(a.count, 120);
  assert_int_equal(a.components, 3);
  assert_true(a.stride >= 3);
  ASSERT_STATUS(r.system, dem_view_acquire(r.system, DEM_POSITION, DEM_WRITE, &w), DEM_BUSY);
  ASSERT_STATUS(r.system, dem_system_step(r.system, 1), DEM_BUSY);
  ASSERT_STATUS(r.system, dem_system_remove_particles(r.system, 1, ids), DEM_BUSY);
  rows more;
  assert_int_equal(rows_create(&more, 1), 0);
  rows_put(&more, 1, 1, 90, 0.4);
  ASSERT_STATUS(r.system, rows_add(&more, r.system, NULL), DEM_BUSY);
  rows_destroy(&more);
  ASSERT_OK(r.system, dem_view_release(r.system, &a));
  ASSERT_STATUS(r.system, dem_system_step(r.system, 1), DEM_BUSY);
  ASSERT_OK(r.system, dem_view_release(r.system, &b));
  assert_null(b.data);
  ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_POSITION, DEM_WRITE, &w));
  a = fresh_view();
  ASSERT_STATUS(r.system, dem_view_acquire(r.system, DEM_POSITION, DEM_READ, &a), DEM_BUSY);
  ASSERT_OK(r.system, dem_view_release(r.system, &w));
  ASSERT_OK(r.system, dem_system_step(r.system, 1));
  world_close(&r);
}

/* Rows of views are named by ids and hold what get gives. */
static void a_view_shows_what_get_gives(void **state) {
  (void)state;
  static const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN,       DEM_FORCE,
                                   DEM_TORQUE,   DEM_RADIUS,   DEM_HOST_FORCE, DEM_HOST_TORQUE};
  world r;
  world_open_scene(&r, "settling", NULL); /* open axes: positions are not wrapped */
  ASSERT_OK(r.system, dem_system_step(r.system, 1500));
  for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
    dem_view v = fresh_view();
    ASSERT_OK(r.system, dem_view_acquire(r.system, fields[k], DEM_READ, &v));
    for (int64_t i = 0; i < v.count; i++) {
      double value[3];
      ASSERT_OK(r.system, dem_system_get_field(r.system, fields[k], 1, v.ids + i, value, 0));
      ASSERT_BITS(value, v.data + i * v.stride, (size_t)v.components * sizeof(double));
    }
    ASSERT_OK(r.system, dem_view_release(r.system, &v));
  }
  world_close(&r);
}

static void writing_through_a_view(void **state) {
  (void)state;
  world r;
  double x[3];
  world_open_scene(&r, "settling", NULL);
  dem_view v = fresh_view();
  ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_VELOCITY, DEM_WRITE, &v));
  const dem_id id = v.ids[5];
  v.data[5 * v.stride] = 42;
  ASSERT_OK(r.system, dem_view_release(r.system, &v));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, &id, x, 0));
  assert_true(x[0] == 42);
  /* A NaN left behind poisons. */
  v = fresh_view();
  ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_VELOCITY, DEM_WRITE, &v));
  v.data[7 * v.stride + 1] = NAN;
  ASSERT_STATUS(r.system, dem_view_release(r.system, &v), DEM_FAILED_NOT_FINITE);
  ASSERT_STATUS(r.system, dem_system_step(r.system, 1), DEM_POISONED);
  ASSERT_STATUS(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, &id, x, 0), DEM_POISONED);
  world_close(&r);
}

static void the_epoch_tells_when_rows_move(void **state) {
  (void)state;
  world r;
  int64_t a, b;
  dem_id ids[200];
  world_open_scene(&r, "settling", NULL);
  ASSERT_OK(r.system, dem_system_step(r.system, 1));
  ASSERT_OK(r.system, dem_system_epoch(r.system, &a));
  ASSERT_OK(r.system, dem_system_ids(r.system, 200, ids));
  ASSERT_OK(r.system, dem_system_remove_particles(r.system, 1, ids));
  ASSERT_OK(r.system, dem_system_epoch(r.system, &b));
  assert_true(a != b);
  /* As long as the epoch stays, so do the rows. */
  dem_view before = fresh_view();
  ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_RADIUS, DEM_READ, &before));
  memcpy(ids, before.ids, (size_t)before.count * sizeof ids[0]);
  a = before.epoch;
  ASSERT_OK(r.system, dem_view_release(r.system, &before));
  for (int k = 0; k < 400; k++) {
    dem_view now = fresh_view();
    ASSERT_OK(r.system, dem_system_step(r.system, 5));
    ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_RADIUS, DEM_READ, &now));
    if (now.epoch == a) ASSERT_BITS(ids, now.ids, (size_t)now.count * sizeof ids[0]);
    memcpy(ids, now.ids, (size_t)now.count * sizeof ids[0]);
    a = now.epoch;
    ASSERT_OK(r.system, dem_view_release(r.system, &now));
  }
  world_close(&r);
}

/* ---- bulk get and set ---- */

static void bulk_access_with_stride_and_ids(void **state) {
  (void)state;
  world r;
  world_open_scene(&r, "settling", NULL);
  double wide[120][5], packed[120][3], one[3];
  dem_id ids[120];
  for (int i = 0; i < 120; i++) wide[i][3] = wide[i][4] = -7;
  ASSERT_OK(r.system, dem_system_ids(r.system, 120, ids));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_POSITION, 120, NULL, &wide[0][0], 5));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_POSITION, 120, ids, &packed[0][0], 0));
  for (int i = 0; i < 120; i++) {
    ASSERT_BITS(wide[i], packed[i], sizeof packed[i]);
    assert_true(wide[i][3] == -7 && wide[i][4] == -7);
    ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_POSITION, 1, ids + i, one, 0));
    ASSERT_BITS(one, packed[i], sizeof one);
    for (int k = 0; k < 3; k++) wide[i][k] = i + 0.25 * k;
  }
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_SPIN, 120, NULL, &wide[0][0], 5));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_SPIN, 120, NULL, &packed[0][0], 0));
  for (int i = 0; i < 120; i++) ASSERT_BITS(wide[i], packed[i], sizeof packed[i]);
  world_close(&r);
}

/* A new radius at constant density: mass as R^3, inertia as R^5. */
static void radius_sets_mass_and_inertia(void **state) {
  (void)state;
  world r;
  double radius, mass[2], inertia[2];
  world_open_scene(&r, "oblique", NULL);
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_RADIUS, 1, NULL, &radius, 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_MASS, 1, NULL, &mass[0], 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_INERTIA, 1, NULL, &inertia[0], 0));
  radius *= 2;
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_RADIUS, 1, NULL, &radius, 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_MASS, 1, NULL, &mass[1], 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_INERTIA, 1, NULL, &inertia[1], 0));
  ASSERT_REL(mass[1], 8 * mass[0], 1e-15);
  ASSERT_REL(inertia[1], 32 * inertia[0], 1e-15);
  world_close(&r);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_repeats_bit_for_bit),
      cmocka_unit_test(steps_may_be_taken_one_by_one),
      cmocka_unit_test(the_ledger_only_looks_on),
      cmocka_unit_test(a_cancelled_run_resumes),
      cmocka_unit_test(progress_is_called_as_often_as_asked),
      cmocka_unit_test(run_until_ends_exactly),
      cmocka_unit_test(run_until_takes_equal_steps),
      cmocka_unit_test(a_stranger_far_away_changes_nothing),
      cmocka_unit_test(removal_removes_contacts_and_forces),
      cmocka_unit_test(ids_go_stale),
      cmocka_unit_test(frozen_never_move),
      cmocka_unit_test(many_readers_or_one_writer),
      cmocka_unit_test(a_view_shows_what_get_gives),
      cmocka_unit_test(writing_through_a_view),
      cmocka_unit_test(the_epoch_tells_when_rows_move),
      cmocka_unit_test(bulk_access_with_stride_and_ids),
      cmocka_unit_test(radius_sets_mass_and_inertia),
  };
  return cmocka_run_group_tests_name("lifecycle", tests, NULL, NULL);
}
