/* Tables of the built-in parts. */
#ifndef DEMI_BUILTIN_H
#define DEMI_BUILTIN_H

#include "context.h"
#include "laws.h"

/* Damping as given in dem_law_options, to be resolved when materials are known. */
typedef struct demi_normal_choice {
  double stiffness, damping, restitution, surface_energy, cohesion;
  int32_t mode, attraction;
} demi_normal_choice;

typedef struct demi_tangential_choice {
  double stiffness, normal_stiffness, damping, restitution, friction;
  int32_t mode, normal_mode, attraction;
  int32_t hertzian, holds; /* the normal part: its stiffness is 2 Y* a; its contacts hold across a gap */
  double normal_damping, modulus;
  int32_t keeps_force; /* force history that is never rescaled */
  int32_t slider;
} demi_tangential_choice;

/* Lubrication, as given in dem_law_options. */
typedef struct demi_lubrication_choice {
  double viscosity, scale, inner, outer;
} demi_lubrication_choice;

/* Rolling and twisting springs, as given in dem_law_options. */
typedef struct demi_rolling_choice {
  double stiffness, damping, friction;
  int32_t holds, slider; /* contacts of the normal part hold across a gap */
} demi_rolling_choice;

/* Table of a part in the context's instruction set; kind is DEM_NORMAL_... or DEM_TANGENTIAL_... */
dem_law_part demi_builtin_normal(const dem_context *context, int32_t kind);
dem_law_part demi_builtin_tangential(const dem_context *context, int32_t kind);
dem_law_part demi_builtin_lubrication(const dem_context *context);
/* kind is DEM_ROLLING_... or DEM_TWISTING_...; Marshall's binds to a demi_tangential_choice. */
dem_law_part demi_builtin_rolling(const dem_context *context, int32_t kind);
dem_law_part demi_builtin_twisting(const dem_context *context, int32_t kind);

/* Coulomb's mu of a bound tangential part; NaN of one that is not built in. */
double demi_builtin_friction(const dem_law_part *part, const void *parameters);

/* Damping ratio zeta that gives restitution e. cut = 0: impact ends at zero overlap; 1: where the force would become
 * attractive. */
double demi_damping_ratio(double restitution, int cut);
/* The inverse: e of a damping ratio; 0 when there is no rebound. */
double demi_damping_restitution(double zeta, int cut);

#endif
