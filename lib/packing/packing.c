/* A random start: into arrays, or as a system. */
#include "packing.h"

#include <math.h>
#include <string.h>

#include "intake.h"
#include "limits.h"
#include "system.h"

#define SYSTEM_V1 DEMI_SIZE_TO(dem_system_options, reserved_zero)

/* ---- arrays ---- */

/* With less room a particle would touch two images of another one. */
static dem_status check_room(dem_context *context, const dem_packing_options *o, const double *radius, const double edges[3]) {
  double largest = 0;
  for (int64_t k = 0; k < o->count; k++) largest = fmax(largest, radius[k]);
  for (int a = 0; a < o->dimension; a++)
    if (!(edges[a] >= 4 * largest))
      return demi_refuse_context(
          context, DEM_BAD_ARGUMENT,
          "packing: edge %d of the box is %g, must be at least %g, two diameters of the largest particle: "
          "more particles or a smaller packing_fraction are needed",
          a, edges[a], 4 * largest);
  return DEM_OK;
}

static dem_status draw(dem_context *context, const dem_packing_options *o, double *position, double *radius, double edges[3]) {
  demi_radii_draw(o, radius);
  demi_packing_fit(o, radius, edges);
  const dem_status status = check_room(context, o, radius, edges);
  if (status) return status;
  if (o->apart) return demi_insert_apart(context, o, radius, edges, position);
  demi_insert_anywhere(o, edges, position);
  return DEM_OK;
}

dem_status demi_packing_draw(dem_context *context, const dem_packing_options *given, double *position, double *radius,
                             double *edges) {
  dem_packing_options o;
  const dem_status status = demi_packing_take_options(context, given, &o);
  return status ? status : draw(context, &o, position, radius, edges);
}

/* ---- a system ---- */

typedef struct start {
  dem_packing_options options;
  double *position, *radius, *density; /* one block of memory, `bytes` long */
  size_t bytes;
  double edges[3];
} start;

static dem_status refuse_as_context(dem_context *context, const dem_system *s, dem_status status) {
  return demi_refuse_context(context, status, "%s", demi_message_text(demi_system_message_of(s)));
}

static dem_status open_start(dem_context *context, const dem_packing_options *given, double density, start *p) {
  dem_status status = demi_packing_take_options(context, given, &p->options);
  if (status) return status;
  if (!demi_bounded_above_zero(density))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "packing: density is %g, must be %g to %g", density, 1 / DEMI_LARGEST,
                               DEMI_LARGEST);
  p->bytes = (size_t)p->options.count * 5 * sizeof(double);
  p->position = demi_allocate(context, p->bytes);
  if (!p->position) return demi_refuse_context(context, DEM_NO_MEMORY, "packing: out of memory");
  p->radius = p->position + 3 * p->options.count;
  p->density = p->radius + p->options.count;
  for (int64_t k = 0; k < p->options.count; k++) p->density[k] = density;
  return draw(context, &p->options, p->position, p->radius, p->edges);
}

static dem_status create(dem_context *context, const start *p, const dem_system_options *given, dem_system **system) {
  dem_system_options o;
  dem_status status = demi_system_options_defaults(&o, sizeof o);
  if (!status && given) status = demi_intake(&o, sizeof o, given, SYSTEM_V1);
  if (status)
    return demi_refuse_context(context, status, "system options: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, given, sizeof o, SYSTEM_V1));
  o.dimension = p->options.dimension;
  o.shape = o.dimension == 2 ? DEM_SHAPE_DISC : DEM_SHAPE_SPHERE;
  if (o.dt == 0) o.dt = 1;
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = a < o.dimension;
    o.box_low[a] = 0;
    o.box_high[a] = p->edges[a];
    o.box_tilt[a] = 0;
  }
  return demi_system_create(context, &o, system);
}

static dem_status add_particles(dem_system *s, const start *p) {
  dem_particles rows;
  const dem_status status = demi_particles_defaults(&rows, sizeof rows);
  rows.count = p->options.count;
  rows.position = p->position;
  rows.radius = p->radius;
  rows.density = p->density;
  return status ? status : demi_system_add_particles(s, &rows, NULL);
}

static dem_status furnish(dem_system *s, const start *p, const dem_material *material, const dem_law *law, int32_t needs_dt) {
  dem_status status = demi_system_add_material(s, material, NULL);
  if (!status) status = demi_system_set_law(s, 0, 0, law);
  if (!status) status = add_particles(s, p);
  if (status || !needs_dt) return status;
  const double stable = demi_system_stable_dt(s);
  return isfinite(stable) && stable > 0 ? demi_system_set_dt(s, stable / 10) : DEM_OK;
}

dem_status demi_packing_system(dem_context *context, const dem_packing_options *packing, const dem_system_options *options,
                               const dem_material *material, const dem_law *law, double density, dem_system **system) {
  start p;
  dem_system *s = NULL;
  memset(&p, 0, sizeof p);
  dem_status status = open_start(context, packing, density, &p);
  if (!status) status = create(context, &p, options, &s);
  if (!status) {
    status = furnish(s, &p, material, law, !options || options->dt == 0);
    if (status) {
      status = refuse_as_context(context, s, status);
      demi_system_destroy(s);
      s = NULL;
    }
  }
  if (p.position) demi_free(context, p.position, p.bytes);
  *system = s;
  return status;
}
