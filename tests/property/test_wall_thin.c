/* Thin walls: closest points against a search over the surface, joints, rims, and plates in the plane and in periodic boxes. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"

static const double PI = 3.14159265358979323846, STIFFNESS = 1e5; /* the latter of scene_hooke */

/* ---- the closest point, found by search ---- */

/* The point of the surface for p, q in 0 ... 1 on its part k, in the frame of the shape; 0 = there is no such part. */
static int surface_point(const dem_wall *w, int k, double p, double q, double x[3]) {
  if (w->shape == DEM_WALL_PLATE) {
    for (int a = 0, edge = 0; a < 3; a++) x[a] = w->size[a] > 0 ? w->size[a] * ((edge++ ? q : p) - 0.5) : 0;
    return k == 0;
  }
  double line[16] = {0, 0, w->radius, 0};
  int32_t points = 2;
  if (w->shape == DEM_WALL_CONE || w->shape == DEM_WALL_CYLINDER) {
    const double ends[4] = {w->radius, -0.5 * w->length, w->shape == DEM_WALL_CONE ? w->end_radius : w->radius,
                            0.5 * w->length};
    memcpy(line, ends, sizeof ends);
  }
  if (w->shape == DEM_WALL_REVOLVED) {
    points = w->profile_points;
    memcpy(line, w->profile, sizeof line);
  }
  if (k + 1 >= points) return 0;
  const double *e = line + 2 * k, r = e[0] + p * (e[2] - e[0]), h = e[1] + p * (e[3] - e[1]);
  x[0] = r * cos(2 * PI * q);
  x[1] = r * sin(2 * PI * q);
  x[2] = h;
  return 1;
}

/* Ever finer lattices about the best point so far; `out`: from it to x, in the frame of the shape. */
static double search_part(const dem_wall *w, int k, const double x[3], double out[3]) {
  enum { N = 40 };
  double best = INFINITY, middle[2] = {0.5, 0.5}, wide = 0.5, y[3];
  for (int level = 0; level < 9; level++) {
    const double about[2] = {middle[0], middle[1]};
    for (int i = 0; i <= N * N + 2 * N; i++) {
      const double p = fmin(1, fmax(0, about[0] + wide * (2.0 * (i % (N + 1)) / N - 1)));
      const double q = about[1] + wide * (2.0 * (i / (N + 1)) / N - 1);
      if (!surface_point(w, k, p, w->shape == DEM_WALL_PLATE ? fmin(1, fmax(0, q)) : q, y)) return INFINITY;
      double square = 0;
      for (int a = 0; a < 3; a++) square += (x[a] - y[a]) * (x[a] - y[a]);
      if (square >= best) continue;
      best = square;
      middle[0] = p;
      middle[1] = q;
      for (int a = 0; a < 3; a++) out[a] = x[a] - y[a];
    }
    wide *= 0.12;
  }
  return sqrt(best);
}

static double search_surface(const dem_wall *w, const double x[3], double normal[3]) {
  double away[3], local[3], best = INFINITY, out[3] = {0, 0, 0}, part[3];
  for (int a = 0; a < 3; a++) away[a] = x[a] - w->position[a];
  quaternion_turn(w->rotation, away, 1, local);
  for (int k = 0; k < 7; k++) {
    const double distance = search_part(w, k, local, part);
    if (distance >= best) continue;
    best = distance;
    memcpy(out, part, sizeof out);
  }
  for (int a = 0; a < 3; a++) out[a] /= best;
  quaternion_turn(w->rotation, out, 0, normal);
  return best;
}

/* Contacts of a resting sphere of radius 1/2 put at x; how many. */
static int64_t touch(const dem_wall *wall, const double x[3], dem_contact c[8]) {
  world_options o = world_defaults();
  o.system.dt = 1e-9;
  world w;
  world_open(&w, &o);
  world_add_sphere(&w, 0.5, x, NULL, NULL);
  world_add_wall(&w, wall);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_OK(w.system, dem_system_check(w.system));
  const int64_t count = world_contacts(&w);
  assert_true(count <= 8);
  ASSERT_OK(w.system, dem_system_contacts(w.system, 8, c, sizeof *c));
  world_close(&w);
  return count;
}

static void thin_walls_have_the_closest_point(void **state) {
  (void)state;
  dice d = {5};
  int found[6] = {0};
  for (int k = 0; k < 900; k++) {
    const dem_wall wall = wall_random(&d, k);
    dem_contact c[8];
    double x[3], normal[3];
    const double far = k % 6 == 5 ? 3.2 : 1.6;
    for (int a = 0; a < 3; a++) x[a] = wall.position[a] + dice_uniform(&d, -far, far);
    const double distance = search_surface(&wall, x, normal);
    const int64_t count = touch(&wall, x, c);
    assert_true((count > 0) == (distance < 0.5));
    int64_t nearest = 0;
    for (int64_t i = 1; i < count; i++)
      if (c[i].overlap > c[nearest].overlap) nearest = i;
    if (count == 0) continue;
    ASSERT_ABS(c[nearest].overlap, 0.5 - distance, 1e-8);
    for (int a = 0; a < 3; a++) ASSERT_ABS(c[nearest].normal[a], normal[a], 1e-4); /* the search finds distances to 1e-8 */
    found[k % 6]++;
  }
  for (int k = 0; k < 6; k++) assert_true(found[k] > 15);
}

