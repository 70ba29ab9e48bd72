/* The states of a search for a jammed one: relaxing, measuring, keeping and taking back.
 *
 * A state without pressure is to be recognised long before its forces are balanced, as they fall forever: a minimisation ends when its
 * energy is a small part of what the state that is looked for would have. Contacts with f ~ d^a store E ~ d^(a+1) ~ p^(1+1/a), a >= 1 for all
 * laws, so with a pressure p_0 and an energy E_0 before, a state with the pressure p has at least E_0 (p/p_0)^2. With the goal phi_J
 * the overlap in question is that of phi - phi_J = fraction_tolerance: about 0.1 fraction_tolerance diameters. */
#include <math.h>
#include <string.h>

#include "field_rows.h"
#include "jam.h"
#include "minimise_options.h"

static const double SMALL_ENERGY = 1e-2; /* part of the least energy of a state that is looked for */
static const double SMALL_PRESSURE = 0.05;
static const double OVERLAP = 0.1; /* mean overlap / diameter for phi - phi_J = 1, at least */

/* ---- opening ---- */

static dem_status take_minimise(demi_jam *j, const dem_minimise_options *given) {
  if (given) return demi_relax_take_method(j->system, given, &j->minimise);
  const dem_status status = demi_relax_take_method(j->system, NULL, &j->minimise);
  j->minimise.gradient_relative = 0;
  j->minimise.force_relative = 1e-6;
  return status;
}

static dem_status check(const demi_jam *j) {
  const dem_status status = demi_compress_check(j->system, "jam");
  if (status || demi_system_bond_count(j->system) == 0) return status;
  return demi_system_refuse(j->system, DEM_UNSUPPORTED, "jam: the system has bonds (%lld), steps could not be taken back",
                            (long long)demi_system_bond_count(j->system));
}

static dem_status make_room(demi_jam *j) {
  const int64_t count = demi_system_particle_count(j->system);
  j->bytes = (size_t)count * 3 * (sizeof(double) + sizeof(int32_t));
  j->position = demi_allocate(j->system->context, j->bytes);
  if (!j->position)
    return demi_system_refuse(j->system, DEM_NO_MEMORY, "jam: out of memory for %lld particles", (long long)count);
  j->image = (int32_t *)(j->position + 3 * count);
  return DEM_OK;
}

static double mean_diameter(const demi_jam *j) {
  const double sphere = j->system->options.dimension == 2 ? 3.14159265358979323846 : 4.0 / 3.0 * 3.14159265358979323846;
  const double volume = j->volume / (double)demi_system_particle_count(j->system);
  return 2 * demi_packing_root(j->system->options.dimension, volume / sphere);
}

dem_status demi_jam_open(demi_jam *j, dem_system *s, const dem_jam_options *options, const dem_minimise_options *minimise) {
  memset(j, 0, sizeof *j);
  j->system = s;
  j->report.struct_size = (uint32_t)sizeof j->report;
  j->report.force_relative = -1;
  j->box.struct_size = (uint32_t)sizeof j->box;
  dem_status status = demi_jam_take_options(s, options, &j->options);
  if (!status) status = check(j);
  if (!status) status = demi_compress_take_relax(s, j->options.relax, &j->relax, "jam");
  if (!status) status = take_minimise(j, minimise);
  if (!status) status = demi_compress_volume(s, &j->volume);
  if (!status) status = make_room(j);
  if (!status) j->diameter = mean_diameter(j);
  return status;
}

void demi_jam_close(demi_jam *j) {
  if (j->position) demi_free(j->system->context, j->position, j->bytes);
}

/* ---- measuring ---- */

static void note(demi_jam *j, const dem_statics *m) {
  dem_jam_report *r = &j->report;
  const double left = (double)m->particles - m->rattlers;
  r->packing_fraction = demi_compress_fraction(j->system, j->volume);
  r->pressure = m->pressure;
  r->rattlers = m->rattlers;
  r->coordination = m->coordination;
  r->coordination_carrying = m->coordination_carrying;
  r->contacts = 0.5 * m->coordination_carrying * left;
  r->contacts_isostatic = left > 0 ? m->dimension * (left - 1) + 1 : 0;
}

