/* Floating-point exceptions. A host that traps (feenableexcept; gfortran -ffpe-trap; OpenFOAM) dies at the first operation that
 * raises INVALID, DIVBYZERO or OVERFLOW, also where its result is thrown away. Flags are sticky, so a call that leaves none of
 * them raised would not have trapped either, but for threads, which have flags of their own: those run with traps on.
 * Everything is done in each instruction set that the CPU has, as the unused lanes of wide registers compute, too. */
#define _GNU_SOURCE
#include "assertions.h"

#include <dem/plugin/law.h>
#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenes/scenes.h"
#include "unit/test_io_bytes.h"

enum { WATCHED = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, SHOWN = 20 };

/* What is being tried, for the message. */
static char subject[300];
static int raised;

static void look(const char *call) {
  const int flags = fetestexcept(WATCHED);
  if (!flags) return;
  feclearexcept(FE_ALL_EXCEPT);
  if (raised++ < SHOWN)
    print_error("%s raised%s%s%s: %s\n", call, flags & FE_INVALID ? " INVALID" : "", flags & FE_DIVBYZERO ? " DIVBYZERO" : "",
                flags & FE_OVERFLOW ? " OVERFLOW" : "", subject);
}

/* The status of a call that must leave the flags alone. */
#define QUIET(call) quiet((call), #call)
static dem_status quiet(dem_status status, const char *call) {
  look(call);
  return status;
}
#define QUIET_OK(system, call) ASSERT_OK((system), QUIET(call))

static int clear_flags(void **state) {
  (void)state;
  raised = 0;
  subject[0] = '\0';
  feclearexcept(FE_ALL_EXCEPT);
  return 0;
}

static const char *const sets[] = {"auto", "plain", "avx2", "avx512"};
static const char *const schemes[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};

/* NULL where the CPU has no such instructions. */
static dem_context *open_context(int32_t instructions) {
  dem_context_options options;
  dem_context *context = NULL;
  QUIET(dem_context_options_init(&options, sizeof options));
  options.instructions = instructions;
  const dem_status status = QUIET(dem_context_create(&options, &context));
  assert_true(status == DEM_OK || instructions != DEM_INSTRUCTIONS_PLAIN);
  return context;
}