/* ---- joints ---- */

static double force_at(const dem_wall *wall, const double x[3], int64_t *count) {
  dem_contact c[8];
  double sum[3] = {0, 0, 0};
  *count = touch(wall, x, c);
  for (int64_t k = 0; k < *count; k++)
    for (int a = 0; a < 3; a++) sum[a] += c[k].overlap * c[k].normal[a];
  return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

/* A cylinder in three pieces is a cylinder: one contact everywhere, of the same overlap. */
static void straight_joints_are_not_felt(void **state) {
  (void)state;
  const double pieces[] = {2, -2, 2, -0.3, 2, 0.1, 2, 2};
  const dem_wall whole = wall_pipe(2, 4), cut = wall_revolved(4, pieces);
  int64_t one, many;
  for (int k = 0; k <= 100; k++) {
    const double x[3] = {0.6 * (k % 2 ? 1.55 : 2.45), 0.8 * (k % 2 ? 1.55 : 2.45), -1 + 0.02 * k};
    const double expected = force_at(&whole, x, &one), is = force_at(&cut, x, &many);
    assert_true(one == 1 && many == 1);
    ASSERT_ABS(is, expected, 1e-12);
  }
}

/* Round the edge between the cone and the outlet of a hopper, seen from the cone: one contact, of an overlap that is the distance
 * from the surface. In the corner between cylinder and cone: two. */
static void edges_act_once_and_corners_twice(void **state) {
  (void)state;
  const dem_wall wall = wall_hopper();
  const double outlet[2] = {-1, 0};
  int64_t count;
  for (int k = 0; k <= 200; k++) {
    /* from the normal of the outlet (towards the axis) to that of the cone (up and towards the axis), and beyond both */
    const double angle = -0.3 + 0.01 * k, length = 0.45;
    const double x[3] = {0.8 + length * (outlet[0] * cos(angle)), 0, -2 + length * sin(angle)};
    const double past_outlet = x[2] + 2, past_cone = ((x[0] - 0.8) * 1.8 + (x[2] + 2) * 2) / sqrt(1.8 * 1.8 + 4);
    double distance = length;
    if (past_outlet <= 0) distance = 0.8 - x[0];
    if (past_cone > 0) distance = fabs((x[2] + 2) * 1.8 - (x[0] - 0.8) * 2) / sqrt(1.8 * 1.8 + 4);
    const double is = force_at(&wall, x, &count);
    assert_int_equal(count, 1);
    ASSERT_ABS(is, 0.5 - distance, 1e-9);
  }
  const double corner[3] = {2.12, 0, 0.17};
  force_at(&wall, corner, &count);
  assert_int_equal(count, 2);
  const double above[3] = {2.12, 0, 0.6}, below[3] = {1.6, 0, -0.45};
  force_at(&wall, above, &count);
  assert_int_equal(count, 1);
  force_at(&wall, below, &count);
  assert_int_equal(count, 1);
}

/* A ring whose profile ends where it began has no rim. */
static void a_closed_profile_has_no_rim(void **state) {
  (void)state;
  const double profile[] = {2, 0, 3, 0, 3, 1, 2, 1, 2, 0};
  const dem_wall wall = wall_revolved(5, profile);
  int64_t count;
  for (int k = 0; k < 200; k++) {
    const double angle = 2 * PI * k / 200, x[3] = {0, 2.5 + 0.95 * cos(angle), 0.5 + 0.95 * sin(angle)};
    force_at(&wall, x, &count);
    assert_true(count <= 1);
  }
  force_at(&wall, (double[3]){0, 1.7, -0.3}, &count);
  assert_int_equal(count, 1);
}

/* ---- plates ---- */

/* In the plane a plate is a line segment, along a periodic axis an endless edge. */
static void plates_in_the_plane_and_in_periodic_boxes(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.dimension = 2;
  o.system.gravity[1] = -10;
  world w;
  double x[3];
  world_open(&w, &o);
  dem_wall wall = wall_plate(2, 0, 1);
  world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0.3, 0.5, 0}, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  world_read(&w, DEM_POSITION, x);
  ASSERT_ABS(x[1], 0.5 - 10 / STIFFNESS * (PI / 6) / (PI / 6), 2e-4);
  world_close(&w);
  o.system.dimension = 3;
  o.system.gravity[1] = 0;
  o.system.periodic[1] = 1;
  o.system.box_high[1] = 4;
  o.system.gravity[2] = -10;
  world_open(&w, &o);
  wall = wall_plate(2, INFINITY, 0);
  world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0.3, 3.9, 0.5}, (double[3]){0, 1, 0}, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  world_read(&w, DEM_POSITION, x);
  ASSERT_ABS(x[2], 0.5 - 1e-4, 1e-6);
  wall.size[1] = 4;
  ASSERT_STATUS(w.system, dem_system_add_wall(w.system, &wall, NULL), DEM_BAD_ARGUMENT);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thin_walls_have_the_closest_point),         cmocka_unit_test(straight_joints_are_not_felt),
      cmocka_unit_test(edges_act_once_and_corners_twice),          cmocka_unit_test(a_closed_profile_has_no_rim),
      cmocka_unit_test(plates_in_the_plane_and_in_periodic_boxes),
  };
  return cmocka_run_group_tests_name("wall thin", tests, NULL, NULL);
}
