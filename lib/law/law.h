/* Laws: parts as created, and parts bound to a pair of materials. */
#ifndef DEMI_LAW_H
#define DEMI_LAW_H

#include <dem/plugin/law.h>
#include <stdatomic.h>

#include "message.h"

enum { DEMI_PARAMETER_BYTES = 256, DEMI_NAME_BYTES = 64, DEMI_PARTS = 5 };

/* Place of each kind of part. */
enum { DEMI_NORMAL = 0, DEMI_TANGENTIAL = 1, DEMI_GAP = 2, DEMI_ROLLING = 3, DEMI_TWISTING = 4 };

typedef struct demi_law_part {
  dem_law_part table;
  char name[DEMI_NAME_BYTES];
  int32_t history; /* doubles */
  uint32_t user_bytes;
  _Alignas(16) unsigned char user[DEMI_PARAMETER_BYTES];
} demi_law_part;

struct dem_law {
  dem_context *context;
  atomic_int references;
  int32_t built_in;               /* made from options: of the library's own parts alone */
  demi_law_part part[DEMI_PARTS]; /* by place; without an evaluate function: none of this kind */
};

/* A law for one pair of materials, ready to run. */
typedef struct demi_bound {
  const dem_law *law;
  void (*evaluate[DEMI_PARTS])(const void *parameters, const dem_batch *batch); /* all but the first may be NULL */
  int32_t history[DEMI_PARTS]; /* doubles of each part, which follow each other in the order of the places */
  int32_t history_total;
  int8_t kind[DEM_HISTORY_CAPACITY]; /* DEM_HISTORY_... of each double; vectors stand three in a row */
  int32_t stores_energy[DEMI_PARTS];
  int32_t damped;   /* may have a tangential dashpot */
  int32_t coupled;  /* the tangential part has a force along n */
  int32_t adhesive; /* the normal part writes `adhesion`, the attraction that does not count against friction */
  int32_t holds;    /* contacts hold beyond touching, see demi_bound_hold */
  int32_t rolls;    /* has a rolling or a twisting part */
  int32_t radius_matters, mass_matters; /* the elastic normal force may depend on R*; on m* */
  uint32_t offers, gap_offers; /* lanes of a batch that the law has, in contact and across a gap: DEMI_LANES_... of lanes.h */
  int32_t inert;               /* no force ever: the pair need not be searched */
  _Alignas(16) unsigned char parameters[DEMI_PARTS][DEMI_PARAMETER_BYTES];
} demi_bound;

/* Binds; refusals go to `message`. */
dem_status demi_law_bind(const dem_law *law, const dem_bind *materials, demi_message *message, demi_bound *bound);

/* Where the history of a part begins. */
static inline int32_t demi_bound_history(const demi_bound *bound, int32_t part) {
  int32_t first = 0;
  for (int32_t k = 0; k < part; k++) first += bound->history[k];
  return first;
}

/* Largest gap at which a pair of effective radius up to R* may act [length]: across it, or holding a contact that was made; 0
 * without such a part. */
double demi_bound_range(const demi_bound *bound, double effective_radius);

/* Gap at which a contact of effective radius R* tears [length], where the law holds. */
double demi_bound_hold(const demi_bound *bound, double effective_radius);

void demi_law_retain(const dem_law *law);
void demi_law_release(const dem_law *law);

/* With the signatures and the meanings of the exported functions that are named; pointers are checked. */
__typeof__(dem_law_options_init) demi_law_options_defaults;
__typeof__(dem_law_create) demi_law_create;
__typeof__(dem_bind_init) demi_bind_defaults;
__typeof__(dem_law_part_init) demi_law_part_defaults;
__typeof__(dem_probe_init) demi_probe_defaults;
__typeof__(dem_law_piece_init) demi_law_piece_defaults;
__typeof__(dem_law_create_from_parts) demi_law_create_from_parts;
__typeof__(dem_law_probe) demi_law_probe;

#endif
