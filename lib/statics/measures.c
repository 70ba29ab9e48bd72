/* Means over contacts c with the weights w_c = (w_i + w_j)/2, or w_i at a wall:
 *
 *   fabric         sum w_c n (x) n / sum w_c                               (Oda 1982; Satake 1982)
 *   fabric_volume  1/V sum (w_i V_i + w_j V_j) n (x) n                     (Goddard 1986; Madadi, Tsoungui, Laetzel and Luding 2004)
 *   participation  (sum w_c |f_c|)^2 / (sum w_c f_c^2 sum w_c)
 *
 * f_c is the normal force. Friction is mobilised by |f_t|/(mu |f_n|). */
#include "measures.h"

#include <math.h>
#include <string.h>

#include "compensated.h"
#include "links.h"
#include "overlaps.h"
#include "springs.h"

/* |f_t| this near its limit, relative to it, has reached it (dem_contact.sliding). */
static const double REACHED = 1 - 1e-9;

typedef struct sums {
  const demi_statics_source *source;
  const double *weight;
  demi_sum contacts, touching, overlap, shared, push, size, square, rubbing, mobilised, sliding;
  demi_sum fabric[9], fabric_volume[9];
  int32_t any_touching, any;
  double overlap_max, push_max;
} sums;

static void add_fabric(sums *m, const demi_link *l, double w) {
  const double wi = m->weight[l->i], wj = l->j >= 0 ? m->weight[l->j] : 0;
  double volume = wi * demi_volume_of(m->source, l->i);
  if (l->j >= 0) volume += wj * demi_volume_of(m->source, l->j);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      demi_sum_add(&m->fabric[3 * a + b], w * (l->normal[a] * l->normal[b]));
      demi_sum_add(&m->fabric_volume[3 * a + b], volume * (l->normal[a] * l->normal[b]));
    }
}

static void add_overlap(sums *m, const demi_link *l, double w) {
  const double *position = m->source->store->columns.position, radius = position[4 * l->i + 3];
  const int32_t dimension = m->source->dimension;
  demi_sum_add(&m->touching, w);
  demi_sum_add(&m->overlap, w * l->overlap);
  if (!m->any_touching || l->overlap > m->overlap_max) m->overlap_max = l->overlap;
  m->any_touching = 1;
  demi_sum_add(&m->shared, w * (l->j < 0 ? demi_overlap_of_plane(dimension, radius, l->distance)
                                         : demi_overlap_of_pair(dimension, radius, position[4 * l->j + 3], l->distance)));
}

static void add_force(sums *m, double w, double push) {
  demi_sum_add(&m->push, w * push);
  demi_sum_add(&m->size, w * fabs(push));
  demi_sum_add(&m->square, w * (push * push));
  if (!m->any || push > m->push_max) m->push_max = push;
  m->any = 1;
}

/* Only where the limit is mu |f_n|. */
static void add_friction(sums *m, const demi_link *l, double w, double push) {
  const double friction = demi_bound_known_friction(l->bound);
  double square = 0;
  if (isnan(friction) || friction <= 0) return;
  const double limit = friction * fabs(push);
  for (int a = 0; a < 3; a++) {
    const double t = l->force[a] - push * l->normal[a];
    square += t * t;
  }
  const double rubs = sqrt(square), part = limit > 0 ? rubs / limit : 0;
  demi_sum_add(&m->rubbing, w);
  demi_sum_add(&m->mobilised, w * (part < 1 ? part : 1));
  demi_sum_add(&m->sliding, part >= REACHED ? w : 0);
}

static void add_link(void *user, const demi_link *l) {
  sums *m = user;
  const double w = l->j >= 0 ? 0.5 * (m->weight[l->i] + m->weight[l->j]) : m->weight[l->i], push = demi_link_push(l);
  if (!l->contact || w == 0) return;
  demi_sum_add(&m->contacts, w);
  add_fabric(m, l, w);
  add_force(m, w, push);
  if (!l->bound) return;
  add_overlap(m, l, w);
  add_friction(m, l, w, push);
}

static double mean(const demi_sum *sum, const demi_sum *weights) {
  const double all = demi_sum_get(weights);
  return all > 0 ? demi_sum_get(sum) / all : 0;
}

/* Squares that underflow are no forces. */
static double participation(const sums *m) {
  const double all = demi_sum_get(&m->size), square = demi_sum_get(&m->square), weights = demi_sum_get(&m->contacts);
  const double below = square * weights;
  return below > 0 ? all / below * all : 0;
}

void demi_measure_contacts(const demi_statics_source *s, int32_t sections, const demi_region *region, dem_statics *out) {
  sums m;
  memset(&m, 0, sizeof m);
  m.source = s;
  m.weight = region->weight;
  demi_links_each(s, sections & (1 << DEM_SECTION_PAIR | 1 << DEM_SECTION_WALL | 1 << DEM_SECTION_BOND), add_link, &m);
  for (int k = 0; k < 9; k++) {
    out->fabric[k] = mean(&m.fabric[k], &m.contacts);
    out->fabric_volume[k] = demi_sum_get(&m.fabric_volume[k]) / region->volume;
  }
  out->contacts = demi_sum_get(&m.contacts);
  out->overlap_fraction = demi_sum_get(&m.shared) / region->volume;
  out->overlap_mean = mean(&m.overlap, &m.touching);
  out->overlap_max = m.overlap_max;
  out->force_mean = mean(&m.push, &m.contacts);
  out->force_max = m.push_max;
  out->participation = participation(&m);
  out->friction_known = demi_sum_get(&m.rubbing);
  out->mobilisation = mean(&m.mobilised, &m.rubbing);
  out->sliding = mean(&m.sliding, &m.rubbing);
}
