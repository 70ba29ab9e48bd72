/* The lean evaluation: forces, and energies where asked for, of touching pairs whose laws have a normal part alone and no history, in
 * statics, where no dashpot acts. It reads positions only and keeps nothing of a contact: each force goes to both particles at once.
 *
 *   F_i = sum of n f over the pairs that i comes first in,  less the sum of n f over the pairs that it comes second in
 *
 * The order of the sum of a row: the pairs of its own block, then those of blocks before, from the nearest back to the first. Blocks are
 * taken from the last to the first, so that one chunk adds everything at once; several chunks put the forces on rows of other chunks
 * aside, and each chunk adds afterwards what chunks before it have put aside for its rows, from the nearest chunk back. That is the same
 * order: the bits do not depend on the number of chunks.
 *
 * Forces put aside use the places of loads (store/loads.h) of the chunk: 4 doubles each, from 8 doubles times its first pair on. */
#ifndef DEMI_LEAN_H
#define DEMI_LEAN_H

#include "contacts.h"
#include "chunks.h"
#include "variant.h"

typedef struct demi_lean {
  dem_context *context;
  double *force;            /* 4 per row: sum of forces, *; zero between evaluations */
  uint32_t *first, *second; /* of each picked pair, at the places that near_pair has: 4 i, 4 j */
  uint8_t *image;           /* and 4 times the row of list.shift */
  int64_t row_capacity, pick_capacity;
  int64_t picks;                    /* number of the pick that these are of; -1: none */
  int32_t needs_mass, needs_radius; /* some law may read m*; R* */
  int64_t aside[DEMI_MAX_CHUNKS];   /* forces that each chunk has put aside */
} demi_lean;

/* Image of a partner that is where its row says. */
enum { DEMI_LEAN_HOME = 4 * 13 };

/* Whether all laws can be evaluated in this way. */
int demi_laws_lean(const demi_laws *laws);

/* Room for the rows and pairs of a list. */
dem_status demi_lean_reserve(demi_lean *lean, const demi_list *list, const demi_laws *laws, int64_t rows);
void demi_lean_free(demi_lean *lean);

/* Where there is a new pick, the pairs of a chunk; `picks` is set when all chunks are done. */
void demi_lean_note_pick(demi_lean *lean, const demi_list *list, int32_t chunk);

/* Adds the forces of a chunk to the rows of its blocks; energies and wall loads as demi_contacts_block leaves them. */
typedef void demi_lean_kernel(const demi_evaluation *evaluation, demi_lean *lean, int32_t chunk);
DEMI_DECLARE_VARIANTS(demi_lean_kernel, lean_chunk);

/* Adds what other chunks have put aside for a chunk. */
void demi_lean_gather(demi_lean *lean, const demi_list *list, const demi_loads *loads, int32_t chunk);

/* Stored energy of the latest lean evaluation. */
double demi_lean_energy(const demi_contacts *contacts, const demi_list *list);

#endif
