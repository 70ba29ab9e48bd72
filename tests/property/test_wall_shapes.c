/* Thin and turned walls: closest points against a search over the surface, turned walls against turned worlds, joints, rims,
 * closed forms in a cone, lists, and books that close under every scheme. */
#include "assertions.h"

#include <stdio.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

static const double PI = 3.14159265358979323846;
static const double BOUND = 1e-12; /* of the largest account: see test_ledger.c */
static const double STIFFNESS = 1e5;

/* ---- worlds ---- */

typedef struct world {
  dem_context *context;
  dem_system *system;
} world;

static void default_options(dem_system_options *o) {
  dem_system_options_init(o, sizeof *o);
  o->dt = 1e-4;
  o->ledger = 1;
}

static void world_open(world *w, const dem_system_options *o, const char *integrator, const dem_law_options *law) {
  dem_law_options hooke;
  dem_material m;
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  assert_int_equal(dem_system_create(w->context, o, &w->system), DEM_OK);
  if (integrator) ASSERT_OK(w->system, dem_system_set_integrator_name(w->system, integrator));
  dem_material_init(&m, sizeof m);
  m.young = 1e6;
  ASSERT_OK(w->system, dem_system_add_material(w->system, &m, NULL));
  scene_hooke(&hooke);
  ASSERT_OK(w->system, scene_set_law(w->context, w->system, 0, 0, law ? law : &hooke));
}

static void world_close(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static void frictionless(dem_law_options *law) {
  scene_hooke(law);
  law->damping = law->tangential_damping = DEM_DAMPING_NONE;
  law->tangential = DEM_TANGENTIAL_NONE;
}

static dem_id put(world *w, const double x[3], const double v[3], double radius) {
  rows r;
  dem_id id;
  assert_int_equal(rows_create(&r, 1), 0);
  const int64_t row = rows_put(&r, x[0], x[1], x[2], radius);
  if (v) rows_velocity(&r, row, v[0], v[1], v[2]);
  ASSERT_OK(w->system, rows_add(&r, w->system, &id));
  rows_destroy(&r);
  return id;
}

/* n by n by n spheres of mixed sizes about the origin, in reach of `half`. */
static void fill(world *w, int n, double half, double speed) {
  rows r;
  dice d = {77};
  assert_int_equal(rows_create(&r, (int64_t)n * n * n), 0);
  for (int i = 0; i < n * n * n; i++) {
    const int at[3] = {i % n, i / n % n, i / n / n};
    double x[3], v[6];
    for (int a = 0; a < 3; a++) x[a] = half * ((2.0 * at[a] + 1.0) / n - 1.0) + dice_uniform(&d, -0.02, 0.02);
    for (int a = 0; a < 6; a++) v[a] = dice_uniform(&d, -speed, speed);
    const int64_t row = rows_put(&r, x[0], x[1], x[2], dice_uniform(&d, 0.3, 0.45));
    rows_velocity(&r, row, v[0], v[1], v[2]);
    rows_spin(&r, row, v[3], v[4], v[5]);
  }
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  rows_destroy(&r);
}

static int32_t add(world *w, const dem_wall *wall) {
  int32_t id = -1;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, wall, &id));
  return id;
}

static dem_wall_state look(const world *w, int32_t id) {
  dem_wall_state s;
  dem_wall_state_init(&s, sizeof s);
  ASSERT_OK(w->system, dem_system_wall_state(w->system, id, &s));
  return s;
}

static dem_energy books(const world *w) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e;
}

static void read3(const world *w, int32_t field, double *out) {
  ASSERT_OK(w->system, dem_system_get_field(w->system, field, 1, NULL, out, 0));
}

/* ---- shapes ---- */

static dem_wall shape(int32_t kind) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.shape = kind;
  if (kind != DEM_WALL_BOX && kind != DEM_WALL_PLATE) w.axis[2] = 1;
  return w;
}

