/** @file dem/io.h
 *  Input and output: LAMMPS data files, LAMMPS text dumps (OVITO), VTK .vtp/.pvd (ParaView), CSV.
 *
 *  Everything goes through byte sources and sinks, with helpers for paths. Numbers are read and written the same in every
 *  locale. Nothing here is a restart file: contact history is not in any of these formats.
 *
 *  Functions that take a path: a file is replaced as a whole or, after any failure, left as it was (a temporary file beside it is
 *  flushed and then takes its name; permissions, owner and group stay, links stay links); appending is undone when it fails.
 *  Devices and pipes are written in place. A failure is DEM_IO_ERROR with the reason in words; no SIGPIPE or SIGXFSZ reaches
 *  the host, whose signal handlers are not touched. A path with a control character (bytes 1 to 31, 127) is DEM_BAD_ARGUMENT. */
#ifndef DEM_IO_H
#define DEM_IO_H

#include <dem/energy.h>
#include <dem/system.h>

DEM_BEGIN_DECLS

/** Where bytes come from; fill with dem_source_init. */
typedef struct dem_source {
  uint32_t struct_size;  /**< sizeof(dem_source) */
  int32_t reserved_zero; /**< 0 */
  void *user;            /**< first argument of `read` */
  /** Reads at most `size` bytes. Returns how many, 0 at the end, negative on error. */
  int64_t (*read)(void *user, void *buffer, int64_t size);
} dem_source;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param source the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_source_init(dem_source *source, uint32_t struct_size);

/** Where bytes go; fill with dem_sink_init. */
typedef struct dem_sink {
  uint32_t struct_size;  /**< sizeof(dem_sink) */
  int32_t reserved_zero; /**< 0 */
  void *user;            /**< first argument of `write` */
  /** Writes all `size` bytes. Returns 0, anything else is an error. */
  int32_t (*write)(void *user, const void *buffer, int64_t size);
} dem_sink;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param sink the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_sink_init(dem_sink *sink, uint32_t struct_size);

/** Contents of a LAMMPS data file of atom_style sphere. Opaque, immutable. */
typedef struct dem_data dem_data;

/** Reads a LAMMPS data file: header (with "xy xz yz" for a tilted box), Atoms (style sphere: id type diameter density x y z [ix iy iz],
 *  with or without "# sphere"), Velocities (id vx vy vz wx wy wz). Comments and blank lines anywhere. Other sections are refused by name.
 *  @param context owner of memory and messages  @param source the bytes  @param data out; destroy when done
 *  @return DEM_BAD_FORMAT with line number, what was found and what was expected in dem_context_message */
DEM_API dem_status dem_data_read(dem_context *context, const dem_source *source, dem_data **data);

/** The same from a file. @param context owner  @param path file name  @param data out */
DEM_API dem_status dem_data_read_path(dem_context *context, const char *path, dem_data **data);

/** Destroys it. NULL is allowed. @param data owned by the caller */
DEM_API void dem_data_destroy(dem_data *data);

/** Box corners, without the tilt. @param data the data  @param low out, 3 doubles  @param high out, 3 doubles */
DEM_API dem_status dem_data_box(const dem_data *data, double *low, double *high);

/** Tilt of the box, for `box_tilt` of dem_system_options: xy, xz, yz [length]; 0 in a file without such a line.
 *  @param data the data  @param tilt out, 3 doubles */
DEM_API dem_status dem_data_tilt(const dem_data *data, double *tilt);

/** Number of particle types the header declares; type t becomes material t - 1. @param data the data  @param types out */
DEM_API dem_status dem_data_types(const dem_data *data, int32_t *types);

/** The particles, in order of the file, ready for dem_system_add_particles; arrays belong to `data`. `frozen` is NULL: the host decides.
 *  @param data the data  @param particles in: struct_size; out */
DEM_API dem_status dem_data_particles(const dem_data *data, dem_particles *particles);

/** Atom ids of the file, in order of the file; belongs to `data`. @param data the data  @param tags out */
DEM_API dem_status dem_data_tags(const dem_data *data, const int64_t **tags);

/** Writes a LAMMPS data file (style sphere, with velocities and images; with the line "xy xz yz" when the box is tilted) that
 *  dem_data_read reads back bit for bit.
 *  @param system the system  @param sink the bytes */
DEM_API dem_status dem_system_write_data(const dem_system *system, const dem_sink *sink);

/** The same to a file. @param system the system  @param path file name */
DEM_API dem_status dem_system_write_data_path(const dem_system *system, const char *path);

/** Appends one frame of a LAMMPS text dump: id type x y z radius vx vy vz omegax omegay omegaz fx fy fz. In a tilted box the bounds
 *  are those of the upright box that encloses it, each followed by a tilt, as LAMMPS writes them.
 *  @param system the system  @param sink the bytes */
DEM_API dem_status dem_system_write_dump(const dem_system *system, const dem_sink *sink);

/** The same to a file. @param system the system  @param path file name  @param append 1: after what is there, 0: replace it */
DEM_API dem_status dem_system_write_dump_path(const dem_system *system, const char *path, int32_t append);

