/* Random calls on twins (twins.h). Each is drawn once and goes to all of them; it returns the status, which is the same for all. */
#ifndef TESTS_CALLS_H
#define TESTS_CALLS_H

#include "fault/twins.h"

/* Makes one call on each `system` of the host h, whose number is k, and declares its `status`. */
#define EVERY(call)                                                                                                       \
  dem_status status = DEM_OK;                                                                                             \
  for (int k = 0; k < h->count; k++) {                                                                                    \
    dem_system *system = h->twin[k].system;                                                                               \
    const dem_status one = (call);                                                                                        \
    if (k > 0 && one != status) fail_msg("twin %d: %s, the first: %s", k, dem_status_name(one), dem_status_name(status)); \
    status = one;                                                                                                         \
    if (one) assert_true(strlen(dem_system_message(system)) > 0);                                                         \
  }

/* Random numbers within the dimensions of the system: a coordinate in the box or a little outside, a component of a vector, and one
 * of an axial vector, both in [-size, size); values of a field of three components for `count` particles. */
double draw_coordinate(host *h, int axis);
double draw_component(host *h, int axis, double size);
double draw_turning(host *h, int axis, double size);
void draw_field(host *h, int32_t field, double *v, int64_t count);

typedef dem_status call_fn(host *h);

call_fn call_add, call_chain, call_remove, call_thin, call_grow, call_stretch, call_set, call_shift, call_material, call_freeze;
call_fn call_wall;
call_fn call_type, call_bonds, call_neighbours, call_remove_bonds, call_replace_bonds, call_breaks;
call_fn call_view, call_step, call_until, call_setting, call_law, call_box;

/* Removes wall w of the host, with its share and its work. */
dem_status host_remove_wall(host *h, int w);

#endif
