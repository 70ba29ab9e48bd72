/* The touching pairs as the host reads them, one row each (dem_contact), from the loads of the latest evaluation and the present
 * positions. A row of loads holds f, the arm a_i of i, m = n x f_t and the arm a_j of j (store/loads.h), so that
 *
 *   f_t = m x n,   torque on i: -a_i m + M,   on j: -a_j m - M,   on a wall about its reference point: -(lever x f) - M
 *
 * with M the moment of rolling and twisting. A contact slides when |f_t| has reached mu F, F the force
 * that limits friction, which the law tells (law/friction_force.h): |f_n| where nothing attracts. */
#include <math.h>
#include <string.h>

#include "box_motion.h"
#include "friction_force.h"
#include "intake.h"
#include "springs.h"
#include "state.h"

#define CONTACT_V1 DEMI_SIZE_TO(dem_contact, branch)

/* |f_t| this near its limit, relative to it, has reached it: round-off of both is some 1e-15. */
static const double REACHED = 1 - 1e-9;

int64_t demi_system_contact_count(const dem_system *s) {
  return demi_contacts_count(&s->contacts, &s->list, DEMI_SECTION_PAIR) +
         demi_contacts_count(&s->contacts, &s->list, DEMI_SECTION_WALL);
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Returns the material of the wall. */
static int32_t describe_wall(const dem_system *s, int64_t c, dem_contact *out) {
  const demi_face *face = &s->faces.face[demi_face_of_partner(s->contacts.loads.j[c])];
  const double *p = s->store.columns.position + 4 * (int64_t)s->contacts.loads.i[c];
  const double distance = demi_face_distance(face, p, out->normal);
  out->wall = face->wall_id;
  out->overlap = p[3] - distance;
  for (int a = 0; a < 3; a++) out->branch[a] = -distance * out->normal[a];
  return face->material;
}

/* Returns the material of j. */
static int32_t describe_pair(const dem_system *s, int64_t c, dem_contact *out) {
  const int32_t j = s->contacts.loads.j[c];
  const double *p = s->store.columns.position + 4 * (int64_t)s->contacts.loads.i[c],
               *q = s->store.columns.position + 4 * (int64_t)j;
  double square = 0, d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
  demi_box_nearest(&s->box, d);
  for (int a = 0; a < 3; a++) {
    out->normal[a] = d[a];
    out->branch[a] = -d[a];
    square += d[a] * d[a];
  }
  const double distance = sqrt(square);
  for (int a = 0; a < 3; a++) out->normal[a] = distance > 0 ? out->normal[a] / distance : a == 0; /* as in the engine */
  out->j = s->store.columns.id[j];
  out->wall = -1;
  out->overlap = p[3] + q[3] - distance;
  return s->store.columns.material[j];
}

/* The normal must be there. */
static void describe_loads(const dem_system *s, int64_t c, dem_contact *out) {
  const demi_loads *l = &s->contacts.loads;
  const double *f = l->rows + 8 * c, *m = f + 4, none[3] = {0};
  const double *moment = l->rolls ? l->moment + 4 * (c - l->moment_base) : none;
  double turn[3];
  memcpy(out->force, f, sizeof out->force);
  cross(m, out->normal, out->tangential_force);
  if (out->wall >= 0) cross(f, l->lever + 4 * (c - l->wall_base), turn);
  for (int a = 0; a < 3; a++) {
    out->torque[a] = -f[3] * m[a] + moment[a];
    out->torque_on_j[a] = (out->wall >= 0 ? turn[a] : -m[3] * m[a]) - moment[a];
  }
}

static void describe_point(const dem_system *s, int64_t c, dem_contact *out) {
  const int64_t i = s->contacts.loads.i[c];
  const double arm = s->contacts.loads.rows[8 * c + 3];
  int32_t unused[3];
  demi_box_read_place(s, i, out->point, unused);
  for (int a = 0; a < 3; a++) out->point[a] -= arm * out->normal[a];
}

/* R* and m* as the kernels have them. */
static void describe_pairing(const dem_system *s, int64_t c, demi_evaluated *contact) {
  const int64_t i = s->contacts.loads.i[c], j = s->contacts.loads.j[c];
  const double *position = s->store.columns.position;
  const double r = position[4 * i + 3];
  double inverse = demi_store_inverse_mass(&s->store, i);
  contact->effective_radius = r;
  if (j >= 0) {
    const double sum = r + position[4 * j + 3], difference = r - position[4 * j + 3];
    contact->effective_radius = 0.25 * (sum - difference * difference / sum);
    inverse += demi_store_inverse_mass(&s->store, j);
  }
  contact->effective_mass = inverse > 0 ? 1.0 / inverse : 1.0; /* nothing moves, and no dashpot acts */
}

static double friction_force(const dem_system *s, const demi_bound *bound, int64_t c, const dem_contact *out) {
  demi_evaluated contact = {.along = dot(out->force, out->normal), .overlap = out->overlap};
  if (!bound->adhesive && !bound->coupled) return fabs(contact.along);
  describe_pairing(s, c, &contact);
  contact.history = demi_contacts_history(&s->contacts, &s->list, s->contacts.loads.i[c], s->contacts.loads.j[c]);
  if (bound->history_total && !contact.history) return NAN;
  return demi_bound_friction_force(bound, &contact);
}

/* Which normal force limits friction is not told by a tangential part of the host's own, nor by an adhesive normal part of the
 * host's. */
static int32_t slides(const dem_system *s, const demi_bound *bound, int64_t c, const dem_contact *out) {
  const double friction = demi_bound_friction(bound);
  if (friction == 0) return 0;
  const double limit = isnan(friction) ? NAN : friction * friction_force(s, bound, c, out);
  if (isnan(limit)) return -1;
  const double tangential = sqrt(dot(out->tangential_force, out->tangential_force));
  return tangential > 0 && tangential >= REACHED * limit;
}

static void describe(const dem_system *s, int64_t c, dem_contact *out) {
  const int32_t i = s->contacts.loads.i[c];
  memset(out, 0, sizeof *out);
  out->i = s->store.columns.id[i];
  const int32_t other = s->contacts.loads.j[c] < 0 ? describe_wall(s, c, out) : describe_pair(s, c, out);
  const demi_bound *bound = demi_laws_of(&s->laws, s->store.columns.material[i], other);
  describe_loads(s, c, out);
  describe_point(s, c, out);
  out->law = bound->law;
  out->sliding = slides(s, bound, c, out);
}

static int64_t describe_run(const dem_system *s, int64_t first, int32_t count, void *contacts, int64_t n,
                            uint32_t struct_size) {
  dem_contact row;
  for (int32_t k = 0; k < count; k++) {
    describe(s, first + k, &row);
    demi_row_give(contacts, n + k, struct_size, &row, sizeof row);
  }
  return count;
}

dem_status demi_system_contacts(const dem_system *s, int64_t capacity, dem_contact *contacts, uint32_t struct_size) {
  const int64_t count = demi_system_contact_count(s);
  const dem_status status = demi_row_size(struct_size, CONTACT_V1);
  if (status)
    return demi_system_refuse(s, status, "contacts: %s", demi_row_flaw(CONTACT_V1, struct_size, (char[DEMI_FLAW_TEXT]){""}));
  if (capacity < count)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "contacts: capacity is %lld, needed %lld", (long long)capacity,
                              (long long)count);
  int64_t n = 0;
  for (int32_t b = 0; b < s->list.motion.blocks && s->contacts.valid; b++) {
    for (int32_t k = DEMI_SECTION_PAIR; k <= DEMI_SECTION_WALL; k++)
      n += describe_run(s, s->contacts.loads.first[k][b], s->contacts.loads.count[k][b], contacts, n, struct_size);
  }
  return DEM_OK;
}
