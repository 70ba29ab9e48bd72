/* Input and output on checked arguments: what lib/api calls. Meanings as in dem/io.h. */
#ifndef DEMI_IO_H
#define DEMI_IO_H

#include <dem/io.h>

#include "data.h"
#include "file.h"

/* `path` is named in messages and may be NULL. */
dem_status demi_io_read_data(dem_context *context, const dem_source *source, const char *path, dem_data **data);

dem_status demi_io_write_data(const dem_system *system, const dem_sink *sink);
dem_status demi_io_write_dump(const dem_system *system, const dem_sink *sink);
dem_status demi_io_write_vtp(const dem_system *system, const dem_sink *sink);
/* Fields of the particles that the host asks for beside those that a VTK file has anyway. */
typedef struct demi_io_fields {
  int32_t count;
  const int32_t *field;
} demi_io_fields;

/* Refuses fields that cannot be written. */
dem_status demi_io_check_fields(const dem_system *system, const demi_io_fields *fields);
/* 1: one of them is computed from the contact forces, which must be known then. */
int demi_io_needs_forces(const dem_system *system, const demi_io_fields *fields);
dem_status demi_io_write_vtp_fields(const dem_system *system, const demi_io_fields *fields, const dem_sink *sink);
dem_status demi_io_write_walls_vtp(const dem_system *system, const dem_sink *sink);
dem_status demi_io_write_box_vtp(const dem_system *system, const dem_sink *sink);
dem_status demi_io_write_contacts_vtp(const dem_system *system, const dem_sink *sink);
dem_status demi_io_write_pvd(const dem_sink *sink, int64_t count, const double *times, const char *const *files);
dem_status demi_io_write_energy_heading(const dem_sink *sink);
dem_status demi_io_write_energy_row(dem_system *system, const dem_sink *sink);

/* The same with files. */
typedef dem_status (*demi_io_write_fn)(const dem_system *system, const dem_sink *sink);

dem_status demi_io_read_data_path(dem_context *context, const char *path, dem_data **data);
/* `mode` is DEMI_FILE_REPLACE or DEMI_FILE_APPEND. */
dem_status demi_io_write_path(const dem_system *system, const char *path, int mode, demi_io_write_fn write);
dem_status demi_io_write_vtp_fields_path(const dem_system *system, const demi_io_fields *fields, const char *path);
dem_status demi_io_write_pvd_path(const char *path, int64_t count, const double *times, const char *const *files);

#endif
