/* The box: per axis periodic or open, and tilted as in LAMMPS.
 *
 * With the lengths l = high - low and the tilts xy, xz, yz, the edges from the corner `low` are
 *
 *   a = (lx, 0, 0)     b = (xy, ly, 0)     c = (xz, yz, lz)
 *
 * and the images of a position x are x + n_x a + n_y b + n_z c, with whole numbers n (0 on open axes). A tilt is 0 unless both axes that
 * it names are periodic, and at most half the length of the axis that is named first; round-off beyond half is allowed. A box that
 * deforms may lean further until it is flipped: its host is shown other edges of the same lattice (demi_box_shown).
 *
 * The upright coordinates u of x are those of the box with the tilt taken off, in lengths: (u - low)_k / l_k is the fractional
 * coordinate s_k along edge k, and x = low + s_x a + s_y b + s_z c. So a position is in the box when low_k <= u_k < high_k on all
 * periodic axes. Two opposite faces of axis k are l_k / |grad u_k| apart, the height of the box across them.
 *
 * Turns are taken off along z first, then y, then x: each then changes no coordinate that is already right. Without tilt, all of
 * this is done axis by axis. */
#ifndef DEMI_BOX_H
#define DEMI_BOX_H

#include <math.h>
#include <stdint.h>

typedef struct demi_box {
  double low[3], high[3];
  int32_t periodic[3];
  int32_t tilted; /* 1: one of the tilts is not 0 */
  double tilt[3]; /* xy, xz, yz */
} demi_box;

/* Places in `tilt`. */
enum { DEMI_TILT_XY = 0, DEMI_TILT_XZ = 1, DEMI_TILT_YZ = 2 };

static inline double demi_box_length(const demi_box *box, int axis) { return box->high[axis] - box->low[axis]; }
static inline double demi_box_volume(const demi_box *box) {
  return demi_box_length(box, 0) * demi_box_length(box, 1) * demi_box_length(box, 2);
}

/* Edge of an axis: a, b or c. */
static inline void demi_box_edge(const demi_box *box, int axis, double edge[3]) {
  edge[0] = axis == 0 ? demi_box_length(box, 0) : box->tilt[axis == 1 ? DEMI_TILT_XY : DEMI_TILT_XZ];
  edge[1] = axis == 1 ? demi_box_length(box, 1) : (axis == 2 ? box->tilt[DEMI_TILT_YZ] : 0.0);
  edge[2] = axis == 2 ? demi_box_length(box, 2) : 0.0;
}

/* Vector by which an image is displaced: n_x a + n_y b + n_z c. Turns of open axes count as 0. */
static inline void demi_box_image(const demi_box *box, const double turns[3], double vector[3]) {
  for (int a = 0; a < 3; a++) vector[a] = box->periodic[a] ? turns[a] * demi_box_length(box, a) : 0.0;
  if (!box->tilted) return;
  vector[0] += box->tilt[DEMI_TILT_XY] * turns[1] + box->tilt[DEMI_TILT_XZ] * turns[2];
  vector[1] += box->tilt[DEMI_TILT_YZ] * turns[2];
}

/* A box that deforms: dH/dt = L H, with H = (a b c) the edges and L the velocity gradient, upper triangular as H is:
 *
 *       xx xy xz              so that l_x' = L_xx l_x,   xy' = L_xx xy + L_xy l_y,   yz' = L_yy yz + L_yz l_z,
 *   L =    yy yz                      xz' = L_xx xz + L_xy yz + L_xz l_z
 *             zz
 *
 * The middle of the box stays where it is. rate: L_xx, L_yy, L_zz, L_xy, L_xz, L_yz [1/time], 0 for open axes. */
enum { DEMI_RATES = 6 };
/* Velocity of the image that is displaced by `vector`, relative to the particle: L vector. */
static inline void demi_box_image_velocity(const double rate[DEMI_RATES], const double vector[3], double velocity[3]) {
  velocity[0] = rate[0] * vector[0] + rate[3] * vector[1] + rate[4] * vector[2];
  velocity[1] = rate[1] * vector[1] + rate[5] * vector[2];
  velocity[2] = rate[2] * vector[2];
}
/* The box after `duration` at constant rates: H(t + h) = exp(L h) H(t). */
void demi_box_deform(demi_box *box, const double rate[DEMI_RATES], double duration);

/* The gradient of the upright coordinate of an axis. */
void demi_box_gradient(const demi_box *box, int axis, double gradient[3]);
/* Distance between the two opposite faces of an axis. */
double demi_box_height(const demi_box *box, int axis);