/** Writes one VTK PolyData file (.vtp, appended raw): points with radius, velocity, spin, force, material, frozen, id,
 *  heat where the system keeps it (ledger = 2), and the columns of dem_system_add_column.
 *  @param system the system  @param sink the bytes */
DEM_API dem_status dem_system_write_vtp(const dem_system *system, const dem_sink *sink);

/** The same to a file. @param system the system  @param path file name */
DEM_API dem_status dem_system_write_vtp_path(const dem_system *system, const char *path);

/** Writes what dem_system_write_vtp writes, and more fields of the particles, each as an array with the name of the field: DEM_STRESS as
 *  "contact_stress", DEM_COORDINATION as "coordination", DEM_RATTLER as "rattler", DEM_TORQUE as "torque", and so on. A field that
 *  the file has anyway is written once.
 *  @param system changed only where one of the first three is asked for and the contact forces must be evaluated (dem/statics.h)
 *  @param count fields, >= 0  @param fields DEM_... numbers; NULL only with count 0  @param sink the bytes
 *  @return DEM_NOT_FOUND: an unknown field; DEM_INCOMPLETE: DEM_HEAT without ledger = 2, or no forces; DEM_BAD_ARGUMENT: count or NULL;
 *  nothing is written then. DEM_NO_MEMORY; DEM_IO_ERROR when the sink fails */
DEM_API dem_status dem_system_write_vtp_fields(dem_system *system, int32_t count, const int32_t *fields, const dem_sink *sink);

/** The same to a file. @param system the system  @param count fields  @param fields DEM_... numbers  @param path file name */
DEM_API dem_status dem_system_write_vtp_fields_path(dem_system *system, int32_t count, const int32_t *fields, const char *path);

/** Writes the walls as one VTK PolyData file (.vtp, appended raw) of polygons, where they are now: rounds in 48 parts; what is
 *  endless is cut off at a box around the particles, their surfaces and the walls' positions. Per polygon: wall (its id), material,
 *  velocity of its reference point [length/time], force [force] and torque [force*length] of the particles on the wall, as
 *  dem_wall_state has them. Without walls the file has no polygon.
 *  @param system the system  @param sink the bytes
 *  @return DEM_NO_MEMORY; DEM_IO_ERROR when the sink fails */
DEM_API dem_status dem_system_write_walls_vtp(const dem_system *system, const dem_sink *sink);

/** The same to a file. @param system the system  @param path file name */
DEM_API dem_status dem_system_write_walls_vtp_path(const dem_system *system, const char *path);

/** Writes the box as one VTK PolyData file (.vtp, appended raw) of lines: its 12 edges, or the 4 edges at z = 0 in two dimensions, tilted
 *  as the box is. Per line: axis, 0 for the edges along a, 1 along b, 2 along c (dem/box.h). Along open axes the box is stretched, as in
 *  the data file, so that it holds the centres of all particles.
 *  @param system the system  @param sink the bytes
 *  @return DEM_NO_MEMORY; DEM_IO_ERROR when the sink fails */
DEM_API dem_status dem_system_write_box_vtp(const dem_system *system, const dem_sink *sink);

/** The same to a file. @param system the system  @param path file name */
DEM_API dem_status dem_system_write_box_vtp_path(const dem_system *system, const char *path);

/** Writes the contact network as one VTK PolyData file (.vtp, appended raw): for each touching pair of dem_system_contacts a line
 *  from the centre of i to that of j (its nearest image), or to the contact point on a wall. Per line: normal_force (> 0 pushes)
 *  [force], tangential_force (3, on i) [force], overlap [length], id_i, id_j (0 for a wall), wall (its id or -1), material_i,
 *  material_j (of the wall), sliding (dem_contact.sliding). No lines after particles, laws or walls were changed, until the next step.
 *  @param system the system  @param sink the bytes
 *  @return DEM_NO_MEMORY; DEM_IO_ERROR when the sink fails */
DEM_API dem_status dem_system_write_contacts_vtp(const dem_system *system, const dem_sink *sink);

/** The same to a file. @param system the system  @param path file name */
DEM_API dem_status dem_system_write_contacts_vtp_path(const dem_system *system, const char *path);

/** Writes a ParaView collection (.pvd).
 *  @param sink the bytes  @param count frames  @param times time of each  @param files .vtp name of each, relative to the .pvd
 */
DEM_API dem_status dem_pvd_write(const dem_sink *sink, int64_t count, const double *times, const char *const *files);

/** The same to a file. @param path file name  @param count frames  @param times time of each, finite  @param files .vtp names:
 *  UTF-8 without control characters, else DEM_BAD_ARGUMENT */
DEM_API dem_status dem_pvd_write_path(const char *path, int64_t count, const double *times, const char *const *files);

/** Writes the heading of the energy CSV. @param sink the bytes */
DEM_API dem_status dem_energy_write_heading(const dem_sink *sink);

/** Writes one row of the energy CSV: time, steps and every account of dem_energy.
 *  @param system the system  @param sink the bytes */
DEM_API dem_status dem_energy_write_row(dem_system *system, const dem_sink *sink);

DEM_END_DECLS

#endif
