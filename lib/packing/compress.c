/* Isotropic changes of the box: phi = V_p/V, V_p the volume of all particles. To come to phi all edges and tilts of the box are multiplied
 * by (V_p/(phi V))^(1/d), and its middle stays. */
#include "compress.h"

#include <math.h>
#include <string.h>

#include "box_motion.h"

static const double MOST_FRACTION = 100;

dem_status demi_compress_volume(const dem_system *s, double *volume) {
  const int64_t count = demi_system_particle_count(s);
  const size_t bytes = (size_t)count * sizeof(double);
  *volume = 0;
  if (count == 0) return DEM_OK;
  double *radius = demi_allocate(s->context, bytes);
  if (!radius) return demi_system_refuse(s, DEM_NO_MEMORY, "packing: out of memory");
  const dem_status status = demi_system_get_field(s, DEM_RADIUS, count, NULL, radius, 0);
  if (!status) *volume = demi_radii_volume(s->options.dimension, count, radius);
  demi_free(s->context, radius, bytes);
  return status;
}

static double box_volume(const dem_system *s) {
  return s->options.dimension == 2 ? demi_box_length(&s->box, 0) * demi_box_length(&s->box, 1) : demi_box_volume(&s->box);
}

double demi_compress_fraction(const dem_system *s, double volume) { return volume / box_volume(s); }

static dem_status check_axes(const dem_system *s, const char *what) {
  for (int a = 0; a < s->options.dimension; a++)
    if (!s->box.periodic[a])
      return demi_system_refuse(s, DEM_UNSUPPORTED, "%s: axis %d is open, the box must be periodic along it", what, a);
  return DEM_OK;
}

dem_status demi_system_packing_fraction(const dem_system *s, double *packing_fraction) {
  double volume = 0;
  dem_status status = check_axes(s, "packing fraction");
  if (!status) status = demi_compress_volume(s, &volume);
  if (!status) *packing_fraction = demi_compress_fraction(s, volume);
  return status;
}

dem_status demi_compress_check(const dem_system *s, const char *what) {
  const dem_status status = check_axes(s, what);
  if (status) return status;
  if (demi_system_particle_count(s) < 2)
    return demi_system_refuse(s, DEM_INCOMPLETE, "%s: the number of particles is %lld, must be at least 2", what,
                              (long long)demi_system_particle_count(s));
  return DEM_OK;
}

dem_status demi_compress_take_relax(dem_system *s, const dem_relax_options *given, dem_relax_options *options,
                                    const char *what) {
  const dem_status status = demi_relax_take_options(s, given, options);
  if (status || !demi_relax_has_box(options)) return status;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                            "%s: relax has a box_free or strain that is not 0: phi says how large the box is", what);
}

static void scale_box(const dem_system *s, double factor, dem_box *box) {
  for (int a = 0; a < s->options.dimension; a++) {
    const double middle = 0.5 * (box->low[a] + box->high[a]), half = 0.5 * factor * (box->high[a] - box->low[a]);
    box->low[a] = middle - half;
    box->high[a] = middle + half;
  }
  for (int k = 0; k < 3; k++) box->tilt[k] *= factor;
}

dem_status demi_compress_box(dem_system *s, double volume, double packing_fraction) {
  dem_box box = {.struct_size = (uint32_t)sizeof box};
  const dem_status status = demi_system_get_box(s, &box);
  if (status) return status;
  scale_box(s, demi_packing_root(s->options.dimension, volume / (packing_fraction * box_volume(s))), &box);
  return demi_system_set_box(s, &box, 1);
}

dem_status demi_system_compress(dem_system *s, double packing_fraction, const dem_relax_options *relax,
                                const dem_minimise_options *minimise, dem_minimise_report *report) {
  dem_relax_options o;
  double volume = 0;
  if (!(packing_fraction > 0 && packing_fraction <= MOST_FRACTION))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "compress: packing_fraction is %g, must be above 0, at most %g",
                              packing_fraction, MOST_FRACTION);
  dem_status status = demi_compress_check(s, "compress");
  if (!status) status = demi_compress_take_relax(s, relax, &o, "compress");
  if (!status) status = demi_relax_take_method(s, minimise, &(dem_minimise_options){0});
  if (!status) status = demi_compress_volume(s, &volume);
  if (!status) status = demi_compress_box(s, volume, packing_fraction);
  return status ? status : demi_relax_load_step(s, &o, minimise, report);
}
