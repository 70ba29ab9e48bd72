/* Walls as bodies: shapes against closest points, motions against their formulas, impacts on moving and free walls against the
 * two-body problem, servos against statics, and books that close whatever moves. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

/* Of the largest account: see test_ledger.c. */
static const double BOUND = 1e-12;
static const double PI = 3.14159265358979323846;
static const double STIFFNESS = 1e5; /* of scene_hooke */

/* ---- worlds ---- */

typedef struct world {
  dem_context *context;
  dem_system *system;
  int32_t warnings;
  char warning[512];
} world;

static void listen(void *user, int32_t level, const char *text) {
  world *w = user;
  if (level != DEM_LOG_WARNING) return;
  w->warnings++;
  snprintf(w->warning, sizeof w->warning, "%s", text);
}

static void default_options(dem_system_options *o) {
  dem_system_options_init(o, sizeof *o);
  o->dt = 1e-4;
  o->ledger = 1;
}

static void world_open_with(world *w, const dem_system_options *o, const char *integrator, const dem_law_options *law,
                            int32_t instructions) {
  dem_context_options c;
  dem_law_options hooke;
  dem_material m;
  memset(w, 0, sizeof *w);
  dem_context_options_init(&c, sizeof c);
  c.log = listen;
  c.log_user = w;
  c.instructions = instructions;
  assert_int_equal(dem_context_create(&c, &w->context), DEM_OK);
  assert_int_equal(dem_system_create(w->context, o, &w->system), DEM_OK);
  if (integrator) ASSERT_OK(w->system, dem_system_set_integrator_name(w->system, integrator));
  dem_material_init(&m, sizeof m);
  m.young = 1e6;
  ASSERT_OK(w->system, dem_system_add_material(w->system, &m, NULL));
  scene_hooke(&hooke);
  ASSERT_OK(w->system, scene_set_law(w->context, w->system, 0, 0, law ? law : &hooke));
}

static void world_open(world *w, const dem_system_options *o, const char *integrator, const dem_law_options *law) {
  world_open_with(w, o, integrator, law, DEM_INSTRUCTIONS_AUTO);
}

static void world_close(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static dem_id put(world *w, double x, double y, double z, const double *v, const double *spin) {
  rows r;
  dem_id id;
  assert_int_equal(rows_create(&r, 1), 0);
  const int64_t row = rows_put(&r, x, y, z, 0.5);
  if (v) rows_velocity(&r, row, v[0], v[1], v[2]);
  if (spin) rows_spin(&r, row, spin[0], spin[1], spin[2]);
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

static dem_wall plane(double x, double y, double z, double nx, double ny, double nz) {
  dem_wall wall;
  dem_wall_init(&wall, sizeof wall);
  const double p[3] = {x, y, z}, n[3] = {nx, ny, nz};
  memcpy(wall.position, p, sizeof p);
  memcpy(wall.axis, n, sizeof n);
  return wall;
}

static dem_wall box(int32_t side, double x, double y, double z) {
  dem_wall wall;
  dem_wall_init(&wall, sizeof wall);
  const double size[3] = {x, y, z};
  wall.shape = DEM_WALL_BOX;
  wall.side = side;
  memcpy(wall.size, size, sizeof size);
  return wall;
}

/* About the y axis. */
static dem_wall drum(int32_t side, double radius, double length) {
  dem_wall wall;
  dem_wall_init(&wall, sizeof wall);
  wall.shape = DEM_WALL_CYLINDER;
  wall.side = side;
  wall.axis[1] = 1;
  wall.radius = radius;
  wall.length = length;
  return wall;
}

static int32_t add(world *w, const dem_wall *wall) {
  int32_t id = -1;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, wall, &id));
  return id;
}

