/* VTK XML PolyData with appended raw arrays: an XML description whose offsets count from the byte after '_', then for each
 * array its size in bytes as UInt64 and its bytes as they are in memory. All sizes are known up front. */
#include "vtk_xml.h"

#include <string.h>

static const char *type_name(int32_t kind) {
  switch (kind) {
    case DEMI_VTK_REAL: return "Float64";
    case DEMI_VTK_INTEGER: return "Int32";
    case DEMI_VTK_ID: return "UInt64";
    default: return "Int64";
  }
}

int64_t demi_vtk_bytes(int32_t kind, int32_t components, int64_t count) {
  return count * components * (kind == DEMI_VTK_INTEGER ? 4 : 8);
}

static const char *byte_order(void) {
  const uint16_t probe = 1;
  unsigned char first;
  memcpy(&first, &probe, 1);
  return first ? "LittleEndian" : "BigEndian";
}

void demi_vtk_escaped(demi_writer *w, const char *text) {
  for (; *text; text++) switch (*text) {
      case '&': demi_write_text(w, "&amp;"); break;
      case '<': demi_write_text(w, "&lt;"); break;
      case '>': demi_write_text(w, "&gt;"); break;
      case '"': demi_write_text(w, "&quot;"); break;
      default: demi_write_bytes(w, text, 1);
    }
}

static void write_attribute(demi_writer *w, const char *name, int64_t value) {
  demi_write_text(w, " ");
  demi_write_text(w, name);
  demi_write_text(w, "=\"");
  demi_write_integer(w, value);
  demi_write_text(w, "\"");
}

void demi_vtk_open(demi_writer *w, double time, const demi_vtk_counts *counts) {
  demi_write_text(w, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"");
  demi_write_text(w, byte_order());
  demi_write_text(w,
                  "\" header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n"
                  "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
  demi_write_real(w, time);
  demi_write_text(w, "</DataArray>\n    </FieldData>\n    <Piece");
  write_attribute(w, "NumberOfPoints", counts->points);
  write_attribute(w, "NumberOfVerts", counts->verts);
  write_attribute(w, "NumberOfLines", counts->lines);
  demi_write_text(w, " NumberOfStrips=\"0\"");
  write_attribute(w, "NumberOfPolys", counts->polys);
  demi_write_text(w, ">\n");
}

void demi_vtk_describe(demi_writer *w, const demi_vtk_array *a, int64_t *offset) {
  demi_write_text(w, "        <DataArray type=\"");
  demi_write_text(w, type_name(a->kind));
  demi_write_text(w, "\" Name=\"");
  demi_vtk_escaped(w, a->name);
  demi_write_text(w, "\"");
  write_attribute(w, "NumberOfComponents", a->components);
  demi_write_text(w, " format=\"appended\"");
  write_attribute(w, "offset", *offset);
  demi_write_text(w, "/>\n");
  *offset += (int64_t)sizeof(uint64_t) + demi_vtk_bytes(a->kind, a->components, a->count);
}

void demi_vtk_begin_arrays(demi_writer *w) {
  demi_write_text(w, "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
}

void demi_vtk_close(demi_writer *w) { demi_write_text(w, "\n  </AppendedData>\n</VTKFile>\n"); }
