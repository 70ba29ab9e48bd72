/* Exported: systems, views, energies. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <string.h>

#include "check.h"
#include "context.h"
#include "system.h"

#define NEEDS(argument)                                                                  \
  do {                                                                                   \
    const dem_status missing = demi_api_argument(system, __func__, #argument, argument); \
    if (missing) return missing;                                                         \
  } while (0)

/* Reading is allowed at any time, changing only between steps with no view open. */
#define MAY_READ()                                           \
  do {                                                       \
    const dem_status may = demi_api_check(system, __func__); \
    if (may) return may;                                     \
  } while (0)
#define MAY_CHANGE()                                          \
  do {                                                        \
    const dem_status may = demi_api_change(system, __func__); \
    if (may) return may;                                      \
  } while (0)

/* ---- defaults ---- */

dem_status dem_system_options_init(dem_system_options *options, uint32_t struct_size) {
  return options ? demi_system_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_material_init(dem_material *material, uint32_t struct_size) {
  return material ? demi_material_defaults(material, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_particles_init(dem_particles *particles, uint32_t struct_size) {
  return particles ? demi_particles_defaults(particles, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_plane_init(dem_plane *plane, uint32_t struct_size) {
  return plane ? demi_plane_defaults(plane, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_wall_init(dem_wall *wall, uint32_t struct_size) {
  return wall ? demi_wall_defaults(wall, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_wall_state_init(dem_wall_state *state, uint32_t struct_size) {
  return state ? demi_wall_state_defaults(state, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_statistics_init(dem_statistics *statistics, uint32_t struct_size) {
  return statistics ? demi_statistics_defaults(statistics, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_energy_init(dem_energy *energy, uint32_t struct_size) {
  return energy ? demi_energy_defaults(energy, struct_size) : DEM_BAD_ARGUMENT;
}

/* ---- life ---- */

dem_status dem_system_create(dem_context *context, const dem_system_options *options, dem_system **system) {
  if (system) *system = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!options || !system)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_system_create: %s is NULL", options ? "system" : "options");
  return demi_system_create(context, options, system);
}

void dem_system_destroy(dem_system *system) { demi_system_destroy(system); }

const char *dem_system_message(const dem_system *system) { return system ? demi_system_message_of(system)->text : ""; }

/* ---- set-up ---- */

dem_status dem_system_add_material(dem_system *system, const dem_material *material, int32_t *index) {
  MAY_CHANGE();
  return demi_system_add_material(system, material, index);
}

dem_status dem_system_set_law(dem_system *system, int32_t a, int32_t b, const dem_law *law) {
  MAY_CHANGE();
  NEEDS(law);
  return demi_system_set_law(system, a, b, law);
}

dem_status dem_system_set_integrator(dem_system *system, const dem_integrator *integrator) {
  MAY_CHANGE();
  NEEDS(integrator);
  return demi_system_set_integrator(system, integrator);
}

dem_status dem_system_set_integrator_name(dem_system *system, const char *name) {
  MAY_CHANGE();
  NEEDS(name);
  return demi_system_set_integrator_name(system, name);
}

dem_status dem_system_add_plane(dem_system *system, const dem_plane *plane, int32_t *wall) {
  MAY_CHANGE();
  NEEDS(plane);
  return demi_system_add_plane(system, plane, wall);
}

dem_status dem_system_add_wall(dem_system *system, const dem_wall *wall, int32_t *id) {
  MAY_CHANGE();
  NEEDS(wall);
  return demi_system_add_wall(system, wall, id);
}

dem_status dem_system_set_wall_motion(dem_system *system, int32_t id, const dem_wall *motion) {
  MAY_CHANGE();
  NEEDS(motion);
  return demi_system_set_wall_motion(system, id, motion);
}

dem_status dem_system_remove_wall(dem_system *system, int32_t wall) {
  MAY_CHANGE();
  return demi_system_remove_wall(system, wall);
}

dem_status dem_system_set_dt(dem_system *system, double dt) {
  MAY_CHANGE();
  return demi_system_set_dt(system, dt);
}

dem_status dem_system_set_gravity(dem_system *system, const double *gravity) {
  MAY_CHANGE();
  NEEDS(gravity);
  return demi_system_set_gravity(system, gravity);
}

dem_status dem_system_set_progress(dem_system *system, int64_t every, dem_progress_fn progress, void *user) {
  MAY_CHANGE();
  return demi_system_set_progress(system, every, progress, user);
}

/* ---- particles ---- */

dem_status dem_system_add(dem_system *system, const dem_particles *particles, dem_id *ids) {
  MAY_CHANGE();
  NEEDS(particles);
  return demi_system_add(system, particles, ids);
}

dem_status dem_system_remove(dem_system *system, int64_t count, const dem_id *ids) {
  MAY_CHANGE();
  if (count != 0) NEEDS(ids);
  return demi_system_remove(system, count, ids);
}

dem_status dem_system_set_frozen(dem_system *system, int64_t count, const dem_id *ids, int32_t frozen) {
  MAY_CHANGE();
  if (count != 0) NEEDS(ids);
  return demi_system_set_frozen(system, count, ids, frozen);
}

dem_status dem_system_set(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const double *values,
                          int64_t stride) {
  MAY_CHANGE();
  NEEDS(values);
  return demi_system_set(system, field, count, ids, values, stride);
}

dem_status dem_system_set_int(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const int32_t *values,
                              int64_t stride) {
  MAY_CHANGE();
  NEEDS(values);
  return demi_system_set_int(system, field, count, ids, values, stride);
}

dem_status dem_system_get(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, double *values,
                          int64_t stride) {
  MAY_READ();
  NEEDS(values);
  return demi_system_get(system, field, count, ids, values, stride);
}

dem_status dem_system_get_int(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, int32_t *values,
                              int64_t stride) {
  MAY_READ();
  NEEDS(values);
  return demi_system_get_int(system, field, count, ids, values, stride);
}

dem_status dem_system_ids(const dem_system *system, int64_t capacity, dem_id *ids) {
  MAY_READ();
  NEEDS(ids);
  return demi_system_ids(system, capacity, ids);
}

dem_status dem_system_count(const dem_system *system, int64_t *count) {
  MAY_READ();
  NEEDS(count);
  *count = demi_system_count(system);
  return DEM_OK;
}

/* ---- stepping ---- */

dem_status dem_system_step(dem_system *system, int64_t steps) {
  MAY_CHANGE();
  return demi_system_step(system, steps);
}

dem_status dem_system_run_until(dem_system *system, double time) {
  MAY_CHANGE();
  return demi_system_run_until(system, time);
}

dem_status dem_system_time(const dem_system *system, double *time) {
  MAY_READ();
  NEEDS(time);
  *time = demi_system_time(system);
  return DEM_OK;
}

/* ---- reading ---- */

dem_status dem_system_stable_dt(const dem_system *system, double *dt) {
  MAY_READ();
  NEEDS(dt);
  *dt = demi_system_stable_dt(system);
  return DEM_OK;
}

dem_status dem_system_check(dem_system *system) {
  MAY_READ();
  return demi_system_check(system);
}

dem_status dem_system_wall_force(const dem_system *system, int32_t wall, double *force) {
  MAY_READ();
  NEEDS(force);
  return demi_system_wall_force(system, wall, force);
}

dem_status dem_system_wall_state(const dem_system *system, int32_t id, dem_wall_state *state) {
  MAY_READ();
  NEEDS(state);
  return demi_system_wall_state(system, id, state);
}

dem_status dem_system_contact_count(const dem_system *system, int64_t *count) {
  MAY_READ();
  NEEDS(count);
  *count = demi_system_contact_count(system);
  return DEM_OK;
}

dem_status dem_system_contacts(const dem_system *system, int64_t capacity, dem_contact *contacts) {
  MAY_READ();
  NEEDS(contacts);
  return demi_system_contacts(system, capacity, contacts);
}

dem_status dem_system_statistics(const dem_system *system, dem_statistics *statistics) {
  MAY_READ();
  NEEDS(statistics);
  return demi_system_statistics(system, statistics);
}

dem_status dem_system_energy(dem_system *system, dem_energy *energy) {
  MAY_READ();
  NEEDS(energy);
  return demi_system_energy(system, energy);
}

dem_status dem_energy_share_init(dem_energy_share *share, uint32_t struct_size) {
  return share ? demi_energy_share_defaults(share, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_system_set_energy_sampling(dem_system *system, int64_t every, dem_energy_fn sample, void *user) {
  MAY_CHANGE();
  return demi_system_set_energy_sampling(system, every, sample, user);
}

dem_status dem_system_energy_of_law(dem_system *system, const dem_law *law, dem_energy_share *share) {
  MAY_READ();
  NEEDS(law);
  NEEDS(share);
  return demi_system_energy_of_law(system, law, share);
}

dem_status dem_system_energy_of_materials(dem_system *system, int32_t a, int32_t b, dem_energy_share *share) {
  MAY_READ();
  NEEDS(share);
  return demi_system_energy_of_materials(system, a, b, share);
}

dem_status dem_system_energy_of_wall(dem_system *system, int32_t wall, dem_energy_share *share) {
  MAY_READ();
  NEEDS(share);
  return demi_system_energy_of_wall(system, wall, share);
}

dem_status dem_system_epoch(const dem_system *system, int64_t *epoch) {
  MAY_READ();
  NEEDS(epoch);
  *epoch = demi_system_epoch(system);
  return DEM_OK;
}

/* ---- views ---- */

dem_status dem_view_acquire(dem_system *system, int32_t field, int32_t mode, dem_view *view) {
  MAY_READ();
  NEEDS(view);
  return demi_view_acquire(system, field, mode, view);
}

dem_status dem_view_release(dem_system *system, dem_view *view) {
  MAY_READ();
  NEEDS(view);
  return demi_view_release(system, view);
}