static dem_wall_state look(const world *w, int32_t id) {
  dem_wall_state s;
  assert_int_equal(dem_wall_state_init(&s, sizeof s), DEM_OK);
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

/* The residual is every account, once. */
static double assert_closed(const world *w, const char *what) {
  const dem_energy e = books(w);
  double sum = e.kinetic_linear + e.kinetic_angular + e.kinetic_walls + e.gravity + e.drag - e.host - e.walls;
  for (int k = 0; k < 2; k++)
    sum += e.elastic_normal[k] + e.elastic_tangential[k] + e.damping_normal[k] + e.damping_tangential[k] + e.sliding[k] +
           e.hysteresis[k];
  if (!(e.residual_relative <= BOUND)) print_message("# %s: residual %.1e of %.3g\n", what, e.residual_relative, e.largest);
  ASSERT_ABS(sum, e.residual, 1e-13 * e.largest);
  ASSERT_BELOW(e.residual_relative, BOUND);
  assert_true(e.sliding[0] >= 0 && e.sliding[1] >= 0);
  return e.residual_relative;
}

/* ---- shapes ---- */

/* A box from inside is six planes: the same bits. */
static void inner_box_is_six_planes(void **state) {
  (void)state;
  const double centre[3] = {0.1, -0.2, 0.3}, size[3] = {4.2, 4.3, 4.4};
  dem_system_options o;
  default_options(&o);
  o.gravity[2] = -10;
  world a, b;
  world_open(&a, &o, NULL, NULL);
  world_open(&b, &o, NULL, NULL);
  fill(&a, 4, 1.9, 2);
  fill(&b, 4, 1.9, 2);
  dem_wall whole = box(DEM_WALL_INSIDE, size[0], size[1], size[2]);
  memcpy(whole.position, centre, sizeof centre);
  const int32_t id = add(&a, &whole);
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
  dem_system_options o;
  default_options(&o);
  o.dt = 1e-9;
  world w;
  int64_t count = 0;
  world_open(&w, &o, NULL, NULL);
  put(&w, x[0], x[1], x[2], NULL, NULL);
  const int32_t id = add(&w, wall);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_OK(w.system, dem_system_contact_count(w.system, &count));
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
  const dem_wall wall = box(DEM_WALL_OUTSIDE, 2, 3, 4);
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
  const dem_wall wall = drum(DEM_WALL_OUTSIDE, 1.2, 3);
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
  const dem_wall cube = box(DEM_WALL_OUTSIDE, 2, 3, 4), rod = drum(DEM_WALL_OUTSIDE, 1.2, 3);
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

/* From inside: the mantle, the lids, and both in a corner. */
static void inner_cylinder_has_lids(void **state) {
  (void)state;
  dem_contact c[3];
  dem_system_options o;
  int64_t count;
  default_options(&o);
  o.dt = 1e-9;
  world w;
  world_open(&w, &o, NULL, NULL);
  const dem_wall wall = drum(DEM_WALL_INSIDE, 2, 6);
  const int32_t id = add(&w, &wall);
  put(&w, 1.2, 2.7, 1.0, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_OK(w.system, dem_system_contact_count(w.system, &count));
  assert_int_equal(count, 2);
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

static void frictionless(dem_law_options *law) {
  scene_hooke(law);
  law->damping = law->tangential_damping = DEM_DAMPING_NONE;
  law->tangential = DEM_TANGENTIAL_NONE;
}

/* In a smooth horizontal bore a sphere is a pendulum of length L = R - r + d, d = m g/k; for an amplitude of 0.01 its period is
 * 2 pi sqrt(L/g) to 0.01^2/16, and the wall gives by a 1e-4th of d more or less. */
static void smooth_bore_is_a_pendulum(void **state) {
  (void)state;
  const double g = 10, sag = g / STIFFNESS, length = 3 - 0.5 + sag, angle = 0.01, period = 2 * PI * sqrt(length / g);
  dem_law_options law;
  dem_system_options o;
  frictionless(&law);
  default_options(&o);
  o.gravity[2] = -g;
  world w;
  double x[3];
  world_open(&w, &o, NULL, &law);
  const dem_wall wall = drum(DEM_WALL_INSIDE, 3, 0);
  add(&w, &wall);
  put(&w, length * sin(angle), 0, -length * cos(angle), NULL, NULL);
  for (int quarter = 1; quarter <= 12; quarter++) {
    ASSERT_OK(w.system, dem_system_run_until(w.system, 0.25 * quarter * period));
    read3(&w, DEM_POSITION, x);
    /* phase error after three periods: 6 pi 1e-4/16 */
    ASSERT_ABS(x[0], length * angle * cos(0.5 * PI * quarter), 1e-3 * length * angle);
    ASSERT_ABS(sqrt(x[0] * x[0] + x[2] * x[2]), length, 1e-6);
    if (quarter > 1) assert_closed(&w, "pendulum"); /* the largest account is met at the bottom */
    if (quarter == 1) books(&w);
  }
  world_close(&w);
}

/* ---- prescribed motion ---- */

static void prescribed_walls_are_where_their_formula_says(void **state) {
  (void)state;
  for (int with_particle = 0; with_particle < 2; with_particle++) {
    dem_system_options o;
    default_options(&o);
    world w;
    world_open(&w, &o, with_particle ? "velocity-verlet" : "euler", NULL);
    dem_wall wall = plane(1, 2, 3, 0, 0, 1);
    wall.motion = DEM_WALL_PRESCRIBED;
    const double v[3] = {0.5, -1, 2}, a[3] = {0.1, 0.2, 0.3}, spin[3] = {0, 3, 4};
    memcpy(wall.velocity, v, sizeof v);
    memcpy(wall.amplitude, a, sizeof a);
    memcpy(wall.spin, spin, sizeof spin);
    wall.frequency = 2;
    wall.phase = 0.7;
    const int32_t id = add(&w, &wall);
    if (with_particle) put(&w, 0, 0, 50, NULL, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 3333));
    const double t = 0.3333, turn = 2 * PI * 2;
    const dem_wall_state s = look(&w, id);
    for (int k = 0; k < 3; k++) {
      ASSERT_ABS(s.position[k], wall.position[k] + v[k] * t + a[k] * (sin(turn * t + 0.7) - sin(0.7)), 1e-12);
      ASSERT_ABS(s.velocity[k], v[k] + a[k] * turn * cos(turn * t + 0.7), 1e-11);
    }
    ASSERT_ABS(s.rotation[0], cos(2.5 * t), 1e-12);
    ASSERT_ABS(s.rotation[1], 0, 1e-12);
    ASSERT_ABS(s.rotation[2], 0.6 * sin(2.5 * t), 1e-12);
    ASSERT_ABS(s.rotation[3], 0.8 * sin(2.5 * t), 1e-12);
    world_close(&w);
  }
}

/* A bounce on a moving wall is the bounce on a wall at rest, seen from a moving frame. */
static void moving_walls_are_moving_frames(void **state) {
  (void)state;
  const double u[3] = {0.75, -0.5, 1.25}, v[3] = {1, 0.2, -1}, spin[3] = {0.3, -0.5, 0.7};
  const double seen[3] = {v[0] + u[0], v[1] + u[1], v[2] + u[2]};
  for (int k = 0; k < 2; k++) {
    dem_system_options o;
    default_options(&o);
    world rest, moving;
    double x[3], y[3], p[3], q[3];
    world_open(&rest, &o, k ? "euler" : NULL, NULL);
    world_open(&moving, &o, k ? "euler" : NULL, NULL);
    dem_wall wall = plane(0, 0, 0, 0, 0, 1);
    add(&rest, &wall);
    wall.motion = DEM_WALL_PRESCRIBED;
    memcpy(wall.velocity, u, sizeof u);
    const int32_t id = add(&moving, &wall);
    put(&rest, 0, 0, 0.501, v, spin);
    put(&moving, 0, 0, 0.501, seen, spin);
    ASSERT_OK(rest.system, dem_system_step(rest.system, 400));
    ASSERT_OK(moving.system, dem_system_step(moving.system, 400));
    read3(&rest, DEM_POSITION, x);
    read3(&moving, DEM_POSITION, y);
    read3(&rest, DEM_VELOCITY, p);
    read3(&moving, DEM_VELOCITY, q);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(y[a], x[a] + 0.04 * u[a], 1e-12);
      ASSERT_ABS(q[a], p[a] + u[a], 1e-10);
    }
    assert_true(p[2] > 0.5);
    read3(&rest, DEM_SPIN, p);
    read3(&moving, DEM_SPIN, q);
    for (int a = 0; a < 3; a++) ASSERT_ABS(q[a], p[a], 1e-10);
    /* What moves the wall has supplied what the two books differ by. */
    assert_closed(&moving, "moving frame");
    ASSERT_REL(look(&moving, id).work, books(&moving).walls, 1e-14);
    world_close(&rest);
    world_close(&moving);
  }
}

/* ---- free walls ---- */

static dem_wall free_plane(double mass) {
  dem_wall wall = plane(0, 0, 0, 0, 0, 1);
  wall.motion = DEM_WALL_FREE;
  wall.mass = mass;
  for (int a = 0; a < 3; a++) wall.free_axis[a] = 1;
  return wall;
}

/* Head-on impact with a wall of mass M: v' = v - (1 + e) M/(m + M) (v - V), V' likewise; the time of contact is not a multiple of
 * dt, so e is met to about the force at the last step. */
static void head_on_impact_with_a_free_wall(void **state) {
  (void)state;
  static const double masses[] = {0.3, 1, 7, 1e4};
  for (int k = 0; k < 8; k++) {
    dem_system_options o;
    dem_law_options law;
    default_options(&o);
    o.dt = 1e-6;
    frictionless(&law);
    law.damping = DEM_DAMPING_RESTITUTION;
    law.restitution = 0.8;
    world w;
    double v[3];
    const double mass = masses[k / 2], start[3] = {0, 0, -1};
    world_open(&w, &o, k % 2 ? "euler" : NULL, &law);
    dem_wall wall = free_plane(mass);
    wall.velocity[2] = 0.25;
    const int32_t id = add(&w, &wall);
    put(&w, 0, 0, 0.5, start, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 15000));
    read3(&w, DEM_VELOCITY, v);
    const double V = look(&w, id).velocity[2], common = (-1 + 0.25 * mass) / (1 + mass);
    ASSERT_ABS(v[2] + mass * V, -1 + 0.25 * mass, 1e-12 * (1 + mass));
    ASSERT_ABS(v[2], common + 0.8 * 1.25 * mass / (1 + mass), 2e-3);
    ASSERT_ABS(V, common - 0.8 * 1.25 / (1 + mass), 2e-3);
    assert_closed(&w, "head-on");
    world_close(&w);
  }
}

/* Momentum of particles and a wall that is free along all axes, with friction; a locked axis stays locked. */
static void momentum_is_shared_with_free_walls(void **state) {
  (void)state;
  const double v[3] = {1, 0.5, -1}, spin[3] = {3, -2, 1};
  dem_system_options o;
  default_options(&o);
  world w;
  double q[3];
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = free_plane(3);
  const int32_t id = add(&w, &wall);
  put(&w, 0, 0, 0.5, v, spin);
  put(&w, 3, 0, 0.5, v, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  double all[6];
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_VELOCITY, 2, NULL, all, 0));
  const dem_wall_state s = look(&w, id);
  for (int a = 0; a < 3; a++) ASSERT_ABS(all[a] + all[3 + a] + 3 * s.velocity[a], 2 * v[a], 1e-13);
  assert_true(s.velocity[0] > 0 && s.velocity[2] < 0);
  assert_closed(&w, "oblique impacts on a free wall");
  world_close(&w);

  world_open(&w, &o, NULL, NULL);
  wall.free_axis[0] = wall.free_axis[1] = 0;
  const int32_t locked = add(&w, &wall);
  put(&w, 0, 0, 0.5, v, spin);
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  read3(&w, DEM_VELOCITY, q);
  const dem_wall_state t = look(&w, locked);
  ASSERT_ABS(q[2] + 3 * t.velocity[2], v[2], 1e-13);
  assert_true(t.velocity[0] == 0 && t.velocity[1] == 0 && t.position[0] == 0 && q[0] < v[0]);
  assert_closed(&w, "a locked axis");
  world_close(&w);
}

