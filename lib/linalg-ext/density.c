/* Density of states: a histogram whose integral is (modes in range)/total. */
#include <math.h>
#include <string.h>

#include "handle.h"

#define OPTIONS_V1 DEMI_LA_SIZE_TO(dem_linalg_density_options, total)

static const dem_linalg_density_options DEFAULTS = {.struct_size = sizeof DEFAULTS, .bins = 50};

dem_status dem_linalg_density_options_init(dem_linalg_density_options *options, uint32_t struct_size) {
  return demi_la_give(options, struct_size, &DEFAULTS, sizeof DEFAULTS, OPTIONS_V1);
}

static double edge(const dem_linalg_density_options *o, int64_t bin) {
  const double part = (double)bin / (double)o->bins;
  return o->logarithmic ? o->low * pow(o->high / o->low, part) : o->low + part * (o->high - o->low);
}

static dem_status check(dem_linalg *l, const dem_linalg_density_options *o) {
  if (o->logarithmic != 0 && o->logarithmic != 1)
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "density: logarithmic is %d, allowed 0 and 1", o->logarithmic);
  if (o->bins < 1 || o->bins > 1000000)
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "density: bins is %lld, allowed 1 to 1000000", (long long)o->bins);
  if (!(o->total >= 0) || !isfinite(o->total))
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "density: total is %g, must be at least 0", o->total);
  if (!isfinite(o->low) || (o->logarithmic && !(o->low > 0)))
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "density: low is %g, must be finite, for logarithmic bins above 0", o->low);
  if (!isfinite(o->high) || !(o->high > o->low))
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "density: high is %g, must be above low, %g", o->high, o->low);
  if (!isfinite(o->high - o->low) || (o->logarithmic && !(o->high / o->low > 1 && isfinite(o->high / o->low))))
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "density: low %g and high %g are too far apart or too near", o->low, o->high);
  return DEM_OK;
}

/* The bin of a frequency in range, which the formula of the edges gives up to rounding. */
static int64_t bin_of(const dem_linalg_density_options *o, double w) {
  const double part = o->logarithmic ? log(w / o->low) / log(o->high / o->low) : (w - o->low) / (o->high - o->low);
  const double at = part * (double)o->bins;
  int64_t bin = !(at > 0) ? 0 : at < (double)o->bins ? (int64_t)at : o->bins - 1;
  if (bin > 0 && w < edge(o, bin)) bin--;
  if (bin < o->bins - 1 && w >= edge(o, bin + 1)) bin++;
  return bin;
}

static double largest(int64_t count, const double *frequency) {
  double most = 0;
  for (int64_t k = 0; k < count; k++) most = fmax(most, frequency[k]);
  return most;
}

static void fill(const dem_linalg_density_options *o, int64_t count, const double *frequency, double *density) {
  const double total = o->total > 0 ? o->total : (double)(count > 0 ? count : 1);
  memset(density, 0, (size_t)o->bins * sizeof *density);
  for (int64_t k = 0; k < count; k++)
    if (frequency[k] >= o->low && frequency[k] <= o->high) density[bin_of(o, frequency[k])] += 1;
  for (int64_t b = 0; b < o->bins; b++) density[b] /= total * (edge(o, b + 1) - edge(o, b));
}

dem_status dem_linalg_density(dem_linalg *linalg, int64_t count, const double *frequency,
                              const dem_linalg_density_options *options, double *edges, double *density) {
  dem_linalg_density_options o = DEFAULTS;
  if (!linalg) return DEM_BAD_ARGUMENT;
  if (count < 0 || (count > 0 && !frequency) || !density)
    return demi_la_refuse(linalg, DEM_BAD_ARGUMENT, "density: count is %lld, or an array is NULL", (long long)count);
  dem_status status = options ? demi_la_take(&o, sizeof o, options, OPTIONS_V1) : DEM_OK;
  if (status)
    return demi_la_refuse(linalg, status, "density: the options cannot be read: struct_size %u", options->struct_size);
  for (int64_t k = 0; k < count; k++)
    if (!isfinite(frequency[k]))
      return demi_la_refuse(linalg, DEM_BAD_ARGUMENT, "density: frequency %lld is not finite", (long long)k);
  if (o.high == 0) o.high = largest(count, frequency) * (1 + 1e-9);
  status = check(linalg, &o);
  if (status) return status;
  fill(&o, count, frequency, density);
  for (int64_t b = 0; b <= o.bins && edges; b++) edges[b] = edge(&o, b);
  return DEM_OK;
}