static void in_every_set(void (*body)(dem_context *context)) {
  for (int32_t set = DEM_INSTRUCTIONS_PLAIN; set <= DEM_INSTRUCTIONS_AVX512; set++) {
    dem_context *context = open_context(set);
    if (!context) {
      print_message("# no %s here\n", sets[set]);
      continue;
    }
    body(context);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
  assert_int_equal(raised, 0);
}

/* ---- a small world with every kind of wall and contact ---- */

typedef struct world {
  const dem_law_options *law;
  int32_t scheme, ledger, arms, transport, planar;
} world;

static void add_wall(dem_system *s, dem_wall *w) { QUIET_OK(s, dem_system_add_wall(s, w, NULL)); }

static dem_wall new_wall(int32_t shape) {
  dem_wall w;
  QUIET(dem_wall_init(&w, sizeof w));
  w.shape = shape;
  return w;
}

/* A box with an oscillating and turning floor, an obstacle of each kind, a free plate and one driven by a servo. */
static void add_walls(dem_system *s) {
  dem_wall w = new_wall(DEM_WALL_BOX);
  w.size[0] = w.size[1] = w.size[2] = 8;
  add_wall(s, &w);
  w = new_wall(DEM_WALL_BOX);
  w.side = DEM_WALL_OUTSIDE, w.position[0] = 3, w.size[0] = w.size[1] = w.size[2] = 1;
  add_wall(s, &w);
  w = new_wall(DEM_WALL_CYLINDER);
  w.side = DEM_WALL_OUTSIDE, w.axis[1] = 1, w.position[0] = -3, w.position[2] = -3, w.radius = 0.7, w.length = 3;
  w.motion = DEM_WALL_PRESCRIBED, w.spin[1] = 5;
  add_wall(s, &w);
  w = new_wall(DEM_WALL_CYLINDER);
  w.axis[2] = 1, w.radius = 3.9;
  add_wall(s, &w);
  w = new_wall(DEM_WALL_PLANE);
  w.axis[2] = 1, w.position[2] = -2.5, w.motion = DEM_WALL_PRESCRIBED, w.amplitude[2] = 0.1, w.frequency = 20,
  w.velocity[0] = 0.1;
  add_wall(s, &w);
  w = new_wall(DEM_WALL_PLANE);
  w.axis[2] = -1, w.position[2] = 2.5, w.motion = DEM_WALL_FREE, w.mass = 2, w.free_axis[2] = 1;
  add_wall(s, &w);
  w = new_wall(DEM_WALL_PLANE);
  w.axis[0] = 1, w.position[0] = -3.5, w.motion = DEM_WALL_SERVO, w.direction[0] = 1, w.target = 10, w.gain = 1e-3;
  w.velocity_limit = 1, w.travel_limit = 0.5;
  add_wall(s, &w);
}

/* Contacts of every kind: at random; at rest against each other, with nothing tangential; exactly touching; frozen against frozen
 * and against a wall that moves; without anything near. */
static void add_grains(dem_system *s) {
  rows r;
  dice d = {7};
  assert_int_equal(rows_create(&r, 128), 0);
  for (int k = 0; k < 60; k++) {
    const int64_t row =
        rows_put(&r, -1.4 + 0.9 * (k % 4), -1.4 + 0.9 * (k / 4 % 4), -2.1 + 0.9 * (k / 16), dice_uniform(&d, 0.3, 0.5));
    rows_velocity(&r, row, dice_uniform(&d, -3, 3), dice_uniform(&d, -3, 3), dice_uniform(&d, -3, 3));
    rows_spin(&r, row, dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9));
  }
  rows_put(&r, 2, 3, 0, 0.25), rows_put(&r, 2.49, 3, 0, 0.25), rows_put(&r, 2.99, 3, 0, 0.25);
  rows_put(&r, 2, -3, 0, 0.25), rows_put(&r, 2.5, -3, 0, 0.25);
  r.frozen[rows_put(&r, -2.2, 2.2, -2.3, 0.25)] = 1;
  r.frozen[rows_put(&r, -2.2, 2.6, -2.3, 0.25)] = 1;
  r.frozen[rows_put(&r, -2.2, -2.2, 2.3, 0.25)] = 1;
  rows_put(&r, -2.2, 2.4, -1.95, 0.25);
  rows_put(&r, 3, 0.7, 0.1, 0.21), rows_put(&r, 3, 0.6, 0.6, 0.15), rows_put(&r, 3.6, 0.6, 0.6, 0.18);
  QUIET_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
}

static dem_system *open_world(dem_context *context, const world *w) {
  dem_system_options o;
  dem_system *s = NULL;
  dem_material m;
  dem_law *law = NULL;
  QUIET(dem_system_options_init(&o, sizeof o));
  o.dt = 1e-4, o.gravity[2] = -9.81, o.threads = 1, o.drag = 0.1;
  o.ledger = w->ledger, o.arms = w->arms,
  o.transport = strcmp(schemes[w->scheme], "improved-velocity-verlet") ? w->transport : DEM_TRANSPORT_ROTATE;
  assert_int_equal(QUIET(dem_system_create(context, &o, &s)), DEM_OK);
  QUIET(dem_material_init(&m, sizeof m));
  m.young = 1e6, m.poisson = 0.3;
  QUIET_OK(s, dem_system_add_material(s, &m, NULL));
  if (QUIET(dem_law_create(context, w->law, &law))) fail_msg("%s: %s", subject, dem_context_message(context));
  QUIET_OK(s, dem_system_set_law(s, 0, 0, law));
  QUIET(DEM_OK);
  dem_law_release(law);
  QUIET_OK(s, dem_system_set_integrator_name(s, schemes[w->scheme]));
  add_walls(s);
  add_grains(s);
  return s;
}

static void run_world(dem_context *context, const world *w, int64_t steps) {
  dem_system *s = open_world(context, w);
  QUIET_OK(s, dem_system_check(s));
  QUIET_OK(s, dem_system_step(s, 1));
  QUIET_OK(s, dem_system_step(s, steps));
  dem_energy e;
  QUIET(dem_energy_init(&e, sizeof e));
  if (w->ledger) QUIET_OK(s, dem_system_energy(s, &e));
  dem_system_destroy(s);
  look("dem_system_destroy");
}

/* ---- laws ---- */

