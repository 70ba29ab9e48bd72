/* Bonds against closed forms, conservation laws and the books (dem/bond.h). */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"

static const double pi = 3.14159265358979323846;

/* ---- systems ---- */

typedef struct world {
  dem_context *context;
  dem_system *system;
} world;

typedef struct setup {
  const char *integrator;
  double dt, period; /* period: of a box periodic along all axes, 0 = open */
  int32_t ledger, threads, hertz;
} setup;

static void set_law(world *w, int32_t hertz) {
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  if (hertz) {
    o.normal = DEM_NORMAL_HERTZ;
    o.tangential = DEM_TANGENTIAL_NONE;
  } else {
    o.normal_stiffness = 1e4;
    o.damping = DEM_DAMPING_RESTITUTION;
    o.restitution = 0.8;
  }
  assert_int_equal(scene_create_law(w->context, &o, &law), DEM_OK);
  ASSERT_OK(w->system, dem_system_set_law(w->system, 0, 0, law));
  dem_law_release(law);
}

static world open_world(const setup *u) {
  world w;
  dem_system_options o;
  dem_material m;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = u->dt;
  o.ledger = u->ledger;
  o.threads = u->threads ? u->threads : 1;
  for (int a = 0; a < 3 && u->period > 0; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = u->period;
  }
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  if (u->integrator) ASSERT_OK(w.system, dem_system_set_integrator_name(w.system, u->integrator));
  dem_material_init(&m, sizeof m);
  m.young = 1e5;
  ASSERT_OK(w.system, dem_system_add_material(w.system, &m, NULL));
  set_law(&w, u->hertz);
  return w;
}

static void close_world(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* Density such that a sphere of radius 1/2 has mass 1 and inertia 1/10. */
static dem_id put(world *w, double x, double y, double z) {
  dem_particles p;
  dem_id id;
  const double position[3] = {x, y, z}, radius = 0.5, density = 6 / pi;
  dem_particles_init(&p, sizeof p);
  p.count = 1;
  p.position = position;
  p.radius = &radius;
  p.density = &density;
  ASSERT_OK(w->system, dem_system_add_particles(w->system, &p, &id));
  return id;
}

static void set3(world *w, int32_t field, dem_id id, double x, double y, double z) {
  const double v[3] = {x, y, z};
  ASSERT_OK(w->system, dem_system_set_field(w->system, field, 1, &id, v, 0));
}

static void get3(const world *w, int32_t field, dem_id id, double v[3]) {
  ASSERT_OK(w->system, dem_system_get_field(w->system, field, 1, &id, v, 0));
}

static int32_t add_type(world *w, const dem_bond_type *t) {
  int32_t index;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, t, &index));
  return index;
}

static dem_bond_type harmonic(double k) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.model = DEM_BOND_HARMONIC;
  t.stiffness = k;
  return t;
}

/* Stiffnesses per area; A = pi/4, I = pi/64 at radius 1/2. */
static dem_bond_type beam(double normal, double tangential) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = normal;
  t.tangential_stiffness = tangential;
  return t;
}

static const double AREA = 3.14159265358979323846 / 4, INERTIA = 3.14159265358979323846 / 64;

static dem_id join(world *w, int32_t type, dem_id i, dem_id j, double rest) {
  dem_bond b;
  dem_id id;
  memset(&b, 0, sizeof b);
  b.i = i;
  b.j = j;
  b.type = type;
  b.rest_length = rest;
  ASSERT_OK(w->system, dem_system_add_bonds(w->system, 1, &b, sizeof b, &id));
  return id;
}

static dem_bond only_bond(const world *w) {
  dem_bond b;
  int64_t count;
  ASSERT_OK(w->system, dem_system_bond_count(w->system, &count));
  assert_int_equal(count, 1);
  ASSERT_OK(w->system, dem_system_bonds(w->system, 1, &b, sizeof b));
  return b;
}

static void step(world *w, int64_t n) { ASSERT_OK(w->system, dem_system_step(w->system, n)); }

static dem_energy books(const world *w) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e;
}

static void assert_closes(const dem_energy *e) { ASSERT_BELOW(e->residual_relative, 1e-12); }

