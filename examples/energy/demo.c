#include "demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, YOUNG = 5e6, POISSON = 0.3;

static void die(const char *name, const char *what, const char *message) {
  fprintf(stderr, "%s: %s: %s\n", name, what, message);
  exit(1);
}

void demo_check(demo *d, const char *what, dem_status status) {
  if (status) die(d->name, what, d->system ? dem_system_message(d->system) : dem_context_message(d->context));
}

/* ---- the time series: the library hands over the books, the program writes what it likes ---- */

/* Columns: an account, and a second one to add to it: contacts with walls beside those between particles. */
#define ONE(account) \
  { #account, offsetof(dem_energy, account), 0 }
#define BOTH(account) \
  { #account, offsetof(dem_energy, account[0]), offsetof(dem_energy, account[1]) }

static const struct column {
  const char *name;
  size_t first, second; /* second: 0 = none */
} columns[] = {
    ONE(kinetic_linear),
    ONE(kinetic_angular),
    ONE(kinetic_walls),
    ONE(gravity),
    BOTH(potential_normal),
    BOTH(potential_tangential),
    ONE(potential_bond),
    BOTH(potential_host),
    BOTH(numerical),
    BOTH(damping_normal),
    BOTH(damping_tangential),
    ONE(damping_bond),
    BOTH(sliding),
    BOTH(lubrication),
    ONE(breakage),
    BOTH(hysteresis),
    ONE(host),
    ONE(walls),
    ONE(residual),
    ONE(residual_relative),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static double account(const dem_energy *e, const struct column *c) {
  const char *books = (const char *)e;
  double first, second = 0;
  memcpy(&first, books + c->first, sizeof first);
  if (c->second) memcpy(&second, books + c->second, sizeof second);
  return first + second;
}

static void write_heading(FILE *csv) {
  fprintf(csv, "# energies in J\ntime");
  for (int k = 0; k < COLUMNS; k++) fprintf(csv, ",%s", columns[k].name);
  fprintf(csv, "\n");
}

static double stored(const dem_energy *e) {
  return e->potential_normal[0] + e->potential_normal[1] + e->potential_tangential[0] + e->potential_tangential[1] +
         e->potential_bond;
}

/* Called by the library during a run. Nonzero would stop it. */
static int32_t on_sample(void *user, int64_t step, double time, const dem_energy *e) {
  (void)step;
  demo *d = user;
  fprintf(d->csv, "%.9g", time);
  for (int k = 0; k < COLUMNS; k++) fprintf(d->csv, ",%.9g", account(e, columns + k));
  fprintf(d->csv, "\n");
  d->now = *e;
  d->potential = fmax(d->potential, stored(e));
  d->residual_max = fmax(d->residual_max, e->residual_relative);
  d->samples++;
  return ferror(d->csv);
}

/* ---- set-up ---- */

void demo_material(dem_material *material) {
  dem_material_init(material, sizeof *material);
  material->young = YOUNG;
  material->poisson = POISSON;
}

static FILE *open_csv(const char *name, const char *folder) {
  char path[1024];
  const int length = snprintf(path, sizeof path, "%s/%s.csv", folder, name);
  FILE *csv = length > 0 && length < (int)sizeof path ? fopen(path, "w") : NULL;
  if (!csv) die(name, folder, "is not a folder that can be written to");
  return csv;
}

void demo_open(demo *d, const char *name, int count, char **arguments, const dem_system_options *options) {
  memset(d, 0, sizeof *d);
  d->name = name;
  if (count > 2) die(name, "usage", "takes the folder for the CSV and nothing else");
  d->csv = open_csv(name, count == 2 ? arguments[1] : ".");
  write_heading(d->csv);
  if (dem_context_create(NULL, &d->context)) die(name, "context", "out of memory");
  demo_check(d, "system", dem_system_create(d->context, options, &d->system));
  dem_material soft;
  demo_material(&soft);
  demo_check(d, "material", dem_system_add_material(d->system, &soft, NULL));
}

void demo_law(demo *d, const dem_law_options *options) {
  dem_law *law = NULL;
  if (dem_law_create(d->context, options, &law)) die(d->name, "law", dem_context_message(d->context));
  demo_check(d, "law", dem_system_set_law(d->system, 0, 0, law));
  dem_law_release(law);
}

void demo_spheres(demo *d, int64_t count, const double *position, const double *velocity, double radius, double density,
                  dem_id *ids) {
  double *row = malloc(2 * (size_t)count * sizeof *row);
  if (!row) die(d->name, "spheres", "out of memory");
  for (int64_t k = 0; k < count; k++) {
    row[k] = radius;
    row[count + k] = density;
  }
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = count;
  p.position = position;
  p.velocity = velocity;
  p.radius = row;
  p.density = row + count;
  demo_check(d, "spheres", dem_system_add_particles(d->system, &p, ids));
  free(row);
}

/* ---- the run and its end ---- */

void demo_run(demo *d, double time, int64_t every) {
  demo_check(d, "sampling", dem_system_set_energy_sampling(d->system, every, on_sample, d));
  demo_check(d, "run", dem_system_run_until(d->system, time));
}

static void print_accounts(const demo *d) {
  printf("%s: %d samples\n", d->name, (int)d->samples);
  for (int k = 0; k < COLUMNS; k++) {
    const double value = account(&d->now, columns + k);
    if (value != 0) printf("  %-20s %12.5g\n", columns[k].name, value);
  }
  printf("  %-20s %12.5g\n  %-20s %12.3g\n", "potential_max", d->potential, "residual_max", d->residual_max);
}

int demo_close(demo *d) {
  print_accounts(d);
  const int failed = fclose(d->csv) != 0 || d->samples == 0 || !(d->residual_max <= 1e-12);
  dem_system_destroy(d->system);
  dem_context_destroy(d->context);
  return failed;
}

double demo_contact_time(double radius, double density, double speed) {
  const double mass = 4.0 / 3 * PI * radius * radius * radius * density;
  const double k = 4.0 / 3 * YOUNG / (2 * (1 - POISSON * POISSON)) * sqrt(radius / 2);
  const double deepest = pow(5 * mass / 2 * speed * speed / (4 * k), 0.4);
  return 2 * sqrt(PI) * tgamma(1.4) / tgamma(0.9) * deepest / speed;
}