static dem_wall plate(double x, double y, double z) {
  dem_wall w = shape(DEM_WALL_PLATE);
  w.size[0] = x;
  w.size[1] = y;
  w.size[2] = z;
  return w;
}

static dem_wall disc(double radius) {
  dem_wall w = shape(DEM_WALL_DISC);
  w.radius = radius;
  return w;
}

static dem_wall cone(double radius, double end_radius, double length) {
  dem_wall w = shape(DEM_WALL_CONE);
  w.radius = radius;
  w.end_radius = end_radius;
  w.length = length;
  return w;
}

static dem_wall pipe(double radius, double length) {
  dem_wall w = shape(DEM_WALL_CYLINDER);
  w.radius = radius;
  w.length = length;
  w.open = 1;
  return w;
}

static dem_wall revolved(int32_t points, const double *profile) {
  dem_wall w = shape(DEM_WALL_REVOLVED);
  w.profile_points = points;
  memcpy(w.profile, profile, 2 * (size_t)points * sizeof *profile);
  return w;
}

/* A cylinder, a cone and an outlet. */
static dem_wall hopper(void) {
  const double profile[] = {0.8, -3, 0.8, -2, 2.6, 0, 2.6, 3};
  return revolved(4, profile);
}

static void quaternion(double angle, double x, double y, double z, double q[4]) {
  const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z), parts[4] = {cos(0.5 * angle), s * x, s * y, s * z};
  memcpy(q, parts, sizeof parts);
}

static void random_turn(dice *d, double q[4]) {
  quaternion(dice_uniform(d, -3, 3), dice_uniform(d, -1, 1), dice_uniform(d, -1, 1), dice_uniform(d, 0.1, 1), q);
}

/* q v q*, v turned back when `back`. */
static void turn(const double q[4], const double v[3], int back, double out[3]) {
  const double s = back ? -1.0 : 1.0, u[3] = {s * q[1], s * q[2], s * q[3]};
  double c[3];
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, e = (a + 2) % 3;
    c[a] = 2 * (u[b] * v[e] - u[e] * v[b]);
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, e = (a + 2) % 3;
    out[a] = v[a] + q[0] * c[a] + u[b] * c[e] - u[e] * c[b];
  }
}

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
  turn(w->rotation, away, 1, local);
  for (int k = 0; k < 7; k++) {
    const double distance = search_part(w, k, local, part);
    if (distance >= best) continue;
    best = distance;
    memcpy(out, part, sizeof out);
  }
  for (int a = 0; a < 3; a++) out[a] /= best;
  turn(w->rotation, out, 0, normal);
  return best;
}

/* Contacts of a resting sphere of radius 1/2 put at x; how many. */
static int64_t touch(const dem_wall *wall, const double x[3], dem_contact c[8]) {
  dem_system_options o;
  default_options(&o);
  o.dt = 1e-9;
  world w;
  int64_t count = 0;
  world_open(&w, &o, NULL, NULL);
  put(&w, x, NULL, 0.5);
  add(&w, wall);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_OK(w.system, dem_system_check(w.system));
  ASSERT_OK(w.system, dem_system_contact_count(w.system, &count));
  assert_true(count <= 8);
  ASSERT_OK(w.system, dem_system_contacts(w.system, 8, c, sizeof *c));
  world_close(&w);
  return count;
}

static dem_wall random_shape(dice *d, int k) {
  const double a = dice_uniform(d, 0.5, 2), b = dice_uniform(d, 0.5, 2), c = dice_uniform(d, 0.5, 2);
  dem_wall w = k % 6 == 0 ? plate(a, k % 4 ? b : 0, k % 4 ? 0 : c) : k % 6 == 1 ? disc(a) : cone(a, b, c);
  if (k % 6 == 3) w = cone(k % 4 ? 0 : a, k % 4 ? b : 0, c);
  if (k % 6 == 4) w = pipe(a, c);
  if (k % 6 == 5) w = hopper();
  for (int i = 0; i < 3; i++) w.position[i] = dice_uniform(d, -1, 1);
  random_turn(d, w.rotation);
  return w;
}

