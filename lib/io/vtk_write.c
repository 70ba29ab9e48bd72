/* Particles as VTK XML PolyData, array by array from blocks of rows; and the collection file.
 *
 * The arrays of the points are those fields of the table of fields that have a place in a VTK file, then the ids, then the columns
 * that the host added, then fields that it asks for. */
#include "field_table.h"
#include "frame.h"
#include "io.h"
#include "memory.h"
#include "system.h"
#include "vtk_xml.h"

/* END are indices that count from 1. */
enum { REAL = DEMI_VTK_REAL, INTEGER = DEMI_VTK_INTEGER, ID = DEMI_VTK_ID, INDEX = DEMI_VTK_INDEX, END };
enum { ARRAYS = DEMI_FIELD_INDICES + 4, PVD_BUFFER = 4096 };

_Static_assert((int)DEMI_FIELD_WIDTH <= (int)DEMI_FRAME_REALS, "the scratch of a frame holds a block of every field");

/* One array of the file. */
typedef struct array {
  const char *name;
  int32_t field; /* number, where it comes from the system */
  int32_t kind;
  int32_t components;
  int32_t whole; /* 1: the field is computed for all particles at once */
} array;

/* First those of the points, then the positions and the two of the vertices. */
typedef struct layout {
  int count, points;
  array arrays[ARRAYS];
} layout;

static void append(layout *l, const char *name, int32_t field, int32_t kind, int32_t components) {
  l->arrays[l->count++] = (array){name, field, kind, components, 0};
}

static void append_field(layout *l, const demi_field *f) {
  append(l, f->name, f->number, f->type == DEMI_FIELD_REAL ? REAL : INTEGER, f->components);
  l->arrays[l->count - 1].whole = f->whole || f->whole_integer;
}

/* In the order of their places. Heat is left out when the system keeps none. */
static void append_fields(layout *l, const dem_system *s) {
  for (int32_t place = 1; place < DEMI_FIELD_ROWS; place++)
    for (int32_t k = 0; k < DEMI_FIELD_ROWS; k++) {
      const demi_field *f = demi_field_at(s, k, NULL);
      if (f && f->vtk == place && (!f->needs_ledger || demi_system_keeps_heat(s))) append_field(l, f);
    }
}

static void append_columns(layout *l, const dem_system *s) {
  demi_field room;
  for (int32_t k = DEMI_FIELD_ROWS; k < DEMI_FIELD_INDICES; k++)
    if (demi_field_at(s, k, &room)) append_field(l, &room);
}

static int has(const layout *l, int32_t field) {
  for (int i = 0; i < l->count; i++)
    if (l->arrays[i].field == field) return 1;
  return field == DEM_POSITION;
}

/* Those of the host that are not there yet. They exist. */
static void append_asked(layout *l, const dem_system *s, const demi_io_fields *asked) {
  demi_field room;
  for (int32_t k = 0; k < asked->count; k++)
    if (!has(l, asked->field[k])) append_field(l, demi_field_find(s, asked->field[k], &room));
}

static void lay_out(layout *l, const dem_system *s, const demi_io_fields *asked) {
  l->count = 0;
  append_fields(l, s);
  append(l, "id", 0, ID, 1);
  append_columns(l, s);
  append_asked(l, s, asked);
  l->points = l->count;
  append(l, "Points", DEM_POSITION, REAL, 3);
  append(l, "connectivity", 0, INDEX, 1);
  append(l, "offsets", 0, END, 1);
}

static int64_t array_size(const array *a, int64_t count) { return demi_vtk_bytes(a->kind, a->components, count); }

/* Describes arrays first ... last - 1; `offset` moves on. */
static void describe(demi_frame *frame, const layout *l, int first, int last, int64_t *offset) {
  for (int i = first; i < last; i++) {
    const demi_vtk_array a = {l->arrays[i].name, l->arrays[i].kind, l->arrays[i].components, frame->count, NULL};
    demi_vtk_describe(&frame->writer, &a, offset);
  }
}

