/* Which contact is to blame when a motion is no longer finite: the first whose load, of the latest evaluation, is not. Looked for
 * after the failure only, so that a step pays nothing. */
#include "blame.h"

#include <math.h>
#include <stdio.h>

#include "state.h"

/* Checks the force of a load, then its moment if it has one. */
static int is_finite(const demi_loads *l, int32_t section, int64_t contact) {
  const int moments = contact >= l->moment_base && section != DEMI_SECTION_GAP && section != DEMI_SECTION_WALL_GAP;
  double sum = 0;
  for (int a = 0; a < 3; a++) sum += l->rows[8 * contact + a];
  for (int a = 0; a < 3 && moments; a++) sum += l->moment[4 * (contact - l->moment_base) + a];
  return isfinite(sum);
}

static const demi_bound *law_of(const dem_system *s, int64_t contact) {
  const int32_t i = s->contacts.loads.i[contact], j = s->contacts.loads.j[contact], *m = s->store.columns.material;
  return demi_laws_of(&s->laws, m[i], j >= 0 ? m[j] : s->faces.face[demi_face_of_partner(j)].material);
}

static int is_suspect(const dem_system *s, int32_t section, int64_t contact) {
  const demi_bound *law = section == DEMI_SECTION_BOND ? NULL : law_of(s, contact);
  return law && !law->law->built_in;
}

/* First such contact of the latest evaluation, section by section; -1 when there is none. `suspects`: of laws with parts of the
 * host's only. The library's own give numbers for numbers, but not for the velocities that a host's part has spoilt a step ago. */
static int64_t find(const dem_system *s, int suspects, int32_t *section) {
  const demi_loads *l = &s->contacts.loads;
  for (*section = 0; *section < DEMI_SECTIONS; (*section)++)
    for (int32_t b = 0; b < s->list.motion.blocks; b++)
      for (int64_t c = l->first[*section][b]; c < l->first[*section][b] + l->count[*section][b]; c++)
        if (!is_finite(l, *section, c) && (!suspects || is_suspect(s, *section, c))) return c;
  return -1;
}

static size_t add_text(char *text, size_t used, const char *more) {
  const int length = used < DEMI_BLAME_TEXT ? snprintf(text + used, DEMI_BLAME_TEXT - used, "%s", more) : 0;
  return length > 0 ? used + (size_t)length : used;
}

/* Of those parts that act there: across a gap only the gap's. */
static void add_parts(const demi_bound *law, int gap, char *text, size_t used) {
  const char *before = "; law parts: '";
  for (int32_t k = 0; law && k < DEMI_PARTS; k++) {
    const dem_law_part *part = &law->law->part[k].table;
    if (!part->evaluate || gap != (k == DEMI_GAP)) continue;
    used = add_text(text, add_text(text, used, before), part->name);
    used = add_text(text, used, "'");
    before = ", '";
  }
}

/* With arms that add up to r the overlap follows from the arms of the load; the positions have changed since then. With
 * DEM_ARMS_RADIUS it cannot be known. */
static void add_overlap(const dem_system *s, int64_t contact, int32_t i, int32_t j, char *text, size_t *used) {
  const double *row = s->contacts.loads.rows + 8 * contact, *x = s->store.columns.position;
  char number[48];
  if (s->options.arms == DEM_ARMS_RADIUS) return;
  snprintf(number, sizeof number, ", overlap %g", x[4 * i + 3] + (j >= 0 ? x[4 * j + 3] : 0) - row[3] - row[7]);
  *used = add_text(text, *used, number);
}

const char *demi_system_blame(const dem_system *s, char text[DEMI_BLAME_TEXT]) {
  int32_t section;
  text[0] = '\0';
  if (!s->list.valid || !s->contacts.valid) return text;
  int64_t contact = find(s, 1, &section);
  if (contact < 0) contact = find(s, 0, &section);
  if (contact < 0) return text;
  const int32_t i = s->contacts.loads.i[contact], j = s->contacts.loads.j[contact];
  const unsigned long long id = s->store.columns.id[i];
  const char *what = section == DEMI_SECTION_BOND ? "bond" : "contact";
  size_t used =
      (size_t)(j >= 0 ? snprintf(text, DEMI_BLAME_TEXT, "; first load that is not finite: %s of particles %llu and %llu", what,
                                 id, (unsigned long long)s->store.columns.id[j])
                      : snprintf(text, DEMI_BLAME_TEXT, "; first load that is not finite: %s of particle %llu and wall %d",
                                 what, id, s->faces.face[demi_face_of_partner(j)].wall_id));
  if (section == DEMI_SECTION_BOND) return text;
  const int gap = section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP;
  if (!gap) add_overlap(s, contact, i, j, text, &used);
  add_parts(law_of(s, contact), gap, text, used);
  return text;
}
