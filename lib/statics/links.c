/* Links from loads. The load of contact c has the force on i and the arms (store/loads.h); r comes from the present positions,
 * r = x_i - x_j of the nearest images, for a bond of the images that it joins. Divided at the contact point, i has the part
 *
 *   a_i / (a_i + a_j)   of   r (x) f.
 *
 * Without arms (two centres at one place, a broken bond) it is 1/2. */
#include "links.h"

#include <math.h>

_Static_assert(DEM_SECTION_PAIR == (int)DEMI_SECTION_PAIR && DEM_SECTION_WALL == (int)DEMI_SECTION_WALL &&
                   DEM_SECTION_GAP == (int)DEMI_SECTION_GAP && DEM_SECTION_WALL_GAP == (int)DEMI_SECTION_WALL_GAP &&
                   DEM_SECTION_BOND == (int)DEMI_SECTION_BOND && DEM_SECTIONS_ALL == (1 << DEMI_SECTIONS) - 1,
               "hosts know the sections of the loads by these numbers");

/* From r: |r|, n, overlap. Two centres at one place have the normal that the engine gives them. */
static void find_normal(const demi_statics_source *s, demi_link *l) {
  const double *position = s->store->columns.position, *r = l->r;
  l->distance = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  for (int a = 0; a < 3; a++) l->normal[a] = l->distance > 0 ? r[a] / l->distance : a == 0;
  l->overlap = position[4 * l->i + 3] + position[4 * l->j + 3] - l->distance;
}

static double divided(const double *load) {
  const double arms = load[3] + load[7];
  return arms > 0 ? load[3] / arms : 0.5;
}

static void fill_pair(const demi_statics_source *s, int64_t c, demi_link *l) {
  const double *position = s->store->columns.position;
  l->j = s->loads->j[c];
  for (int a = 0; a < 3; a++) l->r[a] = position[4 * l->i + a] - position[4 * l->j + a];
  demi_box_nearest(s->box, l->r);
  find_normal(s, l);
  l->at_i = divided(l->force);
  l->bound = demi_laws_of(s->laws, s->store->columns.material[l->i], s->store->columns.material[l->j]);
}

static void fill_wall(const demi_statics_source *s, int64_t c, demi_link *l) {
  const demi_face *face = &s->face[demi_face_of_partner(s->loads->j[c])];
  const double *p = s->store->columns.position + 4 * l->i;
  l->j = -1;
  l->distance = demi_face_distance(face, p, l->normal);
  for (int a = 0; a < 3; a++) l->r[a] = l->distance * l->normal[a];
  l->overlap = p[3] - l->distance;
  l->at_i = 1;
  l->bound = demi_laws_of(s->laws, s->store->columns.material[l->i], face->material);
}

/* 0: the bond is dead. It counts as a contact unless the contact of its pair acts beside it. */
static int fill_bond(const demi_statics_source *s, int64_t c, demi_link *l) {
  const demi_bond *bond = &s->bonds->bond[c - s->loads->bond_base];
  if (!bond->id) return 0;
  const int64_t row[2] = {bond->row[0], bond->row[1]};
  const double sign = row[0] > row[1] ? -1.0 : 1.0; /* the load is that of the lower row */
  double span[3];
  demi_bond_span(bond, s->store, s->box, row, span);
  l->j = s->loads->j[c];
  for (int a = 0; a < 3; a++) l->r[a] = sign * span[a];
  find_normal(s, l);
  l->at_i = divided(l->force);
  l->bound = NULL;
  l->contact = !s->bonds->type[bond->type].contact || l->overlap <= 0;
  return 1;
}

static int fill(const demi_statics_source *s, int32_t section, int64_t c, demi_link *l) {
  l->section = section;
  l->i = s->loads->i[c];
  l->force = s->loads->rows + 8 * c;
  l->contact = section <= DEMI_SECTION_WALL;
  if (section == DEMI_SECTION_BOND) return fill_bond(s, c, l);
  if (s->loads->j[c] < 0)
    fill_wall(s, c, l);
  else
    fill_pair(s, c, l);
  return 1;
}

static void visit_section(const demi_statics_source *s, int32_t block, int32_t section, demi_link_fn *visit, void *user) {
  const int64_t first = s->loads->first[section][block], end = first + s->loads->count[section][block];
  demi_link link;
  for (int64_t c = first; c < end; c++)
    if (fill(s, section, c, &link)) visit(user, &link);
}

void demi_links_each(const demi_statics_source *s, int32_t sections, demi_link_fn *visit, void *user) {
  for (int32_t block = 0; block < s->blocks; block++)
    for (int32_t section = 0; section < DEMI_SECTIONS; section++)
      if (sections >> section & 1) visit_section(s, block, section, visit, user);
}
