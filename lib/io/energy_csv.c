/* The energy books as comma-separated values: one list names the columns and picks the accounts. */
#include "io.h"
#include "system.h"
#include "writer.h"

enum { BUFFER_SIZE = 2048 };

/* X(column, account). */
#define ACCOUNTS(X)                                           \
  X("kinetic_linear", kinetic_linear)                         \
  X("kinetic_angular", kinetic_angular)                       \
  X("kinetic_walls", kinetic_walls)                           \
  X("gravity", gravity)                                       \
  X("elastic_normal_particle", elastic_normal[0])             \
  X("elastic_normal_wall", elastic_normal[1])                 \
  X("elastic_tangential_particle", elastic_tangential[0])     \
  X("elastic_tangential_wall", elastic_tangential[1])         \
  X("elastic_rolling_particle", elastic_rolling[0])           \
  X("elastic_rolling_wall", elastic_rolling[1])               \
  X("elastic_twisting_particle", elastic_twisting[0])         \
  X("elastic_twisting_wall", elastic_twisting[1])             \
  X("elastic_bond", elastic_bond)                             \
  X("damping_normal_particle", damping_normal[0])             \
  X("damping_normal_wall", damping_normal[1])                 \
  X("damping_tangential_particle", damping_tangential[0])     \
  X("damping_tangential_wall", damping_tangential[1])         \
  X("damping_bond", damping_bond)                             \
  X("sliding_particle", sliding[0])                           \
  X("sliding_wall", sliding[1])                               \
  X("rolling_particle", rolling[0])                           \
  X("rolling_wall", rolling[1])                               \
  X("twisting_particle", twisting[0])                         \
  X("twisting_wall", twisting[1])                             \
  X("lubrication_particle", lubrication[0])                   \
  X("lubrication_wall", lubrication[1])                       \
  X("breakage", breakage)                                     \
  X("hysteresis_particle", hysteresis[0])                     \
  X("hysteresis_wall", hysteresis[1])                         \
  X("drag", drag)                                             \
  X("host", host)                                             \
  X("walls", walls)                                           \
  X("potential_normal_particle", potential_normal[0])         \
  X("potential_normal_wall", potential_normal[1])             \
  X("potential_tangential_particle", potential_tangential[0]) \
  X("potential_tangential_wall", potential_tangential[1])     \
  X("potential_rolling_particle", potential_rolling[0])       \
  X("potential_rolling_wall", potential_rolling[1])           \
  X("potential_twisting_particle", potential_twisting[0])     \
  X("potential_twisting_wall", potential_twisting[1])         \
  X("potential_bond", potential_bond)                         \
  X("potential_host_particle", potential_host[0])             \
  X("potential_host_wall", potential_host[1])                 \
  X("numerical_particle", numerical[0])                       \
  X("numerical_wall", numerical[1])                           \
  X("torque_elastic_particle", torque_elastic[0])             \
  X("torque_elastic_wall", torque_elastic[1])                 \
  X("torque_damping_particle", torque_damping[0])             \
  X("torque_damping_wall", torque_damping[1])                 \
  X("torque_drag", torque_drag)                               \
  X("torque_host", torque_host)                               \
  X("residual", residual)                                     \
  X("largest", largest)                                       \
  X("residual_relative", residual_relative)

dem_status demi_io_write_energy_heading(const dem_sink *sink) {
  char buffer[BUFFER_SIZE];
  demi_writer writer;
  const dem_status status = demi_writer_open(&writer, sink, buffer, sizeof buffer);
  if (status) return status;
  demi_write_text(&writer, "time,steps");
#define COLUMN(column, account) "," column
  demi_write_text(&writer, ACCOUNTS(COLUMN) "\n");
#undef COLUMN
  return demi_writer_close(&writer);
}

static void write_account(demi_writer *writer, double value) {
  demi_write_text(writer, ",");
  demi_write_real(writer, value);
}

static void write_row(demi_writer *writer, const dem_system *system, const dem_energy *energy) {
  demi_write_real(writer, demi_system_time(system));
  demi_write_text(writer, ",");
  demi_write_integer(writer, demi_system_steps(system));
#define WRITE(column, account) write_account(writer, energy->account);
  ACCOUNTS(WRITE)
#undef WRITE
  demi_write_text(writer, "\n");
}

#define refuse(system, status, ...) \
  demi_refuse(demi_system_message_of(system), demi_system_context(system), (status), __VA_ARGS__)

dem_status demi_io_write_energy_row(dem_system *system, const dem_sink *sink) {
  char buffer[BUFFER_SIZE];
  demi_writer writer;
  dem_energy energy = {.struct_size = sizeof energy};
  const dem_status status = demi_system_energy(system, &energy);
  if (status) return status;
  if (demi_writer_open(&writer, sink, buffer, sizeof buffer))
    return refuse(system, DEM_NO_MEMORY, "no memory to write numbers");
  write_row(&writer, system, &energy);
  if (demi_writer_close(&writer) == DEM_OK) return DEM_OK;
  return refuse(system, DEM_IO_ERROR, "the sink refused the bytes (it returned %d)", (int)writer.answer);
}
