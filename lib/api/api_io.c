/* Exported functions of dem/io.h: arguments are checked here, the work is in lib/io. */
#include <dem/io.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "context.h"
#include "intake.h"
#include "io.h"
#include "name.h"
#include "system.h"

#define refuse_system(system, status, ...) \
  demi_refuse(demi_system_message_of(system), demi_system_context(system), (status), __VA_ARGS__)

#define SINK_V1 DEMI_SIZE_TO(dem_sink, write)
#define SOURCE_V1 DEMI_SIZE_TO(dem_source, read)

dem_status dem_sink_init(dem_sink *sink, uint32_t struct_size) {
  dem_sink none;
  memset(&none, 0, sizeof none);
  return sink ? demi_init(sink, struct_size, &none, sizeof none, SINK_V1) : DEM_BAD_ARGUMENT;
}

dem_status dem_source_init(dem_source *source, uint32_t struct_size) {
  dem_source none;
  memset(&none, 0, sizeof none);
  return source ? demi_init(source, struct_size, &none, sizeof none, SOURCE_V1) : DEM_BAD_ARGUMENT;
}

/* Checks a sink of the host and copies it into `ours`; returns DEM_OK or the refusal. */
static dem_status take_sink(const dem_sink *sink, dem_sink *ours) {
  if (!sink) return DEM_BAD_ARGUMENT;
  const dem_status status = demi_intake(ours, sizeof *ours, sink, SINK_V1);
  if (status) return status;
  return ours->write && !ours->reserved_zero ? DEM_OK : DEM_BAD_ARGUMENT;
}

static dem_status take_source(const dem_source *source, dem_source *ours) {
  if (!source) return DEM_BAD_ARGUMENT;
  const dem_status status = demi_intake(ours, sizeof *ours, source, SOURCE_V1);
  if (status) return status;
  return ours->read && !ours->reserved_zero ? DEM_OK : DEM_BAD_ARGUMENT;
}

static const char *flaw(dem_status status, const void *argument) {
  if (!argument) return "is NULL";
  if (status == DEM_BAD_STRUCT) return "has an unusable struct_size";
  if (status == DEM_UNSUPPORTED) return "has bytes beyond the members that this version knows, and they are not 0";
  return "has no function, or reserved_zero is not 0";
}

/* ---- reading ---- */

static dem_status check_read(dem_context *context, const char *function, const void *argument, const char *name,
                             dem_data **data) {
  if (data) *data = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!argument) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "%s: %s is NULL", function, name);
  if (!data) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "%s: data is NULL", function);
  return DEM_OK;
}

dem_status dem_data_read(dem_context *context, const dem_source *source, dem_data **data) {
  dem_source ours;
  dem_status status = check_read(context, "dem_data_read", source, "source", data);
  if (status) return status;
  status = take_source(source, &ours);
  if (status) return demi_refuse_context(context, status, "dem_data_read: source %s", flaw(status, source));
  return demi_io_read_data(context, &ours, NULL, data);
}

dem_status dem_data_read_path(dem_context *context, const char *path, dem_data **data) {
  const dem_status status = check_read(context, "dem_data_read_path", path, "path", data);
  return status ? status : demi_io_read_data_path(context, path, data);
}

void dem_data_destroy(dem_data *data) { demi_data_destroy(data); }

static dem_status check_data(const dem_data *data, const char *function, const void *out) {
  if (!data) return DEM_BAD_ARGUMENT;
  if (!out) return demi_refuse_context(data->context, DEM_BAD_ARGUMENT, "%s: an output argument is NULL", function);
  return DEM_OK;
}

dem_status dem_data_box(const dem_data *data, double *low, double *high) {
  const dem_status status = check_data(data, "dem_data_box", low ? high : low);
  if (status || !low || !high) return status;
  memcpy(low, data->low, sizeof data->low);
  memcpy(high, data->high, sizeof data->high);
  return DEM_OK;
}

dem_status dem_data_tilt(const dem_data *data, double *tilt) {
  const dem_status status = check_data(data, "dem_data_tilt", tilt);
  if (status == DEM_OK) memcpy(tilt, data->tilt, sizeof data->tilt);
  return status;
}

