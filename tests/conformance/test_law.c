/* The conformance suite over every combination of built-in law parts. */
#include "assertions.h"

#include <stdio.h>

#include "conformance/law_suite.h"
#include "scenes/context.h"
#include "scenes/scenes.h"

static const double YOUNG = 1e6, POISSON = 0.25;

/* Gap at which a JKR contact of R* = 1/4 tears: d of a^3 = pi gamma R*^2/(4 Y). */
static double tear_off(const dem_law_options *o) {
  if (o->normal != DEM_NORMAL_JKR) return 0;
  const double young = YOUNG / (2 * (1 - POISSON * POISSON)), r = 0.25, pi = 3.14159265358979323846;
  const double a = cbrt(pi * o->surface_energy * r * r / (4 * young));
  return 2 * sqrt(pi * o->surface_energy * a / young) - a * a / r;
}

static int conforms(int i) {
  dem_law_options options;
  dem_law *law = NULL;
  char name[96];
  assert_true(law_combination(i, &options, name));
  const dem_status status = dem_law_create(context, &options, &law);
  if (!law_has_meaning(&options)) {
    assert_int_equal(status, DEM_BAD_ARGUMENT);
    return 0;
  }
  if (status) fail_msg("%s: %s", name, dem_context_message(context));
  const law_facts facts = {.name = name,
                           .friction = options.tangential ? options.friction : 0,
                           .young = YOUNG,
                           .poisson = POISSON,
                           .gap = tear_off(&options)};
  law_conformance(context, law, &facts);
  dem_law_release(law);
  return 1;
}

static void conforming(int first, int last) {
  int done = 0;
  for (int i = first; i < last; i++) done += conforms(i);
  print_message("# %d laws conform\n", done);
}

static void hooke_conforms(void **state) {
  (void)state;
  conforming(0, 200);
}

static void hertz_conforms(void **state) {
  (void)state;
  conforming(200, 400);
}

static void cohesion_conforms(void **state) {
  (void)state;
  conforming(400, 500);
}

static void dmt_conforms(void **state) {
  (void)state;
  conforming(500, 550);
}

static void jkr_conforms(void **state) {
  (void)state;
  conforming(550, 600);
}

static law_facts facts_of(const dem_law_options *o, const char *name) {
  const int marshall = o->twisting == DEM_TWISTING_MARSHALL;
  return (law_facts){.name = name,
                     .friction = o->friction,
                     .young = YOUNG,
                     .poisson = POISSON,
                     .gap = tear_off(o),
                     .rolling_cap = o->rolling ? o->rolling_friction : 0,
                     .twisting_cap = marshall      ? 2. / 3 * o->friction
                                     : o->twisting ? o->twisting_friction
                                                   : 0,
                     .marshall = marshall};
}

/* Every pair of rolling and twisting parts, with and without dashpots, beside springs and Mindlin; caps 0 and never reached. */
static void rolling_and_twisting_conform(void **state) {
  (void)state;
  int done = 0;
  for (int kind = 0; kind < 9 * 2 * 2 * 3; kind++) {
    dem_law_options o;
    dem_law *law;
    char name[96];
    const int hertz = kind / 9 % 2, damped = kind / 18 % 2, cap = kind / 36;
    /* an undamped spring that may hold nothing holds nothing but round-off, to which nothing can be compared */
    if (kind % 9 == 0 || (cap == 1 && !damped)) continue;
    (hertz ? scene_hertz : scene_hooke)(&o);
    scene_add_rolling(&o, kind % 3, kind / 3 % 3);
    if (!damped) o.rolling_damping = o.twisting_damping = 0, o.tangential_damping = DEM_DAMPING_NONE;
    if (cap) o.rolling_friction = o.twisting_friction = o.friction = cap == 1 ? 0 : 1e4;
    snprintf(name, sizeof name, "%s, rolling %d, twisting %d, %sdamped, cap %d", hertz ? "hertz" : "hooke", o.rolling,
             o.twisting, damped ? "" : "un", cap);
    assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
    const law_facts facts = facts_of(&o, name);
    law_conformance(context, law, &facts);
    dem_law_release(law);
    done++;
  }
  print_message("# %d laws conform\n", done);
}

/* Adhesion, which every cap counts back, with friction, rolling and twisting; JKR's own radius and its necks. */
static void joint_laws_conform(void **state) {
  (void)state;
  dem_law_options o;
  const char *name;
  for (int k = 0; (name = scene_joint(k / 2, &o)) != NULL; k++) {
    dem_law *law;
    if (k % 2) o.rolling_damping = o.twisting_damping = 0, o.tangential_damping = DEM_DAMPING_NONE;
    assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
    const law_facts facts = facts_of(&o, name);
    law_conformance(context, law, &facts);
    dem_law_release(law);
  }
}

/* What other codes have: dashpots by contact radius, constant springs beside Hertz, Mindlin's variants. A third of all pairs, every
 * spring and every dashpot among them. */
static void peer_forms_conform(void **state) {
  (void)state;
  dem_law_options o;
  char name[96];
  int k = 0;
  for (; law_peer_form(3 * k, &o, name); k++) {
    dem_law *law;
    if (scene_create_law(context, &o, &law)) fail_msg("%s: %s", name, dem_context_message(context));
    const law_facts facts = facts_of(&o, name);
    law_conformance(context, law, &facts);
    dem_law_release(law);
  }
  print_message("# %d laws conform\n", k);
  assert_true(k > 150);
}

/* Friction 0 and very large are ends of the same law. */
static void friction_at_its_ends(void **state) {
  (void)state;
  for (int hertz = 0; hertz < 2; hertz++)
    for (int large = 0; large < 2; large++) {
      dem_law_options options;
      dem_law *law;
      if (hertz)
        scene_hertz(&options);
      else
        scene_hooke(&options);
      options.friction = large ? 1e4 : 0;
      assert_int_equal(scene_create_law(context, &options, &law), DEM_OK);
      const law_facts facts = {
          .name = large ? "friction 1e4" : "friction 0", .friction = options.friction, .young = YOUNG, .poisson = POISSON};
      law_conformance(context, law, &facts);
      dem_law_release(law);
    }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(hooke_conforms),     TEST(hertz_conforms),     TEST(cohesion_conforms),
      TEST(dmt_conforms),       TEST(jkr_conforms),       TEST(rolling_and_twisting_conform),
      TEST(joint_laws_conform), TEST(peer_forms_conform), TEST(friction_at_its_ends),
  };
  return cmocka_run_group_tests_name("law", tests, NULL, NULL);
}
