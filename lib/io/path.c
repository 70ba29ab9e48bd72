/* Readers and writers on files. The file knows best why it failed: its reason replaces the message of reader or writer. */
#include "context.h"
#include "io.h"
#include "system.h"

dem_status demi_io_read_data_path(dem_context *context, const char *path, dem_data **data) {
  char reason[DEMI_FILE_REASON];
  demi_file file;
  dem_status status = demi_file_open(&file, path, DEMI_FILE_READ);
  if (status == DEM_OK) {
    const dem_source source = demi_file_source(&file);
    status = demi_io_read_data(context, &source, path, data);
    demi_file_close(&file);
  }
  if (status != DEM_IO_ERROR) return status;
  return demi_refuse_context(context, DEM_IO_ERROR, "cannot read '%.300s': %s", path, demi_file_reason(&file, reason));
}

dem_status demi_io_write_path(const dem_system *system, const char *path, int mode, demi_io_write_fn write) {
  char reason[DEMI_FILE_REASON];
  demi_file file;
  dem_status status = demi_file_open(&file, path, mode);
  if (status == DEM_OK) {
    const dem_sink sink = demi_file_sink(&file);
    status = write(system, &sink);
    if (demi_file_close(&file) && status == DEM_OK) status = DEM_IO_ERROR;
  }
  if (status != DEM_IO_ERROR) return status;
  return demi_refuse(demi_system_message_of(system), demi_system_context(system), DEM_IO_ERROR, "cannot write '%.300s': %s",
                     path, demi_file_reason(&file, reason));
}

dem_status demi_io_write_pvd_path(const char *path, int64_t count, const double *times, const char *const *files) {
  demi_file file;
  if (demi_file_open(&file, path, DEMI_FILE_REPLACE)) return DEM_IO_ERROR;
  const dem_sink sink = demi_file_sink(&file);
  const dem_status status = demi_io_write_pvd(&sink, count, times, files);
  const dem_status closed = demi_file_close(&file);
  return status ? status : closed;
}