static void thin_walls_have_the_closest_point(void **state) {
  (void)state;
  dice d = {5};
  int found[6] = {0};
  for (int k = 0; k < 900; k++) {
    const dem_wall wall = random_shape(&d, k);
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

/* ---- turned walls ---- */

/* A world seen in a turned frame is the same world: to what rounding grows to. */
static void turned_walls_are_turned_worlds(void **state) {
  (void)state;
  static const double down[3] = {1, -2, -10};
  for (int k = 0; k < 7; k++) {
    world plain, turned;
    double q[4], x[3], y[3], z[3], v[3], back[3];
    dem_system_options o;
    quaternion(0.7 + k, 1, -2, 0.5 * k, q);
    default_options(&o);
    memcpy(o.gravity, down, sizeof down);
    world_open(&plain, &o, NULL, NULL);
    turn(q, down, 0, o.gravity);
    world_open(&turned, &o, NULL, NULL);
    dem_wall wall = k == 0 ? plate(3, 2, 0) : k == 1 ? disc(1.5) : k == 2 ? cone(0.4, 2, 1.5) : hopper();
    if (k > 3) wall = shape(k == 4 ? DEM_WALL_PLANE : k == 5 ? DEM_WALL_BOX : DEM_WALL_CYLINDER);
    if (k == 5)
      for (int a = 0; a < 3; a++) wall.size[a] = 3 + a;
    if (k == 6) wall.radius = 2;
    if (k == 6) wall.length = 4;
    const double start[3] = {0.3, 0.2, k == 4 ? 0.6 : 0.7}, speed[3] = {0.5, -0.3, -2};
    put(&plain, start, speed, 0.5);
    turn(q, start, 0, x);
    turn(q, speed, 0, v);
    put(&turned, x, v, 0.5);
    add(&plain, &wall);
    memcpy(wall.rotation, q, sizeof q);
    const int32_t id = add(&turned, &wall);
    for (int a = 0; a < 4; a++) ASSERT_ABS(look(&turned, id).rotation[a], q[a], 0);
    ASSERT_OK(plain.system, dem_system_step(plain.system, 8000));
    ASSERT_OK(turned.system, dem_system_step(turned.system, 8000));
    read3(&plain, DEM_POSITION, x);
    read3(&turned, DEM_POSITION, y);
    turn(q, x, 0, z);
    for (int a = 0; a < 3; a++) ASSERT_ABS(y[a], z[a], 1e-10);
    read3(&turned, DEM_VELOCITY, v);
    turn(q, v, 1, back);
    read3(&plain, DEM_VELOCITY, v);
    for (int a = 0; a < 3; a++) ASSERT_ABS(back[a], v[a], 1e-8);
    assert_true(books(&plain).sliding[1] > 0);
    world_close(&plain);
    world_close(&turned);
  }
}

/* However it is moved: a plane that is described along z and turned to x is one described along x, a box of swapped edges that is
 * turned by a quarter the box itself. */
static void rotation_goes_with_every_motion(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const double start[3] = {0.9, 0.1, 0.2}, speed[3] = {-2, 0.3, 0.5};
    world plain, turned;
    double x[3], y[3];
    dem_system_options o;
    default_options(&o);
    dem_wall wall = shape(k < 4 ? DEM_WALL_PLANE : DEM_WALL_BOX), other = wall;
    if (k < 4) {
      wall.axis[0] = 1;
      wall.axis[2] = 0;
      quaternion(0.5 * PI, 0, 1, 0, other.rotation);
    } else {
      wall.side = other.side = DEM_WALL_OUTSIDE;
      for (int a = 0; a < 3; a++) wall.size[a] = other.size[a == 2 ? 2 : 1 - a] = 0.5 + 0.25 * a;
      quaternion(0.5 * PI, 0, 0, 1, other.rotation);
    }
    wall.motion = k % 4;
    if (wall.motion == DEM_WALL_PRESCRIBED) wall.velocity[0] = 0.5, wall.spin[1] = 1;
    if (wall.motion == DEM_WALL_FREE) wall.free_axis[0] = 1, wall.mass = 3;
    if (wall.motion == DEM_WALL_SERVO) wall.direction[0] = 1, wall.target = 20, wall.gain = 1e-3, wall.velocity_limit = 1;
    const size_t from = offsetof(dem_wall, velocity);
    memcpy((char *)&other + from, (char *)&wall + from, offsetof(dem_wall, rotation) - from);
    memcpy(other.free_axis, wall.free_axis, sizeof wall.free_axis);
    other.motion = wall.motion;
    world_open(&plain, &o, NULL, NULL);
    world_open(&turned, &o, NULL, NULL);
    put(&plain, start, speed, 0.5);
    put(&turned, start, speed, 0.5);
    const int32_t a = add(&plain, &wall), b = add(&turned, &other);
    ASSERT_OK(plain.system, dem_system_step(plain.system, 3000));
    ASSERT_OK(turned.system, dem_system_step(turned.system, 3000));
    read3(&plain, DEM_POSITION, x);
    read3(&turned, DEM_POSITION, y);
    for (int c = 0; c < 3; c++) ASSERT_ABS(y[c], x[c], 1e-10);
    for (int c = 0; c < 3; c++) ASSERT_ABS(look(&turned, b).position[c], look(&plain, a).position[c], 1e-10);
    assert_true(books(&plain).damping_normal[1] > 0);
    ASSERT_BELOW(books(&turned).residual_relative, BOUND);
    world_close(&plain);
    world_close(&turned);
  }
}

/* A box added with a rotation is the box that was turned and stopped, and a spin goes on from there. */
static void rotation_is_where_a_spin_starts(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  world w;
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = shape(DEM_WALL_BOX);
  for (int a = 0; a < 3; a++) wall.size[a] = 1 + a;
  quaternion(0.3, 0, 0, 1, wall.rotation);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[2] = 2;
  const int32_t id = add(&w, &wall);
  ASSERT_OK(w.system, dem_system_step(w.system, 2000));
  ASSERT_ABS(look(&w, id).rotation[0], cos(0.35), 1e-12);
  ASSERT_ABS(look(&w, id).rotation[3], sin(0.35), 1e-12);
  dem_wall_init(&wall, sizeof wall);
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &wall));
  ASSERT_OK(w.system, dem_system_step(w.system, 10));
  ASSERT_ABS(look(&w, id).rotation[3], sin(0.35), 1e-12);
  world_close(&w);
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
  const dem_wall whole = pipe(2, 4), cut = revolved(4, pieces);
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
  const dem_wall wall = hopper();
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
  const dem_wall wall = revolved(5, profile);
  int64_t count;
  for (int k = 0; k < 200; k++) {
    const double angle = 2 * PI * k / 200, x[3] = {0, 2.5 + 0.95 * cos(angle), 0.5 + 0.95 * sin(angle)};
    force_at(&wall, x, &count);
    assert_true(count <= 1);
  }
  force_at(&wall, (double[3]){0, 1.7, -0.3}, &count);
  assert_int_equal(count, 1);
}

