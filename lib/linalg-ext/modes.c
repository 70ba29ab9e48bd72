/* Modes K x = w^2 M x. With A = M^-1/2 K M^-1/2 and e = M^1/2 x this is A e = w^2 e; without masses M = 1. */
#include <math.h>
#include <string.h>

#include "spectrum.h"

#define OPTIONS_V1 DEMI_LA_SIZE_TO(dem_linalg_modes_options, zero)
#define REPORT_V1 DEMI_LA_SIZE_TO(dem_linalg_modes_report, unrest)

static const dem_linalg_modes_options DEFAULTS = {
    .struct_size = sizeof DEFAULTS, .dense_most = 2000, .masses = 1, .restarts_most = 300, .tolerance = 1e-11, .zero = 1e-10};

dem_status dem_linalg_modes_options_init(dem_linalg_modes_options *options, uint32_t struct_size) {
  return demi_la_give(options, struct_size, &DEFAULTS, sizeof DEFAULTS, OPTIONS_V1);
}

dem_status dem_linalg_modes_report_init(dem_linalg_modes_report *report, uint32_t struct_size) {
  const dem_linalg_modes_report zero = {.struct_size = sizeof zero};
  return demi_la_give(report, struct_size, &zero, sizeof zero, REPORT_V1);
}

/* ---- options ---- */

static dem_status check_range(dem_linalg *l, const char *item, double value, double least, double most) {
  if (value >= least && value <= most) return DEM_OK;
  return demi_la_refuse(l, DEM_BAD_ARGUMENT, "modes: %s is %g, allowed %g to %g", item, value, least, most);
}

static dem_status check_options(dem_linalg *l, const dem_linalg_modes_options *o) {
  dem_status status = check_range(l, "method", o->method, DEM_LINALG_AUTOMATIC, DEM_LINALG_LANCZOS);
  if (!status) status = check_range(l, "count", (double)o->count, 0, 1099511627776.0);
  if (!status) status = check_range(l, "dense_most", (double)o->dense_most, 0, 32766);
  if (!status) status = check_range(l, "masses", o->masses, 0, 1);
  if (!status) status = check_range(l, "restarts_most", o->restarts_most, 1, 1e6);
  if (!status) status = check_range(l, "tolerance", o->tolerance, 1e-14, 1e-2);
  if (!status) status = check_range(l, "zero", o->zero, 0, 1);
  return status;
}

static dem_status take_options(dem_linalg *l, const dem_linalg_modes_options *options, dem_linalg_modes_options *own) {
  *own = DEFAULTS;
  const dem_status status = options ? demi_la_take(own, sizeof *own, options, OPTIONS_V1) : DEM_OK;
  if (status) return demi_la_refuse(l, status, "modes: the options cannot be read: struct_size %u", options->struct_size);
  return check_options(l, own);
}

/* ---- spectrum ---- */

/* Modes that are wanted, and the method. */
static int64_t choose(const dem_linalg_modes_options *o, const demi_la_network *w, int32_t *method) {
  const int64_t all = w->n - w->rigid, wanted = o->count == 0 || o->count > all ? all : o->count;
  *method = o->method;
  if (o->method == DEM_LINALG_AUTOMATIC)
    *method = w->n <= o->dense_most || wanted == all ? DEM_LINALG_DENSE : DEM_LINALG_LANCZOS;
  return wanted;
}

static dem_status find_spectrum(dem_linalg *l, const dem_linalg_modes_options *o, const demi_la_network *w, int32_t method,
                                int64_t wanted, demi_la_spectrum *s) {
  if (method == DEM_LINALG_LANCZOS) return demi_la_spectrum_lanczos(l, w, wanted, o->tolerance, o->restarts_most, s);
  const dem_status status = demi_la_spectrum_dense(l, w, 1, s);
  if (!status) s->count = wanted;
  return status;
}

/* ---- what the caller gets ---- */

/* Sums of e^2 of each particle into `square`. */
static double participation_of(const demi_la_network *w, const double *e, double *square) {
  double sum = 0, fourth = 0;
  memset(square, 0, (size_t)w->rows.particles * sizeof *square);
  for (int64_t c = 0; c < w->n; c++) square[w->particle[c]] += e[c] * e[c];
  for (int64_t p = 0; p < w->rows.particles; p++) {
    sum += square[p];
    fourth += square[p] * square[p];
  }
  return sum * sum / ((double)w->particles * fourth);
}

