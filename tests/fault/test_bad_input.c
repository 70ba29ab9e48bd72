/* Bad input: each row of the table does one wrong thing to a healthy system, and says which status must come back, which words
 * the message must hold (item, value, limit), and implicitly that nothing has changed: everything readable is hashed before and
 * after, and the system steps on afterwards. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include <dem/plugin/law.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "state.h"

/* ---- the healthy system ---- */

/* x periodic, 10 long; three spheres of radius 0.5 (the third frozen) over a floor; materials 0 (no Young's modulus), 1 (with)
 * and 2 (no law for it). */
typedef struct bed {
  dem_context *context;
  dem_system *system;
  dem_system *poor; /* what a create under test left behind; must be NULL */
  dem_law *law;
  dem_id ids[3];
  int32_t wall;
  char log[2048]; /* warnings and errors, one after the other */
} bed;

static void remember(void *user, int32_t level, const char *text) {
  bed *b = user;
  (void)level;
  strncat(b->log, text, sizeof b->log - strlen(b->log) - 1);
}

static void add_material(dem_system *s, double young) {
  dem_material m;
  dem_material_init(&m, sizeof m);
  m.young = young;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
}

static void bed_particles(bed *b) {
  rows r;
  assert_int_equal(rows_create(&r, 3), 0);
  rows_velocity(&r, rows_put(&r, 1, 0, 0.5, 0.5), 1, 0, 0);
  rows_put(&r, 1.999, 0, 0.499, 0.5);
  r.frozen[rows_put(&r, 5, 0, 0.5, 0.5)] = 1;
  ASSERT_OK(b->system, rows_add(&r, b->system, b->ids));
  rows_destroy(&r);
}

static void bed_options(dem_system_options *o) {
  dem_system_options_init(o, sizeof *o);
  o->dt = 1e-4;
  o->periodic[0] = 1;
  o->box_high[0] = 10;
  o->gravity[2] = -10;
  o->ledger = 1;
}

static void bed_open(bed *b) {
  dem_context_options c;
  dem_system_options o;
  dem_law_options l;
  dem_wall p;
  memset(b, 0, sizeof *b);
  dem_context_options_init(&c, sizeof c);
  c.log = remember;
  c.log_user = b;
  assert_int_equal(dem_context_create(&c, &b->context), DEM_OK);
  bed_options(&o);
  assert_int_equal(dem_system_create(b->context, &o, &b->system), DEM_OK);
  add_material(b->system, 0);
  add_material(b->system, 1e6);
  add_material(b->system, 0);
  scene_hooke(&l);
  assert_int_equal(dem_law_create(b->context, &l, &b->law), DEM_OK);
  ASSERT_OK(b->system, dem_system_set_law(b->system, 0, 0, b->law));
  ASSERT_OK(b->system, dem_system_set_law(b->system, 0, 1, b->law));
  dem_wall_init(&p, sizeof p);
  p.axis[2] = 1;
  ASSERT_OK(b->system, dem_system_add_wall(b->system, &p, &b->wall));
  bed_particles(b);
  ASSERT_OK(b->system, dem_system_step(b->system, 20));
  b->log[0] = 0;
}

static void bed_close(bed *b) {
  dem_law_release(b->law);
  dem_system_destroy(b->system);
  assert_int_equal(dem_context_destroy(b->context), DEM_OK);
}

/* ---- what can be done wrong ---- */

#define ACTION(name) static dem_status name(bed *b)

/* Creating systems. */
static dem_status create(bed *b, const dem_system_options *o) { return dem_system_create(b->context, o, &b->poor); }

#define CREATE(name, change) \
  ACTION(name) {             \
    dem_system_options o;    \
    bed_options(&o);         \
    change;                  \
    return create(b, &o);    \
  }
CREATE(dt_zero, o.dt = 0)
CREATE(dt_negative, o.dt = -0.25)
CREATE(dt_nan, o.dt = NAN)
CREATE(dt_infinite, o.dt = INFINITY)
CREATE(dimension_4, o.dimension = 4)
CREATE(shape_unknown, o.shape = 7)
CREATE(disc_in_space, o.shape = DEM_SHAPE_DISC)
CREATE(arms_unknown, o.arms = 9)
CREATE(transport_unknown, o.transport = -3)
CREATE(threads_zero, o.threads = 0)
CREATE(threads_many, o.threads = 257)
CREATE(ledger_3, o.ledger = 3)
CREATE(periodic_2, o.periodic[1] = 2)
CREATE(periodic_empty, o.periodic[1] = 1)
CREATE(box_reversed, o.box_high[2] = -3)
CREATE(box_nan, o.box_low[0] = NAN)
CREATE(gravity_nan, o.gravity[1] = NAN)
CREATE(gravity_out_of_plane, o.dimension = 2)
CREATE(skin_negative, o.skin = -0.5)
CREATE(drag_negative, o.drag = -2)
CREATE(options_size_zero, o.struct_size = 0)
CREATE(options_size_small, o.struct_size = 20)

/* Laws. */
#define LAW(name, change)                                           \
  ACTION(name) {                                                    \
    dem_law_options o;                                              \
    scene_hooke(&o);                                                \
    change;                                                         \
    dem_law *law = b->law;                                          \
    const dem_status status = dem_law_create(b->context, &o, &law); \
    assert_null(law);                                               \
    return status;                                                  \
  }
LAW(restitution_zero, o.restitution = 0)
LAW(restitution_above_1, o.restitution = 1.5)
LAW(stiffness_missing, o.normal_stiffness = 0)
LAW(stiffness_negative, o.normal_stiffness = -7)
LAW(stiffness_nan, o.normal_stiffness = NAN)
LAW(shear_stiffness_negative, o.tangential_stiffness = -7)
LAW(friction_negative, o.friction = -0.5)
LAW(friction_infinite, o.friction = INFINITY)
LAW(rolling_unknown, o.rolling = 3)
LAW(twisting_unknown, o.twisting = -1)
LAW(rolling_without_stiffness, o.rolling = DEM_ROLLING_SPRING)
LAW(rolling_stiffness_nan, (o.rolling = DEM_ROLLING_SPRING, o.rolling_stiffness = NAN))
LAW(rolling_damping_negative, (o.rolling = DEM_ROLLING_SPRING, o.rolling_stiffness = 1, o.rolling_damping = -2))
LAW(rolling_friction_negative, (o.rolling = DEM_ROLLING_CONSTANT, o.rolling_friction = -0.25))
LAW(twisting_without_stiffness, o.twisting = DEM_TWISTING_SPRING)
LAW(twisting_damping_infinite, (o.twisting = DEM_TWISTING_SPRING, o.twisting_stiffness = 1, o.twisting_damping = INFINITY))
LAW(twisting_friction_negative, (o.twisting = DEM_TWISTING_SPRING, o.twisting_stiffness = 1, o.twisting_friction = -3))
LAW(marshall_without_spring, (o.twisting = DEM_TWISTING_MARSHALL, o.tangential = DEM_TANGENTIAL_NONE))
LAW(rolling_without_normal, (o.rolling = DEM_ROLLING_CONSTANT, o.normal = DEM_NORMAL_NONE, o.tangential = DEM_TANGENTIAL_NONE))
LAW(damping_negative, o.normal_damping = -1)
LAW(normal_unknown, o.normal = 12)
LAW(tangential_unknown, o.tangential = 12)
LAW(damping_unknown, o.damping = 12)
LAW(shear_damping_unknown, o.tangential_damping = 12)
LAW(attraction_2, o.attraction = 2)
LAW(mindlin_on_hooke, o.tangential = DEM_TANGENTIAL_MINDLIN)
LAW(law_size_small, o.struct_size = 8)

