/* The cases that time a flow: chute and bed. They repeat published set-ups, so their energies can be compared with other codes;
 * see doc/benchmarks.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* ---- what chute and bed share ---- */

static int open_bench(bench *b, const options *o) {
  memset(b, 0, sizeof *b);
  if (!o->data) return fail("--data", "missing: a LAMMPS data file");
  b->context = bench_context(o);
  if (!b->context) return 1;
  if (dem_data_read_path(b->context, o->data, &b->data)) return fail(o->data, dem_context_message(b->context));
  return 0;
}

void bench_close(bench *b) {
  dem_system_destroy(b->system);
  dem_data_destroy(b->data);
  dem_context_destroy(b->context);
}

/* Box of the file, periodic in x and y; arms and history as LAMMPS has them. */
static int create_system(bench *b, const options *o, const double gravity[3], int32_t transport) {
  dem_system_options s;
  dem_system_options_init(&s, sizeof s);
  dem_data_box(b->data, s.box_low, s.box_high);
  dem_data_tilt(b->data, s.box_tilt);
  s.periodic[0] = s.periodic[1] = 1;
  memcpy(s.gravity, gravity, sizeof s.gravity);
  s.dt = 1e-4;
  s.arms = DEM_ARMS_RADIUS;
  s.onset = DEM_ONSET_STEP;
  s.transport = transport;
  s.threads = (int32_t)o->threads;
  s.ledger = (int32_t)o->ledger;
  s.skin = o->skin;
  if (dem_system_create(b->context, &s, &b->system)) return fail("system", dem_context_message(b->context));
  if (o->integrator && dem_system_set_integrator_name(b->system, o->integrator))
    return fail("--integrator", dem_system_message(b->system));
  return 0;
}

static int set_one_law(bench *b, const dem_law_options *parameters, int32_t materials) {
  dem_law *law;
  if (dem_law_create(b->context, parameters, &law)) return fail("law", dem_context_message(b->context));
  for (int32_t i = 0; i < materials; i++)
    for (int32_t j = i; j < materials; j++)
      if (dem_system_set_law(b->system, i, j, law)) return fail("law", dem_system_message(b->system));
  dem_law_release(law);
  return 0;
}

static int add_all(bench *b, int32_t frozen_material) {
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  dem_data_particles(b->data, &p);
  int32_t *frozen = malloc((size_t)(p.count > 0 ? p.count : 1) * sizeof *frozen);
  if (!frozen) return fail("particles", "out of memory");
  for (int64_t k = 0; k < p.count; k++) frozen[k] = p.material[k] == frozen_material;
  p.frozen = frozen;
  const dem_status status = dem_system_add_particles(b->system, &p, NULL);
  free(frozen);
  return status ? fail("particles", dem_system_message(b->system)) : 0;
}

static void print_figures(const options *o, const dem_statistics *before, const dem_statistics *s, double wall,
                          int coordination) {
  const double work = (double)s->particles * (double)o->steps;
  printf("particle_steps_per_second %.6g\n", wall > 0 ? work / wall : 0.0);
  printf("seconds %.6g\n", wall);
  printf("particles %lld\n", (long long)s->particles);
  printf("contacts %lld\n", (long long)(s->contacts + s->wall_contacts));
  printf("kinetic_energy %.17g\n", s->kinetic_energy);
  printf("rotational_energy %.17g\n", s->rotational_energy);
  printf("neighbour_rebuilds %lld\n", (long long)(s->rebuilds - before->rebuilds));
  printf("neighbour_pairs %lld\n", (long long)s->pairs);
  printf("bytes_per_particle %.6g\n", (double)s->bytes / (double)s->particles);
  if (coordination) printf("coordination %.6g\n", s->coordination);
  if (wall <= 0) return;
  printf("share_search %.4f\n", (s->seconds_search - before->seconds_search) / wall);
  printf("share_pass %.4f\n", (s->seconds_pass - before->seconds_pass) / wall);
  printf("share_ledger %.4f\n", (s->seconds_ledger - before->seconds_ledger) / wall);
}

