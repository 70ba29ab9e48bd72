/* Systems that are refused: options at creation, planes, time, structs of another size; and steps of a system that cannot be
 * advanced. */
#include "assertions.h"

#include <stdio.h>

#include "fault/bed.h"
#include "scenes/scenes.h"

/* ---- options of a system ---- */

static dem_status create(bed *b, const dem_system_options *o) { return dem_system_create(b->context, o, &b->poor); }

#define CREATE(name, change) \
  ACTION(name) {             \
    dem_system_options o;    \
    bed_options(&o);         \
    change;                  \
    return create(b, &o);    \
  }
CREATE(dt_zero, o.dt = 0)
CREATE(dt_negative, o.dt = -0.25)
CREATE(dt_nan, o.dt = NAN)
CREATE(dt_infinite, o.dt = INFINITY)
CREATE(dimension_4, o.dimension = 4)
CREATE(shape_unknown, o.shape = 7)
CREATE(disc_in_space, o.shape = DEM_SHAPE_DISC)
CREATE(arms_unknown, o.arms = 9)
CREATE(transport_unknown, o.transport = -3)
CREATE(threads_zero, o.threads = 0)
CREATE(threads_many, o.threads = 257)
CREATE(ledger_3, o.ledger = 3)
CREATE(periodic_2, o.periodic[1] = 2)
CREATE(periodic_empty, o.periodic[1] = 1)
CREATE(box_reversed, o.box_high[2] = -3)
CREATE(box_nan, o.box_low[0] = NAN)
CREATE(gravity_nan, o.gravity[1] = NAN)
CREATE(gravity_out_of_plane, o.dimension = 2)
CREATE(skin_negative, o.skin = -0.5)
CREATE(drag_negative, o.drag = -2)
CREATE(options_size_zero, o.struct_size = 0)
CREATE(options_size_small, o.struct_size = 20)

/* ---- walls ---- */

#define PLANE(name, change)                          \
  ACTION(name) {                                     \
    dem_wall p;                                      \
    dem_wall_init(&p, sizeof p);                     \
    p.axis[2] = 1;                                   \
    change;                                          \
    return dem_system_add_wall(b->system, &p, NULL); \
  }
PLANE(normal_not_unit, p.axis[2] = 1.5)
PLANE(normal_zero, p.axis[2] = 0)
PLANE(normal_periodic, p.axis[2] = 0; p.axis[0] = 1)
PLANE(point_nan, p.position[1] = NAN)
PLANE(plane_material, p.material = 44)

ACTION(wall_unknown) { return dem_system_remove_wall(b->system, 4711); }

ACTION(wall_state_unknown) {
  dem_wall_state state;
  dem_wall_state_init(&state, sizeof state);
  return dem_system_wall_state(b->system, 4711, &state);
}

/* ---- time ---- */

ACTION(steps_negative) { return dem_system_step(b->system, -4); }
ACTION(past) { return dem_system_run_until(b->system, 0.001); }
ACTION(time_nan) { return dem_system_run_until(b->system, NAN); }
ACTION(set_dt_zero) { return dem_system_set_dt(b->system, 0); }
ACTION(set_dt_nan) { return dem_system_set_dt(b->system, NAN); }

ACTION(set_gravity_nan) {
  const double g[3] = {0, NAN, 0};
  return dem_system_set_gravity(b->system, g);
}

static int32_t never(void *user, const dem_progress *p) {
  (void)user;
  (void)p;
  return 0;
}

ACTION(progress_every_0) { return dem_system_set_progress(b->system, 0, never, NULL); }

/* ---- structs ---- */

ACTION(statistics_size) {
  dem_statistics st = {.struct_size = 12};
  return dem_system_statistics(b->system, &st);
}

ACTION(energy_size) {
  dem_energy e = {.struct_size = 5000};
  return dem_system_energy(b->system, &e);
}

ACTION(plane_size) {
  dem_wall p = {.struct_size = 4};
  return dem_system_add_wall(b->system, &p, NULL);
}

