/* The network of contacts: how many each particle has, and which particles carry nothing. */
#ifndef DEMI_NETWORK_H
#define DEMI_NETWORK_H

#include "links.h"

typedef struct demi_network {
  int64_t rows;
  int32_t *contacts; /* of each row, with particles and walls */
  int32_t *left;     /* of them those with walls and with particles that are no rattlers; 0 of a rattler */
  int32_t *rattler;  /* of each row: 1 or 0 */
} demi_network;

/* Finds it from the contacts of `sections`. Close it in any case. */
dem_status demi_network_open(const demi_statics_source *source, int32_t sections, int32_t least_contacts,
                             demi_network *network);
void demi_network_close(const demi_statics_source *source, demi_network *network);

#endif
