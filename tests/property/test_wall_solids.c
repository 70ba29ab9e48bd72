/* Planes, boxes and cylinders: a box against six planes, closest points against their formulas, and a sphere in a smooth bore. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"
#include "scenes/snapshot.h"

static const double PI = 3.14159265358979323846, STIFFNESS = 1e5; /* the latter of scene_hooke */

/* A box from inside is six planes: the same bits. */
static void inner_box_is_six_planes(void **state) {
  (void)state;
  const double centre[3] = {0.1, -0.2, 0.3}, size[3] = {4.2, 4.3, 4.4};
  world_options o = world_defaults();
  o.system.gravity[2] = -10;
  world a, b;
  world_open(&a, &o);
  world_open(&b, &o);
  world_add_cloud(&a, 4, 1.9, 2);
  world_add_cloud(&b, 4, 1.9, 2);
  dem_wall whole = wall_box(DEM_WALL_INSIDE, size[0], size[1], size[2]);
  memcpy(whole.position, centre, sizeof centre);
  const int32_t id = world_add_wall(&a, &whole);
  double planes_force[3] = {0, 0, 0}, f[3];
  for (int k = 0; k < 6; k++) {
    double p[3] = {centre[0], centre[1], centre[2]}, n[3] = {0, 0, 0};
    n[k / 2] = k % 2 ? -1 : 1;
    p[k / 2] -= n[k / 2] * 0.5 * size[k / 2];
    ASSERT_OK(b.system, scene_add_plane(b.system, 0, p, n));
  }
  ASSERT_OK(a.system, dem_system_step(a.system, 6000));
  ASSERT_OK(b.system, dem_system_step(b.system, 6000));
  snapshot sa, sb;
  snapshot_take(&sa, a.system);
  snapshot_take(&sb, b.system);
  snapshot_assert_same_bits(&sa, &sb);
  snapshot_free(&sa);
  snapshot_free(&sb);
  for (int32_t k = 0; k < 6; k++) {
    ASSERT_OK(b.system, scene_wall_force(b.system, k, f));
    for (int c = 0; c < 3; c++) planes_force[c] += f[c];
  }
  ASSERT_OK(a.system, scene_wall_force(a.system, id, f));
  assert_true(f[2] < 0);
  for (int c = 0; c < 3; c++) ASSERT_ABS(f[c], planes_force[c], 1e-12 * fabs(f[2]));
  world_close(&a);
  world_close(&b);
}

/* Overlap and normal of the only contact of a resting sphere of radius 1/2 put at x; 0 when there is none. */
static int touch(const dem_wall *wall, const double x[3], dem_contact *c) {
  world_options o = world_defaults();
  o.system.dt = 1e-9;
  world w;
  world_open(&w, &o);
  world_add_sphere(&w, 0.5, x, NULL, NULL);
  const int32_t id = world_add_wall(&w, wall);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  const int64_t count = world_contacts(&w);
  assert_true(count <= 1);
  if (count) ASSERT_OK(w.system, dem_system_contacts(w.system, count, c, sizeof *c));
  if (count) assert_int_equal(c->wall, id);
  world_close(&w);
  return (int)count;
}

/* Against the nearest of the points of the surface, whose formula is: clamp. The step moves nothing by more than 1e-12. */
static void assert_nearest(const dem_wall *wall, const double x[3], const double nearest[3]) {
  dem_contact c;
  double n[3], square = 0;
  for (int a = 0; a < 3; a++) {
    n[a] = x[a] - nearest[a];
    square += n[a] * n[a];
  }
  const double distance = sqrt(square);
  const int touches = touch(wall, x, &c);
  assert_int_equal(touches, distance < 0.5);
  if (!touches) return;
  ASSERT_ABS(c.overlap, 0.5 - distance, 1e-9);
  for (int a = 0; a < 3; a++) ASSERT_ABS(c.normal[a], n[a] / distance, 1e-9);
}

static double clamp(double x, double limit) { return fmax(-limit, fmin(limit, x)); }

/* Faces, edges and corners of a box from outside. */
static void outer_box_has_the_closest_point(void **state) {
  (void)state;
  const dem_wall wall = wall_box(DEM_WALL_OUTSIDE, 2, 3, 4);
  dice d = {5};
  int found = 0;
  for (int k = 0; k < 150; k++) {
    const double x[3] = {dice_uniform(&d, -1.5, 1.5), dice_uniform(&d, -2, 2), dice_uniform(&d, -2.5, 2.5)};
    const double nearest[3] = {clamp(x[0], 1), clamp(x[1], 1.5), clamp(x[2], 2)};
    if (nearest[0] == x[0] && nearest[1] == x[1] && nearest[2] == x[2]) continue;
    assert_nearest(&wall, x, nearest);
    found++;
  }
  assert_true(found > 60);
}

/* Mantle, ends and edges of a cylinder from outside. */
static void outer_cylinder_has_the_closest_point(void **state) {
  (void)state;
  const dem_wall wall = wall_drum(DEM_WALL_OUTSIDE, 1.2, 3);
  dice d = {6};
  int found = 0;
  for (int k = 0; k < 150; k++) {
    const double x[3] = {dice_uniform(&d, -1.7, 1.7), dice_uniform(&d, -2, 2), dice_uniform(&d, -1.7, 1.7)};
    const double rho = sqrt(x[0] * x[0] + x[2] * x[2]), scale = fmin(1.2, rho) / rho;
    const double nearest[3] = {scale * x[0], clamp(x[1], 1.5), scale * x[2]};
    if (rho < 1.2 && fabs(x[1]) < 1.5) continue;
    assert_nearest(&wall, x, nearest);
    found++;
  }
  assert_true(found > 60);
}

