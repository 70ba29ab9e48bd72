/* Which laws say that they have a potential, and the part that is named where they have none. */
#include "assertions.h"

#include "conformance/law_suite.h"
#include "potential.h"
#include "scenes/context.h"
#include "scenes/scenes.h"

static const double YOUNG = 1e6, POISSON = 0.25;

static void no_evaluate(const void *parameters, const dem_batch *batch) {
  (void)parameters;
  (void)batch;
}

static demi_potential potential_named(const dem_law_options *o, const char *word) {
  const law_facts facts = {.young = YOUNG, .poisson = POISSON};
  char text[DEMI_POTENTIAL_TEXT];
  demi_message message;
  demi_bound bound;
  dem_bind materials;
  dem_law *law;
  law_bind(&facts, &materials);
  assert_int_equal(scene_create_law(context, o, &law), DEM_OK);
  assert_int_equal(demi_law_bind(law, &materials, &message, &bound), DEM_OK);
  const demi_potential found = demi_bound_potential(&bound, text);
  if (!strstr(text, word)) fail_msg("no \"%s\" in: %s", word, text);
  dem_law_release(law);
  return found;
}

/* The part that spoils it is named. */
static void potentials_are_told(void **state) {
  (void)state;
  dem_law_options o;
  scene_hertz(&o);
  assert_int_equal(potential_named(&o, "'mindlin'"), DEMI_POTENTIAL_NONE);
  o.tangential = DEM_TANGENTIAL_LINEAR;
  assert_int_equal(potential_named(&o, "'linear'"), DEMI_POTENTIAL_NONE);
  o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  assert_int_equal(potential_named(&o, "'mindlin-conserving'"), DEMI_POTENTIAL_HOLDING);
  scene_add_rolling(&o, DEM_ROLLING_NONE, DEM_TWISTING_MARSHALL);
  assert_int_equal(potential_named(&o, "'twisting-marshall'"), DEMI_POTENTIAL_NONE);
  scene_hooke(&o);
  assert_int_equal(potential_named(&o, "'linear'"), DEMI_POTENTIAL_HOLDING);
  o.tangential = DEM_TANGENTIAL_VISCOUS;
  assert_int_equal(potential_named(&o, ""), DEMI_POTENTIAL_ALWAYS);
  o.tangential = DEM_TANGENTIAL_NONE;
  assert_int_equal(potential_named(&o, ""), DEMI_POTENTIAL_ALWAYS);
  dem_law_part part;
  dem_law_part_init(&part, sizeof part);
  part.name = "test part";
  part.kind = DEM_PART_NORMAL;
  part.evaluate = no_evaluate;
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &part, NULL};
  dem_law *law;
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  demi_bound bound;
  demi_message message;
  char text[DEMI_POTENTIAL_TEXT];
  const dem_bind none = {.struct_size = sizeof none};
  assert_int_equal(demi_law_bind(law, &none, &message, &bound), DEM_OK);
  assert_int_equal(demi_bound_potential(&bound, text), DEMI_POTENTIAL_NONE); /* a host's part that gives no energy */
  assert_non_null(strstr(text, "'test part': it does not give its stored energy"));
  dem_law_release(law);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(potentials_are_told),
  };
  return cmocka_run_group_tests_name("law_potential", tests, NULL, NULL);
}