static const bed_refusal table[] = {
    {"dt zero", dt_zero, DEM_BAD_ARGUMENT, {"dt", "is 0", "> 0"}},
    {"dt negative", dt_negative, DEM_BAD_ARGUMENT, {"dt", "-0.25", "> 0"}},
    {"dt NaN", dt_nan, DEM_BAD_ARGUMENT, {"dt", "nan", "> 0"}},
    {"dt infinite", dt_infinite, DEM_BAD_ARGUMENT, {"dt", "inf", "finite"}},
    {"dimension", dimension_4, DEM_BAD_ARGUMENT, {"dimension", "4", "2 to 3"}},
    {"shape", shape_unknown, DEM_BAD_ARGUMENT, {"shape", "7", "0 to 1"}},
    {"disc in 3-D", disc_in_space, DEM_BAD_ARGUMENT, {"shape", "3", "2"}},
    {"arms", arms_unknown, DEM_BAD_ARGUMENT, {"arms", "9", "0 to 2"}},
    {"transport", transport_unknown, DEM_BAD_ARGUMENT, {"transport", "-3", "0 to 1"}},
    {"threads 0", threads_zero, DEM_BAD_ARGUMENT, {"threads", "0", "1 to 256"}},
    {"threads 257", threads_many, DEM_BAD_ARGUMENT, {"threads", "257", "1 to 256"}},
    {"ledger", ledger_3, DEM_BAD_ARGUMENT, {"ledger", "3", "0 to 2"}},
    {"periodic", periodic_2, DEM_BAD_ARGUMENT, {"periodic", "2", "0 to 1"}},
    {"empty periodic axis", periodic_empty, DEM_BAD_ARGUMENT, {"periodic", "axis 1", "0", "> 0"}},
    {"box reversed", box_reversed, DEM_BAD_ARGUMENT, {"box", "2", "-3"}},
    {"box NaN", box_nan, DEM_BAD_ARGUMENT, {"box", "0", "nan", "finite"}},
    {"gravity NaN", gravity_nan, DEM_BAD_ARGUMENT, {"gravity", "1", "nan", "finite"}},
    {"gravity out of the plane", gravity_out_of_plane, DEM_BAD_ARGUMENT, {"gravity", "-10", "0"}},
    {"skin negative", skin_negative, DEM_BAD_ARGUMENT, {"skin", "-0.5", ">= 0"}},
    {"drag negative", drag_negative, DEM_BAD_ARGUMENT, {"drag", "-2", ">= 0"}},
    {"options of size 0", options_size_zero, DEM_BAD_STRUCT, {"struct_size", "0"}},
    {"options of size 20", options_size_small, DEM_BAD_STRUCT, {"struct_size", "20"}},

    {"normal not of length 1", normal_not_unit, DEM_BAD_ARGUMENT, {"axis", "1.5", "1e-12"}},
    {"normal zero", normal_zero, DEM_BAD_ARGUMENT, {"axis", "0", "1e-12"}},
    {"normal along a periodic axis", normal_periodic, DEM_BAD_ARGUMENT, {"axis[0]", "1", "periodic"}},
    {"point NaN", point_nan, DEM_BAD_ARGUMENT, {"position[1]", "nan", "finite"}},
    {"wall of no material", plane_material, DEM_NOT_FOUND, {"material", "44", "3"}},
    {"wall unknown", wall_unknown, DEM_NOT_FOUND, {"wall", "4711"}},
    {"state of an unknown wall", wall_state_unknown, DEM_NOT_FOUND, {"wall", "4711"}},

    {"steps negative", steps_negative, DEM_BAD_ARGUMENT, {"steps", "-4", ">= 0"}},
    {"time past", past, DEM_BAD_ARGUMENT, {"time", "0.001", "0.002"}},
    {"time NaN", time_nan, DEM_BAD_ARGUMENT, {"time", "nan", "0.002"}},
    {"set dt 0", set_dt_zero, DEM_BAD_ARGUMENT, {"dt", "is 0", "> 0"}},
    {"set dt NaN", set_dt_nan, DEM_BAD_ARGUMENT, {"dt", "nan", "> 0"}},
    {"set gravity NaN", set_gravity_nan, DEM_BAD_ARGUMENT, {"gravity[1]", "nan", "finite"}},
    {"progress every 0", progress_every_0, DEM_BAD_ARGUMENT, {"every", "0", ">= 1"}},

    {"statistics of size 12", statistics_size, DEM_BAD_STRUCT, {"struct_size", "12"}},
    {"energy of size 5000", energy_size, DEM_BAD_STRUCT, {"struct_size", "5000"}},
    {"plane of size 4", plane_size, DEM_BAD_STRUCT, {"struct_size", "4"}},
};

