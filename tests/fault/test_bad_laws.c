/* Options of laws and materials that are refused, and pairs of materials that no law is set for. */
#include "assertions.h"

#include "fault/bed.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "state.h"

/* ---- options of laws ---- */

#define LAW(name, change)                                           \
  ACTION(name) {                                                    \
    dem_law_options o;                                              \
    scene_hooke(&o);                                                \
    change;                                                         \
    dem_law *law = b->law;                                          \
    const dem_status status = dem_law_create(b->context, &o, &law); \
    assert_null(law);                                               \
    return status;                                                  \
  }
LAW(restitution_zero, o.restitution = 0)
LAW(restitution_above_1, o.restitution = 1.5)
LAW(stiffness_missing, o.normal_stiffness = 0)
LAW(stiffness_negative, o.normal_stiffness = -7)
LAW(stiffness_nan, o.normal_stiffness = NAN)
LAW(shear_stiffness_negative, o.tangential_stiffness = -7)
LAW(friction_negative, o.friction = -0.5)
LAW(friction_infinite, o.friction = INFINITY)
LAW(rolling_unknown, o.rolling = 3)
LAW(twisting_unknown, o.twisting = -1)
LAW(rolling_without_stiffness, o.rolling = DEM_ROLLING_SPRING)
LAW(rolling_stiffness_nan, (o.rolling = DEM_ROLLING_SPRING, o.rolling_stiffness = NAN))
LAW(rolling_damping_negative, (o.rolling = DEM_ROLLING_SPRING, o.rolling_stiffness = 1, o.rolling_damping = -2))
LAW(rolling_friction_negative, (o.rolling = DEM_ROLLING_CONSTANT, o.rolling_friction = -0.25))
LAW(twisting_without_stiffness, o.twisting = DEM_TWISTING_SPRING)
LAW(twisting_damping_infinite, (o.twisting = DEM_TWISTING_SPRING, o.twisting_stiffness = 1, o.twisting_damping = INFINITY))
LAW(twisting_friction_negative, (o.twisting = DEM_TWISTING_SPRING, o.twisting_stiffness = 1, o.twisting_friction = -3))
LAW(marshall_without_spring, (o.twisting = DEM_TWISTING_MARSHALL, o.tangential = DEM_TANGENTIAL_NONE))
LAW(rolling_without_normal, (o.rolling = DEM_ROLLING_CONSTANT, o.normal = DEM_NORMAL_NONE, o.tangential = DEM_TANGENTIAL_NONE))
LAW(damping_negative, o.normal_damping = -1)
LAW(normal_unknown, o.normal = 12)
LAW(tangential_unknown, o.tangential = 12)
LAW(damping_unknown, o.damping = 12)
LAW(shear_damping_unknown, o.tangential_damping = 12)
LAW(attraction_2, o.attraction = 2)
LAW(mindlin_on_hooke, o.tangential = DEM_TANGENTIAL_MINDLIN)
LAW(law_size_small, o.struct_size = 8)

static void jkr(dem_law_options *o) {
  scene_hertz(o);
  o->normal = DEM_NORMAL_JKR;
  o->surface_energy = 20;
}
LAW(jkr_without_surface_energy, jkr(&o); o.surface_energy = 0)
LAW(dmt_without_surface_energy, jkr(&o); o.normal = DEM_NORMAL_DMT; o.surface_energy = 0)
LAW(surface_energy_negative, jkr(&o); o.surface_energy = -3)
LAW(surface_energy_infinite, jkr(&o); o.surface_energy = INFINITY)
LAW(surface_energy_on_hooke, o.surface_energy = 3)
LAW(cohesion_negative, o.cohesion_energy_density = -3)
LAW(cohesion_nan, o.cohesion_energy_density = NAN)
LAW(cohesion_on_jkr, jkr(&o); o.cohesion_energy_density = 7)
LAW(jkr_in_fluid, jkr(&o); o.viscosity = 0.5)
LAW(jkr_conserving, jkr(&o); o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING)
LAW(dmt_stiffness, jkr(&o); o.normal = DEM_NORMAL_DMT; o.tangential = DEM_TANGENTIAL_MINDLIN; o.tangential_stiffness = 7)
LAW(jkr_stiffness, jkr(&o); o.tangential = DEM_TANGENTIAL_MINDLIN; o.tangential_stiffness = 7)
LAW(modulus_negative, scene_hertz(&o); o.tangential_modulus = -7)
LAW(modulus_on_hooke, o.tangential_modulus = 7)
LAW(modulus_and_stiffness, scene_hertz(&o); o.tangential = DEM_TANGENTIAL_LINEAR; o.tangential_modulus = 7;
    o.tangential_stiffness = 5)
