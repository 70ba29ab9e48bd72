/* Bonds that cannot be: refused with item, value and limit, and nothing is changed. And every allocation of a scene with bonds
 * failing in turn. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct world {
  dem_context *context;
  dem_system *system;
  int32_t beam, harmonic;
  dem_id id[5]; /* 0 to 2 in a row, just touching; 3 far away; 4 frozen, beside 2 */
} world;

/* ---- a world that may fail at any allocation ---- */

static dem_status add_particles(world *w) {
  const double x[15] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 9, 0, 0, 2, 1, 0};
  const double radius[5] = {0.5, 0.5, 0.5, 0.5, 0.5}, density[5] = {1, 1, 1, 1, 1};
  const int32_t frozen[5] = {0, 0, 0, 0, 1};
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = 5;
  p.position = x;
  p.radius = radius;
  p.density = density;
  p.frozen = frozen;
  return dem_system_add_particles(w->system, &p, w->id);
}

static dem_status add_types(world *w) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = 1000;
  t.tangential_stiffness = 500;
  t.tangential_damping = 1;
  t.break_strain = 0.01;
  dem_status status = dem_system_add_bond_type(w->system, &t, &w->beam);
  dem_bond_type_init(&t, sizeof t);
  t.model = DEM_BOND_HARMONIC;
  t.stiffness = 100;
  return status ? status : dem_system_add_bond_type(w->system, &t, &w->harmonic);
}

static dem_status set_law(world *w) {
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1000;
  dem_status status = dem_law_create(w->context, &o, &law);
  if (!status) status = dem_system_set_law(w->system, 0, 0, law);
  dem_law_release(law);
  return status;
}

/* `w->context` is there; on failure there is no system. */
static dem_status build(world *w) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  o.ledger = 2;
  dem_status status = dem_system_create(w->context, &o, &w->system);
  if (status) return status;
  status = dem_system_add_material(w->system, NULL, NULL);
  if (!status) status = set_law(w);
  if (!status) status = add_particles(w);
  return status ? status : add_types(w);
}

static world open_world(void) {
  world w;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  assert_int_equal(build(&w), DEM_OK);
  return w;
}