static double distance(const world *w, dem_id i, dem_id j) {
  double a[3], b[3];
  get3(w, DEM_POSITION, i, a);
  get3(w, DEM_POSITION, j, b);
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* ---- along the bond ---- */

/* Velocity-Verlet of x'' = -w^2 x from a turning point is cos(n a) exactly, sin(a/2) = w dt/2. */
static double verlet_cosine(double omega, double dt, int64_t n) { return cos((double)n * 2 * asin(0.5 * omega * dt)); }

static void check_oscillator(const dem_bond_type *t, double k, double stretch) {
  const setup u = {.dt = 1e-3};
  world w = open_world(&u);
  const dem_id i = put(&w, 0.1, 0.2, 0.3), j = put(&w, 1.1 + stretch, 0.2, 0.3);
  join(&w, add_type(&w, t), i, j, 1.0);
  const double omega = sqrt(2 * k);
  for (int n = 1; n <= 1000; n++) {
    step(&w, 1);
    ASSERT_ABS(distance(&w, i, j) - 1, stretch * verlet_cosine(omega, 1e-3, n), 1e-12);
  }
  close_world(&w);
}

/* A pair of masses m on a spring k swings at sqrt(2 k/m), drawn or pushed, whatever the contact law would do. */
static void pair_swings(void **state) {
  (void)state;
  const dem_bond_type a = harmonic(800), b = beam(800 / AREA, 100);
  check_oscillator(&a, 800, 0.1);
  check_oscillator(&a, 800, -0.1);
  check_oscillator(&b, 800, 0.1);
  check_oscillator(&b, 800, -0.1);
}

/* Stable below h = sqrt(2 m/k) and not above. */
static void stability_limit(void **state) {
  (void)state;
  for (int above = 0; above < 2; above++) {
    const setup u = {.dt = sqrt(2.0 / 800) * (above ? 1.01 : 0.99)};
    world w = open_world(&u);
    const dem_bond_type t = harmonic(800);
    const dem_id i = put(&w, 0, 0, 0), j = put(&w, 1.001, 0, 0);
    join(&w, add_type(&w, &t), i, j, 1.0);
    double most = 0;
    for (int n = 0; n < 200 && most < 1e3; n++) { /* an instability ends far away, where steps are refused */
      step(&w, 1);
      most = fmax(most, fabs(distance(&w, i, j) - 1));
    }
    /* at 0.99 of the limit the discrete amplitude is at most 1/sqrt(1 - 0.99^2) = 7 times the first */
    assert_true(above ? most > 0.01 : most < 0.0071);
    close_world(&w);
  }
}

/* The library's own limit, for bonds stiffer than the contact law: 2/omega of the stiffest of its springs. */
static void check_limit(const dem_bond_type *t, double omega2) {
  const setup u = {.dt = 1e-4};
  world w = open_world(&u);
  const dem_id i = put(&w, 0, 0, 0), j = put(&w, 1, 0, 0);
  join(&w, add_type(&w, t), i, j, 0);
  double limit;
  ASSERT_OK(w.system, dem_system_stable_dt(w.system, &limit));
  ASSERT_REL(limit, 2 / sqrt(omega2), 1e-14);
  close_world(&w);
}

static void limit_is_told(void **state) {
  (void)state;
  dem_bond_type t = harmonic(1e6);
  check_limit(&t, 2e6);
  t = beam(1e6, 0);
  check_limit(&t, 2e6 * AREA);
  t.tangential_stiffness = 1e6;
  check_limit(&t, 1e6 * AREA * (2 + 2 * 0.25 / 0.1));
  t.bending_stiffness = 1e8;
  check_limit(&t, 1e8 * INERTIA * 20);
  t.twisting_stiffness = 1e8;
  check_limit(&t, 2e8 * INERTIA * 20);
}

/* A straight chain of N with free ends swings lengthwise in the mode x_k = cos(pi p (k + 1/2)/N) at 2 sqrt(k/m) sin(pi p/(2N)). */
static void axial_waves(void **state) {
  (void)state;
  enum { LINKS = 10 };
  for (int mode = 1; mode < LINKS; mode += 4) {
    const setup u = {.dt = 1e-3};
    world w = open_world(&u);
    const dem_bond_type t = beam(800 / AREA, 300);
    const int32_t type = add_type(&w, &t);
    const double omega = 2 * sqrt(800) * sin(pi * mode / (2 * LINKS)), size = 0.01;
    dem_id id[LINKS];
    double shape[LINKS], x[3];
    for (int k = 0; k < LINKS; k++) {
      shape[k] = size * cos(pi * mode * (k + 0.5) / LINKS);
      id[k] = put(&w, k + shape[k], 0, 0);
      if (k) join(&w, type, id[k], id[k - 1], 1.0);
    }
    for (int n = 1; n <= 600; n++) {
      step(&w, 1);
      for (int k = 0; k < LINKS; k++) {
        get3(&w, DEM_POSITION, id[k], x);
        ASSERT_ABS(x[0] - k, shape[k] * verlet_cosine(omega, 1e-3, n), 1e-11);
      }
    }
    close_world(&w);
  }
}

/* With a dashpot the swing dies as exp(-c t/2), m* being in both the dashpot and the motion; what is lost is heat. */
static void damped_pair(void **state) {
  (void)state;
  const setup u = {.dt = 1e-5, .ledger = 1};
  world w = open_world(&u);
  dem_bond_type t = harmonic(800);
  t.normal_damping = 4;
  const dem_id i = put(&w, 0, 0, 0), j = put(&w, 1.01, 0, 0);
  join(&w, add_type(&w, &t), i, j, 1.0);
  const dem_energy before = books(&w);
  const double omega = sqrt(1600 - 4.0);
  for (int n = 1; n <= 5; n++) {
    step(&w, 5000);
    const double time = 0.05 * n, exact = 0.01 * exp(-2 * time) * (cos(omega * time) + 2 / omega * sin(omega * time));
    /* the dashpot sees the velocity half a step before, as if the mass were less by c dt/2: the phase runs ahead by c dt/4 */
    ASSERT_ABS(distance(&w, i, j) - 1, exact, 0.01 * (4 * 1e-5 / 4) * (1 + omega * time));
  }
  const dem_energy e = books(&w);
  assert_closes(&e);
  ASSERT_REL(e.damping_bond + e.kinetic_linear + e.potential_bond, before.potential_bond, 1e-6); /* (w dt)^2 */
  close_world(&w);
}

/* ---- across, bending, twisting ---- */

/* One end held: the other is given a displacement across in one go of many small steps; f_t = -k_tb A u. */
static void static_shear(void **state) {
  (void)state;
  const setup u = {.dt = 1e-3};
  world w = open_world(&u);
  const dem_bond_type t = beam(1e3, 400);
  const dem_id i = put(&w, 1, 0, 0), j = put(&w, 0, 0, 0);
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &j, 1));
  join(&w, add_type(&w, &t), i, j, 0);
  set3(&w, DEM_VELOCITY, i, 0, 1e-6, 0);
  step(&w, 1);
  const dem_bond b = only_bond(&w);
  /* one step from rest: u = v dt */
  ASSERT_REL(b.force[1], -400 * AREA * 1e-9, 1e-9);
  assert_true(b.i == i && b.j == j && b.force[2] == 0);
  ASSERT_BELOW(fabs(b.force[0]), 1.01e-9 * fabs(b.force[1])); /* the bond has turned by u */
  close_world(&w);
}

/* Two spheres turned against each other about n swing at sqrt(2 k_w 2I/inertia), about another axis at the bending frequency
 * sqrt(2 k_b I/inertia) when the tangential spring is off. */
static void check_torsion(int axis, double stiffness) {
  const double rate = 1e-3, omega = sqrt(2 * stiffness / 0.1);
  const setup u = {.dt = 1e-3};
  world w = open_world(&u);
  dem_bond_type t = beam(1e3, 0);
  t.bending_stiffness = axis == 0 ? 0 : stiffness / INERTIA;
  t.twisting_stiffness = axis == 0 ? stiffness / (2 * INERTIA) : 0;
  const dem_id i = put(&w, 1, 0, 0), j = put(&w, 0, 0, 0);
  join(&w, add_type(&w, &t), i, j, 0);
  double spin[3] = {0, 0, 0}, now[3];
  spin[axis] = rate;
  set3(&w, DEM_SPIN, i, spin[0], spin[1], spin[2]);
  set3(&w, DEM_SPIN, j, -spin[0], -spin[1], -spin[2]);
  for (int n = 1; n <= 500; n++) {
    step(&w, 1);
    get3(&w, DEM_SPIN, i, now);
    /* full-step spin of velocity-Verlet started at the middle: amplitude cos(a/2) of the half-step one, in all exactly cos(n a) */
    ASSERT_ABS(now[axis], rate * verlet_cosine(omega, 1e-3, n), 1e-12 * rate * n);
  }
  close_world(&w);
}

static void torsional_oscillators(void **state) {
  (void)state;
  check_torsion(0, 3.0);
  check_torsion(1, 2.0);
  check_torsion(2, 2.0);
}