LAW(shear_damping_exact, o.tangential_damping = DEM_DAMPING_RESTITUTION_EXACT)
LAW(share_of_nothing, (o.damping = DEM_DAMPING_NONE, o.tangential_damping = DEM_DAMPING_OF_NORMAL))
LAW(damping_of_normal, o.damping = DEM_DAMPING_OF_NORMAL)

/* ---- materials ---- */

#define MATERIAL(name, change)                           \
  ACTION(name) {                                         \
    dem_material m;                                      \
    dem_material_init(&m, sizeof m);                     \
    change;                                              \
    return dem_system_add_material(b->system, &m, NULL); \
  }
MATERIAL(poisson_large, m.poisson = 0.7)
MATERIAL(poisson_minus_1, m.poisson = -1)
MATERIAL(young_negative, m.young = -1e6)
MATERIAL(young_nan, m.young = NAN)

ACTION(material_size) {
  dem_material m = {.struct_size = 1};
  return dem_system_add_material(b->system, &m, NULL);
}

/* ---- options that no chosen part reads ---- */

/* Options that no chosen part reads, on a law that is right without them. */
static void plain(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal_stiffness = 1e5;
}

static void frictionless(dem_law_options *o) {
  plain(o);
  o->tangential = DEM_TANGENTIAL_NONE;
}

static void viscous(dem_law_options *o) {
  plain(o);
  o->tangential = DEM_TANGENTIAL_VISCOUS;
  o->tangential_damping = DEM_DAMPING_RATE;
}

static void hertz(dem_law_options *o) {
  plain(o);
  o->normal = DEM_NORMAL_HERTZ;
  o->normal_stiffness = 0;
}

static void nothing(dem_law_options *o) {
  frictionless(o);
  o->normal = DEM_NORMAL_NONE;
  o->normal_stiffness = 0;
}
LAW(unread_restitution, plain(&o); o.restitution = 0.8)
LAW(unread_restitution_by_rate, plain(&o); o.restitution = 0.8; o.damping = o.tangential_damping = DEM_DAMPING_RATE)
LAW(unread_normal_stiffness, hertz(&o); o.normal_stiffness = 1234)
LAW(unread_normal_stiffness_of_nothing, nothing(&o); o.normal_stiffness = 1234)
LAW(unread_tangential_stiffness, viscous(&o); o.tangential_stiffness = 77)
LAW(unread_tangential_modulus, viscous(&o); o.normal = DEM_NORMAL_HERTZ; o.normal_stiffness = 0; o.tangential_modulus = 1e6)
LAW(law_reserved, plain(&o); o.reserved_zero = 3)
LAW(unread_normal_damping, plain(&o); o.damping = DEM_DAMPING_RESTITUTION; o.normal_damping = 3.5)
LAW(unread_shear_damping, plain(&o); o.shear_damping = 3.5)
LAW(unread_friction, frictionless(&o); o.friction = 0.3)
LAW(unread_tangential_damping, frictionless(&o); o.tangential_damping = DEM_DAMPING_RATE)
LAW(unread_damping, nothing(&o); o.damping = DEM_DAMPING_RATE)
LAW(unread_lubrication_scale, plain(&o); o.lubrication_scale = 2)
LAW(unread_lubrication_inner, plain(&o); o.lubrication_inner = 0.01)
LAW(unread_lubrication_outer, plain(&o); o.lubrication_outer = 2)
LAW(unread_rolling_stiffness, plain(&o); o.rolling_stiffness = 10)
LAW(unread_rolling_damping, plain(&o); o.rolling = DEM_ROLLING_CONSTANT; o.rolling_damping = 10)
LAW(unread_rolling_friction, plain(&o); o.rolling_friction = 0.2)
LAW(unread_twisting_stiffness, plain(&o); o.twisting = DEM_TWISTING_MARSHALL; o.twisting_stiffness = 10)
LAW(unread_twisting_damping, plain(&o); o.twisting_damping = 10)
LAW(unread_twisting_friction, plain(&o); o.twisting_friction = 0.2)
LAW(stiffness_beyond_limit, o.normal_stiffness = 1e61)
LAW(viscosity_beyond_limit, o.viscosity = 1e200)

