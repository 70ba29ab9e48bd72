#include "world.h"

#include "assertions.h"

#include <stdio.h>

/* ---- opening and closing ---- */

static void listen(void *user, int32_t level, const char *text) {
  world *w = user;
  if (level != DEM_LOG_WARNING) return;
  const size_t used = strlen(w->said);
  w->warnings++;
  snprintf(w->said + used, sizeof w->said - used, "%s\n", text);
}

world_options world_defaults(void) {
  world_options o = {.materials = 1};
  assert_int_equal(dem_context_options_init(&o.context, sizeof o.context), DEM_OK);
  assert_int_equal(dem_system_options_init(&o.system, sizeof o.system), DEM_OK);
  assert_int_equal(dem_material_init(&o.material, sizeof o.material), DEM_OK);
  o.system.dt = 1e-4;
  o.system.ledger = 1;
  o.material.young = 1e6;
  scene_hooke(&o.law);
  return o;
}

dem_status world_open_context(world *w, const dem_context_options *options) {
  dem_context_options c;
  *w = (world){0};
  assert_int_equal(dem_context_options_init(&c, sizeof c), DEM_OK);
  if (options) c = *options;
  if (!c.log) c.log = listen, c.log_user = w;
  return dem_context_create(&c, &w->context);
}

void world_open(world *w, const world_options *options) {
  const world_options standard = world_defaults(), *o = options ? options : &standard;
  assert_int_equal(world_open_context(w, &o->context), DEM_OK);
  assert_int_equal(dem_system_create(w->context, &o->system, &w->system), DEM_OK);
  if (o->integrator) ASSERT_OK(w->system, dem_system_set_integrator_name(w->system, o->integrator));
  for (int32_t m = 0; m < o->materials; m++) ASSERT_OK(w->system, dem_system_add_material(w->system, &o->material, NULL));
  for (int32_t a = 0; a < o->materials && !o->without_law; a++)
    for (int32_t b = a; b < o->materials; b++) world_set_law(w, a, b, &o->law);
}

void world_open_scene(world *w, const char *name, const scene_setup *setup) {
  const scene *s = scene_find(name);
  assert_non_null(s);
  assert_int_equal(world_open_context(w, NULL), DEM_OK);
  assert_int_equal(scene_build(s, w->context, setup, &w->system), DEM_OK);
}

void world_close(world *w) {
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

void world_forget_warnings(world *w) {
  w->warnings = 0;
  w->said[0] = 0;
}

void world_set_law(const world *w, int32_t a, int32_t b, const dem_law_options *law) {
  ASSERT_OK(w->system, scene_set_law(w->context, w->system, a, b, law));
}

/* ---- particles and walls ---- */

static rows one_row(double radius, const double x[3]) {
  rows r;
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, x[0], x[1], x[2], radius);
  return r;
}

dem_id world_add_sphere(const world *w, double radius, const double x[3], const double v[3], const double spin[3]) {
  rows r = one_row(radius, x);
  dem_id id;
  if (v) rows_velocity(&r, 0, v[0], v[1], v[2]);
  if (spin) rows_spin(&r, 0, spin[0], spin[1], spin[2]);
  world_add_rows(w, &r, &id);
  return id;
}

dem_id world_add_frozen(const world *w, double radius, const double x[3]) {
  rows r = one_row(radius, x);
  dem_id id;
  r.frozen[0] = 1;
  world_add_rows(w, &r, &id);
  return id;
}

void world_add_rows(const world *w, rows *r, dem_id *ids) {
  ASSERT_OK(w->system, rows_add(r, w->system, ids));
  rows_destroy(r);
}

void world_add_cloud(const world *w, int n, double half, double speed) {
  rows r;
  dice d = {77};
  assert_int_equal(rows_create(&r, (int64_t)n * n * n), 0);
  for (int i = 0; i < n * n * n; i++) {
    const int at[3] = {i % n, i / n % n, i / n / n};
    double x[3], v[6];
    for (int a = 0; a < 3; a++) x[a] = half * ((2.0 * at[a] + 1.0) / n - 1.0) + dice_uniform(&d, -0.02, 0.02);
    for (int a = 0; a < 6; a++) v[a] = dice_uniform(&d, -speed, speed);
    const int64_t row = rows_put(&r, x[0], x[1], x[2], dice_uniform(&d, 0.3, 0.45));
    rows_velocity(&r, row, v[0], v[1], v[2]);
    rows_spin(&r, row, v[3], v[4], v[5]);
  }
  world_add_rows(w, &r, NULL);
}