/* Every combination of parts; schemes, arms, transport and books take turns. */
static void laws_of_context(dem_context *context) {
  char name[96];
  dem_law_options law;
  for (int k = 0; law_combination(k, &law, name); k++) {
    if (!law_has_meaning(&law)) continue;
    const world w = {&law, k % 3, k / 3 % 3, k / 2 % 2, k / 5 % 2, 0};
    if (k % 7 == 3) law.friction = 0;
    if (k % 4 == 1 && law.normal != DEM_NORMAL_JKR) law.viscosity = 0.1;
    snprintf(subject, sizeof subject, "%s, %s, ledger %d", name, schemes[w.scheme], w.ledger);
    run_world(context, &w, 30);
  }
}

static void test_laws(void **state) {
  (void)state;
  in_every_set(laws_of_context);
}

/* No spring at all, so that no energy is stored, whatever the overlap. */
static void no_spring_of_context(dem_context *context) {
  dem_law_options law;
  QUIET(dem_law_options_init(&law, sizeof law));
  law.normal = DEM_NORMAL_NONE, law.tangential = DEM_TANGENTIAL_NONE;
  for (int32_t k = 0; k < 3; k++) {
    const world w = {&law, k, k, k % 2, k % 2, 0};
    snprintf(subject, sizeof subject, "no normal force, %s, ledger %d", schemes[k], k);
    run_world(context, &w, 10);
  }
}

static void test_no_spring(void **state) {
  (void)state;
  in_every_set(no_spring_of_context);
}

/* Rolling and twisting of both kinds beside Hooke, Hertz and each adhesion, under every scheme and with every kind of books. */
static void rolling_of_context(dem_context *context) {
  for (int k = 0; k < 270; k++) {
    dem_law_options law;
    const char *joint = scene_joint(k % 5, &law);
    world w = {&law, k / 5 % 3, k / 15 % 3, k % 2, k / 2 % 2, 0};
    const int kinds = k / 45;
    if (kinds < 4) {
      joint = kinds % 2 ? "hooke" : "hertz";
      (kinds % 2 ? scene_hooke : scene_hertz)(&law);
      scene_add_rolling(&law, kinds < 2 ? DEM_ROLLING_SPRING : DEM_ROLLING_CONSTANT, k % 3);
    }
    if (kinds == 5) law.rolling_friction = law.twisting_friction = law.friction = 0;
    snprintf(subject, sizeof subject, "%s, rolling %d, twisting %d, %s, ledger %d", joint, law.rolling, law.twisting,
             schemes[w.scheme], w.ledger);
    run_world(context, &w, 30);
  }
}

static void test_rolling(void **state) {
  (void)state;
  in_every_set(rolling_of_context);
}

/* Longer, with contacts that open, particles that come and go, sheared boxes, and the plain pair geometry of two dimensions. */
static void scenes_of_context(dem_context *context) {
  for (int k = 0; k < 3 * scene_count; k++) {
    const scene *c = &scenes[k % scene_count];
    const scene_setup setup = {.integrator = schemes[k / scene_count], .particles = 150, .threads = 1, .ledger = k % 3};
    dem_system *s = NULL;
    snprintf(subject, sizeof subject, "scene %s, %s, ledger %d", c->name, setup.integrator, setup.ledger);
    assert_int_equal(QUIET(scene_build(c, context, &setup, &s)), DEM_OK);
    QUIET_OK(s, scene_run(c, s, c->steps < 400 ? c->steps : 400));
    dem_system_destroy(s);
  }
}

static void test_scenes(void **state) {
  (void)state;
  in_every_set(scenes_of_context);
}

/* Wide sizes have several levels of cells; the choice of levels has divisions of its own. */
static void wide_of_context(dem_context *context) {
  dem_law_options law;
  dem_system_options o;
  dem_system *s = NULL;
  rows r;
  dice d = {3};
  strcpy(subject, "radii from 1 to 200");
  scene_hooke(&law);
  QUIET(dem_system_options_init(&o, sizeof o));
  o.dt = 1e-6, o.threads = 1, o.ledger = 1, o.gravity[2] = -1;
  for (int k = 0; k < 3; k++) o.periodic[k] = 1, o.box_high[k] = 5;
  assert_int_equal(QUIET(dem_system_create(context, &o, &s)), DEM_OK);
  QUIET_OK(s, dem_system_add_material(s, NULL, NULL));
  QUIET_OK(s, scene_set_law(context, s, 0, 0, &law));
  assert_int_equal(rows_create(&r, 2000), 0);
  rows_put(&r, 2.5, 2.5, 2.5, 1);
  for (int k = 1; k < 2000; k++)
    rows_put(&r, dice_uniform(&d, 0, 5), dice_uniform(&d, 0, 5), dice_uniform(&d, 0, 5), k < 20 ? 0.1 : 0.005 * (1 + k % 4));
  QUIET_OK(s, rows_add(&r, s, NULL));
  QUIET_OK(s, dem_system_step(s, 30));
  rows_destroy(&r);
  dem_system_destroy(s);
}

