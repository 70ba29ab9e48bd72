/* The laws of all pairs of materials, bound. Pairs with the same law and the same bound parameters share one entry, and so one
 * batch of contacts. Entries stand in the order of their first pairs, row by row: (0,0), (0,1) ..., (1,1), (1,2) .... So their order
 * depends on the present laws alone and not on the calls that set them, and the books, which are summed entry by entry, neither. */
#ifndef DEMI_LAW_TABLE_H
#define DEMI_LAW_TABLE_H

#include "law.h"
#include "material_pair.h"

typedef struct demi_law_entry {
  demi_bound *bound;
  uint64_t digest; /* of the law and its bound parameters: equal entries have equal digests */
  int64_t first;   /* its first pair a <= b: a << 32 | b */
  int32_t number;  /* its new index while entries are put in order */
} demi_law_entry;

typedef struct demi_laws {
  dem_context *context;
  int32_t count, capacity;
  demi_law_entry *entry, *spare; /* of `capacity` each; the second is used while entries are put in order */
  int32_t materials;             /* room of the next two: pair (a, b) has the place a * materials + b */
  int32_t *of_pair;              /* index of the entry; -1: no law set */
  uint8_t *interacts;            /* 0: this pair of materials never interacts, so its contacts are not searched */
  int32_t holds, gaps;           /* some law's contacts hold beyond touching; some law acts across gaps */
} demi_laws;

/* A pair of materials gets a law: first prepared, then committed or dropped. */
typedef struct demi_law_change {
  demi_bound *fresh; /* entry to append, or NULL */
  int32_t index;     /* of the entry that the pair gets */
} demi_law_change;

void demi_laws_init(demi_laws *laws, dem_context *context);
void demi_laws_free(demi_laws *laws);
int64_t demi_laws_bytes(const demi_laws *laws);

/* Makes room for the pairs of `materials` materials; on DEM_NO_MEMORY nothing has changed. */
dem_status demi_laws_reserve(demi_laws *laws, int32_t materials);

/* Looks for an equal entry or makes one, and makes room for it; on DEM_NO_MEMORY nothing has changed. */
dem_status demi_laws_prepare(demi_laws *laws, const demi_bound *bound, demi_law_change *change);
void demi_laws_commit(demi_laws *laws, int32_t a, int32_t b, const demi_law_change *change);
void demi_laws_drop(demi_laws *laws, const demi_law_change *change);

/* Index of the entry of a pair of materials, in either order; -1: no law set. */
static inline int32_t demi_laws_index(const demi_laws *laws, int32_t a, int32_t b) {
  return laws->of_pair[(int64_t)a * laws->materials + b];
}

/* The law of a pair of materials; NULL: none set. */
static inline const demi_bound *demi_laws_of(const demi_laws *laws, int32_t a, int32_t b) {
  const int32_t index = demi_laws_index(laws, a, b);
  return index < 0 ? NULL : laws->entry[index].bound;
}

/* 0: this pair of materials never interacts. */
static inline int demi_laws_interact(const demi_laws *laws, int32_t a, int32_t b) {
  return laws->interacts[(int64_t)a * laws->materials + b];
}

#endif
