/* LAMMPS data files and text dumps. Atom ids are the rows in listing order, from 1; type t is material t - 1. */
#include <float.h>
#include <math.h>

#include "frame.h"
#include "io.h"
#include "system.h"

/* Columns of the block. */
enum { X = 0, DIAMETER = 3, DENSITY = 4, V = 3, W = 6, F = 9, RADIUS = 12 };

static const double *reals_of(const demi_frame *frame, int64_t row) { return frame->reals + row * DEMI_FRAME_REALS; }
static const int32_t *integers_of(const demi_frame *frame, int64_t row) { return frame->integers + row * DEMI_FRAME_INTEGERS; }

static void write_bounds(demi_frame *frame, const char *const names[3]) {
  demi_writer *w = &frame->writer;
  for (int axis = 0; axis < 3; axis++) {
    demi_write_real(w, frame->low[axis]);
    demi_write_reals(w, &frame->high[axis], 1);
    demi_write_text(w, names[axis]);
    demi_write_text(w, "\n");
  }
}

/* LAMMPS wants at least one type even when there is nothing. */
static void write_header(demi_frame *frame) {
  demi_writer *w = &frame->writer;
  const int32_t materials = demi_system_material_count(frame->system);
  const char *const names[3] = {" xlo xhi", " ylo yhi", " zlo zhi"};
  demi_write_text(w, "LAMMPS data file of libdem, timestep = ");
  demi_write_integer(w, demi_system_steps(frame->system));
  demi_write_text(w, ", time = ");
  demi_write_real(w, demi_system_time(frame->system));
  demi_write_text(w, "\n\n");
  demi_write_integer(w, frame->count);
  demi_write_text(w, " atoms\n");
  demi_write_integer(w, materials > 0 ? materials : 1);
  demi_write_text(w, " atom types\n\n");
  write_bounds(frame, names);
  if (!frame->tilted) return;
  demi_write_real(w, frame->tilt[0]);
  demi_write_reals(w, frame->tilt + 1, 2);
  demi_write_text(w, " xy xz yz\n");
}

/* Doubling is exact, so half the diameter is the radius again. */
static dem_status set_diameter(demi_frame *frame, int64_t rows) {
  for (int64_t i = 0; i < rows; i++) {
    double *diameter = frame->reals + i * DEMI_FRAME_REALS + DIAMETER;
    if (*diameter > DBL_MAX / 2)
      return demi_refuse(demi_system_message_of(frame->system), frame->context, DEM_UNSUPPORTED,
                         "a radius of %g has no finite diameter to write", *diameter);
    *diameter *= 2;
  }
  return DEM_OK;
}

static dem_status write_atoms(demi_frame *frame, int64_t first, int64_t rows) {
  static const demi_frame_field reals[] = {{DEM_POSITION, X}, {DEM_RADIUS, DIAMETER}, {DEM_DENSITY, DENSITY}};
  static const demi_frame_field integers[] = {{DEM_MATERIAL, 0}, {DEM_IMAGE, 1}};
  demi_writer *w = &frame->writer;
  dem_status status = demi_frame_reals(frame, first, reals, 3);
  if (status == DEM_OK) status = demi_frame_integers(frame, first, integers, 2);
  if (status == DEM_OK) status = set_diameter(frame, rows);
  for (int64_t i = 0; i < rows && status == DEM_OK; i++) {
    demi_write_integer(w, first + i + 1);
    demi_write_text(w, " ");
    demi_write_integer(w, (int64_t)integers_of(frame, i)[0] + 1);
    demi_write_reals(w, reals_of(frame, i) + DIAMETER, 2);
    demi_write_reals(w, reals_of(frame, i) + X, 3);
    demi_write_integers(w, integers_of(frame, i) + 1, 3);
    demi_write_text(w, "\n");
  }
  return status;
}

static dem_status write_velocities(demi_frame *frame, int64_t first, int64_t rows) {
  static const demi_frame_field reals[] = {{DEM_VELOCITY, V}, {DEM_SPIN, W}};
  const dem_status status = demi_frame_reals(frame, first, reals, 2);
  for (int64_t i = 0; i < rows && status == DEM_OK; i++) {
    demi_write_integer(&frame->writer, first + i + 1);
    demi_write_reals(&frame->writer, reals_of(frame, i) + V, 6);
    demi_write_text(&frame->writer, "\n");
  }
  return status;
}

