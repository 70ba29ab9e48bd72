/* Checks before stepping: laws, box, skin. Also the largest stable time step of all possible pairs. */
#include "ready.h"

#include <math.h>

#include "lengths.h"
#include "places.h"
#include "warnings.h"

/* ---- laws for all that may meet ---- */

static void mark_materials(const dem_system *s, uint8_t present[DEMI_MAX_MATERIALS]) {
  for (int64_t k = 0; k < s->store.count; k++) present[s->store.columns.material[k]] = 1;
}

/* Finds two materials without a law that may touch: of two particles (wall -1), or of a particle and a wall. Two walls never
 * touch. */
typedef struct hole {
  int32_t a, b, wall;
} hole;

static int lacks_law(const dem_system *s, hole *g) {
  uint8_t present[DEMI_MAX_MATERIALS] = {0};
  mark_materials(s, present);
  for (int32_t a = 0; a < s->material_count; a++)
    for (int32_t b = a; b < s->material_count; b++)
      if (present[a] && present[b] && !s->law[a][b]) {
        *g = (hole){a, b, -1};
        return 1;
      }
  for (int32_t w = 0; w < s->faces.count; w++)
    for (int32_t a = 0; a < s->material_count; a++) {
      const int32_t m = s->faces.face[w].material;
      if (present[a] && !s->law[a < m ? a : m][a < m ? m : a]) {
        *g = (hole){a, m, s->faces.face[w].wall_id};
        return 1;
      }
    }
  return 0;
}

static dem_status check_laws(dem_system *s) {
  hole g;
  if (!lacks_law(s, &g)) return DEM_OK;
  if (g.wall < 0)
    return demi_system_refuse(s, DEM_INCOMPLETE, "materials (%d, %d) have no law, particles of both are present", g.a, g.b);
  return demi_system_refuse(s, DEM_INCOMPLETE, "materials (%d, %d) have no law, wall %d is of material %d", g.a, g.b, g.wall,
                            g.b);
}

int demi_system_complete(const dem_system *s) {
  hole unused;
  return !lacks_law(s, &unused);
}

/* ---- box and skin ---- */

const char *demi_ready_width_word(const demi_box *box) { return box->tilted ? "wide (between opposite faces)" : "long"; }

dem_status demi_ready_check_heights(const dem_system *s, const demi_box *box) {
  const double skin = demi_system_skin(s), gap = demi_system_range(s), range = 2.0 * s->largest_radius + gap + skin;
  for (int a = 0; a < 3; a++)
    if (box->periodic[a] && demi_box_height(box, a) < 2.0 * range)
      return demi_system_refuse(
          s, DEM_BAD_ARGUMENT,
          "box: periodic axis %d is %g %s, must be at least %g (twice the range: diameter %g + gap %g + skin %g)", a,
          demi_box_height(box, a), demi_ready_width_word(box), 2.0 * range, 2.0 * s->largest_radius, gap, skin);
  return DEM_OK;
}

static dem_status check_box(dem_system *s) {
  const double skin = demi_system_skin(s), gap = demi_system_range(s);
  if (!isfinite(gap)) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "a law acts across gaps up to %g, must be finite", gap);
  if (s->store.count == 0) return DEM_OK;
  const dem_status status = demi_system_check_places(s);
  if (status) return status;
  if (skin > 20.0 * s->largest_radius)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                              "skin is %g, at most 10 largest diameters (%g): nearly every pair would be listed", skin,
                              20.0 * s->largest_radius);
  return demi_ready_check_heights(s, &s->box);
}

int demi_system_fits(const dem_system *s) {
  const double skin = demi_system_skin(s), gap = demi_system_range(s), range = 2.0 * s->largest_radius + gap + skin;
  int fits = isfinite(gap) && skin <= 20.0 * s->largest_radius;
  for (int a = 0; a < 3; a++) fits = fits && (!s->box.periodic[a] || demi_box_height(&s->box, a) >= 2.0 * range);
  return fits;
}

/* ---- all ---- */

dem_status demi_system_ready(dem_system *s) {
  if (s->guards.views > 0) return demi_system_refuse(s, DEM_BUSY, "stepping: %d views are open, must be 0", s->guards.views);
  if (s->set_up_checked) return DEM_OK;
  dem_status status = check_laws(s);
  if (!status) status = check_box(s);
  if (status) return status;
  if ((status = demi_warnings_survey_set_up(s)) != DEM_OK) return status;
  s->set_up_checked = 1;
  return DEM_OK;
}