/* M dv/dt = M g + force, with and without particles in the system. */
static void free_walls_fall(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    dem_system_options o;
    default_options(&o);
    o.gravity[2] = -10;
    world w;
    world_open(&w, &o, k % 2 ? "euler" : NULL, NULL);
    dem_wall wall = free_plane(2);
    wall.force[0] = 3;
    wall.velocity[1] = 1;
    const int32_t id = add(&w, &wall);
    if (k / 2) put(&w, 0, 0, 100, NULL, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 10000));
    const dem_wall_state s = look(&w, id);
    const double order = k % 2 ? 2e-3 : 1e-10; /* Euler: g t dt/2 */
    ASSERT_ABS(s.velocity[0], 1.5, 1e-11);
    ASSERT_ABS(s.velocity[2], -10, 1e-10);
    ASSERT_ABS(s.position[0], 0.75, order);
    ASSERT_ABS(s.position[1], 1, 1e-11);
    ASSERT_ABS(s.position[2], -5, order);
    const dem_energy e = books(&w);
    ASSERT_REL(e.kinetic_walls, 0.5 * 2 * (1.5 * 1.5 + 1 + 100), 1e-11);
    ASSERT_REL(e.host, 1 + 0.5 * 2 * 1.5 * 1.5, 1e-10); /* came with v = 1; the force's work */
    assert_closed(&w, "fall");
    world_close(&w);
  }
}

/* A free wall that falls on a frozen sphere bounces off it; a fixed one passes it. */
static void frozen_particles_meet_free_walls_only(void **state) {
  (void)state;
  dem_system_options o;
  dem_law_options law;
  default_options(&o);
  o.dt = 1e-6;
  frictionless(&law);
  law.damping = DEM_DAMPING_RESTITUTION;
  law.restitution = 0.6;
  for (int k = 0; k < 2; k++) {
    world w;
    world_open(&w, &o, NULL, &law);
    const dem_id id = put(&w, 0, 0, 0.5, NULL, NULL);
    ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &id, 1));
    dem_wall wall = free_plane(4);
    if (k) wall = plane(0, 0, 0, 0, 0, 1);
    if (k) wall.motion = DEM_WALL_PRESCRIBED;
    wall.velocity[2] = 1;
    const int32_t which = add(&w, &wall);
    ASSERT_OK(w.system, dem_system_step(w.system, 30000));
    ASSERT_ABS(look(&w, which).velocity[2], k ? 1 : -0.6, 2e-3);
    assert_closed(&w, "frozen");
    world_close(&w);
  }
}