static dem_status measure(demi_jam *j, demi_jam_point *point) {
  dem_statics m = {.struct_size = (uint32_t)sizeof m};
  const dem_status status = demi_system_statics(j->system, NULL, &m);
  if (status) return status;
  note(j, &m);
  *point = (demi_jam_point){.fraction = j->report.packing_fraction,
                            .pressure = m.pressure,
                            .overlap = m.overlap_mean,
                            .stored = m.contacts * m.force_mean * m.overlap_mean,
                            .contacts = m.contacts};
  return DEM_OK;
}

/* ---- relaxing ---- */

static double least_overlap(const demi_jam *j) { return OVERLAP * j->options.fraction_tolerance * j->diameter; }

/* Energy below which no state is one that is looked for; `start` is the state before the minimisation. */
static double least_value(const demi_jam *j, const demi_jam_point *start) {
  double ratio = 0;
  if (!(start->contacts > 0 && start->pressure > 0 && start->overlap > 0 && start->stored > 0)) return 0;
  if (j->options.goal == DEM_JAM_PRESSURE) ratio = j->options.pressure / start->pressure;
  if (j->options.goal == DEM_JAM_POINT) ratio = least_overlap(j) / start->overlap;
  ratio = fmin(ratio, 1);
  return SMALL_ENERGY * start->stored * ratio * ratio * (j->options.goal == DEM_JAM_POINT ? sqrt(ratio) : 1);
}

static void count_step(demi_jam *j, const dem_minimise_report *m) {
  dem_jam_report *r = &j->report;
  r->steps++;
  r->iterations += m->iterations;
  r->gradients += m->gradients;
  r->seconds += m->seconds;
  r->force_relative = m->force_relative;
  r->minimise_reason = m->reason;
}

dem_status demi_jam_relax(demi_jam *j, double packing_fraction) {
  dem_minimise_options o = j->minimise;
  dem_minimise_report m;
  demi_jam_point start;
  dem_status status = packing_fraction > 0 ? demi_compress_box(j->system, j->volume, packing_fraction) : DEM_OK;
  if (!status) status = measure(j, &start);
  if (status) return status;
  if (o.value_least == 0) o.value_least = least_value(j, &start);
  status = demi_relax_load_step(j->system, &j->relax, &o, &m);
  if (status) return status;
  count_step(j, &m);
  return measure(j, &j->now);
}

int demi_jam_carries(const demi_jam *j) {
  if (j->report.minimise_reason == DEM_MINIMISE_VALUE || !(j->now.contacts > 0) || !(j->report.coordination_carrying > 0))
    return 0;
  if (j->options.goal == DEM_JAM_PRESSURE) return j->now.pressure >= SMALL_PRESSURE * j->options.pressure;
  return j->now.pressure > 0 && j->now.overlap >= SMALL_PRESSURE * least_overlap(j);
}

/* ---- keeping ---- */

dem_status demi_jam_hold(demi_jam *j) {
  const int64_t count = demi_system_particle_count(j->system);
  dem_status status = demi_system_get_box(j->system, &j->box);
  if (!status) status = demi_system_get_field(j->system, DEM_POSITION, count, NULL, j->position, 0);
  if (!status) status = demi_system_get_field_int(j->system, DEM_IMAGE, count, NULL, j->image, 0);
  if (status) return status;
  j->before = j->held;
  j->held = j->now;
  return DEM_OK;
}

dem_status demi_jam_take_back(demi_jam *j) {
  dem_system *s = j->system;
  const int64_t count = demi_system_particle_count(s);
  dem_status status = demi_system_set_box(s, &j->box, 1);
  if (!status) status = demi_system_set_field(s, DEM_POSITION, count, NULL, j->position, 0);
  if (status) return status;
  /* positions that are set begin with image 0 */
  for (int64_t k = 0; k < count; k++)
    memcpy(s->store.columns.image + 3 * demi_row_of(s, NULL, k), j->image + 3 * k, 3 * sizeof *j->image);
  j->report.taken_back++;
  return measure(j, &j->now);
}
