/* What a program compiled against version 0.1 relies on, as compile-time assertions: they need no tool and hold for every
 * compiler. Made by tools/layout.py. Once the version is tagged, lines are added, never changed; only the NO_PADDING line of
 * a struct that grows is given its new last member. */
/* clang-format off */
#include <dem/dem.h>
#include <dem/plugin/integrator.h>
#include <dem/plugin/law.h>
#include <dem/plugin/objective.h>
#include <dem/plugin/trial.h>
#define SAME_TYPE(expression, ...) _Generic((expression), __VA_ARGS__: 1, default: 0)
#define MEMBER(type, name, offset, size, ...)                                                     \
  _Static_assert(offsetof(type, name) == (offset), #type "." #name " moved");                     \
  _Static_assert(sizeof(((type *)0)->name) == (size), #type "." #name " changed its size");       \
  _Static_assert(SAME_TYPE(((type *)0)->name, __VA_ARGS__), #type "." #name " changed its type")
#define AT_LEAST(type, size) _Static_assert(sizeof(type) >= (size), #type " shrank")
#define EXACTLY(type, size) _Static_assert(sizeof(type) == (size), #type " changed its size")
/* A member that later fills the padding would be read as garbage from old callers. */
#define NO_PADDING(type, last) \
  _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " has padding at its end")
#define VALUE(name, value) _Static_assert((name) == (value), #name " was renumbered")
#define POINTER(name, ...) _Static_assert(SAME_TYPE((name)0, __VA_ARGS__), #name " changed its type")
#define FUNCTION(name, ...) _Static_assert(SAME_TYPE(&name, __VA_ARGS__), #name " changed its type")


#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_context_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_context_options, log_level, 4, 4, int32_t);
MEMBER(dem_context_options, allocate, 8, 8, dem_allocate_fn);
MEMBER(dem_context_options, allocate_user, 16, 8, void *);
MEMBER(dem_context_options, log, 24, 8, dem_log_fn);
MEMBER(dem_context_options, log_user, 32, 8, void *);
MEMBER(dem_context_options, parallel, 40, 8, dem_parallel_fn);
MEMBER(dem_context_options, parallel_user, 48, 8, void *);
MEMBER(dem_context_options, instructions, 56, 4, int32_t);
MEMBER(dem_context_options, reserved_zero, 60, 4, int32_t);
AT_LEAST(dem_context_options, 64);
#endif
NO_PADDING(dem_context_options, reserved_zero);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_law_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_law_options, normal, 4, 4, int32_t);
MEMBER(dem_law_options, tangential, 8, 4, int32_t);
MEMBER(dem_law_options, damping, 12, 4, int32_t);
MEMBER(dem_law_options, tangential_damping, 16, 4, int32_t);
MEMBER(dem_law_options, attraction, 20, 4, int32_t);
MEMBER(dem_law_options, normal_stiffness, 24, 8, double);
MEMBER(dem_law_options, tangential_stiffness, 32, 8, double);
MEMBER(dem_law_options, normal_damping, 40, 8, double);
MEMBER(dem_law_options, shear_damping, 48, 8, double);
MEMBER(dem_law_options, restitution, 56, 8, double);
MEMBER(dem_law_options, friction, 64, 8, double);
MEMBER(dem_law_options, viscosity, 72, 8, double);
MEMBER(dem_law_options, lubrication_scale, 80, 8, double);
MEMBER(dem_law_options, lubrication_inner, 88, 8, double);
MEMBER(dem_law_options, lubrication_outer, 96, 8, double);
MEMBER(dem_law_options, surface_energy, 104, 8, double);
MEMBER(dem_law_options, cohesion_energy_density, 112, 8, double);
MEMBER(dem_law_options, rolling, 120, 4, int32_t);
MEMBER(dem_law_options, twisting, 124, 4, int32_t);
MEMBER(dem_law_options, rolling_stiffness, 128, 8, double);
MEMBER(dem_law_options, rolling_damping, 136, 8, double);
MEMBER(dem_law_options, rolling_friction, 144, 8, double);
MEMBER(dem_law_options, twisting_stiffness, 152, 8, double);
MEMBER(dem_law_options, twisting_damping, 160, 8, double);
MEMBER(dem_law_options, twisting_friction, 168, 8, double);
MEMBER(dem_law_options, tangential_modulus, 176, 8, double);
MEMBER(dem_law_options, slider, 184, 4, int32_t);
MEMBER(dem_law_options, reserved_zero, 188, 4, int32_t);
AT_LEAST(dem_law_options, 192);
#endif
NO_PADDING(dem_law_options, reserved_zero);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_system_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_system_options, dimension, 4, 4, int32_t);
MEMBER(dem_system_options, shape, 8, 4, int32_t);
MEMBER(dem_system_options, arms, 12, 4, int32_t);
MEMBER(dem_system_options, transport, 16, 4, int32_t);
MEMBER(dem_system_options, threads, 20, 4, int32_t);
MEMBER(dem_system_options, ledger, 24, 4, int32_t);
MEMBER(dem_system_options, periodic, 28, 12, int32_t *);
MEMBER(dem_system_options, box_low, 40, 24, double *);
MEMBER(dem_system_options, box_high, 64, 24, double *);
MEMBER(dem_system_options, gravity, 88, 24, double *);
MEMBER(dem_system_options, dt, 112, 8, double);
MEMBER(dem_system_options, skin, 120, 8, double);
MEMBER(dem_system_options, drag, 128, 8, double);
MEMBER(dem_system_options, onset, 136, 4, int32_t);
MEMBER(dem_system_options, reserved_zero, 140, 4, int32_t);
MEMBER(dem_system_options, box_tilt, 144, 24, double *);
AT_LEAST(dem_system_options, 168);
#endif
NO_PADDING(dem_system_options, box_tilt);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_material, struct_size, 0, 4, uint32_t);
MEMBER(dem_material, reserved_zero, 4, 4, int32_t);
MEMBER(dem_material, young, 8, 8, double);
MEMBER(dem_material, poisson, 16, 8, double);
AT_LEAST(dem_material, 24);
#endif
NO_PADDING(dem_material, poisson);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_particles, struct_size, 0, 4, uint32_t);
MEMBER(dem_particles, reserved_zero, 4, 4, int32_t);
MEMBER(dem_particles, count, 8, 8, int64_t);
MEMBER(dem_particles, position, 16, 8, const double *);
MEMBER(dem_particles, velocity, 24, 8, const double *);
MEMBER(dem_particles, spin, 32, 8, const double *);
MEMBER(dem_particles, radius, 40, 8, const double *);
MEMBER(dem_particles, density, 48, 8, const double *);
MEMBER(dem_particles, material, 56, 8, const int32_t *);
MEMBER(dem_particles, frozen, 64, 8, const int32_t *);
MEMBER(dem_particles, image, 72, 8, const int32_t *);
AT_LEAST(dem_particles, 80);
#endif
NO_PADDING(dem_particles, image);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_progress, struct_size, 0, 4, uint32_t);
MEMBER(dem_progress, reserved_zero, 4, 4, int32_t);
MEMBER(dem_progress, step, 8, 8, int64_t);
MEMBER(dem_progress, steps, 16, 8, int64_t);
MEMBER(dem_progress, particles, 24, 8, int64_t);
MEMBER(dem_progress, contacts, 32, 8, int64_t);
MEMBER(dem_progress, time, 40, 8, double);
MEMBER(dem_progress, seconds, 48, 8, double);
AT_LEAST(dem_progress, 56);
#endif
NO_PADDING(dem_progress, seconds);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_contact, i, 0, 8, dem_id);
MEMBER(dem_contact, j, 8, 8, dem_id);
MEMBER(dem_contact, law, 16, 8, const dem_law *);
MEMBER(dem_contact, wall, 24, 4, int32_t);
MEMBER(dem_contact, sliding, 28, 4, int32_t);
MEMBER(dem_contact, overlap, 32, 8, double);
MEMBER(dem_contact, normal, 40, 24, double *);
MEMBER(dem_contact, force, 64, 24, double *);
MEMBER(dem_contact, tangential_force, 88, 24, double *);
MEMBER(dem_contact, torque, 112, 24, double *);
MEMBER(dem_contact, torque_on_j, 136, 24, double *);
MEMBER(dem_contact, point, 160, 24, double *);
MEMBER(dem_contact, branch, 184, 24, double *);
AT_LEAST(dem_contact, 208);
#endif
NO_PADDING(dem_contact, branch);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_statistics, struct_size, 0, 4, uint32_t);
MEMBER(dem_statistics, reserved_zero, 4, 4, int32_t);
MEMBER(dem_statistics, particles, 8, 8, int64_t);
MEMBER(dem_statistics, steps, 16, 8, int64_t);
MEMBER(dem_statistics, rebuilds, 24, 8, int64_t);
MEMBER(dem_statistics, pairs, 32, 8, int64_t);
MEMBER(dem_statistics, contacts, 40, 8, int64_t);
MEMBER(dem_statistics, wall_contacts, 48, 8, int64_t);
MEMBER(dem_statistics, bytes, 56, 8, int64_t);
MEMBER(dem_statistics, coordination, 64, 8, double);
MEMBER(dem_statistics, kinetic_energy, 72, 8, double);
MEMBER(dem_statistics, rotational_energy, 80, 8, double);
MEMBER(dem_statistics, skin, 88, 8, double);
MEMBER(dem_statistics, seconds_search, 96, 8, double);
MEMBER(dem_statistics, seconds_pass, 104, 8, double);
MEMBER(dem_statistics, seconds_ledger, 112, 8, double);
MEMBER(dem_statistics, warnings, 120, 8, int64_t);
AT_LEAST(dem_statistics, 128);
#endif
NO_PADDING(dem_statistics, warnings);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_advice, struct_size, 0, 4, uint32_t);
MEMBER(dem_advice, contact_wall, 4, 4, int32_t);
MEMBER(dem_advice, fraction, 8, 8, double);
MEMBER(dem_advice, dt, 16, 8, double);
MEMBER(dem_advice, contact_time, 24, 8, double);
MEMBER(dem_advice, contact_i, 32, 8, dem_id);
MEMBER(dem_advice, contact_j, 40, 8, dem_id);
MEMBER(dem_advice, contact_steps, 48, 8, double);
MEMBER(dem_advice, stable_dt, 56, 8, double);
MEMBER(dem_advice, stable_i, 64, 8, dem_id);
MEMBER(dem_advice, stable_j, 72, 8, dem_id);
MEMBER(dem_advice, stable_wall, 80, 4, int32_t);
MEMBER(dem_advice, overlap_wall, 84, 4, int32_t);
MEMBER(dem_advice, overlap, 88, 8, double);
MEMBER(dem_advice, overlap_i, 96, 8, dem_id);
MEMBER(dem_advice, overlap_j, 104, 8, dem_id);
MEMBER(dem_advice, impact, 112, 8, double);
MEMBER(dem_advice, impact_i, 120, 8, dem_id);
MEMBER(dem_advice, impact_j, 128, 8, dem_id);
MEMBER(dem_advice, impact_wall, 136, 4, int32_t);
MEMBER(dem_advice, ratio_materials, 140, 8, int32_t *);
MEMBER(dem_advice, frictions_unknown, 148, 4, int32_t);
MEMBER(dem_advice, speed, 152, 8, double);
MEMBER(dem_advice, size_ratio, 160, 8, double);
MEMBER(dem_advice, critical_ratio, 168, 8, double);
MEMBER(dem_advice, contacts, 176, 8, int64_t);
MEMBER(dem_advice, approaching, 184, 8, int64_t);
MEMBER(dem_advice, unknown, 192, 8, int64_t);
AT_LEAST(dem_advice, 200);
#endif
NO_PADDING(dem_advice, unknown);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_bond_type, struct_size, 0, 4, uint32_t);
MEMBER(dem_bond_type, model, 4, 4, int32_t);
MEMBER(dem_bond_type, contact, 8, 4, int32_t);
MEMBER(dem_bond_type, reserved_zero, 12, 4, int32_t);
MEMBER(dem_bond_type, stiffness, 16, 8, double);
MEMBER(dem_bond_type, radius_factor, 24, 8, double);
MEMBER(dem_bond_type, normal_stiffness, 32, 8, double);
MEMBER(dem_bond_type, tangential_stiffness, 40, 8, double);
MEMBER(dem_bond_type, bending_stiffness, 48, 8, double);
MEMBER(dem_bond_type, twisting_stiffness, 56, 8, double);
MEMBER(dem_bond_type, normal_damping, 64, 8, double);
MEMBER(dem_bond_type, tangential_damping, 72, 8, double);
MEMBER(dem_bond_type, relaxation_time, 80, 8, double);
MEMBER(dem_bond_type, break_strain, 88, 8, double);
MEMBER(dem_bond_type, break_normal_stress, 96, 8, double);
MEMBER(dem_bond_type, break_shear_stress, 104, 8, double);
AT_LEAST(dem_bond_type, 112);
#endif
NO_PADDING(dem_bond_type, break_shear_stress);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_bond, id, 0, 8, dem_id);
MEMBER(dem_bond, i, 8, 8, dem_id);
MEMBER(dem_bond, j, 16, 8, dem_id);
MEMBER(dem_bond, type, 24, 4, int32_t);
MEMBER(dem_bond, reserved_zero, 28, 4, int32_t);
MEMBER(dem_bond, rest_length, 32, 8, double);
MEMBER(dem_bond, force, 40, 24, double *);
MEMBER(dem_bond, bending, 64, 24, double *);
MEMBER(dem_bond, twisting, 88, 8, double);
AT_LEAST(dem_bond, 96);
#endif
NO_PADDING(dem_bond, twisting);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_bond_break, id, 0, 8, dem_id);
MEMBER(dem_bond_break, i, 8, 8, dem_id);
MEMBER(dem_bond_break, j, 16, 8, dem_id);
MEMBER(dem_bond_break, type, 24, 4, int32_t);
MEMBER(dem_bond_break, reason, 28, 4, int32_t);
MEMBER(dem_bond_break, step, 32, 8, int64_t);
MEMBER(dem_bond_break, time, 40, 8, double);
MEMBER(dem_bond_break, energy, 48, 8, double);
AT_LEAST(dem_bond_break, 56);
#endif
NO_PADDING(dem_bond_break, energy);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_box, struct_size, 0, 4, uint32_t);
MEMBER(dem_box, periodic, 4, 12, int32_t *);
MEMBER(dem_box, low, 16, 24, double *);
MEMBER(dem_box, high, 40, 24, double *);
MEMBER(dem_box, tilt, 64, 24, double *);
AT_LEAST(dem_box, 88);
#endif
NO_PADDING(dem_box, tilt);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_box_motion, struct_size, 0, 4, uint32_t);
MEMBER(dem_box_motion, coupled, 4, 4, int32_t);
MEMBER(dem_box_motion, rate, 8, 48, double *);
MEMBER(dem_box_motion, stress, 56, 48, double *);
MEMBER(dem_box_motion, control, 104, 24, int32_t *);
MEMBER(dem_box_motion, gain, 128, 8, double);
MEMBER(dem_box_motion, rate_limit, 136, 8, double);
AT_LEAST(dem_box_motion, 144);
#endif
NO_PADDING(dem_box_motion, rate_limit);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_energy, struct_size, 0, 4, uint32_t);
MEMBER(dem_energy, unstored, 4, 4, int32_t);
MEMBER(dem_energy, kinetic_linear, 8, 8, double);
MEMBER(dem_energy, kinetic_angular, 16, 8, double);
MEMBER(dem_energy, kinetic_walls, 24, 8, double);
MEMBER(dem_energy, gravity, 32, 8, double);
MEMBER(dem_energy, elastic_normal, 40, 16, double *);
MEMBER(dem_energy, elastic_tangential, 56, 16, double *);
MEMBER(dem_energy, elastic_rolling, 72, 16, double *);
MEMBER(dem_energy, elastic_twisting, 88, 16, double *);
MEMBER(dem_energy, elastic_bond, 104, 8, double);
MEMBER(dem_energy, damping_normal, 112, 16, double *);
MEMBER(dem_energy, damping_tangential, 128, 16, double *);
MEMBER(dem_energy, damping_bond, 144, 8, double);
MEMBER(dem_energy, sliding, 152, 16, double *);
MEMBER(dem_energy, rolling, 168, 16, double *);
MEMBER(dem_energy, twisting, 184, 16, double *);
MEMBER(dem_energy, lubrication, 200, 16, double *);
MEMBER(dem_energy, breakage, 216, 8, double);
MEMBER(dem_energy, hysteresis, 224, 16, double *);
MEMBER(dem_energy, drag, 240, 8, double);
MEMBER(dem_energy, host, 248, 8, double);
MEMBER(dem_energy, walls, 256, 8, double);
MEMBER(dem_energy, box, 264, 8, double);
MEMBER(dem_energy, potential_normal, 272, 16, double *);
MEMBER(dem_energy, potential_tangential, 288, 16, double *);
MEMBER(dem_energy, potential_rolling, 304, 16, double *);
MEMBER(dem_energy, potential_twisting, 320, 16, double *);
MEMBER(dem_energy, potential_bond, 336, 8, double);
MEMBER(dem_energy, potential_host, 344, 16, double *);
MEMBER(dem_energy, numerical, 360, 16, double *);
MEMBER(dem_energy, torque_elastic, 376, 16, double *);
MEMBER(dem_energy, torque_damping, 392, 16, double *);
MEMBER(dem_energy, torque_drag, 408, 8, double);
MEMBER(dem_energy, torque_host, 416, 8, double);
MEMBER(dem_energy, residual, 424, 8, double);
MEMBER(dem_energy, largest, 432, 8, double);
MEMBER(dem_energy, residual_relative, 440, 8, double);
AT_LEAST(dem_energy, 448);
#endif
NO_PADDING(dem_energy, residual_relative);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_energy_share, struct_size, 0, 4, uint32_t);
MEMBER(dem_energy_share, reserved_zero, 4, 4, int32_t);
MEMBER(dem_energy_share, elastic_normal, 8, 16, double *);
MEMBER(dem_energy_share, elastic_tangential, 24, 16, double *);
MEMBER(dem_energy_share, elastic_rolling, 40, 16, double *);
MEMBER(dem_energy_share, elastic_twisting, 56, 16, double *);
MEMBER(dem_energy_share, damping_normal, 72, 16, double *);
MEMBER(dem_energy_share, damping_tangential, 88, 16, double *);
MEMBER(dem_energy_share, sliding, 104, 16, double *);
MEMBER(dem_energy_share, rolling, 120, 16, double *);
MEMBER(dem_energy_share, twisting, 136, 16, double *);
MEMBER(dem_energy_share, lubrication, 152, 16, double *);
MEMBER(dem_energy_share, hysteresis, 168, 16, double *);
AT_LEAST(dem_energy_share, 184);
#endif
NO_PADDING(dem_energy_share, hysteresis);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_impact, struct_size, 0, 4, uint32_t);
MEMBER(dem_impact, normal, 4, 4, int32_t);
MEMBER(dem_impact, damping, 8, 4, int32_t);
MEMBER(dem_impact, attraction, 12, 4, int32_t);
MEMBER(dem_impact, mass, 16, 8, double);
MEMBER(dem_impact, radius, 24, 8, double);
MEMBER(dem_impact, speed, 32, 8, double);
MEMBER(dem_impact, stiffness, 40, 8, double);
MEMBER(dem_impact, normal_damping, 48, 8, double);
MEMBER(dem_impact, restitution, 56, 8, double);
MEMBER(dem_impact, overlap, 64, 8, double);
MEMBER(dem_impact, contact_time, 72, 8, double);
MEMBER(dem_impact, rebound, 80, 8, double);
AT_LEAST(dem_impact, 88);
#endif
NO_PADDING(dem_impact, rebound);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_source, struct_size, 0, 4, uint32_t);
MEMBER(dem_source, reserved_zero, 4, 4, int32_t);
MEMBER(dem_source, user, 8, 8, void *);
MEMBER(dem_source, read, 16, 8, int64_t (*)(void *user, void *buffer, int64_t size));
AT_LEAST(dem_source, 24);
#endif
NO_PADDING(dem_source, read);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_sink, struct_size, 0, 4, uint32_t);
MEMBER(dem_sink, reserved_zero, 4, 4, int32_t);
MEMBER(dem_sink, user, 8, 8, void *);
MEMBER(dem_sink, write, 16, 8, int32_t (*)(void *user, const void *buffer, int64_t size));
AT_LEAST(dem_sink, 24);
#endif
NO_PADDING(dem_sink, write);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_minimise_report, struct_size, 0, 4, uint32_t);
MEMBER(dem_minimise_report, reason, 4, 4, int32_t);
MEMBER(dem_minimise_report, strategy, 8, 8, const char *);
MEMBER(dem_minimise_report, iterations, 16, 8, int64_t);
MEMBER(dem_minimise_report, rejected, 24, 8, int64_t);
MEMBER(dem_minimise_report, gradients, 32, 8, int64_t);
MEMBER(dem_minimise_report, values, 40, 8, int64_t);
MEMBER(dem_minimise_report, products, 48, 8, int64_t);
MEMBER(dem_minimise_report, factorisations, 56, 8, int64_t);
MEMBER(dem_minimise_report, network_changes, 64, 8, int64_t);
MEMBER(dem_minimise_report, value_first, 72, 8, double);
MEMBER(dem_minimise_report, value, 80, 8, double);
MEMBER(dem_minimise_report, gradient_first, 88, 8, double);
MEMBER(dem_minimise_report, gradient, 96, 8, double);
MEMBER(dem_minimise_report, gradient_largest, 104, 8, double);
MEMBER(dem_minimise_report, force_relative, 112, 8, double);
MEMBER(dem_minimise_report, step, 120, 8, double);
MEMBER(dem_minimise_report, radius, 128, 8, double);
MEMBER(dem_minimise_report, quality, 136, 8, double);
MEMBER(dem_minimise_report, seconds, 144, 8, double);
MEMBER(dem_minimise_report, outer, 152, 8, int64_t);
AT_LEAST(dem_minimise_report, 160);
#endif
NO_PADDING(dem_minimise_report, outer);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_minimise_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_minimise_options, threads, 4, 4, int32_t);
MEMBER(dem_minimise_options, strategy, 8, 8, const char *);
MEMBER(dem_minimise_options, gradient_relative, 16, 8, double);
MEMBER(dem_minimise_options, gradient_absolute, 24, 8, double);
MEMBER(dem_minimise_options, force_relative, 32, 8, double);
MEMBER(dem_minimise_options, value_least, 40, 8, double);
MEMBER(dem_minimise_options, iterations_most, 48, 8, int64_t);
MEMBER(dem_minimise_options, gradients_most, 56, 8, int64_t);
MEMBER(dem_minimise_options, seconds_most, 64, 8, double);
MEMBER(dem_minimise_options, longest_step, 72, 8, double);
MEMBER(dem_minimise_options, radius_first, 80, 8, double);
MEMBER(dem_minimise_options, memory, 88, 4, int32_t);
MEMBER(dem_minimise_options, reserved_zero, 92, 4, int32_t);
MEMBER(dem_minimise_options, preconditioner, 96, 8, const dem_preconditioner *);
MEMBER(dem_minimise_options, progress, 104, 8, dem_minimise_progress_fn);
MEMBER(dem_minimise_options, progress_user, 112, 8, void *);
MEMBER(dem_minimise_options, progress_interval, 120, 8, int64_t);
AT_LEAST(dem_minimise_options, 128);
#endif
NO_PADDING(dem_minimise_options, progress_interval);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_relax_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_relax_options, rotations, 4, 4, int32_t);
MEMBER(dem_relax_options, box_free, 8, 24, int32_t *);
MEMBER(dem_relax_options, box_coupled, 32, 4, int32_t);
MEMBER(dem_relax_options, outer_most, 36, 4, int32_t);
MEMBER(dem_relax_options, stress, 40, 48, double *);
MEMBER(dem_relax_options, strain, 88, 48, double *);
MEMBER(dem_relax_options, reach, 136, 8, double);
MEMBER(dem_relax_options, longest_step, 144, 8, double);
AT_LEAST(dem_relax_options, 152);
#endif
NO_PADDING(dem_relax_options, longest_step);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_deformation, struct_size, 0, 4, uint32_t);
MEMBER(dem_deformation, reserved_zero, 4, 4, int32_t);
MEMBER(dem_deformation, steps, 8, 8, int64_t);
MEMBER(dem_deformation, strain, 16, 48, double *);
MEMBER(dem_deformation, after_step, 64, 8, dem_deform_step_fn);
MEMBER(dem_deformation, user, 72, 8, void *);
AT_LEAST(dem_deformation, 80);
#endif
NO_PADDING(dem_deformation, user);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_packing_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_packing_options, dimension, 4, 4, int32_t);
MEMBER(dem_packing_options, count, 8, 8, int64_t);
MEMBER(dem_packing_options, seed, 16, 8, uint64_t);
MEMBER(dem_packing_options, distribution, 24, 4, int32_t);
MEMBER(dem_packing_options, by_volume, 28, 4, int32_t);
MEMBER(dem_packing_options, radius, 32, 8, double);
MEMBER(dem_packing_options, ratio, 40, 8, double);
MEMBER(dem_packing_options, large, 48, 8, double);
MEMBER(dem_packing_options, width, 56, 8, double);
MEMBER(dem_packing_options, cut, 64, 8, double);
MEMBER(dem_packing_options, radii, 72, 8, const double *);
MEMBER(dem_packing_options, radii_count, 80, 8, int64_t);
MEMBER(dem_packing_options, packing_fraction, 88, 8, double);
MEMBER(dem_packing_options, length, 96, 8, double);
MEMBER(dem_packing_options, proportions, 104, 24, double *);
MEMBER(dem_packing_options, apart, 128, 4, int32_t);
MEMBER(dem_packing_options, attempts, 132, 4, int32_t);
AT_LEAST(dem_packing_options, 136);
#endif
NO_PADDING(dem_packing_options, attempts);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_jam_report, struct_size, 0, 4, uint32_t);
MEMBER(dem_jam_report, reason, 4, 4, int32_t);
MEMBER(dem_jam_report, steps, 8, 4, int32_t);
MEMBER(dem_jam_report, taken_back, 12, 4, int32_t);
MEMBER(dem_jam_report, iterations, 16, 8, int64_t);
MEMBER(dem_jam_report, gradients, 24, 8, int64_t);
MEMBER(dem_jam_report, packing_fraction, 32, 8, double);
MEMBER(dem_jam_report, pressure, 40, 8, double);
MEMBER(dem_jam_report, fraction_unjammed, 48, 8, double);
MEMBER(dem_jam_report, fraction_point, 56, 8, double);
MEMBER(dem_jam_report, rattlers, 64, 8, double);
MEMBER(dem_jam_report, coordination, 72, 8, double);
MEMBER(dem_jam_report, coordination_carrying, 80, 8, double);
MEMBER(dem_jam_report, contacts, 88, 8, double);
MEMBER(dem_jam_report, contacts_isostatic, 96, 8, double);
MEMBER(dem_jam_report, force_relative, 104, 8, double);
MEMBER(dem_jam_report, minimise_reason, 112, 4, int32_t);
MEMBER(dem_jam_report, reserved_zero, 116, 4, int32_t);
MEMBER(dem_jam_report, seconds, 120, 8, double);
AT_LEAST(dem_jam_report, 128);
#endif
NO_PADDING(dem_jam_report, seconds);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_jam_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_jam_options, goal, 4, 4, int32_t);
MEMBER(dem_jam_options, pressure, 8, 8, double);
MEMBER(dem_jam_options, pressure_tolerance, 16, 8, double);
MEMBER(dem_jam_options, fraction_tolerance, 24, 8, double);
MEMBER(dem_jam_options, first_step, 32, 8, double);
MEMBER(dem_jam_options, fall, 40, 8, double);
MEMBER(dem_jam_options, steps_most, 48, 4, int32_t);
MEMBER(dem_jam_options, reserved_zero, 52, 4, int32_t);
MEMBER(dem_jam_options, relax, 56, 8, const dem_relax_options *);
MEMBER(dem_jam_options, progress, 64, 8, dem_jam_progress_fn);
MEMBER(dem_jam_options, progress_user, 72, 8, void *);
AT_LEAST(dem_jam_options, 80);
#endif
NO_PADDING(dem_jam_options, progress_user);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_statics_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_statics_options, region, 4, 4, int32_t);
MEMBER(dem_statics_options, sections, 8, 4, int32_t);
MEMBER(dem_statics_options, kinetic, 12, 4, int32_t);
MEMBER(dem_statics_options, split, 16, 4, int32_t);
MEMBER(dem_statics_options, least_contacts, 20, 4, int32_t);
MEMBER(dem_statics_options, volume, 24, 8, double);
MEMBER(dem_statics_options, low, 32, 24, double *);
MEMBER(dem_statics_options, high, 56, 24, double *);
MEMBER(dem_statics_options, centre, 80, 24, double *);
MEMBER(dem_statics_options, radius, 104, 8, double);
MEMBER(dem_statics_options, gradient, 112, 72, double *);
MEMBER(dem_statics_options, count, 184, 8, int64_t);
MEMBER(dem_statics_options, ids, 192, 8, const dem_id *);
MEMBER(dem_statics_options, weights, 200, 8, const double *);
AT_LEAST(dem_statics_options, 208);
#endif
NO_PADDING(dem_statics_options, weights);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_statics, struct_size, 0, 4, uint32_t);
MEMBER(dem_statics, dimension, 4, 4, int32_t);
MEMBER(dem_statics, particles, 8, 8, int64_t);
MEMBER(dem_statics, weight, 16, 8, double);
MEMBER(dem_statics, volume, 24, 8, double);
MEMBER(dem_statics, stress, 32, 72, double *);
MEMBER(dem_statics, stress_of_section, 104, 360, double (*)[9]);
MEMBER(dem_statics, stress_kinetic, 464, 72, double *);
MEMBER(dem_statics, mean_velocity, 536, 24, double *);
MEMBER(dem_statics, pressure, 560, 8, double);
MEMBER(dem_statics, deviator, 568, 8, double);
MEMBER(dem_statics, fabric, 576, 72, double *);
MEMBER(dem_statics, fabric_volume, 648, 72, double *);
MEMBER(dem_statics, contacts, 720, 8, double);
MEMBER(dem_statics, coordination, 728, 8, double);
MEMBER(dem_statics, rattlers, 736, 8, double);
MEMBER(dem_statics, coordination_carrying, 744, 8, double);
MEMBER(dem_statics, packing_fraction, 752, 8, double);
MEMBER(dem_statics, overlap_fraction, 760, 8, double);
MEMBER(dem_statics, overlap_mean, 768, 8, double);
MEMBER(dem_statics, overlap_max, 776, 8, double);
MEMBER(dem_statics, force_mean, 784, 8, double);
MEMBER(dem_statics, force_max, 792, 8, double);
MEMBER(dem_statics, participation, 800, 8, double);
MEMBER(dem_statics, friction_known, 808, 8, double);
MEMBER(dem_statics, mobilisation, 816, 8, double);
MEMBER(dem_statics, sliding, 824, 8, double);
AT_LEAST(dem_statics, 832);
#endif
NO_PADDING(dem_statics, sliding);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_force_histogram, struct_size, 0, 4, uint32_t);
MEMBER(dem_force_histogram, bins, 4, 4, int32_t);
MEMBER(dem_force_histogram, top, 8, 8, double);
MEMBER(dem_force_histogram, counts, 16, 8, int64_t *);
MEMBER(dem_force_histogram, density, 24, 8, double *);
MEMBER(dem_force_histogram, mean, 32, 8, double);
MEMBER(dem_force_histogram, contacts, 40, 8, int64_t);
MEMBER(dem_force_histogram, below, 48, 8, int64_t);
MEMBER(dem_force_histogram, above, 56, 8, int64_t);
AT_LEAST(dem_force_histogram, 64);
#endif
NO_PADDING(dem_force_histogram, above);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_principal, struct_size, 0, 4, uint32_t);
MEMBER(dem_principal, dimension, 4, 4, int32_t);
MEMBER(dem_principal, value, 8, 24, double *);
MEMBER(dem_principal, direction, 32, 72, double (*)[3]);
MEMBER(dem_principal, mean, 104, 8, double);
MEMBER(dem_principal, deviator, 112, 8, double);
MEMBER(dem_principal, shear, 120, 8, double);
MEMBER(dem_principal, second, 128, 8, double);
MEMBER(dem_principal, third, 136, 8, double);
MEMBER(dem_principal, asymmetry, 144, 8, double);
AT_LEAST(dem_principal, 152);
#endif
NO_PADDING(dem_principal, asymmetry);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_view, struct_size, 0, 4, uint32_t);
MEMBER(dem_view, field, 4, 4, int32_t);
MEMBER(dem_view, mode, 8, 4, int32_t);
MEMBER(dem_view, components, 12, 4, int32_t);
MEMBER(dem_view, count, 16, 8, int64_t);
MEMBER(dem_view, stride, 24, 8, int64_t);
MEMBER(dem_view, epoch, 32, 8, int64_t);
MEMBER(dem_view, data, 40, 8, double *);
MEMBER(dem_view, ids, 48, 8, const dem_id *);
MEMBER(dem_view, integers, 56, 8, int32_t *);
AT_LEAST(dem_view, 64);
#endif
NO_PADDING(dem_view, integers);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_wall, struct_size, 0, 4, uint32_t);
MEMBER(dem_wall, material, 4, 4, int32_t);
MEMBER(dem_wall, shape, 8, 4, int32_t);
MEMBER(dem_wall, side, 12, 4, int32_t);
MEMBER(dem_wall, motion, 16, 4, int32_t);
MEMBER(dem_wall, free_axis, 20, 12, int32_t *);
MEMBER(dem_wall, position, 32, 24, double *);
MEMBER(dem_wall, axis, 56, 24, double *);
MEMBER(dem_wall, size, 80, 24, double *);
MEMBER(dem_wall, radius, 104, 8, double);
MEMBER(dem_wall, length, 112, 8, double);
MEMBER(dem_wall, velocity, 120, 24, double *);
MEMBER(dem_wall, spin, 144, 24, double *);
MEMBER(dem_wall, amplitude, 168, 24, double *);
MEMBER(dem_wall, frequency, 192, 8, double);
MEMBER(dem_wall, phase, 200, 8, double);
MEMBER(dem_wall, mass, 208, 8, double);
MEMBER(dem_wall, force, 216, 24, double *);
MEMBER(dem_wall, direction, 240, 24, double *);
MEMBER(dem_wall, target, 264, 8, double);
MEMBER(dem_wall, area, 272, 8, double);
MEMBER(dem_wall, gain, 280, 8, double);
MEMBER(dem_wall, velocity_limit, 288, 8, double);
MEMBER(dem_wall, travel_limit, 296, 8, double);
MEMBER(dem_wall, rotation, 304, 32, double *);
MEMBER(dem_wall, end_radius, 336, 8, double);
MEMBER(dem_wall, profile, 344, 128, double *);
MEMBER(dem_wall, profile_points, 472, 4, int32_t);
MEMBER(dem_wall, open, 476, 4, int32_t);
MEMBER(dem_wall, area_walls, 480, 4, int32_t);
MEMBER(dem_wall, area_wall, 484, 16, int32_t *);
MEMBER(dem_wall, reserved_zero, 500, 4, int32_t);
AT_LEAST(dem_wall, 504);
#endif
NO_PADDING(dem_wall, reserved_zero);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_wall_state, struct_size, 0, 4, uint32_t);
MEMBER(dem_wall_state, limited, 4, 4, int32_t);
MEMBER(dem_wall_state, position, 8, 24, double *);
MEMBER(dem_wall_state, velocity, 32, 24, double *);
MEMBER(dem_wall_state, rotation, 56, 32, double *);
MEMBER(dem_wall_state, force, 88, 24, double *);
MEMBER(dem_wall_state, torque, 112, 24, double *);
MEMBER(dem_wall_state, servo_error, 136, 8, double);
MEMBER(dem_wall_state, work, 144, 8, double);
MEMBER(dem_wall_state, limited_steps, 152, 8, int64_t);
MEMBER(dem_wall_state, area, 160, 8, double);
AT_LEAST(dem_wall_state, 168);
#endif
NO_PADDING(dem_wall_state, area);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_integrator_table, struct_size, 0, 4, uint32_t);
MEMBER(dem_integrator_table, contract, 4, 4, uint32_t);
MEMBER(dem_integrator_table, name, 8, 8, const char *);
MEMBER(dem_integrator_table, capabilities, 16, 4, uint32_t);
MEMBER(dem_integrator_table, order, 20, 4, int32_t);
MEMBER(dem_integrator_table, stability, 24, 8, double);
MEMBER(dem_integrator_table, step, 32, 8, dem_status (*)(void *user, dem_stepper *stepper, double dt));
MEMBER(dem_integrator_table, destroy, 40, 8, void (*)(void *user));
AT_LEAST(dem_integrator_table, 48);
#endif
NO_PADDING(dem_integrator_table, destroy);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_batch, struct_size, 0, 4, uint32_t);
MEMBER(dem_batch, count, 4, 4, int32_t);
MEMBER(dem_batch, dt, 8, 8, double);
MEMBER(dem_batch, overlap, 16, 8, const double *);
MEMBER(dem_batch, effective_radius, 24, 8, const double *);
MEMBER(dem_batch, effective_mass, 32, 8, const double *);
MEMBER(dem_batch, normal_velocity, 40, 8, const double *);
MEMBER(dem_batch, normal, 48, 24, const double **);
MEMBER(dem_batch, tangential_velocity, 72, 24, const double **);
MEMBER(dem_batch, history_in, 96, 8, const double *const *);
MEMBER(dem_batch, history_out, 104, 8, double *const *);
MEMBER(dem_batch, normal_elastic, 112, 8, double *);
MEMBER(dem_batch, normal_damping, 120, 8, double *);
MEMBER(dem_batch, tangential_elastic, 128, 24, double **);
MEMBER(dem_batch, tangential_damping, 152, 24, double **);
MEMBER(dem_batch, slip, 176, 24, double **);
MEMBER(dem_batch, hysteresis, 200, 8, double *);
MEMBER(dem_batch, tangential_normal, 208, 8, double *);
MEMBER(dem_batch, normal_energy, 216, 8, double *);
MEMBER(dem_batch, tangential_energy, 224, 8, double *);
MEMBER(dem_batch, normal_stiffness, 232, 8, double *);
MEMBER(dem_batch, normal_viscosity, 240, 8, double *);
MEMBER(dem_batch, tangential_isotropic, 248, 8, double *);
MEMBER(dem_batch, tangential_along, 256, 8, double *);
MEMBER(dem_batch, tangential_overlap, 264, 24, double **);
MEMBER(dem_batch, tangential_normal_velocity, 288, 24, double **);
MEMBER(dem_batch, adhesion, 312, 8, double *);
MEMBER(dem_batch, contact_radius, 320, 8, double *);
MEMBER(dem_batch, contact_radius_slope, 328, 8, double *);
MEMBER(dem_batch, adhesion_slope, 336, 8, double *);
MEMBER(dem_batch, rolling_velocity, 344, 24, const double **);
MEMBER(dem_batch, twisting_rate, 368, 8, const double *);
MEMBER(dem_batch, inverse_inertia, 376, 8, const double *);
MEMBER(dem_batch, rolling_elastic, 384, 24, double **);
MEMBER(dem_batch, rolling_damping, 408, 24, double **);
MEMBER(dem_batch, rolling_slip, 432, 24, double **);
MEMBER(dem_batch, rolling_energy, 456, 8, double *);
MEMBER(dem_batch, twisting_elastic, 464, 8, double *);
MEMBER(dem_batch, twisting_damping, 472, 8, double *);
MEMBER(dem_batch, twisting_slip, 480, 8, double *);
MEMBER(dem_batch, twisting_energy, 488, 8, double *);
MEMBER(dem_batch, rolling_isotropic, 496, 8, double *);
MEMBER(dem_batch, rolling_along, 504, 8, double *);
MEMBER(dem_batch, rolling_overlap, 512, 24, double **);
MEMBER(dem_batch, rolling_normal_velocity, 536, 24, double **);
MEMBER(dem_batch, twisting_viscosity, 560, 8, double *);
MEMBER(dem_batch, twisting_overlap, 568, 8, double *);
MEMBER(dem_batch, twisting_normal_velocity, 576, 8, double *);
MEMBER(dem_batch, history_time, 584, 8, const double *);
MEMBER(dem_batch, friction_force, 592, 8, double *);
MEMBER(dem_batch, friction_overlap, 600, 8, double *);
MEMBER(dem_batch, friction_normal_velocity, 608, 8, double *);
MEMBER(dem_batch, normal_tangential_velocity, 616, 24, double **);
MEMBER(dem_batch, friction_lagged, 640, 4, int32_t);
MEMBER(dem_batch, reserved_zero, 644, 4, int32_t);
AT_LEAST(dem_batch, 648);
#endif
NO_PADDING(dem_batch, reserved_zero);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_bind, struct_size, 0, 4, uint32_t);
MEMBER(dem_bind, reserved_zero, 4, 4, int32_t);
MEMBER(dem_bind, effective_young, 8, 8, double);
MEMBER(dem_bind, effective_shear, 16, 8, double);
MEMBER(dem_bind, shear_ratio, 24, 8, double);
AT_LEAST(dem_bind, 32);
#endif
NO_PADDING(dem_bind, shear_ratio);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_law_part, struct_size, 0, 4, uint32_t);
MEMBER(dem_law_part, contract, 4, 4, uint32_t);
MEMBER(dem_law_part, name, 8, 8, const char *);
MEMBER(dem_law_part, kind, 16, 4, int32_t);
MEMBER(dem_law_part, capabilities, 20, 4, uint32_t);
MEMBER(dem_law_part, history_items, 24, 4, int32_t);
MEMBER(dem_law_part, parameter_bytes, 28, 4, int32_t);
MEMBER(dem_law_part, history, 32, 16, int32_t *);
MEMBER(dem_law_part, evaluate, 48, 8, void (*)(const void *parameters, const dem_batch *batch));
MEMBER(dem_law_part, bind, 56, 8, int32_t (*)(const void *user, const dem_bind *materials, void *parameters));
MEMBER(dem_law_part, range, 64, 8, double (*)(const void *parameters, double effective_radius));
MEMBER(dem_law_part, stable_dt, 72, 8, double (*)(const void *parameters, double effective_mass, double effective_radius, double speed));
AT_LEAST(dem_law_part, 80);
#endif
NO_PADDING(dem_law_part, stable_dt);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_law_piece, struct_size, 0, 4, uint32_t);
MEMBER(dem_law_piece, user_bytes, 4, 4, uint32_t);
MEMBER(dem_law_piece, part, 8, 8, const dem_law_part *);
MEMBER(dem_law_piece, user, 16, 8, const void *);
AT_LEAST(dem_law_piece, 24);
#endif
NO_PADDING(dem_law_piece, user);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_probe, struct_size, 0, 4, uint32_t);
MEMBER(dem_probe, history_count, 4, 4, int32_t);
MEMBER(dem_probe, dt, 8, 8, double);
MEMBER(dem_probe, overlap, 16, 8, double);
MEMBER(dem_probe, effective_radius, 24, 8, double);
MEMBER(dem_probe, effective_mass, 32, 8, double);
MEMBER(dem_probe, normal, 40, 24, double *);
MEMBER(dem_probe, velocity, 64, 24, double *);
MEMBER(dem_probe, history, 88, 384, double *);
MEMBER(dem_probe, normal_elastic, 472, 8, double);
MEMBER(dem_probe, normal_damping, 480, 8, double);
MEMBER(dem_probe, tangential_elastic, 488, 24, double *);
MEMBER(dem_probe, tangential_damping, 512, 24, double *);
MEMBER(dem_probe, sliding, 536, 8, double);
MEMBER(dem_probe, hysteresis, 544, 8, double);
MEMBER(dem_probe, tangential_normal, 552, 8, double);
MEMBER(dem_probe, normal_energy, 560, 8, double);
MEMBER(dem_probe, tangential_energy, 568, 8, double);
MEMBER(dem_probe, normal_stiffness, 576, 8, double);
MEMBER(dem_probe, normal_viscosity, 584, 8, double);
MEMBER(dem_probe, tangential_isotropic, 592, 8, double);
MEMBER(dem_probe, tangential_along, 600, 8, double);
MEMBER(dem_probe, tangential_overlap, 608, 24, double *);
MEMBER(dem_probe, tangential_normal_velocity, 632, 24, double *);
MEMBER(dem_probe, adhesion, 656, 8, double);
MEMBER(dem_probe, contact_radius, 664, 8, double);
MEMBER(dem_probe, turning, 672, 24, double *);
MEMBER(dem_probe, inverse_inertia, 696, 8, double);
MEMBER(dem_probe, rolling_elastic, 704, 24, double *);
MEMBER(dem_probe, rolling_damping, 728, 24, double *);
MEMBER(dem_probe, twisting_elastic, 752, 8, double);
MEMBER(dem_probe, twisting_damping, 760, 8, double);
MEMBER(dem_probe, moment, 768, 24, double *);
MEMBER(dem_probe, rolling_sliding, 792, 8, double);
MEMBER(dem_probe, twisting_sliding, 800, 8, double);
MEMBER(dem_probe, rolling_hysteresis, 808, 8, double);
MEMBER(dem_probe, twisting_hysteresis, 816, 8, double);
MEMBER(dem_probe, rolling_energy, 824, 8, double);
MEMBER(dem_probe, twisting_energy, 832, 8, double);
MEMBER(dem_probe, rolling_isotropic, 840, 8, double);
MEMBER(dem_probe, rolling_along, 848, 8, double);
MEMBER(dem_probe, rolling_overlap, 856, 24, double *);
MEMBER(dem_probe, rolling_normal_velocity, 880, 24, double *);
MEMBER(dem_probe, twisting_viscosity, 904, 8, double);
MEMBER(dem_probe, twisting_overlap, 912, 8, double);
MEMBER(dem_probe, twisting_normal_velocity, 920, 8, double);
MEMBER(dem_probe, normal_tangential_velocity, 928, 24, double *);
MEMBER(dem_probe, friction_force, 952, 8, double);
MEMBER(dem_probe, friction_overlap, 960, 8, double);
MEMBER(dem_probe, friction_normal_velocity, 968, 8, double);
MEMBER(dem_probe, turning_friction_force, 976, 8, double);
MEMBER(dem_probe, turning_friction_overlap, 984, 8, double);
MEMBER(dem_probe, turning_friction_normal_velocity, 992, 8, double);
MEMBER(dem_probe, adhesion_slope, 1000, 8, double);
MEMBER(dem_probe, contact_radius_slope, 1008, 8, double);
MEMBER(dem_probe, friction_lagged, 1016, 4, int32_t);
MEMBER(dem_probe, reserved_zero, 1020, 4, int32_t);
AT_LEAST(dem_probe, 1024);
#endif
NO_PADDING(dem_probe, reserved_zero);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_trial_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_trial_options, rotations, 4, 4, int32_t);
MEMBER(dem_trial_options, dt, 8, 8, double);
MEMBER(dem_trial_options, alpha, 16, 8, double);
MEMBER(dem_trial_options, box, 24, 4, int32_t);
MEMBER(dem_trial_options, friction, 28, 4, int32_t);
MEMBER(dem_trial_options, reach, 32, 8, double);
AT_LEAST(dem_trial_options, 40);
#endif
NO_PADDING(dem_trial_options, reach);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_trial_rows, struct_size, 0, 4, uint32_t);
MEMBER(dem_trial_rows, width, 4, 4, int32_t);
MEMBER(dem_trial_rows, wall_width, 8, 4, int32_t);
MEMBER(dem_trial_rows, walls, 12, 4, int32_t);
MEMBER(dem_trial_rows, particles, 16, 8, int64_t);
MEMBER(dem_trial_rows, unknowns, 24, 8, int64_t);
MEMBER(dem_trial_rows, ids, 32, 8, const dem_id *);
MEMBER(dem_trial_rows, frozen, 40, 8, const int32_t *);
MEMBER(dem_trial_rows, inverse_mass, 48, 8, const double *);
MEMBER(dem_trial_rows, inverse_inertia, 56, 8, const double *);
MEMBER(dem_trial_rows, wall_ids, 64, 8, const int32_t *);
MEMBER(dem_trial_rows, box_width, 72, 4, int32_t);
MEMBER(dem_trial_rows, reserved_zero, 76, 4, int32_t);
MEMBER(dem_trial_rows, volume, 80, 8, double);
MEMBER(dem_trial_rows, velocity, 88, 8, const double *);
AT_LEAST(dem_trial_rows, 96);
#endif
NO_PADDING(dem_trial_rows, velocity);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_trial_block, i, 0, 8, int64_t);
MEMBER(dem_trial_block, j, 8, 8, int64_t);
MEMBER(dem_trial_block, width_i, 16, 4, int32_t);
MEMBER(dem_trial_block, width_j, 20, 4, int32_t);
MEMBER(dem_trial_block, ii, 24, 288, double *);
MEMBER(dem_trial_block, ij, 312, 288, double *);
MEMBER(dem_trial_block, ji, 600, 288, double *);
MEMBER(dem_trial_block, jj, 888, 288, double *);
EXACTLY(dem_trial_block, 1176);
#endif
NO_PADDING(dem_trial_block, jj);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_objective_measure, struct_size, 0, 4, uint32_t);
MEMBER(dem_objective_measure, reserved_zero, 4, 4, int32_t);
MEMBER(dem_objective_measure, network, 8, 8, int64_t);
MEMBER(dem_objective_measure, force_largest, 16, 8, double);
MEMBER(dem_objective_measure, force_mean, 24, 8, double);
MEMBER(dem_objective_measure, pressure, 32, 8, double);
MEMBER(dem_objective_measure, contacts, 40, 8, double);
AT_LEAST(dem_objective_measure, 48);
#endif
NO_PADDING(dem_objective_measure, contacts);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_objective_table, struct_size, 0, 4, uint32_t);
MEMBER(dem_objective_table, contract, 4, 4, uint32_t);
MEMBER(dem_objective_table, name, 8, 8, const char *);
MEMBER(dem_objective_table, unknowns, 16, 8, int64_t);
MEMBER(dem_objective_table, longest_step, 24, 8, double);
MEMBER(dem_objective_table, evaluate, 32, 8, dem_status (*)(void *user, const double *x, int32_t ask, double *value, double *gradient));
MEMBER(dem_objective_table, apply, 40, 8, dem_status (*)(void *user, const double *p, double *product));
MEMBER(dem_objective_table, blocks, 48, 8, dem_status (*)(void *user, dem_trial_block_fn visit, void *visitor));
MEMBER(dem_objective_table, measure, 56, 8, dem_status (*)(void *user, const double *x, const double *gradient, dem_objective_measure *measure));
MEMBER(dem_objective_table, accept, 64, 8, dem_status (*)(void *user, const double *x));
MEMBER(dem_objective_table, destroy, 72, 8, void (*)(void *user));
AT_LEAST(dem_objective_table, 80);
#endif
NO_PADDING(dem_objective_table, destroy);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_matrix_source, struct_size, 0, 4, uint32_t);
MEMBER(dem_matrix_source, reserved_zero, 4, 4, int32_t);
MEMBER(dem_matrix_source, unknowns, 8, 8, int64_t);
MEMBER(dem_matrix_source, network, 16, 8, int64_t);
MEMBER(dem_matrix_source, blocks, 24, 8, dem_status (*)(void *blocks_user, dem_trial_block_fn visit, void *visitor));
MEMBER(dem_matrix_source, blocks_user, 32, 8, void *);
AT_LEAST(dem_matrix_source, 40);
#endif
NO_PADDING(dem_matrix_source, blocks_user);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_preconditioner_table, struct_size, 0, 4, uint32_t);
MEMBER(dem_preconditioner_table, contract, 4, 4, uint32_t);
MEMBER(dem_preconditioner_table, name, 8, 8, const char *);
MEMBER(dem_preconditioner_table, capabilities, 16, 4, uint32_t);
MEMBER(dem_preconditioner_table, reserved_zero, 20, 4, int32_t);
MEMBER(dem_preconditioner_table, update, 24, 8, dem_status (*)(void *user, const dem_matrix_source *source));
MEMBER(dem_preconditioner_table, apply, 32, 8, dem_status (*)(void *user, const double *right, double *solution));
MEMBER(dem_preconditioner_table, destroy, 40, 8, void (*)(void *user));
AT_LEAST(dem_preconditioner_table, 48);
#endif
NO_PADDING(dem_preconditioner_table, destroy);