dem_status dem_data_types(const dem_data *data, int32_t *types) {
  const dem_status status = check_data(data, "dem_data_types", types);
  if (status == DEM_OK) *types = data->types;
  return status;
}

dem_status dem_data_particles(const dem_data *data, dem_particles *particles) {
  dem_status status = check_data(data, "dem_data_particles", particles);
  if (status) return status;
  const dem_particles ours = {.struct_size = sizeof ours,
                              .count = data->count,
                              .position = demi_data_reals(data, DEMI_DATA_POSITION),
                              .velocity = demi_data_reals(data, DEMI_DATA_VELOCITY),
                              .spin = demi_data_reals(data, DEMI_DATA_SPIN),
                              .radius = demi_data_reals(data, DEMI_DATA_RADIUS),
                              .density = demi_data_reals(data, DEMI_DATA_DENSITY),
                              .material = demi_data_integers(data, DEMI_DATA_MATERIAL),
                              .image = demi_data_integers(data, DEMI_DATA_IMAGE)};
  status = demi_outgive(particles, &ours, sizeof ours, DEMI_SIZE_TO(dem_particles, image));
  if (status) return demi_refuse_context(data->context, status, "dem_data_particles: particles has an unusable struct_size");
  return DEM_OK;
}

dem_status dem_data_tags(const dem_data *data, const int64_t **tags) {
  const dem_status status = check_data(data, "dem_data_tags", tags);
  if (status == DEM_OK) *tags = demi_data_tags(data);
  return status;
}

/* ---- writing a system ---- */

static dem_status write_sink(const dem_system *system, const char *function, const dem_sink *sink, demi_io_write_fn write) {
  dem_sink ours;
  dem_status status = demi_api_check(system, function);
  if (status) return status;
  status = take_sink(sink, &ours);
  if (status) return refuse_system(system, status, "%s: sink %s", function, flaw(status, sink));
  return DEMI_INSIDE(write(system, &ours));
}

static dem_status write_path(const dem_system *system, const char *function, const char *path, int mode,
                             demi_io_write_fn write) {
  const dem_status status = demi_api_check(system, function);
  if (status) return status;
  if (!path) return refuse_system(system, DEM_BAD_ARGUMENT, "%s: path is NULL", function);
  return DEMI_INSIDE(demi_io_write_path(system, path, mode, write));
}

dem_status dem_system_write_data(const dem_system *system, const dem_sink *sink) {
  return write_sink(system, "dem_system_write_data", sink, demi_io_write_data);
}

dem_status dem_system_write_data_path(const dem_system *system, const char *path) {
  return write_path(system, "dem_system_write_data_path", path, DEMI_FILE_REPLACE, demi_io_write_data);
}

dem_status dem_system_write_dump(const dem_system *system, const dem_sink *sink) {
  return write_sink(system, "dem_system_write_dump", sink, demi_io_write_dump);
}

dem_status dem_system_write_dump_path(const dem_system *system, const char *path, int32_t append) {
  const dem_status status = demi_api_check(system, "dem_system_write_dump_path");
  if (status) return status;
  if (append != 0 && append != 1)
    return refuse_system(system, DEM_BAD_ARGUMENT, "dem_system_write_dump_path: append is %d, must be 0 or 1", (int)append);
  return write_path(system, "dem_system_write_dump_path", path, append ? DEMI_FILE_APPEND : DEMI_FILE_REPLACE,
                    demi_io_write_dump);
}

dem_status dem_system_write_vtp(const dem_system *system, const dem_sink *sink) {
  return write_sink(system, "dem_system_write_vtp", sink, demi_io_write_vtp);
}

dem_status dem_system_write_vtp_path(const dem_system *system, const char *path) {
  return write_path(system, "dem_system_write_vtp_path", path, DEMI_FILE_REPLACE, demi_io_write_vtp);
}

/* Checks the list of fields and evaluates the forces that they need. */
static dem_status take_fields(dem_system *system, const char *function, const demi_io_fields *fields) {
  if (fields->count < 0)
    return refuse_system(system, DEM_BAD_ARGUMENT, "%s: count is %d, must be >= 0", function, (int)fields->count);
  if (fields->count > 0 && !fields->field) return refuse_system(system, DEM_BAD_ARGUMENT, "%s: fields is NULL", function);
  const dem_status status = demi_io_check_fields(system, fields);
  if (status || !demi_io_needs_forces(system, fields)) return status;
  return DEMI_INSIDE(demi_system_find_forces(system));
}

