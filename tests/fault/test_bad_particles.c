/* Particles that are refused: rows to add, ids, fields to read and write, views. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "fault/bed.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

/* ---- rows to add ---- */

static dem_status add(bed *b, rows *r) {
  const dem_status status = rows_add(r, b->system, NULL);
  rows_destroy(r);
  return status;
}

/* Four rows, of which number 2 is spoilt. */
#define PARTICLE(name, change)                               \
  ACTION(name) {                                             \
    rows r;                                                  \
    assert_int_equal(rows_create(&r, 4), 0);                 \
    for (int i = 0; i < 4; i++) rows_put(&r, i, 20, 5, 0.4); \
    change;                                                  \
    return add(b, &r);                                       \
  }
PARTICLE(position_nan, r.position[3 * 2 + 1] = NAN)
PARTICLE(position_infinite, r.position[3 * 2] = INFINITY)
PARTICLE(velocity_nan, r.velocity[3 * 2 + 2] = NAN)
PARTICLE(spin_infinite, r.spin[3 * 2 + 2] = -INFINITY)
PARTICLE(radius_zero, r.radius[2] = 0)
PARTICLE(radius_negative, r.radius[2] = -0.25)
PARTICLE(radius_nan, r.radius[2] = NAN)
PARTICLE(density_zero, r.density[2] = 0)
PARTICLE(density_negative, r.density[2] = -3)
PARTICLE(material_unknown, r.material[2] = 63)
PARTICLE(material_negative, r.material[2] = -1)
PARTICLE(frozen_2, r.frozen[2] = 2)
PARTICLE(frozen_with_velocity, r.frozen[2] = 1; rows_velocity(&r, 2, 0, 0.5, 0))
PARTICLE(radius_missing, free(r.radius); r.radius = NULL)
PARTICLE(position_missing, free(r.position); r.position = NULL)

ACTION(count_negative) {
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = -5;
  return dem_system_add_particles(b->system, &p, NULL);
}

ACTION(particles_size) {
  dem_particles p = {.struct_size = 8};
  return dem_system_add_particles(b->system, &p, NULL);
}

/* ---- ids ---- */

ACTION(id_zero) {
  const dem_id none = 0;
  return dem_system_remove_particles(b->system, 1, &none);
}

ACTION(id_invented) {
  double x[3];
  const dem_id id = b->ids[0] + ((dem_id)77 << 40) + 12345;
  return dem_system_get_field(b->system, DEM_POSITION, 1, &id, x, 0);
}

ACTION(id_twice) {
  const dem_id twice[3] = {b->ids[0], b->ids[1], b->ids[0]};
  return dem_system_remove_particles(b->system, 3, twice);
}

ACTION(remove_half_unknown) {
  const dem_id some[2] = {b->ids[0], 0};
  return dem_system_remove_particles(b->system, 2, some);
}

ACTION(freeze_unknown) {
  const dem_id some[2] = {b->ids[0], 0};
  return dem_system_set_frozen(b->system, 2, some, 1);
}

ACTION(freeze_2) { return dem_system_set_frozen(b->system, 1, b->ids, 2); }

/* ---- fields ---- */

ACTION(field_unknown) {
  double x[9];
  return dem_system_get_field(b->system, 99, 3, NULL, x, 0);
}

ACTION(field_read_only) {
  const double x[9] = {0};
  return dem_system_set_field(b->system, DEM_MASS, 3, NULL, x, 0);
}

ACTION(field_integer) {
  double x[9];
  return dem_system_get_field(b->system, DEM_MATERIAL, 3, NULL, x, 0);
}

ACTION(count_not_all) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 2, NULL, x, 0);
}

ACTION(stride_small) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 3, NULL, x, 2);
}

/* Rows that no pointer can reach; with one bed_refusal, too, where nothing would be read there. */
ACTION(stride_huge) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 3, NULL, x, INT64_MAX);
}

ACTION(stride_of_a_third) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 3, NULL, x, INT64_MAX / 8 / 3 + 1);
}

ACTION(stride_huge_of_one) {
  double x[3];
  return dem_system_get_field(b->system, DEM_POSITION, 1, b->ids, x, INT64_MAX);
}

ACTION(stride_huge_set) {
  const double v[9] = {0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, INT64_MAX);
}

ACTION(stride_negative) {
  const double v[9] = {0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, INT64_MIN);
}

ACTION(stride_huge_int) {
  int32_t m[3];
  return dem_system_get_field_int(b->system, DEM_MATERIAL, 3, NULL, m, INT64_MAX / 4 / 3 + 1);
}

ACTION(stride_huge_set_int) {
  const int32_t m[3] = {0};
  return dem_system_set_field_int(b->system, DEM_MATERIAL, 3, NULL, m, INT64_MAX);
}

ACTION(set_nan) {
  const double v[9] = {1, 2, 3, 4, NAN, 6, 0, 0, 0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, 0);
}

ACTION(set_radius_zero) {
  const double radius[3] = {0.5, 0, 0.5};
  return dem_system_set_field(b->system, DEM_RADIUS, 3, NULL, radius, 0);
}

