/* Carry: the histories of contacts, set aside while rows are sorted and lists are built. An entry names its two sides by ids, so it
 * needs no renumbering when rows move, and it is the form in which a history can be stored. An entry whose particle or face is
 * gone is skipped when the histories are put back.
 *
 *   entry e: i, j, face;   values e * width ... e * width + width - 1: the history doubles, in the orientation i to j */
#ifndef DEMI_CARRY_H
#define DEMI_CARRY_H

#include "face.h"
#include "list.h"
#include "store.h"

typedef struct demi_carried {
  dem_id i, j;  /* particles; j = 0: the partner is a face */
  int64_t face; /* its id, or -1 */
} demi_carried;

typedef struct demi_carry {
  int64_t count, capacity, value_capacity;
  int32_t width; /* doubles per entry */
  demi_carried *entry;
  double *values;
} demi_carry;

void demi_carry_free(demi_carry *carry, dem_context *context);
int64_t demi_carry_bytes(const demi_carry *carry);

/* Empties the carry and makes room for `count` entries of `width` doubles; on failure it is empty and has no room. */
dem_status demi_carry_open(demi_carry *carry, dem_context *context, int64_t count, int32_t width);

/* Makes `to` the same; on failure it is empty. */
dem_status demi_carry_copy(const demi_carry *from, demi_carry *to, dem_context *context);

/* The listed pair of an entry, or -1; *turned: 1 when i and j have changed places since the entry was made. */
int64_t demi_carried_pair(const demi_carried *entry, const demi_list *list, const demi_store *store, int *turned);

/* Forget the histories against a face, of all rows that are marked (a byte per row, not 0), of pairs of materials (a, b). */
void demi_carry_drop_face(demi_carry *carry, int32_t face_id);
void demi_carry_drop_marked(demi_carry *carry, const demi_store *store, const uint8_t *marked);
void demi_carry_drop_materials(demi_carry *carry, const demi_store *store, const demi_faces *faces, int32_t a, int32_t b);

#endif
