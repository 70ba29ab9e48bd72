#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double CONTRACTION = 0.01; /* rate at which loose spheres are brought together [1/time] */

/* Every call returns a status; the text of a refusal is kept by the system, or by the context while there is none. */
void check(const sample *s, dem_status status) {
  if (status == DEM_OK) return;
  fprintf(stderr, "triaxial: %s: %s\n", dem_status_name(status),
          s->system ? dem_system_message(s->system) : dem_context_message(s->context));
  exit(1);
}

static void log_line(void *user, int32_t level, const char *text) {
  (void)user;
  fprintf(stderr, "triaxial: %s: %s\n", level == DEM_LOG_WARNING ? "warning" : "note", text);
}

/* A twentieth of the contact time pi sqrt(m/(2 k)) of the two smallest spheres. */
static double time_step(void) {
  const double mass = 4.0 / 3.0 * PI * RADIUS_LOW * RADIUS_LOW * RADIUS_LOW;
  return 0.05 * PI * sqrt(mass / (2 * STIFFNESS));
}

/* ---- laws ---- */

static void set_law(sample *s, int32_t a, int32_t b, const dem_law_options *o) {
  dem_law *law = NULL;
  check(s, dem_law_create(s->context, o, &law));
  check(s, dem_system_set_law(s->system, a, b, law));
  dem_law_release(law); /* the system keeps its own reference */
}

static void set_friction(sample *s, double friction) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = STIFFNESS;
  o.damping = DEM_DAMPING_RESTITUTION;
  o.restitution = RESTITUTION;
  o.friction = friction;
  o.tangential_damping = DEM_DAMPING_RESTITUTION;
  set_law(s, 0, 0, &o);
}

/* Walls are smooth, and a servo is itself a dashpot: theirs is left out, so that the servo may be quick. */
static void set_wall_law(sample *s) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = STIFFNESS;
  o.tangential = DEM_TANGENTIAL_NONE;
  set_law(s, 0, 1, &o);
}

/* ---- particles ---- */