static void every_row_is_refused_with_item_value_and_limit(void **state) {
  (void)state;
  bed_check_refusals(table, sizeof table / sizeof *table);
}

/* ---- cases that need a system of their own ---- */

static dem_system *boxed(bed *b, double length, double skin) {
  dem_system_options o;
  rows r;
  bed_options(&o);
  o.box_high[0] = length;
  o.skin = skin;
  assert_int_equal(dem_system_create(b->context, &o, &b->poor), DEM_OK);
  ASSERT_OK(b->poor, dem_system_add_material(b->poor, NULL, NULL));
  ASSERT_OK(b->poor, dem_system_set_law(b->poor, 0, 0, b->law));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 0, 5, 0.5);
  ASSERT_OK(b->poor, rows_add(&r, b->poor, NULL));
  rows_destroy(&r);
  return b->poor;
}

/* Twice the range: diameter 1 plus skin 0.1. */
static void a_box_too_small_stops_the_first_step(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  dem_system *s = boxed(&b, 2.19, 0.1);
  ASSERT_STATUS(s, dem_system_step(s, 1), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "box", "2.19", "2.2");
  dem_system_destroy(s);
  s = boxed(&b, 2.21, 0.1);
  ASSERT_OK(s, dem_system_step(s, 1));
  dem_system_destroy(s);
  bed_close(&b);
}

static void a_skin_too_large_stops_the_first_step(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  dem_system *s = boxed(&b, 1000, 50);
  ASSERT_STATUS(s, dem_system_step(s, 1), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "skin", "50", "10");
  dem_system_destroy(s);
  bed_close(&b);
}

/* Above the limit: a warning with the number, once; the step is done. Two equal spheres of mass 1 on a wall of stiffness k =
 * 1e5: omega = sqrt(k/m*), velocity-Verlet is stable for omega dt < 2. */
static void a_large_dt_is_warned_of_with_the_number(void **state) {
  (void)state;
  bed b;
  double limit;
  char number[32];
  bed_open(&b);
  ASSERT_OK(b.system, dem_system_stable_dt(b.system, &limit));
  /* The stiffest pair: m* = 1/2 of two movers. A wall contact has m* = 1. Damping may lower the limit a little. */
  const double exact = 2 / sqrt(1e5 / 0.5);
  assert_true(limit > 0.5 * exact && limit <= exact * (1 + 1e-12));
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 1.01 * limit));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  snprintf(number, sizeof number, "%.3g", limit);
  number[6] = 0; /* the leading digits, however many the message prints */
  ASSERT_WORDS(b.log, "dt", number, "limit");
  /* Stable but coarse: the contact time is pi/2 of the limit without damping, and a fifteenth of it is asked for. */
  b.log[0] = 0;
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 0.5 * limit));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  ASSERT_WORDS(b.log, "dt", "1/15", "contact time");
  b.log[0] = 0;
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 0.1 * limit));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  assert_string_equal(b.log, "");
  bed_close(&b);
}

static dem_system *flat(bed *b) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dimension = 2;
  o.dt = 1e-4;
  assert_int_equal(dem_system_create(b->context, &o, &b->poor), DEM_OK);
  ASSERT_OK(b->poor, dem_system_add_material(b->poor, NULL, NULL));
  return b->poor;
}

/* In two dimensions nothing leaves the plane, and what would is refused. */
static void two_dimensions_refuse_the_third(void **state) {
  (void)state;
  bed b;
  rows r;
  bed_open(&b);
  dem_system *s = flat(&b);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, 0, 0.5);
  rows_velocity(&r, 0, 0, 0, 0.5);
  ASSERT_STATUS(s, rows_add(&r, s, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "particle 0", "velocity[2]", "0.5", "2 dimensions");
  rows_velocity(&r, 0, 1, 0, 0);
  rows_spin(&r, 0, 0.25, 0, 0);
  ASSERT_STATUS(s, rows_add(&r, s, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "particle 0", "spin", "0.25", "2 dimensions");
  rows_spin(&r, 0, 0, 0, 1);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  const double out[3] = {0, 0, 0.5}, g[3] = {0, 0, -9.81};
  ASSERT_STATUS(s, dem_system_set_field(s, DEM_VELOCITY, 1, NULL, out, 0), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "DEM_VELOCITY", "0.5");
  ASSERT_STATUS(s, dem_system_set_gravity(s, g), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "gravity", "-9.81");
  ASSERT_STATUS(s, scene_add_plane(s, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}), DEM_BAD_ARGUMENT);
  int64_t n;
  ASSERT_OK(s, dem_system_particle_count(s, &n));
  assert_int_equal(n, 1);
  dem_system_destroy(s);
  bed_close(&b);
}