/* Discs in a plane: bending about z is all there is; what points out of the plane is refused. */
static void in_two_dimensions(void **state) {
  (void)state;
  world w;
  dem_system_options o;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  o.dimension = 2;
  o.shape = DEM_SHAPE_DISC;
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  set_law(&w, 0);
  dem_bond_type t = beam(1e3, 0);
  t.tangential_stiffness = 1e-9;
  t.bending_stiffness = 2 / INERTIA;
  t.twisting_stiffness = 1;
  const dem_id i = put(&w, 1, 0, 0), j = put(&w, 0, 0, 0);
  dem_bond b = {.i = i, .j = j, .type = add_type(&w, &t), .force = {0, 0, 1}};
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL), DEM_BAD_ARGUMENT);
  b.force[2] = 0;
  b.bending[0] = 1;
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL), DEM_BAD_ARGUMENT);
  b.bending[0] = 0;
  b.twisting = 1;
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL), DEM_BAD_ARGUMENT);
  b.twisting = 0;
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL));
  set3(&w, DEM_SPIN, i, 0, 0, 1e-3);
  set3(&w, DEM_SPIN, j, 0, 0, -1e-3);
  double inertia, now[3];
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_INERTIA, 1, &i, &inertia, 0));
  for (int n = 1; n <= 300; n++) {
    step(&w, 1);
    get3(&w, DEM_SPIN, i, now);
    ASSERT_ABS(now[2], 1e-3 * verlet_cosine(sqrt(2 * 2 / inertia), 1e-3, n), 1e-10);
  }
  close_world(&w);
}

/* ---- relaxation ---- */

/* Ends held: every elastic part falls as exp(-t/t_d), the rest length goes to the length, and what is lost is heat. */
static void relaxation(void **state) {
  (void)state;
  const setup u = {.dt = 1e-3, .ledger = 1};
  world w = open_world(&u);
  dem_bond_type t = beam(1e3, 400);
  t.bending_stiffness = t.twisting_stiffness = 500;
  t.relaxation_time = 0.2;
  const dem_id i = put(&w, 1.1, 0, 0), j = put(&w, 0, 0, 0);
  dem_bond b = {
      .i = i, .j = j, .type = add_type(&w, &t), .rest_length = 1, .force = {0, 3, 4}, .bending = {0, 1, 2}, .twisting = 5};
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL));
  const dem_id both[2] = {i, j};
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 2, both, 1));
  const dem_energy before = books(&w);
  const double held = 0.5 * 1e3 * AREA * 0.01 + 12.5 / (400 * AREA) + 2.5 / (500 * INERTIA) + 12.5 / (500 * 2 * INERTIA);
  ASSERT_REL(before.potential_bond, held, 1e-14);
  step(&w, 300);
  b = only_bond(&w);
  const double left = exp(-1.5);
  ASSERT_REL(1.1 - b.rest_length, 0.1 * left, 1e-12);
  ASSERT_REL(b.force[2], 4 * left, 1e-12);
  ASSERT_REL(b.bending[1], left, 1e-12);
  ASSERT_REL(b.twisting, 5 * left, 1e-12);
  const dem_energy e = books(&w);
  ASSERT_REL(e.potential_bond, held * left * left, 1e-12);
  ASSERT_REL(e.damping_bond, held * (1 - left * left), 1e-12);
  assert_closes(&e);
  close_world(&w);
}

/* ---- a lattice that is struck ---- */

enum { SIDE = 4, MOST = 600 };

typedef struct block {
  world w;
  int64_t count;
  dem_id id[MOST];
} block;

/* n^3 spheres that just touch, bonded to their neighbours, in free space; a sphere flies into a corner of it. */
static void build_block(block *b, const setup *u, const dem_bond_type *t, int n, double speed) {
  b->w = open_world(u);
  b->count = 0;
  for (int k = 0; k < n * n * n; k++) b->id[b->count++] = put(&b->w, 20 + k % n, 20 + (k / n) % n, 20 + (double)(k / n / n));
  int64_t made;
  ASSERT_OK(b->w.system, dem_system_bond_neighbours(b->w.system, add_type(&b->w, t), 0, 0, 1e-6, &made));
  assert_int_equal(made, 3 * n * n * (n - 1));
  if (speed == 0) return;
  b->id[b->count++] = put(&b->w, 20.3, 20.2, 20 + n + 0.1);
  set3(&b->w, DEM_VELOCITY, b->id[b->count - 1], 0.1 * speed, 0.2 * speed, -speed);
  set3(&b->w, DEM_SPIN, b->id[b->count - 1], 1, 2, 3);
}

static dem_bond_type brittle(void) {
  dem_bond_type t = beam(4e3, 2e3);
  t.bending_stiffness = t.twisting_stiffness = 1e3;
  t.normal_damping = 1;
  t.tangential_damping = 0.5;
  t.relaxation_time = 2;
  t.break_strain = 0.01;
  t.break_normal_stress = 60;
  t.break_shear_stress = 40;
  return t;
}

typedef struct events {
  int64_t count;
  double energy;
} events;

/* Events come in the order of their steps, name bonds that are gone, and stay until taken. */
static events take_events(world *w, double dt) {
  events sum = {0, 0};
  dem_bond_break b[16];
  int64_t n, step_before = 0;
  do {
    ASSERT_OK(w->system, dem_system_take_bond_breaks(w->system, 16, b, sizeof *b, &n));
    for (int64_t k = 0; k < n; k++) {
      assert_true(b[k].step >= step_before && b[k].energy >= 0);
      assert_true(b[k].reason >= DEM_BREAK_STRAIN && b[k].reason <= DEM_BREAK_SHEAR_STRESS);
      ASSERT_REL(b[k].time, (double)b[k].step * dt, 1e-12);
      ASSERT_STATUS(w->system, dem_system_remove_bonds(w->system, 1, &b[k].id), DEM_NOT_FOUND);
      step_before = b[k].step;
      sum.energy += b[k].energy;
    }
    sum.count += n;
  } while (n > 0);
  return sum;
}

static void check_strike(const char *integrator, int32_t hertz, int32_t damped) {
  const setup u = {.dt = 2e-4, .integrator = integrator, .hertz = hertz, .ledger = 2};
  dem_bond_type t = brittle();
  if (!damped) t.normal_damping = t.tangential_damping = t.relaxation_time = 0;
  block b;
  build_block(&b, &u, &t, SIDE, 12);
  int64_t before, after;
  ASSERT_OK(b.w.system, dem_system_bond_count(b.w.system, &before));
  double worst = 0;
  for (int k = 0; k < 100; k++) {
    step(&b.w, 20);
    worst = fmax(worst, books(&b.w).residual_relative);
  }
  ASSERT_OK(b.w.system, dem_system_check(b.w.system));
  ASSERT_OK(b.w.system, dem_system_bond_count(b.w.system, &after));
  const dem_energy e = books(&b.w);
  const events broken = take_events(&b.w, u.dt);
  print_message("# %s, %s, %s: %d of %d bonds broke, %.3g J; residual %.1e\n", integrator, hertz ? "Hertz" : "Hooke",
                damped ? "damped" : "elastic", (int)broken.count, (int)before, e.breakage, worst);
  ASSERT_BELOW(worst, 1e-12);
  assert_true(broken.count > 10 && after == before - broken.count);
  ASSERT_REL(broken.energy, e.breakage, 1e-12);
  assert_true(e.damping_bond >= 0 && (damped ? e.damping_bond > 0 : e.damping_bond == 0));
  /* what the particles took up is what the accounts say */
  double *heat = malloc((size_t)b.count * 8 * sizeof *heat), sum[8] = {0};
  ASSERT_OK(b.w.system, dem_system_get_field(b.w.system, DEM_HEAT_CLASSES, b.count, NULL, heat, 0));
  for (int64_t k = 0; k < 8 * b.count; k++) sum[k % 8] += heat[k];
  free(heat);
  ASSERT_ABS(sum[6], e.damping_bond, 1e-12 * e.largest);
  ASSERT_ABS(sum[7], e.breakage, 1e-12 * e.largest);
  close_world(&b.w);
}