/* A light free wall of mass M on a sphere of mass 1 oscillates with omega^2 = k (1 + 1/M): velocity-Verlet is stable below 2/omega. */
static void a_light_free_wall_limits_the_time_step(void **state) {
  (void)state;
  dem_system_options o;
  dem_law_options law;
  double dt;
  default_options(&o);
  frictionless(&law);
  world w;
  world_open(&w, &o, NULL, &law);
  put(&w, 0, 0, 0.5, NULL, NULL);
  ASSERT_OK(w.system, dem_system_stable_dt(w.system, &dt));
  ASSERT_REL(dt, 2 / sqrt(STIFFNESS * 2), 1e-12); /* two equal spheres */
  const dem_wall wall = free_plane(0.01);
  add(&w, &wall);
  ASSERT_OK(w.system, dem_system_stable_dt(w.system, &dt));
  ASSERT_REL(dt, 2 / sqrt(STIFFNESS * 101), 1e-12);
  world_close(&w);
}

/* ---- servo ---- */

static dem_wall press(double z, double target) {
  dem_wall wall = plane(0, 0, z, 0, 0, -1);
  wall.motion = DEM_WALL_SERVO;
  wall.direction[2] = -1;
  wall.target = target;
  wall.gain = 1e-3;
  wall.velocity_limit = 1;
  return wall;
}

/* Spheres in a row between a floor and a servo: in the end every contact carries the target force F, the overlaps with the walls
 * are F/k and so is the one of the spheres. */
static void servo_reaches_its_target(void **state) {
  (void)state;
  const double target = 50, sag = target / STIFFNESS;
  for (int k = 0; k < 4; k++) {
    dem_system_options o;
    default_options(&o);
    world w;
    double x[6];
    world_open(&w, &o, k % 2 ? "euler" : NULL, NULL);
    const dem_wall floor = plane(0, 0, 0, 0, 0, 1);
    dem_wall wall = press(2.01, k / 2 ? target / 4 : target);
    if (k / 2) wall.area = 4;
    add(&w, &floor);
    const int32_t id = add(&w, &wall);
    put(&w, 0, 0, 0.5, NULL, NULL);
    put(&w, 0, 0, 1.5, NULL, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 20000));
    const dem_wall_state s = look(&w, id);
    ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, 2, NULL, x, 0));
    ASSERT_REL(s.force[2], target, 1e-6);
    ASSERT_ABS(s.servo_error, 0, 1e-6 * target);
    ASSERT_ABS(x[2], 0.5 - sag, 1e-9);
    ASSERT_ABS(x[5], 1.5 - 2 * sag, 1e-9);
    ASSERT_ABS(s.position[2], 2 - 3 * sag, 1e-9);
    assert_true(s.limited == 0 && w.warnings == 0);
    /* Its work is what the springs hold and what the dashpots took: 3 F^2/(2 k) at least. */
    assert_true(s.work > 1.5 * target * target / STIFFNESS);
    ASSERT_REL(s.work, books(&w).walls, 1e-14);
    assert_closed(&w, "servo");
    world_close(&w);
  }
}

/* What it cannot reach it reports: once, and in its state. */
static void servo_reports_what_it_cannot_reach(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  world w;
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = press(3, 50);
  wall.travel_limit = 0.5;
  const int32_t id = add(&w, &wall);
  put(&w, 0, 0, 0, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 20000)); /* 0.05 per unit of time */
  assert_int_equal(w.warnings, 0);
  ASSERT_ABS(look(&w, id).position[2], 2.9, 1e-9);
  ASSERT_OK(w.system, dem_system_step(w.system, 100000));
  dem_wall_state s = look(&w, id);
  assert_int_equal(s.limited, 2);
  assert_int_equal(w.warnings, 1);
  assert_non_null(strstr(w.warning, "travel"));
  ASSERT_ABS(s.position[2], 2.5, 1e-12);
  assert_true(s.velocity[2] == 0 && s.limited_steps > 19000 && s.servo_error == 50);
  /* Turned round it comes back. */
  wall.target = -50;
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &wall));
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  s = look(&w, id);
  assert_int_equal(s.limited, 0);
  ASSERT_ABS(s.position[2], 2.505, 1e-9);
  assert_closed(&w, "servo at its end");
  /* Too slow for its target. */
  wall.velocity_limit = 0.01;
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &wall));
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  assert_int_equal(look(&w, id).limited, 1);
  assert_int_equal(w.warnings, 1);
  ASSERT_OK(w.system, dem_system_step(w.system, 5000));
  assert_int_equal(w.warnings, 2);
  assert_non_null(strstr(w.warning, "velocity"));
  ASSERT_ABS(look(&w, id).velocity[2], 0.01, 0);
  world_close(&w);
}

/* ---- a cell of six servos ---- */

/* Wall 2 a and 2 a + 1 bound the cell along axis a. */
static dem_wall cell_wall(int k, double half, double pressure) {
  const int a = k / 2, side = k % 2 ? -1 : 1;
  dem_wall wall = plane(0, 0, 0, 0, 0, 0);
  wall.position[a] = -side * half;
  wall.axis[a] = side;
  if (pressure == 0) return wall;
  wall.motion = DEM_WALL_SERVO;
  wall.direction[a] = side;
  wall.target = pressure;
  wall.gain = 2e-3; /* 20 contacts: C = 160, K dt/2 = 100, limit 4e-3 */
  wall.velocity_limit = 0.3;
  wall.area_walls = 4;
  for (int n = 0; n < 4; n++) wall.area_wall[n] = (2 * (a + 1 + n / 2) + n % 2) % 6;
  return wall;
}