static void test_wide(void **state) {
  (void)state;
  in_every_set(wide_of_context);
}

/* ---- bonds ---- */

static void add_bond_type(dem_system *s, int32_t model, int full) {
  dem_bond_type t;
  QUIET(dem_bond_type_init(&t, sizeof t));
  t.model = model, t.normal_damping = 2, t.contact = full;
  if (model == DEM_BOND_HARMONIC)
    t.stiffness = 1e4;
  else
    t.normal_stiffness = 1e5, t.tangential_stiffness = 5e4, t.radius_factor = 0.8;
  if (model == DEM_BOND_BEAM && full) {
    t.bending_stiffness = t.twisting_stiffness = 1e4, t.tangential_damping = 3, t.relaxation_time = 0.01;
    t.break_normal_stress = t.break_shear_stress = 3e3;
  }
  if (full) t.break_strain = 0.05;
  QUIET_OK(s, dem_system_add_bond_type(s, &t, NULL));
}

static void bonds_of_context(dem_context *context) {
  for (int k = 0; k < 36; k++) {
    dem_law_options law;
    (k % 2 ? scene_hertz : scene_hooke)(&law);
    const world w = {&law, k / 2 % 3, k / 6 % 3, 0, 0, 0};
    snprintf(subject, sizeof subject, "bonds, %s, ledger %d", schemes[w.scheme], w.ledger);
    dem_system *s = open_world(context, &w);
    for (int t = 0; t < 4; t++) add_bond_type(s, t % 2 ? DEM_BOND_HARMONIC : DEM_BOND_BEAM, t / 2);
    int64_t made = 0, broken = 0;
    QUIET_OK(s, dem_system_bond_neighbours(s, k % 4, 0, 0, 0.05, &made));
    assert_true(made > 10);
    QUIET_OK(s, dem_system_step(s, 60));
    dem_bond bonds[200];
    dem_bond_break breaks[200];
    QUIET_OK(s, dem_system_bonds(s, 200, bonds, sizeof *bonds));
    QUIET_OK(s, dem_system_take_bond_breaks(s, 200, breaks, sizeof *breaks, &broken));
    if (broken < made) QUIET_OK(s, dem_system_remove_bonds(s, 1, &bonds[0].id));
    QUIET_OK(s, dem_system_step(s, 10));
    dem_system_destroy(s);
  }
}

static void test_bonds(void **state) {
  (void)state;
  in_every_set(bonds_of_context);
}

/* ---- everything that a host may ask ---- */

static void read_fields(dem_system *s, int64_t n) {
  double *values = calloc((size_t)n * 8, sizeof *values);
  int32_t *integers = calloc((size_t)n * 3, sizeof *integers);
  for (int32_t field = DEM_POSITION; field <= DEM_HEAT_CLASSES; field++) {
    if (field == DEM_MATERIAL || field == DEM_FROZEN || field == DEM_IMAGE) {
      QUIET_OK(s, dem_system_get_field_int(s, field, n, NULL, integers, 0));
      continue;
    }
    QUIET_OK(s, dem_system_get_field(s, field, n, NULL, values, 0));
    const int settable = field <= DEM_DENSITY || field == DEM_HOST_FORCE || field == DEM_HOST_TORQUE;
    if (settable) QUIET_OK(s, dem_system_set_field(s, field, n, NULL, values, 0));
    QUIET_OK(s, dem_system_step(s, 2));
  }
  free(values);
  free(integers);
}

static void read_views(dem_system *s) {
  const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_FORCE, DEM_HOST_FORCE};
  for (int k = 0; k < 5; k++) {
    dem_view v = {.struct_size = sizeof v};
    QUIET_OK(s, dem_view_acquire(s, fields[k], DEM_READ, &v));
    QUIET_OK(s, dem_view_release(s, &v));
  }
}