static void jkr(dem_law_options *o) {
  scene_hertz(o);
  o->normal = DEM_NORMAL_JKR;
  o->surface_energy = 20;
}
LAW(jkr_without_surface_energy, jkr(&o); o.surface_energy = 0)
LAW(dmt_without_surface_energy, jkr(&o); o.normal = DEM_NORMAL_DMT; o.surface_energy = 0)
LAW(surface_energy_negative, jkr(&o); o.surface_energy = -3)
LAW(surface_energy_infinite, jkr(&o); o.surface_energy = INFINITY)
LAW(surface_energy_on_hooke, o.surface_energy = 3)
LAW(cohesion_negative, o.cohesion_energy_density = -3)
LAW(cohesion_nan, o.cohesion_energy_density = NAN)
LAW(cohesion_on_jkr, jkr(&o); o.cohesion_energy_density = 7)
LAW(jkr_in_fluid, jkr(&o); o.viscosity = 0.5)
LAW(jkr_conserving, jkr(&o); o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING)
LAW(dmt_stiffness, jkr(&o); o.normal = DEM_NORMAL_DMT; o.tangential = DEM_TANGENTIAL_MINDLIN; o.tangential_stiffness = 7)
LAW(jkr_stiffness, jkr(&o); o.tangential = DEM_TANGENTIAL_MINDLIN; o.tangential_stiffness = 7)
LAW(modulus_negative, scene_hertz(&o); o.tangential_modulus = -7)
LAW(modulus_on_hooke, o.tangential_modulus = 7)
LAW(modulus_and_stiffness, scene_hertz(&o); o.tangential = DEM_TANGENTIAL_LINEAR; o.tangential_modulus = 7;
    o.tangential_stiffness = 5)
LAW(shear_damping_exact, o.tangential_damping = DEM_DAMPING_RESTITUTION_EXACT)
LAW(share_of_nothing, (o.damping = DEM_DAMPING_NONE, o.tangential_damping = DEM_DAMPING_OF_NORMAL))
LAW(damping_of_normal, o.damping = DEM_DAMPING_OF_NORMAL)

/* Materials. */
#define MATERIAL(name, change)                           \
  ACTION(name) {                                         \
    dem_material m;                                      \
    dem_material_init(&m, sizeof m);                     \
    change;                                              \
    return dem_system_add_material(b->system, &m, NULL); \
  }
MATERIAL(poisson_large, m.poisson = 0.7)
MATERIAL(poisson_minus_1, m.poisson = -1)
MATERIAL(young_negative, m.young = -1e6)
MATERIAL(young_nan, m.young = NAN)

/* Options that no chosen part reads, on a law that is right without them. */
static void plain(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal_stiffness = 1e5;
}
static void frictionless(dem_law_options *o) {
  plain(o);
  o->tangential = DEM_TANGENTIAL_NONE;
}
static void viscous(dem_law_options *o) {
  plain(o);
  o->tangential = DEM_TANGENTIAL_VISCOUS;
  o->tangential_damping = DEM_DAMPING_RATE;
}
static void hertz(dem_law_options *o) {
  plain(o);
  o->normal = DEM_NORMAL_HERTZ;
  o->normal_stiffness = 0;
}
static void nothing(dem_law_options *o) {
  frictionless(o);
  o->normal = DEM_NORMAL_NONE;
  o->normal_stiffness = 0;
}
LAW(unread_restitution, plain(&o); o.restitution = 0.8)
LAW(unread_restitution_by_rate, plain(&o); o.restitution = 0.8; o.damping = o.tangential_damping = DEM_DAMPING_RATE)
LAW(unread_normal_stiffness, hertz(&o); o.normal_stiffness = 1234)
LAW(unread_normal_stiffness_of_nothing, nothing(&o); o.normal_stiffness = 1234)
LAW(unread_tangential_stiffness, viscous(&o); o.tangential_stiffness = 77)
LAW(unread_tangential_modulus, viscous(&o); o.normal = DEM_NORMAL_HERTZ; o.normal_stiffness = 0; o.tangential_modulus = 1e6)
LAW(law_reserved, plain(&o); o.reserved_zero = 3)
LAW(unread_normal_damping, plain(&o); o.damping = DEM_DAMPING_RESTITUTION; o.normal_damping = 3.5)
LAW(unread_shear_damping, plain(&o); o.shear_damping = 3.5)
LAW(unread_friction, frictionless(&o); o.friction = 0.3)
LAW(unread_tangential_damping, frictionless(&o); o.tangential_damping = DEM_DAMPING_RATE)
LAW(unread_damping, nothing(&o); o.damping = DEM_DAMPING_RATE)
LAW(unread_lubrication_scale, plain(&o); o.lubrication_scale = 2)
LAW(unread_lubrication_inner, plain(&o); o.lubrication_inner = 0.01)
LAW(unread_lubrication_outer, plain(&o); o.lubrication_outer = 2)
LAW(unread_rolling_stiffness, plain(&o); o.rolling_stiffness = 10)
LAW(unread_rolling_damping, plain(&o); o.rolling = DEM_ROLLING_CONSTANT; o.rolling_damping = 10)
LAW(unread_rolling_friction, plain(&o); o.rolling_friction = 0.2)
LAW(unread_twisting_stiffness, plain(&o); o.twisting = DEM_TWISTING_MARSHALL; o.twisting_stiffness = 10)
LAW(unread_twisting_damping, plain(&o); o.twisting_damping = 10)
LAW(unread_twisting_friction, plain(&o); o.twisting_friction = 0.2)
LAW(stiffness_beyond_limit, o.normal_stiffness = 1e61)
LAW(viscosity_beyond_limit, o.viscosity = 1e200)

ACTION(law_of_no_material) { return dem_system_set_law(b->system, 0, 17, b->law); }
ACTION(integrator_unknown) { return dem_system_set_integrator_name(b->system, "leapfrog-9"); }

ACTION(hertz_without_young) {
  dem_law_options o;
  dem_law *law;
  scene_hertz(&o);
  assert_int_equal(dem_law_create(b->context, &o, &law), DEM_OK);
  const dem_status status = dem_system_set_law(b->system, 0, 0, law);
  dem_law_release(law);
  return status;
}

/* Particles. */
static dem_status add(bed *b, rows *r) {
  const dem_status status = rows_add(r, b->system, NULL);
  rows_destroy(r);
  return status;
}

/* Four rows, of which number 2 is spoilt. */
#define PARTICLE(name, change)                               \
  ACTION(name) {                                             \
    rows r;                                                  \
    assert_int_equal(rows_create(&r, 4), 0);                 \
    for (int i = 0; i < 4; i++) rows_put(&r, i, 20, 5, 0.4); \
    change;                                                  \
    return add(b, &r);                                       \
  }
PARTICLE(position_nan, r.position[3 * 2 + 1] = NAN)
PARTICLE(position_infinite, r.position[3 * 2] = INFINITY)
PARTICLE(velocity_nan, r.velocity[3 * 2 + 2] = NAN)
PARTICLE(spin_infinite, r.spin[3 * 2 + 2] = -INFINITY)
PARTICLE(radius_zero, r.radius[2] = 0)
PARTICLE(radius_negative, r.radius[2] = -0.25)
PARTICLE(radius_nan, r.radius[2] = NAN)
PARTICLE(density_zero, r.density[2] = 0)
PARTICLE(density_negative, r.density[2] = -3)
PARTICLE(material_unknown, r.material[2] = 63)
PARTICLE(material_negative, r.material[2] = -1)
PARTICLE(frozen_2, r.frozen[2] = 2)
PARTICLE(frozen_with_velocity, r.frozen[2] = 1; rows_velocity(&r, 2, 0, 0.5, 0))
PARTICLE(radius_missing, free(r.radius); r.radius = NULL)
PARTICLE(position_missing, free(r.position); r.position = NULL)

ACTION(count_negative) {
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = -5;
  return dem_system_add_particles(b->system, &p, NULL);
}

/* Ids. */
ACTION(id_zero) {
  const dem_id none = 0;
  return dem_system_remove_particles(b->system, 1, &none);
}