static void struck_lattice_closes(void **state) {
  (void)state;
  for (int32_t hertz = 0; hertz < 2; hertz++)
    for (int32_t damped = 0; damped < 2; damped++) {
      check_strike("velocity-verlet", hertz, damped);
      check_strike("euler", hertz, damped);
    }
}

/* ---- conservation ---- */

static void momenta(const block *b, double p[3], double l[3]) {
  double x[3], v[3], w[3];
  for (int a = 0; a < 3; a++) p[a] = l[a] = 0;
  for (int64_t k = 0; k < b->count; k++) {
    get3(&b->w, DEM_POSITION, b->id[k], x);
    get3(&b->w, DEM_VELOCITY, b->id[k], v);
    get3(&b->w, DEM_SPIN, b->id[k], w);
    for (int a = 0; a < 3; a++) {
      p[a] += v[a];
      l[a] += x[(a + 1) % 3] * v[(a + 2) % 3] - x[(a + 2) % 3] * v[(a + 1) % 3] + 0.1 * w[a];
    }
  }
}

/* Newton's third law and conserving arms: bonds change neither momentum, breaking or not. */
static void momenta_stay(void **state) {
  (void)state;
  for (int breaks = 0; breaks < 2; breaks++) {
    const setup u = {.dt = 2e-4};
    dem_bond_type t = brittle();
    if (!breaks) t.break_strain = t.break_normal_stress = t.break_shear_stress = 0;
    block b;
    build_block(&b, &u, &t, SIDE, 4);
    double p[3], l[3], p1[3], l1[3];
    momenta(&b, p, l);
    step(&b.w, 2000);
    momenta(&b, p1, l1);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(p[a], p1[a], 1e-12 * 4);
      ASSERT_ABS(l[a], l1[a], 1e-12 * 4 * 25 * 3); /* levers of 25 */
    }
    close_world(&b.w);
  }
}

/* ---- bits ---- */

static void read_all(const block *b, double *out) {
  double *x = out;
  for (int64_t k = 0; k < b->count; k++, x += 9) {
    get3(&b->w, DEM_POSITION, b->id[k], x);
    get3(&b->w, DEM_VELOCITY, b->id[k], x + 3);
    get3(&b->w, DEM_SPIN, b->id[k], x + 6);
  }
}

/* Threads and ledger change no bit; enough particles for several parts. */
static void same_bits(void **state) {
  (void)state;
  const setup kinds[] = {{.dt = 2e-4, .threads = 1},
                         {.dt = 2e-4, .threads = 3},
                         {.dt = 2e-4, .threads = 1, .ledger = 1},
                         {.dt = 2e-4, .threads = 3, .ledger = 2}};
  static double first[9 * MOST], now[9 * MOST];
  int64_t left[4];
  for (int k = 0; k < 4; k++) {
    const dem_bond_type t = brittle();
    block b;
    build_block(&b, &kinds[k], &t, 8, 20);
    step(&b.w, 600);
    ASSERT_OK(b.w.system, dem_system_bond_count(b.w.system, &left[k]));
    read_all(&b, k ? now : first);
    if (k) ASSERT_BITS(first, now, (size_t)b.count * 9 * sizeof(double));
    assert_int_equal(left[k], left[0]);
    close_world(&b.w);
  }
  assert_true(left[0] < 3 * 64 * 7 - 10);
}

/* ---- breakage ---- */

/* Two spheres fly apart and break at 1 % stretch: all that the bond held goes to breakage. */
static void check_breakage(double rest, double speed, double dt) {
  const setup u = {.dt = dt, .ledger = 1};
  world w = open_world(&u);
  dem_bond_type t = harmonic(800);
  t.break_strain = 0.01 * 1 / rest + (1 - rest) / rest; /* at a length of 1.01 */
  const dem_id i = put(&w, 1, 0, 0), j = put(&w, 0, 0, 0);
  join(&w, add_type(&w, &t), i, j, rest);
  set3(&w, DEM_VELOCITY, i, speed, 0, 0);
  set3(&w, DEM_VELOCITY, j, -speed, 0, 0);
  const double at_start = 0.5 * 800 * (1 - rest) * (1 - rest), held = 0.5 * 800 * (1.01 - rest) * (1.01 - rest);
  double before = 0, after;
  dem_energy e = books(&w);
  ASSERT_ABS(e.potential_bond, at_start, 1e-13);
  ASSERT_ABS(e.potential_host[0], at_start, 1e-13);
  before = e.kinetic_linear;
  step(&w, (int64_t)(0.02 / speed / dt));
  e = books(&w);
  after = e.kinetic_linear;
  const events broken = take_events(&w, dt);
  assert_int_equal(broken.count, 1);
  /* the threshold is passed within a step: 2 v dt late; the force acts half a step less */
  ASSERT_ABS(e.breakage, held, 1.01 * 800 * (1.01 - rest) * 3 * speed * dt);
  ASSERT_ABS(before - after, e.breakage - at_start, 1e-14);
  ASSERT_ABS(e.elastic_bond, -at_start, 1e-14); /* of the bond itself nothing is left but what the host brought */
  ASSERT_ABS(e.potential_bond, 0, 0);
  ASSERT_ABS(e.numerical[0], 0, 1e-13);
  assert_closes(&e);
  close_world(&w);
}

static void breakage_is_what_was_stored(void **state) {
  (void)state;
  check_breakage(1.0, 1.0, 1e-4);
  check_breakage(1.0, 1.0, 1e-6);
  check_breakage(0.995, 1.0, 1e-6);
}

/* Each limit by itself: the bond holds just below, breaks just above, and says why. */
static void check_threshold(const dem_bond_type *t, const dem_bond *loaded, double below, int32_t reason) {
  for (int above = 0; above < 2; above++) {
    const setup u = {.dt = 1e-9, .ledger = 1};
    const double limit = below * (above ? 1 - 1e-6 : 1 + 1e-6);
    world w = open_world(&u);
    dem_bond_type type = *t;
    if (reason == DEM_BREAK_STRAIN) type.break_strain = limit;
    if (reason == DEM_BREAK_NORMAL_STRESS) type.break_normal_stress = limit;
    if (reason == DEM_BREAK_SHEAR_STRESS) type.break_shear_stress = limit;
    dem_bond b = *loaded;
    b.i = put(&w, 1.02, 0, 0);
    b.j = put(&w, 0, 0, 0);
    b.type = add_type(&w, &type);
    dem_id id;
    ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, &id));
    const double held = books(&w).potential_bond;
    step(&w, 1);
    dem_bond_break event;
    int64_t count;
    ASSERT_OK(w.system, dem_system_take_bond_breaks(w.system, 1, &event, sizeof event, &count));
    assert_int_equal(count, above);
    if (above) {
      assert_true(event.id == id && event.i == b.i && event.j == b.j && event.type == b.type && event.reason == reason);
      ASSERT_REL(event.energy, held, 1e-12);
      const dem_energy e = books(&w);
      ASSERT_REL(e.breakage, held, 1e-12);
      assert_closes(&e);
    }
    close_world(&w);
  }
}