/* Pressure on a wall of the cell, from forces and positions. */
static double cell_pressure(const world *w, int k, double *area) {
  dem_wall_state s[6];
  for (int n = 0; n < 6; n++) s[n] = look(w, n);
  const int a = k / 2, b = (a + 1) % 3, c = (a + 2) % 3;
  *area = (s[2 * b + 1].position[b] - s[2 * b].position[b]) * (s[2 * c + 1].position[c] - s[2 * c].position[c]);
  return fabs(s[k].force[a]) / *area;
}

static void assert_pressure(const world *w, int first, int end, double pressure, double tolerance) {
  for (int k = first; k < end; k++) {
    double area;
    const double is = cell_pressure(w, k, &area);
    ASSERT_REL(look(w, k).area, area, 1e-3); /* as of the latest evaluation */
    ASSERT_REL(is, pressure, tolerance);
  }
}

/* The area that a pressure acts on follows the other walls: isotropic compression, then one axis is driven. */
static void six_servos_hold_a_pressure(void **state) {
  (void)state;
  const double pressure = 50;
  dem_law_options law;
  dem_system_options o;
  default_options(&o);
  scene_hooke(&law);
  law.normal_damping = 20;
  o.drag = 2;
  world w;
  world_open(&w, &o, NULL, &law);
  fill(&w, 6, 3, 1);
  for (int k = 0; k < 6; k++) {
    const dem_wall wall = cell_wall(k, 3, 0);
    assert_int_equal(add(&w, &wall), k);
  }
  for (int k = 0; k < 6; k++) {
    const dem_wall wall = cell_wall(k, 3, pressure);
    ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, k, &wall));
  }
  ASSERT_OK(w.system, dem_system_step(w.system, 90000));
  assert_pressure(&w, 0, 6, pressure, 1e-3);
  double area;
  cell_pressure(&w, 0, &area);
  assert_true(area < 25); /* of 36 at the start */
  assert_closed(&w, "isotropic");
  /* z is driven at a strain rate of 6e-4: inertial number 3e-5. The others give way at about half that speed, short of their force
   * of 1000 by 7e-4/gain = 0.4. */
  for (int k = 4; k < 6; k++) {
    dem_wall wall = cell_wall(k, 3, 0);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.velocity[2] = k % 2 ? -0.0015 : 0.0015;
    ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, k, &wall));
  }
  double mean[4] = {0, 0, 0, 0};
  for (int n = 0; n < 200; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 100));
    for (int k = 0; k < 4; k++) mean[k] += cell_pressure(&w, k, &area) / 200;
  }
  for (int k = 0; k < 4; k++) ASSERT_REL(mean[k], pressure, 1e-3);
  print_message("# driven: %g %g %g %g, along it %g\n", mean[0], mean[1], mean[2], mean[3], cell_pressure(&w, 5, &area));
  assert_true(cell_pressure(&w, 5, &area) > 1.1 * pressure);
  assert_closed(&w, "driven");
  /* walls that an area names stay */
  ASSERT_STATUS(w.system, dem_system_remove_wall(w.system, 5), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.system), "area_wall"));
  world_close(&w);
}

/* A servo on springs K and dashpots C of a sphere so heavy that it rests: it settles while gain (C + K dt/2) < 1, and swings from
 * step to step above, which it says. */
static void the_gain_has_a_limit(void **state) {
  (void)state;
  static const double dashpots[] = {0, 20}, parts[] = {0.9, 1.1}; /* K dt/2 = 5 */
  for (int k = 0; k < 4; k++) {
    dem_system_options o;
    dem_law_options law;
    default_options(&o);
    frictionless(&law);
    law.normal_damping = dashpots[k / 2];
    law.damping = k / 2 ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
    world w;
    rows r;
    world_open(&w, &o, NULL, &law);
    assert_int_equal(rows_create(&r, 1), 0);
    rows_put(&r, 0, 0, 0.5, 0.5);
    r.density[0] = 1e9;
    ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
    rows_destroy(&r);
    dem_wall wall = press(1 - 45 / STIFFNESS, 50);
    wall.gain = parts[k % 2] / (dashpots[k / 2] + 0.5 * STIFFNESS * 1e-4);
    wall.velocity_limit = 1;
    const int32_t id = add(&w, &wall);
    ASSERT_OK(w.system, dem_system_step(w.system, 1500));
    if (k % 2) {
      assert_int_equal(w.warnings, 1);
      assert_non_null(strstr(w.warning, "gain"));
      dem_statistics counted;
      dem_statistics_init(&counted, sizeof counted);
      ASSERT_OK(w.system, dem_system_statistics(w.system, &counted));
      assert_int_equal(counted.warnings, 1);
      assert_true(fabs(look(&w, id).servo_error) > 5);
    } else {
      assert_int_equal(w.warnings, 0);
      ASSERT_ABS(look(&w, id).servo_error, 0, 1e-3);
    }
    world_close(&w);
  }
}

/* ---- books ---- */

static double worst_over(world *w, const char *what, int samples, int steps) {
  double worst = 0;
  for (int k = 0; k < samples; k++) {
    ASSERT_OK(w->system, dem_system_step(w->system, steps));
    worst = fmax(worst, assert_closed(w, what));
    ASSERT_OK(w->system, dem_system_check(w->system));
  }
  return worst;
}

typedef void scene_fn(world *w);

static void turning_drum(world *w) {
  dem_wall wall = drum(DEM_WALL_INSIDE, 2.6, 4.2);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 4;
  fill(w, 4, 1.9, 3);
  add(w, &wall);
}

static void shaken_box(world *w) {
  dem_wall wall = box(DEM_WALL_INSIDE, 4.1, 4.1, 4.1);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.amplitude[0] = 0.05;
  wall.amplitude[2] = 0.1;
  wall.frequency = 8;
  wall.mass = 20; /* shows in kinetic_walls only */
  fill(w, 4, 1.9, 3);
  add(w, &wall);
}

