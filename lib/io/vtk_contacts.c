/* The contact network as VTK lines: from centre to centre, from a centre to the contact point on a wall. Both ends of a line come
 * from x_i, the normal n and the overlap d, so that contacts across a periodic boundary stay short:
 *
 *   x_j = x_i - (R_i + R_j - d) n,   on a wall x_i - (R_i - d) n;   f_n = f.n,   f_t = f - f_n n. */
#include "frame.h"
#include "io.h"
#include "memory.h"
#include "system.h"
#include "vtk_xml.h"

enum { NORMAL, TANGENTIAL, OVERLAP, FIRST, SECOND, WALL, MATERIAL, OTHER, SLIDING, POINTS, CONNECTIVITY, OFFSETS, ARRAYS };

static const demi_vtk_array arrays[ARRAYS] = {
    {"normal_force", DEMI_VTK_REAL, 1, 0, NULL},
    {"tangential_force", DEMI_VTK_REAL, 3, 0, NULL},
    {"overlap", DEMI_VTK_REAL, 1, 0, NULL},
    {"id_i", DEMI_VTK_ID, 1, 0, NULL},
    {"id_j", DEMI_VTK_ID, 1, 0, NULL},
    {"wall", DEMI_VTK_INTEGER, 1, 0, NULL},
    {"material_i", DEMI_VTK_INTEGER, 1, 0, NULL},
    {"material_j", DEMI_VTK_INTEGER, 1, 0, NULL},
    {"sliding", DEMI_VTK_INTEGER, 1, 0, NULL},
    {"Points", DEMI_VTK_REAL, 3, 0, NULL}, /* two per contact */
    {"connectivity", DEMI_VTK_INDEX, 2, 0, NULL},
    {"offsets", DEMI_VTK_INDEX, 1, 0, NULL},
};

typedef struct network {
  demi_frame frame;
  int64_t count;
  dem_contact *contact;
} network;

/* What a block of contacts needs of its particles. */
typedef struct ends {
  dem_id i[DEMI_FRAME_ROWS], j[DEMI_FRAME_ROWS]; /* of a wall contact, j = i */
  double x[3 * DEMI_FRAME_ROWS], radius_i[DEMI_FRAME_ROWS], radius_j[DEMI_FRAME_ROWS];
  int32_t material_i[DEMI_FRAME_ROWS], material_j[DEMI_FRAME_ROWS];
} ends;

static dem_status fetch(const network *n, int64_t first, int64_t rows, ends *e) {
  const dem_system *s = n->frame.system;
  for (int64_t k = 0; k < rows; k++) {
    const dem_contact *c = n->contact + first + k;
    e->i[k] = c->i;
    e->j[k] = c->wall < 0 ? c->j : c->i;
  }
  dem_status status = demi_system_get_field(s, DEM_POSITION, rows, e->i, e->x, 0);
  if (!status) status = demi_system_get_field(s, DEM_RADIUS, rows, e->i, e->radius_i, 0);
  if (!status) status = demi_system_get_field(s, DEM_RADIUS, rows, e->j, e->radius_j, 0);
  if (!status) status = demi_system_get_field_int(s, DEM_MATERIAL, rows, e->i, e->material_i, 0);
  if (!status) status = demi_system_get_field_int(s, DEM_MATERIAL, rows, e->j, e->material_j, 0);
  for (int64_t k = 0; k < rows && !status; k++)
    if (n->contact[first + k].wall >= 0) e->material_j[k] = demi_system_wall_material(s, n->contact[first + k].wall);
  return status;
}

static double along(const dem_contact *c) {
  return c->force[0] * c->normal[0] + c->force[1] * c->normal[1] + c->force[2] * c->normal[2];
}

static void real_of(int which, const dem_contact *c, const ends *e, int64_t k, double *out) {
  const double apart = e->radius_i[k] - c->overlap + (c->wall < 0 ? e->radius_j[k] : 0.0);
  if (which == NORMAL) *out = along(c);
  if (which == OVERLAP) *out = c->overlap;
  for (int a = 0; a < 3; a++) {
    if (which == TANGENTIAL) out[a] = c->force[a] - along(c) * c->normal[a];
    if (which == POINTS) out[a] = e->x[3 * k + a];
    if (which == POINTS) out[3 + a] = e->x[3 * k + a] - apart * c->normal[a];
  }
}

