/* A law that gives what is no number is found out: the failure names the pair, its overlap and the parts of its law. */
#include "assertions.h"

#include <stdio.h>

#include <dem/plugin/law.h>

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"

/* Hooke until the overlap is 0.01, no number beyond. */
static void moody_normal(const void *parameters, const dem_batch *batch) {
  (void)parameters;
  for (int32_t k = 0; k < batch->count; k++) {
    batch->normal_elastic[k] = batch->overlap[k] < 0.01 ? 1e3 * batch->overlap[k] : NAN;
    batch->normal_damping[k] = 0;
  }
}

/* Infinite at once. */
static void moody_tangential(const void *parameters, const dem_batch *batch) {
  (void)parameters;
  for (int32_t k = 0; k < batch->count; k++)
    for (int a = 0; a < 3; a++) batch->tangential_elastic[a][k] = INFINITY, batch->tangential_damping[a][k] = 0;
}

static void plain_normal(const void *parameters, const dem_batch *batch) {
  (void)parameters;
  for (int32_t k = 0; k < batch->count; k++) batch->normal_elastic[k] = 1e3 * batch->overlap[k], batch->normal_damping[k] = 0;
}

static const dem_law_part moody = {.struct_size = sizeof moody,
                                   .contract = DEM_LAW_PART_CONTRACT,
                                   .name = "moody",
                                   .kind = DEM_PART_NORMAL,
                                   .evaluate = moody_normal};
static const dem_law_part plain = {.struct_size = sizeof plain,
                                   .contract = DEM_LAW_PART_CONTRACT,
                                   .name = "plain",
                                   .kind = DEM_PART_NORMAL,
                                   .evaluate = plain_normal};
static const dem_law_part sticky = {.struct_size = sizeof sticky,
                                    .contract = DEM_LAW_PART_CONTRACT,
                                    .name = "sticky",
                                    .kind = DEM_PART_TANGENTIAL,
                                    .evaluate = moody_tangential};

typedef struct crowd {
  world world;
  dem_id ids[8];
} crowd;

/* Seven spheres of material 0, of which pairs 0-1 and 2-3 touch gently and for good; number 6, of material 1, comes along. */
static void open_world(crowd *w, const dem_law_part *normal, const dem_law_part *tangential, const char *integrator) {
  world_options o = world_defaults();
  dem_law *law;
  dem_law_piece pieces[2] = {{sizeof(dem_law_piece), 0, normal, NULL}, {sizeof(dem_law_piece), 0, tangential, NULL}};
  rows r;
  o.system.dt = 1e-3;
  o.integrator = integrator;
  o.materials = 2;
  o.without_law = 1;
  world_open(&w->world, &o);
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal_stiffness = 1e3;
  world_set_law(&w->world, 0, 0, &o.law);
  assert_int_equal(dem_law_create_from_parts(w->world.context, tangential ? 2 : 1, pieces, &law), DEM_OK);
  ASSERT_OK(w->world.system, dem_system_set_law(w->world.system, 0, 1, law));
  ASSERT_OK(w->world.system, dem_system_set_law(w->world.system, 1, 1, law));
  dem_law_release(law);
  assert_int_equal(rows_create(&r, 7), 0);
  for (int k = 0; k < 6; k++) rows_put(&r, 1.5 * k - (k % 2) * 0.501, 0, 0, 0.5);
  const int64_t last = rows_put(&r, 6 + 0.2, 1.0, 0, 0.5);
  rows_velocity(&r, last, 0, -1, 0);
  r.material[last] = 1;
  world_add_rows(&w->world, &r, w->ids);
}

static void fails_with(crowd *w, const char *pair, const char *parts) {
  dem_status status = DEM_OK;
  for (int k = 0; k < 400 && !status; k++) status = dem_system_step(w->world.system, 1);
  assert_int_equal(status, DEM_FAILED_NOT_FINITE);
  const char *text = dem_system_message(w->world.system);
  if (!strstr(text, " became ") || !strstr(text, pair) || !strstr(text, parts))
    fail_msg("%s, wanted: %s, %s", text, pair, parts);
  world_close(&w->world);
}

static const char *const integrators[] = {"velocity-verlet", "euler", "improved-velocity-verlet"};

static void the_pair_is_named(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    crowd w;
    char pair[160];
    open_world(&w, &moody, NULL, integrators[k]);
    snprintf(pair, sizeof pair, "first load that is not finite: contact of particles %llu and %llu, overlap 0.01",
             (unsigned long long)w.ids[4], (unsigned long long)w.ids[6]);
    fails_with(&w, pair, "law parts: 'moody'");
  }
}

static void a_tangential_part_is_named(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    crowd w;
    open_world(&w, &plain, &sticky, integrators[k]);
    fails_with(&w, "contact of particles ", "law parts: 'plain', 'sticky'");
  }
}

static void the_wall_is_named(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    crowd w;
    char pair[160];
    open_world(&w, &moody, NULL, integrators[k]);
    dem_wall p = wall_plane(0, 0.45, 0, 0, 1, 0);
    p.material = 1;
    ASSERT_OK(w.world.system, dem_system_remove_particles(w.world.system, 6, w.ids));
    const int32_t wall = world_add_wall(&w.world, &p);
    snprintf(pair, sizeof pair, "contact of particle %llu and wall %d, overlap 0.01", (unsigned long long)w.ids[6], wall);
    fails_with(&w, pair, "law parts: 'moody'");
  }
}

/* A velocity that is too large is no law's fault. */
static void laws_are_not_blamed_for_others(void **state) {
  (void)state;
  crowd w;
  const double v[3] = {1.7e308, 0, 0};
  open_world(&w, &plain, NULL, "velocity-verlet");
  if (dem_system_set_field(w.world.system, DEM_VELOCITY, 1, &w.ids[6], v, 0) == DEM_OK) {
    dem_status status = DEM_OK;
    for (int k = 0; k < 3000 && !status; k++) status = dem_system_step(w.world.system, 1);
    assert_int_equal(status, DEM_FAILED_NOT_FINITE);
    assert_null(strstr(dem_system_message(w.world.system), "law parts"));
  }
  world_close(&w.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pair_is_named),
      cmocka_unit_test(a_tangential_part_is_named),
      cmocka_unit_test(the_wall_is_named),
      cmocka_unit_test(laws_are_not_blamed_for_others),
  };
  cmocka_set_message_output(CM_OUTPUT_TAP);
  return cmocka_run_group_tests_name("not finite", tests, NULL, NULL);
}
