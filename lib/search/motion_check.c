/* Bounds on relative motion: see store/motion.h. A pair that can act is either listed, or
 *
 *   of one level, in one tile or in neighbouring ones: it was further apart than range + skin of the level, and comes nearer by
 *     at most the relative displacement of the two tiles' boxes;
 *   of one level, in tiles that are no neighbours: a whole tile was between them, so that it takes tile edge - diameter - range;
 *   of two levels, the tile of the finer and the coarser one in the table of cross.c: cross_bounds.c;
 *   of two levels and not in that table: it was further apart than range + margin.
 *
 * The second and the last are compared with the relative displacement of any two particles.
 *
 * Displacements are those of v dt. A drift rounds each position by up to ulp(x)/2 along each axis, and the sums of displacements
 * as well: far from the origin particles that fly side by side come nearer by that alone, so it is counted beside. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "build.h"
#include "context.h"
#include "parallel.h"
#include "wide.h"

enum { DRIFTS_OF_A_PASS = 16 }; /* at most as many as the queue of operations can hold */

static double squared_norm(demi_wide v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/* Largest |a - b| with a in one box and b in another. */
static double relative(const double *a, const double *b) {
  const demi_wide up = demi_load4(a + 4) - demi_load4(b), down = demi_load4(b + 4) - demi_load4(a);
  return squared_norm(demi_max(up, down));
}

/* Of the tiles first ... end - 1. */
static double worst_between_neighbours(const demi_list *list, const double *moved, int32_t first, int32_t end) {
  double worst = 0;
  for (int32_t t = first; t < end; t++) {
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

/* Where images move (images.c): of pairs within and of neighbouring tiles. */
static double slack_in_moving_box(demi_list *list, const double *position, int32_t moment) {
  const demi_level *level = &list->level[0];
  const double size = demi_images_measure(list, position, moment);
  const double distance = 2.0 * level->largest + list->range + level->skin[moment];
  return level->skin[moment] - size * distance -
         worst_between_neighbours(list, list->flow_box, level->first_tile, level[1].first_tile);
}

/* Remaining relative displacement for pairs of neighbouring tiles of one level, and across levels. */
static double slack_of_pairs(demi_list *list, const double *position, int32_t moment) {
  if (list->images_move) return slack_in_moving_box(list, position, moment);
  const double *moved = list->motion.bounds[moment].moved;
  double slack = demi_cross_slack(list, position, moment);
  for (int32_t l = 0; l < list->levels; l++) {
    const demi_level *level = &list->level[l];
    const double worst = worst_between_neighbours(list, moved, level->first_tile, level[1].first_tile);
    slack = fmin(slack, level->skin[moment] - worst);
  }
  return slack;
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

void demi_list_mark_faces(demi_list *list, int32_t moment) {
  for (int32_t w = 0; w < list->faces->count; w++) {
    const demi_face *face = &list->faces->face[w];
    memcpy(list->mark[moment][w].centre, list->faces->centre[w], sizeof list->mark[moment][w].centre);
    memcpy(list->mark[moment][w].frame, face->frame, sizeof face->frame);
  }
}

/* Displacements as seen from a face that moved as well. */
typedef struct seen {
  double low[3], high[3];
} seen;

static seen seen_from(const double box[8], const double *centre, const demi_mark *since) {
  seen s;
  for (int a = 0; a < 3; a++) {
    const double moved = centre[a] - since->centre[a];
    s.low[a] = box[a] - moved;
    s.high[a] = box[4 + a] - moved;
  }
  return s;
}

/* Longest displacement; along the axis of an endless cylinder nothing comes nearer. */
static double longest(const seen *s, const demi_face *face) {
  const int endless = face->kind == DEMI_FACE_BORE || (face->kind == DEMI_FACE_CYLINDER && isinf(face->half[0]));
  double square = 0;
  for (int a = 0; a < 3; a++) {
    const double most = fmax(fabs(s->low[a]), fabs(s->high[a]));
    if (!(endless && fabs(face->frame[a]) == 1.0)) square += most * most;
  }
  return sqrt(square);
}

/* Furthest that a face turned: the distance of the ends of unit vectors, at most. A plane that turns in itself and a cylinder
 * that turns about its axis stay what they were. */
static double turned(const demi_face *face, const demi_mark *since) {
  double square = 0;
  for (int k = 0; k < 9; k++) {
    const double d = face->frame[k] - since->frame[k];
    square += d * d;
  }
  return sqrt(square);
}

/* Furthest that anything in a box of displacements came towards a face since a mark. */
static double approach(const demi_list *list, const double box[8], int32_t w, int32_t moment) {
  const demi_face *face = &list->faces->face[w];
  const demi_mark *since = &list->mark[moment][w];
  const seen s = seen_from(box, list->faces->centre[w], since);
  const double *n = since->frame;
  double sum = 0;
  if (face->kind == DEMI_FACE_PLANE)
    for (int a = 0; a < 3; a++) sum += fmax(-n[a] * s.low[a], -n[a] * s.high[a]);
  else
    sum = longest(&s, face);
  return demi_face_turns(list->faces, w) ? sum + turned(face, since) * list->far[w] : sum;
}

static double least_wall_slack(const demi_list *list) {
  const int32_t faces = list->faces->count;
  double least = INFINITY;
  for (int32_t t = 0; t < list->motion.tiles; t++)
    for (int32_t w = 0; w < faces; w++) {
      const double *moved = list->motion.bounds[DEMI_SINCE_BUILD].moved + 8 * (int64_t)t;
      least = fmin(least, list->face_gap[(int64_t)t * faces + w] - approach(list, moved, w, DEMI_AT_BUILD));
    }
  return least;
}

/* Where images move: of pairs in tiles that are no neighbours; after slack_in_moving_box. */
static double far_slack(const demi_list *list) {
  double strain[DEMI_RATES];
  _Alignas(32) double all[8];
  if (isinf(list->far_margin)) return INFINITY; /* all tiles are neighbours */
  const double size = demi_images_strain(list, DEMI_SINCE_BUILD, strain);
  const double distance = 2.0 * list->level[0].largest + list->range + list->far_margin;
  hull(list->flow_box, list->motion.tiles, all);
  return list->far_margin - size * distance - sqrt(relative(all, all));
}

/* Remaining part of the skin since the list was built. */
static double build_slack(demi_list *list, const double *position) {
  _Alignas(32) double all[8];
  hull(list->motion.bounds[DEMI_SINCE_BUILD].moved, list->motion.tiles, all);
  double slack = slack_of_pairs(list, position, DEMI_SINCE_BUILD);
  slack = fmin(slack, list->images_move ? far_slack(list) : list->far_margin - sqrt(relative(all, all)));
  if (list->faces->count > 0) slack = fmin(slack, least_wall_slack(list));
  return slack;
}

/* Bound on the approach of two particles by rounding in the drifts of one pass: at most 4 sqrt(3) ulp(reach)/2 for each
 * particle. */
static double note_rounding(demi_list *list, const double recent[8]) {
  double step = 0;
  for (int a = 0; a < 3; a++) step = fmax(step, fmax(fabs(recent[a]), fabs(recent[4 + a])));
  list->reach += step;
  const double lost = DRIFTS_OF_A_PASS * 2.0 * sqrt(3.0) * DBL_EPSILON * list->reach;
  list->rounding[DEMI_SINCE_BUILD] += lost;
  list->rounding[DEMI_SINCE_PRUNE] += lost;
  return lost;
}

typedef struct moved_task {
  const demi_list *list;
  const double *position;
  int32_t moment;
  demi_moved_kernel *kernel;
} moved_task;

static void measure_chunk(void *argument, int32_t chunk) {
  const moved_task *t = argument;
  const demi_motion *m = &t->list->motion;
  const int32_t *block = t->list->chunks.block + chunk;
  t->kernel(m, t->position, t->list->since[t->moment], m->bounds[t->moment].moved, m->block_tile[block[0]],
            m->block_tile[block[1]]);
}

/* The boxes of displacement of all tiles since a moment, from the positions then and now. */
static void measure_moved(demi_list *list, const double *position, int32_t moment) {
  if (!list->since[moment]) return;
  moved_task task = {list, position, moment, DEMI_SELECT(list->context, demi_moved_boxes)};
  demi_parallel(list->context, list->chunks.count, measure_chunk, &task);
}

static int build_holds(demi_list *list, const double *position, double step) {
  demi_bounds *b = &list->motion.bounds[DEMI_SINCE_BUILD];
  b->spent += step;
  if (b->spent < b->slack) return 1;
  measure_moved(list, position, DEMI_SINCE_BUILD);
  b->slack = build_slack(list, position) - list->rounding[DEMI_SINCE_BUILD];
  b->spent = 0;
  return b->slack > 0;
}

/* Only pairs of the list can be missing from the pick, and those lie in neighbouring tiles or in the table of cross.c. */
static int prune_holds(demi_list *list, const double *position, double step) {
  demi_bounds *b = &list->motion.bounds[DEMI_SINCE_PRUNE];
  b->spent += step;
  if (b->spent < b->slack) return 1;
  measure_moved(list, position, DEMI_SINCE_PRUNE);
  b->slack = slack_of_pairs(list, position, DEMI_SINCE_PRUNE) - list->rounding[DEMI_SINCE_PRUNE];
  b->spent = 0;
  return b->slack > 0;
}

/* Largest approach of any particle to any face since the last check; the bounds on distances change by this. */
static double worst_approach(demi_list *list, const double recent[8]) {
  double worst = 0;
  for (int32_t w = 0; w < list->faces->count; w++) {
    const demi_face *face = &list->faces->face[w];
    if (demi_face_turns(list->faces, w)) {
      const seen s = seen_from(recent, list->faces->centre[w], &list->mark[DEMI_AT_CHECK][w]);
      list->far[w] += longest(&s, face);
    }
    worst = fmax(worst, approach(list, recent, w, DEMI_AT_CHECK));
  }
  if (list->faces->moving) demi_list_mark_faces(list, DEMI_AT_CHECK);
  return worst;
}

int demi_list_holds(demi_list *list, const demi_store *store) {
  const double *position = store->columns.position;
  const demi_motion *m = &list->motion;
  if (m->blocks == 0) return 1;
  double finite = 0;
  for (int32_t b = 0; b < m->blocks; b++) finite += m->recent[8 * (int64_t)b + 3];
  if (!isfinite(finite)) return -1;
  _Alignas(32) double recent[8];
  hull(m->recent, m->blocks, recent);
  const double lost = note_rounding(list, recent), step = sqrt(relative(recent, recent)) + demi_images_step(list);
  if (!prune_holds(list, position, step + lost)) list->pruned = 0;
  /* all bounds are brought up to date, whatever the first one says */
  return build_holds(list, position, fmax(step, worst_approach(list, recent)) + lost) && list->reach <= list->furthest;
}
