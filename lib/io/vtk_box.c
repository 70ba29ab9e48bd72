/* The box as VTK lines: the corners low + i a + j b + k c with i, j, k = 0 or 1, and the edges between corners that differ in one of these.
 * Corner number = i + 2 j + 4 k. In a plane there are four corners and four edges, at z = 0. Along open axes the box is the one that the
 * host declared, stretched so that it holds all centres. */
#include <string.h>

#include "frame.h"
#include "io.h"
#include "system.h"
#include "vtk_xml.h"

enum { CORNERS = 8, EDGES = 12 };

typedef struct outline {
  int64_t corners, edges;
  double corner[3 * CORNERS];
  int64_t ends[2 * EDGES];
  int64_t offset[EDGES];
  int32_t axis[EDGES];
} outline;

static void place_corner(const demi_frame *f, int number, int flat, double *corner) {
  const int at[3] = {number & 1, number >> 1 & 1, number >> 2};
  for (int a = 0; a < 3; a++) corner[a] = at[a] ? f->high[a] : f->low[a];
  corner[0] += at[1] * f->tilt[0] + at[2] * f->tilt[1];
  corner[1] += at[2] * f->tilt[2];
  if (flat) corner[2] = 0;
}

static void draw(const demi_frame *f, outline *o) {
  const int flat = demi_system_dimension(f->system) == 2, axes = flat ? 2 : 3;
  o->corners = 1 << axes;
  for (int k = 0; k < o->corners; k++) place_corner(f, k, flat, o->corner + 3 * k);
  for (int a = 0; a < axes; a++)
    for (int k = 0; k < o->corners; k++) {
      if (k >> a & 1) continue;
      o->ends[2 * o->edges] = k;
      o->ends[2 * o->edges + 1] = k | 1 << a;
      o->axis[o->edges++] = a;
      o->offset[o->edges - 1] = 2 * o->edges;
    }
}

static void write_raw(demi_writer *w, const demi_vtk_array *a) {
  const uint64_t size = (uint64_t)demi_vtk_bytes(a->kind, a->components, a->count);
  demi_write_bytes(w, &size, sizeof size);
  demi_write_bytes(w, a->data, (size_t)size);
}

static void write_outline(demi_frame *f, const outline *o) {
  demi_writer *w = &f->writer;
  const demi_vtk_array arrays[] = {
      {"axis", DEMI_VTK_INTEGER, 1, o->edges, o->axis},
      {"Points", DEMI_VTK_REAL, 3, o->corners, o->corner},
      {"connectivity", DEMI_VTK_INDEX, 1, 2 * o->edges, o->ends},
      {"offsets", DEMI_VTK_INDEX, 1, o->edges, o->offset},
  };
  static const char before[4][40] = {"      <CellData Scalars=\"axis\">\n", "      </CellData>\n      <Points>\n",
                                     "      </Points>\n      <Lines>\n", ""};
  const demi_vtk_counts counts = {o->corners, 0, o->edges, 0};
  int64_t offset = 0;
  demi_vtk_open(w, demi_system_time(f->system), &counts);
  for (int k = 0; k < 4; k++) {
    demi_write_text(w, before[k]);
    demi_vtk_describe(w, &arrays[k], &offset);
  }
  demi_write_text(w, "      </Lines>\n");
  demi_vtk_begin_arrays(w);
  for (int k = 0; k < 4; k++) write_raw(w, &arrays[k]);
  demi_vtk_close(w);
}

dem_status demi_io_write_box_vtp(const dem_system *system, const dem_sink *sink) {
  demi_frame frame;
  outline o;
  memset(&o, 0, sizeof o);
  dem_status status = demi_frame_open(&frame, system, sink);
  if (!status) status = demi_frame_enclose(&frame);
  if (!status) {
    draw(&frame, &o);
    write_outline(&frame, &o);
  }
  return demi_frame_close(&frame, status);
}