ACTION(id_invented) {
  double x[3];
  const dem_id id = b->ids[0] + ((dem_id)77 << 40) + 12345;
  return dem_system_get_field(b->system, DEM_POSITION, 1, &id, x, 0);
}

ACTION(id_twice) {
  const dem_id twice[3] = {b->ids[0], b->ids[1], b->ids[0]};
  return dem_system_remove_particles(b->system, 3, twice);
}

ACTION(remove_half_unknown) {
  const dem_id some[2] = {b->ids[0], 0};
  return dem_system_remove_particles(b->system, 2, some);
}

ACTION(freeze_unknown) {
  const dem_id some[2] = {b->ids[0], 0};
  return dem_system_set_frozen(b->system, 2, some, 1);
}

ACTION(freeze_2) { return dem_system_set_frozen(b->system, 1, b->ids, 2); }

/* Bulk access. */
ACTION(field_unknown) {
  double x[9];
  return dem_system_get_field(b->system, 99, 3, NULL, x, 0);
}

ACTION(field_read_only) {
  const double x[9] = {0};
  return dem_system_set_field(b->system, DEM_MASS, 3, NULL, x, 0);
}

ACTION(field_integer) {
  double x[9];
  return dem_system_get_field(b->system, DEM_MATERIAL, 3, NULL, x, 0);
}

ACTION(count_not_all) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 2, NULL, x, 0);
}

ACTION(stride_small) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 3, NULL, x, 2);
}

/* Rows that no pointer can reach; with one row, too, where nothing would be read there. */
ACTION(stride_huge) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 3, NULL, x, INT64_MAX);
}

ACTION(stride_of_a_third) {
  double x[9];
  return dem_system_get_field(b->system, DEM_POSITION, 3, NULL, x, INT64_MAX / 8 / 3 + 1);
}

ACTION(stride_huge_of_one) {
  double x[3];
  return dem_system_get_field(b->system, DEM_POSITION, 1, b->ids, x, INT64_MAX);
}

ACTION(stride_huge_set) {
  const double v[9] = {0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, INT64_MAX);
}

ACTION(stride_negative) {
  const double v[9] = {0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, INT64_MIN);
}

ACTION(stride_huge_int) {
  int32_t m[3];
  return dem_system_get_field_int(b->system, DEM_MATERIAL, 3, NULL, m, INT64_MAX / 4 / 3 + 1);
}

ACTION(stride_huge_set_int) {
  const int32_t m[3] = {0};
  return dem_system_set_field_int(b->system, DEM_MATERIAL, 3, NULL, m, INT64_MAX);
}

ACTION(set_nan) {
  const double v[9] = {1, 2, 3, 4, NAN, 6, 0, 0, 0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, 0);
}

ACTION(set_radius_zero) {
  const double radius[3] = {0.5, 0, 0.5};
  return dem_system_set_field(b->system, DEM_RADIUS, 3, NULL, radius, 0);
}

ACTION(set_density_negative) {
  const double density[3] = {1, -2, 1};
  return dem_system_set_field(b->system, DEM_DENSITY, 3, NULL, density, 0);
}

ACTION(set_material_unknown) {
  const int32_t material[3] = {0, 42, 0};
  return dem_system_set_field_int(b->system, DEM_MATERIAL, 3, NULL, material, 0);
}

ACTION(set_frozen_velocity) {
  const double v[9] = {0, 0, 0, 0, 0, 0, 1, 0, 0};
  return dem_system_set_field(b->system, DEM_VELOCITY, 3, NULL, v, 0);
}

ACTION(ids_no_room) {
  dem_id ids[3];
  return dem_system_ids(b->system, 1, ids);
}

ACTION(contacts_no_room) {
  dem_contact c;
  return dem_system_contacts(b->system, 0, &c, sizeof c);
}

/* Walls. */
#define PLANE(name, change)                          \
  ACTION(name) {                                     \
    dem_wall p;                                      \
    dem_wall_init(&p, sizeof p);                     \
    p.axis[2] = 1;                                   \
    change;                                          \
    return dem_system_add_wall(b->system, &p, NULL); \
  }
PLANE(normal_not_unit, p.axis[2] = 1.5)
PLANE(normal_zero, p.axis[2] = 0)
PLANE(normal_periodic, p.axis[2] = 0; p.axis[0] = 1)
PLANE(point_nan, p.position[1] = NAN)
PLANE(plane_material, p.material = 44)
ACTION(wall_unknown) { return dem_system_remove_wall(b->system, 4711); }

ACTION(wall_state_unknown) {
  dem_wall_state state;
  dem_wall_state_init(&state, sizeof state);
  return dem_system_wall_state(b->system, 4711, &state);
}

/* Time. */
ACTION(steps_negative) { return dem_system_step(b->system, -4); }
ACTION(past) { return dem_system_run_until(b->system, 0.001); }
ACTION(time_nan) { return dem_system_run_until(b->system, NAN); }
ACTION(set_dt_zero) { return dem_system_set_dt(b->system, 0); }
ACTION(set_dt_nan) { return dem_system_set_dt(b->system, NAN); }

ACTION(set_gravity_nan) {
  const double g[3] = {0, NAN, 0};
  return dem_system_set_gravity(b->system, g);
}

static int32_t never(void *user, const dem_progress *p) {
  (void)user;
  (void)p;
  return 0;
}

ACTION(progress_every_0) { return dem_system_set_progress(b->system, 0, never, NULL); }

/* Views. */
ACTION(view_unknown_field) {
  dem_view v = {.struct_size = sizeof v};
  return dem_view_acquire(b->system, 99, DEM_READ, &v);
}

ACTION(view_write_read_only) {
  dem_view v = {.struct_size = sizeof v};
  return dem_view_acquire(b->system, DEM_FORCE, DEM_WRITE, &v);
}

ACTION(view_mode_3) {
  dem_view v = {.struct_size = sizeof v};
  return dem_view_acquire(b->system, DEM_POSITION, 3, &v);
}

ACTION(view_size_zero) {
  dem_view v = {.struct_size = 0};
  return dem_view_acquire(b->system, DEM_POSITION, DEM_READ, &v);
}

ACTION(view_not_open) {
  dem_view v = {.struct_size = sizeof v, .field = DEM_POSITION, .mode = DEM_READ};
  return dem_view_release(b->system, &v);
}

static dem_status with_open_view(bed *b, dem_status (*act)(bed *b)) {
  dem_view v = {.struct_size = sizeof v};
  ASSERT_OK(b->system, dem_view_acquire(b->system, DEM_POSITION, DEM_READ, &v));
  const dem_status status = act(b);
  ASSERT_OK(b->system, dem_view_release(b->system, &v));
  return status;
}

static dem_status one_step(bed *b) { return dem_system_step(b->system, 1); }
static dem_status remove_first(bed *b) { return dem_system_remove_particles(b->system, 1, b->ids); }

static dem_status add_one(bed *b) {
  rows r;
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 30, 5, 0.4);
  return add(b, &r);
}

ACTION(step_under_view) { return with_open_view(b, one_step); }
ACTION(add_under_view) { return with_open_view(b, add_one); }
ACTION(remove_under_view) { return with_open_view(b, remove_first); }

/* Structs. */
ACTION(statistics_size) {
  dem_statistics st = {.struct_size = 12};
  return dem_system_statistics(b->system, &st);
}

ACTION(energy_size) {
  dem_energy e = {.struct_size = 5000};
  return dem_system_energy(b->system, &e);
}

ACTION(particles_size) {
  dem_particles p = {.struct_size = 8};
  return dem_system_add_particles(b->system, &p, NULL);
}

ACTION(plane_size) {
  dem_wall p = {.struct_size = 4};
  return dem_system_add_wall(b->system, &p, NULL);
}

ACTION(material_size) {
  dem_material m = {.struct_size = 1};
  return dem_system_add_material(b->system, &m, NULL);
}