static void close_world(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static dem_bond between(const world *w, int32_t type, int i, int j) {
  dem_bond b;
  memset(&b, 0, sizeof b);
  b.i = w->id[i];
  b.j = w->id[j];
  b.type = type;
  return b;
}

static int64_t count_bonds(const world *w) {
  int64_t count;
  ASSERT_OK(w->system, dem_system_bond_count(w->system, &count));
  return count;
}

static void assert_says(const world *w, const char *text) {
  if (!strstr(dem_system_message(w->system), text)) fail_msg("no \"%s\" in: %s", text, dem_system_message(w->system));
}

/* A good bond before a bad one: neither is made. */
static void refused(world *w, dem_bond bad, dem_status status, const char *text) {
  const int64_t before = count_bonds(w);
  const dem_bond rows[2] = {between(w, w->beam, 0, 1), bad};
  dem_id ids[2] = {77, 77};
  ASSERT_STATUS(w->system, dem_system_add_bonds(w->system, 2, rows, sizeof *rows, ids), status);
  assert_says(w, text);
  assert_says(w, "bond 1");
  assert_int_equal(count_bonds(w), before);
  assert_true(ids[0] == 77 && ids[1] == 77);
}

/* ---- bonds ---- */

static void bad_bonds(void **state) {
  (void)state;
  world w = open_world();
  dem_bond b = between(&w, w.beam, 2, 3);
  refused(&w, b, DEM_BAD_ARGUMENT, "gap of 6");
  refused(&w, between(&w, w.beam, 1, 1), DEM_BAD_ARGUMENT, "to itself");
  refused(&w, between(&w, w.beam, 1, 0), DEM_BAD_ARGUMENT, "bonded already"); /* the same as the first, turned round */
  refused(&w, between(&w, 2, 1, 2), DEM_NOT_FOUND, "type is 2, there are 2");
  refused(&w, between(&w, -1, 1, 2), DEM_NOT_FOUND, "type is -1");
  b = between(&w, w.beam, 1, 2);
  b.j = 12345;
  refused(&w, b, DEM_NOT_FOUND, "particle 12345");
  b = between(&w, w.beam, 1, 2);
  b.reserved_zero = 1;
  refused(&w, b, DEM_UNSUPPORTED, "reserved_zero is 1");
  const double odd[3] = {-1, NAN, INFINITY};
  for (int k = 0; k < 3; k++) {
    b = between(&w, w.beam, 1, 2);
    b.rest_length = odd[k];
    refused(&w, b, DEM_BAD_ARGUMENT, "rest_length");
    b = between(&w, w.beam, 1, 2);
    b.force[1] = k ? odd[k] : NAN;
    refused(&w, b, DEM_BAD_ARGUMENT, "force");
  }
  b = between(&w, w.beam, 1, 2);
  b.bending[2] = 1;
  refused(&w, b, DEM_BAD_ARGUMENT, "bending is 1");
  b = between(&w, w.beam, 1, 2);
  b.twisting = 2;
  refused(&w, b, DEM_BAD_ARGUMENT, "twisting is 2");
  b = between(&w, w.harmonic, 1, 2);
  b.force[0] = 3;
  refused(&w, b, DEM_BAD_ARGUMENT, "force is 3");
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &w.id[2], 1));
  refused(&w, between(&w, w.beam, 2, 4), DEM_BAD_ARGUMENT, "both frozen");
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &w.id[2], 0));
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, -1, &b, sizeof b, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 1, NULL, sizeof(dem_bond), NULL), DEM_BAD_ARGUMENT);
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 0, NULL, sizeof(dem_bond), NULL));
  /* one made before */
  b = between(&w, w.beam, 1, 2);
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL));
  refused(&w, between(&w, w.harmonic, 2, 1), DEM_BAD_ARGUMENT, "bonded already");
  /* of a particle that is gone */
  ASSERT_OK(w.system, dem_system_remove_particles(w.system, 1, &w.id[2]));
  refused(&w, between(&w, w.beam, 1, 2), DEM_NOT_FOUND, "stale");
  assert_int_equal(count_bonds(&w), 0);
  close_world(&w);
}

static void bad_removals(void **state) {
  (void)state;
  world w = open_world();
  const dem_bond rows[2] = {between(&w, w.beam, 0, 1), between(&w, w.beam, 1, 2)};
  dem_id ids[2], list[2];
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 2, rows, sizeof *rows, ids));
  list[0] = list[1] = ids[0];
  ASSERT_STATUS(w.system, dem_system_remove_bonds(w.system, 2, list), DEM_BAD_ARGUMENT);
  assert_says(&w, "given twice");
  list[1] = 999;
  ASSERT_STATUS(w.system, dem_system_remove_bonds(w.system, 2, list), DEM_NOT_FOUND);
  assert_says(&w, "999");
  ASSERT_STATUS(w.system, dem_system_remove_bonds(w.system, -1, list), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.system, dem_system_remove_bonds(w.system, 1, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(count_bonds(&w), 2);
  ASSERT_OK(w.system, dem_system_remove_bonds(w.system, 1, ids));
  ASSERT_STATUS(w.system, dem_system_remove_bonds(w.system, 1, ids), DEM_NOT_FOUND);
  assert_says(&w, "stale");
  /* a new bond of the same pair has another id */
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, rows, sizeof *rows, list));
  assert_true(list[0] != ids[0]);
  dem_bond out;
  ASSERT_STATUS(w.system, dem_system_bonds(w.system, 1, &out, sizeof out), DEM_BAD_ARGUMENT);
  assert_says(&w, "needed 2");
  int64_t taken = 5;
  ASSERT_STATUS(w.system, dem_system_take_bond_breaks(w.system, -1, NULL, sizeof(dem_bond_break), &taken), DEM_BAD_ARGUMENT);
  ASSERT_OK(w.system, dem_system_take_bond_breaks(w.system, 0, NULL, sizeof(dem_bond_break), &taken));
  assert_int_equal(taken, 0);
  close_world(&w);
}

/* ---- types ---- */

