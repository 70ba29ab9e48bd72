/* Buffered output into a byte sink. The first failure stays; what is written after it is dropped. */
#ifndef DEMI_WRITER_H
#define DEMI_WRITER_H

#include <dem/io.h>

#include "number.h"

typedef struct demi_writer {
  dem_sink sink;
  demi_numbers numbers;
  char *buffer; /* the caller's */
  size_t size;  /* of the buffer, at least DEMI_NUMBER_SIZE */
  size_t used;
  int32_t answer; /* what the sink returned; not 0 = it failed */
} demi_writer;

/* DEM_NO_MEMORY as demi_numbers_open. */
dem_status demi_writer_open(demi_writer *writer, const dem_sink *sink, char *buffer, size_t size);
/* Hands the rest to the sink. DEM_IO_ERROR when the sink failed now or before. */
dem_status demi_writer_close(demi_writer *writer);

void demi_write_bytes(demi_writer *writer, const void *bytes, size_t size);
void demi_write_text(demi_writer *writer, const char *text);
void demi_write_real(demi_writer *writer, double value);
void demi_write_integer(demi_writer *writer, int64_t value);
/* Each value after a blank. */
void demi_write_reals(demi_writer *writer, const double *values, int count);
void demi_write_integers(demi_writer *writer, const int32_t *values, int count);

#endif