typedef struct row {
  const char *name;
  dem_status (*act)(bed *b);
  dem_status expected;
  const char *words[4]; /* item, value, limit: all must be in the message */
} row;

static const row table[] = {
    {"dt zero", dt_zero, DEM_BAD_ARGUMENT, {"dt", "is 0", "> 0"}},
    {"dt negative", dt_negative, DEM_BAD_ARGUMENT, {"dt", "-0.25", "> 0"}},
    {"dt NaN", dt_nan, DEM_BAD_ARGUMENT, {"dt", "nan", "> 0"}},
    {"dt infinite", dt_infinite, DEM_BAD_ARGUMENT, {"dt", "inf", "finite"}},
    {"dimension", dimension_4, DEM_BAD_ARGUMENT, {"dimension", "4", "2 to 3"}},
    {"shape", shape_unknown, DEM_BAD_ARGUMENT, {"shape", "7", "0 to 1"}},
    {"disc in 3-D", disc_in_space, DEM_BAD_ARGUMENT, {"shape", "3", "2"}},
    {"arms", arms_unknown, DEM_BAD_ARGUMENT, {"arms", "9", "0 to 2"}},
    {"transport", transport_unknown, DEM_BAD_ARGUMENT, {"transport", "-3", "0 to 1"}},
    {"threads 0", threads_zero, DEM_BAD_ARGUMENT, {"threads", "0", "1 to 256"}},
    {"threads 257", threads_many, DEM_BAD_ARGUMENT, {"threads", "257", "1 to 256"}},
    {"ledger", ledger_3, DEM_BAD_ARGUMENT, {"ledger", "3", "0 to 2"}},
    {"periodic", periodic_2, DEM_BAD_ARGUMENT, {"periodic", "2", "0 to 1"}},
    {"empty periodic axis", periodic_empty, DEM_BAD_ARGUMENT, {"periodic", "axis 1", "0", "> 0"}},
    {"box reversed", box_reversed, DEM_BAD_ARGUMENT, {"box", "2", "-3"}},
    {"box NaN", box_nan, DEM_BAD_ARGUMENT, {"box", "0", "nan", "finite"}},
    {"gravity NaN", gravity_nan, DEM_BAD_ARGUMENT, {"gravity", "1", "nan", "finite"}},
    {"gravity out of the plane", gravity_out_of_plane, DEM_BAD_ARGUMENT, {"gravity", "-10", "0"}},
    {"skin negative", skin_negative, DEM_BAD_ARGUMENT, {"skin", "-0.5", ">= 0"}},
    {"drag negative", drag_negative, DEM_BAD_ARGUMENT, {"drag", "-2", ">= 0"}},
    {"options of size 0", options_size_zero, DEM_BAD_STRUCT, {"struct_size", "0"}},
    {"options of size 20", options_size_small, DEM_BAD_STRUCT, {"struct_size", "20"}},

    {"restitution 0", restitution_zero, DEM_BAD_ARGUMENT, {"restitution", "0", "1"}},
    {"restitution 1.5", restitution_above_1, DEM_BAD_ARGUMENT, {"restitution", "1.5", "0 to 1"}},
    {"no stiffness", stiffness_missing, DEM_BAD_ARGUMENT, {"normal_stiffness", "0", "> 0"}},
    {"stiffness negative", stiffness_negative, DEM_BAD_ARGUMENT, {"normal_stiffness", "-7", "0"}},
    {"stiffness NaN", stiffness_nan, DEM_BAD_ARGUMENT, {"normal_stiffness", "nan", "0"}},
    {"shear stiffness negative", shear_stiffness_negative, DEM_BAD_ARGUMENT, {"tangential_stiffness", "-7", ">= 0"}},
    {"friction negative", friction_negative, DEM_BAD_ARGUMENT, {"friction", "-0.5", ">= 0"}},
    {"friction infinite", friction_infinite, DEM_BAD_ARGUMENT, {"friction", "inf", "finite"}},
    {"rolling unknown", rolling_unknown, DEM_BAD_ARGUMENT, {"rolling", "3", "0 to 2"}},
    {"twisting unknown", twisting_unknown, DEM_BAD_ARGUMENT, {"twisting", "-1", "0 to 2"}},
    {"rolling spring without stiffness", rolling_without_stiffness, DEM_BAD_ARGUMENT, {"rolling_stiffness", "0", "> 0"}},
    {"rolling stiffness not a number", rolling_stiffness_nan, DEM_BAD_ARGUMENT, {"rolling_stiffness", "nan", "finite"}},
    {"rolling damping negative", rolling_damping_negative, DEM_BAD_ARGUMENT, {"rolling_damping", "-2", ">= 0"}},
    {"rolling friction negative", rolling_friction_negative, DEM_BAD_ARGUMENT, {"rolling_friction", "-0.25", ">= 0"}},
    {"twisting spring without stiffness", twisting_without_stiffness, DEM_BAD_ARGUMENT, {"twisting_stiffness", "0", "> 0"}},
    {"twisting damping infinite", twisting_damping_infinite, DEM_BAD_ARGUMENT, {"twisting_damping", "inf", "finite"}},
    {"twisting friction negative", twisting_friction_negative, DEM_BAD_ARGUMENT, {"twisting_friction", "-3", ">= 0"}},
    {"Marshall without tangential spring", marshall_without_spring, DEM_BAD_ARGUMENT, {"twisting", "Marshall", "LINEAR (2)"}},
    {"rolling without normal part", rolling_without_normal, DEM_BAD_ARGUMENT, {"rolling is 2", "normal"}},
    {"damping negative", damping_negative, DEM_BAD_ARGUMENT, {"normal_damping", "-1", ">= 0"}},
    {"normal part unknown", normal_unknown, DEM_BAD_ARGUMENT, {"normal", "12", "0 to 4"}},
    {"tangential part unknown", tangential_unknown, DEM_BAD_ARGUMENT, {"tangential", "12", "0 to 6"}},
    {"damping unknown", damping_unknown, DEM_BAD_ARGUMENT, {"damping", "12", "0 to 5"}},
    {"tangential damping unknown", shear_damping_unknown, DEM_BAD_ARGUMENT, {"tangential_damping", "12", "0 to 6"}},
    {"attraction", attraction_2, DEM_BAD_ARGUMENT, {"attraction", "2", "0 to 1"}},
    {"Mindlin on Hooke", mindlin_on_hooke, DEM_BAD_ARGUMENT, {"tangential", "Mindlin", "Hertz"}},
    {"JKR without surface energy", jkr_without_surface_energy, DEM_BAD_ARGUMENT, {"surface_energy", "0", "JKR needs > 0"}},
    {"DMT without surface energy", dmt_without_surface_energy, DEM_BAD_ARGUMENT, {"surface_energy", "0", "DMT needs > 0"}},
    {"surface energy negative", surface_energy_negative, DEM_BAD_ARGUMENT, {"surface_energy", "-3", ">= 0"}},
    {"surface energy infinite", surface_energy_infinite, DEM_BAD_ARGUMENT, {"surface_energy", "inf", "finite"}},
    {"surface energy on Hooke", surface_energy_on_hooke, DEM_BAD_ARGUMENT, {"surface_energy", "3", "only DMT (3) and JKR (4)"}},
    {"cohesion negative", cohesion_negative, DEM_BAD_ARGUMENT, {"cohesion_energy_density", "-3", ">= 0"}},
    {"cohesion NaN", cohesion_nan, DEM_BAD_ARGUMENT, {"cohesion_energy_density", "nan", "finite"}},
    {"cohesion on JKR", cohesion_on_jkr, DEM_BAD_ARGUMENT, {"cohesion_energy_density", "7", "Hooke (1) and Hertz (2)"}},
    {"JKR in a fluid", jkr_in_fluid, DEM_BAD_ARGUMENT, {"viscosity", "0.5", "holds across the gap"}},
    {"JKR with conserving Mindlin", jkr_conserving, DEM_BAD_ARGUMENT, {"tangential", "4", "JKR"}},
    {"DMT and Mindlin with a stiffness", dmt_stiffness, DEM_BAD_ARGUMENT, {"tangential_stiffness", "7", "leave it 0"}},
    {"JKR and Mindlin with a stiffness", jkr_stiffness, DEM_BAD_ARGUMENT, {"tangential_stiffness", "7", "leave it 0"}},
    {"modulus negative", modulus_negative, DEM_BAD_ARGUMENT, {"tangential_modulus", "-7", ">= 0"}},
    {"modulus on Hooke", modulus_on_hooke, DEM_BAD_ARGUMENT, {"tangential_modulus", "7", "normal is 1"}},
    {"modulus and stiffness", modulus_and_stiffness, DEM_BAD_ARGUMENT, {"tangential_modulus", "7", "5"}},
    {"exact tangential damping", shear_damping_exact, DEM_BAD_ARGUMENT, {"tangential_damping", "4", "normal part only"}},
    {"share of no dashpot", share_of_nothing, DEM_BAD_ARGUMENT, {"tangential_damping", "6", "none"}},
    {"normal damping of itself", damping_of_normal, DEM_BAD_ARGUMENT, {"damping", "6", "0 to 5"}},
    {"law options too small", law_size_small, DEM_BAD_STRUCT, {"struct_size", "8"}},

    {"Poisson 0.7", poisson_large, DEM_BAD_ARGUMENT, {"material 3", "poisson", "0.7", "0.5"}},
    {"Poisson -1", poisson_minus_1, DEM_BAD_ARGUMENT, {"material 3", "poisson", "-1", "0.5"}},
    {"Young negative", young_negative, DEM_BAD_ARGUMENT, {"material 3", "young", "-1e+06", "0"}},
    {"Young NaN", young_nan, DEM_BAD_ARGUMENT, {"material 3", "young", "nan", "finite"}},
    {"restitution without damping", unread_restitution, DEM_BAD_ARGUMENT, {"restitution", "0.8", "RESTITUTION", "leave it 1"}},
    {"restitution beside a rate", unread_restitution_by_rate, DEM_BAD_ARGUMENT, {"restitution", "0.8", "leave it 1"}},
    {"normal_stiffness with Hertz",
     unread_normal_stiffness,
     DEM_BAD_ARGUMENT,
     {"normal_stiffness", "1234", "Hooke", "leave it 0"}},
    {"normal_stiffness of nothing",
     unread_normal_stiffness_of_nothing,
     DEM_BAD_ARGUMENT,
     {"normal_stiffness", "1234", "leave it 0"}},
    {"tangential_stiffness, viscous",
     unread_tangential_stiffness,
     DEM_BAD_ARGUMENT,
     {"tangential_stiffness", "77", "leave it 0"}},
    {"tangential_modulus, viscous", unread_tangential_modulus, DEM_BAD_ARGUMENT, {"tangential_modulus", "1e+06", "leave it 0"}},
    {"reserved number of a law", law_reserved, DEM_UNSUPPORTED, {"reserved_zero", "3", "0"}},
    {"normal_damping by restitution", unread_normal_damping, DEM_BAD_ARGUMENT, {"normal_damping", "3.5", "leave it 0"}},
    {"shear_damping of none", unread_shear_damping, DEM_BAD_ARGUMENT, {"shear_damping", "3.5", "leave it 0"}},
    {"friction without friction", unread_friction, DEM_BAD_ARGUMENT, {"friction", "0.3", "leave it 0.5"}},
    {"tangential damping of none", unread_tangential_damping, DEM_BAD_ARGUMENT, {"tangential_damping", "2", "leave it 0"}},
    {"damping of none", unread_damping, DEM_BAD_ARGUMENT, {"damping", "2", "leave it 0"}},
    {"scale without fluid", unread_lubrication_scale, DEM_BAD_ARGUMENT, {"lubrication_scale", "2", "viscosity", "leave it 1"}},
    {"inner without fluid", unread_lubrication_inner, DEM_BAD_ARGUMENT, {"lubrication_inner", "0.01", "leave it 0.001"}},
    {"outer without fluid", unread_lubrication_outer, DEM_BAD_ARGUMENT, {"lubrication_outer", "2", "leave it 1"}},
    {"stiffness without rolling", unread_rolling_stiffness, DEM_BAD_ARGUMENT, {"rolling_stiffness", "10", "leave it 0"}},
    {"damping of constant rolling", unread_rolling_damping, DEM_BAD_ARGUMENT, {"rolling_damping", "10", "leave it 0"}},
    {"friction without rolling", unread_rolling_friction, DEM_BAD_ARGUMENT, {"rolling_friction", "0.2", "leave it 0.1"}},
    {"stiffness with Marshall", unread_twisting_stiffness, DEM_BAD_ARGUMENT, {"twisting_stiffness", "10", "leave it 0"}},
    {"damping without twisting", unread_twisting_damping, DEM_BAD_ARGUMENT, {"twisting_damping", "10", "leave it 0"}},
    {"friction without twisting", unread_twisting_friction, DEM_BAD_ARGUMENT, {"twisting_friction", "0.2", "leave it 0.1"}},
    {"stiffness beyond the limit", stiffness_beyond_limit, DEM_BAD_ARGUMENT, {"normal_stiffness", "1e+61", "1e+60"}},
    {"viscosity beyond the limit", viscosity_beyond_limit, DEM_BAD_ARGUMENT, {"viscosity", "1e+200", "1e+60"}},
    {"law of no material", law_of_no_material, DEM_NOT_FOUND, {"material", "17", "3"}},
    {"unknown integrator", integrator_unknown, DEM_NOT_FOUND, {"integrator", "leapfrog-9", "euler"}},
    {"Hertz without Young", hertz_without_young, DEM_INCOMPLETE, {"ertz", "Young", "0"}},

    {"position NaN", position_nan, DEM_BAD_ARGUMENT, {"particle 2", "position[1]", "nan", "finite"}},
    {"position infinite", position_infinite, DEM_BAD_ARGUMENT, {"particle 2", "position[0]", "inf", "finite"}},
    {"velocity NaN", velocity_nan, DEM_BAD_ARGUMENT, {"particle 2", "velocity[2]", "nan", "finite"}},
    {"spin infinite", spin_infinite, DEM_BAD_ARGUMENT, {"particle 2", "spin[2]", "-inf", "finite"}},
    {"radius 0", radius_zero, DEM_BAD_ARGUMENT, {"particle 2", "radius", "is 0", "> 0"}},
    {"radius negative", radius_negative, DEM_BAD_ARGUMENT, {"particle 2", "radius", "-0.25", "> 0"}},
    {"radius NaN", radius_nan, DEM_BAD_ARGUMENT, {"particle 2", "radius", "nan", "> 0"}},
    {"density 0", density_zero, DEM_BAD_ARGUMENT, {"particle 2", "density", "is 0", "> 0"}},
    {"density negative", density_negative, DEM_BAD_ARGUMENT, {"particle 2", "density", "-3", "> 0"}},
    {"material unknown", material_unknown, DEM_NOT_FOUND, {"particle 2", "material", "63", "3"}},
    {"material negative", material_negative, DEM_NOT_FOUND, {"particle 2", "material", "-1", "3"}},
    {"frozen 2", frozen_2, DEM_BAD_ARGUMENT, {"particle 2", "frozen", "2", "0 or 1"}},
    {"frozen with velocity", frozen_with_velocity, DEM_BAD_ARGUMENT, {"particle 2", "frozen", "velocity", "0"}},
    {"no radii", radius_missing, DEM_BAD_ARGUMENT, {"radius", "NULL", "required"}},
    {"no positions", position_missing, DEM_BAD_ARGUMENT, {"position", "NULL", "required"}},
    {"count negative", count_negative, DEM_BAD_ARGUMENT, {"count", "-5", "0"}},

    {"id 0", id_zero, DEM_NOT_FOUND, {"id", "0", "unknown"}},
    {"id invented", id_invented, DEM_NOT_FOUND, {"id", "unknown"}},
    {"id twice", id_twice, DEM_BAD_ARGUMENT, {"id 2", "twice"}},
    {"half of the ids unknown", remove_half_unknown, DEM_NOT_FOUND, {"id 1", "0", "unknown"}},
    {"freeze unknown", freeze_unknown, DEM_NOT_FOUND, {"id 1", "0", "unknown"}},
    {"freeze with 2", freeze_2, DEM_BAD_ARGUMENT, {"frozen", "2", "0 or 1"}},

    {"field unknown", field_unknown, DEM_NOT_FOUND, {"field", "99"}},
    {"field read only", field_read_only, DEM_NOT_FOUND, {"DEM_MASS", "read only"}},
    {"field of integers", field_integer, DEM_NOT_FOUND, {"DEM_MATERIAL", "integers"}},
    {"count not all", count_not_all, DEM_BAD_ARGUMENT, {"count", "2", "3"}},
    {"stride too small", stride_small, DEM_BAD_ARGUMENT, {"stride", "2", "3"}},
    {"stride too large", stride_huge, DEM_BAD_ARGUMENT, {"stride is 9223372036854775807", "0 or 3 to 384307168202282325"}},
    {"stride just too large",
     stride_of_a_third,
     DEM_BAD_ARGUMENT,
     {"DEM_POSITION: stride is 384307168202282326", "for 3 rows"}},
    {"stride too large for one", stride_huge_of_one, DEM_BAD_ARGUMENT, {"stride", "3 to 1152921504606846975 for 1 rows"}},
    {"stride too large to set", stride_huge_set, DEM_BAD_ARGUMENT, {"DEM_VELOCITY: stride is 9223372036854775807"}},
    {"stride negative", stride_negative, DEM_BAD_ARGUMENT, {"stride is -9223372036854775808"}},
    {"stride of integers", stride_huge_int, DEM_BAD_ARGUMENT, {"stride", "1 to 768614336404564650"}},
    {"stride of integers to set", stride_huge_set_int, DEM_BAD_ARGUMENT, {"DEM_MATERIAL: stride is 9223372036854775807"}},
    {"set NaN", set_nan, DEM_BAD_ARGUMENT, {"1", "nan", "finite"}},
    {"set radius 0", set_radius_zero, DEM_BAD_ARGUMENT, {"1", "0", "> 0"}},
    {"set density negative", set_density_negative, DEM_BAD_ARGUMENT, {"1", "-2", "> 0"}},
    {"set material unknown", set_material_unknown, DEM_NOT_FOUND, {"1", "42", "3"}},
    {"set velocity of a frozen one", set_frozen_velocity, DEM_BAD_ARGUMENT, {"2", "frozen"}},
    {"no room for ids", ids_no_room, DEM_BAD_ARGUMENT, {"capacity", "1", "3"}},
    {"no room for contacts", contacts_no_room, DEM_BAD_ARGUMENT, {"capacity", "0"}},

    {"normal not of length 1", normal_not_unit, DEM_BAD_ARGUMENT, {"axis", "1.5", "1e-12"}},
    {"normal zero", normal_zero, DEM_BAD_ARGUMENT, {"axis", "0", "1e-12"}},
    {"normal along a periodic axis", normal_periodic, DEM_BAD_ARGUMENT, {"axis[0]", "1", "periodic"}},
    {"point NaN", point_nan, DEM_BAD_ARGUMENT, {"position[1]", "nan", "finite"}},
    {"wall of no material", plane_material, DEM_NOT_FOUND, {"material", "44", "3"}},
    {"wall unknown", wall_unknown, DEM_NOT_FOUND, {"wall", "4711"}},
    {"state of an unknown wall", wall_state_unknown, DEM_NOT_FOUND, {"wall", "4711"}},

    {"steps negative", steps_negative, DEM_BAD_ARGUMENT, {"steps", "-4", ">= 0"}},
    {"time past", past, DEM_BAD_ARGUMENT, {"time", "0.001", "0.002"}},
    {"time NaN", time_nan, DEM_BAD_ARGUMENT, {"time", "nan", "0.002"}},
    {"set dt 0", set_dt_zero, DEM_BAD_ARGUMENT, {"dt", "is 0", "> 0"}},
    {"set dt NaN", set_dt_nan, DEM_BAD_ARGUMENT, {"dt", "nan", "> 0"}},
    {"set gravity NaN", set_gravity_nan, DEM_BAD_ARGUMENT, {"gravity[1]", "nan", "finite"}},
    {"progress every 0", progress_every_0, DEM_BAD_ARGUMENT, {"every", "0", ">= 1"}},

    {"view of an unknown field", view_unknown_field, DEM_NOT_FOUND, {"field", "99"}},
    {"view to write forces", view_write_read_only, DEM_BAD_ARGUMENT, {"DEM_FORCE", "read only"}},
    {"view of mode 3", view_mode_3, DEM_BAD_ARGUMENT, {"mode", "3"}},
    {"view of size 0", view_size_zero, DEM_BAD_STRUCT, {"struct_size", "0"}},
    {"view not open", view_not_open, DEM_BAD_ARGUMENT, {"view"}},
    {"step under a view", step_under_view, DEM_BUSY, {"view", "1", "0"}},
    {"add under a view", add_under_view, DEM_BUSY, {"view", "1"}},
    {"remove under a view", remove_under_view, DEM_BUSY, {"view", "1"}},

    {"statistics of size 12", statistics_size, DEM_BAD_STRUCT, {"struct_size", "12"}},
    {"energy of size 5000", energy_size, DEM_BAD_STRUCT, {"struct_size", "5000"}},
    {"particles of size 8", particles_size, DEM_BAD_STRUCT, {"struct_size", "8"}},
    {"plane of size 4", plane_size, DEM_BAD_STRUCT, {"struct_size", "4"}},
    {"material of size 1", material_size, DEM_BAD_STRUCT, {"struct_size", "1"}},
};
enum { ROWS = sizeof table / sizeof table[0] };