VALUE(DEM_OK, 0);
VALUE(DEM_BAD_ARGUMENT, 1);
VALUE(DEM_BAD_STRUCT, 2);
VALUE(DEM_UNSUPPORTED, 3);
VALUE(DEM_NOT_FOUND, 4);
VALUE(DEM_NO_MEMORY, 5);
VALUE(DEM_BUSY, 6);
VALUE(DEM_CANCELLED, 7);
VALUE(DEM_IO_ERROR, 8);
VALUE(DEM_BAD_FORMAT, 9);
VALUE(DEM_INCOMPLETE, 10);
VALUE(DEM_FAILED_MEMORY, -1);
VALUE(DEM_FAILED_NOT_FINITE, -2);
VALUE(DEM_FAILED_PLUGIN, -3);
VALUE(DEM_POISONED, -4);
VALUE(DEM_LOG_ERROR, 1);
VALUE(DEM_LOG_WARNING, 2);
VALUE(DEM_LOG_INFO, 3);
VALUE(DEM_INSTRUCTIONS_AUTO, 0);
VALUE(DEM_INSTRUCTIONS_PLAIN, 1);
VALUE(DEM_INSTRUCTIONS_AVX2, 2);
VALUE(DEM_INSTRUCTIONS_AVX512, 3);
VALUE(DEM_NORMAL_NONE, 0);
VALUE(DEM_NORMAL_HOOKE, 1);
VALUE(DEM_NORMAL_HERTZ, 2);
VALUE(DEM_NORMAL_DMT, 3);
VALUE(DEM_NORMAL_JKR, 4);
VALUE(DEM_TANGENTIAL_NONE, 0);
VALUE(DEM_TANGENTIAL_VISCOUS, 1);
VALUE(DEM_TANGENTIAL_LINEAR, 2);
VALUE(DEM_TANGENTIAL_MINDLIN, 3);
VALUE(DEM_TANGENTIAL_MINDLIN_CONSERVING, 4);
VALUE(DEM_TANGENTIAL_MINDLIN_FORCE, 5);
VALUE(DEM_TANGENTIAL_MINDLIN_RESCALED, 6);
VALUE(DEM_ROLLING_NONE, 0);
VALUE(DEM_ROLLING_SPRING, 1);
VALUE(DEM_ROLLING_CONSTANT, 2);
VALUE(DEM_TWISTING_NONE, 0);
VALUE(DEM_TWISTING_SPRING, 1);
VALUE(DEM_TWISTING_MARSHALL, 2);
VALUE(DEM_DAMPING_NONE, 0);
VALUE(DEM_DAMPING_COEFFICIENT, 1);
VALUE(DEM_DAMPING_RATE, 2);
VALUE(DEM_DAMPING_RESTITUTION, 3);
VALUE(DEM_DAMPING_RESTITUTION_EXACT, 4);
VALUE(DEM_DAMPING_VISCOELASTIC, 5);
VALUE(DEM_DAMPING_OF_NORMAL, 6);
VALUE(DEM_SLIDER_SERIES, 0);
VALUE(DEM_SLIDER_RESET, 1);
VALUE(DEM_SHAPE_SPHERE, 0);
VALUE(DEM_SHAPE_DISC, 1);
VALUE(DEM_ARMS_CONSERVING, 0);
VALUE(DEM_ARMS_RADIUS, 1);
VALUE(DEM_ARMS_MIXED, 2);
VALUE(DEM_TRANSPORT_ROTATE, 0);
VALUE(DEM_TRANSPORT_PROJECT, 1);
VALUE(DEM_ONSET_TOUCH, 0);
VALUE(DEM_ONSET_STEP, 1);
VALUE(DEM_POSITION, 1);
VALUE(DEM_VELOCITY, 2);
VALUE(DEM_SPIN, 3);
VALUE(DEM_RADIUS, 4);
VALUE(DEM_DENSITY, 5);
VALUE(DEM_MASS, 6);
VALUE(DEM_INERTIA, 7);
VALUE(DEM_FORCE, 8);
VALUE(DEM_TORQUE, 9);
VALUE(DEM_HOST_FORCE, 10);
VALUE(DEM_HOST_TORQUE, 11);
VALUE(DEM_HALF_VELOCITY, 12);
VALUE(DEM_HALF_SPIN, 13);
VALUE(DEM_MATERIAL, 14);
VALUE(DEM_FROZEN, 15);
VALUE(DEM_IMAGE, 16);
VALUE(DEM_HEAT, 17);
VALUE(DEM_HEAT_CLASSES, 18);
VALUE(DEM_CONTACT_FORCE, 19);
VALUE(DEM_CONTACT_TORQUE, 20);
VALUE(DEM_DRAG_RATE, 21);
VALUE(DEM_FLUID_VELOCITY, 22);
VALUE(DEM_SPIN_DRAG_RATE, 23);
VALUE(DEM_FLUID_SPIN, 24);
VALUE(DEM_DRAG_IMPULSE, 25);
VALUE(DEM_DRAG_ANGULAR_IMPULSE, 26);
VALUE(DEM_STRESS, 27);
VALUE(DEM_COORDINATION, 28);
VALUE(DEM_RATTLER, 29);
VALUE(DEM_COLUMN_FIRST, 1024);
VALUE(DEM_BOND_BEAM, 0);
VALUE(DEM_BOND_HARMONIC, 1);
VALUE(DEM_BREAK_STRAIN, 1);
VALUE(DEM_BREAK_NORMAL_STRESS, 2);
VALUE(DEM_BREAK_SHEAR_STRESS, 3);
VALUE(DEM_BOX_XX, 0);
VALUE(DEM_BOX_YY, 1);
VALUE(DEM_BOX_ZZ, 2);
VALUE(DEM_BOX_XY, 3);
VALUE(DEM_BOX_XZ, 4);
VALUE(DEM_BOX_YZ, 5);
VALUE(DEM_BOX_COMPONENTS, 6);
VALUE(DEM_BOX_RATE, 0);
VALUE(DEM_BOX_STRESS, 1);
VALUE(DEM_MINIMISE_RUNNING, 0);
VALUE(DEM_MINIMISE_GRADIENT, 1);
VALUE(DEM_MINIMISE_FORCE, 2);
VALUE(DEM_MINIMISE_VALUE, 3);
VALUE(DEM_MINIMISE_STOPPED_ITERATIONS, -1);
VALUE(DEM_MINIMISE_STOPPED_GRADIENTS, -2);
VALUE(DEM_MINIMISE_STOPPED_SECONDS, -3);
VALUE(DEM_MINIMISE_CANCELLED, -4);
VALUE(DEM_MINIMISE_STALLED, -5);
VALUE(DEM_MINIMISE_NOT_FINITE, -6);
VALUE(DEM_MINIMISE_UNBOUNDED, -7);
VALUE(DEM_RADII_UNIFORM, 0);
VALUE(DEM_RADII_BIDISPERSE, 1);
VALUE(DEM_RADII_LOGNORMAL, 2);
VALUE(DEM_RADII_LIST, 3);
VALUE(DEM_RADII_SAMPLE, 4);
VALUE(DEM_JAM_PRESSURE, 0);
VALUE(DEM_JAM_POINT, 1);
VALUE(DEM_JAM_REACHED, 1);
VALUE(DEM_JAM_STEPS, -1);
VALUE(DEM_JAM_CANCELLED, -2);
VALUE(DEM_JAM_NOT_RELAXED, -3);
VALUE(DEM_JAM_STUCK, -4);
VALUE(DEM_REGION_ALL, 0);
VALUE(DEM_REGION_BOX, 1);
VALUE(DEM_REGION_SPHERE, 2);
VALUE(DEM_REGION_PARTICLES, 3);
VALUE(DEM_SECTION_PAIR, 0);
VALUE(DEM_SECTION_WALL, 1);
VALUE(DEM_SECTION_GAP, 2);
VALUE(DEM_SECTION_WALL_GAP, 3);
VALUE(DEM_SECTION_BOND, 4);
VALUE(DEM_SECTIONS_ALL, 31);
VALUE(DEM_KINETIC_NONE, 0);
VALUE(DEM_KINETIC_FULL, 1);
VALUE(DEM_KINETIC_PECULIAR, 2);
VALUE(DEM_SPLIT_POINT, 0);
VALUE(DEM_SPLIT_HALF, 1);
VALUE(DEM_READ, 1);
VALUE(DEM_WRITE, 2);
VALUE(DEM_WALL_PLANE, 0);
VALUE(DEM_WALL_BOX, 1);
VALUE(DEM_WALL_CYLINDER, 2);
VALUE(DEM_WALL_PLATE, 3);
VALUE(DEM_WALL_DISC, 4);
VALUE(DEM_WALL_CONE, 5);
VALUE(DEM_WALL_REVOLVED, 6);
VALUE(DEM_WALL_INSIDE, 0);
VALUE(DEM_WALL_OUTSIDE, 1);
VALUE(DEM_WALL_FIXED, 0);
VALUE(DEM_WALL_PRESCRIBED, 1);
VALUE(DEM_WALL_FREE, 2);
VALUE(DEM_WALL_SERVO, 3);
VALUE(DEM_INTEGRATOR_FORCES_AT_START, 1);
VALUE(DEM_INTEGRATOR_SYNCHRONISED, 2);
VALUE(DEM_PART_NORMAL, 1);
VALUE(DEM_PART_TANGENTIAL, 2);
VALUE(DEM_PART_GAP, 3);
VALUE(DEM_PART_ROLLING, 4);
VALUE(DEM_PART_TWISTING, 5);
VALUE(DEM_PART_ENERGY, 1);
VALUE(DEM_PART_TANGENT, 2);
VALUE(DEM_PART_NEEDS_YOUNG, 4);
VALUE(DEM_PART_NOT_POTENTIAL, 8);
VALUE(DEM_PART_UNDAMPED, 16);
VALUE(DEM_PART_COUPLED, 32);
VALUE(DEM_PART_ADHESIVE, 64);
VALUE(DEM_PART_CONTACT_RADIUS, 128);
VALUE(DEM_HISTORY_SCALAR, 1);
VALUE(DEM_HISTORY_TANGENT, 2);
VALUE(DEM_HISTORY_ROLLING, 3);
VALUE(DEM_TRIAL_ENERGY, 1);
VALUE(DEM_TRIAL_FORCE, 2);
VALUE(DEM_TRIAL_TANGENT, 4);
VALUE(DEM_TRIAL_FRICTION_IMPLICIT, 0);
VALUE(DEM_TRIAL_FRICTION_LAGGED, 1);
VALUE(DEM_OBJECTIVE_VALUE, 1);
VALUE(DEM_OBJECTIVE_GRADIENT, 2);
VALUE(DEM_OBJECTIVE_TANGENT, 4);
VALUE(DEM_INTEGRATOR_CONTRACT, 1);
VALUE(DEM_LAW_PART_CONTRACT, 1);
VALUE(DEM_BATCH_CAPACITY, 64);
VALUE(DEM_HISTORY_CAPACITY, 12);
VALUE(DEM_PROBE_HISTORY, 48);
VALUE(DEM_OBJECTIVE_CONTRACT, 1);
VALUE(DEM_PRECONDITIONER_CONTRACT, 1);

