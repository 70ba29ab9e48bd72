/* What the layers above (io, api) may call on a system. Arguments are already checked for NULL and poison. A function that is declared
 * with __typeof__ has the signature and the meaning of the exported function that is named there; it is described in its public
 * header. */
#ifndef DEMI_SYSTEM_H
#define DEMI_SYSTEM_H

#include <dem/advice.h>
#include <dem/bond.h>
#include <dem/box.h>
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
/* As the host sees it: with tilts of at most half a length. */
void demi_system_box(const dem_system *system, double low[3], double high[3], double tilt[3], int32_t periodic[3]);
int64_t demi_system_particle_count(const dem_system *system);
int64_t demi_system_steps(const dem_system *system);
double demi_system_time(const dem_system *system);
int32_t demi_system_keeps_heat(const dem_system *system);
int32_t demi_system_material_count(const dem_system *system);
__typeof__(dem_system_ids) demi_system_ids;
__typeof__(dem_system_index_of) demi_system_index_of;
__typeof__(dem_system_id_at) demi_system_id_at;
__typeof__(dem_system_get_field) demi_system_get_field;
__typeof__(dem_system_get_field_int) demi_system_get_field_int;
__typeof__(dem_system_energy) demi_system_energy;
__typeof__(dem_system_set_energy_sampling) demi_system_set_energy_sampling;
__typeof__(dem_system_energy_of_law) demi_system_energy_of_law;
__typeof__(dem_system_energy_of_materials) demi_system_energy_of_materials;
__typeof__(dem_system_energy_of_wall) demi_system_energy_of_wall;
__typeof__(dem_energy_share_init) demi_energy_share_defaults;

__typeof__(dem_system_options_init) demi_system_options_defaults;
__typeof__(dem_material_init) demi_material_defaults;
__typeof__(dem_particles_init) demi_particles_defaults;
__typeof__(dem_wall_init) demi_wall_defaults;
__typeof__(dem_wall_state_init) demi_wall_state_defaults;
__typeof__(dem_statistics_init) demi_statistics_defaults;
__typeof__(dem_energy_init) demi_energy_defaults;

__typeof__(dem_system_create) demi_system_create;
void demi_system_destroy(dem_system *system);
int32_t demi_system_views(const dem_system *system);
int64_t demi_system_epoch(const dem_system *system);
__typeof__(dem_system_add_material) demi_system_add_material;
__typeof__(dem_system_set_law) demi_system_set_law;
__typeof__(dem_system_set_integrator) demi_system_set_integrator;
__typeof__(dem_system_set_integrator_name) demi_system_set_integrator_name;
__typeof__(dem_system_add_particles) demi_system_add_particles;
__typeof__(dem_system_remove_particles) demi_system_remove_particles;
__typeof__(dem_system_set_frozen) demi_system_set_frozen;
__typeof__(dem_system_set_frozen_motion) demi_system_set_frozen_motion;
__typeof__(dem_system_set_field) demi_system_set_field;
__typeof__(dem_system_add_column) demi_system_add_column;
__typeof__(dem_system_set_field_int) demi_system_set_field_int;
__typeof__(dem_system_add_wall) demi_system_add_wall;
__typeof__(dem_system_set_wall_motion) demi_system_set_wall_motion;
__typeof__(dem_system_wall_state) demi_system_wall_state;
/* Walls by index, in the order they were added: what the host gave, and the id; the material of the one of an id. */
int32_t demi_system_wall_count(const dem_system *system);
int32_t demi_system_wall_at(const dem_system *system, int32_t index, dem_wall *given);
int32_t demi_system_wall_material(const dem_system *system, int32_t id);
int32_t demi_system_dimension(const dem_system *system);
__typeof__(dem_system_remove_wall) demi_system_remove_wall;
__typeof__(dem_system_step) demi_system_step;
__typeof__(dem_system_run_until) demi_system_run_until;
__typeof__(dem_system_set_progress) demi_system_set_progress;
__typeof__(dem_system_set_before_step) demi_system_set_before_step;
__typeof__(dem_system_set_dt) demi_system_set_dt;
__typeof__(dem_system_set_gravity) demi_system_set_gravity;
double demi_system_stable_dt(const dem_system *system);
__typeof__(dem_advice_init) demi_advice_defaults;
__typeof__(dem_system_advise) demi_system_advise;
__typeof__(dem_system_check) demi_system_check;
int64_t demi_system_contact_count(const dem_system *system);
__typeof__(dem_system_contacts) demi_system_contacts;
__typeof__(dem_system_statistics) demi_system_statistics;
__typeof__(dem_box_init) demi_box_defaults;
__typeof__(dem_system_get_box) demi_system_get_box;
__typeof__(dem_system_set_box) demi_system_set_box;
__typeof__(dem_bond_type_init) demi_bond_type_defaults;
__typeof__(dem_system_add_bond_type) demi_system_add_bond_type;
__typeof__(dem_system_add_bonds) demi_system_add_bonds;
__typeof__(dem_system_bond_neighbours) demi_system_bond_neighbours;
__typeof__(dem_system_remove_bonds) demi_system_remove_bonds;
int64_t demi_system_bond_count(const dem_system *system);
__typeof__(dem_system_bonds) demi_system_bonds;
__typeof__(dem_system_take_bond_breaks) demi_system_take_bond_breaks;
/* Evaluates the contact forces where they are out of date. */
dem_status demi_system_find_forces(dem_system *system);
__typeof__(dem_system_statics) demi_system_statics;
__typeof__(dem_system_force_histogram) demi_system_force_histogram;
__typeof__(dem_system_particle_stress) demi_system_particle_stress;
__typeof__(dem_system_rattlers) demi_system_rattlers;
__typeof__(dem_view_init) demi_view_defaults;
__typeof__(dem_view_acquire) demi_view_acquire;
__typeof__(dem_view_release) demi_view_release;

#endif
