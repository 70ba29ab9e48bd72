/* Samples of all energy accounts; the functions of system.h that read the accounts are defined in energy_report.c too. */
#ifndef DEMI_ENERGY_REPORT_H
#define DEMI_ENERGY_REPORT_H

#include "state.h"

/* Hands a sample to the host if one is due. */
dem_status demi_energy_sample(dem_system *system);

#endif