/* ---- closed forms ---- */

/* A smooth sphere that circles at constant height in a cone of half angle A: the normal force is m g/sin A, the speed
 * v^2 = g rho/tan A with rho the distance of its centre from the axis. */
static void a_sphere_circles_in_a_cone(void **state) {
  (void)state;
  static const double angles[] = {0.3, PI / 4, 1.1};
  for (int k = 0; k < 3; k++) {
    const double A = angles[k], g = 10, force = g / sin(A), overlap = force / STIFFNESS, rho = 3;
    /* centre: at the distance 1/2 - overlap from the cone radius = height tan A, upwards and inwards */
    const double height = (rho + (0.5 - overlap) / cos(A)) / tan(A), speed = sqrt(g * rho / tan(A));
    dem_law_options law;
    dem_system_options o;
    frictionless(&law);
    default_options(&o);
    o.gravity[2] = -g;
    world w;
    double x[3];
    world_open(&w, &o, NULL, &law);
    dem_wall wall = cone(0, 20 * tan(A), 20);
    wall.position[2] = 10;
    const int32_t id = add(&w, &wall);
    put(&w, (double[3]){rho, 0, height}, (double[3]){0, speed, 0}, 0.5);
    for (int n = 0; n < 20; n++) {
      ASSERT_OK(w.system, dem_system_step(w.system, 1000));
      const dem_wall_state s = look(&w, id);
      read3(&w, DEM_POSITION, x);
      const double push = sqrt(s.force[0] * s.force[0] + s.force[1] * s.force[1] + s.force[2] * s.force[2]);
      ASSERT_REL(push, force, 1e-3);
      ASSERT_REL(s.force[2], -g, 1e-3);
      ASSERT_REL(sqrt(x[0] * x[0] + x[1] * x[1]), rho, 1e-4);
    }
    ASSERT_BELOW(books(&w).residual_relative, BOUND);
    world_close(&w);
  }
}