static void free_lid(world *w) {
  const dem_wall wall = box(DEM_WALL_INSIDE, 4.1, 4.1, 4.1);
  dem_wall lid = plane(0, 0, 2, 0, 0, -1), block = box(DEM_WALL_OUTSIDE, 1, 1.1, 1.2);
  lid.motion = block.motion = DEM_WALL_FREE;
  lid.free_axis[2] = block.free_axis[0] = block.free_axis[1] = block.free_axis[2] = 1;
  lid.mass = 30;
  lid.force[2] = -200;
  block.mass = 4;
  block.position[0] = 5;
  block.velocity[0] = -10;
  fill(w, 4, 1.9, 3);
  add(w, &wall);
  add(w, &lid);
  add(w, &block);
}

static void servo_box(world *w) {
  const dem_wall wall = box(DEM_WALL_INSIDE, 4.1, 4.1, 4.1);
  dem_wall top = press(2, 60), side = press(0, 3);
  side.area = 16;
  side.position[0] = side.axis[0] = side.direction[0] = 0;
  side.position[0] = 2.0;
  side.axis[0] = side.direction[0] = -1;
  side.axis[2] = side.direction[2] = 0;
  side.mass = 5;
  fill(w, 4, 1.9, 3);
  add(w, &wall);
  add(w, &top);
  add(w, &side);
}

/* A box that turns about a skew axis, and a rod, stir what is in a larger cylinder. */
static void stirred(world *w) {
  const dem_wall wall = drum(DEM_WALL_INSIDE, 3.5, 6);
  dem_wall blade = box(DEM_WALL_OUTSIDE, 3.8, 0.5, 0.7), rod = drum(DEM_WALL_OUTSIDE, 0.4, 3);
  blade.motion = rod.motion = DEM_WALL_PRESCRIBED;
  blade.position[2] = -2.5;
  blade.spin[0] = 1;
  blade.spin[2] = 9;
  rod.position[0] = 2.4;
  rod.spin[0] = 6;
  rod.amplitude[1] = 0.5;
  rod.frequency = 3;
  fill(w, 4, 1.9, 3);
  add(w, &wall);
  add(w, &blade);
  add(w, &rod);
}

/* y is periodic: an endless drum that turns and moves along itself, and a free rod in it. */
static void endless_drum(world *w) {
  dem_wall wall = drum(DEM_WALL_INSIDE, 2.6, 0), rod = drum(DEM_WALL_OUTSIDE, 0.4, 0);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 4;
  wall.velocity[1] = 2;
  rod.motion = DEM_WALL_FREE;
  rod.mass = 20;
  rod.free_axis[0] = rod.free_axis[1] = 1;
  rod.velocity[0] = 1;
  fill(w, 4, 1.9, 3);
  add(w, &wall);
  add(w, &rod);
}

/* In the plane: discs in a ring that turns and swings, stirred by a box, under a free lid. */
static void flat_ring(world *w) {
  dem_wall ring = drum(DEM_WALL_INSIDE, 2.6, 3), blade = box(DEM_WALL_OUTSIDE, 3, 0.4, 7), lid = plane(0, 2.2, 0, 0, -1, 0);
  ring.axis[1] = 0;
  ring.axis[2] = 1;
  ring.motion = blade.motion = DEM_WALL_PRESCRIBED;
  ring.spin[2] = -4;
  ring.amplitude[0] = 0.1;
  ring.frequency = 5;
  blade.position[1] = -1.7;
  blade.spin[2] = 5;
  lid.motion = DEM_WALL_FREE;
  lid.mass = 10;
  lid.free_axis[1] = 1;
  rows r;
  assert_int_equal(rows_create(&r, 16), 0);
  for (int i = 0; i < 16; i++) rows_velocity(&r, rows_put(&r, i % 4 - 1.5, i / 4 - 0.9, 0, 0.45), i % 3 - 1, -2, 0);
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  rows_destroy(&r);
  add(w, &ring);
  add(w, &blade);
  add(w, &lid);
}

typedef struct scene_row {
  const char *name;
  scene_fn *build;
  int32_t watched; /* the wall to look at */
  int32_t dimension, periodic_y;
  int32_t driven; /* some wall is moved */
  int32_t arms;
} scene_row;
static const scene_row scene_list[] = {
    {"turning drum", turning_drum, 0, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"shaken box", shaken_box, 0, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"free lid", free_lid, 1, 3, 0, 0, DEM_ARMS_CONSERVING},
    {"servo box", servo_box, 1, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"stirred", stirred, 1, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"endless drum", endless_drum, 1, 3, 1, 1, DEM_ARMS_CONSERVING},
    {"flat ring", flat_ring, 2, 2, 0, 1, DEM_ARMS_CONSERVING},
    {"turning drum, arms R", turning_drum, 0, 3, 0, 1, DEM_ARMS_RADIUS},
};
enum { SCENES = sizeof scene_list / sizeof *scene_list };

static void scene_options(dem_system_options *o, const scene_row *row) {
  default_options(o);
  o->arms = row->arms;
  o->dimension = row->dimension;
  o->periodic[1] = row->periodic_y;
  o->box_low[1] = -2;
  o->box_high[1] = 2;
  o->gravity[row->dimension - 1] = -10;
  o->gravity[0] = 1;
}

static void check_books(const scene_row *row, const char *integrator, const dem_law_options *law, double drag) {
  dem_system_options o;
  char what[96];
  scene_options(&o, row);
  o.drag = drag;
  world w;
  world_open(&w, &o, integrator, law);
  row->build(&w);
  snprintf(what, sizeof what, "%s, %s, normal %d", row->name, integrator, law->normal);
  const double worst = worst_over(&w, what, 30, 100);
  const dem_energy e = books(&w);
  assert_true(e.sliding[1] > 0 && e.elastic_normal[1] != 0);
  assert_true((e.walls != 0) == row->driven);
  print_message("# %s: residual at most %.1e\n", what, worst);
  world_close(&w);
}