static void limits_of_strength(void **state) {
  (void)state;
  dem_bond_type t = beam(1e3, 500), h = harmonic(100);
  t.bending_stiffness = t.twisting_stiffness = 2e3;
  const dem_bond b = {.rest_length = 1, .force = {0, 0.3, 0.4}, .bending = {0, 0.06, 0.08}, .twisting = -0.05};
  check_threshold(&t, &b, 0.02, DEM_BREAK_STRAIN);
  check_threshold(&t, &b, 1e3 * 0.02 + 0.1 * 0.5 / INERTIA, DEM_BREAK_NORMAL_STRESS);
  check_threshold(&t, &b, 0.5 / AREA + 0.05 * 0.5 / (2 * INERTIA), DEM_BREAK_SHEAR_STRESS);
  const dem_bond plain = {.rest_length = 1};
  check_threshold(&h, &plain, 0.02, DEM_BREAK_STRAIN);
}

/* While a bond replaces the contact, overlapping spheres do not touch; when it breaks, they do. Radii 1/2 and `other`. */
static void let_contact_come_back(double other) {
  const double touch = 0.5 + other, apart = 0.9 * touch;
  for (int beside = 0; beside < 2; beside++) {
    const setup u = {.dt = 1e-4, .ledger = 1};
    world w = open_world(&u);
    dem_bond_type t = harmonic(800);
    t.contact = beside;
    t.break_strain = 0.01;
    const dem_id i = put(&w, apart, 0, 0), j = put(&w, 0, 0, 0);
    ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_RADIUS, 1, &j, &other, 0));
    join(&w, add_type(&w, &t), i, j, 0);
    int64_t contacts;
    step(&w, 1);
    ASSERT_OK(w.system, dem_system_contact_count(w.system, &contacts));
    assert_int_equal(contacts, beside);
    ASSERT_OK(w.system, dem_system_check(w.system));
    set3(&w, DEM_VELOCITY, i, 1, 0, 0);
    step(&w, 95);
    ASSERT_OK(w.system, dem_system_bond_count(w.system, &contacts));
    assert_int_equal(contacts, 0);
    ASSERT_OK(w.system, dem_system_contact_count(w.system, &contacts));
    assert_int_equal(contacts, distance(&w, i, j) < touch);
    assert_true(beside || contacts == 1);
    const double path = books(&w).hysteresis[0], overlap = touch - apart * 1.01;
    /* the contact's spring, k d^2/2, was compressed when it began: within two steps of the threshold, 1e-4 in length */
    if (!beside) ASSERT_ABS(path, -0.5 * 1e4 * overlap * overlap, 1e4 * overlap * 2e-4);
    /* and half a step's work of it at the speed of 1, as its first kick is a whole one */
    if (!beside) ASSERT_ABS(books(&w).numerical[0], 0, 1.01 * 1e4 * overlap * 0.5e-4);
    step(&w, 400);
    assert_true(distance(&w, i, j) > touch);
    ASSERT_OK(w.system, dem_system_check(w.system));
    const dem_energy e = books(&w);
    assert_closes(&e);
    close_world(&w);
  }
}

static void contact_comes_back(void **state) {
  (void)state;
  let_contact_come_back(0.5);
  let_contact_come_back(0.42);
}

/* ---- turning with the bond ---- */

/* A bonded pair that turns as one: the elastic parts turn with it, their lengths and the energy stay. The turn about an axis
 * across the bond comes from the velocities, that about the bond from the spins. */
static void state_turns_with_the_bond(void **state) {
  (void)state;
  for (int about = 0; about < 2; about++) {
    const setup u = {.dt = 1e-3};
    world w = open_world(&u);
    dem_bond_type t = beam(1e4, 1e-9);
    t.bending_stiffness = t.twisting_stiffness = 1e-9;
    const dem_id i = put(&w, 0.5, 0, 0), j = put(&w, -0.5, 0, 0);
    const double rate = 0.5, f = 1e-9;
    dem_bond b = {.i = i, .j = j, .type = add_type(&w, &t), .force = {0, f, 0}, .bending = {0, 0, 2 * f}, .twisting = 3 * f};
    ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL));
    for (int k = 0; k < 2; k++) {
      set3(&w, DEM_SPIN, k ? j : i, about ? rate : 0, 0, about ? 0 : rate);
      if (!about) set3(&w, DEM_VELOCITY, k ? j : i, 0, k ? -0.5 * rate : 0.5 * rate, 0);
    }
    step(&w, 1000);
    b = only_bond(&w);
    /* by half a radian, but for the stretch that the turn takes, rate^2 m/(4 k), and the scheme's (rate dt)^2 */
    const double c = cos(0.5), s = sin(0.5);
    const double force[3] = {about ? 0 : -s * f, c * f, about ? s * f : 0};
    const double bending[3] = {0, about ? -2 * s * f : 0, about ? 2 * c * f : 2 * f};
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(b.force[a], force[a], 1e-4 * f);
      ASSERT_ABS(b.bending[a], bending[a], 1e-4 * f);
    }
    ASSERT_REL(b.twisting, 3 * f, 1e-6);
    close_world(&w);
  }
}

/* ---- frames and images ---- */

/* The same chain in another frame: turned by quarter turns about (1, 1, 1), which permutes the axes to the bit. */
static void turned_frame(void **state) {
  (void)state;
  double end[2][3 * 5];
  for (int turned = 0; turned < 2; turned++) {
    const setup u = {.dt = 2e-4};
    world w = open_world(&u);
    dem_bond_type t = beam(4e3, 2e3);
    t.bending_stiffness = t.twisting_stiffness = 1e3;
    t.normal_damping = t.tangential_damping = 0.3;
    const int32_t type = add_type(&w, &t);
    dem_id id[5];
    for (int k = 0; k < 5; k++) {
      const double x[3] = {1.0 * k, 0.1 * k * k, 0}, v[3] = {0.1 * k, 0.3, k == 2 ? -1 : 0.2}, s[3] = {k == 1, 2, 0.5 * k};
      const int p = turned;
      id[k] = put(&w, x[p], x[(p + 1) % 3], x[(p + 2) % 3]);
      set3(&w, DEM_VELOCITY, id[k], v[p], v[(p + 1) % 3], v[(p + 2) % 3]);
      set3(&w, DEM_SPIN, id[k], s[p], s[(p + 1) % 3], s[(p + 2) % 3]);
      if (k) join(&w, type, id[k - 1], id[k], 0);
    }
    step(&w, 2000);
    for (int k = 0; k < 5; k++) get3(&w, DEM_POSITION, id[k], end[turned] + 3 * k);
    close_world(&w);
  }
  /* sums run in another order: round-off only, over 2000 steps */
  for (int k = 0; k < 5; k++)
    for (int a = 0; a < 3; a++) ASSERT_ABS(end[0][3 * k + (a + 1) % 3], end[1][3 * k + a], 1e-11);
}

