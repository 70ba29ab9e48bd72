/* Checks before stepping: laws, box, skin. Also the largest stable time step of all possible pairs. */
#include "ready.h"

#include <math.h>

#include "lengths.h"
#include "material_sizes.h"
#include "places.h"
#include "warnings.h"

/* ---- laws for all that may meet ---- */

/* Two materials without a law that may touch: of two particles (wall -1), or of a particle and a wall. Two walls never touch. */
typedef struct hole {
  const dem_system *s;
  int32_t a, b, wall;
  int found;
} hole;

static void take_pair(void *user, int32_t a, int32_t b, const demi_material_sizes *of_a, const demi_material_sizes *of_b) {
  hole *g = user;
  if (g->found || a > b || !(of_a->largest_radius > 0) || !(of_b->largest_radius > 0)) return;
  if (!g->s->materials.law[demi_material_pair(a, b)]) g->a = a, g->b = b, g->wall = -1, g->found = 1;
}

/* Of a wall and the particles of materials first ... of these sizes. */
static void take_wall(hole *g, const demi_face *face, int32_t first, const demi_material_sizes *sizes) {
  for (int32_t k = 0; k < DEMI_SIZES_AT_ONCE && !g->found; k++)
    if (sizes[k].largest_radius > 0 && !g->s->materials.law[demi_material_pair(first + k, face->material)])
      g->a = first + k, g->b = face->material, g->wall = face->wall_id, g->found = 1;
}

static int lacks_law(const dem_system *s, hole *g) {
  demi_material_sizes sizes[DEMI_SIZES_AT_ONCE];
  *g = (hole){.s = s};
  demi_material_pairs_visit(s, take_pair, g);
  for (int32_t first = 0; first < s->materials.count && s->faces.count > 0 && !g->found; first += DEMI_SIZES_AT_ONCE) {
    demi_material_sizes_find(s, first, sizes);
    for (int32_t w = 0; w < s->faces.count && !g->found; w++) take_wall(g, &s->faces.face[w], first, sizes);
  }
  return g->found;
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
