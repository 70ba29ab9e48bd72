/* Contents of a data file: one column per field, grown as rows arrive, so that a header that promises more rows than the file
 * has costs nothing. */
#ifndef DEMI_DATA_H
#define DEMI_DATA_H

#include <dem/io.h>

/* Columns; row sizes are in data.c. */
enum {
  DEMI_DATA_POSITION, /* 3 doubles */
  DEMI_DATA_VELOCITY, /* 3 doubles */
  DEMI_DATA_SPIN,     /* 3 doubles */
  DEMI_DATA_RADIUS,   /* double */
  DEMI_DATA_DENSITY,  /* double */
  DEMI_DATA_MATERIAL, /* int32_t */
  DEMI_DATA_IMAGE,    /* 3 int32_t: box lengths that were taken off the position */
  DEMI_DATA_TAG,      /* int64_t */
  DEMI_DATA_COLUMNS
};

typedef struct demi_column {
  void *rows;
  size_t bytes;
} demi_column;

struct dem_data {
  dem_context *context;
  int64_t count;    /* rows */
  int64_t capacity; /* rows that fit into every column */
  int32_t types;
  int32_t velocities; /* 1 when the file had any */
  double low[3];
  double high[3];
  double tilt[3]; /* xy, xz, yz */
  demi_column columns[DEMI_DATA_COLUMNS];
};

/* Empty, counted as an object of the context; NULL when memory is short. */
dem_data *demi_data_create(dem_context *context);
void demi_data_destroy(dem_data *data);

/* Makes room for one more row, at most `limit` in all, and counts it; new rows are zero. */
dem_status demi_data_grow(dem_data *data, int64_t limit);
/* Gives room that is not used back, as far as the allocator can. Leaves no column without memory. */
dem_status demi_data_trim(dem_data *data);

static inline double *demi_data_reals(const dem_data *data, int column) { return data->columns[column].rows; }
static inline int32_t *demi_data_integers(const dem_data *data, int column) { return data->columns[column].rows; }
static inline int64_t *demi_data_tags(const dem_data *data) { return data->columns[DEMI_DATA_TAG].rows; }

#endif