int32_t world_add_wall(const world *w, const dem_wall *wall) {
  int32_t id = -1;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, wall, &id));
  return id;
}

/* ---- fields and readings ---- */

static int64_t particles(const world *w) {
  int64_t count;
  ASSERT_OK(w->system, dem_system_particle_count(w->system, &count));
  return count;
}

void world_read(const world *w, int32_t field, double *values) {
  ASSERT_OK(w->system, dem_system_get_field(w->system, field, particles(w), NULL, values, 0));
}

void world_write(const world *w, int32_t field, const double *values) {
  ASSERT_OK(w->system, dem_system_set_field(w->system, field, particles(w), NULL, values, 0));
}

void world_read_one(const world *w, dem_id id, int32_t field, double *values) {
  ASSERT_OK(w->system, dem_system_get_field(w->system, field, 1, &id, values, 0));
}

void world_write_one(const world *w, dem_id id, int32_t field, const double *values) {
  ASSERT_OK(w->system, dem_system_set_field(w->system, field, 1, &id, values, 0));
}

dem_energy world_energy(const world *w) {
  dem_energy e;
  assert_int_equal(dem_energy_init(&e, sizeof e), DEM_OK);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e;
}

dem_statistics world_statistics(const world *w) {
  dem_statistics s;
  assert_int_equal(dem_statistics_init(&s, sizeof s), DEM_OK);
  ASSERT_OK(w->system, dem_system_statistics(w->system, &s));
  return s;
}

dem_wall_state world_wall_state(const world *w, int32_t wall) {
  dem_wall_state s;
  assert_int_equal(dem_wall_state_init(&s, sizeof s), DEM_OK);
  ASSERT_OK(w->system, dem_system_wall_state(w->system, wall, &s));
  return s;
}

int64_t world_contacts(const world *w) {
  int64_t count;
  ASSERT_OK(w->system, dem_system_contact_count(w->system, &count));
  return count;
}

/* ---- energy books ---- */

/* Minus the work of the springs: of contacts between particles, with walls, and of bonds. */
static double elastic_of(const dem_energy *e) {
  double sum = e->elastic_bond;
  for (int k = 0; k < 2; k++)
    sum += e->elastic_normal[k] + e->elastic_tangential[k] + e->elastic_rolling[k] + e->elastic_twisting[k];
  return sum;
}

static double heat_of(const dem_energy *e) {
  double sum = e->damping_bond + e->breakage;
  for (int k = 0; k < 2; k++)
    sum += e->damping_normal[k] + e->damping_tangential[k] + e->sliding[k] + e->rolling[k] + e->twisting[k] +
           e->lubrication[k] + e->hysteresis[k];
  return sum;
}

/* What the springs hold less what the host brought; `size`: the sum of the absolute values. */
static double stored_of(const dem_energy *e, double *size) {
  double sum = e->potential_bond;
  *size = fabs(e->potential_bond);
  for (int k = 0; k < 2; k++) {
    const double parts[] = {e->potential_normal[k], e->potential_tangential[k], e->potential_rolling[k],
                            e->potential_twisting[k], -e->potential_host[k]};
    for (int n = 0; n < 5; n++) sum += parts[n], *size += fabs(parts[n]);
  }
  return sum;
}

static double unclosed(const dem_energy *e) {
  return e->kinetic_linear + e->kinetic_angular + e->kinetic_walls + e->gravity + elastic_of(e) + heat_of(e) + e->drag -
         e->host - e->walls - e->box;
}

void energy_assert_closed(const dem_energy *e, double bound, const char *what) {
  double size;
  const double stored = stored_of(e, &size);
  if (!(e->residual_relative <= bound))
    print_message("# %s: residual %.1e of the largest account %.3g\n", what, e->residual_relative, e->largest);
  ASSERT_ABS(unclosed(e), e->residual, 1e-13 * e->largest);
  ASSERT_ABS(elastic_of(e), stored + e->numerical[0] + e->numerical[1], 1e-13 * e->largest + 1e-15 * size);
  ASSERT_REL(e->residual_relative, e->largest > 0 ? fabs(e->residual) / e->largest : 0, 1e-12);
  ASSERT_BELOW(e->residual_relative, bound);
  assert_true(e->sliding[0] >= 0 && e->sliding[1] >= 0);
}

double world_assert_closed(const world *w, const char *what) {
  const dem_energy e = world_energy(w);
  energy_assert_closed(&e, 1e-12, what);
  return e.residual_relative;
}