static int has_all_words(const row *r, const char *text) {
  for (int k = 0; k < 4 && r->words[k]; k++)
    if (!strstr(text, r->words[k])) return 0;
  return 1;
}

/* Returns 1 when all is as it should be; says what is not, and goes on with the next row. */
static int check_row(const row *r) {
  bed b;
  int good = 1;
  bed_open(&b);
  const uint64_t before = system_hash(b.system);
  const dem_status status = r->act(&b);
  if (status != r->expected) {
    print_message("# %s: %s, expected %s\n", r->name, dem_status_name(status), dem_status_name(r->expected));
    good = 0;
  }
  if (b.poor) {
    print_message("# %s: the output is not NULL after a refusal\n", r->name);
    dem_system_destroy(b.poor);
    good = 0;
  }
  if (status && !has_all_words(r, b.log)) {
    print_message("# %s: item, value or limit is missing in: %s\n", r->name, b.log);
    good = 0;
  }
  if (system_hash(b.system) != before) {
    print_message("# %s: the system has changed\n", r->name);
    good = 0;
  }
  if (dem_system_check(b.system) || (status && dem_system_step(b.system, 5))) {
    print_message("# %s: the system is not usable afterwards: %s\n", r->name, dem_system_message(b.system));
    good = 0;
  }
  bed_close(&b);
  return good;
}