static void read_sums(dem_system *s) {
  double t;
  int64_t n = 0;
  dem_contact *contacts;
  dem_statistics statistics;
  dem_advice advice;
  dem_wall_state wall;
  QUIET(dem_statistics_init(&statistics, sizeof statistics));
  QUIET(dem_advice_init(&advice, sizeof advice));
  QUIET(dem_wall_state_init(&wall, sizeof wall));
  QUIET_OK(s, dem_system_statistics(s, &statistics));
  QUIET_OK(s, dem_system_advise(s, &advice));
  QUIET_OK(s, dem_system_stable_dt(s, &t));
  QUIET_OK(s, dem_system_time(s, &t));
  for (int32_t w = 0; w < 7; w++) {
    QUIET_OK(s, dem_system_wall_state(s, w, &wall));
  }
  QUIET_OK(s, dem_system_contact_count(s, &n));
  contacts = calloc((size_t)n + 1, sizeof *contacts);
  QUIET_OK(s, dem_system_contacts(s, n, contacts, sizeof *contacts));
  free(contacts);
}

static void change_rows(dem_system *s, int64_t n) {
  dem_id *ids = calloc((size_t)n, sizeof *ids);
  QUIET_OK(s, dem_system_ids(s, n, ids));
  QUIET_OK(s, dem_system_set_frozen(s, 5, ids, 1));
  QUIET_OK(s, dem_system_step(s, 2));
  QUIET_OK(s, dem_system_set_frozen(s, 5, ids, 0));
  QUIET_OK(s, dem_system_set_dt(s, 5e-5));
  QUIET_OK(s, dem_system_set_gravity(s, (double[]){1, 2, 3}));
  QUIET_OK(s, dem_system_run_until(s, 0.02));
  QUIET_OK(s, dem_system_remove_wall(s, 1));
  QUIET_OK(s, dem_system_step(s, 2));
  QUIET_OK(s, dem_system_remove_particles(s, n, ids));
  QUIET_OK(s, dem_system_step(s, 2));
  free(ids);
}

static void calls_of_context(dem_context *context) {
  for (int k = 0; k < 3; k++) {
    dem_law_options law;
    scene_joint(k, &law);
    const world w = {&law, k, 2, 0, 0, 0};
    snprintf(subject, sizeof subject, "calls, %s", schemes[k]);
    dem_system *s = open_world(context, &w);
    int64_t n = 0;
    read_sums(s);
    QUIET_OK(s, dem_system_step(s, 40));
    QUIET_OK(s, dem_system_particle_count(s, &n));
    read_sums(s);
    read_views(s);
    read_fields(s, n);
    change_rows(s, n);
    dem_system_destroy(s);
  }
}

static void test_calls(void **state) {
  (void)state;
  in_every_set(calls_of_context);
}

/* One contact at a time, with lanes of nothing beside it. */
static void probe_of_context(dem_context *context) {
  char name[96];
  dem_law_options options;
  const dem_bind materials = {
      .struct_size = sizeof materials, .effective_young = 5e5, .effective_shear = 1e5, .shear_ratio = 0.8};
  for (int k = 0; law_combination(k, &options, name); k++) {
    dem_law *law = NULL;
    if (!law_has_meaning(&options) || k % 3 == 1) continue;
    scene_add_rolling(&options, k % 3, DEM_TWISTING_SPRING);
    snprintf(subject, sizeof subject, "probe of %s", name);
    assert_int_equal(QUIET(dem_law_create(context, &options, &law)), DEM_OK);
    for (int v = 0; v < 4; v++) {
      dem_probe p = {.struct_size = sizeof p, .dt = 1e-4, .overlap = 0.01, .effective_radius = 0.25, .effective_mass = 0.5};
      p.normal[2] = 1, p.velocity[2] = v == 1 ? -1 : 0, p.velocity[0] = v == 2 ? 3 : 0, p.turning[1] = v == 3;
      p.inverse_inertia = 80;
      assert_int_equal(QUIET(dem_law_probe(law, &materials, &p)), DEM_OK);
      p.overlap = 0.005;
      assert_int_equal(QUIET(dem_law_probe(law, &materials, &p)), DEM_OK);
    }
    dem_law_release(law);
  }
}

static void test_probe(void **state) {
  (void)state;
  in_every_set(probe_of_context);
}

/* ---- advice ---- */

