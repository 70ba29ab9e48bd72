/* The fields that come from the statics with their default options: all rows at once, because a contact is stored with one of its two
 * particles only. */
#include <string.h>

#include "field_rules.h"
#include "network.h"
#include "report.h"
#include "statics_options.h"
#include "statics_report.h"

static dem_status begin(const dem_system *s, const demi_field *f, demi_statics_source *source, dem_statics_options *o) {
  const dem_status status = demi_statics_known(s, f->symbol);
  *source = demi_statics_source_of(s);
  return status ? status : demi_statics_take_options(source, NULL, o);
}

dem_status demi_gather_stress(const dem_system *s, const demi_field *f, double *rows) {
  demi_statics_source source;
  dem_statics_options o;
  const dem_status status = begin(s, f, &source, &o);
  if (status) return status;
  demi_statics_moments(&source, &o, rows);
  for (int64_t row = 0; row < s->store.count; row++)
    for (int a = 0; a < 9; a++) rows[9 * row + a] /= demi_volume_of(&source, row);
  return DEM_OK;
}

dem_status demi_gather_network(const dem_system *s, const demi_field *f, int32_t *rows) {
  demi_statics_source source;
  dem_statics_options o;
  demi_network network;
  dem_status status = begin(s, f, &source, &o);
  if (status) return status;
  status = demi_network_open(&source, o.sections, o.least_contacts, &network);
  if (!status)
    memcpy(rows, f->number == DEM_RATTLER ? network.rattler : network.contacts, (size_t)s->store.count * sizeof *rows);
  demi_network_close(&source, &network);
  return status;
}
