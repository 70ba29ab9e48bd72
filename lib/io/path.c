/* Readers and writers on files. The file knows best why it failed: its reason replaces the message of reader or writer. */
#include "context.h"
#include "io.h"
#include "name.h"
#include "system.h"

/* The name with a control character cannot be printed, so its place is. */
#define CONTROL "path has the control character %d at byte %lld, which names of files may not have"

dem_status demi_io_read_data_path(dem_context *context, const char *path, dem_data **data) {
  char reason[DEMI_FILE_REASON];
  demi_file file;
  const int64_t control = demi_name_control(path);
  if (control >= 0)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "cannot read: " CONTROL, path[control], (long long)control);
  dem_status status = demi_file_open(&file, path, DEMI_FILE_READ);
  if (status == DEM_OK) {
    const dem_source source = demi_file_source(&file);
    status = demi_io_read_data(context, &source, path, data);
    demi_file_close(&file, 0);
  }
  if (status != DEM_IO_ERROR) return status;
  return demi_refuse_context(context, DEM_IO_ERROR, "cannot read '%.300s': %s", path, demi_file_reason(&file, reason));
}

/* What to write: with `fields`, particles as VTK with these; otherwise by the function. */
typedef struct content {
  demi_io_write_fn write;
  const demi_io_fields *fields;
} content;

static dem_status write_path(const dem_system *system, const char *path, int mode, const content *c) {
  char reason[DEMI_FILE_REASON];
  demi_file file;
  const int64_t control = demi_name_control(path);
  if (control >= 0)
    return demi_refuse(demi_system_message_of(system), demi_system_context(system), DEM_BAD_ARGUMENT, "cannot write: " CONTROL,
                       path[control], (long long)control);
  dem_status status = demi_file_open(&file, path, mode);
  if (status == DEM_OK) {
    const dem_sink sink = demi_file_sink(&file);
    status = c->fields ? demi_io_write_vtp_fields(system, c->fields, &sink) : c->write(system, &sink);
    if (demi_file_close(&file, status == DEM_OK) && status == DEM_OK) status = DEM_IO_ERROR;
  }
  if (status != DEM_IO_ERROR) return status;
  return demi_refuse(demi_system_message_of(system), demi_system_context(system), DEM_IO_ERROR, "cannot write '%.300s': %s",
                     path, demi_file_reason(&file, reason));
}

dem_status demi_io_write_path(const dem_system *system, const char *path, int mode, demi_io_write_fn write) {
  return write_path(system, path, mode, &(content){write, NULL});
}

dem_status demi_io_write_vtp_fields_path(const dem_system *system, const demi_io_fields *fields, const char *path) {
  return write_path(system, path, DEMI_FILE_REPLACE, &(content){NULL, fields});
}

dem_status demi_io_write_pvd_path(const char *path, int64_t count, const double *times, const char *const *files) {
  demi_file file;
  if (demi_name_control(path) >= 0) return DEM_BAD_ARGUMENT;
  if (demi_file_open(&file, path, DEMI_FILE_REPLACE)) return DEM_IO_ERROR;
  const dem_sink sink = demi_file_sink(&file);
  const dem_status status = demi_io_write_pvd(&sink, count, times, files);
  const dem_status closed = demi_file_close(&file, status == DEM_OK);
  return status ? status : closed;
}
