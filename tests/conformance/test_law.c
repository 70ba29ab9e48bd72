/* The conformance suite over every combination of built-in law parts. */
#include "assertions.h"

#include <stdio.h>

#include "conformance/law_suite.h"
#include "parts/kinds.h"
#include "potential.h"
#include "scenes/context.h"
#include "scenes/scenes.h"
#include "series.h"

static const double YOUNG = 1e6, POISSON = 0.25;

/* Gap at which a JKR contact of R* = 1/4 tears: d of a^3 = pi gamma R*^2/(4 Y). */
static double tear_off(const dem_law_options *o) {
  if (o->normal != DEM_NORMAL_JKR) return 0;
  const double young = YOUNG / (2 * (1 - POISSON * POISSON)), r = 0.25, pi = 3.14159265358979323846;
  const double a = cbrt(pi * o->surface_energy * r * r / (4 * young));
  return 2 * sqrt(pi * o->surface_energy * a / young) - a * a / r;
}

/* Whether the law says that it has a potential, as law_facts has it. */
static int potential_of(const dem_law *law) {
  const law_facts facts = {.young = YOUNG, .poisson = POISSON};
  char text[DEMI_POTENTIAL_TEXT];
  demi_message message;
  demi_bound bound;
  dem_bind materials;
  law_bind(&facts, &materials);
  assert_int_equal(demi_law_bind(law, &materials, &message, &bound), DEM_OK);
  const demi_potential found = demi_bound_potential(&bound, text);
  assert_true((found == DEMI_POTENTIAL_ALWAYS) == (text[0] == 0));
  return found == DEMI_POTENTIAL_NONE ? -1 : 1;
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
                           .gap = tear_off(&options),
                           .potential = potential_of(law)};
  law_conformance(context, law, &facts);
  dem_law_release(law);
  return 1;
}

static void conforming(int first, int last) {
  int done = 0;
  for (int i = first; i < last; i++)
    if (series_takes(i)) done += conforms(i);
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

static law_facts facts_of(const dem_law_options *o, const dem_law *law, const char *name) {
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
                     .marshall = marshall,
                     .potential = potential_of(law)};
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
    if (kind % 9 == 0 || (cap == 1 && !damped) || !series_takes(kind)) continue;
    (hertz ? scene_hertz : scene_hooke)(&o);
    scene_add_rolling(&o, kind % 3, kind / 3 % 3);
    if (!damped) o.rolling_damping = o.twisting_damping = 0, o.tangential_damping = DEM_DAMPING_NONE;
    if (cap) o.rolling_friction = o.twisting_friction = o.friction = cap == 1 ? 0 : 1e4;
    snprintf(name, sizeof name, "%s, rolling %d, twisting %d, %sdamped, cap %d", hertz ? "hertz" : "hooke", o.rolling,
             o.twisting, damped ? "" : "un", cap);
    assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
    const law_facts facts = facts_of(&o, law, name);
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
    const law_facts facts = facts_of(&o, law, name);
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
  int k = 0, done = 0;
  for (; law_peer_form(3 * k, &o, name); k++) {
    dem_law *law;
    if (scene_create_law(context, &o, &law)) fail_msg("%s: %s", name, dem_context_message(context));
    const law_facts facts = facts_of(&o, law, name);
    if (series_takes(k)) law_conformance(context, law, &facts), done++;
    dem_law_release(law);
  }
  print_message("# %d laws conform\n", done);
  assert_true(k > 150);
}

/* ---- every kind ---- */

/* Options of a pair of kinds by their traits, so that a kind that is added to the tables is tested without a word here. */
static void options_of(int32_t normal, int32_t tangential, int damped, dem_law_options *o) {
  const uint32_t n = demi_normal_kinds[normal].traits, t = demi_tangential_kinds[tangential].traits;
  dem_law_options_init(o, sizeof *o);
  o->normal = normal;
  o->tangential = tangential;
  o->normal_stiffness = n & DEMI_READS_STIFFNESS ? 1e5 : 0;
  o->surface_energy = n & DEMI_READS_SURFACE ? 20 : 0;
  o->cohesion_energy_density = damped && (n & DEMI_READS_COHESION) ? 1e4 : 0;
  o->damping = damped && (n & DEMI_READS_DAMPING) ? DEM_DAMPING_RESTITUTION : DEM_DAMPING_NONE;
  o->tangential_damping = damped || !(t & DEMI_SPRING) ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
  o->restitution = 0.7;
  o->shear_damping = 25;
  o->friction = 0.4;
}