static void every_row_is_refused_with_item_value_and_limit(void **state) {
  (void)state;
  int bad = 0;
  for (int i = 0; i < ROWS; i++) bad += !check_row(&table[i]);
  print_message("# %d rows\n", ROWS);
  assert_true(ROWS >= 45);
  assert_int_equal(bad, 0);
}

/* ---- rows that need a system of their own ---- */

static void assert_words(const char *text, const char *const words[]) {
  for (int k = 0; words[k]; k++)
    if (!strstr(text, words[k])) fail_msg("no \"%s\" in: %s", words[k], text);
}

#define ASSERT_WORDS(text, ...) assert_words((text), (const char *const[]){__VA_ARGS__, NULL})

/* A pair of materials without a law is found before the first step. */
static void a_missing_law_stops_the_first_step(void **state) {
  (void)state;
  bed b;
  rows r;
  bed_open(&b);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 20, 5, 0.4);
  r.material[0] = 2;
  ASSERT_OK(b.system, rows_add(&r, b.system, NULL));
  rows_destroy(&r);
  const uint64_t before = system_hash(b.system);
  ASSERT_STATUS(b.system, dem_system_step(b.system, 1), DEM_INCOMPLETE);
  ASSERT_WORDS(dem_system_message(b.system), "material", "0", "2", "law");
  assert_true(system_hash(b.system) == before);
  ASSERT_OK(b.system, dem_system_set_law(b.system, 2, 0, b.law));
  ASSERT_OK(b.system, dem_system_set_law(b.system, 2, 2, b.law));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  bed_close(&b);
}

