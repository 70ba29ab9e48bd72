/* Targets of servo walls as constant forces: the wall pushes with `target`, times the area that it follows, along its direction.
 *
 *   energy -target A (d . u),   A as at the latest demi_relax_renew. */
#include "relax.h"

double demi_relax_wall_energy(const demi_relax *r, const double *u, double *gradient) {
  const dem_trial *t = r->trial;
  double energy = 0;
  for (int32_t w = 0; w < t->walls; w++) {
    const dem_wall *given = &t->wall[w].given;
    const int64_t first = r->wall_first + (int64_t)w * t->wall_width;
    for (int a = 0; a < t->dimension && given->motion == DEM_WALL_SERVO; a++) {
      const double force = r->target[w] * given->direction[a];
      energy -= force * u[first + a];
      if (gradient) gradient[first + a] -= force;
    }
  }
  return energy;
}

/* From the first plane to the second, along the normal of the first, where the walls are at u; 0 when they have passed each other. */
static double between(const demi_relax *r, const double *u, const int32_t id[2]) {
  const dem_trial *t = r->trial;
  const demi_faces *faces = &r->system->faces;
  double sum = 0;
  const double *normal = faces->face[t->wall[demi_wall_find(r->system, id[0])].first].frame;
  for (int k = 0; k < 2; k++) {
    const int32_t w = demi_wall_find(r->system, id[k]);
    const double *point = faces->face[t->wall[w].first].point, *moved = u + r->wall_first + (int64_t)w * t->wall_width;
    for (int a = 0; a < t->dimension; a++) sum += (k ? 1 : -1) * normal[a] * (point[a] + moved[a]);
  }
  return sum > 0 ? sum : 0;
}

void demi_relax_renew_walls(demi_relax *r, const double *u) {
  const dem_trial *t = r->trial;
  for (int32_t w = 0; w < t->walls; w++) {
    const dem_wall *given = &t->wall[w].given;
    double area = given->area > 0 ? given->area : 1.0;
    for (int32_t k = 0; k < given->area_walls; k += 2) area *= between(r, u, given->area_wall + k);
    r->target[w] = given->motion == DEM_WALL_SERVO ? given->target * area : 0;
  }
}
