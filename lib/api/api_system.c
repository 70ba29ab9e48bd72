/* Exported: systems, views. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <string.h>

#include "check.h"
#include "context.h"
#include "state.h"
#include "system.h"
#include "trial.h"

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

dem_status dem_statistics_init(dem_statistics *statistics, uint32_t struct_size) {
  return statistics ? demi_statistics_defaults(statistics, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_view_init(dem_view *view, uint32_t struct_size) {
  return view ? demi_view_defaults(view, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_box_init(dem_box *box, uint32_t struct_size) {
  return box ? demi_box_defaults(box, struct_size) : DEM_BAD_ARGUMENT;
}

/* ---- life ---- */

dem_status dem_system_create(dem_context *context, const dem_system_options *options, dem_system **system) {
  if (system) *system = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!options || !system)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_system_create: %s is NULL", options ? "system" : "options");
  return demi_system_create(context, options, system);
}

dem_status dem_system_destroy(dem_system *system) {
  dem_status status = system ? demi_api_alone(system, __func__) : DEM_OK;
  if (!status && system && !system->poisoned) status = demi_api_without_trials(system, __func__);
  while (!status && system && system->guards.first_trial) demi_trial_close(system->guards.first_trial);
  if (!status && system) demi_trial_free_spare(system);
  if (!status) demi_system_destroy(system);
  return status;
}

const char *dem_system_message(const dem_system *system) {
  return system ? demi_message_text(demi_system_message_of(system)) : "";
}

/* ---- set-up ---- */

dem_status dem_system_add_material(dem_system *system, const dem_material *material, int32_t *index) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_add_material(system, material, index));
}

dem_status dem_system_set_law(dem_system *system, int32_t a, int32_t b, const dem_law *law) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(law);
  return DEMI_INSIDE(demi_system_set_law(system, a, b, law));
}

dem_status dem_system_set_integrator(dem_system *system, const dem_integrator *integrator) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(integrator);
  return DEMI_INSIDE(demi_system_set_integrator(system, integrator));
}

dem_status dem_system_set_integrator_name(dem_system *system, const char *name) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(name);
  return DEMI_INSIDE(demi_system_set_integrator_name(system, name));
}

dem_status dem_system_set_dt(dem_system *system, double dt) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_set_dt(system, dt));
}

dem_status dem_system_set_gravity(dem_system *system, const double *gravity) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(gravity);
  return DEMI_INSIDE(demi_system_set_gravity(system, gravity));
}

dem_status dem_system_set_progress(dem_system *system, int64_t every, dem_progress_fn progress, void *user) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_set_progress(system, every, progress, user));
}

dem_status dem_system_set_before_step(dem_system *system, dem_before_step_fn before_step, void *user) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_set_before_step(system, before_step, user));
}

/* ---- box ---- */

dem_status dem_system_get_box(const dem_system *system, dem_box *box) {
  DEMI_MAY_READ();
  DEMI_NEEDS(box);
  return demi_system_get_box(system, box);
}

dem_status dem_system_set_box(dem_system *system, const dem_box *box, int32_t affine) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(box);
  return DEMI_INSIDE(demi_system_set_box(system, box, affine));
}

/* ---- particles ---- */

dem_status dem_system_add_particles(dem_system *system, const dem_particles *particles, dem_id *ids) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(particles);
  return DEMI_INSIDE(demi_system_add_particles(system, particles, ids));
}

dem_status dem_system_remove_particles(dem_system *system, int64_t count, const dem_id *ids) {
  DEMI_MAY_CHANGE();
  if (count != 0) DEMI_NEEDS(ids);
  return DEMI_INSIDE(demi_system_remove_particles(system, count, ids));
}

dem_status dem_system_set_frozen(dem_system *system, int64_t count, const dem_id *ids, int32_t frozen) {
  DEMI_MAY_CHANGE();
  if (count != 0) DEMI_NEEDS(ids);
  return DEMI_INSIDE(demi_system_set_frozen(system, count, ids, frozen));
}

dem_status dem_system_set_frozen_motion(dem_system *system, int64_t count, const dem_id *ids, const double *velocity,
                                        const double *spin) {
  DEMI_MAY_CHANGE();
  if (count != 0) DEMI_NEEDS(ids);
  return DEMI_INSIDE(demi_system_set_frozen_motion(system, count, ids, velocity, spin));
}

dem_status dem_system_add_column(dem_system *system, const char *name, int32_t components, int32_t *column) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(name);
  DEMI_NEEDS(column);
  return DEMI_INSIDE(demi_system_add_column(system, name, components, column));
}