/* The synchronised scheme has its own transport of springs. */
static void a_transport_that_is_not_read_is_refused(void **state) {
  (void)state;
  bed b;
  dem_system_options o;
  bed_open(&b);
  bed_options(&o);
  o.transport = DEM_TRANSPORT_PROJECT;
  ASSERT_OK(b.system, dem_system_create(b.context, &o, &b.poor));
  ASSERT_STATUS(b.poor, dem_system_set_integrator_name(b.poor, "improved-velocity-verlet"), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b.poor), "improved-velocity-verlet", "transport is 1", "transport 0", "");
  ASSERT_OK(b.poor, dem_system_set_integrator_name(b.poor, "euler"));
  assert_int_equal(dem_system_destroy(b.poor), DEM_OK);
  ASSERT_OK(b.system, dem_system_set_integrator_name(b.system, "improved-velocity-verlet"));
  bed_close(&b);
}

static void reserved_numbers_of_a_system_are_refused(void **state) {
  (void)state;
  bed b;
  dem_system_options o;
  dem_system *none = NULL;
  bed_open(&b);
  bed_options(&o);
  o.reserved_zero = 3;
  assert_int_equal(dem_system_create(b.context, &o, &none), DEM_UNSUPPORTED);
  ASSERT_WORDS(dem_context_message(b.context), "system", "reserved_zero", "3", "0");
  bed_close(&b);
}

/* ---- NULL ---- */

/* The calls of dem/system.h and dem/wall.h without a system. */
static void calls_without_a_system_are_refused(void **state) {
  (void)state;
  double x[3] = {0, 0, 0};
  int32_t number = 0;
  int64_t count = 0;
  dem_id id = 1;
  dem_box box = {.struct_size = sizeof box};
  dem_wall wall = {.struct_size = sizeof wall};
  dem_wall_state wall_state = {.struct_size = sizeof wall_state};
  dem_statistics statistics = {.struct_size = sizeof statistics};
  dem_contact contact;
  const dem_status statuses[] = {
      dem_system_add_material(NULL, NULL, NULL),
      dem_system_set_integrator_name(NULL, "euler"),
      dem_system_set_dt(NULL, 1e-3),
      dem_system_set_gravity(NULL, x),
      dem_system_set_progress(NULL, 1, NULL, NULL),
      dem_system_set_before_step(NULL, NULL, NULL),
      dem_system_get_box(NULL, &box),
      dem_system_set_box(NULL, &box, 0),
      dem_system_remove_particles(NULL, 1, &id),
      dem_system_set_frozen(NULL, 1, &id, 1),
      dem_system_set_frozen_motion(NULL, 1, &id, x, x),
      dem_system_add_column(NULL, "mine", 1, &number),
      dem_system_set_field(NULL, DEM_POSITION, 1, &id, x, 0),
      dem_system_set_field_int(NULL, DEM_MATERIAL, 1, &id, &number, 0),
      dem_system_get_field(NULL, DEM_POSITION, 1, &id, x, 0),
      dem_system_get_field_int(NULL, DEM_MATERIAL, 1, &id, &number, 0),
      dem_system_ids(NULL, 1, &id),
      dem_system_index_of(NULL, 1, &id, &count),
      dem_system_id_at(NULL, 1, &count, &id),
      dem_system_particle_count(NULL, &count),
      dem_system_step(NULL, 1),
      dem_system_run_until(NULL, 1),
      dem_system_time(NULL, x),
      dem_system_stable_dt(NULL, x),
      dem_system_check(NULL),
      dem_system_contact_count(NULL, &count),
      dem_system_contacts(NULL, 1, &contact, sizeof contact),
      dem_system_statistics(NULL, &statistics),
      dem_system_epoch(NULL, &count),
      dem_system_set_wall_motion(NULL, 0, &wall),
      dem_system_remove_wall(NULL, 0),
      dem_system_wall_state(NULL, 0, &wall_state),
  };
  for (size_t k = 0; k < sizeof statuses / sizeof *statuses; k++)
    if (statuses[k] != DEM_BAD_ARGUMENT) fail_msg("call %d returns %d", (int)k, (int)statuses[k]);
}

