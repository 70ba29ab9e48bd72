/* Whether the forces of a law come from a stored energy: what a trial that asks for energies must know. */
#ifndef DEMI_POTENTIAL_H
#define DEMI_POTENTIAL_H

#include "law.h"

typedef enum demi_potential {
  DEMI_POTENTIAL_NONE, /* the elastic force of a part is not the gradient of its stored energy, or the part gives no energy */
  DEMI_POTENTIAL_HOLDING, /* it is, while no slider slips: a tangential, rolling or twisting part keeps a history */
  DEMI_POTENTIAL_ALWAYS   /* it is: no part but normal and gap parts stores energy */
} demi_potential;

enum { DEMI_POTENTIAL_TEXT = 160 };

/* Elastic forces and stored energies of all parts of a law. text: the part by which the law is no more than the value returned, and why;
 * empty with DEMI_POTENTIAL_ALWAYS. For a message such as "no energy: TEXT". */
demi_potential demi_bound_potential(const demi_bound *bound, char text[DEMI_POTENTIAL_TEXT]);

#endif