POINTER(dem_allocate_fn, void *(*)(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment));
POINTER(dem_log_fn, void (*)(void *user, int32_t level, const char *text));
POINTER(dem_task_fn, void (*)(void *argument, int32_t index));
POINTER(dem_parallel_fn, void (*)(void *user, int32_t count, dem_task_fn task, void *argument));
POINTER(dem_progress_fn, int32_t (*)(void *user, const dem_progress *progress));
POINTER(dem_before_step_fn, int32_t (*)(void *user, dem_system *system, const dem_progress *progress));
POINTER(dem_energy_fn, int32_t (*)(void *user, int64_t step, double time, const dem_energy *energy));
POINTER(dem_minimise_progress_fn, int32_t (*)(void *user, const dem_minimise_report *report));
POINTER(dem_deform_step_fn, int32_t (*)(void *user, int64_t step, const dem_minimise_report *report));
POINTER(dem_jam_progress_fn, int32_t (*)(void *user, const dem_jam_report *report));
POINTER(dem_trial_block_fn, int32_t (*)(void *user, int64_t count, const dem_trial_block *blocks));

FUNCTION(dem_version, uint32_t (*)(void));
FUNCTION(dem_status_text, const char *(*)(dem_status status));
FUNCTION(dem_status_name, const char *(*)(dem_status status));
FUNCTION(dem_context_options_init, dem_status (*)(dem_context_options *options, uint32_t struct_size));
FUNCTION(dem_context_create, dem_status (*)(const dem_context_options *options, dem_context **context));
FUNCTION(dem_context_destroy, dem_status (*)(dem_context *context));
FUNCTION(dem_context_message, const char *(*)(const dem_context *context));
FUNCTION(dem_context_memory, dem_status (*)(const dem_context *context, int64_t *bytes));
FUNCTION(dem_integrator_release, void (*)(dem_integrator *integrator));
FUNCTION(dem_law_options_init, dem_status (*)(dem_law_options *options, uint32_t struct_size));
FUNCTION(dem_law_create, dem_status (*)(dem_context *context, const dem_law_options *options, dem_law **law));
FUNCTION(dem_law_release, void (*)(dem_law *law));
FUNCTION(dem_system_options_init, dem_status (*)(dem_system_options *options, uint32_t struct_size));
FUNCTION(dem_system_create, dem_status (*)(dem_context *context, const dem_system_options *options, dem_system **system));
FUNCTION(dem_system_destroy, dem_status (*)(dem_system *system));
FUNCTION(dem_system_message, const char *(*)(const dem_system *system));
FUNCTION(dem_material_init, dem_status (*)(dem_material *material, uint32_t struct_size));
FUNCTION(dem_system_add_material, dem_status (*)(dem_system *system, const dem_material *material, int32_t *index));
FUNCTION(dem_system_set_law, dem_status (*)(dem_system *system, int32_t a, int32_t b, const dem_law *law));
FUNCTION(dem_system_set_integrator, dem_status (*)(dem_system *system, const dem_integrator *integrator));
FUNCTION(dem_system_set_integrator_name, dem_status (*)(dem_system *system, const char *name));
FUNCTION(dem_particles_init, dem_status (*)(dem_particles *particles, uint32_t struct_size));
FUNCTION(dem_system_add_particles, dem_status (*)(dem_system *system, const dem_particles *particles, dem_id *ids));
FUNCTION(dem_system_remove_particles, dem_status (*)(dem_system *system, int64_t count, const dem_id *ids));
FUNCTION(dem_system_set_frozen, dem_status (*)(dem_system *system, int64_t count, const dem_id *ids, int32_t frozen));
FUNCTION(dem_system_set_frozen_motion, dem_status (*)(dem_system *system, int64_t count, const dem_id *ids, const double *velocity, const double *spin));
FUNCTION(dem_system_particle_count, dem_status (*)(const dem_system *system, int64_t *count));
FUNCTION(dem_system_ids, dem_status (*)(const dem_system *system, int64_t capacity, dem_id *ids));
FUNCTION(dem_system_index_of, dem_status (*)(const dem_system *system, int64_t count, const dem_id *ids, int64_t *indices));
FUNCTION(dem_system_id_at, dem_status (*)(const dem_system *system, int64_t count, const int64_t *indices, dem_id *ids));
FUNCTION(dem_system_add_column, dem_status (*)(dem_system *system, const char *name, int32_t components, int32_t *column));
FUNCTION(dem_system_get_field, dem_status (*)(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, double *values, int64_t stride));
FUNCTION(dem_system_set_field, dem_status (*)(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const double *values, int64_t stride));
FUNCTION(dem_system_get_field_int, dem_status (*)(const dem_system *system, int32_t field, int64_t count, const dem_id *ids, int32_t *values, int64_t stride));
FUNCTION(dem_system_set_field_int, dem_status (*)(dem_system *system, int32_t field, int64_t count, const dem_id *ids, const int32_t *values, int64_t stride));
FUNCTION(dem_system_step, dem_status (*)(dem_system *system, int64_t steps));
FUNCTION(dem_system_run_until, dem_status (*)(dem_system *system, double time));
FUNCTION(dem_system_set_progress, dem_status (*)(dem_system *system, int64_t every, dem_progress_fn progress, void *user));
FUNCTION(dem_system_set_before_step, dem_status (*)(dem_system *system, dem_before_step_fn before_step, void *user));
FUNCTION(dem_system_time, dem_status (*)(const dem_system *system, double *time));
FUNCTION(dem_system_set_dt, dem_status (*)(dem_system *system, double dt));
FUNCTION(dem_system_set_gravity, dem_status (*)(dem_system *system, const double *gravity));
FUNCTION(dem_system_stable_dt, dem_status (*)(const dem_system *system, double *dt));
FUNCTION(dem_system_check, dem_status (*)(dem_system *system));
FUNCTION(dem_system_contact_count, dem_status (*)(const dem_system *system, int64_t *count));
FUNCTION(dem_system_contacts, dem_status (*)(const dem_system *system, int64_t capacity, dem_contact *contacts, uint32_t struct_size));
FUNCTION(dem_statistics_init, dem_status (*)(dem_statistics *statistics, uint32_t struct_size));
FUNCTION(dem_system_statistics, dem_status (*)(const dem_system *system, dem_statistics *statistics));
FUNCTION(dem_advice_init, dem_status (*)(dem_advice *advice, uint32_t struct_size));
FUNCTION(dem_system_advise, dem_status (*)(dem_system *system, dem_advice *advice));
FUNCTION(dem_bond_type_init, dem_status (*)(dem_bond_type *type, uint32_t struct_size));
FUNCTION(dem_system_add_bond_type, dem_status (*)(dem_system *system, const dem_bond_type *type, int32_t *index));
FUNCTION(dem_system_add_bonds, dem_status (*)(dem_system *system, int64_t count, const dem_bond *bonds, uint32_t struct_size, dem_id *ids));
FUNCTION(dem_system_bond_neighbours, dem_status (*)(dem_system *system, int32_t type, int32_t a, int32_t b, double gap, int64_t *count));
FUNCTION(dem_system_remove_bonds, dem_status (*)(dem_system *system, int64_t count, const dem_id *ids));
FUNCTION(dem_system_bond_count, dem_status (*)(const dem_system *system, int64_t *count));
FUNCTION(dem_system_bonds, dem_status (*)(const dem_system *system, int64_t capacity, dem_bond *bonds, uint32_t struct_size));
FUNCTION(dem_system_take_bond_breaks, dem_status (*)(dem_system *system, int64_t capacity, dem_bond_break *breaks, uint32_t struct_size, int64_t *count));
FUNCTION(dem_box_init, dem_status (*)(dem_box *box, uint32_t struct_size));
FUNCTION(dem_system_get_box, dem_status (*)(const dem_system *system, dem_box *box));
FUNCTION(dem_system_set_box, dem_status (*)(dem_system *system, const dem_box *box, int32_t affine));
FUNCTION(dem_box_motion_init, dem_status (*)(dem_box_motion *motion, uint32_t struct_size));
FUNCTION(dem_system_set_box_motion, dem_status (*)(dem_system *system, const dem_box_motion *motion));
FUNCTION(dem_system_get_box_motion, dem_status (*)(const dem_system *system, dem_box_motion *motion));
FUNCTION(dem_system_get_box_stress, dem_status (*)(const dem_system *system, double *stress));
FUNCTION(dem_energy_init, dem_status (*)(dem_energy *energy, uint32_t struct_size));
FUNCTION(dem_system_energy, dem_status (*)(dem_system *system, dem_energy *energy));
FUNCTION(dem_system_set_energy_sampling, dem_status (*)(dem_system *system, int64_t every, dem_energy_fn sample, void *user));
FUNCTION(dem_energy_share_init, dem_status (*)(dem_energy_share *share, uint32_t struct_size));
FUNCTION(dem_system_energy_of_law, dem_status (*)(dem_system *system, const dem_law *law, dem_energy_share *share));
FUNCTION(dem_system_energy_of_materials, dem_status (*)(dem_system *system, int32_t a, int32_t b, dem_energy_share *share));
FUNCTION(dem_system_energy_of_wall, dem_status (*)(dem_system *system, int32_t wall, dem_energy_share *share));
FUNCTION(dem_formula_effective_mass, dem_status (*)(double mass_i, double mass_j, double *mass));
FUNCTION(dem_formula_effective_radius, dem_status (*)(double radius_i, double radius_j, double *radius));
FUNCTION(dem_formula_effective_moduli, dem_status (*)(double young_i, double poisson_i, double young_j, double poisson_j, double *young, double *shear));
FUNCTION(dem_formula_material_young, dem_status (*)(double effective_young, double poisson, double *young));
FUNCTION(dem_formula_hooke_stiffness, dem_status (*)(double mass, double speed, double overlap, double *stiffness));
FUNCTION(dem_formula_hooke_overlap, dem_status (*)(double mass, double speed, double stiffness, double *overlap));
FUNCTION(dem_formula_hertz_young, dem_status (*)(double mass, double radius, double speed, double overlap, double *young));
FUNCTION(dem_formula_hertz_overlap, dem_status (*)(double mass, double radius, double speed, double young, double *overlap));
FUNCTION(dem_formula_hooke_like_hertz, dem_status (*)(double mass, double radius, double speed, double young, double *stiffness));
FUNCTION(dem_formula_tangential_ratio, dem_status (*)(double poisson, double *ratio));
FUNCTION(dem_formula_tangential_ratio_of_moduli, dem_status (*)(double young, double shear, double *ratio));
FUNCTION(dem_formula_damping_ratio, dem_status (*)(double restitution, int32_t attraction, double *ratio));
FUNCTION(dem_formula_restitution, dem_status (*)(double ratio, int32_t attraction, double *restitution));
FUNCTION(dem_formula_hooke_damping, dem_status (*)(double mass, double stiffness, double ratio, double *coefficient));
FUNCTION(dem_formula_hooke_damping_ratio, dem_status (*)(double mass, double stiffness, double coefficient, double *ratio));
FUNCTION(dem_formula_hertz_damping, dem_status (*)(double mass, double radius, double young, double overlap, double ratio, double *coefficient));
FUNCTION(dem_formula_hertz_damping_ratio, dem_status (*)(double mass, double radius, double young, double overlap, double coefficient, double *ratio));
FUNCTION(dem_formula_hooke_contact_time, dem_status (*)(double mass, double stiffness, double damping, double *time));
FUNCTION(dem_formula_hertz_contact_time, dem_status (*)(double mass, double radius, double speed, double young, double *time));
FUNCTION(dem_formula_stable_dt, dem_status (*)(double mass, double stiffness, double damping, double *dt));
FUNCTION(dem_formula_rayleigh_dt, dem_status (*)(double radius, double density, double shear, double poisson, double *dt));
FUNCTION(dem_formula_critical_ratio, dem_status (*)(double friction, double *ratio));
FUNCTION(dem_formula_critical_friction, dem_status (*)(double ratio, double *friction));
FUNCTION(dem_impact_init, dem_status (*)(dem_impact *impact, uint32_t struct_size));
FUNCTION(dem_impact_predict, dem_status (*)(dem_impact *impact));
FUNCTION(dem_impact_fit_stiffness, dem_status (*)(dem_impact *impact, double overlap));
FUNCTION(dem_impact_fit_damping, dem_status (*)(dem_impact *impact, double rebound));
FUNCTION(dem_source_init, dem_status (*)(dem_source *source, uint32_t struct_size));
FUNCTION(dem_sink_init, dem_status (*)(dem_sink *sink, uint32_t struct_size));
FUNCTION(dem_data_read, dem_status (*)(dem_context *context, const dem_source *source, dem_data **data));
FUNCTION(dem_data_read_path, dem_status (*)(dem_context *context, const char *path, dem_data **data));
FUNCTION(dem_data_destroy, void (*)(dem_data *data));
FUNCTION(dem_data_box, dem_status (*)(const dem_data *data, double *low, double *high));
FUNCTION(dem_data_tilt, dem_status (*)(const dem_data *data, double *tilt));
FUNCTION(dem_data_types, dem_status (*)(const dem_data *data, int32_t *types));
FUNCTION(dem_data_particles, dem_status (*)(const dem_data *data, dem_particles *particles));
FUNCTION(dem_data_tags, dem_status (*)(const dem_data *data, const int64_t **tags));
FUNCTION(dem_system_write_data, dem_status (*)(const dem_system *system, const dem_sink *sink));
FUNCTION(dem_system_write_data_path, dem_status (*)(const dem_system *system, const char *path));
FUNCTION(dem_system_write_dump, dem_status (*)(const dem_system *system, const dem_sink *sink));
FUNCTION(dem_system_write_dump_path, dem_status (*)(const dem_system *system, const char *path, int32_t append));
FUNCTION(dem_system_write_vtp, dem_status (*)(const dem_system *system, const dem_sink *sink));
FUNCTION(dem_system_write_vtp_path, dem_status (*)(const dem_system *system, const char *path));
FUNCTION(dem_system_write_vtp_fields, dem_status (*)(dem_system *system, int32_t count, const int32_t *fields, const dem_sink *sink));
FUNCTION(dem_system_write_vtp_fields_path, dem_status (*)(dem_system *system, int32_t count, const int32_t *fields, const char *path));
FUNCTION(dem_system_write_walls_vtp, dem_status (*)(const dem_system *system, const dem_sink *sink));
FUNCTION(dem_system_write_walls_vtp_path, dem_status (*)(const dem_system *system, const char *path));
FUNCTION(dem_system_write_box_vtp, dem_status (*)(const dem_system *system, const dem_sink *sink));
FUNCTION(dem_system_write_box_vtp_path, dem_status (*)(const dem_system *system, const char *path));
FUNCTION(dem_system_write_contacts_vtp, dem_status (*)(const dem_system *system, const dem_sink *sink));
FUNCTION(dem_system_write_contacts_vtp_path, dem_status (*)(const dem_system *system, const char *path));
FUNCTION(dem_pvd_write, dem_status (*)(const dem_sink *sink, int64_t count, const double *times, const char *const *files));
FUNCTION(dem_pvd_write_path, dem_status (*)(const char *path, int64_t count, const double *times, const char *const *files));
FUNCTION(dem_energy_write_heading, dem_status (*)(const dem_sink *sink));
FUNCTION(dem_energy_write_row, dem_status (*)(dem_system *system, const dem_sink *sink));
FUNCTION(dem_minimise_report_init, dem_status (*)(dem_minimise_report *report, uint32_t struct_size));
FUNCTION(dem_minimise_options_init, dem_status (*)(dem_minimise_options *options, uint32_t struct_size));
FUNCTION(dem_minimiser_iterate, dem_status (*)(dem_minimiser *minimiser, int64_t count));
FUNCTION(dem_minimiser_run, dem_status (*)(dem_minimiser *minimiser));
FUNCTION(dem_minimiser_get_report, dem_status (*)(const dem_minimiser *minimiser, dem_minimise_report *report));
FUNCTION(dem_minimiser_get_point, dem_status (*)(const dem_minimiser *minimiser, int64_t count, double *x));
FUNCTION(dem_minimiser_accept, dem_status (*)(dem_minimiser *minimiser));
FUNCTION(dem_minimiser_message, const char *(*)(const dem_minimiser *minimiser));
FUNCTION(dem_minimiser_destroy, dem_status (*)(dem_minimiser *minimiser));
FUNCTION(dem_preconditioner_find, dem_status (*)(dem_context *context, const char *name, dem_preconditioner **preconditioner));
FUNCTION(dem_preconditioner_release, dem_status (*)(const dem_preconditioner *preconditioner));
FUNCTION(dem_relax_options_init, dem_status (*)(dem_relax_options *options, uint32_t struct_size));
FUNCTION(dem_system_minimiser, dem_status (*)(dem_system *system, const dem_relax_options *options, const dem_minimise_options *minimise, dem_minimiser **minimiser));
FUNCTION(dem_system_minimise, dem_status (*)(dem_system *system, const dem_relax_options *options, const dem_minimise_options *minimise, dem_minimise_report *report));
FUNCTION(dem_deformation_init, dem_status (*)(dem_deformation *deformation, uint32_t struct_size));
FUNCTION(dem_system_deform, dem_status (*)(dem_system *system, const dem_deformation *deformation, const dem_relax_options *options, const dem_minimise_options *minimise, dem_minimise_report *report));
FUNCTION(dem_packing_options_init, dem_status (*)(dem_packing_options *options, uint32_t struct_size));
FUNCTION(dem_packing_draw, dem_status (*)(dem_context *context, const dem_packing_options *options, double *position, double *radius, double *edges));
FUNCTION(dem_packing_system, dem_status (*)(dem_context *context, const dem_packing_options *packing, const dem_system_options *options, const dem_material *material, const dem_law *law, double density, dem_system **system));
FUNCTION(dem_radii_read, dem_status (*)(dem_context *context, const dem_source *source, int64_t capacity, double *radii, int64_t *count));
FUNCTION(dem_system_packing_fraction, dem_status (*)(const dem_system *system, double *packing_fraction));
FUNCTION(dem_system_compress, dem_status (*)(dem_system *system, double packing_fraction, const dem_relax_options *relax, const dem_minimise_options *minimise, dem_minimise_report *report));
FUNCTION(dem_jam_report_init, dem_status (*)(dem_jam_report *report, uint32_t struct_size));
FUNCTION(dem_jam_options_init, dem_status (*)(dem_jam_options *options, uint32_t struct_size));
FUNCTION(dem_system_jam, dem_status (*)(dem_system *system, const dem_jam_options *options, const dem_minimise_options *minimise, dem_jam_report *report));
FUNCTION(dem_system_remove_rattlers, dem_status (*)(dem_system *system, int32_t least_contacts, int64_t capacity, dem_id *ids, int64_t *count));
FUNCTION(dem_statics_options_init, dem_status (*)(dem_statics_options *options, uint32_t struct_size));
FUNCTION(dem_statics_init, dem_status (*)(dem_statics *statics, uint32_t struct_size));
FUNCTION(dem_system_statics, dem_status (*)(dem_system *system, const dem_statics_options *options, dem_statics *statics));
FUNCTION(dem_system_particle_stress, dem_status (*)(dem_system *system, const dem_statics_options *options, int64_t count, const dem_id *ids, const double *volumes, double *values, int64_t stride));
FUNCTION(dem_system_rattlers, dem_status (*)(dem_system *system, const dem_statics_options *options, int64_t count, const dem_id *ids, int32_t *contacts, int32_t *rattlers));
FUNCTION(dem_force_histogram_init, dem_status (*)(dem_force_histogram *histogram, uint32_t struct_size));
FUNCTION(dem_system_force_histogram, dem_status (*)(dem_system *system, const dem_statics_options *options, dem_force_histogram *histogram));
FUNCTION(dem_principal_init, dem_status (*)(dem_principal *principal, uint32_t struct_size));
FUNCTION(dem_tensor_principal, dem_status (*)(const double *tensor, int32_t dimension, dem_principal *principal));
FUNCTION(dem_view_init, dem_status (*)(dem_view *view, uint32_t struct_size));
FUNCTION(dem_view_acquire, dem_status (*)(dem_system *system, int32_t field, int32_t mode, dem_view *view));
FUNCTION(dem_view_release, dem_status (*)(dem_system *system, dem_view *view));
FUNCTION(dem_system_epoch, dem_status (*)(const dem_system *system, int64_t *epoch));
FUNCTION(dem_wall_init, dem_status (*)(dem_wall *wall, uint32_t struct_size));
FUNCTION(dem_system_add_wall, dem_status (*)(dem_system *system, const dem_wall *wall, int32_t *id));
FUNCTION(dem_system_set_wall_motion, dem_status (*)(dem_system *system, int32_t id, const dem_wall *motion));
FUNCTION(dem_system_remove_wall, dem_status (*)(dem_system *system, int32_t wall));
FUNCTION(dem_wall_state_init, dem_status (*)(dem_wall_state *state, uint32_t struct_size));
FUNCTION(dem_system_wall_state, dem_status (*)(const dem_system *system, int32_t id, dem_wall_state *state));
FUNCTION(dem_stepper_kick, dem_status (*)(dem_stepper *stepper, double duration));
FUNCTION(dem_stepper_drift, dem_status (*)(dem_stepper *stepper, double duration));
FUNCTION(dem_stepper_evaluate, dem_status (*)(dem_stepper *stepper, double history_time));
FUNCTION(dem_integrator_table_init, dem_status (*)(dem_integrator_table *table, uint32_t struct_size));
FUNCTION(dem_integrator_create, dem_status (*)(dem_context *context, const dem_integrator_table *table, void *user, dem_integrator **integrator));
FUNCTION(dem_bind_init, dem_status (*)(dem_bind *bind, uint32_t struct_size));
FUNCTION(dem_law_part_init, dem_status (*)(dem_law_part *part, uint32_t struct_size));
FUNCTION(dem_law_piece_init, dem_status (*)(dem_law_piece *piece, uint32_t struct_size));
FUNCTION(dem_law_create_from_parts, dem_status (*)(dem_context *context, int32_t count, const dem_law_piece *pieces, dem_law **law));
FUNCTION(dem_probe_init, dem_status (*)(dem_probe *probe, uint32_t struct_size));
FUNCTION(dem_law_probe, dem_status (*)(const dem_law *law, const dem_bind *materials, dem_probe *probe));
FUNCTION(dem_trial_options_init, dem_status (*)(dem_trial_options *options, uint32_t struct_size));
FUNCTION(dem_trial_open, dem_status (*)(dem_system *system, const dem_trial_options *options, dem_trial **trial));
FUNCTION(dem_stepper_trial, dem_status (*)(dem_stepper *stepper, const dem_trial_options *options, dem_trial **trial));
FUNCTION(dem_trial_rows_init, dem_status (*)(dem_trial_rows *rows, uint32_t struct_size));
FUNCTION(dem_trial_get_rows, dem_status (*)(const dem_trial *trial, dem_trial_rows *rows));
FUNCTION(dem_trial_evaluate, dem_status (*)(dem_trial *trial, const double *u, int32_t ask, double *energy, double *gradient));
FUNCTION(dem_trial_lag, dem_status (*)(dem_trial *trial));
FUNCTION(dem_trial_apply, dem_status (*)(dem_trial *trial, const double *p, double *product));
FUNCTION(dem_trial_blocks, dem_status (*)(dem_trial *trial, uint32_t struct_size, dem_trial_block_fn visit, void *user));
FUNCTION(dem_trial_diagonal, dem_status (*)(dem_trial *trial, double *diagonal));
FUNCTION(dem_trial_accept, dem_status (*)(dem_trial *trial, const double *velocity));
FUNCTION(dem_trial_close, dem_status (*)(dem_trial *trial));
FUNCTION(dem_objective_table_init, dem_status (*)(dem_objective_table *table, uint32_t struct_size));
FUNCTION(dem_minimiser_create, dem_status (*)(dem_context *context, const dem_objective_table *table, void *user, const double *start, const dem_minimise_options *options, dem_minimiser **minimiser));
FUNCTION(dem_preconditioner_table_init, dem_status (*)(dem_preconditioner_table *table, uint32_t struct_size));
FUNCTION(dem_preconditioner_create, dem_status (*)(dem_context *context, const dem_preconditioner_table *table, void *user, dem_preconditioner **preconditioner));

int main(void) { return 0; }