static void type_refused(world *w, const dem_bond_type *t, const char *text) {
  int32_t index = 77;
  ASSERT_STATUS(w->system, dem_system_add_bond_type(w->system, t, &index), DEM_BAD_ARGUMENT);
  assert_says(w, text);
  assert_says(w, "bond type 2");
  assert_int_equal(index, 77);
}

static void bad_types(void **state) {
  (void)state;
  world w = open_world();
  dem_bond_type good, t;
  dem_bond_type_init(&good, sizeof good);
  good.normal_stiffness = 1;
  const double odd[3] = {-1, NAN, INFINITY};
  const struct {
    const char *name;
    size_t offset;
  } field[] = {{"normal_stiffness", offsetof(dem_bond_type, normal_stiffness)},
               {"tangential_stiffness", offsetof(dem_bond_type, tangential_stiffness)},
               {"bending_stiffness", offsetof(dem_bond_type, bending_stiffness)},
               {"twisting_stiffness", offsetof(dem_bond_type, twisting_stiffness)},
               {"normal_damping", offsetof(dem_bond_type, normal_damping)},
               {"tangential_damping", offsetof(dem_bond_type, tangential_damping)},
               {"relaxation_time", offsetof(dem_bond_type, relaxation_time)},
               {"break_strain", offsetof(dem_bond_type, break_strain)},
               {"break_normal_stress", offsetof(dem_bond_type, break_normal_stress)},
               {"break_shear_stress", offsetof(dem_bond_type, break_shear_stress)},
               {"radius_factor", offsetof(dem_bond_type, radius_factor)}};
  for (size_t f = 0; f < sizeof field / sizeof *field; f++)
    for (int k = 0; k < 3; k++) {
      t = good;
      memcpy((char *)&t + field[f].offset, &odd[k], sizeof odd[k]);
      type_refused(&w, &t, field[f].name);
    }
  t = good;
  t.normal_stiffness = 0;
  type_refused(&w, &t, "normal_stiffness is 0");
  t = good;
  t.model = 2;
  type_refused(&w, &t, "model is 2");
  t = good;
  t.contact = -1;
  type_refused(&w, &t, "contact is -1");
  t = good;
  t.stiffness = 1;
  type_refused(&w, &t, "stiffness is 1");
  t = good;
  t.model = DEM_BOND_HARMONIC;
  t.stiffness = 1;
  type_refused(&w, &t, "normal_stiffness is 1");
  t.normal_stiffness = 0;
  t.radius_factor = 0.5;
  type_refused(&w, &t, "radius_factor is 0.5");
  t.radius_factor = 1;
  t.stiffness = -1;
  type_refused(&w, &t, "stiffness is -1");
  t = good;
  t.struct_size = 8;
  ASSERT_STATUS(w.system, dem_system_add_bond_type(w.system, &t, NULL), DEM_BAD_STRUCT);
  assert_int_equal(dem_bond_type_init(NULL, sizeof t), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_bond_type_init(&t, 8), DEM_BAD_STRUCT);
  close_world(&w);
}

static void bad_rules(void **state) {
  (void)state;
  world w = open_world();
  int64_t made = 7;
  ASSERT_STATUS(w.system, dem_system_bond_neighbours(w.system, 2, 0, 0, 0, &made), DEM_NOT_FOUND);
  ASSERT_STATUS(w.system, dem_system_bond_neighbours(w.system, 0, 0, 1, 0, &made), DEM_NOT_FOUND);
  ASSERT_STATUS(w.system, dem_system_bond_neighbours(w.system, 0, 0, 0, NAN, &made), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.system, dem_system_bond_neighbours(w.system, 0, 0, 0, 1.1, &made), DEM_BAD_ARGUMENT);
  assert_says(&w, "gap is 1.1");
  assert_int_equal(count_bonds(&w), 0);
  ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, 0, 0, 0, 1e-9, &made));
  assert_int_equal(made, 3);
  close_world(&w);
}

/* ---- memory ---- */

typedef struct failing {
  int64_t calls, fail_at;
  int sticky;
} failing;