/* ---- laws of a system ---- */
ACTION(law_of_no_material) { return dem_system_set_law(b->system, 0, 17, b->law); }
ACTION(integrator_unknown) { return dem_system_set_integrator_name(b->system, "leapfrog-9"); }

ACTION(hertz_without_young) {
  dem_law_options o;
  dem_law *law;
  scene_hertz(&o);
  assert_int_equal(dem_law_create(b->context, &o, &law), DEM_OK);
  const dem_status status = dem_system_set_law(b->system, 0, 0, law);
  dem_law_release(law);
  return status;
}

static const bed_refusal table[] = {
    {"restitution 0", restitution_zero, DEM_BAD_ARGUMENT, {"restitution", "0", "1"}},
    {"restitution 1.5", restitution_above_1, DEM_BAD_ARGUMENT, {"restitution", "1.5", "0 to 1"}},
    {"no stiffness", stiffness_missing, DEM_BAD_ARGUMENT, {"normal_stiffness", "0", "> 0"}},
    {"stiffness negative", stiffness_negative, DEM_BAD_ARGUMENT, {"normal_stiffness", "-7", "0"}},
    {"stiffness NaN", stiffness_nan, DEM_BAD_ARGUMENT, {"normal_stiffness", "nan", "0"}},
    {"shear stiffness negative", shear_stiffness_negative, DEM_BAD_ARGUMENT, {"tangential_stiffness", "-7", ">= 0"}},
    {"friction negative", friction_negative, DEM_BAD_ARGUMENT, {"friction", "-0.5", ">= 0"}},
    {"friction infinite", friction_infinite, DEM_BAD_ARGUMENT, {"friction", "inf", "finite"}},
    {"rolling unknown", rolling_unknown, DEM_BAD_ARGUMENT, {"rolling", "3", "0 to 2"}},
    {"twisting unknown", twisting_unknown, DEM_BAD_ARGUMENT, {"twisting", "-1", "0 to 2"}},
    {"rolling spring without stiffness", rolling_without_stiffness, DEM_BAD_ARGUMENT, {"rolling_stiffness", "0", "> 0"}},
    {"rolling stiffness not a number", rolling_stiffness_nan, DEM_BAD_ARGUMENT, {"rolling_stiffness", "nan", "finite"}},
    {"rolling damping negative", rolling_damping_negative, DEM_BAD_ARGUMENT, {"rolling_damping", "-2", ">= 0"}},
    {"rolling friction negative", rolling_friction_negative, DEM_BAD_ARGUMENT, {"rolling_friction", "-0.25", ">= 0"}},
    {"twisting spring without stiffness", twisting_without_stiffness, DEM_BAD_ARGUMENT, {"twisting_stiffness", "0", "> 0"}},
    {"twisting damping infinite", twisting_damping_infinite, DEM_BAD_ARGUMENT, {"twisting_damping", "inf", "finite"}},
    {"twisting friction negative", twisting_friction_negative, DEM_BAD_ARGUMENT, {"twisting_friction", "-3", ">= 0"}},
    {"Marshall without tangential spring", marshall_without_spring, DEM_BAD_ARGUMENT, {"twisting", "Marshall", "LINEAR (2)"}},
    {"rolling without normal part", rolling_without_normal, DEM_BAD_ARGUMENT, {"rolling is 2", "normal"}},
    {"damping negative", damping_negative, DEM_BAD_ARGUMENT, {"normal_damping", "-1", ">= 0"}},
    {"normal part unknown", normal_unknown, DEM_BAD_ARGUMENT, {"normal", "12", "0 to 4"}},
    {"tangential part unknown", tangential_unknown, DEM_BAD_ARGUMENT, {"tangential", "12", "0 to 6"}},
    {"damping unknown", damping_unknown, DEM_BAD_ARGUMENT, {"damping", "12", "0 to 5"}},
    {"tangential damping unknown", shear_damping_unknown, DEM_BAD_ARGUMENT, {"tangential_damping", "12", "0 to 6"}},
    {"attraction", attraction_2, DEM_BAD_ARGUMENT, {"attraction", "2", "0 to 1"}},
    {"Mindlin on Hooke", mindlin_on_hooke, DEM_BAD_ARGUMENT, {"tangential", "Mindlin", "Hertz"}},
    {"JKR without surface energy", jkr_without_surface_energy, DEM_BAD_ARGUMENT, {"surface_energy", "0", "JKR needs > 0"}},
    {"DMT without surface energy", dmt_without_surface_energy, DEM_BAD_ARGUMENT, {"surface_energy", "0", "DMT needs > 0"}},
    {"surface energy negative", surface_energy_negative, DEM_BAD_ARGUMENT, {"surface_energy", "-3", ">= 0"}},
    {"surface energy infinite", surface_energy_infinite, DEM_BAD_ARGUMENT, {"surface_energy", "inf", "finite"}},
    {"surface energy on Hooke", surface_energy_on_hooke, DEM_BAD_ARGUMENT, {"surface_energy", "3", "only DMT (3) and JKR (4)"}},
    {"cohesion negative", cohesion_negative, DEM_BAD_ARGUMENT, {"cohesion_energy_density", "-3", ">= 0"}},
    {"cohesion NaN", cohesion_nan, DEM_BAD_ARGUMENT, {"cohesion_energy_density", "nan", "finite"}},
    {"cohesion on JKR", cohesion_on_jkr, DEM_BAD_ARGUMENT, {"cohesion_energy_density", "7", "Hooke (1) and Hertz (2)"}},
    {"JKR in a fluid", jkr_in_fluid, DEM_BAD_ARGUMENT, {"viscosity", "0.5", "holds across the gap"}},
    {"JKR with conserving Mindlin", jkr_conserving, DEM_BAD_ARGUMENT, {"tangential", "4", "JKR"}},
    {"DMT and Mindlin with a stiffness", dmt_stiffness, DEM_BAD_ARGUMENT, {"tangential_stiffness", "7", "leave it 0"}},
    {"JKR and Mindlin with a stiffness", jkr_stiffness, DEM_BAD_ARGUMENT, {"tangential_stiffness", "7", "leave it 0"}},
    {"modulus negative", modulus_negative, DEM_BAD_ARGUMENT, {"tangential_modulus", "-7", ">= 0"}},
    {"modulus on Hooke", modulus_on_hooke, DEM_BAD_ARGUMENT, {"tangential_modulus", "7", "normal is 1"}},
    {"modulus and stiffness", modulus_and_stiffness, DEM_BAD_ARGUMENT, {"tangential_modulus", "7", "5"}},
    {"exact tangential damping", shear_damping_exact, DEM_BAD_ARGUMENT, {"tangential_damping", "4", "normal part only"}},
    {"share of no dashpot", share_of_nothing, DEM_BAD_ARGUMENT, {"tangential_damping", "6", "none"}},
    {"normal damping of itself", damping_of_normal, DEM_BAD_ARGUMENT, {"damping", "6", "0 to 5"}},
    {"law options too small", law_size_small, DEM_BAD_STRUCT, {"struct_size", "8"}},

    {"Poisson 0.7", poisson_large, DEM_BAD_ARGUMENT, {"material 3", "poisson", "0.7", "0.5"}},
    {"Poisson -1", poisson_minus_1, DEM_BAD_ARGUMENT, {"material 3", "poisson", "-1", "0.5"}},
    {"Young negative", young_negative, DEM_BAD_ARGUMENT, {"material 3", "young", "-1e+06", "0"}},
    {"Young NaN", young_nan, DEM_BAD_ARGUMENT, {"material 3", "young", "nan", "finite"}},

    {"restitution without damping", unread_restitution, DEM_BAD_ARGUMENT, {"restitution", "0.8", "RESTITUTION", "leave it 1"}},
    {"restitution beside a rate", unread_restitution_by_rate, DEM_BAD_ARGUMENT, {"restitution", "0.8", "leave it 1"}},
    {"normal_stiffness with Hertz",
     unread_normal_stiffness,
     DEM_BAD_ARGUMENT,
     {"normal_stiffness", "1234", "Hooke", "leave it 0"}},
    {"normal_stiffness of nothing",
     unread_normal_stiffness_of_nothing,
     DEM_BAD_ARGUMENT,
     {"normal_stiffness", "1234", "leave it 0"}},
    {"tangential_stiffness, viscous",
     unread_tangential_stiffness,
     DEM_BAD_ARGUMENT,
     {"tangential_stiffness", "77", "leave it 0"}},
    {"tangential_modulus, viscous", unread_tangential_modulus, DEM_BAD_ARGUMENT, {"tangential_modulus", "1e+06", "leave it 0"}},
    {"reserved number of a law", law_reserved, DEM_UNSUPPORTED, {"reserved_zero", "3", "0"}},
    {"normal_damping by restitution", unread_normal_damping, DEM_BAD_ARGUMENT, {"normal_damping", "3.5", "leave it 0"}},
    {"shear_damping of none", unread_shear_damping, DEM_BAD_ARGUMENT, {"shear_damping", "3.5", "leave it 0"}},
    {"friction without friction", unread_friction, DEM_BAD_ARGUMENT, {"friction", "0.3", "leave it 0.5"}},
    {"tangential damping of none", unread_tangential_damping, DEM_BAD_ARGUMENT, {"tangential_damping", "2", "leave it 0"}},
    {"damping of none", unread_damping, DEM_BAD_ARGUMENT, {"damping", "2", "leave it 0"}},
    {"scale without fluid", unread_lubrication_scale, DEM_BAD_ARGUMENT, {"lubrication_scale", "2", "viscosity", "leave it 1"}},
    {"inner without fluid", unread_lubrication_inner, DEM_BAD_ARGUMENT, {"lubrication_inner", "0.01", "leave it 0.001"}},
    {"outer without fluid", unread_lubrication_outer, DEM_BAD_ARGUMENT, {"lubrication_outer", "2", "leave it 1"}},
    {"stiffness without rolling", unread_rolling_stiffness, DEM_BAD_ARGUMENT, {"rolling_stiffness", "10", "leave it 0"}},
    {"damping of constant rolling", unread_rolling_damping, DEM_BAD_ARGUMENT, {"rolling_damping", "10", "leave it 0"}},
    {"friction without rolling", unread_rolling_friction, DEM_BAD_ARGUMENT, {"rolling_friction", "0.2", "leave it 0.1"}},
    {"stiffness with Marshall", unread_twisting_stiffness, DEM_BAD_ARGUMENT, {"twisting_stiffness", "10", "leave it 0"}},
    {"damping without twisting", unread_twisting_damping, DEM_BAD_ARGUMENT, {"twisting_damping", "10", "leave it 0"}},
    {"friction without twisting", unread_twisting_friction, DEM_BAD_ARGUMENT, {"twisting_friction", "0.2", "leave it 0.1"}},
    {"stiffness beyond the limit", stiffness_beyond_limit, DEM_BAD_ARGUMENT, {"normal_stiffness", "1e+61", "1e+60"}},
    {"viscosity beyond the limit", viscosity_beyond_limit, DEM_BAD_ARGUMENT, {"viscosity", "1e+200", "1e+60"}},

    {"law of no material", law_of_no_material, DEM_NOT_FOUND, {"material", "17", "3"}},
    {"unknown integrator", integrator_unknown, DEM_NOT_FOUND, {"integrator", "leapfrog-9", "euler"}},
    {"Hertz without Young", hertz_without_young, DEM_INCOMPLETE, {"ertz", "Young", "0"}},
    {"material of size 1", material_size, DEM_BAD_STRUCT, {"struct_size", "1"}},
};