static void books_close_whatever_moves(void **state) {
  (void)state;
  dem_law_options hooke, hertz;
  scene_hooke(&hooke);
  scene_hertz(&hertz);
  for (int k = 0; k < SCENES; k++) {
    check_books(&scene_list[k], "velocity-verlet", &hooke, 0);
    check_books(&scene_list[k], "euler", &hooke, 0.3);
    hooke.attraction = 0;
    check_books(&scene_list[k], "euler", &hertz, 0);
    check_books(&scene_list[k], "velocity-verlet", &hooke, 0.3);
    hooke.attraction = 1;
  }
}

/* A sphere that rests on the bottom of a turning bore without gravity's help would stay; friction drags it up, and all that it has
 * and what slip and dashpots took came from the drum's drive: torque times angle. */
static void the_drive_of_a_drum_supplies_all_energy(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  o.gravity[2] = -10;
  world w;
  double supplied = 0;
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = drum(DEM_WALL_INSIDE, 3, 0);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 2;
  const int32_t id = add(&w, &wall);
  put(&w, 0, 0, -2.5 - 1e-4, NULL, NULL);
  const dem_energy before = books(&w);
  for (int k = 0; k < 4000; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    supplied -= look(&w, id).torque[1] * 2 * 1e-4; /* against the torque of the particle */
  }
  const dem_energy e = books(&w);
  double gained =
      e.kinetic_linear + e.kinetic_angular - before.kinetic_linear - before.kinetic_angular + e.gravity - before.gravity;
  for (int k = 0; k < 2; k++)
    gained += e.elastic_normal[k] + e.elastic_tangential[k] + e.damping_normal[k] + e.damping_tangential[k] + e.sliding[k] +
              e.hysteresis[k];
  ASSERT_REL(gained, e.walls, 1e-11);
  assert_true(e.walls > 0.1 && e.sliding[1] > 0);
  /* rectangles of width dt for the integral of the torque */
  ASSERT_REL(supplied, e.walls, 1e-3);
  world_close(&w);
}

/* Switching what moves a wall with mass is host work; removing it takes its energy away. */
static void switching_is_host_work(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  world w;
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = plane(0, 0, 0, 0, 0, 1), motion;
  wall.mass = 2;
  const int32_t id = add(&w, &wall);
  ASSERT_ABS(books(&w).host, 0, 0);
  motion = wall;
  motion.motion = DEM_WALL_PRESCRIBED;
  motion.velocity[2] = 3;
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &motion));
  ASSERT_REL(books(&w).host, 9, 1e-15);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  ASSERT_ABS(look(&w, id).position[2], 0.3, 1e-13);
  motion.motion = DEM_WALL_FREE;
  motion.free_axis[2] = 1;
  motion.velocity[2] = 1;
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &motion));
  ASSERT_REL(books(&w).host, 1, 1e-15);
  ASSERT_REL(books(&w).kinetic_walls, 1, 1e-15);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  ASSERT_ABS(look(&w, id).position[2], 0.4, 1e-13);
  assert_closed(&w, "switched");
  ASSERT_OK(w.system, dem_system_remove_wall(w.system, id));
  ASSERT_ABS(books(&w).host, 0, 1e-15);
  ASSERT_ABS(books(&w).kinetic_walls, 0, 0);
  world_close(&w);
}

/* ---- list, history, bits ---- */

/* Walls that sweep through spheres at rest, which hardly push back: only the motion of the wall can ask for new lists. Checked by
 * brute force at every step. */
static void sweep(const dem_wall *wall, double skin) {
  dem_system_options o;
  dem_law_options law;
  dem_statistics t;
  frictionless(&law);
  law.normal_stiffness = 1e-6;
  default_options(&o);
  o.dt = 1e-3;
  o.skin = skin;
  world w;
  int64_t touched = 0;
  world_open(&w, &o, NULL, &law);
  fill(&w, 5, 3, 0);
  add(&w, wall);
  for (int n = 0; n < 1000; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    ASSERT_OK(w.system, dem_system_check(w.system));
    dem_statistics_init(&t, sizeof t);
    ASSERT_OK(w.system, dem_system_statistics(w.system, &t));
    touched += t.wall_contacts;
  }
  assert_true(touched > 300);
  assert_true(t.rebuilds > 1 && t.rebuilds < 700); /* it does not simply build at every step */
  world_close(&w);
}

static void sweeping_walls_are_never_missed(void **state) {
  (void)state;
  static const double skins[] = {0.1, 0.4};
  for (int k = 0; k < 2; k++) {
    dem_wall wall = plane(-6, 0, 0, 1, 0, 0);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.velocity[0] = 10;
    sweep(&wall, skins[k]);
    wall = plane(-9, 0, 0, 1, 0, 0); /* swings in from afar */
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[2] = 1.5;
    sweep(&wall, skins[k]);
    wall.velocity[0] = 3;
    wall.velocity[1] = 10;
    sweep(&wall, skins[k]);
    wall = box(DEM_WALL_OUTSIDE, 9, 0.3, 0.3);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[1] = 1;
    wall.spin[2] = 4;
    sweep(&wall, skins[k]);
    wall.position[2] = -6;
    wall.velocity[2] = 10;
    sweep(&wall, skins[k]);
    wall = drum(DEM_WALL_OUTSIDE, 0.3, 9);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[0] = 5;
    wall.spin[1] = 2;
    sweep(&wall, skins[k]);
    wall = drum(DEM_WALL_INSIDE, 4, 30); /* a bore that tumbles */
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[0] = 2;
    wall.velocity[2] = 2;
    sweep(&wall, skins[k]);
    wall = drum(DEM_WALL_INSIDE, 7, 0);
    wall.motion = DEM_WALL_FREE;
    wall.mass = 1e3;
    wall.free_axis[0] = 1;
    wall.velocity[0] = 6;
    sweep(&wall, skins[k]);
  }
}

