/* A plane at the distance x from the centre cuts off
 *
 *   a sphere:  pi h^2 (3 R - h)/3,  h = R - x          a disc:  R^2 acos(x/R) - x sqrt(R^2 - x^2)
 *
 * Two that overlap meet in their radical plane, x_i = (r^2 + R_i^2 - R_j^2)/(2 r), x_j = r - x_i, and share what it cuts off of both.
 * For r <= |R_i - R_j| the smaller one lies within the larger one. */
#include "overlaps.h"

#include <math.h>

#define PI 3.14159265358979323846

static double clamp(double value, double low, double high) { return value < low ? low : (value > high ? high : value); }

double demi_overlap_of_plane(int dimension, double radius, double distance) {
  const double x = clamp(distance, -radius, radius), h = radius - x;
  if (dimension == 3) return PI / 3.0 * h * h * (3 * radius - h);
  return radius * radius * acos(clamp(x / radius, -1, 1)) - x * sqrt(clamp((radius - x) * (radius + x), 0, radius * radius));
}

double demi_overlap_of_pair(int dimension, double radius_i, double radius_j, double distance) {
  const double smaller = radius_i < radius_j ? radius_i : radius_j;
  if (distance >= radius_i + radius_j) return 0;
  if (distance <= fabs(radius_i - radius_j)) return demi_overlap_of_plane(dimension, smaller, -smaller);
  const double lean = (radius_i - radius_j) * (radius_i + radius_j) / distance;
  return demi_overlap_of_plane(dimension, radius_i, 0.5 * (distance + lean)) +
         demi_overlap_of_plane(dimension, radius_j, 0.5 * (distance - lean));
}
