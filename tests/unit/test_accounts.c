/* The list of energy accounts (lib/ledger/accounts.h) against the public structs, the residual, the columns and the heat. */
#include "assertions.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "compensated.h"
#include "scenes/listed_accounts.h"
#include "scenes/scenes.h"
#include "unit/test_io_bytes.h"

/* A value of dem_energy: column, place, sign in the residual (0: not in it). */
typedef struct entry {
  const char *name;
  size_t at;
  double sign;
} entry;

#define SIDES(member, sign)                                  \
  {#member "_particle", offsetof(dem_energy, member), sign}, \
      {#member "_wall", offsetof(dem_energy, member) + sizeof(double), sign},
#define SCALAR(member, sign) {#member, offsetof(dem_energy, member), sign},
#define SHARED(member, ...) SIDES(member, 1)
#define OWN(member, group, sign, ...) SCALAR(member, sign)
#define STATE_1(member) SCALAR(member, 0)
#define STATE_2(member) SIDES(member, 0)
#define STATE(member, sides) STATE_##sides(member)
static const entry entries[] = {DEMI_ACCOUNTS(SHARED, OWN, STATE)};
enum { ENTRIES = sizeof entries / sizeof *entries };

static double value(const dem_energy *e, const entry *of) {
  double v;
  memcpy(&v, (const char *)e + of->at, sizeof v);
  return v;
}

static dem_energy books(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_energy(s, &e));
  return e;
}

/* ---- the structs ---- */

static void the_list_has_every_member_in_order(void **state) {
  (void)state;
  for (int k = 0; k < ENTRIES; k++)
    assert_int_equal(entries[k].at, offsetof(dem_energy, kinetic_linear) + (size_t)k * sizeof(double));
  assert_int_equal(entries[ENTRIES - 1].at + sizeof(double), sizeof(dem_energy));
}

static void the_list_has_every_shared_member(void **state) {
  (void)state;
  char seen[sizeof(dem_energy_share)] = {0};
#define SEE(member, ...) memset(seen + offsetof(dem_energy_share, member), 1, 2 * sizeof(double));
  DEMI_ACCOUNTS(SEE, ACCOUNTS_NONE, ACCOUNTS_NONE)
  for (size_t k = offsetof(dem_energy_share, elastic_normal); k < sizeof seen; k++) assert_int_equal(seen[k], 1);
}

/* ---- the residual ---- */

/* Every account enters once, with its sign. The sums differ in order only, so both are right to 1e-32 of the largest account, and
 * the last rounding is that of the residual itself. */
static void the_residual_is_the_sum_of_the_list(void **state) {
  (void)state;
  for (int k = 0; k < scene_count; k++) {
    dem_context *context;
    dem_system *s;
    demi_sum sum = {0, 0};
    const scene_setup setup = {.ledger = 1, .drag = 0.1};
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    assert_int_equal(scene_build(&scenes[k], context, &setup, &s), DEM_OK);
    ASSERT_OK(s, scene_run(&scenes[k], s, scenes[k].steps < 500 ? scenes[k].steps : 500));
    const dem_energy e = books(s);
    for (int i = 0; i < ENTRIES; i++)
      if (entries[i].sign != 0) demi_sum_add(&sum, entries[i].sign * value(&e, &entries[i]));
    assert_true(e.largest > 0);
    ASSERT_ABS(demi_sum_get(&sum), e.residual, 1e-28 * e.largest);
    ASSERT_BELOW(e.residual_relative, 1e-12);
    dem_system_destroy(s);
    dem_context_destroy(context);
  }
}

/* ---- columns ---- */

/* The next text between commas, copied; returns what follows. */
static const char *next_cell(const char *from, char cell[64]) {
  const size_t n = strcspn(from, ",\n");
  assert_true(n < 64);
  memcpy(cell, from, n);
  cell[n] = '\0';
  return from + n + (from[n] != '\0');
}

static void the_columns_are_the_members(void **state) {
  (void)state;
  dem_context *context;
  dem_system *s;
  char cell[64];
  const scene_setup setup = {.ledger = 1};
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(scene_build(scene_find("two-materials"), context, &setup, &s), DEM_OK);
  ASSERT_OK(s, dem_system_step(s, 700));
  assert_int_equal(dem_energy_write_heading(&sink), DEM_OK);
  ASSERT_OK(s, dem_energy_write_row(s, &sink));
  const dem_energy e = books(s);
  const char *name = strchr(b.text, ',') + 1, *number = strchr(strchr(b.text, '\n'), ',') + 1;
  name = next_cell(name, cell);
  number = next_cell(number, cell); /* time and steps */
  for (int k = 0; k < ENTRIES; k++) {
    double held;
    memcpy(&held, (const char *)&e.kinetic_linear + (size_t)k * sizeof held, sizeof held);
    name = next_cell(name, cell);
    assert_string_equal(cell, entries[k].name);
    number = next_cell(number, cell);
    assert_true(strtod(cell, NULL) == held);
  }
  assert_int_equal(*number, '\0');
  bytes_clear(&b);
  dem_system_destroy(s);
  dem_context_destroy(context);
}

/* ---- heat ---- */

/* Of a packing that loses no particle. */
static void heat_by_class_is_that_of_the_accounts(void **state) {
  (void)state;
  static const char *const names[] = {"two-materials", "settling", "powder"};
  for (int k = 0; k < 3; k++) {
    dem_context *context;
    dem_system *s;
    int64_t count;
    double sum[DEMI_HEAT_CLASSES] = {0}, expected[DEMI_HEAT_CLASSES], all = 0;
    const scene_setup setup = {.ledger = 2};
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    assert_int_equal(scene_build(scene_find(names[k]), context, &setup, &s), DEM_OK);
    ASSERT_OK(s, dem_system_step(s, 1500));
    ASSERT_OK(s, dem_system_particle_count(s, &count));
    double *heat = malloc((size_t)count * DEMI_HEAT_PACKED * sizeof *heat);
    ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT_CLASSES, count, NULL, heat, 0));
    for (int64_t i = 0; i < DEMI_HEAT_PACKED * count; i++) sum[i % DEMI_HEAT_PACKED] += heat[i];
    const dem_energy e = books(s);
    accounts_of_heat(&e, expected);
    for (int c = 0; c < DEMI_HEAT_CLASSES; c++) {
      ASSERT_ABS(sum[c], expected[c], 1e-12 * e.largest);
      all += sum[c];
    }
    assert_true(all > 0);
    free(heat);
    dem_system_destroy(s);
    dem_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_list_has_every_member_in_order),    cmocka_unit_test(the_list_has_every_shared_member),
      cmocka_unit_test(the_residual_is_the_sum_of_the_list),   cmocka_unit_test(the_columns_are_the_members),
      cmocka_unit_test(heat_by_class_is_that_of_the_accounts),
  };
  return cmocka_run_group_tests_name("accounts", tests, NULL, NULL);
}