static int32_t integer_of(int which, const dem_contact *c, const ends *e, int64_t k) {
  if (which == WALL) return c->wall;
  if (which == SLIDING) return c->sliding;
  return which == MATERIAL ? e->material_i[k] : e->material_j[k];
}

static uint64_t index_of(int which, const dem_contact *c, int64_t k, int end) {
  if (which == FIRST) return c->i;
  if (which == SECOND) return c->j;
  return (uint64_t)(which == CONNECTIVITY ? 2 * k + end : 2 * k + 2);
}

static dem_status write_block(network *n, int which, int64_t first, int64_t rows, ends *e) {
  const demi_vtk_array *a = &arrays[which];
  const int width = which == POINTS ? 6 : a->components;
  uint64_t index[2 * DEMI_FRAME_ROWS];
  const void *bytes = index;
  const dem_status status = fetch(n, first, rows, e);
  for (int64_t k = 0; k < rows && !status; k++) {
    const dem_contact *c = n->contact + first + k;
    if (a->kind == DEMI_VTK_REAL)
      real_of(which, c, e, k, n->frame.reals + width * k);
    else if (a->kind == DEMI_VTK_INTEGER)
      n->frame.integers[k] = integer_of(which, c, e, k);
    else
      for (int end = 0; end < width; end++) index[width * k + end] = index_of(which, c, first + k, end);
  }
  if (a->kind == DEMI_VTK_REAL) bytes = n->frame.reals;
  if (a->kind == DEMI_VTK_INTEGER) bytes = n->frame.integers;
  if (!status) demi_write_bytes(&n->frame.writer, bytes, (size_t)demi_vtk_bytes(a->kind, width, rows));
  return status;
}

static void describe(network *n) {
  demi_writer *w = &n->frame.writer;
  const demi_vtk_counts counts = {2 * n->count, 0, n->count, 0};
  int64_t offset = 0;
  demi_vtk_open(w, demi_system_time(n->frame.system), &counts);
  demi_write_text(w, "      <CellData Scalars=\"normal_force\">\n");
  for (int k = 0; k < ARRAYS; k++) {
    demi_vtk_array a = arrays[k];
    a.count = k == POINTS ? 2 * n->count : n->count;
    if (k == POINTS) demi_write_text(w, "      </CellData>\n      <Points>\n");
    if (k == CONNECTIVITY) demi_write_text(w, "      </Points>\n      <Lines>\n");
    if (k == CONNECTIVITY) a.components = 1, a.count = 2 * n->count;
    demi_vtk_describe(w, &a, &offset);
  }
  demi_write_text(w, "      </Lines>\n");
  demi_vtk_begin_arrays(w);
}

static dem_status write_arrays(network *n, ends *e) {
  dem_status status = DEM_OK;
  for (int k = 0; k < ARRAYS && !status; k++) {
    const uint64_t size = (uint64_t)demi_vtk_bytes(arrays[k].kind, arrays[k].components, k == POINTS ? 2 * n->count : n->count);
    demi_write_bytes(&n->frame.writer, &size, sizeof size);
    for (int64_t first = 0; first < n->count && !status && !n->frame.writer.answer; first += DEMI_FRAME_ROWS)
      status = write_block(n, k, first, n->count - first < DEMI_FRAME_ROWS ? n->count - first : DEMI_FRAME_ROWS, e);
  }
  demi_vtk_close(&n->frame.writer);
  return status;
}

static dem_status write_network(network *n) {
  dem_context *context = n->frame.context;
  const size_t bytes = (size_t)(n->count > 0 ? n->count : 1) * sizeof *n->contact;
  ends *e = demi_allocate(context, sizeof *e);
  n->contact = demi_allocate(context, bytes);
  dem_status status = DEM_OK;
  if (!e || !n->contact)
    status = demi_refuse(demi_system_message_of(n->frame.system), context, DEM_NO_MEMORY, "no memory to write %lld contacts",
                         (long long)n->count);
  if (!status && n->count > 0) status = demi_system_contacts(n->frame.system, n->count, n->contact, sizeof *n->contact);
  if (!status) {
    describe(n);
    status = write_arrays(n, e);
  }
  demi_free(context, n->contact, bytes);
  demi_free(context, e, sizeof *e);
  return status;
}

dem_status demi_io_write_contacts_vtp(const dem_system *system, const dem_sink *sink) {
  network n;
  n.count = demi_system_contact_count(system);
  dem_status status = demi_frame_open(&n.frame, system, sink);
  if (status == DEM_OK) status = write_network(&n);
  return demi_frame_close(&n.frame, status);
}
