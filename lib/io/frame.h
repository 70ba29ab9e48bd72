/* A system on its way out: its particles in listing order, block by block, and the writer they go through. Blocks keep the
 * extra memory at 8 bytes a particle. */
#ifndef DEMI_FRAME_H
#define DEMI_FRAME_H

#include <dem/io.h>

#include "writer.h"

enum { DEMI_FRAME_ROWS = 512, DEMI_FRAME_REALS = 16, DEMI_FRAME_INTEGERS = 4 };

typedef struct demi_frame {
  const dem_system *system;
  dem_context *context;
  int64_t count; /* particles */
  dem_id *ids;
  char *buffer;
  double *reals;     /* DEMI_FRAME_ROWS x DEMI_FRAME_REALS */
  int32_t *integers; /* DEMI_FRAME_ROWS x DEMI_FRAME_INTEGERS */
  double low[3];     /* box */
  double high[3];
  double tilt[3]; /* xy, xz, yz; 0 where an axis is open */
  int32_t tilted; /* 1: one of them is not 0 */
  int32_t periodic[3];
  demi_writer writer;
} demi_frame;

/* One field of a block: where its values go in a row of `reals` or `integers`. */
typedef struct demi_frame_field {
  int32_t field; /* DEM_POSITION, ... */
  int32_t column;
} demi_frame_field;

/* Text of refusals is on the system. Close in any case. */
dem_status demi_frame_open(demi_frame *frame, const dem_system *system, const dem_sink *sink);
/* Sends what is left and frees; returns `status` when it is a failure, else its own. */
dem_status demi_frame_close(demi_frame *frame, dem_status status);

/* Gives axes without a box one around the particles, and makes the box of open axes hold all centres. */
dem_status demi_frame_enclose(demi_frame *frame);

/* Rows in the block that starts at `first`. */
int64_t demi_frame_rows(const demi_frame *frame, int64_t first);
/* Fetches fields of a block: one row of `reals` (or `integers`) per particle. */
dem_status demi_frame_reals(demi_frame *frame, int64_t first, const demi_frame_field *fields, int count);
dem_status demi_frame_integers(demi_frame *frame, int64_t first, const demi_frame_field *fields, int count);

/* Writes one block, of `rows` particles. */
typedef dem_status (*demi_frame_block_fn)(demi_frame *frame, int64_t first, int64_t rows);
/* Calls it for every block until one fails or the sink does. */
dem_status demi_frame_each(demi_frame *frame, demi_frame_block_fn block);

#endif
