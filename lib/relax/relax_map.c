/* From the minimiser's unknowns to those of the trial and back; see relax.h. */
#include <math.h>
#include <string.h>

#include "relax.h"

/* ---- S ---- */

static int fill_particles(demi_relax *r) {
  const dem_trial *t = r->trial;
  const int32_t d = t->dimension;
  int moves = 0;
  for (int64_t k = 0; k < t->particles; k++) {
    double *s = r->scale + k * t->width;
    if (t->frozen[k]) continue;
    for (int32_t a = 0; a < t->width; a++) s[a] = a < d ? 1.0 : 1.0 / t->start[4 * k + 3];
    moves = 1;
  }
  return moves;
}

static int fill_walls(demi_relax *r) {
  const dem_trial *t = r->trial;
  int moves = 0;
  for (int32_t w = 0; w < t->walls; w++) {
    const dem_wall *given = &t->wall[w].given;
    double *s = r->scale + r->wall_first + (int64_t)w * t->wall_width;
    for (int a = 0; a < t->dimension; a++) {
      const int free = given->motion == DEM_WALL_SERVO || (given->motion == DEM_WALL_FREE && given->free_axis[a]);
      s[a] = free ? 1.0 : 0.0;
      moves |= free;
    }
  }
  return moves;
}

static int fill_box(demi_relax *r) {
  int moves = 0;
  for (int32_t k = 0; k < r->trial->box_width; k++) {
    const int free = r->options.box_free[demi_relax_component(r->system, k)];
    r->scale[r->box_first + k] = free ? 1.0 / r->length : 0.0;
    moves |= free;
  }
  return moves;
}

int demi_relax_fill_scale(demi_relax *r) {
  if (!r->mapped) return 1;
  const int particles = fill_particles(r), walls = fill_walls(r), box = fill_box(r);
  return particles || walls || box;
}

/* ---- projections ---- */

static void project_walls(const demi_relax *r, double *v) {
  const dem_trial *t = r->trial;
  for (int32_t w = 0; w < t->walls; w++) {
    const dem_wall *given = &t->wall[w].given;
    double *at = v + r->wall_first + (int64_t)w * t->wall_width, along = 0;
    if (given->motion != DEM_WALL_SERVO) continue;
    for (int a = 0; a < t->dimension; a++) along += given->direction[a] * at[a];
    for (int a = 0; a < t->dimension; a++) at[a] = along * given->direction[a];
  }
}

static void couple_box(const demi_relax *r, double *v) {
  double sum = 0;
  int count = 0;
  const int32_t dimension = r->trial->dimension;
  if (r->trial->box_width == 0 || !r->options.box_coupled) return;
  for (int a = 0; a < dimension; a++)
    if (r->options.box_free[a]) sum += v[r->box_first + a], count++;
  for (int a = 0; a < dimension; a++)
    if (r->options.box_free[a]) v[r->box_first + a] = sum / count;
}

static void multiply(const double *scale, const double *x, int64_t count, double *out) {
  for (int64_t k = 0; k < count; k++) out[k] = scale[k] * x[k];
}

const double *demi_relax_spread(const demi_relax *r, const double *x, int offset) {
  if (!r->mapped) return x;
  multiply(r->scale, x, r->unknowns, r->u);
  project_walls(r, r->u);
  couple_box(r, r->u);
  for (int32_t k = 0; offset && k < r->trial->box_width; k++)
    r->u[r->box_first + k] += r->options.strain[demi_relax_component(r->system, k)];
  return r->u;
}

void demi_relax_collect(const demi_relax *r, double *gradient) {
  if (!r->mapped) return;
  multiply(r->scale, gradient, r->unknowns, gradient);
  project_walls(r, gradient);
  couple_box(r, gradient);
}

/* ---- the largest force ---- */

static double length_of(const double *v, int32_t count) {
  double sum = 0;
  for (int32_t a = 0; a < count; a++) sum += v[a] * v[a];
  return sqrt(sum);
}

