/* dem-bench shear and gas: 32,000 spheres in a periodic box.
 *
 * Diameters are spread evenly over 0.9 to 1.1, the mean sphere has mass 1: 40 x 40 x 20 of them on a cubic lattice, off it by a
 * little, with random velocities. Up to a volume fraction of 0.4 the box has its size at once. Denser packings begin at 0.3, and the box
 * shrinks at a constant rate, and is then left to itself for a while.
 *
 *   shear   the velocities of the flow are added, and the box is sheared at a constant rate (xy)
 *   gas     the box is at rest
 *
 * Hooke with tangential history, friction 0.5, arms and histories as LAMMPS has them. --write leaves the scene at the start of the timed
 * steps as a LAMMPS data file, --data begins with such a file. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "scenes.h"

enum { LONG = 40, SHORT = 20, RELAX = 1000, SAMPLE = 20, BLOCKS = 10 };
static const double LOOSE = 0.3, DIRECT = 0.4, PRESS_RATE = -0.5, DT = 1e-4;

static int create(bench *b, const options *o, const double low[3], const double high[3]) {
  dem_system_options s;
  dem_law_options law;
  dem_system_options_init(&s, sizeof s);
  for (int a = 0; a < 3; a++) {
    s.box_low[a] = low[a];
    s.box_high[a] = high[a];
    s.periodic[a] = 1;
  }
  s.dt = DT;
  s.arms = DEM_ARMS_RADIUS;
  s.transport = DEM_TRANSPORT_PROJECT;
  s.onset = DEM_ONSET_STEP;
  s.threads = (int32_t)o->threads;
  s.ledger = (int32_t)o->ledger;
  s.skin = o->skin;
  if (dem_system_create(b->context, &s, &b->system)) return fail("system", dem_context_message(b->context));
  if (o->integrator && dem_system_set_integrator_name(b->system, o->integrator))
    return fail("--integrator", dem_system_message(b->system));
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 200000.0;
  law.damping = DEM_DAMPING_RATE;
  law.normal_damping = 50.0;
  law.friction = 0.5;
  if (dem_system_add_material(b->system, NULL, NULL) || scene_set_law(b->context, b->system, 0, 0, &law))
    return fail("law", dem_system_message(b->system));
  return 0;
}

/* ---- the scene ---- */

/* pi/6 of the mean cube of the diameters, 1 + 0.1^2, in a cell of edge a. */
static double spacing_of(double phi) { return cbrt(3.14159265358979323846 / 6.0 * 1.01 / phi); }

static int put_all(bench *b, double spacing) {
  rows r;
  dice d = {1};
  const double room = 0.4 * (spacing - 1.1);
  if (rows_create(&r, LONG * LONG * SHORT)) return fail("particles", "out of memory");
  for (int k = 0; k < LONG * LONG * SHORT; k++) {
    const int at[3] = {k % LONG, k / LONG % LONG, k / LONG / LONG};
    double x[3], v[3];
    for (int a = 0; a < 3; a++) {
      x[a] = (at[a] + 0.5) * spacing + dice_uniform(&d, -room, room);
      v[a] = dice_uniform(&d, -2, 2);
    }
    const int64_t row = rows_put(&r, x[0], x[1], x[2], dice_uniform(&d, 0.45, 0.55));
    rows_velocity(&r, row, v[0], v[1], v[2]);
  }
  const dem_status status = rows_add(&r, b->system, NULL);
  rows_destroy(&r);
  return status ? fail("particles", dem_system_message(b->system)) : 0;
}

static dem_status drive(bench *b, int component, double rate) {
  dem_box_motion m;
  dem_box_motion_init(&m, sizeof m);
  if (component >= 0) m.rate[component] = rate;
  if (component < 0) m.rate[DEM_BOX_XX] = m.rate[DEM_BOX_YY] = m.rate[DEM_BOX_ZZ] = rate;
  return dem_system_set_box_motion(b->system, &m);
}

/* Adds the flow v_x += shear (y - middle), and v += press (x - middle) along each axis. The middle is that of the lattice, where the
 * box keeps it. */