/* Down the inside of a cone without friction: s = g cos A t^2/2 along the wall. */
static void a_sphere_slides_down_a_cone(void **state) {
  (void)state;
  const double A = 0.6, g = 10, overlap = g * sin(A) / STIFFNESS;
  const double rho = 6, height = (rho + (0.5 - overlap) / cos(A)) / tan(A), t = 0.8, way = 0.5 * g * cos(A) * t * t;
  dem_law_options law;
  dem_system_options o;
  frictionless(&law);
  default_options(&o);
  o.gravity[2] = -g;
  world w;
  double x[3], v[3];
  world_open(&w, &o, NULL, &law);
  dem_wall wall = cone(20 * tan(A), 0, 20); /* upside down, and turned */
  wall.position[2] = 10;
  quaternion(PI, 1, 0, 0, wall.rotation);
  add(&w, &wall);
  put(&w, (double[3]){rho, 0, height}, NULL, 0.5);
  ASSERT_OK(w.system, dem_system_step(w.system, 8000));
  read3(&w, DEM_POSITION, x);
  read3(&w, DEM_VELOCITY, v);
  ASSERT_REL(x[0], rho - way * sin(A), 1e-6);
  ASSERT_REL(x[2], height - way * cos(A), 1e-6);
  ASSERT_REL(v[2], -g * cos(A) * cos(A) * t, 1e-6);
  world_close(&w);
}

/* A sphere that plugs a cone is carried: on the mean by m g upwards, wherever round the axis it touches. */
static void a_sphere_plugs_a_cone(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  o.gravity[2] = -10;
  o.drag = 1;
  world w;
  double x[3], mean = 0;
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = cone(0.2, 2.2, 2);
  wall.position[2] = 1; /* 45 degrees */
  const int32_t id = add(&w, &wall);
  put(&w, (double[3]){0.1, 0, 0.8}, NULL, 0.5);
  ASSERT_OK(w.system, dem_system_step(w.system, 40000));
  for (int k = 0; k < 20000; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    mean -= look(&w, id).force[2] / 20000;
  }
  read3(&w, DEM_POSITION, x);
  ASSERT_REL(mean, 10, 1e-2);
  ASSERT_ABS(sqrt(x[0] * x[0] + x[1] * x[1]), 0, 1e-3);
  ASSERT_ABS(x[2], 0.5 * sqrt(2) - 0.2, 1e-3);
  world_close(&w);
}

/* ---- rims ---- */

