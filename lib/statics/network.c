/* Contacts of each particle, and rattlers: particles with fewer contacts than asked are removed with their contacts, until none is left
 * to remove. The outcome does not depend on the order of removal: it is the largest set of particles each of which has enough
 * contacts within the set and with walls and frozen particles (the k-core of the graph; Seidman 1983).
 *
 * Neighbours of row i: neighbour[start[i]] ... neighbour[start[i + 1] - 1]. Work and memory are linear in the contacts. */
#include "network.h"

#include <string.h>

#include "memory.h"

typedef struct graph {
  int64_t ends; /* of contacts between particles: twice their number */
  int64_t *start;
  int32_t *neighbour;
  int32_t *queue; /* rows to remove */
  demi_network *network;
} graph;

/* ---- contacts ---- */

/* While it counts, start[i] is the number of neighbours of row i. */
static void count_link(void *user, const demi_link *l) {
  const graph *g = user;
  if (!l->contact) return;
  g->network->contacts[l->i]++;
  if (l->j < 0) return;
  g->network->contacts[l->j]++;
  g->start[l->i]++;
  g->start[l->j]++;
}

/* start[i] is where the neighbours of row i end, and goes down to where they begin. */
static void enter_link(void *user, const demi_link *l) {
  const graph *g = user;
  if (!l->contact || l->j < 0) return;
  g->neighbour[--g->start[l->i]] = (int32_t)l->j;
  g->neighbour[--g->start[l->j]] = (int32_t)l->i;
}

static void add_up(graph *g) {
  for (int64_t row = 0; row < g->network->rows; row++) {
    g->ends += g->start[row];
    g->start[row] = g->ends;
  }
  g->start[g->network->rows] = g->ends;
}

/* ---- rattlers ---- */

static int has_too_few(const demi_statics_source *s, const demi_network *n, int64_t row, int32_t least) {
  return n->left[row] < least && !n->rattler[row] && !demi_store_frozen(s->store, row);
}

static void find_rattlers(const demi_statics_source *s, graph *g, int32_t least) {
  demi_network *n = g->network;
  int64_t first = 0, end = 0;
  memcpy(n->left, n->contacts, (size_t)n->rows * sizeof *n->left);
  for (int64_t row = 0; row < n->rows; row++)
    if (has_too_few(s, n, row, least)) {
      n->rattler[row] = 1;
      g->queue[end++] = (int32_t)row;
    }
  while (first < end) {
    const int64_t row = g->queue[first++];
    for (int64_t k = g->start[row]; k < g->start[row + 1]; k++) {
      const int32_t other = g->neighbour[k];
      n->left[other]--;
      if (!has_too_few(s, n, other, least)) continue;
      n->rattler[other] = 1;
      g->queue[end++] = other;
    }
  }
  for (int64_t row = 0; row < n->rows; row++)
    if (n->rattler[row]) n->left[row] = 0;
}

/* ---- all ---- */

static dem_status no_memory(const demi_statics_source *s) {
  return demi_statics_refuse(s, DEM_NO_MEMORY, "statics: out of memory for the contacts of %lld particles",
                             (long long)s->store->count);
}

static dem_status fill(const demi_statics_source *s, int32_t sections, int32_t least, graph *g) {
  const int64_t rows = g->network->rows;
  g->start = demi_allocate_zero(s->context, (size_t)(rows + 1) * sizeof *g->start);
  g->queue = demi_allocate(s->context, (size_t)rows * sizeof *g->queue);
  if (!g->start || !g->queue) return no_memory(s);
  demi_links_each(s, sections, count_link, g);
  add_up(g);
  if (g->ends > 0) {
    g->neighbour = demi_allocate(s->context, (size_t)g->ends * sizeof *g->neighbour);
    if (!g->neighbour) return no_memory(s);
    demi_links_each(s, sections, enter_link, g);
  }
  find_rattlers(s, g, least);
  return DEM_OK;
}

dem_status demi_network_open(const demi_statics_source *s, int32_t sections, int32_t least, demi_network *n) {
  const size_t bytes = (size_t)s->store->count * sizeof(int32_t);
  graph g = {.network = n};
  *n = (demi_network){.rows = s->store->count};
  if (n->rows == 0) return DEM_OK;
  n->contacts = demi_allocate_zero(s->context, bytes);
  n->left = demi_allocate_zero(s->context, bytes);
  n->rattler = demi_allocate_zero(s->context, bytes);
  const dem_status status = n->contacts && n->left && n->rattler ? fill(s, sections, least, &g) : no_memory(s);
  demi_free(s->context, g.start, (size_t)(n->rows + 1) * sizeof *g.start);
  demi_free(s->context, g.queue, (size_t)n->rows * sizeof *g.queue);
  demi_free(s->context, g.neighbour, (size_t)g.ends * sizeof *g.neighbour);
  return status;
}

void demi_network_close(const demi_statics_source *s, demi_network *n) {
  const size_t bytes = (size_t)n->rows * sizeof(int32_t);
  demi_free(s->context, n->contacts, bytes);
  demi_free(s->context, n->left, bytes);
  demi_free(s->context, n->rattler, bytes);
}