ACTION(set_density_negative) {
  const double density[3] = {1, -2, 1};
  return dem_system_set_field(b->system, DEM_DENSITY, 3, NULL, density, 0);
}

ACTION(set_material_unknown) {
  const int32_t material[3] = {0, 42, 0};
  return dem_system_set_field_int(b->system, DEM_MATERIAL, 3, NULL, material, 0);
}

ACTION(set_frozen_velocity) {
  const double v[9] = {0, 0, 0, 0, 0, 0, 1, 0, 0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, 0);
}

ACTION(ids_no_room) {
  dem_id ids[3];
  return dem_system_ids(b->system, 1, ids);
}

ACTION(contacts_no_room) {
  dem_contact c;
  return dem_system_contacts(b->system, 0, &c, sizeof c);
}

/* ---- views ---- */

ACTION(view_unknown_field) {
  dem_view v = {.struct_size = sizeof v};
  return dem_view_acquire(b->system, 99, DEM_READ, &v);
}

ACTION(view_write_read_only) {
  dem_view v = {.struct_size = sizeof v};
  return dem_view_acquire(b->system, DEM_FORCE, DEM_WRITE, &v);
}

ACTION(view_mode_3) {
  dem_view v = {.struct_size = sizeof v};
  return dem_view_acquire(b->system, DEM_POSITION, 3, &v);
}

ACTION(view_size_zero) {
  dem_view v = {.struct_size = 0};
  return dem_view_acquire(b->system, DEM_POSITION, DEM_READ, &v);
}

ACTION(view_not_open) {
  dem_view v = {.struct_size = sizeof v, .field = DEM_POSITION, .mode = DEM_READ};
  return dem_view_release(b->system, &v);
}

static dem_status with_open_view(bed *b, dem_status (*act)(bed *b)) {
  dem_view v = {.struct_size = sizeof v};
  ASSERT_OK(b->system, dem_view_acquire(b->system, DEM_POSITION, DEM_READ, &v));
  const dem_status status = act(b);
  ASSERT_OK(b->system, dem_view_release(b->system, &v));
  return status;
}

static dem_status one_step(bed *b) { return dem_system_step(b->system, 1); }

static dem_status remove_first(bed *b) { return dem_system_remove_particles(b->system, 1, b->ids); }

static dem_status add_one(bed *b) {
  rows r;
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 30, 5, 0.4);
  return add(b, &r);
}

ACTION(step_under_view) { return with_open_view(b, one_step); }

ACTION(add_under_view) { return with_open_view(b, add_one); }

ACTION(remove_under_view) { return with_open_view(b, remove_first); }