/* A chain that flies round a periodic box several times, sorted anew on the way, moves as it does in open space. */
static void through_boundaries(void **state) {
  (void)state;
  enum { LINKS = 12 };
  static double end[2][3 * LINKS];
  for (int periodic = 0; periodic < 2; periodic++) {
    const setup u = {.dt = 5e-4, .period = periodic ? 6 : 0, .ledger = 1};
    world w = open_world(&u);
    dem_bond_type t = beam(4e3, 2e3);
    t.bending_stiffness = t.twisting_stiffness = 1e3;
    const int32_t type = add_type(&w, &t);
    dem_id id[LINKS];
    for (int k = 0; k < LINKS; k++) {
      /* a helix of links of about 1, not meeting itself in any image */
      id[k] = put(&w, 1.5 + cos(1.2 * k), 1.5 + sin(1.2 * k), 0.35 * k);
      set3(&w, DEM_VELOCITY, id[k], 20, 13, 7 + 0.1 * sin(k));
      set3(&w, DEM_SPIN, id[k], 0.1 * k, 0.2, 0);
      if (k) join(&w, type, id[k], id[k - 1], 0);
    }
    step(&w, 4000);
    for (int k = 0; k < LINKS; k++) {
      int32_t image[3];
      get3(&w, DEM_POSITION, id[k], end[periodic] + 3 * k);
      ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 1, &id[k], image, 0));
      for (int a = 0; a < 3 && periodic; a++) end[1][3 * k + a] += 6.0 * image[a];
      assert_true(!periodic || image[0] >= 5);
    }
    ASSERT_OK(w.system, dem_system_check(w.system));
    const dem_energy e = books(&w);
    assert_closes(&e);
    close_world(&w);
  }
  for (int k = 0; k < 3 * LINKS; k++) {
    const double open = end[0][k], round = end[1][k];
    /* contacts of chain ends through the boundary would show; put() wraps positions that start outside by one length */
    ASSERT_ABS(fmod(fabs(open - round) + 3, 6) - 3, 0, 1e-9);
  }
}

/* Moving both ends of a bond, by any shift, one after the other, leaves it what it was. */
static void set_across_boundaries(void **state) {
  (void)state;
  const setup u = {.dt = 1e-3, .period = 6};
  world w = open_world(&u);
  const dem_bond_type t = harmonic(100);
  const dem_id i = put(&w, 5.8, 1, 1), j = put(&w, 0.7, 1, 1);
  join(&w, add_type(&w, &t), i, j, 0);
  ASSERT_REL(only_bond(&w).rest_length, 0.9, 1e-14);
  step(&w, 1);
  set3(&w, DEM_POSITION, i, 3.1, 1, 1);
  set3(&w, DEM_POSITION, j, 4.0, 1, 1);
  ASSERT_ABS(books(&w).potential_bond, 0, 1e-25);
  set3(&w, DEM_POSITION, j, 4.0 + 60, 1.2, 1);
  ASSERT_REL(books(&w).potential_bond, 50 * pow(sqrt(0.81 + 0.04) - 0.9, 2), 1e-10);
  /* pulled further than half the box: still the same image of j */
  for (int k = 1; k <= 5; k++) {
    set3(&w, DEM_POSITION, j, 4.0 + k, 1, 1);
    step(&w, 0);
    ASSERT_REL(books(&w).potential_bond, 50.0 * k * k, 1e-10);
    set3(&w, DEM_VELOCITY, i, 0, 0, 0);
    set3(&w, DEM_VELOCITY, j, 0, 0, 0);
    ASSERT_OK(w.system, dem_system_set_dt(w.system, 1e-12));
    step(&w, 1);
  }
  close_world(&w);
}

/* ---- going on from what was read ---- */

static void read_chain(const world *w, const dem_id *id, int n, double *out) {
  for (int k = 0; k < n; k++) {
    get3(w, DEM_POSITION, id[k], out + 9 * k);
    get3(w, DEM_VELOCITY, id[k], out + 9 * k + 3);
    get3(w, DEM_SPIN, id[k], out + 9 * k + 6);
  }
}

static void goes_on_from_read_state(void **state) {
  (void)state;
  enum { LINKS = 6 };
  const char *names[2] = {"velocity-verlet", "euler"};
  for (int euler = 0; euler < 2; euler++) {
    const setup u = {.dt = 2e-4, .integrator = names[euler]};
    dem_bond_type t = beam(4e3, 2e3);
    t.bending_stiffness = t.twisting_stiffness = 1e3;
    t.relaxation_time = 1;
    if (euler) t.normal_damping = t.tangential_damping = 2;
    world w = open_world(&u), again = open_world(&u);
    const int32_t type = add_type(&w, &t);
    add_type(&again, &t);
    dem_id id[LINKS], new_id[LINKS];
    double half[9 * LINKS], end[9 * LINKS], other[9 * LINKS];
    for (int k = 0; k < LINKS; k++) {
      id[k] = put(&w, 3.0 * k / 3.0, 0.2 * sin(k), 0);
      set3(&w, DEM_VELOCITY, id[k], 0.1 * cos(k), 0.5 * sin(2 * k), 0.3 * k);
      set3(&w, DEM_SPIN, id[k], 1, 0.2 * k, -0.5);
      if (k) join(&w, type, id[k], id[k - 1], 0);
    }
    step(&w, 500);
    dem_bond bond[LINKS - 1];
    ASSERT_OK(w.system, dem_system_bonds(w.system, LINKS - 1, bond, sizeof *bond));
    read_chain(&w, id, LINKS, half);
    for (int k = 0; k < LINKS; k++) {
      const double *x = half + 9 * k;
      new_id[k] = put(&again, x[0], x[1], x[2]);
      set3(&again, DEM_VELOCITY, new_id[k], x[3], x[4], x[5]);
      set3(&again, DEM_SPIN, new_id[k], x[6], x[7], x[8]);
    }
    for (int k = 0; k < LINKS - 1; k++) {
      for (int n = 0; n < LINKS; n++) {
        if (bond[k].i == id[n]) bond[k].i = new_id[n];
        if (bond[k].j == id[n]) bond[k].j = new_id[n];
      }
    }
    ASSERT_OK(again.system, dem_system_add_bonds(again.system, LINKS - 1, bond, sizeof *bond, NULL));
    step(&w, 500);
    step(&again, 500);
    read_chain(&w, id, LINKS, end);
    read_chain(&again, new_id, LINKS, other);
    ASSERT_BITS(end, other, sizeof end);
    close_world(&w);
    close_world(&again);
  }
}