static void assert_named(const bed *b, dem_status status, const char *name) {
  assert_int_equal(status, DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b->system), name, "NULL");
}

static void missing_arguments_are_named(void **state) {
  (void)state;
  int64_t count = 0;
  dem_id id = 1;
  bed b;
  bed_open(&b);
  dem_system *s = b.system;
  assert_named(&b, dem_system_set_law(s, 0, 0, NULL), "law");
  assert_named(&b, dem_system_set_integrator(s, NULL), "integrator");
  assert_named(&b, dem_system_set_integrator_name(s, NULL), "name");
  assert_named(&b, dem_system_set_gravity(s, NULL), "gravity");
  assert_named(&b, dem_system_get_box(s, NULL), "box");
  assert_named(&b, dem_system_set_box(s, NULL, 0), "box");
  assert_named(&b, dem_system_add_particles(s, NULL, NULL), "particles");
  assert_named(&b, dem_system_remove_particles(s, 1, NULL), "ids");
  assert_named(&b, dem_system_set_frozen(s, 1, NULL, 1), "ids");
  assert_named(&b, dem_system_add_column(s, NULL, 1, (int32_t[]){0}), "name");
  assert_named(&b, dem_system_add_column(s, "mine", 1, NULL), "column");
  assert_named(&b, dem_system_set_field(s, DEM_POSITION, 1, &id, NULL, 0), "values");
  assert_named(&b, dem_system_set_field_int(s, DEM_MATERIAL, 1, &id, NULL, 0), "values");
  assert_named(&b, dem_system_get_field(s, DEM_POSITION, 1, &id, NULL, 0), "values");
  assert_named(&b, dem_system_get_field_int(s, DEM_MATERIAL, 1, &id, NULL, 0), "values");
  assert_named(&b, dem_system_ids(s, 1, NULL), "ids");
  assert_named(&b, dem_system_index_of(s, 1, NULL, &count), "ids");
  assert_named(&b, dem_system_index_of(s, 1, &id, NULL), "indices");
  assert_named(&b, dem_system_id_at(s, 1, NULL, &id), "indices");
  assert_named(&b, dem_system_id_at(s, 1, &count, NULL), "ids");
  assert_named(&b, dem_system_particle_count(s, NULL), "count");
  assert_named(&b, dem_system_time(s, NULL), "time");
  assert_named(&b, dem_system_stable_dt(s, NULL), "dt");
  assert_named(&b, dem_system_contact_count(s, NULL), "count");
  assert_named(&b, dem_system_statistics(s, NULL), "statistics");
  assert_named(&b, dem_system_epoch(s, NULL), "epoch");
  assert_named(&b, dem_system_add_wall(s, NULL, NULL), "wall");
  assert_named(&b, dem_system_set_wall_motion(s, 0, NULL), "motion");
  assert_named(&b, dem_system_wall_state(s, 0, NULL), "state");
  bed_close(&b);
}

/* Objects of one context are of no use in another. */
static void contexts_do_not_mix(void **state) {
  (void)state;
  bed a, b;
  bed_open(&a);
  bed_open(&b);
  ASSERT_STATUS(a.system, dem_system_set_law(a.system, 0, 0, b.law), DEM_BAD_ARGUMENT);
  bed_close(&b);
  bed_close(&a);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_refused_with_item_value_and_limit),
      cmocka_unit_test(a_box_too_small_stops_the_first_step),
      cmocka_unit_test(a_skin_too_large_stops_the_first_step),
      cmocka_unit_test(a_large_dt_is_warned_of_with_the_number),
      cmocka_unit_test(two_dimensions_refuse_the_third),
      cmocka_unit_test(a_transport_that_is_not_read_is_refused),
      cmocka_unit_test(reserved_numbers_of_a_system_are_refused),
      cmocka_unit_test(calls_without_a_system_are_refused),
      cmocka_unit_test(missing_arguments_are_named),
      cmocka_unit_test(contexts_do_not_mix),
  };
  return cmocka_run_group_tests_name("bad_system", tests, NULL, NULL);
}
