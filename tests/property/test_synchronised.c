/* The improved velocity-Verlet scheme (Vyas et al. 2025; doc/integrators.md) beside the plain one: where contacts are stiff and spheres
 * alike, both agree, and what holds for the plain scheme still holds. */
#include "assertions.h"

#include "property/synchronised.h"
#include "scenes/context.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

static const double PI = 3.14159265358979323846;

/* ---- impacts of spheres of like size ---- */

typedef struct impact {
  double size, ratio; /* of the radii; v_t/v_n */
  int32_t normal, tangential, arms;
  double restitution, friction, steps, phase;
} impact;

static double contact_time(const impact *i, double stiffness, double young) {
  const double m = i->size * i->size * i->size, mass = m / (1 + m), radius = 0.5 * i->size / (1 + i->size);
  if (i->normal == DEM_NORMAL_HOOKE) return PI * sqrt(mass / stiffness);
  return 2.943 * pow(5 * mass / (4 * 2.0 / 3.0 * young / (1 - 0.09) * sqrt(radius)), 0.4);
}

/* Overlaps of about 1e-3 of the radii; velocities and radius times spins at the end over the speed of approach. */
static dem_energy collide(int scheme, const impact *i, double out[12]) {
  const double stiffness = 1e7, young = 1e9, time = contact_time(i, stiffness, young), dt = time / i->steps;
  dem_law_options law;
  dem_material m;
  rows r;
  dem_system *s = synchronised_create(scheme, dt, i->arms);
  dem_material_init(&m, sizeof m);
  m.young = young;
  m.poisson = 0.3;
  int32_t hard;
  ASSERT_OK(s, dem_system_add_material(s, &m, &hard));
  dem_law_options_init(&law, sizeof law);
  law.normal = i->normal;
  law.tangential = i->tangential;
  law.normal_stiffness = i->normal == DEM_NORMAL_HOOKE ? stiffness : 0;
  law.damping = i->restitution < 1 ? DEM_DAMPING_RESTITUTION : DEM_DAMPING_NONE;
  law.restitution = i->restitution;
  law.friction = i->friction;
  for (int32_t a = 0; a <= hard; a++) ASSERT_OK(s, scene_set_law(context, s, a, hard, &law));
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  assert_int_equal(rows_create(&r, 2), 0);
  rows_velocity(&r, rows_put(&r, 0, 0, 0, 0.5), i->ratio / 2, 0, 0.5);
  rows_velocity(&r, rows_put(&r, 0, 0, 0.5 * (1 + i->size) + i->phase * dt, 0.5 * i->size), -i->ratio / 2, 0, -0.5);
  r.material[0] = r.material[1] = hard;
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  ASSERT_OK(s, dem_system_step(s, (int64_t)(1.6 * i->steps) + 10));
  ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, 2, NULL, out, 0));
  ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 2, NULL, out + 6, 0));
  for (int k = 0; k < 12; k++) out[k] *= (k < 6 ? 1 : 0.5) / hypot(1, i->ratio);
  const dem_energy e = synchronised_books(s);
  assert_true(e.potential_normal[0] == 0); /* apart again */
  dem_system_destroy(s);
  return e;
}

static double difference(const impact *i) {
  double out[2][12], worst = 0;
  for (int s = 0; s < 2; s++) collide(s, i, out[s]);
  for (int k = 0; k < 12; k++) worst = fmax(worst, fabs(out[0][k] - out[1][k]));
  return worst;
}

/* The false normal velocity v_t^2 dt/(2r) is of first order, and so is the difference. */
static void alike_in_impacts(void **state) {
  (void)state;
  static const double ratio[] = {0.5, 1, 2};
  double worst = 0;
  for (int size = 1; size <= 2; size++)
    for (int k = 0; k < 3; k++)
      for (int hertz = 0; hertz < 2; hertz++) {
        impact i = {.size = size,
                    .ratio = ratio[k],
                    .normal = hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE,
                    .phase = 3.7,
                    .tangential = hertz ? DEM_TANGENTIAL_MINDLIN : DEM_TANGENTIAL_LINEAR,
                    .restitution = 0.8,
                    .friction = 0.3,
                    .steps = 500};
        const double d = difference(&i);
        i.steps = 1000; /* from the same place */
        i.phase = 7.4;
        const double half = difference(&i);
        ASSERT_BELOW(d, 1e-6);
        ASSERT_ABS(log2(d / half), 1, 0.25);
        worst = fmax(worst, d);
      }
  print_message("# at 500 steps per contact: %.1e of the speed apart at most\n", worst);
}

/* Elastic, with the potential friction of Mindlin: what of the energy the time step makes or takes. */
static double numerical(int scheme, double steps, int32_t arms) {
  double out[12];
  const impact i = {.size = 2,
                    .ratio = 1,
                    .normal = DEM_NORMAL_HERTZ,
                    .tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING,
                    .arms = arms,
                    .restitution = 1,
                    .friction = 0.3,
                    .steps = steps,
                    .phase = 3.7 * steps / 500};
  const dem_energy e = collide(scheme, &i, out);
  return fabs(e.numerical[0]) / e.host;
}