/* Timed like other codes time theirs: set-up and the first list are outside. */
static int run_and_print(bench *b, const options *o, int coordination) {
  dem_statistics before, after;
  dem_statistics_init(&before, sizeof before);
  dem_statistics_init(&after, sizeof after);
  if (dem_system_step(b->system, o->warmup)) return fail("warm-up", dem_system_message(b->system));
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  if (dem_system_energy(b->system, &e)) return fail("energy", dem_system_message(b->system));
  dem_system_statistics(b->system, &before);
  const double start = seconds();
  if (dem_system_step(b->system, o->steps)) return fail("run", dem_system_message(b->system));
  const double wall = seconds() - start;
  dem_system_statistics(b->system, &after);
  print_figures(o, &before, &after, wall, coordination);
  if (dem_system_energy(b->system, &e)) return fail("energy", dem_system_message(b->system));
  printf("ledger_residual_relative %.6g\n", e.residual_relative);
  return 0;
}

/* ---- chute: 32,000 grains down a rough incline (LAMMPS bench/in.chute) ---- */

int chute_open(bench *b, const options *o) {
  const double angle = 26.0 * 3.14159265358979323846 / 180.0;
  const double gravity[3] = {sin(angle), 0.0, -cos(angle)};
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 200000.0;
  law.damping = DEM_DAMPING_RATE;
  law.normal_damping = 50.0;
  law.friction = 0.5;
  int failed = open_bench(b, o) || create_system(b, o, gravity, DEM_TRANSPORT_PROJECT);
  for (int k = 0; k < 2 && !failed; k++) failed = dem_system_add_material(b->system, NULL, NULL) != DEM_OK;
  return failed || set_one_law(b, &law, 2) || add_all(b, 1);
}

int run_chute(const options *o) {
  bench b;
  const int failed = chute_open(&b, o) || run_and_print(&b, o, 0);
  bench_close(&b);
  return failed;
}

/* ---- bed: 50,000 settled grains on a frictional floor ---- */

static void bed_law(const options *o, dem_law_options *law, dem_material *material) {
  law->friction = 0.5;
  if (strcmp(o->law, "hooke") == 0) {
    law->normal_stiffness = 200000.0;
    law->damping = DEM_DAMPING_RATE;
    law->normal_damping = 50.0;
    return;
  }
  law->normal = DEM_NORMAL_HERTZ;
  law->tangential = strcmp(o->law, "hertz-force") == 0 ? DEM_TANGENTIAL_MINDLIN : DEM_TANGENTIAL_LINEAR;
  law->damping = DEM_DAMPING_RESTITUTION;
  law->restitution = 0.8;
  material->young = 1e7;
  material->poisson = 0.3;
}

static int add_floor(bench *b) {
  dem_wall floor_plane;
  dem_wall_init(&floor_plane, sizeof floor_plane);
  floor_plane.axis[2] = 1.0;
  return dem_system_add_wall(b->system, &floor_plane, NULL) ? fail("floor", dem_system_message(b->system)) : 0;
}

int run_bed(const options *o) {
  if (strcmp(o->law, "hooke") && strcmp(o->law, "hertz") && strcmp(o->law, "hertz-force"))
    return fail(o->law, "--law takes hooke, hertz (spring with k_t = 8 G* a) or hertz-force (Mindlin with force history)");
  const double gravity[3] = {0.0, 0.0, -1.0};
  const int hooke = strcmp(o->law, "hooke") == 0;
  bench b;
  dem_law_options law;
  dem_material material;
  dem_law_options_init(&law, sizeof law);
  dem_material_init(&material, sizeof material);
  bed_law(o, &law, &material);
  int failed = open_bench(&b, o) || create_system(&b, o, gravity, hooke ? DEM_TRANSPORT_PROJECT : DEM_TRANSPORT_ROTATE);
  failed = failed || dem_system_add_material(b.system, &material, NULL) || set_one_law(&b, &law, 1);
  failed = failed || add_all(&b, -1) || add_floor(&b) || run_and_print(&b, o, 1);
  bench_close(&b);
  return failed;
}