static dem_system *boxed(bed *b, double length, double skin) {
  dem_system_options o;
  rows r;
  bed_options(&o);
  o.box_high[0] = length;
  o.skin = skin;
  assert_int_equal(dem_system_create(b->context, &o, &b->poor), DEM_OK);
  ASSERT_OK(b->poor, dem_system_add_material(b->poor, NULL, NULL));
  ASSERT_OK(b->poor, dem_system_set_law(b->poor, 0, 0, b->law));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 0, 5, 0.5);
  ASSERT_OK(b->poor, rows_add(&r, b->poor, NULL));
  rows_destroy(&r);
  return b->poor;
}

/* Twice the range: diameter 1 plus skin 0.1. */
static void a_box_too_small_stops_the_first_step(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  dem_system *s = boxed(&b, 2.19, 0.1);
  ASSERT_STATUS(s, dem_system_step(s, 1), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "box", "2.19", "2.2");
  dem_system_destroy(s);
  s = boxed(&b, 2.21, 0.1);
  ASSERT_OK(s, dem_system_step(s, 1));
  dem_system_destroy(s);
  bed_close(&b);
}

static void a_skin_too_large_stops_the_first_step(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  dem_system *s = boxed(&b, 1000, 50);
  ASSERT_STATUS(s, dem_system_step(s, 1), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "skin", "50", "10");
  dem_system_destroy(s);
  bed_close(&b);
}

/* Above the limit: a warning with the number, once; the step is done. Two equal spheres of mass 1 on a wall of stiffness k =
 * 1e5: omega = sqrt(k/m*), velocity-Verlet is stable for omega dt < 2. */
static void a_large_dt_is_warned_of_with_the_number(void **state) {
  (void)state;
  bed b;
  double limit;
  char number[32];
  bed_open(&b);
  ASSERT_OK(b.system, dem_system_stable_dt(b.system, &limit));
  /* The stiffest pair: m* = 1/2 of two movers. A wall contact has m* = 1. Damping may lower the limit a little. */
  const double exact = 2 / sqrt(1e5 / 0.5);
  assert_true(limit > 0.5 * exact && limit <= exact * (1 + 1e-12));
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 1.01 * limit));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  snprintf(number, sizeof number, "%.3g", limit);
  number[6] = 0; /* the leading digits, however many the message prints */
  ASSERT_WORDS(b.log, "dt", number, "limit");
  /* Stable but coarse: the contact time is pi/2 of the limit without damping, and a fifteenth of it is asked for. */
  b.log[0] = 0;
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 0.5 * limit));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  ASSERT_WORDS(b.log, "dt", "1/15", "contact time");
  b.log[0] = 0;
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 0.1 * limit));
  ASSERT_OK(b.system, dem_system_step(b.system, 1));
  assert_string_equal(b.log, "");
  bed_close(&b);
}

static dem_system *flat(bed *b) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dimension = 2;
  o.dt = 1e-4;
  assert_int_equal(dem_system_create(b->context, &o, &b->poor), DEM_OK);
  ASSERT_OK(b->poor, dem_system_add_material(b->poor, NULL, NULL));
  return b->poor;
}

/* In two dimensions nothing leaves the plane, and what would is refused. */
static void two_dimensions_refuse_the_third(void **state) {
  (void)state;
  bed b;
  rows r;
  bed_open(&b);
  dem_system *s = flat(&b);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, 0, 0.5);
  rows_velocity(&r, 0, 0, 0, 0.5);
  ASSERT_STATUS(s, rows_add(&r, s, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "particle 0", "velocity[2]", "0.5", "2 dimensions");
  rows_velocity(&r, 0, 1, 0, 0);
  rows_spin(&r, 0, 0.25, 0, 0);
  ASSERT_STATUS(s, rows_add(&r, s, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "particle 0", "spin", "0.25", "2 dimensions");
  rows_spin(&r, 0, 0, 0, 1);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  const double out[3] = {0, 0, 0.5}, g[3] = {0, 0, -9.81};
  ASSERT_STATUS(s, dem_system_set_field(s, DEM_VELOCITY, 1, NULL, out, 0), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "DEM_VELOCITY", "0.5");
  ASSERT_STATUS(s, dem_system_set_gravity(s, g), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(s), "gravity", "-9.81");
  ASSERT_STATUS(s, scene_add_plane(s, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}), DEM_BAD_ARGUMENT);
  int64_t n;
  ASSERT_OK(s, dem_system_particle_count(s, &n));
  assert_int_equal(n, 1);
  dem_system_destroy(s);
  bed_close(&b);
}

/* A stale id, of a particle that was and is no more. */
static void stale_ids_are_named(void **state) {
  (void)state;
  bed b;
  double x[9];
  char number[32];
  bed_open(&b);
  ASSERT_OK(b.system, dem_system_remove_particles(b.system, 1, b.ids + 1));
  const uint64_t before = system_hash(b.system);
  ASSERT_STATUS(b.system, dem_system_get_field(b.system, DEM_POSITION, 3, b.ids, &x[0], 0), DEM_NOT_FOUND);
  snprintf(number, sizeof number, "%llu", (unsigned long long)b.ids[1]);
  ASSERT_WORDS(dem_system_message(b.system), "id 1", number, "stale");
  ASSERT_STATUS(b.system, dem_system_set_frozen(b.system, 1, b.ids + 1, 1), DEM_NOT_FOUND);
  assert_true(system_hash(b.system) == before);
  bed_close(&b);
}

/* The synchronised scheme has its own transport of springs. */
static void a_transport_that_is_not_read_is_refused(void **state) {
  (void)state;
  bed b;
  dem_system_options o;
  bed_open(&b);
  bed_options(&o);
  o.transport = DEM_TRANSPORT_PROJECT;
  ASSERT_OK(b.system, dem_system_create(b.context, &o, &b.poor));
  ASSERT_STATUS(b.poor, dem_system_set_integrator_name(b.poor, "improved-velocity-verlet"), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b.poor), "improved-velocity-verlet", "transport is 1", "transport 0", "");
  ASSERT_OK(b.poor, dem_system_set_integrator_name(b.poor, "euler"));
  assert_int_equal(dem_system_destroy(b.poor), DEM_OK);
  ASSERT_OK(b.system, dem_system_set_integrator_name(b.system, "improved-velocity-verlet"));
  bed_close(&b);
}

/* ---- numbers beyond every limit ---- */

static void field_beyond_limit(bed *b, int32_t field, int components, double value) {
  double v[3] = {0, 0, 0};
  v[components - 1] = value;
  ASSERT_STATUS(b->system, dem_system_set_field(b->system, field, 1, b->ids, v, 0), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b->system), "row 0", "1e+60", "finite", "");
}

