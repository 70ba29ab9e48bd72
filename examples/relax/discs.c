#include "discs.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* Upper 53 bits of a multiplicative generator of 64 bits, as a number in [0, 1). */
static double next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* Fills x (3 for each disc) and radius; the length of the box. */
static double place(int64_t count, double phi, uint64_t seed, double *x, double *radius) {
  uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  double area = 0;
  for (int k = 0; k < 16; k++) next_random(&state);
  for (int64_t i = 0; i < count; i++) {
    radius[i] = 1 + next_random(&state);
    area += PI * radius[i] * radius[i];
  }
  const double length = sqrt(area / phi);
  for (int64_t i = 0; i < count; i++)
    for (int a = 0; a < 2; a++) x[3 * i + a] = length * next_random(&state);
  return length;
}

static dem_status set_law(discs *d) {
  dem_law_options o;
  dem_law *law = NULL;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1;
  o.tangential = DEM_TANGENTIAL_NONE;
  dem_status status = dem_law_create(d->context, &o, &law);
  if (!status) status = dem_system_add_material(d->system, NULL, NULL);
  if (!status) status = dem_system_set_law(d->system, 0, 0, law);
  dem_law_release(law);
  return status;
}

static dem_status create_system(discs *d, double length) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dimension = 2;
  o.shape = DEM_SHAPE_DISC;
  o.dt = 0.1;
  for (int a = 0; a < 2; a++) o.periodic[a] = 1, o.box_high[a] = length;
  dem_status status = dem_context_create(NULL, &d->context);
  return status ? status : dem_system_create(d->context, &o, &d->system);
}

static dem_status fill(discs *d, int64_t count, double phi, uint64_t seed, double *x) {
  dem_particles rows;
  dem_particles_init(&rows, sizeof rows);
  rows.count = count;
  rows.position = x;
  rows.radius = rows.density = x + 3 * count;
  dem_status status = create_system(d, place(count, phi, seed, x, x + 3 * count));
  if (!status) status = set_law(d);
  return status ? status : dem_system_add_particles(d->system, &rows, NULL);
}

dem_status discs_open(discs *d, int64_t count, double phi, uint64_t seed) {
  double *x = calloc((size_t)count * 4, sizeof *x);
  *d = (discs){NULL, NULL};
  const dem_status status = x ? fill(d, count, phi, seed, x) : DEM_NO_MEMORY;
  free(x);
  if (status) printf("packing: %s; %s\n", dem_status_name(status), dem_system_message(d->system));
  return status;
}

void discs_close(discs *d) {
  dem_system_destroy(d->system);
  dem_context_destroy(d->context);
}

int discs_say(int right, const char *fact) {
  printf("%s %s\n", right ? "ok    " : "WRONG ", fact);
  return !right;
}

FILE *discs_csv(const char *folder, const char *name, const char *heading) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (file)
    fprintf(file, "%s\n", heading);
  else
    printf("cannot write %s\n", path);
  return file;
}
