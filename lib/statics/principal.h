/* Principal values and invariants of a tensor. */
#ifndef DEMI_PRINCIPAL_H
#define DEMI_PRINCIPAL_H

#include <dem/statics.h>

__typeof__(dem_principal_init) demi_principal_defaults;
/* Components are finite. */
dem_principal demi_principal_of(const double tensor[9], int32_t dimension);
/* The same with a check of every argument. */
__typeof__(dem_tensor_principal) demi_tensor_principal;

#endif