/* Smooth elastic spheres thrown at edges and rims keep their energy, and a free wall takes the momentum. */
static void elastic_bounces_keep_energy_and_momentum(void **state) {
  (void)state;
  dice d = {9};
  int met = 0;
  for (int k = 0; k < 120; k++) {
    dem_law_options law;
    dem_system_options o;
    frictionless(&law);
    default_options(&o);
    o.dt = 2e-5;
    world w;
    double v[3];
    world_open(&w, &o, k % 2 ? "improved-velocity-verlet" : NULL, &law);
    dem_wall wall = random_shape(&d, k);
    wall.motion = k % 4 < 2 ? DEM_WALL_FREE : DEM_WALL_FIXED;
    wall.mass = k % 4 < 2 ? 3 : 0;
    for (int a = 0; a < 3; a++) wall.free_axis[a] = k % 4 < 2;
    const int32_t id = add(&w, &wall);
    double from[3], speed[3], length = 0;
    for (int a = 0; a < 3; a++) from[a] = dice_uniform(&d, -1, 1), length += from[a] * from[a];
    for (int a = 0; a < 3; a++) speed[a] = -7 * from[a] / sqrt(length) + dice_uniform(&d, -2, 2);
    for (int a = 0; a < 3; a++) from[a] = wall.position[a] + (k % 6 == 5 ? 6 : 4) * from[a] / sqrt(length);
    put(&w, from, speed, 0.5);
    const double before = books(&w).kinetic_linear;
    ASSERT_OK(w.system, dem_system_step(w.system, 50000));
    const dem_energy e = books(&w);
    ASSERT_BELOW(e.residual_relative, BOUND);
    read3(&w, DEM_VELOCITY, v);
    met += fabs(v[0] - speed[0]) > 1e-3;
    if (e.elastic_normal[1] > 1e-9 * before || look(&w, id).force[0] != 0) {
      world_close(&w); /* still bouncing about in it */
      continue;
    }
    ASSERT_REL(e.kinetic_linear + e.kinetic_walls, before, 2e-4);
    for (int a = 0; a < 3 && wall.mass > 0; a++) ASSERT_ABS(v[a] + 3 * look(&w, id).velocity[a], speed[a], 1e-12);
    world_close(&w);
  }
  print_message("# %d of 120 met\n", met);
  assert_true(met > 60);
}

/* ---- books and lists ---- */

typedef void scene_fn(world *w);

static void drive(dem_wall *wall, double x, double y, double z) {
  wall->motion = DEM_WALL_PRESCRIBED;
  wall->spin[0] = x;
  wall->spin[1] = y;
  wall->spin[2] = z;
}

static void turning_hopper(world *w) {
  dem_wall wall = hopper();
  drive(&wall, 0, 0, 3);
  wall.amplitude[2] = 0.1;
  wall.frequency = 6;
  fill(w, 4, 1.5, 2);
  add(w, &wall);
}

static void tumbling_thin_walls(world *w) {
  dem_wall box = shape(DEM_WALL_BOX), blade = plate(4, 1, 0), lens = disc(1.2), funnel = cone(0.3, 1.5, 1),
           tube = pipe(0.7, 1.5);
  for (int a = 0; a < 3; a++) box.size[a] = 5;
  quaternion(0.4, 1, 1, 0, box.rotation);
  quaternion(0.3, 1, 0, 0, blade.rotation);
  drive(&blade, 1, 2, 7);
  drive(&lens, 4, 0, 3);
  lens.position[0] = 1.5;
  funnel.motion = DEM_WALL_FREE;
  funnel.mass = 20;
  funnel.free_axis[0] = funnel.free_axis[2] = 1;
  funnel.position[2] = 1.5;
  drive(&tube, 3, 3, 0);
  tube.position[1] = -1.5;
  fill(w, 4, 1.9, 3);
  add(w, &box);
  add(w, &blade);
  add(w, &lens);
  add(w, &funnel);
  add(w, &tube);
}