static dem_status write_data(demi_frame *frame) {
  dem_status status = demi_frame_enclose(frame);
  if (status) return status;
  write_header(frame);
  demi_write_text(&frame->writer, "\nAtoms # sphere\n\n");
  status = demi_frame_each(frame, write_atoms);
  demi_write_text(&frame->writer, "\nVelocities\n\n");
  return status ? status : demi_frame_each(frame, write_velocities);
}

dem_status demi_io_write_data(const dem_system *system, const dem_sink *sink) {
  demi_frame frame;
  dem_status status = demi_frame_open(&frame, system, sink);
  if (status == DEM_OK) status = write_data(&frame);
  return demi_frame_close(&frame, status);
}

/* What LAMMPS writes for a tilted box: the bounds of the upright box that encloses it, and behind each a tilt. */
static void write_tilted_bounds(demi_frame *frame) {
  demi_writer *w = &frame->writer;
  const double xy = frame->tilt[0], xz = frame->tilt[1], yz = frame->tilt[2];
  const double low[3] = {fmin(fmin(0, xy), fmin(xz, xy + xz)), fmin(0, yz), 0};
  const double high[3] = {fmax(fmax(0, xy), fmax(xz, xy + xz)), fmax(0, yz), 0};
  for (int axis = 0; axis < 3; axis++) {
    const double rest[2] = {frame->high[axis] + high[axis], frame->tilt[axis]};
    demi_write_real(w, frame->low[axis] + low[axis]);
    demi_write_reals(w, rest, 2);
    demi_write_text(w, "\n");
  }
}

static void write_dump_header(demi_frame *frame) {
  demi_writer *w = &frame->writer;
  const char *const nothing[3] = {"", "", ""};
  demi_write_text(w, "ITEM: TIMESTEP\n");
  demi_write_integer(w, demi_system_steps(frame->system));
  demi_write_text(w, "\nITEM: NUMBER OF ATOMS\n");
  demi_write_integer(w, frame->count);
  demi_write_text(w, "\nITEM: BOX BOUNDS");
  if (frame->tilted) demi_write_text(w, " xy xz yz");
  for (int axis = 0; axis < 3; axis++) demi_write_text(w, frame->periodic[axis] ? " pp" : " ff");
  demi_write_text(w, "\n");
  if (frame->tilted)
    write_tilted_bounds(frame);
  else
    write_bounds(frame, nothing);
  demi_write_text(w, "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz fx fy fz\n");
}

static dem_status write_dump_rows(demi_frame *frame, int64_t first, int64_t rows) {
  static const demi_frame_field reals[] = {
      {DEM_POSITION, X}, {DEM_VELOCITY, V}, {DEM_SPIN, W}, {DEM_FORCE, F}, {DEM_RADIUS, RADIUS}};
  static const demi_frame_field material = {DEM_MATERIAL, 0};
  demi_writer *w = &frame->writer;
  dem_status status = demi_frame_reals(frame, first, reals, 5);
  if (status == DEM_OK) status = demi_frame_integers(frame, first, &material, 1);
  for (int64_t i = 0; i < rows && status == DEM_OK; i++) {
    demi_write_integer(w, first + i + 1);
    demi_write_text(w, " ");
    demi_write_integer(w, (int64_t)integers_of(frame, i)[0] + 1);
    demi_write_reals(w, reals_of(frame, i) + X, 3);
    demi_write_reals(w, reals_of(frame, i) + RADIUS, 1);
    demi_write_reals(w, reals_of(frame, i) + V, 9);
    demi_write_text(w, "\n");
  }
  return status;
}

static dem_status write_dump(demi_frame *frame) {
  const dem_status status = demi_frame_enclose(frame);
  if (status) return status;
  write_dump_header(frame);
  return demi_frame_each(frame, write_dump_rows);
}

dem_status demi_io_write_dump(const dem_system *system, const dem_sink *sink) {
  demi_frame frame;
  dem_status status = demi_frame_open(&frame, system, sink);
  if (status == DEM_OK) status = write_dump(&frame);
  return demi_frame_close(&frame, status);
}