dem_status dem_system_write_vtp_fields(dem_system *system, int32_t count, const int32_t *fields, const dem_sink *sink) {
  const demi_io_fields asked = {count, fields};
  dem_sink ours;
  DEMI_MAY_USE();
  dem_status status = take_sink(sink, &ours);
  if (status) return refuse_system(system, status, "dem_system_write_vtp_fields: sink %s", flaw(status, sink));
  status = take_fields(system, __func__, &asked);
  return status ? status : DEMI_INSIDE(demi_io_write_vtp_fields(system, &asked, &ours));
}

dem_status dem_system_write_vtp_fields_path(dem_system *system, int32_t count, const int32_t *fields, const char *path) {
  const demi_io_fields asked = {count, fields};
  DEMI_MAY_USE();
  DEMI_NEEDS(path);
  const dem_status status = take_fields(system, __func__, &asked);
  return status ? status : DEMI_INSIDE(demi_io_write_vtp_fields_path(system, &asked, path));
}

dem_status dem_system_write_walls_vtp(const dem_system *system, const dem_sink *sink) {
  return write_sink(system, "dem_system_write_walls_vtp", sink, demi_io_write_walls_vtp);
}

dem_status dem_system_write_walls_vtp_path(const dem_system *system, const char *path) {
  return write_path(system, "dem_system_write_walls_vtp_path", path, DEMI_FILE_REPLACE, demi_io_write_walls_vtp);
}

dem_status dem_system_write_box_vtp(const dem_system *system, const dem_sink *sink) {
  return write_sink(system, "dem_system_write_box_vtp", sink, demi_io_write_box_vtp);
}

dem_status dem_system_write_box_vtp_path(const dem_system *system, const char *path) {
  return write_path(system, "dem_system_write_box_vtp_path", path, DEMI_FILE_REPLACE, demi_io_write_box_vtp);
}

dem_status dem_system_write_contacts_vtp(const dem_system *system, const dem_sink *sink) {
  return write_sink(system, "dem_system_write_contacts_vtp", sink, demi_io_write_contacts_vtp);
}

dem_status dem_system_write_contacts_vtp_path(const dem_system *system, const char *path) {
  return write_path(system, "dem_system_write_contacts_vtp_path", path, DEMI_FILE_REPLACE, demi_io_write_contacts_vtp);
}

dem_status dem_energy_write_row(dem_system *system, const dem_sink *sink) {
  dem_sink ours;
  dem_status status = demi_api_use(system, "dem_energy_write_row");
  if (status) return status;
  status = take_sink(sink, &ours);
  if (status) return refuse_system(system, status, "dem_energy_write_row: sink %s", flaw(status, sink));
  return DEMI_INSIDE(demi_io_write_energy_row(system, &ours));
}

/* ---- writing without a system: no object to hold a text ---- */

static dem_status check_frames(int64_t count, const double *times, const char *const *files) {
  if (count < 0 || (count > 0 && (!times || !files))) return DEM_BAD_ARGUMENT;
  for (int64_t i = 0; i < count; i++)
    if (!isfinite(times[i]) || !files[i] || !demi_name_fits_xml(files[i])) return DEM_BAD_ARGUMENT;
  return DEM_OK;
}

dem_status dem_pvd_write(const dem_sink *sink, int64_t count, const double *times, const char *const *files) {
  dem_sink ours;
  dem_status status = take_sink(sink, &ours);
  if (status == DEM_OK) status = check_frames(count, times, files);
  return status ? status : demi_io_write_pvd(&ours, count, times, files);
}

dem_status dem_pvd_write_path(const char *path, int64_t count, const double *times, const char *const *files) {
  const dem_status status = path ? check_frames(count, times, files) : DEM_BAD_ARGUMENT;
  return status ? status : demi_io_write_pvd_path(path, count, times, files);
}

dem_status dem_energy_write_heading(const dem_sink *sink) {
  dem_sink ours;
  const dem_status status = take_sink(sink, &ours);
  return status ? status : demi_io_write_energy_heading(&ours);
}
