/* Limits of the material table. */
#ifndef DEMI_MATERIALS_H
#define DEMI_MATERIALS_H

enum { DEMI_MAX_MATERIALS = 64 };

#endif
