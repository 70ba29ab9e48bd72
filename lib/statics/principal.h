/* Principal values and invariants of a tensor. */
#ifndef DEMI_PRINCIPAL_H
#define DEMI_PRINCIPAL_H

#include <dem/statics.h>

dem_status demi_principal_defaults(dem_principal *principal, uint32_t struct_size);
/* Components are finite. */
dem_principal demi_principal_of(const double tensor[9], int32_t dimension);
/* The same with a check of every argument. */
dem_status demi_tensor_principal(const double *tensor, int32_t dimension, dem_principal *principal);

#endif