static void pressed_by_a_disc(world *w) {
  dem_wall cup = pipe(2.6, 5), floor = disc(2.6), press = disc(2.5);
  floor.position[2] = -2;
  press.position[2] = 2.1;
  press.motion = DEM_WALL_SERVO;
  press.direction[2] = -1;
  press.target = 200;
  press.gain = 1e-3;
  press.velocity_limit = 1;
  fill(w, 4, 1.4, 2);
  add(w, &cup);
  add(w, &floor);
  add(w, &press);
}

static scene_fn *const scene_list[] = {turning_hopper, tumbling_thin_walls, pressed_by_a_disc};
static const char *const schemes[] = {"velocity-verlet", "euler", "improved-velocity-verlet"};

static void books_close(void **state) {
  (void)state;
  for (int k = 0; k < 9; k++) {
    dem_system_options o;
    dem_law_options law;
    double worst = 0;
    default_options(&o);
    o.gravity[2] = -10;
    world w;
    scene_hooke(&law);
    if (k % 2) scene_hertz(&law);
    world_open(&w, &o, schemes[k % 3], &law);
    scene_list[k / 3](&w);
    for (int n = 0; n < 30; n++) {
      ASSERT_OK(w.system, dem_system_step(w.system, 100));
      ASSERT_OK(w.system, dem_system_check(w.system));
      worst = fmax(worst, books(&w).residual_relative);
    }
    const dem_energy e = books(&w);
    print_message("# scene %d, %s: residual at most %.1e\n", k / 3, schemes[k % 3], worst);
    ASSERT_BELOW(worst, BOUND);
    assert_true(e.sliding[1] > 0 && e.walls != 0);
    world_close(&w);
  }
}

/* Random thin walls that fly and turn through spheres that hardly push back; every step against brute force. */
static void sweeping_walls_are_never_missed(void **state) {
  (void)state;
  dice d = {31};
  for (int k = 0; k < 12; k++) {
    dem_system_options o;
    dem_law_options law;
    dem_statistics t;
    int64_t touched = 0;
    frictionless(&law);
    law.normal_stiffness = 1e-6;
    default_options(&o);
    o.dt = 1e-3;
    o.skin = k % 2 ? 0.1 : 0.4;
    world w;
    world_open(&w, &o, NULL, &law);
    fill(&w, 5, 3, k < 6 ? 0 : 4);
    dem_wall wall = random_shape(&d, k);
    for (int a = 0; a < 3; a++) wall.size[a] *= 4;
    drive(&wall, dice_uniform(&d, -4, 4), dice_uniform(&d, -4, 4), dice_uniform(&d, -4, 4));
    for (int a = 0; a < 3; a++) wall.velocity[a] = dice_uniform(&d, -8, 8);
    for (int a = 0; a < 3; a++) wall.position[a] = -0.4 * wall.velocity[a];
    add(&w, &wall);
    for (int n = 0; n < 800; n++) {
      ASSERT_OK(w.system, dem_system_step(w.system, 1));
      ASSERT_OK(w.system, dem_system_check(w.system));
      dem_statistics_init(&t, sizeof t);
      ASSERT_OK(w.system, dem_system_statistics(w.system, &t));
      touched += t.wall_contacts;
    }
    assert_true(touched > 300 && t.rebuilds > 1 && t.rebuilds < 600);
    world_close(&w);
  }
}

/* A hopper that turns about its axis stays what it is. */
static void turning_in_itself_costs_no_lists(void **state) {
  (void)state;
  dem_system_options o;
  dem_statistics t;
  default_options(&o);
  world w;
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = hopper();
  drive(&wall, 0, 0, 100);
  add(&w, &wall);
  put(&w, (double[3]){0, 0, 1}, (double[3]){0, 0, 0.1}, 0.5);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(w.system, dem_system_statistics(w.system, &t));
  assert_int_equal(t.rebuilds, 1);
  world_close(&w);
}

