/* Walls as VTK polygons: rounds in 48 parts, what is endless cut off at a box around the particles, their surfaces and the walls'
 * reference points. A shape is drawn as it was described, then turned and moved to where the wall is. */
#include <math.h>
#include <string.h>

#include "frame.h"
#include "io.h"
#include "memory.h"
#include "system.h"
#include "vtk_xml.h"

enum { PARTS = 48, MOST_CORNERS = 16 };

static const double turn = 6.283185307179586;

typedef struct surface {
  demi_frame frame;
  dem_status status; /* the first failure */
  double low[3], high[3];
  int64_t corners, cells, corner_capacity, end_capacity, owner_capacity;
  double *corner; /* 3 per corner; polygons share none */
  int64_t *end;   /* of each polygon, as VTK has it */
  int32_t *owner; /* index of its wall */
  int32_t wall;   /* the one that is drawn now */
  dem_wall given;
  dem_wall_state is;
} surface;

/* ---- polygons ---- */

/* The array, with room for `wanted` elements unless memory is short. */
static void *grow(surface *s, void *array, int64_t *capacity, int64_t wanted, size_t size) {
  if (wanted <= *capacity || s->status) return array;
  const int64_t room = wanted + wanted / 2 + 64;
  void *more = demi_resize(s->frame.context, array, (size_t)*capacity * size, (size_t)room * size);
  if (!more) {
    s->status = demi_refuse(demi_system_message_of(s->frame.system), s->frame.context, DEM_NO_MEMORY,
                            "no memory to write %d walls", (int)demi_system_wall_count(s->frame.system));
    return array;
  }
  *capacity = room;
  return more;
}

/* v turned by the unit quaternion q. */
static void rotate(const double q[4], const double v[3], double out[3]) {
  double c[3];
  for (int a = 0; a < 3; a++) c[a] = 2 * (q[1 + (a + 1) % 3] * v[(a + 2) % 3] - q[1 + (a + 2) % 3] * v[(a + 1) % 3]);
  for (int a = 0; a < 3; a++)
    out[a] = v[a] + q[0] * c[a] + q[1 + (a + 1) % 3] * c[(a + 2) % 3] - q[1 + (a + 2) % 3] * c[(a + 1) % 3];
}

/* Corners where they are. */
static void add_polygon(surface *s, const double (*corners)[3], int count) {
  if (count < 3) return;
  s->corner = grow(s, s->corner, &s->corner_capacity, s->corners + count, 3 * sizeof *s->corner);
  s->end = grow(s, s->end, &s->end_capacity, s->cells + 1, sizeof *s->end);
  s->owner = grow(s, s->owner, &s->owner_capacity, s->cells + 1, sizeof *s->owner);
  if (s->status) return;
  memcpy(s->corner + 3 * s->corners, corners, (size_t)count * sizeof *corners);
  s->corners += count;
  s->end[s->cells] = s->corners;
  s->owner[s->cells++] = s->wall;
}

/* Corners in the frame of the shape. */
static void draw(surface *s, const double (*corners)[3], int count) {
  double placed[PARTS][3];
  for (int k = 0; k < count; k++) {
    rotate(s->is.rotation, corners[k], placed[k]);
    for (int a = 0; a < 3; a++) placed[k][a] += s->is.position[a];
  }
  add_polygon(s, (const double(*)[3])placed, count);
}

/* ---- what is endless ---- */

/* From the wall's reference point to the furthest and nearest corner of the box along a direction of the shape. */
static void extent(const surface *s, const double *direction, double *low, double *high) {
  double d[3];
  rotate(s->is.rotation, direction, d);
  *low = INFINITY;
  *high = -INFINITY;
  for (int k = 0; k < 8; k++) {
    double along = 0;
    for (int a = 0; a < 3; a++) along += d[a] * ((k >> a & 1 ? s->high[a] : s->low[a]) - s->is.position[a]);
    *low = fmin(*low, along);
    *high = fmax(*high, along);
  }
}