dem_status dem_system_set_field(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const double *values,
                                int64_t stride) {
  const dem_status may = demi_api_set(system, __func__, field);
  if (may) return may;
  DEMI_NEEDS(values);
  return DEMI_INSIDE(demi_system_set_field(system, field, count, ids, values, stride));
}

dem_status dem_system_set_field_int(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const int32_t *values,
                                    int64_t stride) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(values);
  return DEMI_INSIDE(demi_system_set_field_int(system, field, count, ids, values, stride));
}

dem_status dem_system_get_field(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, double *values,
                                int64_t stride) {
  DEMI_MAY_READ();
  DEMI_NEEDS(values);
  return demi_system_get_field(system, field, count, ids, values, stride);
}

dem_status dem_system_get_field_int(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, int32_t *values,
                                    int64_t stride) {
  DEMI_MAY_READ();
  DEMI_NEEDS(values);
  return demi_system_get_field_int(system, field, count, ids, values, stride);
}

dem_status dem_system_ids(const dem_system *system, int64_t capacity, dem_id *ids) {
  DEMI_MAY_READ();
  DEMI_NEEDS(ids);
  return demi_system_ids(system, capacity, ids);
}

dem_status dem_system_index_of(const dem_system *system, int64_t count, const dem_id *ids, int64_t *indices) {
  DEMI_MAY_READ();
  if (count != 0) DEMI_NEEDS(ids);
  if (count != 0) DEMI_NEEDS(indices);
  return demi_system_index_of(system, count, ids, indices);
}

dem_status dem_system_id_at(const dem_system *system, int64_t count, const int64_t *indices, dem_id *ids) {
  DEMI_MAY_READ();
  if (count != 0) DEMI_NEEDS(indices);
  if (count != 0) DEMI_NEEDS(ids);
  return demi_system_id_at(system, count, indices, ids);
}

dem_status dem_system_particle_count(const dem_system *system, int64_t *count) {
  DEMI_MAY_READ();
  DEMI_NEEDS(count);
  *count = demi_system_particle_count(system);
  return DEM_OK;
}

/* ---- stepping ---- */

dem_status dem_system_step(dem_system *system, int64_t steps) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_step(system, steps));
}

dem_status dem_system_run_until(dem_system *system, double time) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_run_until(system, time));
}

dem_status dem_system_time(const dem_system *system, double *time) {
  DEMI_MAY_READ();
  DEMI_NEEDS(time);
  *time = demi_system_time(system);
  return DEM_OK;
}

/* ---- reading ---- */

dem_status dem_system_stable_dt(const dem_system *system, double *dt) {
  DEMI_MAY_READ();
  DEMI_NEEDS(dt);
  *dt = demi_system_stable_dt(system);
  return DEM_OK;
}

dem_status dem_system_check(dem_system *system) {
  DEMI_MAY_USE();
  return DEMI_INSIDE(demi_system_check(system));
}

dem_status dem_system_contact_count(const dem_system *system, int64_t *count) {
  DEMI_MAY_READ();
  DEMI_NEEDS(count);
  *count = demi_system_contact_count(system);
  return DEM_OK;
}

dem_status dem_system_contacts(const dem_system *system, int64_t capacity, dem_contact *contacts, uint32_t struct_size) {
  DEMI_MAY_READ();
  DEMI_NEEDS(contacts);
  return demi_system_contacts(system, capacity, contacts, struct_size);
}

dem_status dem_system_statistics(const dem_system *system, dem_statistics *statistics) {
  DEMI_MAY_READ();
  DEMI_NEEDS(statistics);
  return demi_system_statistics(system, statistics);
}

dem_status dem_system_epoch(const dem_system *system, int64_t *epoch) {
  DEMI_MAY_READ();
  DEMI_NEEDS(epoch);
  *epoch = demi_system_epoch(system);
  return DEM_OK;
}

/* ---- views ---- */

dem_status dem_view_acquire(dem_system *system, int32_t field, int32_t mode, dem_view *view) {
  DEMI_MAY_USE();
  DEMI_NEEDS(view);
  const dem_status status = mode == DEM_WRITE ? demi_api_without_trials(system, __func__) : DEM_OK;
  if (status) return status;
  return DEMI_INSIDE(demi_view_acquire(system, field, mode, view));
}

dem_status dem_view_release(dem_system *system, dem_view *view) {
  DEMI_MAY_USE();
  DEMI_NEEDS(view);
  return DEMI_INSIDE(demi_view_release(system, view));
}