static void write_mode(const demi_la_network *w, const double *e, double *mode) {
  for (int64_t u = 0; u < w->rows.unknowns; u++) mode[u] = w->place[u] < 0 ? 0 : w->scale[w->place[u]] * e[w->place[u]];
}

static double residual_of(const demi_la_network *w, double value, const double *e, double *product) {
  double square = 0;
  demi_la_triangle_multiply(&w->a, e, product);
  for (int64_t c = 0; c < w->n; c++) square += (product[c] - value * e[c]) * (product[c] - value * e[c]);
  return sqrt(square);
}

static void write_modes(const demi_la_network *w, const demi_la_spectrum *s, double *frequency, double *participation,
                        double *modes, double *room, dem_linalg_modes_report *r, double zero) {
  const double mean = demi_la_triangle_mean(&w->a);
  for (int64_t p = 0; p < s->count; p++) {
    const double *e = s->vector + p * w->n, value = s->value[p];
    frequency[p] = value < 0 ? -sqrt(-value) : sqrt(value);
    if (participation) participation[p] = participation_of(w, e, room);
    if (modes) write_mode(w, e, modes + p * w->rows.unknowns);
    r->zero += fabs(value) <= zero * mean;
    r->unstable += value < -zero * mean;
    r->residual = fmax(r->residual, residual_of(w, value, e, room) / mean);
  }
}

static void write_counts(const demi_la_network *w, dem_linalg_modes_report *r) {
  r->unknowns = w->n;
  r->particles = w->particles;
  r->rattlers = w->rattlers;
  r->loose = w->loose;
  r->rigid = w->rigid;
  r->asymmetry = w->asymmetry;
  r->unrest = w->unrest;
}

static dem_status find_modes(dem_linalg *l, const dem_linalg_modes_options *o, const demi_la_network *w, int64_t capacity,
                             double *frequency, double *participation, double *modes, dem_linalg_modes_report *r) {
  demi_la_spectrum s = {0};
  const int64_t wanted = choose(o, w, &r->method), rows = w->n > w->rows.particles ? w->n : w->rows.particles;
  write_counts(w, r);
  if (wanted <= 0) return demi_la_refuse(l, DEM_INCOMPLETE, "modes: no particle is free to move and touched by another");
  if (wanted > capacity)
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "modes: capacity is %lld, the modes are %lld", (long long)capacity,
                          (long long)wanted);
  double *room = demi_la_allocate(l, rows, sizeof *room);
  dem_status status = room ? find_spectrum(l, o, w, r->method, wanted, &s) : demi_la_no_memory(l, "modes");
  if (!status) {
    write_modes(w, &s, frequency, participation, modes, room, r, o->zero);
    r->count = s.count;
    r->complete = s.count == wanted;
    r->restarts = s.restarts;
    r->fill = s.fill;
    r->shift = s.shift;
  }
  demi_la_free(l, room);
  demi_la_spectrum_free(l, &s);
  return status;
}

dem_status dem_linalg_find_modes(dem_linalg *linalg, dem_trial *trial, const dem_linalg_modes_options *options,
                                 int64_t capacity, double *frequency, double *participation, double *modes,
                                 dem_linalg_modes_report *report) {
  dem_linalg_modes_options o;
  dem_linalg_modes_report r = {.struct_size = sizeof r};
  demi_la_network w = {0};
  if (!linalg) return DEM_BAD_ARGUMENT;
  if (!trial || !frequency) return demi_la_refuse(linalg, DEM_BAD_ARGUMENT, "modes: %s is NULL", trial ? "frequency" : "trial");
  dem_status status = take_options(linalg, options, &o);
  if (!status && report && report->struct_size < REPORT_V1)
    status = demi_la_refuse(linalg, DEM_BAD_STRUCT, "modes: struct_size of the report is %u", report->struct_size);
  if (!status) status = demi_la_network_make(linalg, trial, o.masses ? DEMI_LA_SCALE_MASS : DEMI_LA_SCALE_ONE, &w);
  if (!status) status = find_modes(linalg, &o, &w, capacity, frequency, participation, modes, &r);
  demi_la_network_free(linalg, &w);
  if (!status && report) status = demi_la_give(report, report->struct_size, &r, sizeof r, REPORT_V1);
  return status;
}
