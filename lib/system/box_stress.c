/* Mean stress in the box: sigma = 1/V sum over contacts and bonds of r (x) f, f the force on i and r from the image of j to i, so that
 * it is > 0 in compression; the symmetric part. */
#include <string.h>

#include "box_motion.h"

static const int AXIS[DEM_BOX_COMPONENTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* From the centre of the image of j to that of i. Where images move the loads name them. */
static void find_branch(const dem_system *s, const demi_loads *l, int64_t c, double branch[3]) {
  const double *p = s->store.columns.position + 4 * (int64_t)l->i[c], *q = s->store.columns.position + 4 * (int64_t)l->j[c];
  const double *shift = l->image_velocity ? s->list.shift + 4 * l->image[c] : NULL;
  for (int a = 0; a < 3; a++) branch[a] = p[a] - q[a] - (shift ? shift[a] : 0.0);
  if (!shift) demi_box_nearest(&s->box, branch);
}

/* Loads first ... end - 1 */
static void add_stress(const dem_system *s, int64_t first, int64_t end, double sum[DEM_BOX_COMPONENTS]) {
  const demi_loads *l = &s->contacts.loads;
  for (int64_t c = first; c < end; c++) {
    const double *f = l->rows + 8 * c;
    double branch[3];
    find_branch(s, l, c, branch);
    for (int k = 0; k < DEM_BOX_COMPONENTS; k++) {
      const int a = AXIS[k][0], b = AXIS[k][1];
      sum[k] += 0.5 * (branch[a] * f[b] + branch[b] * f[a]);
    }
  }
}

/* Summed block by block: the blocks are the same for any number of threads. */
void demi_box_stress(const dem_system *s, double stress[DEM_BOX_COMPONENTS]) {
  const demi_loads *l = &s->contacts.loads;
  demi_sum sum[DEM_BOX_COMPONENTS];
  memset(sum, 0, sizeof sum);
  for (int32_t b = 0; b < s->list.motion.blocks && s->contacts.valid; b++) {
    double block[DEM_BOX_COMPONENTS] = {0};
    for (int k = 0; k < DEMI_PAIR_SECTIONS; k++)
      add_stress(s, l->first[DEMI_PAIR_SECTION[k]][b], l->first[DEMI_PAIR_SECTION[k]][b] + l->count[DEMI_PAIR_SECTION[k]][b],
                 block);
    for (int k = 0; k < DEM_BOX_COMPONENTS; k++) demi_sum_add(&sum[k], block[k]);
  }
  const double area = demi_box_length(&s->box, 0) * demi_box_length(&s->box, 1);
  const double volume = s->options.dimension == 2 ? area : demi_box_volume(&s->box);
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) stress[k] = demi_sum_get(&sum[k]) / volume;
}

dem_status demi_system_get_box_stress(const dem_system *s, double *stress) {
  for (int a = 0; a < s->options.dimension; a++)
    if (!s->box.periodic[a])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "stress of the box: axis %d is not periodic, so the box has no volume", a);
  demi_box_stress(s, stress);
  return DEM_OK;
}
