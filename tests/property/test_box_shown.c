/* What a host reads of a box that is sheared for long, at any time between two lists: a tilt of at most half a length, and positions,
 * image counts and velocities that belong to that box. Lists last long in such a flow, so the box inside leans far beyond half between
 * two of them. */
#include "assertions.h"

#include <stdlib.h>

#include "moving_box.h"
#include "state.h"
#include "unit/test_io_bytes.h"

enum { MOST = 125 };

static const double SHEAR[6] = {0, 0, 0, 4, 0, 0}, BACK[6] = {0, 0, 0, -5, 3, 0}, ALL[6] = {-0.1, 0.05, 0.05, 4, -6, 5};

/* Soft smooth spheres, so that positions alone tell the stored energy. They flow with the box. */
static void open_flow(world *w, const double rate[6], int32_t dimension) {
  moving_box b = moving_box_defaults();
  dem_law_options law;
  scene_smooth_hooke(&law);
  b.dimension = dimension, b.side = dimension == 3 ? 5 : 9;
  b.skin = 0.5, b.dt = 5e-4;
  moving_box_open(w, &b, &law);
  moving_box_drive(w, rate);
  const double middle = 0.5 * b.side * b.spacing;
  moving_box_flow(w, rate, (double[3]){middle, middle, dimension == 3 ? middle : 0});
}

static dem_box box_of(const world *w) {
  dem_box box;
  assert_int_equal(dem_box_init(&box, sizeof box), DEM_OK);
  ASSERT_OK(w->system, dem_system_get_box(w->system, &box));
  return box;
}

static double length_of(const dem_box *box, int axis) { return box->high[axis] - box->low[axis]; }

/* 1: the edges that the engine uses now are not those that the host reads. */
static int check_tilt(const world *w) {
  const dem_box box = box_of(w);
  const double half = 0.5 * (1 + 1e-12), *t = box.tilt;
  assert_true(fabs(t[0]) <= half * length_of(&box, 0) && fabs(t[1]) <= half * length_of(&box, 0));
  assert_true(fabs(t[2]) <= half * length_of(&box, 1));
  return memcmp(box.tilt, w->system->box.tilt, sizeof box.tilt) != 0;
}

/* ---- files ---- */

static double normal_energy(const dem_energy *e) { return e->potential_normal[0] + e->potential_normal[1]; }

/* A system in which the contacts are those of a data file of `from`, in a box at rest. */
static void load(const world *from, world *w) {
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  dem_data *data;
  dem_particles p = {.struct_size = sizeof p};
  dem_system_options o;
  dem_law_options law;
  ASSERT_OK(from->system, dem_system_write_data(from->system, &sink));
  assert_int_equal(world_open_context(w, NULL), DEM_OK);
  const dem_source source = bytes_source(&b);
  assert_int_equal(dem_data_read(w->context, &source, &data), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  assert_int_equal(dem_data_box(data, o.box_low, o.box_high), DEM_OK);
  assert_int_equal(dem_data_tilt(data, o.box_tilt), DEM_OK);
  for (int a = 0; a < 3; a++) o.periodic[a] = from->system->box.periodic[a];
  o.dimension = from->system->options.dimension;
  o.dt = from->system->options.dt;
  o.ledger = 1;
  if (dem_system_create(w->context, &o, &w->system)) fail_msg("%s", dem_context_message(w->context));
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  scene_smooth_hooke(&law);
  ASSERT_OK(w->system, scene_set_law(w->context, w->system, 0, 0, &law));
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_particles(w->system, &p, NULL));
  dem_data_destroy(data);
  bytes_clear(&b);
}

/* Of the present positions. */
static int64_t contacts_of(const world *w) {
  dem_statics_options o;
  dem_statics statics;
  assert_int_equal(dem_statics_options_init(&o, sizeof o), DEM_OK);
  assert_int_equal(dem_statics_init(&statics, sizeof statics), DEM_OK);
  ASSERT_OK(w->system, dem_system_statics(w->system, &o, &statics));
  return world_contacts(w);
}