static const bed_refusal table[] = {
    {"position NaN", position_nan, DEM_BAD_ARGUMENT, {"particle 2", "position[1]", "nan", "finite"}},
    {"position infinite", position_infinite, DEM_BAD_ARGUMENT, {"particle 2", "position[0]", "inf", "finite"}},
    {"velocity NaN", velocity_nan, DEM_BAD_ARGUMENT, {"particle 2", "velocity[2]", "nan", "finite"}},
    {"spin infinite", spin_infinite, DEM_BAD_ARGUMENT, {"particle 2", "spin[2]", "-inf", "finite"}},
    {"radius 0", radius_zero, DEM_BAD_ARGUMENT, {"particle 2", "radius", "is 0", "> 0"}},
    {"radius negative", radius_negative, DEM_BAD_ARGUMENT, {"particle 2", "radius", "-0.25", "> 0"}},
    {"radius NaN", radius_nan, DEM_BAD_ARGUMENT, {"particle 2", "radius", "nan", "> 0"}},
    {"density 0", density_zero, DEM_BAD_ARGUMENT, {"particle 2", "density", "is 0", "> 0"}},
    {"density negative", density_negative, DEM_BAD_ARGUMENT, {"particle 2", "density", "-3", "> 0"}},
    {"material unknown", material_unknown, DEM_NOT_FOUND, {"particle 2", "material", "63", "3"}},
    {"material negative", material_negative, DEM_NOT_FOUND, {"particle 2", "material", "-1", "3"}},
    {"frozen 2", frozen_2, DEM_BAD_ARGUMENT, {"particle 2", "frozen", "2", "0 or 1"}},
    {"frozen with velocity", frozen_with_velocity, DEM_BAD_ARGUMENT, {"particle 2", "frozen", "velocity", "0"}},
    {"no radii", radius_missing, DEM_BAD_ARGUMENT, {"radius", "NULL", "required"}},
    {"no positions", position_missing, DEM_BAD_ARGUMENT, {"position", "NULL", "required"}},
    {"count negative", count_negative, DEM_BAD_ARGUMENT, {"count", "-5", "0"}},

    {"id 0", id_zero, DEM_NOT_FOUND, {"id", "0", "unknown"}},
    {"id invented", id_invented, DEM_NOT_FOUND, {"id", "unknown"}},
    {"id twice", id_twice, DEM_BAD_ARGUMENT, {"id 2", "twice"}},
    {"half of the ids unknown", remove_half_unknown, DEM_NOT_FOUND, {"id 1", "0", "unknown"}},
    {"freeze unknown", freeze_unknown, DEM_NOT_FOUND, {"id 1", "0", "unknown"}},
    {"freeze with 2", freeze_2, DEM_BAD_ARGUMENT, {"frozen", "2", "0 or 1"}},

    {"field unknown", field_unknown, DEM_NOT_FOUND, {"field", "99"}},
    {"field read only", field_read_only, DEM_NOT_FOUND, {"DEM_MASS", "read only"}},
    {"field of integers", field_integer, DEM_NOT_FOUND, {"DEM_MATERIAL", "integers"}},
    {"count not all", count_not_all, DEM_BAD_ARGUMENT, {"count", "2", "3"}},
    {"stride too small", stride_small, DEM_BAD_ARGUMENT, {"stride", "2", "3"}},
    {"stride too large", stride_huge, DEM_BAD_ARGUMENT, {"stride is 9223372036854775807", "0 or 3 to 384307168202282325"}},
    {"stride just too large",
     stride_of_a_third,
     DEM_BAD_ARGUMENT,
     {"DEM_POSITION: stride is 384307168202282326", "for 3 rows"}},
    {"stride too large for one", stride_huge_of_one, DEM_BAD_ARGUMENT, {"stride", "3 to 1152921504606846975 for 1 rows"}},
    {"stride too large to set", stride_huge_set, DEM_BAD_ARGUMENT, {"DEM_VELOCITY: stride is 9223372036854775807"}},
    {"stride negative", stride_negative, DEM_BAD_ARGUMENT, {"stride is -9223372036854775808"}},
    {"stride of integers", stride_huge_int, DEM_BAD_ARGUMENT, {"stride", "1 to 768614336404564650"}},
    {"stride of integers to set", stride_huge_set_int, DEM_BAD_ARGUMENT, {"DEM_MATERIAL: stride is 9223372036854775807"}},
    {"set NaN", set_nan, DEM_BAD_ARGUMENT, {"1", "nan", "finite"}},
    {"set radius 0", set_radius_zero, DEM_BAD_ARGUMENT, {"1", "0", "> 0"}},
    {"set density negative", set_density_negative, DEM_BAD_ARGUMENT, {"1", "-2", "> 0"}},
    {"set material unknown", set_material_unknown, DEM_NOT_FOUND, {"1", "42", "3"}},
    {"set velocity of a frozen one", set_frozen_velocity, DEM_BAD_ARGUMENT, {"2", "frozen"}},
    {"no room for ids", ids_no_room, DEM_BAD_ARGUMENT, {"capacity", "1", "3"}},
    {"no room for contacts", contacts_no_room, DEM_BAD_ARGUMENT, {"capacity", "0"}},

    {"view of an unknown field", view_unknown_field, DEM_NOT_FOUND, {"field", "99"}},
    {"view to write forces", view_write_read_only, DEM_BAD_ARGUMENT, {"DEM_FORCE", "read only"}},
    {"view of mode 3", view_mode_3, DEM_BAD_ARGUMENT, {"mode", "3"}},
    {"view of size 0", view_size_zero, DEM_BAD_STRUCT, {"struct_size", "0"}},
    {"view not open", view_not_open, DEM_BAD_ARGUMENT, {"view"}},
    {"step under a view", step_under_view, DEM_BUSY, {"view", "1", "0"}},
    {"add under a view", add_under_view, DEM_BUSY, {"view", "1"}},
    {"remove under a view", remove_under_view, DEM_BUSY, {"view", "1"}},
    {"particles of size 8", particles_size, DEM_BAD_STRUCT, {"struct_size", "8"}},
};

static void every_row_is_refused_with_item_value_and_limit(void **state) {
  (void)state;
  bed_check_refusals(table, sizeof table / sizeof *table);
}

/* A stale id, of a particle that was and is no more. */
static void stale_ids_are_named(void **state) {
  (void)state;
  bed b;
  double x[9];
  char number[32];
  bed_open(&b);
  ASSERT_OK(b.system, dem_system_remove_particles(b.system, 1, b.ids + 1));
  const uint64_t before = system_hash(b.system);
  ASSERT_STATUS(b.system, dem_system_get_field(b.system, DEM_POSITION, 3, b.ids, &x[0], 0), DEM_NOT_FOUND);
  snprintf(number, sizeof number, "%llu", (unsigned long long)b.ids[1]);
  ASSERT_WORDS(dem_system_message(b.system), "id 1", number, "stale");
  ASSERT_STATUS(b.system, dem_system_set_frozen(b.system, 1, b.ids + 1, 1), DEM_NOT_FOUND);
  assert_true(system_hash(b.system) == before);
  bed_close(&b);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_refused_with_item_value_and_limit),
      cmocka_unit_test(stale_ids_are_named),
  };
  return cmocka_run_group_tests_name("bad_particles", tests, NULL, NULL);
}