/* The same with spheres that fly about. */
static void fast_walls_are_never_missed(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  world w;
  world_open(&w, &o, NULL, NULL);
  fill(&w, 4, 1.9, 5);
  dem_wall fast = plane(-6, 0, 0, 1, 0, 0), blade = box(DEM_WALL_OUTSIDE, 8, 0.3, 0.3), rod = drum(DEM_WALL_OUTSIDE, 0.3, 9);
  fast.motion = blade.motion = rod.motion = DEM_WALL_PRESCRIBED;
  fast.velocity[0] = 25;
  fast.spin[2] = 1.5;
  blade.position[2] = 4;
  blade.velocity[2] = -15;
  blade.spin[0] = 3;
  blade.spin[2] = 20;
  rod.position[1] = -5;
  rod.velocity[1] = 20;
  rod.spin[0] = 7;
  rod.spin[1] = 5;
  add(&w, &fast);
  add(&w, &blade);
  add(&w, &rod);
  worst_over(&w, "fast walls", 2000, 1);
  assert_true(books(&w).walls > 0);
  world_close(&w);
}

/* Co-moving walls and particles need no new lists, and a drum that turns about its axis asks for none. */
static void turning_in_itself_costs_no_lists(void **state) {
  (void)state;
  dem_system_options o;
  dem_statistics t;
  default_options(&o);
  o.gravity[2] = -10;
  world w;
  world_open(&w, &o, NULL, NULL);
  dem_wall wall = drum(DEM_WALL_INSIDE, 3, 8);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 100;
  add(&w, &wall);
  put(&w, 0, 0, 0, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000)); /* falls 0.05 of the gap of 2.5 */
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(w.system, dem_system_statistics(w.system, &t));
  assert_int_equal(t.rebuilds, 1);
  world_close(&w);
}

static void run_scene(const scene_row *row, int32_t threads, int32_t ledger, int32_t instructions, snapshot *s,
                      dem_wall_state *wall) {
  dem_system_options o;
  world w;
  scene_options(&o, row);
  o.threads = threads;
  o.ledger = ledger;
  world_open_with(&w, &o, NULL, NULL, instructions);
  row->build(&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 2000));
  snapshot_take(s, w.system);
  *wall = look(&w, row->watched);
  wall->work = 0;
  world_close(&w);
}

/* Threads, books and instruction sets change no bit of particles and walls. */
static void threads_books_and_instructions_change_no_bit(void **state) {
  (void)state;
  for (int k = 0; k < SCENES; k++) {
    const scene_row *row = &scene_list[k];
    snapshot one, three, off, plain;
    dem_wall_state wall[4];
    run_scene(row, 1, 1, DEM_INSTRUCTIONS_AUTO, &one, &wall[0]);
    run_scene(row, 3, 1, DEM_INSTRUCTIONS_AUTO, &three, &wall[1]);
    run_scene(row, 1, 0, DEM_INSTRUCTIONS_AUTO, &off, &wall[2]);
    run_scene(row, 1, 1, DEM_INSTRUCTIONS_PLAIN, &plain, &wall[3]);
    snapshot_assert_same_bits(&one, &plain);
    ASSERT_BITS(&wall[0], &wall[3], sizeof wall[0]);
    snapshot_free(&plain);
    snapshot_assert_same_bits(&one, &three);
    snapshot_assert_same_bits(&one, &off);
    ASSERT_BITS(&wall[0], &wall[1], sizeof wall[0]);
    ASSERT_BITS(&wall[0], &wall[2], sizeof wall[0]);
    snapshot_free(&one);
    snapshot_free(&three);
    snapshot_free(&off);
  }
}

/* A sphere that sticks to a slope keeps its spring while walls come and go: contacts are known by ids, not by places. */
static void history_survives_other_walls(void **state) {
  (void)state;
  dem_system_options o;
  default_options(&o);
  o.gravity[2] = -10;
  o.gravity[0] = 2;
  o.drag = 20;
  world w;
  world_open(&w, &o, NULL, NULL);
  const dem_wall far = box(DEM_WALL_INSIDE, 90, 90, 90), floor = plane(0, 0, 0, 0, 0, 1);
  const int32_t first = add(&w, &far);
  add(&w, &floor);
  const dem_id id = put(&w, 0, 0, 0.5 - 1e-4, NULL, NULL);
  const double torque[3] = {0, -1.0, 0}; /* against rolling */
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_HOST_TORQUE, 1, &id, torque, 0));
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  const double before = books(&w).potential_tangential[1];
  assert_true(before > 1e-6);
  ASSERT_OK(w.system, dem_system_remove_wall(w.system, first));
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  add(&w, &far);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_REL(books(&w).potential_tangential[1], before, 1e-3);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inner_box_is_six_planes),
      cmocka_unit_test(outer_box_has_the_closest_point),
      cmocka_unit_test(outer_cylinder_has_the_closest_point),
      cmocka_unit_test(centres_inside_leave_by_the_nearest_face),
      cmocka_unit_test(inner_cylinder_has_lids),
      cmocka_unit_test(smooth_bore_is_a_pendulum),
      cmocka_unit_test(prescribed_walls_are_where_their_formula_says),
      cmocka_unit_test(moving_walls_are_moving_frames),
      cmocka_unit_test(head_on_impact_with_a_free_wall),
      cmocka_unit_test(momentum_is_shared_with_free_walls),
      cmocka_unit_test(free_walls_fall),
      cmocka_unit_test(frozen_particles_meet_free_walls_only),
      cmocka_unit_test(a_light_free_wall_limits_the_time_step),
      cmocka_unit_test(servo_reaches_its_target),
      cmocka_unit_test(servo_reports_what_it_cannot_reach),
      cmocka_unit_test(six_servos_hold_a_pressure),
      cmocka_unit_test(the_gain_has_a_limit),
      cmocka_unit_test(books_close_whatever_moves),
      cmocka_unit_test(the_drive_of_a_drum_supplies_all_energy),
      cmocka_unit_test(switching_is_host_work),
      cmocka_unit_test(sweeping_walls_are_never_missed),
      cmocka_unit_test(fast_walls_are_never_missed),
      cmocka_unit_test(turning_in_itself_costs_no_lists),
      cmocka_unit_test(threads_books_and_instructions_change_no_bit),
      cmocka_unit_test(history_survives_other_walls),
  };
  return cmocka_run_group_tests_name("walls", tests, NULL, NULL);
}
