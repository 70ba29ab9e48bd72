/** @file dem/dem.h
 *  Everything a host needs. Authors of laws and integrators also include dem/plugin/law.h and
 *  dem/plugin/integrator.h. */
#ifndef DEM_DEM_H
#define DEM_DEM_H

#include <dem/advice.h>
#include <dem/base.h>
#include <dem/bond.h>
#include <dem/box.h>
#include <dem/box_motion.h>
#include <dem/context.h>
#include <dem/energy.h>
#include <dem/formulas.h>
#include <dem/integrator.h>
#include <dem/io.h>
#include <dem/law.h>
#include <dem/minimise.h>
#include <dem/packing.h>
#include <dem/relax.h>
#include <dem/statics.h>
#include <dem/system.h>
#include <dem/view.h>
#include <dem/wall.h>

#endif
