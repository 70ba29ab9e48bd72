/* The ranges of the numbers in dem_law_options as the header states them: each is taken at its ends and inside, and refused just
 * beyond. Presets name the laws that read them. */
#include "assertions.h"

#include "scenes/scenes.h"

static void hooke(dem_law_options *o) { scene_hooke(o); }

/* Hooke whose dashpots are given as coefficients. */
static void dashpots(dem_law_options *o) {
  scene_hooke(o);
  o->damping = o->tangential_damping = DEM_DAMPING_COEFFICIENT;
  o->restitution = 1;
}

/* Hooke with a dashpot from the restitution. */
static void bouncing(dem_law_options *o) {
  scene_hooke(o);
  o->damping = DEM_DAMPING_RESTITUTION;
  o->tangential_damping = DEM_DAMPING_NONE;
  o->normal_damping = o->shear_damping = 0;
}

static void wet(dem_law_options *o) {
  scene_hooke(o);
  o->viscosity = 1;
}

static void mindlin(dem_law_options *o) { scene_hertz(o); }

static void hertz_and_linear(dem_law_options *o) {
  scene_hertz(o);
  o->tangential = DEM_TANGENTIAL_LINEAR;
}

static void dmt(dem_law_options *o) {
  scene_hertz(o);
  o->normal = DEM_NORMAL_DMT;
  o->surface_energy = 1;
}

static void jkr(dem_law_options *o) {
  dmt(o);
  o->normal = DEM_NORMAL_JKR;
}

static void rolling(dem_law_options *o) {
  scene_hooke(o);
  scene_add_rolling(o, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
}

static void constant_rolling(dem_law_options *o) {
  scene_hooke(o);
  o->rolling = DEM_ROLLING_CONSTANT;
}

typedef struct row {
  const char *field;
  size_t at;
  void (*preset)(dem_law_options *o);
  double taken[4], refused[4]; /* ended by NaN, which is refused as well */
} row;

#define FIELD(name) #name, offsetof(dem_law_options, name)
#define TINY 1e-50
#define LARGEST 1e60
#define BEYOND 1.0001e60

static const row table[] = {
    {FIELD(normal_stiffness), hooke, {TINY, 0.5, LARGEST, NAN}, {0, -TINY, BEYOND, NAN}},
    {FIELD(tangential_stiffness), hooke, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, INFINITY, NAN}},
    {FIELD(tangential_stiffness), hertz_and_linear, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(normal_damping), dashpots, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(shear_damping), dashpots, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(restitution), bouncing, {TINY, 0.5, 1, NAN}, {0, -0.5, 1.0001, NAN}},
    {FIELD(friction), hooke, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(viscosity), wet, {TINY, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(lubrication_scale), wet, {TINY, 0.5, LARGEST, NAN}, {0, -0.5, BEYOND, NAN}},
    {FIELD(lubrication_inner), wet, {TINY, 0.5, 0.999, NAN}, {0, -0.5, 1, NAN}},
    {FIELD(lubrication_outer), wet, {0.0011, 0.5, 10, NAN}, {0.001, 0.0009, 10.001, NAN}},
    {FIELD(surface_energy), dmt, {TINY, 0.5, LARGEST, NAN}, {0, -0.5, BEYOND, NAN}},
    {FIELD(surface_energy), jkr, {TINY, 0.5, LARGEST, NAN}, {0, -0.5, BEYOND, NAN}},
    {FIELD(surface_energy), hooke, {0, NAN}, {0.5, -0.5, NAN}},
    {FIELD(surface_energy), mindlin, {0, NAN}, {0.5, -0.5, NAN}},
    {FIELD(cohesion_energy_density), hooke, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(cohesion_energy_density), mindlin, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(cohesion_energy_density), dmt, {0, NAN}, {0.5, NAN}},
    {FIELD(rolling_stiffness), rolling, {TINY, 0.5, LARGEST, NAN}, {0, -TINY, BEYOND, NAN}},
    {FIELD(rolling_damping), rolling, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(rolling_friction), rolling, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(rolling_friction), constant_rolling, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(twisting_stiffness), rolling, {TINY, 0.5, LARGEST, NAN}, {0, -TINY, BEYOND, NAN}},
    {FIELD(twisting_damping), rolling, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(twisting_friction), rolling, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(tangential_modulus), mindlin, {0, 0.5, LARGEST, NAN}, {-TINY, BEYOND, NAN}},
    {FIELD(tangential_modulus), hooke, {0, NAN}, {0.5, NAN}},
};

static dem_status create(dem_context *context, const row *r, double value) {
  dem_law_options o;
  dem_law *law;
  r->preset(&o);
  memcpy((char *)&o + r->at, &value, sizeof value);
  const dem_status status = dem_law_create(context, &o, &law);
  if (!status) dem_law_release(law);
  return status;
}

static void expect(dem_context *context, const row *r, double value, dem_status expected) {
  const dem_status got = create(context, r, value);
  if (got != expected)
    fail_msg("%s = %g: %s, expected %s: %s", r->field, value, dem_status_name(got), dem_status_name(expected),
             dem_context_message(context));
  if (expected) assert_non_null(strstr(dem_context_message(context), r->field));
}

static void numbers_are_taken_within_their_range(void **state) {
  (void)state;
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    for (int k = 0; k < 4 && !isnan(table[i].taken[k]); k++) expect(context, &table[i], table[i].taken[k], DEM_OK);
    for (int k = 0; k < 4 && !isnan(table[i].refused[k]); k++)
      expect(context, &table[i], table[i].refused[k], DEM_BAD_ARGUMENT);
    expect(context, &table[i], NAN, DEM_BAD_ARGUMENT);
    expect(context, &table[i], INFINITY, DEM_BAD_ARGUMENT);
  }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_taken_within_their_range),
  };
  return cmocka_run_group_tests_name("law_limits", tests, NULL, NULL);
}
