/* Advice on impacts with the simulation as judge: impacts reach the overlap, last the time and come back with the restitution that was
 * asked for. */
#include "assertions.h"

#include "property/advised.h"
#include "scenes/context.h"
#include "scenes/scenes.h"

static const double RADIUS = 0.5, MASS = 1; /* of rows of density 6/pi */

/* A law and a material that bring out the impact. */
static dem_system *world_of(const dem_impact *i, double dt) {
  dem_law_options o;
  double young = 0;
  dem_law_options_init(&o, sizeof o);
  o.normal = i->normal;
  o.tangential = DEM_TANGENTIAL_NONE;
  o.damping = i->damping;
  o.attraction = i->attraction;
  o.normal_damping = i->normal_damping;
  o.restitution = i->restitution;
  if (i->normal == DEM_NORMAL_HOOKE)
    o.normal_stiffness = i->stiffness;
  else
    assert_int_equal(dem_formula_material_young(i->stiffness, 0.3, &young), DEM_OK);
  return advised_system(&o, young, dt);
}

typedef struct outcome {
  double overlap, time, rebound;
} outcome;

/* Two equal spheres, each at half the speed, until no force acts between them; the force begins and ends within a step. */
static outcome simulate_from(const dem_impact *i, int64_t steps, double phase) {
  const double dt = i->contact_time / (double)steps;
  dem_system *s = world_of(i, dt);
  rows r;
  outcome out = {0, 0, 0};
  double x[6], v[6], f[6];
  assert_int_equal(rows_create(&r, 2), 0);
  rows_put(&r, 0, 0, 0, RADIUS);
  rows_velocity(&r, 0, i->speed / 2, 0, 0);
  rows_put(&r, 2 * RADIUS + phase * i->speed * dt, 0, 0, RADIUS);
  rows_velocity(&r, 1, -i->speed / 2, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  for (int64_t k = 0; k < 3 * steps; k++) {
    ASSERT_OK(s, dem_system_step(s, 1));
    ASSERT_OK(s, dem_system_get_field(s, DEM_POSITION, 2, NULL, x, 0));
    ASSERT_OK(s, dem_system_get_field(s, DEM_FORCE, 2, NULL, f, 0));
    out.overlap = fmax(out.overlap, 2 * RADIUS - (x[3] - x[0]));
    if (f[0] == 0 && k > 2) break;
    out.time += dt;
  }
  ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, 2, NULL, v, 0));
  out.rebound = (v[3] - v[0]) / i->speed;
  dem_system_destroy(s);
  return out;
}

static outcome simulate(const dem_impact *i, int64_t steps) { return simulate_from(i, steps, 0.5); }

static dem_impact wanted(int32_t normal, int32_t damping, int32_t attraction) {
  dem_impact i;
  assert_int_equal(dem_impact_init(&i, sizeof i), DEM_OK);
  i.normal = normal;
  i.damping = damping;
  i.attraction = attraction;
  i.mass = MASS / 2;
  i.radius = RADIUS / 2;
  i.speed = 2;
  i.stiffness = 1e4;
  return i;
}

/* From "1 % of the radius at this speed, this restitution" to the numbers of a law, through the library and back. Damping and
 * stiffness are found in turn, as a given dashpot depends on both. */
static void advise_impact(dem_impact *i, double overlap, double rebound) {
  assert_int_equal(dem_impact_fit_stiffness(i, overlap), DEM_OK);
  for (int k = 0; k < 60 && i->damping != DEM_DAMPING_NONE; k++) {
    assert_int_equal(dem_impact_fit_damping(i, rebound), DEM_OK);
    assert_int_equal(dem_impact_fit_stiffness(i, overlap), DEM_OK);
  }
}

/* Tolerances: the end of an impact is met to a step, and the restitution's error goes with the step (doc/laws/damping.md), so at
 * 2000 steps 1e-3. */
static void judge(int32_t normal, int32_t damping, int32_t attraction, double rebound) {
  dem_impact i = wanted(normal, damping, attraction);
  const double overlap = 0.01 * RADIUS;
  advise_impact(&i, overlap, rebound);
  ASSERT_REL(i.overlap, overlap, 1e-7);
  ASSERT_REL(i.rebound, rebound, 1e-6);
  const outcome o = simulate(&i, 2000);
  ASSERT_REL(o.overlap, overlap, 1e-3);
  ASSERT_REL(o.time, i.contact_time, 2e-3);
  ASSERT_REL(o.rebound, rebound, 2e-3);
}

static void impacts_are_as_advised(void **state) {
  (void)state;
  static const double rebounds[] = {0.9, 0.8, 0.5};
  for (int32_t normal = DEM_NORMAL_HOOKE; normal <= DEM_NORMAL_HERTZ; normal++)
    for (int32_t attraction = 0; attraction < 2; attraction++) {
      judge(normal, DEM_DAMPING_NONE, attraction, 1);
      for (int32_t damping = DEM_DAMPING_COEFFICIENT; damping <= DEM_DAMPING_RESTITUTION_EXACT; damping++)
        for (int k = 0; k < 3; k++) judge(normal, damping, attraction, rebounds[k]);
    }
}

/* The scalar formulas say the same as the whole impact. */
static void hooke_like_hertz_takes_as_long(void **state) {
  (void)state;
  dem_impact hertz = wanted(DEM_NORMAL_HERTZ, DEM_DAMPING_NONE, 1), hooke = wanted(DEM_NORMAL_HOOKE, DEM_DAMPING_NONE, 1);
  hertz.stiffness = 3e6;
  assert_int_equal(dem_impact_predict(&hertz), DEM_OK);
  assert_int_equal(dem_formula_hooke_like_hertz(hertz.mass, hertz.radius, hertz.speed, hertz.stiffness, &hooke.stiffness),
                   DEM_OK);
  hooke.contact_time = hertz.contact_time;
  ASSERT_REL(simulate(&hooke, 2000).time, simulate(&hertz, 2000).time, 2e-3);
}

/* What a coarse step costs, which is why 1/15 of the contact time is warned of: largest error of a restitution of 0.8, over where
 * the step hits the first touch. The figures are those of doc/advice.md. */
static double restitution_error(int32_t normal, int64_t steps) {
  dem_impact i = wanted(normal, DEM_DAMPING_RESTITUTION, 1);
  double worst = 0;
  i.restitution = 0.8;
  assert_int_equal(dem_impact_fit_stiffness(&i, 0.001 * RADIUS), DEM_OK);
  for (int k = 0; k < 20; k++) worst = fmax(worst, fabs(simulate_from(&i, steps, (k + 0.5) / 20).rebound - 0.8) / 0.8);
  return worst;
}

static void coarse_steps_cost_restitution(void **state) {
  (void)state;
  ASSERT_ABS(restitution_error(DEM_NORMAL_HOOKE, 10), 0.044, 0.003);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HOOKE, 15), 0.027, 0.002);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HOOKE, 50), 0.008, 0.001);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HERTZ, 15), 0.0115, 0.002);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HERTZ, 50), 0.002, 0.001);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(impacts_are_as_advised),
      TEST(hooke_like_hertz_takes_as_long),
      TEST(coarse_steps_cost_restitution),
  };
  return cmocka_run_group_tests_name("advice_impacts", tests, NULL, NULL);
}