static void every_file_loads_again(void **state) {
  (void)state;
  const double *const rates[3] = {SHEAR, BACK, ALL};
  int leaning = 0;
  for (int k = 0; k < 4; k++) {
    world w;
    open_flow(&w, rates[k % 3], k < 3 ? 3 : 2);
    if (k == 3) moving_box_drive(&w, SHEAR);
    for (int n = 0; n < 60; n++) {
      world again;
      ASSERT_OK(w.system, dem_system_step(w.system, 10));
      leaning += check_tilt(&w);
      load(&w, &again);
      const int64_t here = contacts_of(&w), there = contacts_of(&again);
      const dem_energy e = world_energy(&w), f = world_energy(&again);
      assert_true(here > 0);
      assert_int_equal(there, here);
      ASSERT_REL(f.kinetic_linear, e.kinetic_linear, 1e-13);
      ASSERT_REL(f.kinetic_angular, e.kinetic_angular, 1e-13);
      assert_true(normal_energy(&e) > 0);
      ASSERT_REL(normal_energy(&f), normal_energy(&e), 1e-10); /* of overlaps that are 1e-4 of a distance */
      world_close(&again);
    }
    world_close(&w);
  }
  print_message("# the box leaned too far inside at %d of 240 files\n", leaning);
  assert_true(leaning > 4);
}

/* ---- fields ---- */

typedef struct reading {
  dem_box box;
  double x[3 * MOST], v[3 * MOST];
  int32_t image[3 * MOST];
} reading;

static void read_all(const world *w, reading *r) {
  r->box = box_of(w);
  world_read(w, DEM_POSITION, r->x);
  world_read(w, DEM_VELOCITY, r->v);
  ASSERT_OK(w->system, dem_system_get_field_int(w->system, DEM_IMAGE, world_statistics(w).particles, NULL, r->image, 0));
}

/* H n of particle k. */
static void offset_of(const reading *r, int64_t k, double out[3]) {
  const int32_t *n = r->image + 3 * k;
  const double *t = r->box.tilt;
  out[0] = n[0] * length_of(&r->box, 0) + n[1] * t[0] + n[2] * t[1];
  out[1] = n[1] * length_of(&r->box, 1) + n[2] * t[2];
  out[2] = n[2] * length_of(&r->box, 2);
}

/* x + H n moves with v + L H n, whatever edges n counts: over a step by its mean over the step, up to terms of dt^2. A wrong count would
 * be off by an edge. */
static void unwrapped_paths_are_smooth(void **state) {
  (void)state;
  static reading r[2];
  world w;
  int leaning = 0;
  double worst = 0;
  open_flow(&w, ALL, 3);
  read_all(&w, &r[0]);
  for (int n = 1; n <= 600; n++) {
    const reading *before = &r[(n + 1) % 2];
    reading *now = &r[n % 2];
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    leaning += check_tilt(&w);
    read_all(&w, now);
    for (int64_t k = 0; k < MOST; k++) {
      double from[3], to[3], from_flow[3], to_flow[3];
      offset_of(before, k, from), offset_of(now, k, to);
      demi_box_image_velocity(ALL, from, from_flow), demi_box_image_velocity(ALL, to, to_flow);
      for (int a = 0; a < 3; a++) {
        const double moved = now->x[3 * k + a] + to[a] - before->x[3 * k + a] - from[a];
        const double speed = 0.5 * (now->v[3 * k + a] + to_flow[a] + before->v[3 * k + a] + from_flow[a]);
        worst = fmax(worst, fabs(moved - speed * 5e-4));
      }
    }
  }
  print_message("# largest deviation from a smooth path %.1e, %d of 600 states leaned inside\n", worst, leaning);
  ASSERT_BELOW(worst, 1e-3);
  assert_true(leaning > 4);
  world_close(&w);
}

