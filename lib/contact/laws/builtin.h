/* Tables of the built-in parts. */
#ifndef DEMI_BUILTIN_H
#define DEMI_BUILTIN_H

#include "context.h"
#include "laws.h"

/* Damping as given in dem_law_options, to be resolved when materials are known. */
typedef struct demi_normal_choice {
  double stiffness, damping, restitution;
  int32_t mode, attraction;
} demi_normal_choice;

typedef struct demi_tangential_choice {
  double stiffness, normal_stiffness, damping, restitution, friction;
  int32_t mode, normal_mode, attraction, hertz;
} demi_tangential_choice;

/* Lubrication, as given in dem_law_options. */
typedef struct demi_lubrication_choice {
  double viscosity, scale, inner, outer;
} demi_lubrication_choice;

/* Rolling and twisting springs, as given in dem_law_options. */
typedef struct demi_rolling_choice {
  double stiffness, damping, friction;
} demi_rolling_choice;

/* Table of a part in the context's instruction set; kind is DEM_NORMAL_... or DEM_TANGENTIAL_... */
dem_law_part demi_builtin_normal(const dem_context *context, int32_t kind);
dem_law_part demi_builtin_tangential(const dem_context *context, int32_t kind);
dem_law_part demi_builtin_lubrication(const dem_context *context);
/* kind is DEM_ROLLING_... or DEM_TWISTING_...; Marshall's binds to a demi_tangential_choice. */
dem_law_part demi_builtin_rolling(const dem_context *context, int32_t kind);
dem_law_part demi_builtin_twisting(const dem_context *context, int32_t kind);

/* Damping ratio zeta that gives restitution e. cut = 0: impact ends at zero overlap; 1: where the force would become
 * attractive. */
double demi_damping_ratio(double restitution, int cut);

#endif