/* A centre inside belongs to the nearest face: overlap 1/2 + depth, normal outwards. */
static void centres_inside_leave_by_the_nearest_face(void **state) {
  (void)state;
  dem_contact c;
  const dem_wall cube = wall_box(DEM_WALL_OUTSIDE, 2, 3, 4), rod = wall_drum(DEM_WALL_OUTSIDE, 1.2, 3);
  assert_true(touch(&cube, (double[3]){0.3, 1.4, 0}, &c));
  ASSERT_ABS(c.overlap, 0.6, 1e-9);
  ASSERT_ABS(c.normal[1], 1, 1e-9);
  assert_true(touch(&cube, (double[3]){-0.9, 1.2, 0.2}, &c));
  ASSERT_ABS(c.overlap, 0.6, 1e-9);
  ASSERT_ABS(c.normal[0], -1, 1e-9);
  assert_true(touch(&rod, (double[3]){0.6, 0.1, 0.8}, &c));
  ASSERT_ABS(c.overlap, 0.7, 1e-9);
  ASSERT_ABS(c.normal[0], 0.6, 1e-9);
  ASSERT_ABS(c.normal[2], 0.8, 1e-9);
  assert_true(touch(&rod, (double[3]){0.2, -1.4, 0}, &c));
  ASSERT_ABS(c.overlap, 0.6, 1e-9);
  ASSERT_ABS(c.normal[1], -1, 1e-9);
}

/* On the axis every point of the mantle is as near as any other: the normal is one of them, of length 1 and across the axis. Where the
 * coordinates are thousands, a step moves the sphere by less than they resolve, so that it stays on the axis. */
static void a_centre_on_the_axis_leaves_across_it(void **state) {
  (void)state;
  static const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.36, 0.48, 0.8}, {0.8, -0.6, 0}, {-0.8, 0, 0.6}};
  const double far[3] = {4096, -4096, 4096};
  for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
    dem_wall rod = wall_drum(DEM_WALL_OUTSIDE, 0.3, 8);
    dem_contact c;
    memcpy(rod.axis, axes[k], sizeof rod.axis);
    memcpy(rod.position, far, sizeof rod.position);
    assert_true(touch(&rod, far, &c));
    const double *n = c.normal, *u = axes[k];
    ASSERT_ABS(c.overlap, 0.8, 1e-14);
    ASSERT_ABS(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-14);
    ASSERT_ABS(n[0] * u[0] + n[1] * u[1] + n[2] * u[2], 0, 1e-14);
  }
}

/* From inside: the mantle, the lids, and both in a corner. */
static void inner_cylinder_has_lids(void **state) {
  (void)state;
  dem_contact c[3];
  world_options o = world_defaults();
  o.system.dt = 1e-9;
  world w;
  world_open(&w, &o);
  const dem_wall wall = wall_drum(DEM_WALL_INSIDE, 2, 6);
  const int32_t id = world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){1.2, 2.7, 1.0}, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  assert_int_equal(world_contacts(&w), 2);
  ASSERT_OK(w.system, dem_system_contacts(w.system, 3, c, sizeof *c));
  const double rho = sqrt(1.2 * 1.2 + 1.0);
  ASSERT_ABS(c[0].overlap, 0.5 - (2 - rho), 1e-9);
  ASSERT_ABS(c[0].normal[0], -1.2 / rho, 1e-9);
  ASSERT_ABS(c[0].normal[2], -1.0 / rho, 1e-9);
  ASSERT_ABS(c[1].overlap, 0.2, 1e-9);
  ASSERT_ABS(c[1].normal[1], -1, 1e-9);
  assert_true(c[0].wall == id && c[1].wall == id);
  world_close(&w);
}

/* In a smooth horizontal bore a sphere is a pendulum of length L = R - r + d, d = m g/k; for an amplitude of 0.01 its period is
 * 2 pi sqrt(L/g) to 0.01^2/16, and the wall gives by a 1e-4th of d more or less. */
static void smooth_bore_is_a_pendulum(void **state) {
  (void)state;
  const double g = 10, sag = g / STIFFNESS, length = 3 - 0.5 + sag, angle = 0.01, period = 2 * PI * sqrt(length / g);
  world_options o = world_defaults();
  scene_smooth_hooke(&o.law);
  o.system.gravity[2] = -g;
  world w;
  double x[3];
  world_open(&w, &o);
  const dem_wall wall = wall_drum(DEM_WALL_INSIDE, 3, 0);
  world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){length * sin(angle), 0, -length * cos(angle)}, NULL, NULL);
  for (int quarter = 1; quarter <= 12; quarter++) {
    ASSERT_OK(w.system, dem_system_run_until(w.system, 0.25 * quarter * period));
    world_read(&w, DEM_POSITION, x);
    /* phase error after three periods: 6 pi 1e-4/16 */
    ASSERT_ABS(x[0], length * angle * cos(0.5 * PI * quarter), 1e-3 * length * angle);
    ASSERT_ABS(sqrt(x[0] * x[0] + x[2] * x[2]), length, 1e-6);
    if (quarter > 1) world_assert_closed(&w, "pendulum"); /* the largest account is met at the bottom */
    if (quarter == 1) world_energy(&w);
  }
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inner_box_is_six_planes),
      cmocka_unit_test(outer_box_has_the_closest_point),
      cmocka_unit_test(outer_cylinder_has_the_closest_point),
      cmocka_unit_test(centres_inside_leave_by_the_nearest_face),
      cmocka_unit_test(a_centre_on_the_axis_leaves_across_it),
      cmocka_unit_test(inner_cylinder_has_lids),
      cmocka_unit_test(smooth_bore_is_a_pendulum),
  };
  return cmocka_run_group_tests_name("wall solids", tests, NULL, NULL);
}