/* Steps until the box leans too far inside. */
static void lean(const world *w) {
  for (int n = 0; n < 2000; n++) {
    ASSERT_OK(w->system, dem_system_step(w->system, 1));
    if (check_tilt(w)) return;
  }
  fail();
}

static void assert_same(const reading *a, const reading *b, double bound) {
  for (int k = 0; k < 3 * MOST; k++) {
    ASSERT_ABS(a->x[k], b->x[k], bound);
    ASSERT_ABS(a->v[k], b->v[k], bound * 40);
    assert_int_equal(a->image[k], b->image[k]);
  }
}

/* The box given back, the motion set anew or ended, and velocities written as read: no reading changes, no energy, no contact. */
static void what_is_read_can_be_given_back(void **state) {
  (void)state;
  static reading before, after;
  for (int call = 0; call < 5; call++) {
    world w;
    open_flow(&w, ALL, 3);
    for (int times = 0; times < 3; times++) {
      lean(&w);
      read_all(&w, &before);
      const dem_energy e = world_energy(&w);
      if (call < 2) ASSERT_OK(w.system, dem_system_set_box(w.system, &before.box, call));
      if (call == 2) moving_box_drive(&w, ALL);
      if (call == 3) world_write(&w, DEM_VELOCITY, before.v);
      if (call == 4) ASSERT_OK(w.system, dem_system_set_box_motion(w.system, NULL));
      read_all(&w, &after);
      assert_same(&before, &after, 1e-13);
      const dem_energy f = world_energy(&w);
      ASSERT_REL(f.kinetic_linear, e.kinetic_linear, 1e-12);
      check_tilt(&w);
      ASSERT_OK(w.system, dem_system_step(w.system, 1));
      ASSERT_REL(normal_energy(&f) + f.kinetic_linear, normal_energy(&e) + e.kinetic_linear, 1e-12);
      world_assert_closed(&w, "given back");
      if (call == 4) moving_box_drive(&w, ALL);
    }
    world_close(&w);
  }
}

/* A position that is set has counts of 0; a new particle has the counts that it was given, at its place. */
static void counts_are_those_of_the_box_that_is_read(void **state) {
  (void)state;
  static reading r;
  world w;
  dem_particles p;
  dem_id id;
  int32_t image[3] = {3, -2, 1}, got[3];
  double x[3], back[3];
  const double radius = 0.3, density = 2;
  open_flow(&w, SHEAR, 3);
  lean(&w);
  read_all(&w, &r);
  world_write(&w, DEM_POSITION, r.x);
  read_all(&w, &r);
  for (int k = 0; k < 3 * MOST; k++) assert_int_equal(r.image[k], 0);
  lean(&w);
  const dem_box box = box_of(&w);
  for (int k = 0; k < 20; k++) { /* from corner to corner, all within the box that is read */
    const double s[3] = {(k + 0.5) / 20, k % 2 ? 0.02 : 0.98, 0.5};
    x[0] = s[0] * length_of(&box, 0) + s[1] * box.tilt[0] + s[2] * box.tilt[1];
    x[1] = s[1] * length_of(&box, 1) + s[2] * box.tilt[2];
    x[2] = s[2] * length_of(&box, 2);
    dem_particles_init(&p, sizeof p);
    p.count = 1, p.position = x, p.radius = &radius, p.density = &density, p.image = image;
    ASSERT_OK(w.system, dem_system_add_particles(w.system, &p, &id));
    world_read_one(&w, id, DEM_POSITION, back);
    ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 1, &id, got, 0));
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(back[a], x[a], 1e-13);
      assert_int_equal(got[a], image[a]);
    }
  }
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_file_loads_again),
      cmocka_unit_test(unwrapped_paths_are_smooth),
      cmocka_unit_test(what_is_read_can_be_given_back),
      cmocka_unit_test(counts_are_those_of_the_box_that_is_read),
  };
  return cmocka_run_group_tests_name("box_shown", tests, NULL, NULL);
}
