#include "decompress.h"

#include <math.h>
#include <stdlib.h>

static void must(dem_status status, const char *text) {
  if (status == DEM_OK) return;
  fprintf(stderr, "jam: %s: %s\n", dem_status_name(status), text);
  exit(2);
}
#define MUST(call) must((call), dem_system_message(system))

/* Frictionless harmonic contacts of stiffness 1. */
static dem_law *make_law(dem_context *context) {
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1;
  o.tangential = DEM_TANGENTIAL_NONE;
  must(dem_law_create(context, &o, &law), dem_context_message(context));
  return law;
}

static dem_system *make_system(dem_context *context, const jam_options *j, uint64_t seed) {
  dem_packing_options start;
  dem_system_options o;
  dem_system *system;
  dem_law *law = make_law(context);
  dem_packing_options_init(&start, sizeof start);
  dem_system_options_init(&o, sizeof o);
  start.dimension = j->dimension;
  start.count = j->count;
  start.seed = seed;
  start.distribution = DEM_RADII_BIDISPERSE;
  start.radius = 0.5;
  start.ratio = j->ratio;
  start.packing_fraction = j->start;
  o.threads = j->threads;
  must(dem_packing_system(context, &start, &o, NULL, law, 1, &system), dem_context_message(context));
  dem_law_release(law);
  return system;
}

static dem_jam_report come_to(dem_system *system, const jam_options *j, double pressure) {
  dem_jam_options o;
  dem_jam_report r;
  dem_minimise_options m;
  dem_jam_options_init(&o, sizeof o);
  dem_jam_report_init(&r, sizeof r);
  dem_minimise_options_init(&m, sizeof m);
  o.pressure = pressure;
  m.strategy = j->strategy;
  m.gradient_relative = 0;
  m.force_relative = 1e-6;
  MUST(dem_system_jam(system, &o, &m, &r));
  return r;
}

static void write_packing(dem_system *system, const jam_options *j) {
  const int32_t fields[2] = {DEM_RATTLER, DEM_COORDINATION};
  char path[1024];
  snprintf(path, sizeof path, "%s/jam.data", j->folder);
  MUST(dem_system_write_data_path(system, path));
  snprintf(path, sizeof path, "%s/jam.vtp", j->folder);
  MUST(dem_system_write_vtp_fields_path(system, 2, fields, path));
  snprintf(path, sizeof path, "%s/jam_contacts.vtp", j->folder);
  MUST(dem_system_write_contacts_vtp_path(system, path));
  snprintf(path, sizeof path, "%s/jam_box.vtp", j->folder);
  MUST(dem_system_write_box_vtp_path(system, path));
}

static void append(ladder *l, const dem_jam_report *r) {
  l->state = realloc(l->state, (size_t)(l->count + 1) * sizeof *l->state);
  l->point = realloc(l->point, (size_t)(l->count + 1) * sizeof *l->point);
  if (!l->state || !l->point) must(DEM_NO_MEMORY, "no memory for the states");
  l->state[l->count++] = *r;
}

void decompress(const jam_options *j, uint64_t seed, int write_files, ladder *l) {
  const int first = l->count, rungs = (int)floor(j->rungs * log10(j->first / j->last) + 0.5);
  dem_context *context;
  dem_jam_report r = {0};
  must(dem_context_create(NULL, &context), "no context");
  dem_system *system = make_system(context, j, seed);
  for (int k = 0; k <= rungs && r.reason >= 0; k++) {
    r = come_to(system, j, j->last * pow(10, (double)(rungs - k) / j->rungs));
    printf("seed %llu, p %.3e: phi %.8f, z %.4f without %g rattlers, contacts %g of %g, %d steps, %lld iterations, %.1f s%s\n",
           (unsigned long long)seed, r.pressure, r.packing_fraction, r.coordination_carrying, r.rattlers, r.contacts,
           r.contacts_isostatic, r.steps, (long long)r.iterations, r.seconds, r.reason > 0 ? "" : ", NOT REACHED");
    fflush(stdout);
    append(l, &r);
  }
  for (int k = first; k < l->count; k++) l->point[k] = r.fraction_point;
  if (write_files) write_packing(system, j);
  dem_system_destroy(system);
  dem_context_destroy(context);
}
