/* A system and an open trial, for the tests of trials asked for wrongly: see trial_bed.h. */
#include "assertions.h"

#include "fault/trial_bed.h"

#include <stdlib.h>

#include "scenes/scenes.h"

static void ignore(void *user, int32_t level, const char *text) { (void)user, (void)level, (void)text; }

dem_context *trial_bed_context(void) {
  dem_context *context;
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.log = ignore;
  assert_int_equal(dem_context_create(&o, &context), DEM_OK);
  return context;
}

void trial_bed_open_system(trial_bed *w) {
  const scene_setup setup = {.particles = 40, .ledger = 1};
  dem_energy e;
  memset(w, 0, sizeof *w);
  w->context = trial_bed_context();
  assert_int_equal(scene_build(scene_find("settling"), w->context, &setup, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_step(w->system, 2500));
  ASSERT_OK(w->system, dem_system_id_at(w->system, 1, &(int64_t){3}, &w->frozen));
  ASSERT_OK(w->system, dem_system_set_frozen(w->system, 1, &w->frozen, 1));
  ASSERT_OK(w->system, dem_system_step(w->system, 1));
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  w->before = image_take(w->system);
}

void trial_bed_open(trial_bed *w) {
  trial_bed_open_system(w);
  ASSERT_OK(w->system, dem_trial_open(w->system, NULL, &w->trial));
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
  double **const vectors[] = {&w->u, &w->g, &w->p};
  for (int k = 0; k < 3; k++) assert_non_null(*vectors[k] = calloc((size_t)w->rows.unknowns, sizeof(double)));
  for (int64_t k = 0; k < w->rows.particles * w->rows.width; k++) w->u[k] = 1e-4 * (double)(k % 7 - 3);
}

void trial_bed_close(trial_bed *w) {
  assert_int_equal(dem_trial_close(w->trial), DEM_OK);
  image_assert_same(&w->before, w->system);
  ASSERT_OK(w->system, dem_system_step(w->system, 5));
  ASSERT_OK(w->system, dem_system_check(w->system));
  image_free(&w->before);
  free(w->u);
  free(w->g);
  free(w->p);
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

void trial_bed_says(const trial_bed *w, const char *text) {
  if (!strstr(dem_system_message(w->system), text)) fail_msg("'%s' is not in: %s", text, dem_system_message(w->system));
}