/* Keeps what lies on the inner side of one face of the box. */
static int cut(double (*p)[3], int count, int axis, double limit, double sign) {
  double kept[MOST_CORNERS][3];
  int n = 0;
  for (int k = 0; k < count; k++) {
    const double *a = p[k], *b = p[(k + 1) % count], in = sign * (limit - a[axis]), next = sign * (limit - b[axis]);
    if (in >= 0) memcpy(kept[n++], a, sizeof *kept);
    if ((in >= 0) == (next >= 0)) continue;
    for (int c = 0; c < 3; c++) kept[n][c] = a[c] + in / (in - next) * (b[c] - a[c]);
    n++;
  }
  memcpy(p, kept, (size_t)n * sizeof *kept);
  return n;
}

/* Two unit vectors across a unit vector and each other. */
static void across(const double *n, double *u, double *v) {
  const int a = fabs(n[0]) < 0.6 ? 0 : 1;
  const double length = sqrt(1 - n[a] * n[a]);
  for (int k = 0; k < 3; k++) u[k] = ((k == a) - n[a] * n[k]) / length;
  for (int k = 0; k < 3; k++) v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
}

/* A square that reaches past the box, cut at its faces; these are let out a little, so that a plane in one of them is kept. */
static void draw_plane(surface *s) {
  double n[3], u[3], v[3], p[MOST_CORNERS][3], middle[3], size = 0, above = 0;
  rotate(s->is.rotation, s->given.axis, n);
  across(n, u, v);
  for (int a = 0; a < 3; a++) size += s->high[a] - s->low[a];
  for (int a = 0; a < 3; a++) above += n[a] * (0.5 * (s->low[a] + s->high[a]) - s->is.position[a]);
  for (int a = 0; a < 3; a++) middle[a] = 0.5 * (s->low[a] + s->high[a]) - above * n[a];
  for (int k = 0; k < 4; k++)
    for (int a = 0; a < 3; a++) p[k][a] = middle[a] + size * ((k == 0 || k == 3 ? 1 : -1) * u[a] + (k < 2 ? 1 : -1) * v[a]);
  int count = 4;
  for (int a = 0; a < 3 && count > 0; a++) count = cut(p, count, a, s->high[a] + 1e-9 * size, 1);
  for (int a = 0; a < 3 && count > 0; a++) count = cut(p, count, a, s->low[a] - 1e-9 * size, -1);
  add_polygon(s, (const double(*)[3])p, count);
}

/* ---- shapes ---- */

/* Extent of a box or plate along one of its axes: half its size, or up to the box around all where it has no end. */
static void edge_of(const surface *s, int axis, double *low, double *high) {
  const double unit[3] = {axis == 0, axis == 1, axis == 2};
  const int flat = axis == 2 && demi_system_dimension(s->frame.system) == 2;
  *high = 0.5 * s->given.size[axis];
  *low = -*high;
  if (isinf(*high) || flat) extent(s, unit, low, high);
}

static void draw_rectangle(surface *s, const double *low, const double *high, int axis, double height) {
  double p[4][3];
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  for (int k = 0; k < 4; k++) {
    p[k][axis] = height;
    p[k][b] = k == 1 || k == 2 ? high[b] : low[b];
    p[k][c] = k < 2 ? low[c] : high[c];
  }
  draw(s, (const double(*)[3])p, 4);
}

static void draw_box(surface *s) {
  double low[3], high[3];
  for (int a = 0; a < 3; a++) edge_of(s, a, &low[a], &high[a]);
  for (int a = 0; a < 3; a++) {
    if (s->given.shape == DEM_WALL_PLATE && s->given.size[a] != 0) continue;
    draw_rectangle(s, low, high, a, low[a]);
    if (s->given.shape == DEM_WALL_BOX) draw_rectangle(s, low, high, a, high[a]);
  }
}

/* The point (radius, height) at part k of a turn about the axis. */
static void round_point(const surface *s, double radius, double height, int k, double *out) {
  double u[3], v[3];
  across(s->given.axis, u, v);
  const double c = radius * cos(turn * k / PARTS), d = radius * sin(turn * k / PARTS);
  for (int a = 0; a < 3; a++) out[a] = c * u[a] + d * v[a] + height * s->given.axis[a];
}

