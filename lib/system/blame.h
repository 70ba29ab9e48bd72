/* Names the contact that made a motion infinite. */
#ifndef DEMI_BLAME_H
#define DEMI_BLAME_H

#include "state.h"

enum { DEMI_BLAME_TEXT = 320 };
/* What made a motion infinite: pair, overlap and parts of the law, to be put behind a message; "" when no contact did. */
const char *demi_system_blame(const dem_system *system, char text[DEMI_BLAME_TEXT]);

#endif