/* ---- the host's changes ---- */

/* Adding, removing, moving, freezing: the books close, and none of it counts as numerical. */
static void host_changes_are_booked(void **state) {
  (void)state;
  const setup u = {.dt = 1e-5, .ledger = 2};
  world w = open_world(&u);
  dem_bond_type t = beam(1e3, 400);
  const int32_t type = add_type(&w, &t);
  dem_id id[4], bond[3];
  int64_t count;
  for (int k = 0; k < 4; k++) id[k] = put(&w, 1.1 * k, 0, 0);
  for (int k = 0; k < 3; k++) bond[k] = join(&w, type, id[k], id[k + 1], 1.0 + 0.01 * k);
  const double each = 0.5 * 1e3 * AREA, brought = each * (0.01 + 0.0081 + 0.0064);
  dem_energy e = books(&w);
  ASSERT_REL(e.potential_host[0], brought, 1e-12);
  ASSERT_OK(w.system, dem_system_remove_bonds(w.system, 1, &bond[0]));
  e = books(&w);
  ASSERT_REL(e.potential_host[0], brought - each * 0.01, 1e-12);
  ASSERT_OK(w.system, dem_system_bond_count(w.system, &count));
  assert_int_equal(count, 2);
  step(&w, 100);
  ASSERT_OK(w.system, dem_system_remove_particles(w.system, 1, &id[3])); /* with its bond */
  ASSERT_OK(w.system, dem_system_bond_count(w.system, &count));
  assert_int_equal(count, 1);
  step(&w, 100);
  set3(&w, DEM_POSITION, id[1], 1.0, 0.05, 0);
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &id[2], 1));
  step(&w, 100);
  const double radius = 0.4;
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_RADIUS, 1, &id[1], &radius, 0));
  step(&w, 100);
  e = books(&w);
  assert_closes(&e);
  ASSERT_ABS(e.numerical[0], 0, 1e-6); /* of the scheme itself: (w dt)^2 of the energy */
  assert_int_equal(only_bond(&w).id, bond[1]);
  close_world(&w);
}

/* ---- the neighbour rule ---- */

static void neighbours_by_rule(void **state) {
  (void)state;
  enum { N = 200 };
  const setup u = {.dt = 1e-4, .period = 8, .ledger = 1};
  world w = open_world(&u);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  dice d = {3};
  dem_id id[N];
  double x[3 * N];
  for (int k = 0; k < N; k++) {
    for (int a = 0; a < 3; a++) x[3 * k + a] = dice_uniform(&d, 0, 8);
    id[k] = put(&w, x[3 * k], x[3 * k + 1], x[3 * k + 2]);
    const int32_t material = k % 2;
    ASSERT_OK(w.system, dem_system_set_field_int(w.system, DEM_MATERIAL, 1, &id[k], &material, 0));
  }
  const dem_bond_type t = harmonic(10);
  const int32_t type = add_type(&w, &t);
  for (int rule = 0; rule < 3; rule++) {
    const double gap = rule == 0 ? -0.1 : rule == 1 ? 0.2 : 0.9;
    int64_t expected = 0, made, again;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
          double r = x[3 * i + a] - x[3 * j + a];
          r -= 8 * round(r / 8);
          square += r * r;
        }
        const int near = rule == 0 ? i % 2 == 0 && j % 2 == 0 : rule == 1 ? i % 2 != j % 2 : i % 2 == 1 && j % 2 == 1;
        expected += near && sqrt(square) - 1 <= gap;
      }
    ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, type, rule > 1, rule > 0, gap, &made));
    assert_int_equal(made, expected);
    assert_true(made > 5);
    ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, type, rule > 1, rule > 0, gap, &again));
    assert_int_equal(again, 0);
  }
  close_world(&w);
}

/* ---- far apart, and much changed ---- */

/* Bonds whose ends lie anywhere in the order of the rows: soft ones, over particles thrown about after they were bonded. */
static void long_bonds(void **state) {
  (void)state;
  static double first[9 * MOST], now[9 * MOST];
  for (int kind = 0; kind < 3; kind++) {
    const setup u = {.dt = 1e-4, .threads = kind == 1 ? 3 : 1, .ledger = kind == 2};
    const dem_bond_type t = harmonic(1);
    dice d = {11};
    block b;
    build_block(&b, &u, &t, 8, 0);
    double p[3], l[3], p1[3], l1[3];
    for (int64_t k = 0; k < b.count; k++)
      set3(&b.w, DEM_POSITION, b.id[k], dice_uniform(&d, 0, 30), dice_uniform(&d, 0, 30), dice_uniform(&d, 0, 30));
    momenta(&b, p, l);
    step(&b.w, 400);
    momenta(&b, p1, l1);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(p1[a] - p[a], 0, 1e-10);
      ASSERT_ABS(l1[a] - l[a], 0, 1e-8);
    }
    ASSERT_OK(b.w.system, dem_system_check(b.w.system));
    read_all(&b, kind ? now : first);
    if (kind) ASSERT_BITS(first, now, (size_t)b.count * 9 * sizeof(double));
    if (kind == 2) {
      const dem_energy e = books(&b.w);
      assert_closes(&e);
    }
    close_world(&b.w);
  }
}

/* Whatever the host does, in any order: ids lead back, lists are right, the books close. */
typedef struct crowd {
  world w;
  dice d;
  int32_t type[2];
  int64_t particles;
  dem_id id[400];
} crowd;

static int pick(crowd *c, int64_t n) { return (int)dice_uniform(&c->d, 0, (double)n); }

static void add_one(crowd *c) {
  const double x[3] = {dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8)};
  c->id[c->particles++] = put(&c->w, x[0], x[1], x[2]);
}

static void remove_one(crowd *c) {
  const int k = pick(c, c->particles);
  ASSERT_OK(c->w.system, dem_system_remove_particles(c->w.system, 1, &c->id[k]));
  c->id[k] = c->id[--c->particles];
}

static void remove_a_bond(crowd *c) {
  static dem_bond bond[20000];
  int64_t count;
  ASSERT_OK(c->w.system, dem_system_bond_count(c->w.system, &count));
  assert_true(count < 20000);
  ASSERT_OK(c->w.system, dem_system_bonds(c->w.system, count, bond, sizeof *bond));
  for (int64_t k = 0; k < count; k++) assert_true(bond[k].id != 0 && bond[k].rest_length > 0);
  if (count > 0) ASSERT_OK(c->w.system, dem_system_remove_bonds(c->w.system, 1, &bond[pick(c, count)].id));
}