/* Upright coordinates of a position: the position itself in a box without tilt. */
void demi_box_upright_tilted(const demi_box *box, const double position[3], double upright[3]);
static inline void demi_box_upright(const demi_box *box, const double position[3], double upright[3]) {
  for (int a = 0; a < 3; a++) upright[a] = position[a];
  if (box->tilted) demi_box_upright_tilted(box, position, upright);
}

/* Takes whole lengths off x until it is in [start, start + length); returns how many. */
static inline double demi_box_reduce(double start, double end, double *x) {
  const double length = end - start;
  double turns = floor((*x - start) / length), y = *x - turns * length;
  if (y < start) y = start;
  if (y >= end) { /* rounded up onto the seam: that is the next image's low side */
    y = start;
    turns += 1;
  }
  *x = y;
  return turns;
}

/* Counts turns into an image count, clamped to the range of its type, even for a particle that is very far away. */
static inline void demi_box_count(double turns, int32_t *image) {
  const double sum = *image + turns;
  *image = sum > INT32_MAX ? INT32_MAX : (sum < INT32_MIN ? INT32_MIN : (int32_t)sum);
}

/* Wraps a position into the box and counts the edges taken off into image[3]. */
void demi_box_wrap_tilted(const demi_box *box, double position[3], int32_t image[3]);
static inline void demi_box_wrap(const demi_box *box, double position[3], int32_t image[3]) {
  for (int a = 0; a < 3 && !box->tilted; a++) {
    double *x = &position[a];
    if (!box->periodic[a] || (*x >= box->low[a] && *x < box->high[a])) continue;
    demi_box_count(demi_box_reduce(box->low[a], box->high[a], x), &image[a]);
  }
  if (box->tilted) demi_box_wrap_tilted(box, position, image);
}

/* Turns the difference of two positions into the shortest of those between their images, and returns the turns taken off. This is
 * exact in any box, however thin and tilted. */
void demi_box_nearest_tilted(const demi_box *box, double difference[3], double turns[3]);
static inline void demi_box_nearest_turns(const demi_box *box, double difference[3], double turns[3]) {
  for (int a = 0; a < 3 && !box->tilted; a++) {
    const double length = demi_box_length(box, a);
    turns[a] = box->periodic[a] ? round(difference[a] / length) : 0.0;
    if (box->periodic[a]) difference[a] -= length * turns[a];
  }
  if (box->tilted) demi_box_nearest_tilted(box, difference, turns);
}
static inline void demi_box_nearest(const demi_box *box, double difference[3]) {
  double unused[3];
  demi_box_nearest_turns(box, difference, unused);
}

/* Image counts of `to` for those of `from`, where the edges of `to` are others of (nearly) the same lattice: the sums of edges that
 * are nearest to the old edges take their places. Exact when the tilt changes by whole lengths; nothing when it changes little. */
void demi_box_renumber(const demi_box *from, const demi_box *to, int32_t image[3]);
/* The box of the same lattice with tilts of at most half a length. */
demi_box demi_box_flipped(const demi_box *box);

/* The largest tilt in lengths: half, and round-off, as a length is itself the difference of two numbers. */
static const double DEMI_MOST_TILT = 0.5 * (1.0 + 1e-12);
/* 1: some tilt is larger. */
static inline int demi_box_leans(const demi_box *box) {
  const double lx = DEMI_MOST_TILT * demi_box_length(box, 0), *t = box->tilt;
  return box->tilted && (fabs(t[DEMI_TILT_XY]) > lx || fabs(t[DEMI_TILT_XZ]) > lx ||
                         fabs(t[DEMI_TILT_YZ]) > DEMI_MOST_TILT * demi_box_length(box, 1));
}
/* The box as a host is to see it: flipped into `room` if it leans too far, else itself. */
static inline const demi_box *demi_box_shown(const demi_box *box, demi_box *room) {
  if (!demi_box_leans(box)) return box;
  *room = demi_box_flipped(box);
  return room;
}

/* Sets the tilt, and `tilted` after it. */
void demi_box_set_tilt(demi_box *box, const double tilt[3]);

enum { DEMI_BOX_TEXT = 256 };
/* NULL when corners and tilt are allowed, else the first item that is not, with its value and limit. */
const char *demi_box_flaw(const demi_box *box, char text[DEMI_BOX_TEXT]);

#endif
