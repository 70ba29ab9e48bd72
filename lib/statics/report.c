#include "report.h"

#include <string.h>

#include "compensated.h"
#include "intake.h"
#include "measures.h"
#include "network.h"
#include "principal.h"
#include "region.h"
#include "stress.h"

#define STATICS_V1 DEMI_SIZE_TO(dem_statics, sliding)

dem_status demi_statics_defaults(dem_statics *statics, uint32_t struct_size) {
  dem_statics t;
  memset(&t, 0, sizeof t);
  return demi_init(statics, struct_size, &t, sizeof t, STATICS_V1);
}

static void measure_stress(const demi_statics_source *s, const dem_statics_options *o, const demi_region *region,
                           dem_statics *t) {
  const demi_flow flow = demi_flow_find(s, o, region->weight);
  demi_stress_of_sections(s, o->split, region->weight, t->stress_of_section);
  if (o->kinetic != DEM_KINETIC_NONE) demi_stress_kinetic(s, &flow, region->weight, t->stress_kinetic);
  for (int a = 0; a < 9; a++) {
    for (int k = 0; k < DEMI_SECTIONS; k++) {
      t->stress_of_section[k][a] /= region->volume;
      if (o->sections >> k & 1) t->stress[a] += t->stress_of_section[k][a];
    }
    t->stress_kinetic[a] /= region->volume;
  }
  memcpy(t->mean_velocity, flow.mean_velocity, sizeof t->mean_velocity);
  const dem_principal principal = demi_principal_of(t->stress, s->dimension);
  t->pressure = principal.mean;
  t->deviator = principal.deviator;
}

static void measure_particles(const demi_statics_source *s, const demi_region *region, const demi_network *network,
                              dem_statics *t) {
  demi_sum ends = {0, 0}, carried = {0, 0}, rattlers = {0, 0}, carriers = {0, 0}, solid = {0, 0};
  for (int64_t row = 0; row < s->store->count; row++) {
    const double w = region->weight[row];
    demi_sum_add(&ends, w * network->contacts[row]);
    demi_sum_add(&carried, w * network->left[row]);
    demi_sum_add(network->rattler[row] ? &rattlers : &carriers, w);
    demi_sum_add(&solid, w * demi_volume_of(s, row));
  }
  t->coordination = demi_sum_get(&ends) / region->sum;
  t->rattlers = demi_sum_get(&rattlers);
  t->coordination_carrying = carriers.value > 0 ? demi_sum_get(&carried) / demi_sum_get(&carriers) : 0;
  t->packing_fraction = demi_sum_get(&solid) / region->volume;
}

static dem_status measure(const demi_statics_source *s, const dem_statics_options *o, const demi_region *region,
                          dem_statics *t) {
  demi_network network;
  const dem_status status = demi_network_open(s, o->sections, o->least_contacts, &network);
  if (!status) {
    t->dimension = s->dimension;
    t->particles = region->particles;
    t->weight = region->sum;
    t->volume = region->volume;
    measure_stress(s, o, region, t);
    measure_particles(s, region, &network, t);
    demi_measure_contacts(s, o->sections, region, t);
  }
  demi_network_close(s, &network);
  return status;
}

dem_status demi_statics_measure(const demi_statics_source *s, const dem_statics_options *o, dem_statics *out) {
  dem_statics t;
  demi_region region;
  memset(&t, 0, sizeof t);
  if (out->struct_size < STATICS_V1 || out->struct_size > 4096)
    return demi_statics_refuse(s, DEM_BAD_STRUCT, "statics: struct_size %u is not usable", out->struct_size);
  dem_status status = demi_region_open(s, o, &region);
  if (!status) status = measure(s, o, &region, &t);
  demi_region_close(s, &region);
  return status ? status : demi_outgive(out, &t, sizeof t, STATICS_V1);
}

void demi_statics_moments(const demi_statics_source *s, const dem_statics_options *o, double *rows) {
  const demi_flow flow = demi_flow_find(s, o, NULL);
  memset(rows, 0, (size_t)s->store->count * 9 * sizeof *rows);
  for (int64_t row = 0; row < s->store->count && o->kinetic != DEM_KINETIC_NONE; row++)
    demi_stress_kinetic_of(s, &flow, row, rows + 9 * row);
  demi_stress_of_rows(s, o->sections, o->split, rows);
}