/* Of `rows` rows of displacements and rotations. */
static double largest_row(const double *g, int64_t rows, int32_t width, int32_t dimension) {
  double largest = 0;
  for (int64_t k = 0; k < rows; k++, g += width)
    largest = fmax(largest, fmax(length_of(g, dimension), length_of(g + dimension, width - dimension)));
  return largest;
}

double demi_relax_largest(const demi_relax *r, const double *g) {
  const dem_trial *t = r->trial;
  const double particles = largest_row(g, t->particles, t->width, t->dimension);
  const double walls = largest_row(g + r->wall_first, t->walls, t->wall_width, t->dimension);
  double box = 0;
  for (int32_t k = 0; k < t->box_width; k++) box = fmax(box, fabs(g[r->box_first + k]));
  return fmax(fmax(particles, walls), box);
}

/* ---- blocks ---- */

typedef struct relay {
  const demi_relax *relax;
  dem_trial_block_fn visit;
  void *visitor;
} relay;

enum { BLOCKS_AT_ONCE = 16 };

/* Applies S, and along a servo's direction the projection, to the rows of a block, or to its columns. */
static void scale_side(const demi_relax *r, double *block, int64_t first, int32_t width, int32_t others, int columns) {
  const int32_t step = columns ? 1 : others, other = columns ? width : 1;
  const dem_trial *t = r->trial;
  const dem_wall *wall = first >= r->wall_first ? &t->wall[(first - r->wall_first) / t->wall_width].given : NULL;
  for (int32_t k = 0; k < others; k++) {
    double *line = block + k * other, along = 0;
    for (int32_t a = 0; a < width; a++) line[a * step] *= r->scale[first + a];
    if (!wall || wall->motion != DEM_WALL_SERVO) continue;
    for (int32_t a = 0; a < t->dimension; a++) along += wall->direction[a] * line[a * step];
    for (int32_t a = 0; a < t->dimension; a++) line[a * step] = along * wall->direction[a];
  }
}

static void scale_block(const demi_relax *r, dem_trial_block *b) {
  scale_side(r, b->ii, b->i, b->width_i, b->width_i, 0);
  scale_side(r, b->ii, b->i, b->width_i, b->width_i, 1);
  scale_side(r, b->ij, b->i, b->width_i, b->width_j, 0);
  scale_side(r, b->ij, b->j, b->width_j, b->width_i, 1);
  scale_side(r, b->ji, b->j, b->width_j, b->width_i, 0);
  scale_side(r, b->ji, b->i, b->width_i, b->width_j, 1);
  scale_side(r, b->jj, b->j, b->width_j, b->width_j, 0);
  scale_side(r, b->jj, b->j, b->width_j, b->width_j, 1);
}

static int32_t hand_on(void *user, int64_t count, const dem_trial_block *blocks) {
  const relay *y = user;
  dem_trial_block some[BLOCKS_AT_ONCE];
  for (int64_t first = 0; first < count; first += BLOCKS_AT_ONCE) {
    const int64_t n = count - first < BLOCKS_AT_ONCE ? count - first : BLOCKS_AT_ONCE;
    memcpy(some, blocks + first, (size_t)n * sizeof *some);
    for (int64_t k = 0; k < n; k++) scale_block(y->relax, &some[k]);
    const int32_t stops = y->visit(y->visitor, n, some);
    if (stops) return stops;
  }
  return 0;
}

dem_status demi_relax_blocks(demi_relax *r, dem_trial_block_fn visit, void *visitor) {
  relay y = {r, visit, visitor};
  if (!r->mapped) return demi_trial_blocks(r->trial, (uint32_t)sizeof(dem_trial_block), visit, visitor);
  return demi_trial_blocks(r->trial, (uint32_t)sizeof(dem_trial_block), hand_on, &y);
}
