/* The energy books as comma-separated values. The columns are the members of dem_energy, in the order of accounts.h. */
#include "accounts.h"
#include "io.h"
#include "system.h"
#include "writer.h"

enum { BUFFER_SIZE = 2048 };

/* The list's members in the order of columns. COLUMN(name, account) is what each becomes; of [2] there are two. */
#define SCALAR(member) COLUMN(#member, member)
#define SIDES(member) COLUMN(#member "_particle", member[0]) COLUMN(#member "_wall", member[1])
#define SHARED(member, ...) SIDES(member)
#define OWN(member, ...) SCALAR(member)
#define STATE_1(member) SCALAR(member)
#define STATE_2(member) SIDES(member)
#define STATE(member, sides) STATE_##sides(member)

dem_status demi_io_write_energy_heading(const dem_sink *sink) {
  char buffer[BUFFER_SIZE];
  demi_writer writer;
  const dem_status status = demi_writer_open(&writer, sink, buffer, sizeof buffer);
  if (status) return status;
  demi_write_text(&writer, "time,steps");
#define COLUMN(column, account) "," column
  demi_write_text(&writer, DEMI_ACCOUNTS(SHARED, OWN, STATE) "\n");
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
#define COLUMN(column, account) write_account(writer, energy->account);
  DEMI_ACCOUNTS(SHARED, OWN, STATE)
#undef COLUMN
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
