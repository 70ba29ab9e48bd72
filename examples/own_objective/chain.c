/* With the nodes at r_i the energy is
 *
 *   E(x) = sum over links k (|r_i - r_{i-1}| - rest)^2/2  +  sum over nodes w y_i
 *
 * A link with tension f = k (l - rest) along n adds the block B = k n n^T + (f/l) (1 - n n^T) to both diagonal blocks of the Hessian and -B
 * off the diagonal. The links at the supports have one node only: their block is added to that of the next link. */
#include "chain.h"

#include <math.h>
#include <string.h>

chain_link chain_look(const chain *c, const double *x, int64_t i) {
  const double right_x = i + 1 == c->links ? c->span : x[2 * i], right_y = i + 1 == c->links ? 0 : x[2 * i + 1];
  const double dx = right_x - (i > 0 ? x[2 * i - 2] : 0), dy = right_y - (i > 0 ? x[2 * i - 1] : 0), length = hypot(dx, dy);
  return (chain_link){dx / length, dy / length, length, c->stiffness * (length - c->rest)};
}

/* The force of a link on node i, times `sign`, in the gradient. The supports are no unknowns. */
static void pull(const chain *c, double *gradient, int64_t i, double sign, const chain_link *l) {
  if (!gradient || i < 0 || i + 1 == c->links) return;
  gradient[2 * i] += sign * l->force * l->cosine;
  gradient[2 * i + 1] += sign * l->force * l->sine;
}

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  chain *c = user;
  double energy = 0;
  for (int64_t i = 0; gradient && i + 1 < c->links; i++) {
    gradient[2 * i] = 0;
    gradient[2 * i + 1] = c->weight;
  }
  for (int64_t i = 0; i + 1 < c->links; i++) energy += c->weight * x[2 * i + 1];
  for (int64_t i = 0; i < c->links; i++) {
    const chain_link l = chain_look(c, x, i);
    energy += 0.5 * l.force * l.force / c->stiffness;
    pull(c, gradient, i - 1, -1, &l);
    pull(c, gradient, i, 1, &l);
    c->tried[i] = l;
  }
  if (value) *value = energy;
  if (ask & DEM_OBJECTIVE_TANGENT) memcpy(c->link, c->tried, (size_t)c->links * sizeof *c->link);
  return DEM_OK;
}

/* B of a link, row-major. */
static void block(const chain *c, const chain_link *l, double *b) {
  const double side = l->force / l->length, n[2] = {l->cosine, l->sine};
  for (int r = 0; r < 2; r++)
    for (int s = 0; s < 2; s++) b[2 * r + s] = (c->stiffness - side) * n[r] * n[s] + (r == s ? side : 0);
}

static dem_status apply(void *user, const double *p, double *product) {
  const chain *c = user;
  const int64_t last = c->links - 1;
  memset(product, 0, (size_t)(2 * last) * sizeof *product);
  for (int64_t i = 0; i <= last; i++) {
    double b[4];
    const double dx = (i < last ? p[2 * i] : 0) - (i > 0 ? p[2 * i - 2] : 0),
                 dy = (i < last ? p[2 * i + 1] : 0) - (i > 0 ? p[2 * i - 1] : 0);
    block(c, &c->link[i], b);
    const double fx = b[0] * dx + b[1] * dy, fy = b[2] * dx + b[3] * dy;
    if (i < last) product[2 * i] += fx, product[2 * i + 1] += fy;
    if (i > 0) product[2 * i - 2] -= fx, product[2 * i - 1] -= fy;
  }
  return DEM_OK;
}

static dem_status blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  const chain *c = user;
  const int64_t last = c->links - 1;
  for (int64_t i = 1; i < last; i++) {
    dem_trial_block b = {.i = 2 * i - 2, .j = 2 * i, .width_i = 2, .width_j = 2};
    double end[4];
    block(c, &c->link[i], b.ii);
    for (int k = 0; k < 4; k++) b.jj[k] = b.ii[k], b.ij[k] = b.ji[k] = -b.ii[k];
    block(c, &c->link[0], end);
    for (int k = 0; k < 4 && i == 1; k++) b.ii[k] += end[k];
    block(c, &c->link[last], end);
    for (int k = 0; k < 4 && i + 1 == last; k++) b.jj[k] += end[k];
    if (visit(visitor, 1, &b)) return DEM_CANCELLED;
  }
  return DEM_OK;
}

void chain_table(const chain *c, dem_objective_table *table) {
  dem_objective_table_init(table, sizeof *table);
  table->contract = DEM_OBJECTIVE_CONTRACT;
  table->name = "hanging chain";
  table->unknowns = 2 * (c->links - 1);
  table->longest_step = c->rest;
  table->evaluate = evaluate;
  table->apply = apply;
  table->blocks = blocks;
}

void chain_start(const chain *c, double *x) {
  for (int64_t i = 0; i + 1 < c->links; i++) {
    const double s = (double)(i + 1) / (double)c->links;
    x[2 * i] = s * c->span;
    x[2 * i + 1] = -c->span * s * (1 - s);
  }
}