static void change_one(crowd *c) {
  const dem_id id = c->id[pick(c, c->particles)];
  const double radius = dice_uniform(&c->d, 0.4, 0.5);
  switch (pick(c, 4)) {
    case 0:
      set3(&c->w, DEM_POSITION, id, dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8));
      break;
    case 1: ASSERT_OK(c->w.system, dem_system_set_frozen(c->w.system, 1, &id, pick(c, 2))); break;
    case 2: ASSERT_OK(c->w.system, dem_system_set_field(c->w.system, DEM_RADIUS, 1, &id, &radius, 0)); break;
    default: step(&c->w, pick(c, 4)); break;
  }
}

static void do_something(crowd *c) {
  switch (pick(c, 6)) {
    case 0: add_one(c); break;
    case 1: remove_one(c); break;
    case 2: remove_a_bond(c); break;
    case 3: ASSERT_OK(c->w.system, dem_system_bond_neighbours(c->w.system, c->type[pick(c, 2)], 0, 0, 0.1, NULL)); break;
    case 4: change_one(c); break;
    default: step(&c->w, pick(c, 30)); break;
  }
}

static void anything_goes(void **state) {
  (void)state;
  const setup u = {.dt = 1e-4, .period = 8, .ledger = 2, .threads = 2};
  crowd c = {.w = open_world(&u), .d = {5}};
  dem_bond_type strong = beam(1e3, 500), weak = brittle();
  strong.contact = 1;
  strong.tangential_damping = 1;
  c.type[0] = add_type(&c.w, &strong);
  c.type[1] = add_type(&c.w, &weak);
  for (int k = 0; k < 150; k++) add_one(&c);
  double worst = 0;
  for (int k = 0; k < 400; k++) {
    do_something(&c);
    ASSERT_OK(c.w.system, dem_system_check(c.w.system));
    worst = fmax(worst, books(&c.w).residual_relative);
  }
  ASSERT_BELOW(worst, 1e-12);
  const events broken = take_events(&c.w, u.dt);
  const dem_energy e = books(&c.w);
  print_message("# %d broke; residual %.1e, numerical %.1e of %.1e\n", (int)broken.count, worst, e.numerical[0], e.largest);
  assert_true(broken.count > 10);
  ASSERT_REL(broken.energy, e.breakage, 1e-11);
  dem_energy_share share; /* the shares of the only material are the accounts, those of contacts that bonds gave way to too */
  dem_energy_share_init(&share, sizeof share);
  ASSERT_OK(c.w.system, dem_system_energy_of_materials(c.w.system, 0, 0, &share));
  ASSERT_ABS(share.elastic_normal[0], e.elastic_normal[0], 1e-12 * e.largest);
  ASSERT_ABS(share.hysteresis[0], e.hysteresis[0], 1e-12 * e.largest);
  assert_true(e.hysteresis[0] < 0);
  close_world(&c.w);
}

/* ---- a pair that turns while its springs swing: the order of a scheme ---- */

static void turning_pair(const char *integrator, double dt, int damped, double out[12]) {
  const setup u = {.integrator = integrator, .dt = dt, .ledger = 1};
  world w = open_world(&u);
  dem_bond_type t = beam(1e4, 5e3);
  t.bending_stiffness = t.twisting_stiffness = 1e4;
  if (damped) t.tangential_damping = 20;
  const dem_id i = put(&w, 0.5, 0, 0), j = put(&w, -0.5, 0, 0);
  join(&w, add_type(&w, &t), i, j, 1);
  set3(&w, DEM_VELOCITY, i, 0, 5, 0.3);
  set3(&w, DEM_VELOCITY, j, 0, -5, 0.2);
  set3(&w, DEM_SPIN, i, 2, 1, 12);
  set3(&w, DEM_SPIN, j, -1, 1, 9);
  step(&w, (int64_t)(0.5 / dt + 0.5));
  get3(&w, DEM_POSITION, i, out);
  get3(&w, DEM_POSITION, j, out + 3);
  get3(&w, DEM_SPIN, i, out + 6);
  get3(&w, DEM_SPIN, j, out + 9);
  const dem_energy e = books(&w);
  assert_closes(&e);
  close_world(&w);
}

static double pair_error(const char *integrator, double dt, int damped, const double *exact) {
  double now[12], worst = 0;
  turning_pair(integrator, dt, damped, now);
  for (int k = 0; k < 12; k++) worst = fmax(worst, fabs(now[k] - exact[k]) * (k < 6 ? 10 : 1));
  return worst;
}

/* Half the step, a quarter of the error. Velocities seen in the frame of the end of a step alone have a false part that goes with
 * the first power of the step. */
static void turning_pair_converges(void **state) {
  (void)state;
  double exact[12], plain = 0;
  turning_pair("improved-velocity-verlet", 5e-4 / 64, 0, exact);
  for (int scheme = 0; scheme < 2; scheme++) {
    const char *name = scheme ? "improved-velocity-verlet" : "velocity-verlet";
    const double e[3] = {pair_error(name, 5e-4, 0, exact), pair_error(name, 2.5e-4, 0, exact),
                         pair_error(name, 1.25e-4, 0, exact)};
    print_message("# %s: errors %.2e %.2e %.2e, orders %.2f %.2f\n", name, e[0], e[1], e[2], log2(e[0] / e[1]),
                  log2(e[1] / e[2]));
    if (scheme)
      assert_true(log2(e[1] / e[2]) > 1.95 && e[2] < 0.5 * plain);
    else
      assert_true(log2(e[1] / e[2]) < 1.7);
    plain = e[2];
  }
  turning_pair("improved-velocity-verlet", 5e-4, 1, exact); /* closes with dashpots too */
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pair_swings),
      cmocka_unit_test(stability_limit),
      cmocka_unit_test(limit_is_told),
      cmocka_unit_test(axial_waves),
      cmocka_unit_test(damped_pair),
      cmocka_unit_test(static_shear),
      cmocka_unit_test(torsional_oscillators),
      cmocka_unit_test(in_two_dimensions),
      cmocka_unit_test(relaxation),
      cmocka_unit_test(struck_lattice_closes),
      cmocka_unit_test(momenta_stay),
      cmocka_unit_test(same_bits),
      cmocka_unit_test(breakage_is_what_was_stored),
      cmocka_unit_test(limits_of_strength),
      cmocka_unit_test(contact_comes_back),
      cmocka_unit_test(state_turns_with_the_bond),
      cmocka_unit_test(turned_frame),
      cmocka_unit_test(through_boundaries),
      cmocka_unit_test(set_across_boundaries),
      cmocka_unit_test(goes_on_from_read_state),
      cmocka_unit_test(host_changes_are_booked),
      cmocka_unit_test(neighbours_by_rule),
      cmocka_unit_test(long_bonds),
      cmocka_unit_test(anything_goes),
      cmocka_unit_test(turning_pair_converges),
  };
  return cmocka_run_group_tests_name("bonds", tests, NULL, NULL);
}
