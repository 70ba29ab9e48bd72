/* What the layers above (io, api) may call on a system. Arguments are already checked for NULL and poison. Same meaning as the
 * dem_system_... function of that name. */
#ifndef DEMI_SYSTEM_H
#define DEMI_SYSTEM_H

#include <dem/advice.h>
#include <dem/bond.h>
#include <dem/energy.h>
#include <dem/plugin/integrator.h>
#include <dem/plugin/law.h>
#include <dem/statics.h>
#include <dem/system.h>
#include <dem/view.h>
#include <dem/wall.h>

#include "message.h"

dem_context *demi_system_context(const dem_system *system);
/* Where refusals leave their text, also of const calls. */
demi_message *demi_system_message_of(const dem_system *system);
void demi_system_box(const dem_system *system, double low[3], double high[3], int32_t periodic[3]);
int64_t demi_system_particle_count(const dem_system *system);
int64_t demi_system_steps(const dem_system *system);
double demi_system_time(const dem_system *system);
int32_t demi_system_keeps_heat(const dem_system *system);
int32_t demi_system_material_count(const dem_system *system);
dem_status demi_system_ids(const dem_system *system, int64_t capacity, dem_id *ids);
dem_status demi_system_index_of(const dem_system *system, int64_t count, const dem_id *ids, int64_t *indices);
dem_status demi_system_id_at(const dem_system *system, int64_t count, const int64_t *indices, dem_id *ids);
dem_status demi_system_get_field(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, double *values,
                                 int64_t stride);
dem_status demi_system_get_field_int(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, int32_t *values,
                                     int64_t stride);
dem_status demi_system_energy(dem_system *system, dem_energy *energy);
dem_status demi_system_set_energy_sampling(dem_system *system, int64_t every, dem_energy_fn sample, void *user);
dem_status demi_system_energy_of_law(dem_system *system, const dem_law *law, dem_energy_share *share);
dem_status demi_system_energy_of_materials(dem_system *system, int32_t a, int32_t b, dem_energy_share *share);
dem_status demi_system_energy_of_wall(dem_system *system, int32_t wall, dem_energy_share *share);
dem_status demi_energy_share_defaults(dem_energy_share *share, uint32_t struct_size);

dem_status demi_system_options_defaults(dem_system_options *options, uint32_t struct_size);
dem_status demi_material_defaults(dem_material *material, uint32_t struct_size);
dem_status demi_particles_defaults(dem_particles *particles, uint32_t struct_size);
dem_status demi_wall_defaults(dem_wall *wall, uint32_t struct_size);
dem_status demi_wall_state_defaults(dem_wall_state *state, uint32_t struct_size);
dem_status demi_statistics_defaults(dem_statistics *statistics, uint32_t struct_size);
dem_status demi_energy_defaults(dem_energy *energy, uint32_t struct_size);

dem_status demi_system_create(dem_context *context, const dem_system_options *options, dem_system **system);
void demi_system_destroy(dem_system *system);
int32_t demi_system_poisoned(const dem_system *system);
int32_t demi_system_views(const dem_system *system);
int64_t demi_system_epoch(const dem_system *system);
dem_status demi_system_add_material(dem_system *system, const dem_material *material, int32_t *index);
dem_status demi_system_set_law(dem_system *system, int32_t a, int32_t b, const dem_law *law);
dem_status demi_system_set_integrator(dem_system *system, const dem_integrator *integrator);
dem_status demi_system_set_integrator_name(dem_system *system, const char *name);
dem_status demi_system_add_particles(dem_system *system, const dem_particles *particles, dem_id *ids);
dem_status demi_system_remove_particles(dem_system *system, int64_t count, const dem_id *ids);
dem_status demi_system_set_frozen(dem_system *system, int64_t count, const dem_id *ids, int32_t frozen);
dem_status demi_system_set_frozen_motion(dem_system *system, int64_t count, const dem_id *ids, const double *velocity,
                                         const double *spin);