static double uniform(uint64_t *seed) { /* 0 ... 1, the same on all machines */
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

/* On a cubic lattice with room for the largest sphere, shaken within that room. The middle of the cell is 0. */
static void add_spheres(sample *s, double spacing) {
  const int side = s->options.side;
  const size_t count = (size_t)s->count;
  double *x = malloc(8 * count * sizeof *x);
  if (!x) exit(1);
  double *v = x + 3 * count, *radius = v + 3 * count, *density = radius + count;
  uint64_t seed = 20;
  for (size_t n = 0; n < count; n++) {
    const size_t at[3] = {n % (size_t)side, n / (size_t)side % (size_t)side, n / (size_t)(side * side)};
    for (int a = 0; a < 3; a++) {
      x[3 * n + a] = ((double)at[a] + 0.5) * spacing - 0.5 * s->start_length + 0.04 * (uniform(&seed) - 0.5);
      v[3 * n + a] = -CONTRACTION * x[3 * n + a];
    }
    radius[n] = RADIUS_LOW + (RADIUS_HIGH - RADIUS_LOW) * uniform(&seed);
    density[n] = 1;
  }
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = s->count, p.position = x, p.velocity = v, p.radius = radius, p.density = density;
  check(s, dem_system_add_particles(s->system, &p, NULL));
  free(x);
}

static void set_drag(sample *s, double rate) {
  double *rates = malloc((size_t)s->count * sizeof *rates);
  if (!rates) exit(1);
  for (int64_t n = 0; n < s->count; n++) rates[n] = rate;
  check(s, dem_system_set_field(s->system, DEM_DRAG_RATE, s->count, NULL, rates, 0));
  free(rates);
}

/* ---- opening and closing ---- */

void sample_open(sample *s, const cell *c, const triaxial_options *o) {
  const double spacing = 2 * RADIUS_HIGH + 0.05;
  dem_context_options context;
  dem_system_options system;
  *s = (sample){.options = *o, .count = (int64_t)o->side * o->side * o->side, .start_length = o->side * spacing};
  dem_context_options_init(&context, sizeof context);
  context.log = log_line;
  check(s, dem_context_create(&context, &s->context));
  dem_system_options_init(&system, sizeof system);
  system.dt = s->dt = time_step();
  system.ledger = 1;
  system.threads = o->threads;
  for (int a = 0; a < 3; a++) {
    system.periodic[a] = c->periodic;
    system.box_low[a] = -0.5 * s->start_length, system.box_high[a] = 0.5 * s->start_length;
  }
  check(s, dem_system_create(s->context, &system, &s->system));
  check(s, dem_system_add_material(s->system, NULL, NULL)); /* 0: spheres */
  check(s, dem_system_add_material(s->system, NULL, NULL)); /* 1: walls */
  set_friction(s, o->friction_compressed);
  set_wall_law(s);
  add_spheres(s, spacing);
}

void sample_close(sample *s) {
  dem_system_destroy(s->system);
  if (dem_context_destroy(s->context)) exit(1);
}

/* ---- measures ---- */

void sample_measure(sample *s, const cell *c, state *out) {
  double length[3];
  c->lengths(s, length);
  dem_statics_options o;
  dem_statics t;
  dem_energy books;
  dem_statics_options_init(&o, sizeof o);
  dem_statics_init(&t, sizeof t);
  dem_energy_init(&books, sizeof books);
  o.volume = length[0] * length[1] * length[2];
  check(s, dem_system_statics(s->system, &o, &t));
  c->pressures(s, out->pressure);
  check(s, dem_system_energy(s->system, &books));
  for (int a = 0; a < 3; a++) out->stress[a] = t.stress[4 * a];
  out->ratio = out->stress[2] / (0.5 * (out->stress[0] + out->stress[1]));
  out->deviator = t.deviator / t.pressure;
  out->void_ratio = 1 / (t.packing_fraction - t.overlap_fraction) - 1;
  out->coordination = t.coordination;
  out->sliding = t.sliding;
  out->axial_strain = s->volume > 0 ? log(s->axial_length / length[2]) : 0;
  out->volumetric_strain = s->volume > 0 ? log(s->volume / o.volume) : 0;
  out->kinetic = books.kinetic_linear / (double)s->count;
  out->residual = books.residual_relative;
}

double state_mismatch(const state *t) {
  double most = 0;
  for (int a = 0; a < 3; a++) most = fmax(most, fabs(t->stress[a] / t->pressure[a] - 1));
  return most;
}

/* ---- isotropic compression ---- */

static double mean_pressure(const state *t) { return (t->pressure[0] + t->pressure[1] + t->pressure[2]) / 3; }

/* Until the sample is at rest, with the lateral pressures as wanted; at most 200,000 steps. */
static void settle(sample *s, const cell *c) {
  for (int n = 0; n < 400; n++) {
    state now;
    check(s, dem_system_step(s->system, 500));
    sample_measure(s, c, &now);
    if (fabs(0.5 * (now.pressure[0] + now.pressure[1]) / PRESSURE - 1) < 1e-5 && now.kinetic < 1e-10) return;
  }
  fprintf(stderr, "triaxial: %s: the sample has not come to rest\n", c->name);
  exit(1);
}

/* A drag towards rest, with a time of relaxation like the period of the slowest sound wave, takes the kinetic energy out. The new law
 * begins with new springs, so the sample settles again. */
void sample_compress(sample *s, const cell *c) {
  state now;
  double length[3];
  set_drag(s, 1);
  c->approach(s, CONTRACTION);
  do {
    check(s, dem_system_step(s->system, 500));
    sample_measure(s, c, &now);
  } while (mean_pressure(&now) < 0.1 * PRESSURE);
  c->press(s);
  settle(s, c);
  set_friction(s, s->options.friction);
  settle(s, c);
  c->lengths(s, length);
  s->axial_length = length[2];
  s->volume = length[0] * length[1] * length[2];
  set_drag(s, 0);
}

/* ---- shear ---- */

void sample_shear(sample *s, const cell *c, int64_t steps) {
  double before[3], after[3];
  c->lengths(s, before);
  c->drive(s, s->options.rate);
  check(s, dem_system_step(s->system, steps));
  c->lengths(s, after);
  const double rate = 0.5 * log(after[0] * after[1] / (before[0] * before[1])) / ((double)steps * s->dt);
  s->lateral_rate = 0.5 * (s->lateral_rate + rate);
}

void sample_halt(sample *s, const cell *c) {
  s->lateral_rate = 0;
  set_drag(s, 1);
  c->drive(s, 0);
  settle(s, c);
}
