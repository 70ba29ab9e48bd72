#include "writer.h"

#include <string.h>

dem_status demi_writer_open(demi_writer *writer, const dem_sink *sink, char *buffer, size_t size) {
  memset(writer, 0, sizeof *writer);
  writer->sink = *sink;
  writer->buffer = buffer;
  writer->size = size;
  return demi_numbers_open(&writer->numbers);
}

static void send(demi_writer *writer, const void *bytes, size_t size) {
  if (size > 0 && writer->answer == 0) writer->answer = writer->sink.write(writer->sink.user, bytes, (int64_t)size);
}

static void flush(demi_writer *writer) {
  send(writer, writer->buffer, writer->used);
  writer->used = 0;
}

dem_status demi_writer_close(demi_writer *writer) {
  flush(writer);
  demi_numbers_close(&writer->numbers);
  return writer->answer ? DEM_IO_ERROR : DEM_OK;
}

void demi_write_bytes(demi_writer *writer, const void *bytes, size_t size) {
  if (size > writer->size - writer->used) flush(writer);
  if (size > writer->size) {
    send(writer, bytes, size);
    return;
  }
  memcpy(writer->buffer + writer->used, bytes, size);
  writer->used += size;
}

void demi_write_text(demi_writer *writer, const char *text) { demi_write_bytes(writer, text, strlen(text)); }

void demi_write_real(demi_writer *writer, double value) {
  char text[DEMI_NUMBER_SIZE];
  demi_write_bytes(writer, text, demi_number_format(&writer->numbers, value, text));
}

void demi_write_integer(demi_writer *writer, int64_t value) {
  char text[DEMI_NUMBER_SIZE];
  demi_write_bytes(writer, text, demi_integer_format(value, text));
}

void demi_write_reals(demi_writer *writer, const double *values, int count) {
  for (int i = 0; i < count; i++) {
    demi_write_text(writer, " ");
    demi_write_real(writer, values[i]);
  }
}

void demi_write_integers(demi_writer *writer, const int32_t *values, int count) {
  for (int i = 0; i < count; i++) {
    demi_write_text(writer, " ");
    demi_write_integer(writer, values[i]);
  }
}
