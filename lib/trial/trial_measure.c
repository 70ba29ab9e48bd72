/* The network of a trial state: which pairs touch, how strong their forces are.
 *
 * The number of a network is the sum, modulo 2^64, of one number for each pair. A sum does not depend on the order of its terms, so
 * sorting, lists and threads do not change it. The number of a pair comes from the ids of its particles (or of particle and face), mixed
 * by the steps of splitmix64 (Steele, Lea & Flood 2014), so that two sets of pairs have the same number with a chance of 2^-64. */
#include <math.h>
#include <string.h>

#include "trial.h"

static uint64_t mixed(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static uint64_t pair_number(uint64_t a, uint64_t b, uint64_t kind) {
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return mixed(mixed(low + kind) + high);
}

static void add_pair(const dem_trial *t, int32_t section, int64_t at, demi_trial_network *sum) {
  const demi_replica *r = &t->replica;
  const demi_loads *l = &r->contacts.loads;
  const demi_columns *c = &r->store.columns;
  const int64_t i = l->i[at], j = l->j[at];
  const double *f = l->rows + 8 * at;
  sum->contacts++;
  sum->force += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  if (j < 0) {
    const demi_face *face = &r->faces.face[demi_face_of_partner(l->j[at])];
    sum->pairs += mixed(mixed(c->id[i] + ((uint64_t)section << 60)) + (uint64_t)face->id);
    return;
  }
  double span[3];
  for (int a = 0; a < 3; a++) span[a] = c->position[4 * i + a] - c->position[4 * j + a];
  demi_box_nearest(&r->box, span);
  sum->virial += span[0] * f[0] + span[1] * f[1] + span[2] * f[2];
  sum->pairs += pair_number(c->id[i], c->id[j], (uint64_t)section << 60);
}

void demi_trial_measure(dem_trial *t, demi_trial_network *sum) {
  static const int32_t SECTIONS[3] = {DEMI_SECTION_PAIR, DEMI_SECTION_WALL, DEMI_SECTION_BOND};
  const demi_loads *l = &t->replica.contacts.loads;
  memset(sum, 0, sizeof *sum);
  sum->pairs = 1;
  for (int32_t b = 0; t->particles > 0 && b < t->replica.list.motion.blocks; b++)
    for (int k = 0; k < 3; k++) {
      const int64_t first = l->first[SECTIONS[k]][b], end = first + l->count[SECTIONS[k]][b];
      for (int64_t c = first; c < end; c++) add_pair(t, SECTIONS[k], c, sum);
    }
  if (sum->pairs == 0) sum->pairs = 1;
}
