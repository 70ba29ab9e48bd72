#include "frame.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "system.h"

enum { BUFFER_SIZE = 65536 };

#define REALS_SIZE (sizeof(double) * DEMI_FRAME_ROWS * DEMI_FRAME_REALS)
#define INTEGERS_SIZE (sizeof(int32_t) * DEMI_FRAME_ROWS * DEMI_FRAME_INTEGERS)

#define refuse(frame, status, ...) demi_refuse(demi_system_message_of((frame)->system), (frame)->context, (status), __VA_ARGS__)

static int allocate(demi_frame *frame) {
  const int64_t slots = frame->count > 0 ? frame->count : 1;
  frame->ids = demi_allocate(frame->context, (size_t)slots * sizeof *frame->ids);
  frame->buffer = demi_allocate(frame->context, BUFFER_SIZE);
  frame->reals = demi_allocate(frame->context, REALS_SIZE);
  frame->integers = demi_allocate(frame->context, INTEGERS_SIZE);
  return frame->ids && frame->buffer && frame->reals && frame->integers;
}

static void release(demi_frame *frame) {
  const int64_t slots = frame->count > 0 ? frame->count : 1;
  demi_free(frame->context, frame->ids, (size_t)slots * sizeof *frame->ids);
  demi_free(frame->context, frame->buffer, BUFFER_SIZE);
  demi_free(frame->context, frame->reals, REALS_SIZE);
  demi_free(frame->context, frame->integers, INTEGERS_SIZE);
}

dem_status demi_frame_open(demi_frame *frame, const dem_system *system, const dem_sink *sink) {
  memset(frame, 0, sizeof *frame);
  frame->system = system;
  frame->context = demi_system_context(system);
  frame->count = demi_system_particle_count(system);
  demi_system_box(system, frame->low, frame->high, frame->tilt, frame->periodic);
  frame->tilted = frame->tilt[0] != 0 || frame->tilt[1] != 0 || frame->tilt[2] != 0;
  if (!allocate(frame) || demi_writer_open(&frame->writer, sink, frame->buffer, BUFFER_SIZE))
    return refuse(frame, DEM_NO_MEMORY, "no memory to write %lld particles", (long long)frame->count);
  return frame->count > 0 ? demi_system_ids(system, frame->count, frame->ids) : DEM_OK;
}

/* After a failure nothing more goes to the sink: what was written is not wanted. */
dem_status demi_frame_close(demi_frame *frame, dem_status status) {
  if (status) frame->writer.used = 0;
  const dem_status written = demi_writer_close(&frame->writer);
  release(frame);
  if (status || !written) return status;
  return refuse(frame, DEM_IO_ERROR, "the sink refused the bytes (it returned %d)", (int)frame->writer.answer);
}

int64_t demi_frame_rows(const demi_frame *frame, int64_t first) {
  const int64_t left = frame->count - first;
  return left < DEMI_FRAME_ROWS ? left : DEMI_FRAME_ROWS;
}

dem_status demi_frame_reals(demi_frame *frame, int64_t first, const demi_frame_field *fields, int count) {
  dem_status status = DEM_OK;
  for (int i = 0; i < count && status == DEM_OK; i++)
    status = demi_system_get_field(frame->system, fields[i].field, demi_frame_rows(frame, first), frame->ids + first,
                                   frame->reals + fields[i].column, DEMI_FRAME_REALS);
  return status;
}

dem_status demi_frame_integers(demi_frame *frame, int64_t first, const demi_frame_field *fields, int count) {
  dem_status status = DEM_OK;
  for (int i = 0; i < count && status == DEM_OK; i++)
    status = demi_system_get_field_int(frame->system, fields[i].field, demi_frame_rows(frame, first), frame->ids + first,
                                       frame->integers + fields[i].column, DEMI_FRAME_INTEGERS);
  return status;
}

dem_status demi_frame_each(demi_frame *frame, demi_frame_block_fn block) {
  dem_status status = DEM_OK;
  for (int64_t first = 0; first < frame->count && status == DEM_OK && !frame->writer.answer; first += DEMI_FRAME_ROWS)
    status = block(frame, first, demi_frame_rows(frame, first));
  return status;
}

static void stretch(demi_frame *frame, int axis, double low, double high) {
  if (frame->periodic[axis]) return;
  if (low < frame->low[axis]) frame->low[axis] = low;
  if (high > frame->high[axis]) frame->high[axis] = high;
}

static dem_status enclose_block(demi_frame *frame, int64_t first, int64_t rows) {
  static const demi_frame_field position = {DEM_POSITION, 0};
  const dem_status status = demi_frame_reals(frame, first, &position, 1);
  for (int64_t i = 0; i < rows && status == DEM_OK; i++)
    for (int axis = 0; axis < 3; axis++) {
      const double x = frame->reals[i * DEMI_FRAME_REALS + axis];
      stretch(frame, axis, x, x);
    }
  return status;
}

/* A box without extent, as from one particle or none, is of no use to a reader. */
static void widen(double *low, double *high) {
  if (*high > *low) return;
  const double middle = *high == *low ? *low : 0;
  const double half = middle > 1 ? middle / 2 : middle < -1 ? -middle / 2 : 0.5;
  *low = middle - half;
  *high = middle + half;
}

dem_status demi_frame_enclose(demi_frame *frame) {
  for (int axis = 0; axis < 3; axis++)
    if (!frame->periodic[axis] && !(frame->high[axis] > frame->low[axis])) {
      frame->low[axis] = HUGE_VAL;
      frame->high[axis] = -HUGE_VAL;
    }
  const dem_status status = demi_frame_each(frame, enclose_block);
  for (int axis = 0; axis < 3; axis++) widen(&frame->low[axis], &frame->high[axis]);
  return status;
}
