/* Random calls on walls; see calls.h. */
#include "assertions.h"

#include "fault/calls.h"

static void direction(host *h, double *d) {
  const int axis = host_pick(h, h->options.dimension);
  double square = 0;
  memset(d, 0, 3 * sizeof *d);
  if (host_pick(h, 2)) {
    d[axis] = host_pick(h, 2) ? 1 : -1;
    return;
  }
  for (int a = 0; a < 3; a++) {
    d[a] = h->options.periodic[a] ? 0 : draw_component(h, a, 1);
    square += d[a] * d[a];
  }
  for (int a = 0; a < 3; a++) d[a] /= sqrt(square);
}

static void choose_thin(host *h, dem_wall *w) {
  if (w->shape == DEM_WALL_PLATE)
    for (int a = 0, zero = host_pick(h, h->options.dimension); a < 3; a++) w->size[a] = a == zero ? 0 : host_uniform(h, 0.5, 6);
  if (w->shape == DEM_WALL_PLATE) return;
  direction(h, w->axis);
  if (w->shape < DEM_WALL_REVOLVED) w->radius = host_uniform(h, 0.2, 4);
  if (w->shape == DEM_WALL_CONE)
    w->end_radius = host_pick(h, 3) ? host_uniform(h, 0.2, 4) : 0, w->length = host_uniform(h, 0.5, 6);
  if (w->shape != DEM_WALL_REVOLVED) return;
  w->profile_points = 2 + host_pick(h, 7);
  for (int k = 0; k < 2 * w->profile_points; k++)
    w->profile[k] = k % 2 ? 0.5 * k + host_uniform(h, -1, 1) : host_uniform(h, 0.2, 4);
}

static void choose_rotation(host *h, dem_wall *w) {
  const double angle = host_uniform(h, -3, 3);
  double axis[3] = {0, 0, 1};
  if (h->options.dimension == 3) direction(h, axis);
  w->rotation[0] = cos(angle);
  for (int a = 0; a < 3; a++) w->rotation[1 + a] = sin(angle) * axis[a];
}

static void choose_shape(host *h, dem_wall *w) {
  w->material = host_pick(h, MATERIALS);
  const int32_t *periodic = h->options.periodic;
  const int closed = periodic[0] || periodic[1] || periodic[2];
  w->shape = closed && host_pick(h, 8) ? DEM_WALL_PLANE : host_pick(h, h->options.dimension == 3 ? 7 : 4);
  for (int a = 0; a < 3; a++) w->position[a] = draw_coordinate(h, a);
  if (!closed && host_pick(h, 2)) choose_rotation(h, w);
  if (w->shape >= DEM_WALL_PLATE) {
    choose_thin(h, w);
    return;
  }
  if (w->shape != DEM_WALL_PLANE) w->side = host_pick(h, 2);
  if (w->shape == DEM_WALL_PLANE) direction(h, w->axis);
  for (int a = 0; a < 3 && w->shape == DEM_WALL_BOX; a++) w->size[a] = host_uniform(h, 0.5, 6);
  if (w->shape != DEM_WALL_CYLINDER) return;
  if (h->options.dimension == 2)
    w->axis[2] = 1;
  else
    direction(h, w->axis);
  w->radius = host_uniform(h, 0.2, 4);
  if (host_pick(h, 2)) w->length = host_uniform(h, 0.5, 6);
  w->open = w->length > 0 && w->side == DEM_WALL_INSIDE && h->options.dimension == 3 && host_pick(h, 2);
}

static void choose_driven(host *h, dem_wall *w) {
  for (int a = 0; a < 3; a++) {
    if (host_pick(h, 2)) w->velocity[a] = draw_component(h, a, 2);
    if (host_pick(h, 3) == 0) w->spin[a] = draw_turning(h, a, 5);
    if (host_pick(h, 3) == 0 && !h->plain_walls)
      w->amplitude[a] = draw_component(h, a, 0.3), w->frequency = h->options.dimension > a ? 20 : w->frequency;
  }
  if (w->frequency > 0) w->phase = host_uniform(h, 0, 6);
}

static void choose_motion(host *h, dem_wall *w) {
  w->motion = host_pick(h, h->plain_walls ? 3 : 4);
  if (host_pick(h, 2)) w->mass = host_uniform(h, 0.5, 20);
  if (w->motion == DEM_WALL_PRESCRIBED) choose_driven(h, w);
  if (w->motion == DEM_WALL_FREE && w->mass == 0 && host_pick(h, 8)) w->mass = 1;
  if (w->motion == DEM_WALL_FREE)
    for (int a = 0; a < h->options.dimension; a++) {
      w->free_axis[a] = host_pick(h, 2);
      if (w->free_axis[a] && host_pick(h, 2)) w->velocity[a] = draw_component(h, a, 2), w->force[a] = draw_component(h, a, 50);
    }
  if (w->motion != DEM_WALL_SERVO) return;
  direction(h, w->direction);
  w->target = host_uniform(h, -10, 200), w->area = host_pick(h, 2) ? 2.0 : 0.0;
  w->gain = host_uniform(h, 1e-4, 1e-2), w->velocity_limit = host_uniform(h, 0.1, 3);
  if (host_pick(h, 2)) w->travel_limit = host_uniform(h, 0.01, 1);
}

dem_status host_remove_wall(host *h, int w) {
  dem_energy_share share = share_fresh();
  dem_wall_state state[TWINS];
  ASSERT_OK(host_first(h), dem_system_energy_of_wall(host_first(h), h->wall[w], &share));
  for (int k = 0; k < h->count; k++) {
    dem_wall_state_init(&state[k], sizeof state[k]);
    ASSERT_OK(host_first(h), dem_system_wall_state(h->twin[k].system, h->wall[w], &state[k]));
  }
  EVERY(dem_system_remove_wall(system, h->wall[w]))
  if (status) return status;
  share_add(h->gone.walls, &share);
  for (int k = 0; k < h->count; k++) h->gone.work[k] += state[k].work;
  h->wall[w] = -1;
  return DEM_OK;
}

dem_status call_wall(host *h) {
  const int w = host_pick(h, WALLS);
  int32_t id = -1;
  if (h->wall[w] >= 0 && host_pick(h, 2)) return host_remove_wall(h, w);
  dem_wall *given = &h->given[w];
  if (h->wall[w] >= 0) {
    dem_wall motion;
    dem_wall_init(&motion, sizeof motion);
    choose_motion(h, &motion);
    EVERY(dem_system_set_wall_motion(system, h->wall[w], &motion))
    return status;
  }
  dem_wall_init(given, sizeof *given);
  choose_shape(h, given);
  choose_motion(h, given);
  EVERY(dem_system_add_wall(system, given, &id))
  if (!status) h->wall[w] = id;
  return status;
}