static void write_description(demi_frame *frame, const layout *l) {
  demi_writer *w = &frame->writer;
  const demi_vtk_counts counts = {frame->count, frame->count, 0, 0};
  int64_t offset = 0;
  demi_vtk_open(w, demi_system_time(frame->system), &counts);
  demi_write_text(w, "      <PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
  describe(frame, l, 0, l->points, &offset);
  demi_write_text(w, "      </PointData>\n      <Points>\n");
  describe(frame, l, l->points, l->points + 1, &offset);
  demi_write_text(w, "      </Points>\n      <Verts>\n");
  describe(frame, l, l->points + 1, l->count, &offset);
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
    case REAL: status = demi_system_get_field(frame->system, a->field, rows, ids, frame->reals, 0); break;
    case INTEGER:
      status = demi_system_get_field_int(frame->system, a->field, rows, ids, frame->integers, 0);
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

static dem_status write_whole(demi_frame *frame, const array *a) {
  const size_t bytes = (size_t)array_size(a, frame->count);
  dem_status status = DEM_OK;
  if (frame->count == 0) return DEM_OK;
  void *rows = demi_allocate(frame->context, bytes);
  if (!rows)
    return demi_refuse(demi_system_message_of(frame->system), frame->context, DEM_NO_MEMORY,
                       "no memory to write %s of %lld particles", a->name, (long long)frame->count);
  if (a->kind == REAL)
    status = demi_system_get_field(frame->system, a->field, frame->count, frame->ids, rows, 0);
  else
    status = demi_system_get_field_int(frame->system, a->field, frame->count, frame->ids, rows, 0);
  if (!status) demi_write_bytes(&frame->writer, rows, bytes);
  demi_free(frame->context, rows, bytes);
  return status;
}

static dem_status write_array(demi_frame *frame, const array *a) {
  const uint64_t size = (uint64_t)array_size(a, frame->count);
  dem_status status = DEM_OK;
  demi_write_bytes(&frame->writer, &size, sizeof size);
  if (a->whole) return write_whole(frame, a);
  for (int64_t first = 0; first < frame->count && status == DEM_OK && !frame->writer.answer; first += DEMI_FRAME_ROWS)
    status = write_block(frame, a, first, demi_frame_rows(frame, first));
  return status;
}

static dem_status write_vtp(demi_frame *frame, const demi_io_fields *asked) {
  dem_status status = DEM_OK;
  layout l;
  lay_out(&l, frame->system, asked);
  write_description(frame, &l);
  for (int i = 0; i < l.count && status == DEM_OK; i++) status = write_array(frame, &l.arrays[i]);
  demi_vtk_close(&frame->writer);
  return status;
}

dem_status demi_io_check_fields(const dem_system *system, const demi_io_fields *asked) {
  demi_field room;
  for (int32_t k = 0; k < asked->count; k++) {
    const demi_field *f = demi_field_find(system, asked->field[k], &room);
    if (!f)
      return demi_refuse(demi_system_message_of(system), demi_system_context(system), DEM_NOT_FOUND,
                         "write vtp: field %d of the list, %d, is unknown", k, asked->field[k]);
    if (f->needs_ledger && !demi_system_keeps_heat(system))
      return demi_refuse(demi_system_message_of(system), demi_system_context(system), DEM_INCOMPLETE,
                         "write vtp: %s needs a system created with ledger %d", f->symbol, f->needs_ledger);
  }
  return DEM_OK;
}

int demi_io_needs_forces(const dem_system *system, const demi_io_fields *asked) {
  demi_field room;
  for (int32_t k = 0; k < asked->count; k++) {
    const demi_field *f = demi_field_find(system, asked->field[k], &room);
    if (f && (f->whole || f->whole_integer)) return 1;
  }
  return 0;
}

dem_status demi_io_write_vtp_fields(const dem_system *system, const demi_io_fields *asked, const dem_sink *sink) {
  demi_frame frame;
  dem_status status = demi_frame_open(&frame, system, sink);
  if (status == DEM_OK) status = write_vtp(&frame, asked);
  return demi_frame_close(&frame, status);
}

dem_status demi_io_write_vtp(const dem_system *system, const dem_sink *sink) {
  static const demi_io_fields none = {0, NULL};
  return demi_io_write_vtp_fields(system, &none, sink);
}

static void write_pvd(demi_writer *w, int64_t count, const double *times, const char *const *files) {
  demi_write_text(w, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n");
  for (int64_t i = 0; i < count; i++) {
    demi_write_text(w, "    <DataSet timestep=\"");
    demi_write_real(w, times[i]);
    demi_write_text(w, "\" file=\"");
    demi_vtk_escaped(w, files[i]);
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
