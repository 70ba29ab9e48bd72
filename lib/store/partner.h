/* The partner of a particle in a contact, as one number: j >= 0 is the row of another particle; j < 0 is a face of a wall, j = -1 - n,
 * with n the index of the face. */
#ifndef DEMI_PARTNER_H
#define DEMI_PARTNER_H

#include <stdint.h>

static inline int32_t demi_partner_of_face(int32_t face) { return -1 - face; }
static inline int32_t demi_face_of_partner(int32_t j) { return -1 - j; }

#endif
