/* Particles as VTK XML PolyData, array by array from blocks of rows; and the collection file. */
#include "frame.h"
#include "io.h"
#include "system.h"
#include "vtk_xml.h"

/* END are indices that count from 1. */
enum { REAL = DEMI_VTK_REAL, INTEGER = DEMI_VTK_INTEGER, ID = DEMI_VTK_ID, INDEX = DEMI_VTK_INDEX, END };
enum { POINT_ARRAYS = 8, ARRAYS = 11, PVD_BUFFER = 4096 };

/* One array of the file: first those of the points, then the positions and the two of the vertices. */
typedef struct array {
  char name[16];
  int32_t field; /* DEM_..., where it comes from the system */
  int32_t kind;
  int32_t components;
} array;

static const array arrays[ARRAYS] = {
    {"heat", DEM_HEAT, REAL, 1}, /* left out when the system keeps none */
    {"radius", DEM_RADIUS, REAL, 1},
    {"velocity", DEM_VELOCITY, REAL, 3},
    {"spin", DEM_SPIN, REAL, 3},
    {"force", DEM_FORCE, REAL, 3},
    {"material", DEM_MATERIAL, INTEGER, 1},
    {"frozen", DEM_FROZEN, INTEGER, 1},
    {"id", 0, ID, 1},
    {"Points", DEM_POSITION, REAL, 3},
    {"connectivity", 0, INDEX, 1},
    {"offsets", 0, END, 1},
};

static int first_array(const demi_frame *frame) { return demi_system_keeps_heat(frame->system) ? 0 : 1; }

static int64_t array_size(const array *a, int64_t count) { return demi_vtk_bytes(a->kind, a->components, count); }

/* Describes arrays first ... last - 1; `offset` moves on. */
static void describe(demi_frame *frame, int first, int last, int64_t *offset) {
  for (int i = first; i < last; i++) {
    const demi_vtk_array a = {arrays[i].name, arrays[i].kind, arrays[i].components, frame->count, NULL};
    demi_vtk_describe(&frame->writer, &a, offset);
  }
}

static void write_description(demi_frame *frame) {
  demi_writer *w = &frame->writer;
  const demi_vtk_counts counts = {frame->count, frame->count, 0, 0};
  int64_t offset = 0;
  demi_vtk_open(w, demi_system_time(frame->system), &counts);
  demi_write_text(w, "      <PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
  describe(frame, first_array(frame), POINT_ARRAYS, &offset);
  demi_write_text(w, "      </PointData>\n      <Points>\n");
  describe(frame, POINT_ARRAYS, POINT_ARRAYS + 1, &offset);
  demi_write_text(w, "      </Points>\n      <Verts>\n");
  describe(frame, POINT_ARRAYS + 1, ARRAYS, &offset);
  demi_write_text(w, "      </Verts>\n");
  demi_vtk_begin_arrays(w);
}

/* The frame's scratch takes one block packed. */
static dem_status write_block(demi_frame *frame, const array *a, int64_t first, int64_t rows) {
  const dem_id *ids = frame->ids + first;
  const void *bytes = frame->reals;
  dem_status status = DEM_OK;
  int64_t indices[DEMI_FRAME_ROWS];
  switch (a->kind) {
    case REAL: status = demi_system_get(frame->system, a->field, rows, ids, frame->reals, 0); break;
    case INTEGER:
      status = demi_system_get_int(frame->system, a->field, rows, ids, frame->integers, 0);
      bytes = frame->integers;
      break;
    case ID: bytes = ids; break;
    default:
      for (int64_t i = 0; i < rows; i++) indices[i] = first + i + (a->kind == END);
      bytes = indices;
  }
  if (status == DEM_OK) demi_write_bytes(&frame->writer, bytes, (size_t)array_size(a, rows));
  return status;
}

static dem_status write_array(demi_frame *frame, const array *a) {
  const uint64_t size = (uint64_t)array_size(a, frame->count);
  dem_status status = DEM_OK;
  demi_write_bytes(&frame->writer, &size, sizeof size);
  for (int64_t first = 0; first < frame->count && status == DEM_OK && !frame->writer.answer; first += DEMI_FRAME_ROWS)
    status = write_block(frame, a, first, demi_frame_rows(frame, first));
  return status;
}

static dem_status write_vtp(demi_frame *frame) {
  dem_status status = DEM_OK;
  write_description(frame);
  for (int i = first_array(frame); i < ARRAYS && status == DEM_OK; i++) status = write_array(frame, &arrays[i]);
  demi_vtk_close(&frame->writer);
  return status;
}

dem_status demi_io_write_vtp(const dem_system *system, const dem_sink *sink) {
  demi_frame frame;
  dem_status status = demi_frame_open(&frame, system, sink);
  if (status == DEM_OK) status = write_vtp(&frame);
  return demi_frame_close(&frame, status);
}

static void write_escaped(demi_writer *w, const char *text) {
  for (; *text; text++) switch (*text) {
      case '&': demi_write_text(w, "&amp;"); break;
      case '<': demi_write_text(w, "&lt;"); break;
      case '>': demi_write_text(w, "&gt;"); break;
      case '"': demi_write_text(w, "&quot;"); break;
      default: demi_write_bytes(w, text, 1);
    }
}

static void write_pvd(demi_writer *w, int64_t count, const double *times, const char *const *files) {
  demi_write_text(w, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n");
  for (int64_t i = 0; i < count; i++) {
    demi_write_text(w, "    <DataSet timestep=\"");
    demi_write_real(w, times[i]);
    demi_write_text(w, "\" file=\"");
    write_escaped(w, files[i]);
    demi_write_text(w, "\"/>\n");
  }
  demi_write_text(w, "  </Collection>\n</VTKFile>\n");
}

/* No object, hence no allocator: the buffer is on the stack. */
dem_status demi_io_write_pvd(const dem_sink *sink, int64_t count, const double *times, const char *const *files) {
  char buffer[PVD_BUFFER];
  demi_writer writer;
  const dem_status status = demi_writer_open(&writer, sink, buffer, sizeof buffer);
  if (status) return status;
  write_pvd(&writer, count, times, files);
  return demi_writer_close(&writer);
}
