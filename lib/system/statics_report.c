/* Statics of a system, from the loads of its latest evaluation. Where these are out of date, the forces are evaluated first, with
 * history time 0, as the next step would begin: bit for bit the step finds then what it would have computed itself. */
#include "statics_report.h"

#include "box_motion.h"
#include "engine.h"
#include "field_rows.h"
#include "histogram.h"
#include "limits.h"
#include "network.h"
#include "ready.h"
#include "report.h"
#include "statics_options.h"
#include "stored_energy.h"

/* ---- forces ---- */

demi_statics_source demi_statics_source_of(const dem_system *s) {
  demi_box room;
  return (demi_statics_source){.context = s->context,
                               .message = &((dem_system *)(uintptr_t)s)->message,
                               .store = &s->store,
                               .loads = &s->contacts.loads,
                               .box = &s->box,
                               .shown = *demi_box_shown(&s->box, &room),
                               .face = s->faces.face,
                               .bonds = &s->bonds,
                               .laws = &s->laws,
                               .rate = demi_box_moves(s) ? s->box_motion.given.rate : NULL,
                               .blocks = s->contacts.valid ? s->list.motion.blocks : 0,
                               .dimension = s->options.dimension};
}

static int has_forces(const dem_system *s) {
  return s->store.count == 0 ||
         (s->contacts.valid && s->interval.state != DEMI_FORCES_STALE && s->interval.state != DEMI_FORCES_QUEUED);
}

dem_status demi_statics_known(const dem_system *s, const char *what) {
  if (has_forces(s)) return DEM_OK;
  return demi_system_refuse(s, DEM_INCOMPLETE,
                            "%s: the contact forces are out of date; a step or dem_system_statics evaluates them", what);
}

dem_status demi_system_find_forces(dem_system *s) {
  if (has_forces(s)) return DEM_OK;
  if (s->guards.trials > 0)
    return demi_system_refuse(s, DEM_BUSY, "statics: the contact forces are out of date, and %d trials are open, must be 0",
                              s->guards.trials);
  if (!(s->integrator->table.capabilities & DEM_INTEGRATOR_FORCES_AT_START))
    return demi_system_refuse(s, DEM_INCOMPLETE,
                              "statics: the contact forces are out of date, and the integrator '%s' evaluates them within its "
                              "step only: step first",
                              s->integrator->name);
  dem_status status = demi_system_ready(s);
  if (!status) status = demi_stored_after_change(s);
  if (!status) status = demi_engine_evaluate(s, 0.0);
  return status ? status : demi_engine_flush(s, 1);
}

/* ---- all particles, a region ---- */

/* The options, then forces and a source. */
static dem_status begin(dem_system *s, const dem_statics_options *theirs, demi_statics_source *source,
                        dem_statics_options *ours) {
  *source = demi_statics_source_of(s);
  dem_status status = demi_statics_take_options(source, theirs, ours);
  if (!status) status = demi_system_find_forces(s);
  *source = demi_statics_source_of(s);
  return status;
}

dem_status demi_system_statics(dem_system *s, const dem_statics_options *options, dem_statics *statics) {
  demi_statics_source source;
  dem_statics_options o;
  const dem_status status = begin(s, options, &source, &o);
  return status ? status : demi_statics_measure(&source, &o, statics);
}

dem_status demi_system_force_histogram(dem_system *s, const dem_statics_options *options, dem_force_histogram *histogram) {
  demi_statics_source source;
  dem_statics_options o;
  dem_force_histogram h;
  demi_region region;
  dem_status status = begin(s, options, &source, &o);
  if (!status) status = demi_histogram_take(&source, histogram, &h);
  if (status) return status;
  status = demi_region_open(&source, &o, &region);
  if (!status) demi_histogram_fill(&source, o.sections, &region, &h);
  demi_region_close(&source, &region);
  return status ? status : demi_histogram_give(histogram, &h);
}

/* ---- single particles ---- */

static dem_status check_volumes(const dem_system *s, int64_t count, const double *volumes) {
  for (int64_t k = 0; volumes && k < count; k++)
    if (!demi_bounded_above_zero(volumes[k]))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle stress: volume %lld is %g, must be 1e-60 to 1e60", (long long)k,
                                volumes[k]);
  return DEM_OK;
}

static void give_stress(const dem_system *s, const demi_statics_source *source, const double *moments, int64_t count,
                        const dem_id *ids, const double *volumes, double *values, int64_t stride) {
  for (int64_t k = 0; k < count; k++) {
    const int64_t row = demi_row_of(s, ids, k);
    const double volume = volumes ? volumes[k] : demi_volume_of(source, row);
    for (int a = 0; a < 9; a++) values[k * stride + a] = moments[9 * row + a] / volume;
  }
}

static size_t moment_bytes(const dem_system *s) { return (size_t)s->store.count * 9 * sizeof(double); }

dem_status demi_system_particle_stress(dem_system *s, const dem_statics_options *options, int64_t count, const dem_id *ids,
                                       const double *volumes, double *values, int64_t stride) {
  demi_statics_source source;
  dem_statics_options o;
  dem_status status = begin(s, options, &source, &o);
  if (!status) status = demi_rows_check(s, "particle stress", count, ids);
  if (!status) status = demi_rows_stride(s, "particle stress", 9, count, sizeof *values, &stride);
  if (!status) status = check_volumes(s, count, volumes);
  if (status || count == 0) return status;
  double *moments = demi_allocate(s->context, moment_bytes(s));
  if (!moments)
    return demi_system_refuse(s, DEM_NO_MEMORY, "particle stress: out of memory for %lld particles", (long long)s->store.count);
  demi_statics_moments(&source, &o, moments);
  give_stress(s, &source, moments, count, ids, volumes, values, stride);
  demi_free(s->context, moments, moment_bytes(s));
  return DEM_OK;
}

dem_status demi_system_rattlers(dem_system *s, const dem_statics_options *options, int64_t count, const dem_id *ids,
                                int32_t *contacts, int32_t *rattlers) {
  demi_statics_source source;
  dem_statics_options o;
  demi_network network;
  dem_status status = begin(s, options, &source, &o);
  if (!status && !contacts && !rattlers)
    status = demi_system_refuse(s, DEM_BAD_ARGUMENT, "rattlers: contacts and rattlers are NULL, one must be given");
  if (!status) status = demi_rows_check(s, "rattlers", count, ids);
  if (status) return status;
  status = demi_network_open(&source, o.sections, o.least_contacts, &network);
  for (int64_t k = 0; k < count && !status; k++) {
    const int64_t row = demi_row_of(s, ids, k);
    if (contacts) contacts[k] = network.contacts[row];
    if (rattlers) rattlers[k] = network.rattler[row];
  }
  demi_network_close(&source, &network);
  return status;
}