static dem_status add_flow(bench *b, double shear, double press, double spacing) {
  const double middle[3] = {0.5 * LONG * spacing, 0.5 * LONG * spacing, 0.5 * SHORT * spacing};
  const int64_t n = LONG * LONG * SHORT;
  double *x = malloc((size_t)n * 6 * sizeof *x), *v = x + 3 * n;
  dem_status status = x ? DEM_OK : DEM_NO_MEMORY;
  if (!status) status = dem_system_get_field(b->system, DEM_POSITION, n, NULL, x, 0);
  if (!status) status = dem_system_get_field(b->system, DEM_VELOCITY, n, NULL, v, 0);
  for (int64_t k = 0; k < 3 * n && !status; k++) {
    v[k] += press * (x[k] - middle[k % 3]);
    if (k % 3 == 0) v[k] += shear * (x[k + 1] - middle[1]);
  }
  if (!status) status = dem_system_set_field(b->system, DEM_VELOCITY, n, NULL, v, 0);
  free(x);
  return status;
}

/* Edges grow as exp(rate t): ln(spacing ratio)/rate is how long it takes. A whole number of steps by a rate that is a little smaller.
 * Particles have the velocities of the flow meanwhile: else the faces would drive shocks into them. */
static int press(bench *b, double from, double to) {
  const double strain = log(to / from), steps = ceil(strain / PRESS_RATE / DT), rate = strain / (steps * DT);
  if (add_flow(b, 0, rate, from) || drive(b, -1, rate) || dem_system_step(b->system, (int64_t)steps) ||
      dem_system_set_box_motion(b->system, NULL) || add_flow(b, 0, -rate, from) || dem_system_step(b->system, RELAX))
    return fail("pressing", dem_system_message(b->system));
  return 0;
}

static int from_lattice(bench *b, const options *o, double phi, double rate) {
  const double target = spacing_of(phi), start = phi > DIRECT ? spacing_of(LOOSE) : target;
  const double low[3] = {0, 0, 0}, high[3] = {LONG * start, LONG * start, SHORT * start};
  if (create(b, o, low, high) || put_all(b, start)) return 1;
  if (phi > DIRECT && press(b, start, target)) return 1;
  return rate != 0 && add_flow(b, rate, 0, start) ? fail("flow", dem_system_message(b->system)) : 0;
}

static int from_file(bench *b, const options *o) {
  double low[3], high[3];
  dem_particles p;
  if (dem_data_read_path(b->context, o->data, &b->data)) return fail(o->data, dem_context_message(b->context));
  dem_data_box(b->data, low, high);
  if (create(b, o, low, high)) return 1;
  dem_particles_init(&p, sizeof p);
  dem_data_particles(b->data, &p);
  return dem_system_add_particles(b->system, &p, NULL) ? fail("particles", dem_system_message(b->system)) : 0;
}

/* ---- timing ---- */

typedef struct figure {
  double block[BLOCKS];
} figure;

/* Mean, and the standard error of the means of the blocks. */
static void print_mean(const char *name, const figure *f) {
  double mean = 0, square = 0;
  for (int k = 0; k < BLOCKS; k++) mean += f->block[k] / BLOCKS;
  for (int k = 0; k < BLOCKS; k++) square += (f->block[k] - mean) * (f->block[k] - mean);
  printf("%s %.9g\n%s_error %.3g\n", name, mean, name, sqrt(square / (BLOCKS * (BLOCKS - 1))));
}

typedef struct figures {
  figure shear, pressure, kinetic;
  double wall, processor; /* time [s]; of the processor: with one thread free of what others run meanwhile */
} figures;