static void *hook(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  failing *f = user;
  void *fresh = NULL;
  if (new_size > 0) {
    f->calls++;
    if (f->fail_at && (f->calls == f->fail_at || (f->sticky && f->calls > f->fail_at))) return NULL;
    fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
    if (!fresh) abort();
    memset(fresh, 0xA5, new_size);
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  free(pointer);
  return fresh;
}

/* Bonds by rule and by list, broken, read, removed; `out`: where the particles end. */
static dem_status play(world *w, double out[15]) {
  const double v[3] = {-30, 0, 0};
  dem_status status = build(w);
  int64_t count;
  if (!status) status = dem_system_bond_neighbours(w->system, w->beam, 0, 0, 1e-9, &count);
  if (!status) status = dem_system_set_field(w->system, DEM_VELOCITY, 1, w->id, v, 0);
  if (!status) status = dem_system_step(w->system, 20);
  dem_bond b = {.i = w->id[0], .j = w->id[1], .type = w->harmonic};
  dem_id bond;
  if (!status) status = dem_system_add_bonds(w->system, 1, &b, sizeof b, &bond);
  if (!status) status = dem_system_step(w->system, 20);
  if (!status) status = dem_system_remove_bonds(w->system, 1, &bond);
  if (!status) status = dem_system_remove_particles(w->system, 1, &w->id[2]);
  if (!status) status = dem_system_step(w->system, 20);
  return status ? status : dem_system_get_field(w->system, DEM_POSITION, 4, NULL, out, 0);
}

static dem_status play_with(failing *f, double out[15]) {
  world w = {0};
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = f;
  dem_status status = dem_context_create(&o, &w.context);
  if (status) return status;
  int64_t before, left;
  assert_int_equal(dem_context_memory(w.context, &before), DEM_OK);
  status = play(&w, out);
  dem_system_destroy(w.system);
  assert_int_equal(dem_context_memory(w.context, &left), DEM_OK);
  assert_true(left == before);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);
  return status;
}

static void every_allocation_fails(void **state) {
  (void)state;
  failing f = {0};
  double right[15] = {0}, out[15];
  assert_int_equal(play_with(&f, right), DEM_OK);
  const int64_t calls = f.calls;
  assert_true(calls > 30);
  for (int sticky = 0; sticky < 2; sticky++)
    for (int64_t k = 1; k <= calls; k++) {
      f = (failing){.fail_at = k, .sticky = sticky};
      const dem_status status = play_with(&f, out);
      if (status == DEM_OK) ASSERT_BITS(out, right, 12 * sizeof *out);
      if (status != DEM_OK && status != DEM_NO_MEMORY && status != DEM_FAILED_MEMORY)
        fail_msg("allocation %d: %s", (int)k, dem_status_name(status));
    }
}

/* Stepping, breaking and sorting anew allocate nothing once warm. */
static void steps_allocate_nothing(void **state) {
  (void)state;
  failing f = {0};
  world w = {0};
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = &f;
  assert_int_equal(dem_context_create(&o, &w.context), DEM_OK);
  assert_int_equal(build(&w), DEM_OK);
  const double v[3] = {-30, 0, 0}, rest[3] = {0, 0, 0};
  ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, w.beam, 0, 0, 1e-9, NULL));
  ASSERT_OK(w.system, dem_system_step(w.system, 5));
  assert_int_equal(count_bonds(&w), 3);
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_VELOCITY, 1, w.id, v, 0));
  const int64_t before = f.calls;
  dem_statistics first, last;
  dem_statistics_init(&first, sizeof first);
  dem_statistics_init(&last, sizeof last);
  ASSERT_OK(w.system, dem_system_statistics(w.system, &first));
  ASSERT_OK(w.system, dem_system_step(w.system, 5));
  ASSERT_OK(w.system, dem_system_statistics(w.system, &last));
  assert_true(f.calls == before && last.rebuilds > first.rebuilds);
  assert_true(count_bonds(&w) < 3);
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_VELOCITY, 1, w.id, rest, 0));
  close_world(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_bonds), cmocka_unit_test(bad_removals),           cmocka_unit_test(bad_types),
      cmocka_unit_test(bad_rules), cmocka_unit_test(every_allocation_fails), cmocka_unit_test(steps_allocate_nothing),
  };
  return cmocka_run_group_tests_name("bad_bonds", tests, NULL, NULL);
}
