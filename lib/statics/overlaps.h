/* Volumes that overlapping spheres (discs) share. */
#ifndef DEMI_OVERLAPS_H
#define DEMI_OVERLAPS_H

/* Of two with these radii whose centres are `distance` apart. */
double demi_overlap_of_pair(int dimension, double radius_i, double radius_j, double distance);
/* Cut off by a plane that is `distance` away from the centre. */
double demi_overlap_of_plane(int dimension, double radius, double distance);

#endif
