/* The box: per axis periodic or open. */
#ifndef DEMI_BOX_H
#define DEMI_BOX_H

#include <math.h>
#include <stdint.h>

typedef struct demi_box {
  double low[3], high[3];
  int32_t periodic[3];
} demi_box;

static inline double demi_box_length(const demi_box *box, int axis) { return box->high[axis] - box->low[axis]; }

/* Volume of the box, in 2 dimensions the area; 0 where an axis is open. */
static inline double demi_box_volume(const demi_box *box, int32_t dimension) {
  double volume = 1;
  for (int axis = 0; axis < dimension; axis++) volume *= box->periodic[axis] ? demi_box_length(box, axis) : 0;
  return volume;
}

/* A difference of two positions along an axis, of the nearest images. */
static inline double demi_box_nearest(const demi_box *box, int axis, double difference) {
  const double length = demi_box_length(box, axis);
  return box->periodic[axis] ? difference - length * round(difference / length) : difference;
}

/* Wraps x into [low, high) on a periodic axis and counts the lengths taken off into *image. */
static inline double demi_box_wrap(const demi_box *box, int axis, double x, int32_t *image) {
  if (!box->periodic[axis] || (x >= box->low[axis] && x < box->high[axis])) return x;
  const double length = demi_box_length(box, axis);
  double turns = floor((x - box->low[axis]) / length), y = x - turns * length;
  if (y < box->low[axis]) y = box->low[axis];
  if (y >= box->high[axis]) { /* rounded up onto the seam: that is the next image's low side */
    y = box->low[axis];
    turns += 1;
  }
  const double sum = *image + turns; /* clamped to the range of its type, even for a particle that is very far away */
  *image = sum > INT32_MAX ? INT32_MAX : (sum < INT32_MIN ? INT32_MIN : (int32_t)sum);
  return y;
}

#endif