static void particle_beyond_limit(bed *b, double value, int what) {
  rows r;
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 50, 5, 0.4);
  double *const to[] = {r.position + 1, r.velocity + 1, r.spin + 1, r.radius, r.density};
  *to[what] = value;
  ASSERT_STATUS(b->system, rows_add(&r, b->system, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b->system), "particle 0", "1e+60", "finite", "");
  rows_destroy(&r);
}

static void system_beyond_limit(bed *b, double value, int what) {
  dem_system_options o;
  dem_system *none;
  bed_options(&o);
  double *const to[] = {&o.dt, &o.skin, &o.drag, o.gravity + 2, o.box_high + 2};
  *to[what] = value;
  assert_int_equal(dem_system_create(b->context, &o, &none), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_context_message(b->context), "system", "1e+60", "finite", "");
}

/* The dashpot of a viscous part that follows the restitution goes with the root of k_t, which may be given. */
static void a_viscous_part_may_read_the_stiffness(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  for (int hertzian = 0; hertzian < 2; hertzian++) {
    dem_law_options o;
    dem_law *law = NULL;
    (hertzian ? hertz : plain)(&o);
    o.tangential = DEM_TANGENTIAL_VISCOUS;
    o.tangential_damping = DEM_DAMPING_RESTITUTION;
    o.restitution = 0.5;
    *(hertzian ? &o.tangential_modulus : &o.tangential_stiffness) = 1e4;
    assert_int_equal(dem_law_create(b.context, &o, &law), DEM_OK);
    dem_law_release(law);
  }
  bed_close(&b);
}

static void reserved_numbers_of_a_system_are_refused(void **state) {
  (void)state;
  bed b;
  dem_system_options o;
  dem_system *none = NULL;
  bed_open(&b);
  bed_options(&o);
  o.reserved_zero = 3;
  assert_int_equal(dem_system_create(b.context, &o, &none), DEM_UNSUPPORTED);
  ASSERT_WORDS(dem_context_message(b.context), "system", "reserved_zero", "3", "0");
  bed_close(&b);
}

/* Squares of what is taken are finite, so are energies; what is not taken changes nothing. */
static void numbers_beyond_limits_are_refused(void **state) {
  (void)state;
  static const double beyond[] = {1.001e60, 1e155, 1e300};
  static const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_HOST_FORCE, DEM_HOST_TORQUE};
  bed b;
  bed_open(&b);
  const uint64_t before = system_hash(b.system);
  for (int k = 0; k < 3; k++) {
    for (int f = 0; f < 5; f++) field_beyond_limit(&b, fields[f], 3, f % 2 ? beyond[k] : -beyond[k]);
    field_beyond_limit(&b, DEM_RADIUS, 1, beyond[k]);
    field_beyond_limit(&b, DEM_DENSITY, 1, beyond[k]);
    for (int what = 0; what < 5; what++) particle_beyond_limit(&b, beyond[k], what), system_beyond_limit(&b, beyond[k], what);
    const double gravity[3] = {0, -beyond[k], 0};
    ASSERT_STATUS(b.system, dem_system_set_gravity(b.system, gravity), DEM_BAD_ARGUMENT);
    ASSERT_STATUS(b.system, dem_system_set_dt(b.system, beyond[k]), DEM_BAD_ARGUMENT);
    const dem_material hard = {.struct_size = sizeof hard, .young = beyond[k]};
    ASSERT_STATUS(b.system, dem_system_add_material(b.system, &hard, NULL), DEM_BAD_ARGUMENT);
    dem_wall far;
    dem_wall_init(&far, sizeof far);
    far.axis[2] = 1, far.position[2] = -beyond[k];
    ASSERT_STATUS(b.system, dem_system_add_wall(b.system, &far, NULL), DEM_BAD_ARGUMENT);
  }
  assert_true(system_hash(b.system) == before);
  bed_close(&b);
}

static void energies_at_the_limits_are_finite(void **state) {
  (void)state;
  bed b;
  dem_energy e;
  rows r;
  bed_open(&b);
  dem_energy_init(&e, sizeof e);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 50, 5, 0.4);
  rows_velocity(&r, 0, 1e60, -1e60, 1e60);
  rows_spin(&r, 0, 1e60, -1e60, 1e60);
  r.density[0] = 1e60;
  ASSERT_OK(b.system, rows_add(&r, b.system, NULL));
  rows_destroy(&r);
  ASSERT_OK(b.system, dem_system_energy(b.system, &e));
  assert_true(isfinite(e.kinetic_linear) && isfinite(e.kinetic_angular) && isfinite(e.residual) && e.kinetic_linear > 1e170);
  bed_close(&b);
}

/* A spring that a time step is far too long for doubles its energy many times a step. No input is wrong by itself: the step finds
 * the number that is none, says where, and poisons. */
static void an_explosion_poisons(void **state) {
  (void)state;
  bed b;
  double x[9];
  bed_open(&b);
  dem_bond_type type;
  dem_bond bond = {.i = b.ids[0], .j = b.ids[1]};
  dem_bond_type_init(&type, sizeof type);
  type.normal_stiffness = 1e3;
  ASSERT_OK(b.system, dem_system_add_bond_type(b.system, &type, NULL));
  ASSERT_OK(b.system, dem_system_add_bonds(b.system, 1, &bond, sizeof bond, NULL));
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 1e20));
  dem_status status = DEM_OK;
  for (int i = 0; i < 20 && !status; i++) status = dem_system_step(b.system, 1);
  ASSERT_STATUS(b.system, status, DEM_FAILED_NOT_FINITE);
  assert_true(strlen(dem_system_message(b.system)) > 10);
  ASSERT_STATUS(b.system, dem_system_step(b.system, 1), DEM_POISONED);
  ASSERT_STATUS(b.system, dem_system_get_field(b.system, DEM_POSITION, 3, NULL, x, 0), DEM_POISONED);
  bed_close(&b);
}

/* Objects of one context are of no use in another. */
static void contexts_do_not_mix(void **state) {
  (void)state;
  bed a, b;
  bed_open(&a);
  bed_open(&b);
  ASSERT_STATUS(a.system, dem_system_set_law(a.system, 0, 0, b.law), DEM_BAD_ARGUMENT);
  bed_close(&b);
  bed_close(&a);
}

/* The tables by pair of so many would fill 40 GB, so the count alone is set here. */
static void the_table_of_materials_has_an_end(void **state) {
  (void)state;
  bed b;
  bed_open(&b);
  const int32_t count = b.system->materials.count;
  b.system->materials.count = 65535;
  ASSERT_STATUS(b.system, dem_system_add_material(b.system, NULL, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b.system), "material", "at most 65535");
  b.system->materials.count = count;
  bed_close(&b);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_refused_with_item_value_and_limit),
      cmocka_unit_test(a_missing_law_stops_the_first_step),
      cmocka_unit_test(a_box_too_small_stops_the_first_step),
      cmocka_unit_test(a_skin_too_large_stops_the_first_step),
      cmocka_unit_test(a_large_dt_is_warned_of_with_the_number),
      cmocka_unit_test(two_dimensions_refuse_the_third),
      cmocka_unit_test(stale_ids_are_named),
      cmocka_unit_test(a_transport_that_is_not_read_is_refused),
      cmocka_unit_test(a_viscous_part_may_read_the_stiffness),
      cmocka_unit_test(reserved_numbers_of_a_system_are_refused),
      cmocka_unit_test(numbers_beyond_limits_are_refused),
      cmocka_unit_test(energies_at_the_limits_are_finite),
      cmocka_unit_test(an_explosion_poisons),
      cmocka_unit_test(contexts_do_not_mix),
      cmocka_unit_test(the_table_of_materials_has_an_end),
  };
  return cmocka_run_group_tests_name("bad_input", tests, NULL, NULL);
}
