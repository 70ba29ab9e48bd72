/* What every VTK XML PolyData file has: the frame, and arrays that are described first and appended raw. */
#ifndef DEMI_VTK_XML_H
#define DEMI_VTK_XML_H

#include "writer.h"

enum { DEMI_VTK_REAL, DEMI_VTK_INTEGER, DEMI_VTK_ID, DEMI_VTK_INDEX };

typedef struct demi_vtk_array {
  const char *name;
  int32_t kind; /* DEMI_VTK_..., Float64, Int32, UInt64, Int64 */
  int32_t components;
  int64_t count;    /* tuples */
  const void *data; /* packed; not looked at when described */
} demi_vtk_array;

typedef struct demi_vtk_counts {
  int64_t points, verts, lines, polys;
} demi_vtk_counts;

/* Text as the value of an attribute. */
void demi_vtk_escaped(demi_writer *writer, const char *text);
/* Up to and with the opening tag of the piece. */
void demi_vtk_open(demi_writer *writer, double time, const demi_vtk_counts *counts);
int64_t demi_vtk_bytes(int32_t kind, int32_t components, int64_t count);
/* One DataArray; `offset` moves on by its size. */
void demi_vtk_describe(demi_writer *writer, const demi_vtk_array *array, int64_t *offset);
/* From the end of the piece to where the first array begins; after the last array. */
void demi_vtk_begin_arrays(demi_writer *writer);
void demi_vtk_close(demi_writer *writer);

#endif