/* Every normal kind with every tangential one; pairs that mean nothing are refused, but no kind is refused with all others. */
static void every_kind_conforms(void **state) {
  (void)state;
  int normal_met[32] = {0}, tangential_met[32] = {0}, done = 0;
  for (int32_t n = 0; n <= demi_last_normal_kind; n++)
    for (int32_t t = 0; t <= demi_last_tangential_kind; t++)
      for (int damped = 0; damped < 2; damped++) {
        dem_law_options o;
        dem_law *law;
        char name[96];
        if (n == DEM_NORMAL_NONE) continue; /* nothing to conform to: see no_force_has_no_derivative */
        options_of(n, t, damped, &o);
        scene_drop_unread(&o);
        scene_add_rolling(&o, (n + t + damped) % 3, (n + t) % 3);
        snprintf(name, sizeof name, "%s, %s, %sdamped, rolling %d, twisting %d", demi_normal_kinds[n].name,
                 demi_tangential_kinds[t].name, damped ? "" : "un", o.rolling, o.twisting);
        const dem_status status = scene_create_law(context, &o, &law);
        if (status) assert_int_equal(status, DEM_BAD_ARGUMENT);
        if (status) continue;
        const law_facts facts = facts_of(&o, law, name);
        law_conformance(context, law, &facts);
        dem_law_release(law);
        normal_met[n]++, tangential_met[t]++, done++;
      }
  for (int32_t n = 1; n <= demi_last_normal_kind; n++)
    if (!normal_met[n]) fail_msg("normal kind %d (%s) is in no law that is tested", n, demi_normal_kinds[n].name);
  for (int32_t t = 0; t <= demi_last_tangential_kind; t++)
    if (!tangential_met[t]) fail_msg("tangential kind %d (%s) is in no law that is tested", t, demi_tangential_kinds[t].name);
  print_message("# %d laws conform\n", done);
}

/* Rolling and twisting kinds, up to the first that the library refuses: those are tested, each with each. */
static void no_turning_kind_is_left_out(void **state) {
  (void)state;
  for (int twisting = 0; twisting < 2; twisting++) {
    int32_t kind = 0;
    for (dem_status status = DEM_OK; !status; kind++) {
      dem_law_options o;
      dem_law *law = NULL;
      scene_hertz(&o);
      scene_add_rolling(&o, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
      *(twisting ? &o.twisting : &o.rolling) = kind;
      if (kind > 2) o.slider = DEM_SLIDER_SERIES;
      status = scene_create_law(context, &o, &law);
      dem_law_release(law);
    }
    assert_int_equal(kind - 1, 3); /* of three each: see rolling_and_twisting_conform */
  }
}

/* Without a normal part there is nothing to push, slide or roll. */
static void no_force_has_no_derivative(void **state) {
  (void)state;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal = DEM_NORMAL_NONE;
  o.tangential = DEM_TANGENTIAL_NONE;
  o.damping = o.tangential_damping = DEM_DAMPING_NONE;
  const dem_law_options plain = o;
  dem_law *law;
  dem_probe p = {.struct_size = sizeof p, .overlap = 0.1, .effective_radius = 1, .effective_mass = 1, .normal = {1, 0, 0}};
  assert_int_equal(scene_create_law(context, &plain, &law), DEM_OK);
  assert_int_equal(dem_law_probe(law, NULL, &p), DEM_OK);
  assert_true(p.normal_elastic == 0 && p.normal_damping == 0 && p.normal_stiffness == 0 && p.normal_viscosity == 0);
  assert_true(p.friction_force == 0 && p.normal_tangential_velocity[0] == 0 && potential_of(law) == 1);
  dem_law_release(law);
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
      const law_facts facts = {.name = large ? "friction 1e4" : "friction 0",
                               .friction = options.friction,
                               .young = YOUNG,
                               .poisson = POISSON,
                               .potential = potential_of(law)};
      law_conformance(context, law, &facts);
      dem_law_release(law);
    }
}

/* Beside contacts that conform. R* = 1/4: a = 3/8, from h = 0.0075 to 0.375. */
static void lubrication_conforms(void **state) {
  (void)state;
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.viscosity = 2;
  o.lubrication_scale = 1.5;
  o.lubrication_inner = 0.01;
  o.lubrication_outer = 0.5;
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  const law_facts facts = {
      .name = "hooke with lubrication", .friction = o.friction, .potential = 1, .fluid_inner = 0.0077, .fluid_outer = 0.37};
  law_conformance(context, law, &facts);
  dem_law_release(law);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(hooke_conforms),
      TEST(hertz_conforms),
      TEST(cohesion_conforms),
      TEST(dmt_conforms),
      TEST(jkr_conforms),
      TEST(rolling_and_twisting_conform),
      TEST(joint_laws_conform),
      TEST(peer_forms_conform),
      TEST(every_kind_conforms),
      TEST(no_turning_kind_is_left_out),
      TEST(no_force_has_no_derivative),
      TEST(friction_at_its_ends),
      TEST(lubrication_conforms),
  };
  return cmocka_run_group_tests_name("law", tests, NULL, NULL);
}