static void draw_band(surface *s, const double *from, const double *to) {
  for (int k = 0; k < PARTS; k++) {
    double p[4][3];
    int n = 0;
    round_point(s, from[0], from[1], k, p[n++]);
    if (from[0] > 0) round_point(s, from[0], from[1], k + 1, p[n++]);
    round_point(s, to[0], to[1], k + 1, p[n++]);
    if (to[0] > 0) round_point(s, to[0], to[1], k, p[n++]);
    draw(s, (const double(*)[3])p, n);
  }
}

static void draw_lid(surface *s, double height) {
  double p[PARTS][3];
  for (int k = 0; k < PARTS; k++) round_point(s, s->given.radius, height, k, p[k]);
  draw(s, (const double(*)[3])p, PARTS);
}

static void draw_round(surface *s) {
  const dem_wall *w = &s->given;
  const int cylinder = w->shape == DEM_WALL_CYLINDER, flat = demi_system_dimension(s->frame.system) == 2;
  const int endless = cylinder && (w->length == 0 || flat);
  double from[2] = {w->radius, -0.5 * w->length}, to[2] = {cylinder ? w->radius : w->end_radius, 0.5 * w->length};
  if (endless) extent(s, w->axis, &from[1], &to[1]);
  if (w->shape == DEM_WALL_DISC) {
    draw_lid(s, 0);
  } else if (w->shape == DEM_WALL_REVOLVED) {
    for (int32_t k = 0; k + 1 < w->profile_points; k++) draw_band(s, w->profile + 2 * k, w->profile + 2 * k + 2);
  } else {
    draw_band(s, from, to);
  }
  if (!cylinder || endless || w->open) return;
  draw_lid(s, from[1]);
  draw_lid(s, to[1]);
}

static void draw_wall(surface *s) {
  if (s->given.shape == DEM_WALL_PLANE)
    draw_plane(s);
  else if (s->given.shape == DEM_WALL_BOX || s->given.shape == DEM_WALL_PLATE)
    draw_box(s);
  else
    draw_round(s);
}

/* ---- all ---- */

static dem_status look_at(surface *s, int32_t index) {
  s->wall = index;
  const int32_t id = demi_system_wall_at(s->frame.system, index, &s->given);
  s->is.struct_size = sizeof s->is;
  return demi_system_wall_state(s->frame.system, id, &s->is);
}

static void include(surface *s, const double *x, double reach) {
  for (int a = 0; a < 3; a++) {
    s->low[a] = fmin(s->low[a], x[a] - reach);
    s->high[a] = fmax(s->high[a], x[a] + reach);
  }
}

static dem_status enclose(surface *s) {
  static const demi_frame_field fields[2] = {{DEM_POSITION, 0}, {DEM_RADIUS, 3}};
  dem_status status = demi_frame_enclose(&s->frame);
  memcpy(s->low, s->frame.low, sizeof s->low);
  memcpy(s->high, s->frame.high, sizeof s->high);
  for (int64_t first = 0; first < s->frame.count && !status; first += DEMI_FRAME_ROWS) {
    status = demi_frame_reals(&s->frame, first, fields, 2);
    for (int64_t k = 0; k < demi_frame_rows(&s->frame, first) && !status; k++)
      include(s, s->frame.reals + DEMI_FRAME_REALS * k, s->frame.reals[DEMI_FRAME_REALS * k + 3]);
  }
  for (int32_t w = 0; w < demi_system_wall_count(s->frame.system) && !status; w++) {
    status = look_at(s, w);
    include(s, s->is.position, 0);
  }
  return status;
}

