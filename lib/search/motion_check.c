/* Bounds on relative motion: see store/motion.h. */
#include <math.h>

#include "list.h"
#include "wide.h"

static double squared_norm(demi_wide v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/* Largest |a - b| with a in one box and b in another. */
static double relative(const double *a, const double *b) {
  const demi_wide up = demi_load4(a + 4) - demi_load4(b), down = demi_load4(b + 4) - demi_load4(a);
  return squared_norm(demi_max(up, down));
}

static double worst_between_neighbours(const demi_list *list, const double *moved) {
  double worst = 0;
  for (int32_t t = 0; t < list->motion.tiles; t++) {
    const double *mine = moved + 8 * (int64_t)t;
    const double own = relative(mine, mine);
    if (own > worst) worst = own;
    for (int k = 0; k < DEMI_NEAR; k++) {
      const int32_t other = list->near[DEMI_NEAR * (int64_t)t + k];
      if (other < 0) break;
      const double r = relative(mine, moved + 8 * (int64_t)other);
      if (r > worst) worst = r;
    }
  }
  return sqrt(worst);
}

/* Box around `count` boxes. */
static void hull(const double *boxes, int32_t count, double out[8]) {
  demi_wide low = demi_load4(boxes), high = demi_load4(boxes + 4);
  for (int32_t k = 1; k < count; k++) {
    low = demi_min(low, demi_load4(boxes + 8 * (int64_t)k));
    high = demi_max(high, demi_load4(boxes + 8 * (int64_t)k + 4));
  }
  for (int a = 0; a < 4; a++) {
    out[a] = low[a];
    out[4 + a] = high[a];
  }
}

/* Furthest that anything in a box of displacements came towards a wall. */
static double approach(const double box[8], const demi_wall *wall) {
  double sum = 0;
  for (int a = 0; a < 3; a++) sum += fmax(-wall->normal[a] * box[a], -wall->normal[a] * box[4 + a]);
  return sum;
}

static double least_wall_slack(const demi_list *list) {
  double least = INFINITY;
  for (int32_t t = 0; t < list->motion.tiles; t++)
    for (int32_t w = 0; w < list->walls.count; w++) {
      const double gap = list->wall_gap[(int64_t)t * list->walls.count + w];
      least = fmin(least, gap - approach(list->motion.bounds[DEMI_SINCE_BUILD].moved + 8 * (int64_t)t, &list->walls.wall[w]));
    }
  return least;
}

/* What is left of the skin since the list was built. */
static double build_slack(const demi_list *list) {
  const demi_bounds *b = &list->motion.bounds[DEMI_SINCE_BUILD];
  _Alignas(32) double all[8];
  hull(b->moved, list->motion.tiles, all);
  double slack = b->skin - worst_between_neighbours(list, b->moved);
  slack = fmin(slack, list->far_margin - sqrt(relative(all, all)));
  if (list->walls.count > 0) slack = fmin(slack, least_wall_slack(list));
  return slack;
}

static int build_holds(demi_list *list, double step) {
  demi_bounds *b = &list->motion.bounds[DEMI_SINCE_BUILD];
  b->spent += step;
  if (b->spent < b->slack) return 1;
  b->slack = build_slack(list);
  b->spent = 0;
  return b->slack > 0;
}

/* Only pairs of the list can be missing from the pruned list, and those lie in neighbouring tiles. */
static int prune_holds(demi_list *list, double step) {
  demi_bounds *b = &list->motion.bounds[DEMI_SINCE_PRUNE];
  b->spent += step;
  if (b->spent < b->slack) return 1;
  b->slack = b->skin - worst_between_neighbours(list, b->moved);
  b->spent = 0;
  return b->slack > 0;
}

int demi_list_holds(demi_list *list) {
  const demi_motion *m = &list->motion;
  if (m->blocks == 0) return 1;
  double finite = 0;
  for (int32_t b = 0; b < m->blocks; b++) finite += m->recent[8 * (int64_t)b + 3];
  if (!isfinite(finite)) return -1;
  _Alignas(32) double recent[8];
  hull(m->recent, m->blocks, recent);
  double step = sqrt(relative(recent, recent));
  if (!prune_holds(list, step)) list->pruned = 0;
  for (int32_t w = 0; w < list->walls.count; w++) step = fmax(step, approach(recent, &list->walls.wall[w]));
  return build_holds(list, step);
}
