#include "fall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, GRAVITY = 9.81, DENSITY = 2500;

fall_options fall_defaults(void) {
  return (fall_options){.scheme = "improved-velocity-verlet",
                        .ratio = 20,
                        .fines = 2500,
                        .friction = 0.5,
                        .restitution = 0.8,
                        .overlap = 0.01,
                        .steps = 50,
                        .time = 90,
                        .stall = 20,
                        .seed = 1};
}

static int refused(const fall *f, dem_context *context, dem_status status) {
  if (!status) return 0;
  fprintf(stderr, "fall: %s\n", f->system ? dem_system_message(f->system) : dem_context_message(context));
  return 1;
}

static dem_status set_law(dem_context *context, dem_system *system, int32_t a, int32_t b, const dem_law_options *options) {
  dem_law *law = NULL;
  dem_status status = dem_law_create(context, options, &law);
  if (!status) status = dem_system_set_law(system, a, b, law);
  dem_law_release(law);
  return status;
}

/* Material 0 is that of the bed, 1 that of the fines, which do not see each other. */
static dem_status create(dem_context *context, fall *f) {
  const fall_options *o = &f->options;
  const double r = f->bed->radius / o->ratio, mass = 4.0 / 3 * PI * r * r * r * DENSITY, overlap = o->overlap * r;
  dem_system_options s;
  dem_law_options meet, pass;
  dem_system_options_init(&s, sizeof s);
  dem_law_options_init(&meet, sizeof meet);
  dem_law_options_init(&pass, sizeof pass);
  meet.normal_stiffness = mass * 2 * GRAVITY * f->bed->radius / (overlap * overlap);
  meet.tangential_stiffness = 0.82 * meet.normal_stiffness;
  meet.damping = DEM_DAMPING_RESTITUTION;
  meet.restitution = o->restitution;
  meet.friction = o->friction;
  pass.normal = DEM_NORMAL_NONE;
  pass.tangential = DEM_TANGENTIAL_NONE;
  s.dt = PI * sqrt(mass / meet.normal_stiffness) / o->steps;
  s.gravity[2] = -GRAVITY;
  s.periodic[0] = s.periodic[1] = 1;
  s.box_high[0] = s.box_high[1] = f->bed->side;
  dem_status status = dem_system_create(context, &s, &f->system);
  if (!status) status = dem_system_set_integrator_name(f->system, o->scheme);
  for (int k = 0; k < 2 && !status; k++) status = dem_system_add_material(f->system, NULL, NULL);
  if (!status) status = set_law(context, f->system, 0, 0, &pass);
  if (!status) status = set_law(context, f->system, 0, 1, &meet);
  if (!status) status = set_law(context, f->system, 1, 1, &pass);
  return status;
}

static double random_in(uint64_t *state, double low, double high) {
  *state = *state * 48271 % 2147483647;
  return low + (high - low) * (double)*state / 2147483647;
}

/* One kind of sphere at the given positions. */
static dem_status add(fall *f, int64_t count, const double *position, double radius, int32_t material, int32_t frozen,
                      dem_id *ids) {
  double *row = malloc(2 * (size_t)count * sizeof *row);
  int32_t *kind = malloc(2 * (size_t)count * sizeof *kind);
  dem_status status = row && kind ? DEM_OK : DEM_NO_MEMORY;
  for (int64_t k = 0; k < count && !status; k++) {
    row[k] = radius;
    row[count + k] = DENSITY;
    kind[k] = material;
    kind[count + k] = frozen;
  }
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = count;
  p.position = position;
  p.radius = row;
  p.density = row + count;
  p.material = kind;
  p.frozen = kind + count;
  if (!status) status = dem_system_add_particles(f->system, &p, ids);
  free(row);
  free(kind);
  return status;
}

/* At rest, anywhere just above the bed: they may overlap. */
static dem_status add_fines(fall *f) {
  const int64_t n = f->options.fines;
  const double r = f->bed->radius / f->options.ratio;
  double *position = malloc(3 * (size_t)n * sizeof *position);
  dem_id *ids = malloc((size_t)n * sizeof *ids);
  uint64_t state = f->options.seed;
  dem_status status = position && ids ? DEM_OK : DEM_NO_MEMORY;
  for (int64_t k = 0; k < n && !status; k++)
    for (int a = 0; a < 3; a++)
      position[3 * k + a] = a < 2 ? random_in(&state, 0, f->bed->side) : f->bed->top + random_in(&state, 2, 4) * r;
  if (!status) status = add(f, n, position, r, 1, 0, ids);
  for (int64_t k = 0; k < n && !status; k++) f->fines[k] = (fine){.id = ids[k], .lowest = f->bed->top + 4 * r};
  free(position);
  free(ids);
  return status;
}

int fall_open(dem_context *context, const bed *b, const fall_options *o, fall *f) {
  *f = (fall){.options = *o, .bed = b, .unit = sqrt(b->radius / GRAVITY)};
  f->fines = calloc((size_t)o->fines, sizeof *f->fines);
  dem_status status = f->fines ? create(context, f) : DEM_NO_MEMORY;
  if (!status) status = add(f, b->count, b->position, b->radius, 0, 1, NULL);
  if (!status) status = add_fines(f);
  return refused(f, context, status);
}

static dem_status look(fall *f, fine *one) {
  const double r = f->bed->radius / f->options.ratio;
  const dem_status status = dem_system_get_field(f->system, DEM_POSITION, 1, &one->id, one->position, 0);
  const double z = one->position[2];
  if (status) return status;
  if (z < one->lowest - r) {
    one->lowest = z;
    one->since = f->now;
  }
  one->trapped = f->now - one->since > f->options.stall;
  if (z > -2 * r) return DEM_OK;
  one->through = 1;
  one->trapped = 0;
  return dem_system_remove_particles(f->system, 1, &one->id);
}

int fall_until(fall *f, double time) {
  dem_statistics s;
  dem_statistics_init(&s, sizeof s);
  dem_status status = dem_system_run_until(f->system, time * f->unit);
  f->now = time;
  f->trapped = f->through = 0;
  for (int64_t k = 0; k < f->options.fines && !status; k++) {
    fine *one = f->fines + k;
    if (!one->through) status = look(f, one);
    f->trapped += one->trapped;
    f->through += one->through;
  }
  dem_system_statistics(f->system, &s);
  f->steps = s.steps;
  return refused(f, NULL, status);
}

void fall_close(fall *f) {
  dem_system_destroy(f->system);
  free(f->fines);
  memset(f, 0, sizeof *f);
}
