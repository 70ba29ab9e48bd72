/** @file dem/integrator.h
 *  Time integrators as a host holds them. The built-in ones have names (dem_system_set_integrator_name); writing your own:
 *  dem/plugin/integrator.h. They are immutable and shared: one may serve several systems, on any thread. */
#ifndef DEM_INTEGRATOR_H
#define DEM_INTEGRATOR_H

#include <dem/context.h>

DEM_BEGIN_DECLS

/** An integrator. Opaque, immutable, reference counted. */
typedef struct dem_integrator dem_integrator;

/** Gives up the caller's reference. NULL is allowed. @param integrator the integrator */
DEM_API void dem_integrator_release(dem_integrator *integrator);

DEM_END_DECLS

#endif
