/* Images of the particles across the periodic axes: their vectors, and, where the box deforms, how they move.
 *
 * The image of j that i meets is at x_j + H n, with H = (a b c) the edges of the box. Since a moment 0 the two have moved relative to each
 * other by u_i - u_j - (H - H_0) n. With F = H H_0^-1 and w = u - (F - 1) x_0 for each of them, this is
 *
 *   w_i - w_j + (F - 1) r_0,      r_0 their distance vector at the moment 0,
 *
 * without n. In a flow that follows the box w is small everywhere, so lists last as long as in a box at rest. A pair that was further
 * apart than a distance s at the moment 0 comes nearer than s - g only if |w_i - w_j| + |F - 1| s > g (for a larger r_0 even later, as
 * long as |F - 1| < 1). */
#include <math.h>
#include <string.h>

#include "build.h"
#include "context.h"
#include "parallel.h"

enum { IMAGES = 27, SHIFTS = 28 };

static void free_marks(demi_list *list) {
  for (int k = 0; k < 2; k++) demi_free(list->context, list->row_at[k], (size_t)list->row_at_capacity * 4 * sizeof(double));
  demi_free(list->context, list->flow_box, (size_t)list->flow_box_capacity * 8 * sizeof(double));
  list->row_at[0] = list->row_at[1] = list->flow_box = NULL;
  list->row_at_capacity = list->flow_box_capacity = 0;
}

void demi_images_free(demi_list *list) {
  demi_free(list->context, list->shift, SHIFTS * 4 * sizeof *list->shift);
  demi_free(list->context, list->shift_velocity, SHIFTS * 4 * sizeof *list->shift_velocity);
  free_marks(list);
}

static dem_status reserve(demi_list *list) {
  if (!list->shift) list->shift = demi_allocate_zero(list->context, SHIFTS * 4 * sizeof *list->shift);
  if (!list->shift_velocity)
    list->shift_velocity = demi_allocate_zero(list->context, SHIFTS * 4 * sizeof *list->shift_velocity);
  return list->shift && list->shift_velocity ? DEM_OK : DEM_NO_MEMORY;
}

void demi_list_move_images(demi_list *list, const double rate[DEMI_RATES]) {
  if (!list->shift) return;
  double furthest = 0;
  for (int s = 0; s < IMAGES; s++) {
    const double turns[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
    double *shift = list->shift + 4 * s, before[3] = {shift[0], shift[1], shift[2]}, square = 0;
    demi_box_image(list->box, turns, shift);
    demi_box_image_velocity(rate, shift, list->shift_velocity + 4 * s);
    for (int a = 0; a < 3; a++) square += (shift[a] - before[a]) * (shift[a] - before[a]);
    furthest = fmax(furthest, square);
  }
  list->moved_images += sqrt(furthest);
}

double demi_images_step(demi_list *list) {
  const double moved = list->moved_images;
  list->moved_images = 0;
  return moved;
}

dem_status demi_images_lay(demi_list *list, const demi_search *search) {
  static const double at_rest[DEMI_RATES] = {0};
  if (reserve(list)) return DEM_NO_MEMORY;
  for (int a = 0; a < 3; a++) list->shift[4 * DEMI_FAR_SHIFT + a] = INFINITY;
  list->box = search->box;
  list->images_move = search->rate != NULL;
  demi_list_move_images(list, search->rate ? search->rate : at_rest);
  list->moved_images = 0;
  return DEM_OK;
}

/* ---- since the build and since the pick ---- */

dem_status demi_images_reserve(demi_list *list, int64_t rows) {
  const int64_t tiles = list->motion.tiles;
  if (!list->images_move || (rows <= list->row_at_capacity && tiles <= list->flow_box_capacity)) return DEM_OK;
  free_marks(list);
  list->row_at_capacity = rows + rows / 4 + 16;
  list->flow_box_capacity = tiles + tiles / 4 + 16;
  for (int k = 0; k < 2; k++)
    list->row_at[k] = demi_allocate_zero(list->context, (size_t)list->row_at_capacity * 4 * sizeof(double));
  list->flow_box = demi_allocate_zero(list->context, (size_t)list->flow_box_capacity * 8 * sizeof(double));
  if (list->row_at[0] && list->row_at[1] && list->flow_box) return DEM_OK;
  free_marks(list);
  return DEM_NO_MEMORY;
}

void demi_images_mark(demi_list *list, const demi_store *store, int32_t moment) {
  if (!list->images_move) return;
  list->box_at[moment] = *list->box;
  memcpy(list->row_at[moment], store->columns.position, (size_t)store->count * 4 * sizeof(double));
}

/* With H_0 upper triangular F is, too: F_xx = l_x/l_x0, F_xy = (xy - F_xx xy_0)/l_y0, ... Axes without length do not deform. */
double demi_images_strain(const demi_list *list, int32_t moment, double e[DEMI_RATES]) {
  memset(e, 0, DEMI_RATES * sizeof *e);
  if (!list->images_move) return 0;
  const demi_box *now = list->box, *then = &list->box_at[moment];
  double f[3], square = 0;
  for (int a = 0; a < 3; a++) {
    f[a] = then->periodic[a] ? demi_box_length(now, a) / demi_box_length(then, a) : 1.0;
    e[a] = f[a] - 1.0;
  }
  const double ly = demi_box_length(then, 1), lz = demi_box_length(then, 2);
  if (then->periodic[1]) e[3] = (now->tilt[DEMI_TILT_XY] - f[0] * then->tilt[DEMI_TILT_XY]) / ly;
  if (then->periodic[2]) {
    e[5] = (now->tilt[DEMI_TILT_YZ] - f[1] * then->tilt[DEMI_TILT_YZ]) / lz;
    e[4] = (now->tilt[DEMI_TILT_XZ] - f[0] * then->tilt[DEMI_TILT_XZ] - e[3] * then->tilt[DEMI_TILT_YZ]) / lz;
  }
  for (int k = 0; k < DEMI_RATES; k++) square += e[k] * e[k];
  return sqrt(square);
}

typedef struct flow_task {
  demi_list *list;
  const double *position;
  demi_flow flow;
  demi_flow_kernel *kernel;
} flow_task;

static void measure_chunk(void *argument, int32_t chunk) {
  const flow_task *t = argument;
  const int32_t tiles = t->list->motion.tiles, chunks = t->list->chunks.count;
  t->kernel(t->list, t->position, &t->flow, (int32_t)((int64_t)tiles * chunk / chunks),
            (int32_t)((int64_t)tiles * (chunk + 1) / chunks));
}

double demi_images_measure(demi_list *list, const double *position, int32_t moment) {
  flow_task task = {list, position, {.at = list->row_at[moment]}, DEMI_SELECT(list->context, demi_flow_boxes)};
  const double size = demi_images_strain(list, moment, task.flow.strain);
  demi_parallel(list->context, list->chunks.count, measure_chunk, &task);
  return size;
}