static void impacts(int32_t normal, int32_t damping, int32_t attraction, double speed) {
  dem_impact i;
  QUIET(dem_impact_init(&i, sizeof i));
  i.normal = normal, i.damping = damping, i.attraction = attraction;
  i.mass = 0.5, i.radius = 0.25, i.speed = speed, i.stiffness = 1e6;
  i.normal_damping = damping == DEM_DAMPING_NONE ? 0 : 20, i.restitution = 0.6;
  if (damping >= DEM_DAMPING_RESTITUTION) i.normal_damping = 0;
  snprintf(subject, sizeof subject, "impact, normal %d, damping %d, attraction %d, speed %g", normal, damping, attraction,
           speed);
  QUIET(dem_impact_predict(&i));
  QUIET(dem_impact_fit_stiffness(&i, 0.01));
  if (damping) QUIET(dem_impact_fit_damping(&i, 0.5));
}

static void test_advice(void **state) {
  (void)state;
  double out, two;
  for (int k = 0; k < 60; k++)
    impacts(k % 2 ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, k / 4 % 5, k / 2 % 2, k < 20 ? 1 : k < 40 ? 1e-3 : 30);
  const double tried[] = {0.3, 1e-5, 0.999, 7, 1e6, 1e12, NAN, INFINITY, -INFINITY};
  for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
    const double v = tried[k];
    snprintf(subject, sizeof subject, "advice with %g", v);
    QUIET(dem_formula_effective_mass(v, 2, &out)), QUIET(dem_formula_effective_radius(v, v, &out));
    QUIET(dem_formula_effective_moduli(v, 0.3, v, 0.2, &out, &two)), QUIET(dem_formula_material_young(v, 0.3, &out));
    QUIET(dem_formula_hooke_stiffness(1, v, 0.01, &out)), QUIET(dem_formula_hooke_overlap(1, v, 10, &out));
    QUIET(dem_formula_hertz_young(1, 1, v, 0.01, &out)), QUIET(dem_formula_hertz_overlap(1, 1, v, 1e6, &out));
    QUIET(dem_formula_hooke_like_hertz(1, 1, v, 1e6, &out)), QUIET(dem_formula_tangential_ratio(v, &out));
    QUIET(dem_formula_tangential_ratio_of_moduli(v, v / 2.5, &out));
    for (int a = 0; a < 2; a++) QUIET(dem_formula_damping_ratio(v, a, &out)), QUIET(dem_formula_restitution(v, a, &out));
    QUIET(dem_formula_hooke_damping(1, v, 0.5, &out)), QUIET(dem_formula_hooke_damping_ratio(1, 1e4, v, &out));
    QUIET(dem_formula_hertz_damping(1, 1, v, 0.01, 0.5, &out)),
        QUIET(dem_formula_hertz_damping_ratio(1, 1, 1e6, 0.01, v, &out));
    QUIET(dem_formula_hooke_contact_time(1, 1e4, v, &out)), QUIET(dem_formula_hertz_contact_time(1, 1, v, 1e6, &out));
    QUIET(dem_formula_stable_dt(1, 1e4, v, &out)), QUIET(dem_formula_stable_dt(v, 0, 0, &out));
    QUIET(dem_formula_rayleigh_dt(v, 2500, 1e6, 0.3, &out));
    QUIET(dem_formula_critical_ratio(v, &out)), QUIET(dem_formula_critical_friction(v, &out));
  }
  assert_int_equal(raised, 0);
}

/* ---- files ---- */

static void write_everything(dem_system *s) {
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  const double times[2] = {0, 1e-300};
  const char *const names[2] = {"a.vtp", "b.vtp"};
  QUIET_OK(s, dem_system_write_data(s, &sink));
  QUIET_OK(s, dem_system_write_dump(s, &sink));
  QUIET_OK(s, dem_system_write_vtp(s, &sink));
  QUIET_OK(s, dem_pvd_write(&sink, 2, times, names));
  QUIET_OK(s, dem_energy_write_heading(&sink));
  QUIET_OK(s, dem_energy_write_row(s, &sink));
  bytes_clear(&b);
}

