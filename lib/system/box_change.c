/* The box as the host reads and changes it between steps.
 *
 * Affine: x = low + H s, with the edges as columns of H and the fractional coordinates s, becomes low' + H' s. It is computed as
 *
 *   x' = x + (low' - low) + (H' - H) s
 *
 * so that a box that stays leaves every bit of x. Coordinates along open axes stay. Otherwise x is wrapped into the old box, which is the
 * position that the host reads, and then into the new one; image counts and bonds go on to the nearest edges (demi_box_renumber).
 *
 * A box that moves (box_motion.c) is flipped first where it leans too far: that is the box that the host reads, and it changes no
 * image. */
#include <math.h>
#include <string.h>

#include "box_motion.h"
#include "engine_change.h"
#include "intake.h"
#include "lengths.h"
#include "places.h"
#include "ready.h"

#define BOX_V1 DEMI_SIZE_TO(dem_box, tilt)

dem_status demi_box_defaults(dem_box *box, uint32_t struct_size) {
  dem_box b;
  memset(&b, 0, sizeof b);
  return demi_init(box, struct_size, &b, sizeof b, BOX_V1);
}

dem_status demi_system_get_box(const dem_system *s, dem_box *box) {
  dem_box b;
  memset(&b, 0, sizeof b);
  demi_system_box(s, b.low, b.high, b.tilt, b.periodic);
  const dem_status status = demi_outgive(box, &b, sizeof b, BOX_V1);
  return status ? demi_system_refuse(s, status, "box: struct_size %u is not usable", box->struct_size) : DEM_OK;
}

/* ---- the new positions ---- */

typedef struct change {
  const demi_box *from, *to;
  int32_t affine;
} change;

static void map(const change *c, double position[3]) {
  double upright[3], old_edge[3], new_edge[3], step[3] = {0, 0, 0};
  demi_box_upright(c->from, position, upright);
  for (int a = 0; a < 3; a++) {
    if (!c->from->periodic[a]) continue;
    const double part = (upright[a] - c->from->low[a]) / demi_box_length(c->from, a);
    demi_box_edge(c->from, a, old_edge);
    demi_box_edge(c->to, a, new_edge);
    for (int k = 0; k <= a; k++) step[k] += part * (new_edge[k] - old_edge[k]);
    step[a] += c->to->low[a] - c->from->low[a];
  }
  for (int a = 0; a < 3; a++) position[a] += step[a];
}

/* Before the last wrap, so that a position that is too far away can still be told. */
static void move(const change *c, double position[3], int32_t image[3]) {
  if (c->affine) {
    map(c, position);
    return;
  }
  demi_box_wrap(c->from, position, image);
  demi_box_renumber(c->from, c->to, image);
}

static dem_status check_places(const dem_system *s, const change *c) {
  const double limit = demi_place_limit(s->smallest_radius);
  const demi_columns *rows = &s->store.columns;
  char text[DEMI_PLACE_TEXT];
  for (int64_t k = 0; k < s->store.count; k++) {
    double position[3];
    int32_t image[3];
    memcpy(position, rows->position + 4 * k, sizeof position);
    memcpy(image, rows->image + 3 * k, sizeof image);
    move(c, position, image);
    if (demi_place_flaw(c->to, limit, position, image, text))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box: particle %llu would get: %s", (unsigned long long)rows->id[k], text);
  }
  return DEM_OK;
}

/* In a box that moves a particle that is wrapped takes the velocity of its image. */
static void move_all(dem_system *s, const change *c) {
  const demi_columns *rows = &s->store.columns;
  for (int64_t k = 0; k < s->store.count; k++) {
    move(c, rows->position + 4 * k, rows->image + 3 * k);
    if (!demi_box_moves(s)) demi_box_wrap(c->to, rows->position + 4 * k, rows->image + 3 * k);
  }
  if (!c->affine) demi_bonds_renumber(&s->bonds, c->from, c->to);
  s->box = *c->to;
  demi_box_settle(s);
  demi_bonds_find_spans(&s->bonds, &s->store, c->to);
}

/* ---- the change ---- */

static dem_status take(const dem_system *s, const dem_box *given, demi_box *box) {
  dem_box b;
  char text[DEMI_BOX_TEXT];
  const dem_status status = demi_intake(&b, sizeof b, given, BOX_V1);
  if (status)
    return demi_system_refuse(s, status, "box: %s", demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, given, sizeof b, BOX_V1));
  for (int a = 0; a < 3; a++)
    if (b.periodic[a] != s->box.periodic[a])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box: periodic[%d] is %d, must stay %d as the system was created", a,
                                b.periodic[a], s->box.periodic[a]);
  *box = s->box;
  memcpy(box->low, b.low, sizeof b.low);
  memcpy(box->high, b.high, sizeof b.high);
  demi_box_set_tilt(box, b.tilt);
  return demi_box_flaw(box, text) ? demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s", text) : DEM_OK;
}

static dem_status check_change(const dem_system *s, const change *c) {
  if (c->affine != 0 && c->affine != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "box: affine is %d, allowed 0 or 1", c->affine);
  if (s->store.count == 0) return DEM_OK;
  const dem_status status = isfinite(demi_system_range(s)) ? demi_ready_check_heights(s, c->to) : DEM_OK;
  return status ? status : check_places(s, c);
}

dem_status demi_system_set_box(dem_system *s, const dem_box *box, int32_t affine) {
  demi_box to;
  dem_status status = take(s, box, &to);
  if (status) return status;
  const demi_box from = demi_box_flipped(&s->box);
  const change c = {&from, &to, affine};
  if ((status = check_change(s, &c)) != DEM_OK) return status;
  if ((status = demi_engine_set_contacts_aside(s)) != DEM_OK) return status;
  demi_box_settle(s); /* one that moves: flipped now, if it leaned too far */
  move_all(s, &c);
  return DEM_OK;
}

dem_status demi_system_strain_box(dem_system *s, const demi_box *to) {
  const demi_box from = demi_box_flipped(&s->box), flipped = demi_box_flipped(to);
  const change c = {&from, to, 1};
  dem_status status = s->store.count > 0 ? demi_ready_check_heights(s, &flipped) : DEM_OK;
  if (!status) status = check_places(s, &c);
  if (!status) status = demi_engine_set_contacts_aside(s);
  if (status) return status;
  demi_box_settle(s);
  move_all(s, &c);
  return DEM_OK;
}