static void every_row_is_refused_with_item_value_and_limit(void **state) {
  (void)state;
  bed_check_refusals(table, sizeof table / sizeof *table);
}

/* ---- cases that need a system of their own ---- */

/* A pair of materials without a law is found before the first step. */
static void a_missing_law_stops_the_first_step(void **state) {
  (void)state;
  bed b;
  rows r;
  bed_open(&b);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 20, 5, 0.4);
  r.material[0] = 2;
  ASSERT_OK(b.system, rows_add(&r, b.system, NULL));
  rows_destroy(&r);
  const uint64_t before = system_hash(b.system);
  ASSERT_STATUS(b.system, dem_system_step(b.system, 1), DEM_INCOMPLETE);
  ASSERT_WORDS(dem_system_message(b.system), "material", "0", "2", "law");
  assert_true(system_hash(b.system) == before);
  ASSERT_OK(b.system, dem_system_set_law(b.system, 2, 0, b.law));
  ASSERT_OK(b.system, dem_system_set_law(b.system, 2, 2, b.law));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  bed_close(&b);
}

/* The dashpot of a viscous part that follows the restitution goes with the root of k_t, which may be given. */
static void a_viscous_part_may_read_the_stiffness(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  for (int hertzian = 0; hertzian < 2; hertzian++) {
    dem_law_options o;
    dem_law *law = NULL;
    (hertzian ? hertz : plain)(&o);
    o.tangential = DEM_TANGENTIAL_VISCOUS;
    o.tangential_damping = DEM_DAMPING_RESTITUTION;
    o.restitution = 0.5;
    *(hertzian ? &o.tangential_modulus : &o.tangential_stiffness) = 1e4;
    assert_int_equal(dem_law_create(b.context, &o, &law), DEM_OK);
    dem_law_release(law);
  }
  bed_close(&b);
}

/* The tables by pair of so many would fill 40 GB, so the count alone is set here. */
static void the_table_of_materials_has_an_end(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  const int32_t count = b.system->materials.count;
  b.system->materials.count = 65535;
  ASSERT_STATUS(b.system, dem_system_add_material(b.system, NULL, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b.system), "material", "at most 65535");
  b.system->materials.count = count;
  bed_close(&b);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_refused_with_item_value_and_limit),
      cmocka_unit_test(a_missing_law_stops_the_first_step),
      cmocka_unit_test(a_viscous_part_may_read_the_stiffness),
      cmocka_unit_test(the_table_of_materials_has_an_end),
  };
  return cmocka_run_group_tests_name("bad_laws", tests, NULL, NULL);
}