/* The largest and smallest numbers there are, written and read back. */
static void test_writers(void **state) {
  (void)state;
  dem_context *context = open_context(DEM_INSTRUCTIONS_AUTO);
  dem_law_options law;
  scene_hooke(&law);
  strcpy(subject, "writers");
  const world w = {&law, 1, 2, 0, 0, 0};
  dem_system *s = open_world(context, &w);
  write_everything(s);
  QUIET_OK(s, dem_system_step(s, 20));
  write_everything(s);
  strcpy(subject, "numbers at the end of the range");
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  const double times[6] = {DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 1e18, 1.23456789012345678e305};
  const char *const names[6] = {"1", "2", "3", "4", "5", "6"};
  QUIET_OK(s, dem_pvd_write(&sink, 6, times, names));
  bytes_clear(&b);
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_int_equal(raised, 0);
}

static const char *const atoms[] = {
    "1 1 0.5 2.5 0.1 0.2 0.3",          "1 1 0.5 2.5 0.1 1e400 0.3",
    "1 1 1e309 2.5 0.1 0.2 0.3",        "1 1 0.5 2.5 nan 0.2 0.3",
    "1 1 0.5 2.5 0.1 1e-400 0.3",       "1 1 0.5 2.5 inf 0.2 0.3",
    "1 1 1e308 1e308 0.1 0.2 0.3",      "1 1 0.5 2.5 0.1 0.2 1.7976931348623159e308",
    "1 1 1e-308 1e-308 0.1 0 0.3",      "1 99999999999999999999 1 1",
    "1 1 0.5 2.5 0.1 1e999999999999 0", "1 1 0.5 2.5 1e300 0.2 0.3 2147483647 0 0",
};

static void test_readers(void **state) {
  (void)state;
  dem_context *context = open_context(DEM_INSTRUCTIONS_AUTO);
  for (size_t k = 0; k < 2 * sizeof atoms / sizeof *atoms; k++) {
    char text[400];
    const char *atom = atoms[k / 2];
    snprintf(text, sizeof text, "title\n\n1 atoms\n1 atom types\n%s 2 xlo xhi\n0 2 ylo yhi\n0 2 zlo zhi\n\nAtoms\n\n%s\n",
             k % 2 ? "-1e308" : "0", atom);
    snprintf(subject, sizeof subject, "%s", atom);
    bytes b = {.text = text, .size = (int64_t)strlen(text), .fail_at = -1};
    const dem_source source = bytes_source(&b);
    dem_data *data = NULL;
    QUIET(dem_data_read(context, &source, &data));
    dem_particles p = {.struct_size = sizeof p};
    if (data) QUIET(dem_data_particles(data, &p));
    dem_data_destroy(data);
  }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_int_equal(raised, 0);
}

/* ---- refusals ---- */