dem_status demi_system_set_field(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const double *values,
                                 int64_t stride);
dem_status demi_system_add_column(dem_system *system, const char *name, int32_t components, int32_t *column);
dem_status demi_system_set_field_int(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const int32_t *values,
                                     int64_t stride);
dem_status demi_system_add_wall(dem_system *system, const dem_wall *wall, int32_t *id);
dem_status demi_system_set_wall_motion(dem_system *system, int32_t id, const dem_wall *motion);
dem_status demi_system_wall_state(const dem_system *system, int32_t id, dem_wall_state *state);
/* Walls by index, in the order they were added: what the host gave, and the id; the material of the one of an id. */
int32_t demi_system_wall_count(const dem_system *system);
int32_t demi_system_wall_at(const dem_system *system, int32_t index, dem_wall *given);
int32_t demi_system_wall_material(const dem_system *system, int32_t id);
int32_t demi_system_dimension(const dem_system *system);
dem_status demi_system_remove_wall(dem_system *system, int32_t wall);
dem_status demi_system_step(dem_system *system, int64_t steps);
dem_status demi_system_run_until(dem_system *system, double time);
dem_status demi_system_set_progress(dem_system *system, int64_t every, dem_progress_fn progress, void *user);
dem_status demi_system_set_before_step(dem_system *system, dem_before_step_fn before_step, void *user);
dem_status demi_system_set_dt(dem_system *system, double dt);
dem_status demi_system_set_gravity(dem_system *system, const double *gravity);
double demi_system_stable_dt(const dem_system *system);
dem_status demi_advice_defaults(dem_advice *advice, uint32_t struct_size);
dem_status demi_system_advise(dem_system *system, dem_advice *advice);
dem_status demi_system_check(dem_system *system);
int64_t demi_system_contact_count(const dem_system *system);
dem_status demi_system_contacts(const dem_system *system, int64_t capacity, dem_contact *contacts, uint32_t struct_size);
dem_status demi_system_statistics(const dem_system *system, dem_statistics *statistics);
dem_status demi_bond_type_defaults(dem_bond_type *type, uint32_t struct_size);
dem_status demi_system_add_bond_type(dem_system *system, const dem_bond_type *type, int32_t *index);
dem_status demi_system_add_bonds(dem_system *system, int64_t count, const dem_bond *bonds, uint32_t struct_size, dem_id *ids);
dem_status demi_system_bond_neighbours(dem_system *system, int32_t type, int32_t a, int32_t b, double gap, int64_t *count);
dem_status demi_system_remove_bonds(dem_system *system, int64_t count, const dem_id *ids);
int64_t demi_system_bond_count(const dem_system *system);
dem_status demi_system_bonds(const dem_system *system, int64_t capacity, dem_bond *bonds, uint32_t struct_size);
dem_status demi_system_take_bond_breaks(dem_system *system, int64_t capacity, dem_bond_break *breaks, uint32_t struct_size,
                                        int64_t *count);
/* Evaluates the contact forces where they are out of date. */
dem_status demi_system_find_forces(dem_system *system);
dem_status demi_system_statics(dem_system *system, const dem_statics_options *options, dem_statics *statics);
dem_status demi_system_force_histogram(dem_system *system, const dem_statics_options *options, dem_force_histogram *histogram);
dem_status demi_system_particle_stress(dem_system *system, const dem_statics_options *options, int64_t count, const dem_id *ids,
                                       const double *volumes, double *values, int64_t stride);
dem_status demi_system_rattlers(dem_system *system, const dem_statics_options *options, int64_t count, const dem_id *ids,
                                int32_t *contacts, int32_t *rattlers);
dem_status demi_view_defaults(dem_view *view, uint32_t struct_size);
dem_status demi_view_acquire(dem_system *system, int32_t field, int32_t mode, dem_view *view);
dem_status demi_view_release(dem_system *system, dem_view *view);

#endif
