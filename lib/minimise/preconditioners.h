/* The built-in preconditioners by name. */
#ifndef DEMI_PRECONDITIONERS_H
#define DEMI_PRECONDITIONERS_H

#include "preconditioner.h"

/* With the meaning of the exported function; pointers are checked. */
__typeof__(dem_preconditioner_find) demi_preconditioner_find;

#endif