/* Puts a value into one double of a struct after another; the rest is as it was. */
#define SPOILED(object, first, value, call)                                                  \
  for (size_t at = offsetof(__typeof__(object), first); at + 8 <= sizeof(object); at += 8) { \
    const __typeof__(object) whole = (object);                                               \
    memcpy((char *)&(object) + at, &(value), 8);                                             \
    snprintf(subject, sizeof subject, "%g at byte %zu of " #object, value, at);              \
    call;                                                                                    \
    look(#call);                                                                             \
    (object) = whole;                                                                        \
  }

static void spoil_laws(dem_context *context, double bad) {
  for (int k = 0; k < 8; k++) {
    dem_law_options law;
    dem_law *made = NULL;
    if (k < 5)
      scene_joint(k, &law);
    else
      (k == 5 ? scene_hooke : scene_hertz)(&law);
    if (k >= 5) law.viscosity = 1;
    if (k == 7) law.damping = DEM_DAMPING_RESTITUTION_EXACT;
    SPOILED(law, normal_stiffness, bad, dem_law_create(context, &law, &made); dem_law_release(made); made = NULL)
  }
}

static void spoil_walls(dem_system *s, double bad) {
  for (int32_t k = 0; k < 12; k++) {
    dem_wall wall = new_wall(k % 3);
    wall.motion = k / 3, wall.axis[2] = 1, wall.radius = 1, wall.size[0] = wall.size[1] = wall.size[2] = 1;
    wall.free_axis[0] = 1, wall.direction[2] = 1, wall.gain = 1, wall.velocity_limit = 1, wall.target = 1;
    if (wall.motion == DEM_WALL_FREE) wall.mass = 1;
    int32_t id = -1;
    SPOILED(wall, position, bad, dem_system_add_wall(s, &wall, &id); if (id >= 0) dem_system_remove_wall(s, id); id = -1)
  }
}

static void spoil_options(dem_context *context, dem_system *s, double bad) {
  dem_material material;
  dem_bond_type beam, harmonic;
  dem_system_options options;
  dem_system *made = NULL;
  dem_impact impact;
  dem_material_init(&material, sizeof material), dem_bond_type_init(&beam, sizeof beam);
  dem_system_options_init(&options, sizeof options), dem_impact_init(&impact, sizeof impact);
  harmonic = beam;
  harmonic.model = DEM_BOND_HARMONIC, harmonic.stiffness = 1;
  beam.normal_stiffness = 1;
  options.dt = 1;
  impact.mass = impact.radius = impact.speed = impact.stiffness = 1;
  spoil_laws(context, bad);
  spoil_walls(s, bad);
  SPOILED(material, young, bad, dem_system_add_material(s, &material, NULL))
  SPOILED(beam, stiffness, bad, dem_system_add_bond_type(s, &beam, NULL))
  SPOILED(harmonic, stiffness, bad, dem_system_add_bond_type(s, &harmonic, NULL))
  SPOILED(options, box_low, bad, dem_system_create(context, &options, &made); dem_system_destroy(made); made = NULL)
  for (int k = 0; k < 10; k++) {
    impact.normal = k % 2 ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, impact.damping = k / 2;
    SPOILED(impact, mass, bad, dem_impact_predict(&impact))
  }
}

/* What is not a number must be refused without being computed with. */
static void test_refusals(void **state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY, DBL_MAX, 0, -1};
  dem_context *context = open_context(DEM_INSTRUCTIONS_AUTO);
  dem_law_options good;
  scene_hooke(&good);
  const world w = {&good, 1, 1, 0, 0, 0};
  strcpy(subject, "refusals");
  dem_system *s = open_world(context, &w);
  int64_t n = 0;
  QUIET_OK(s, dem_system_particle_count(s, &n));
  double *values = calloc((size_t)n * 3, sizeof *values);
  for (size_t k = 0; k < 3; k++) {
    snprintf(subject, sizeof subject, "refusal of %g", bad[k]);
    values[4] = bad[k];
    for (int32_t field = DEM_POSITION; field <= DEM_DENSITY; field++)
      assert_int_not_equal(QUIET(dem_system_set_field(s, field, n, NULL, values, 0)), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_set_field(s, DEM_HOST_FORCE, n, NULL, values, 0)), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_set_dt(s, bad[k])), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_run_until(s, bad[k])), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_set_gravity(s, (double[]){0, 0, bad[k]})), DEM_OK);
  }
  for (size_t k = 0; k < 3; k++) spoil_options(context, s, bad[k]);
  free(values);
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_int_equal(raised, 0);
}

/* ---- traps ---- */

/* Threads inherit the traps of the one that makes them. A trap ends the test with its signal. */
static void trapped_context(dem_context *context) {
  for (int k = 0; k < 6; k++) {
    dem_law_options law;
    (k % 2 ? scene_hertz : scene_hooke)(&law);
    const scene_setup setup = {.integrator = schemes[k / 2], .law = &law, .particles = 3000, .threads = 4, .ledger = k % 3};
    dem_system *s = NULL;
    assert_int_equal(scene_build(scene_find(k % 2 ? "hertz-bed" : "two-materials"), context, &setup, &s), DEM_OK);
    ASSERT_OK(s, dem_system_step(s, 60));
    dem_system_destroy(s);
  }
}

static void test_traps(void **state) {
  (void)state;
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(WATCHED);
  in_every_set(trapped_context);
  assert_int_equal(fegetexcept(), WATCHED); /* the library gives the host's environment back as it was */
  fedisableexcept(WATCHED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_laws, clear_flags),      cmocka_unit_test_setup(test_rolling, clear_flags),
      cmocka_unit_test_setup(test_no_spring, clear_flags), cmocka_unit_test_setup(test_scenes, clear_flags),
      cmocka_unit_test_setup(test_wide, clear_flags),      cmocka_unit_test_setup(test_bonds, clear_flags),
      cmocka_unit_test_setup(test_calls, clear_flags),     cmocka_unit_test_setup(test_probe, clear_flags),
      cmocka_unit_test_setup(test_advice, clear_flags),    cmocka_unit_test_setup(test_writers, clear_flags),
      cmocka_unit_test_setup(test_readers, clear_flags),   cmocka_unit_test_setup(test_refusals, clear_flags),
      cmocka_unit_test_setup(test_traps, clear_flags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
