/* Texts of the status list. */
#ifndef DEMI_STATUS_H
#define DEMI_STATUS_H

#include <dem/base.h>

const char *demi_status_text(dem_status status);
const char *demi_status_name(dem_status status);

#endif