static dem_status sample(bench *b, figures *f, int block, double weight) {
  double s[DEM_BOX_COMPONENTS];
  dem_statistics t;
  dem_statistics_init(&t, sizeof t);
  const dem_status status = dem_system_get_box_stress(b->system, s);
  if (status) return status;
  f->shear.block[block] -= weight * s[DEM_BOX_XY]; /* positive against the flow */
  f->pressure.block[block] += weight * (s[DEM_BOX_XX] + s[DEM_BOX_YY] + s[DEM_BOX_ZZ]) / 3;
  dem_system_statistics(b->system, &t);
  f->kinetic.block[block] += weight * t.kinetic_energy;
  return DEM_OK;
}

/* SAMPLE steps at a time; the stress is sampled behind each, which counts as run time, as with LAMMPS. */
static int time_steps(bench *b, const options *o, figures *f) {
  const int64_t pieces = o->steps / SAMPLE;
  memset(f, 0, sizeof *f);
  const clock_t began = clock();
  const double start = seconds();
  for (int64_t k = 0; k < pieces; k++) {
    const int block = (int)(k * BLOCKS / pieces);
    const int64_t first = (block * pieces + BLOCKS - 1) / BLOCKS, end = ((block + 1) * pieces + BLOCKS - 1) / BLOCKS;
    if (dem_system_step(b->system, SAMPLE) || sample(b, f, block, 1.0 / (double)(end - first)))
      return fail("run", dem_system_message(b->system));
  }
  f->wall = seconds() - start;
  f->processor = (double)(clock() - began) / CLOCKS_PER_SEC;
  return 0;
}

static void print_all(const options *o, const dem_statistics *before, const dem_statistics *s, const figures *f, int sheared) {
  const double steps = (double)(o->steps / SAMPLE * SAMPLE);
  if (steps > 0 && sheared) print_mean("shear_stress", &f->shear);
  if (steps > 0) print_mean("pressure", &f->pressure);
  if (steps > 0) print_mean("kinetic_energy", &f->kinetic);
  printf("steps_per_second %.6g\n", f->wall > 0 ? steps / f->wall : 0.0);
  printf("particle_steps_per_second %.6g\n", f->wall > 0 ? steps * (double)s->particles / f->wall : 0.0);
  printf("seconds %.6g\n", f->wall);
  printf("processor_seconds %.6g\n", f->processor);
  printf("particles %lld\n", (long long)s->particles);
  printf("contacts %lld\n", (long long)s->contacts);
  printf("neighbour_rebuilds %lld\n", (long long)(s->rebuilds - before->rebuilds));
  printf("skin %.6g\n", s->skin);
  if (f->wall <= 0) return;
  printf("share_search %.4f\n", (s->seconds_search - before->seconds_search) / f->wall);
  printf("share_pass %.4f\n", (s->seconds_pass - before->seconds_pass) / f->wall);
}

static int run(const options *o, double phi, double rate) {
  bench b;
  figures f;
  dem_statistics before, after;
  memset(&b, 0, sizeof b);
  if (!(phi > 0.05 && phi < 0.68)) return fail("--phi", "must be 0.05 to 0.68");
  b.context = bench_context(o);
  int failed = !b.context || (o->data ? from_file(&b, o) : from_lattice(&b, o, phi, rate));
  if (!failed && o->write && dem_system_write_data_path(b.system, o->write))
    failed = fail(o->write, dem_system_message(b.system));
  if (!failed && rate != 0 && drive(&b, DEM_BOX_XY, rate)) failed = fail("--rate", dem_system_message(b.system));
  if (!failed && dem_system_step(b.system, o->warmup)) failed = fail("warm-up", dem_system_message(b.system));
  dem_statistics_init(&before, sizeof before), dem_statistics_init(&after, sizeof after);
  if (!failed) dem_system_statistics(b.system, &before);
  failed = failed || time_steps(&b, o, &f);
  if (!failed) dem_system_statistics(b.system, &after);
  if (!failed) print_all(o, &before, &after, &f, rate != 0);
  bench_close(&b);
  return failed;
}

int run_shear(const options *o) { return run(o, o->phi > 0 ? o->phi : 0.6, o->rate > 0 ? o->rate : 1.0); }
int run_gas(const options *o) { return run(o, o->phi > 0 ? o->phi : 0.2, 0.0); }