/* One value of a polygon's wall per polygon. */
static dem_status write_values(surface *s, const demi_vtk_array *a, size_t member) {
  const uint64_t size = (uint64_t)demi_vtk_bytes(a->kind, a->components, s->cells);
  dem_status status = DEM_OK;
  demi_write_bytes(&s->frame.writer, &size, sizeof size);
  for (int64_t k = 0; k < s->cells && !status; k++) {
    int32_t numbers[2];
    if (k == 0 || s->owner[k] != s->wall) status = look_at(s, s->owner[k]);
    numbers[0] = demi_system_wall_at(s->frame.system, s->owner[k], &s->given);
    numbers[1] = s->given.material;
    const void *value = a->kind == DEMI_VTK_INTEGER ? (const void *)&numbers[member] : (const char *)&s->is + member;
    demi_write_bytes(&s->frame.writer, value, (size_t)demi_vtk_bytes(a->kind, a->components, 1));
  }
  return status;
}

static void write_raw(surface *s, const demi_vtk_array *a) {
  const uint64_t size = (uint64_t)demi_vtk_bytes(a->kind, a->components, a->count);
  demi_write_bytes(&s->frame.writer, &size, sizeof size);
  if (a->data && size > 0) demi_write_bytes(&s->frame.writer, a->data, (size_t)size);
  for (int64_t k = 0; k < a->count && !a->data; k++) demi_write_bytes(&s->frame.writer, &k, sizeof k);
}

static dem_status write_surface(surface *s) {
  demi_writer *w = &s->frame.writer;
  const demi_vtk_array cells[] = {
      {"wall", DEMI_VTK_INTEGER, 1, s->cells, NULL},  {"material", DEMI_VTK_INTEGER, 1, s->cells, NULL},
      {"velocity", DEMI_VTK_REAL, 3, s->cells, NULL}, {"force", DEMI_VTK_REAL, 3, s->cells, NULL},
      {"torque", DEMI_VTK_REAL, 3, s->cells, NULL},
  };
  const size_t members[] = {0, 1, offsetof(dem_wall_state, velocity), offsetof(dem_wall_state, force),
                            offsetof(dem_wall_state, torque)};
  const demi_vtk_array points = {"Points", DEMI_VTK_REAL, 3, s->corners, s->corner};
  const demi_vtk_array connectivity = {"connectivity", DEMI_VTK_INDEX, 1, s->corners, NULL};
  const demi_vtk_array offsets = {"offsets", DEMI_VTK_INDEX, 1, s->cells, s->end};
  const demi_vtk_counts counts = {s->corners, 0, 0, s->cells};
  dem_status status = DEM_OK;
  int64_t offset = 0;
  demi_vtk_open(w, demi_system_time(s->frame.system), &counts);
  demi_write_text(w, "      <CellData Scalars=\"wall\" Vectors=\"force\">\n");
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) demi_vtk_describe(w, &cells[k], &offset);
  demi_write_text(w, "      </CellData>\n      <Points>\n");
  demi_vtk_describe(w, &points, &offset);
  demi_write_text(w, "      </Points>\n      <Polys>\n");
  demi_vtk_describe(w, &connectivity, &offset);
  demi_vtk_describe(w, &offsets, &offset);
  demi_write_text(w, "      </Polys>\n");
  demi_vtk_begin_arrays(w);
  for (size_t k = 0; k < sizeof cells / sizeof *cells && !status; k++) status = write_values(s, &cells[k], members[k]);
  write_raw(s, &points);
  write_raw(s, &connectivity);
  write_raw(s, &offsets);
  demi_vtk_close(w);
  return status;
}

dem_status demi_io_write_walls_vtp(const dem_system *system, const dem_sink *sink) {
  surface s;
  memset(&s, 0, sizeof s);
  dem_status status = demi_frame_open(&s.frame, system, sink);
  if (!status) status = enclose(&s);
  for (int32_t w = 0; w < demi_system_wall_count(system) && !status; w++) {
    status = look_at(&s, w);
    if (!status) draw_wall(&s);
    if (!status) status = s.status;
  }
  if (!status) status = write_surface(&s);
  demi_free(s.frame.context, s.corner, (size_t)s.corner_capacity * 3 * sizeof *s.corner);
  demi_free(s.frame.context, s.end, (size_t)s.end_capacity * sizeof *s.end);
  demi_free(s.frame.context, s.owner, (size_t)s.owner_capacity * sizeof *s.owner);
  return demi_frame_close(&s.frame, status);
}