static void run_scene(int k, int32_t threads, int32_t ledger, int32_t instructions, snapshot *s) {
  dem_system_options o;
  dem_context_options c;
  dem_law_options law;
  dem_material m;
  world w;
  default_options(&o);
  o.threads = threads;
  o.ledger = ledger;
  dem_context_options_init(&c, sizeof c);
  c.instructions = instructions;
  assert_int_equal(dem_context_create(&c, &w.context), DEM_OK);
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  dem_material_init(&m, sizeof m);
  ASSERT_OK(w.system, dem_system_add_material(w.system, &m, NULL));
  scene_hooke(&law);
  ASSERT_OK(w.system, scene_set_law(w.context, w.system, 0, 0, &law));
  scene_list[k](&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 1500));
  snapshot_take(s, w.system);
  world_close(&w);
}

static void threads_books_and_instructions_change_no_bit(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    snapshot one, other;
    run_scene(k, 1, 1, DEM_INSTRUCTIONS_AUTO, &one);
    for (int n = 0; n < 3; n++) {
      run_scene(k, n == 0 ? 3 : 1, n != 1, n == 2 ? DEM_INSTRUCTIONS_PLAIN : DEM_INSTRUCTIONS_AUTO, &other);
      snapshot_assert_same_bits(&one, &other);
      snapshot_free(&other);
    }
    snapshot_free(&one);
  }
}

/* In the plane a plate is a line segment, along a periodic axis an endless edge. */
static void plates_in_the_plane_and_in_periodic_boxes(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  o.dimension = 2;
  o.gravity[1] = -10;
  world w;
  double x[3];
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = plate(2, 0, 1);
  add(&w, &wall);
  put(&w, (double[3]){0.3, 0.5, 0}, NULL, 0.5);
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  read3(&w, DEM_POSITION, x);
  ASSERT_ABS(x[1], 0.5 - 10 / STIFFNESS * (PI / 6) / (PI / 6), 2e-4);
  world_close(&w);
  default_options(&o);
  o.periodic[1] = 1;
  o.box_high[1] = 4;
  o.gravity[2] = -10;
  world_open(&w, &o, NULL, NULL);
  wall = plate(2, INFINITY, 0);
  add(&w, &wall);
  put(&w, (double[3]){0.3, 3.9, 0.5}, (double[3]){0, 1, 0}, 0.5);
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  read3(&w, DEM_POSITION, x);
  ASSERT_ABS(x[2], 0.5 - 1e-4, 1e-6);
  wall.size[1] = 4;
  ASSERT_STATUS(w.system, dem_system_add_wall(w.system, &wall, NULL), DEM_BAD_ARGUMENT);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thin_walls_have_the_closest_point),
      cmocka_unit_test(turned_walls_are_turned_worlds),
      cmocka_unit_test(rotation_goes_with_every_motion),
      cmocka_unit_test(rotation_is_where_a_spin_starts),
      cmocka_unit_test(straight_joints_are_not_felt),
      cmocka_unit_test(edges_act_once_and_corners_twice),
      cmocka_unit_test(a_closed_profile_has_no_rim),
      cmocka_unit_test(a_sphere_circles_in_a_cone),
      cmocka_unit_test(a_sphere_slides_down_a_cone),
      cmocka_unit_test(a_sphere_plugs_a_cone),
      cmocka_unit_test(elastic_bounces_keep_energy_and_momentum),
      cmocka_unit_test(books_close),
      cmocka_unit_test(sweeping_walls_are_never_missed),
      cmocka_unit_test(turning_in_itself_costs_no_lists),
      cmocka_unit_test(threads_books_and_instructions_change_no_bit),
      cmocka_unit_test(plates_in_the_plane_and_in_periodic_boxes),
  };
  return cmocka_run_group_tests_name("wall shapes", tests, NULL, NULL);
}