/* Seen half a step late, arms that change with the overlap cost an order; seen in time they do not. */
static void arms_cost_no_order(void **state) {
  (void)state;
  double at[2][2][2], order[2][2];
  for (int scheme = 0; scheme < 2; scheme++)
    for (int32_t arms = 0; arms < 2; arms++) {
      for (int k = 0; k < 2; k++) at[scheme][arms][k] = numerical(scheme, 500 << k, arms);
      order[scheme][arms] = log2(at[scheme][arms][0] / at[scheme][arms][1]);
      print_message("# %s, arms %d: numerical %.2e, %.2e of the energy, order %.2f\n", synchronised_schemes[scheme], (int)arms,
                    at[scheme][arms][0], at[scheme][arms][1], order[scheme][arms]);
    }
  for (int32_t arms = 0; arms < 2; arms++) ASSERT_ABS(order[IMPROVED][arms], 2, 0.1);
  assert_true(order[STANDARD][0] < 1.9);
  for (int k = 0; k < 2; k++) {
    ASSERT_REL(at[IMPROVED][0][k], at[IMPROVED][1][k], 0.01);
    assert_true(at[IMPROVED][0][k] < at[STANDARD][0][k]);
  }
}

/* ---- what holds for the plain scheme still holds ---- */

static void run_scene(const char *name, const scene_setup *setup, int32_t instructions, int64_t steps, snapshot *end,
                      dem_status *status) {
  dem_context_options o;
  dem_context *own;
  dem_system *s;
  dem_context_options_init(&o, sizeof o);
  o.instructions = instructions;
  *status = dem_context_create(&o, &own);
  if (*status) return; /* not on this CPU */
  assert_int_equal(scene_build(scene_find(name), own, setup, &s), DEM_OK);
  ASSERT_OK(s, scene_run(scene_find(name), s, steps));
  snapshot_take(end, s);
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(own), DEM_OK);
}

static void same_bits_from_threads_sets_and_books(void **state) {
  (void)state;
  for (int i = 0; i < scene_count; i++) {
    snapshot first, other;
    dem_status status;
    const scene_setup plain = {.integrator = synchronised_schemes[IMPROVED]};
    run_scene(scenes[i].name, &plain, DEM_INSTRUCTIONS_PLAIN, 500, &first, &status);
    for (int k = 0; k < 6; k++) {
      const scene_setup setup = {.integrator = synchronised_schemes[IMPROVED],
                                 .threads = k < 2 ? k + 2 : 0,
                                 .ledger = k == 2   ? 1
                                           : k == 3 ? 2
                                                    : 0};
      run_scene(scenes[i].name, &setup, k < 4 ? DEM_INSTRUCTIONS_PLAIN : k - 2, 500, &other, &status);
      if (status) continue;
      snapshot_assert_same_bits(&first, &other);
      snapshot_free(&other);
    }
    snapshot_free(&first);
  }
}

/* Without friction and damping a force sees positions alone: the same bits, so it also runs backwards as the plain scheme does. */
static void elastic_spheres_do_not_see_it(void **state) {
  (void)state;
  dem_law_options law;
  snapshot end[2];
  dem_status status;
  scene_hooke(&law);
  law.tangential = DEM_TANGENTIAL_NONE;
  law.tangential_stiffness = 0;
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  for (int s = 0; s < 2; s++) {
    const scene_setup setup = {.particles = 60, .law = &law, .integrator = synchronised_schemes[s]};
    run_scene("cluster", &setup, DEM_INSTRUCTIONS_AUTO, 1000, &end[s], &status);
  }
  snapshot_assert_same_bits(&end[0], &end[1]);
  snapshot_free(&end[0]);
  snapshot_free(&end[1]);
}

/* A cluster in a frame that moves: round-off of coordinates up to 10 in 400 steps, grown by the chaos of impacts (below 1e3). */
static void in_a_moving_frame(void **state) {
  (void)state;
  const double speed[3] = {1.5, -2.5, 0.5};
  snapshot end[2];
  for (int k = 0; k < 2; k++) {
    const scene_setup setup = {.particles = 60, .integrator = synchronised_schemes[IMPROVED]};
    dem_system *s;
    assert_int_equal(scene_build(scene_find("cluster"), context, &setup, &s), DEM_OK);
    snapshot_take(&end[k], s);
    for (int64_t i = 0; i < 3 * end[k].count; i++) {
      end[k].x[i] *= 0.9;
      end[k].v[i] += k ? speed[i % 3] : 0;
    }
    ASSERT_OK(s, dem_system_set_field(s, DEM_POSITION, end[k].count, NULL, end[k].x, 0));
    ASSERT_OK(s, dem_system_set_field(s, DEM_VELOCITY, end[k].count, NULL, end[k].v, 0));
    snapshot_free(&end[k]);
    ASSERT_OK(s, dem_system_step(s, 400));
    snapshot_take(&end[k], s);
    dem_system_destroy(s);
  }
  for (int64_t i = 0; i < 3 * end[1].count; i++) end[1].x[i] -= 400 * 1e-4 * speed[i % 3];
  const double d = snapshot_distance(&end[0], &end[1], NULL);
  print_message("# moving frame: %.1e apart\n", d);
  snapshot_free(&end[0]);
  snapshot_free(&end[1]);
  ASSERT_BELOW(d, 400 * 10 * 2.2e-16 * 1e3);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(alike_in_impacts),
      TEST(arms_cost_no_order),
      TEST(same_bits_from_threads_sets_and_books),
      TEST(elastic_spheres_do_not_see_it),
      TEST(in_a_moving_frame),
  };
  return cmocka_run_group_tests_name("synchronised", tests, NULL, NULL);
}
