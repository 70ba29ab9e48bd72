/** @file dem/view.h
 *  Zero-copy views of the engine's arrays: of each field many readers or one writer, checked. */
#ifndef DEM_VIEW_H
#define DEM_VIEW_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** Access modes. */
enum {
  DEM_READ = 1, /**< shared */
  DEM_WRITE = 2 /**< exclusive; allowed for DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_HOST_FORCE, DEM_HOST_TORQUE, DEM_DRAG_RATE
                     to DEM_DRAG_ANGULAR_IMPULSE, and columns of dem_system_add_column */
};

/** A view, to be filled with dem_view_init before it is acquired: rows in the engine's present order, not listing order. */
typedef struct dem_view {
  uint32_t struct_size; /**< sizeof(dem_view) */
  int32_t field;        /**< the field */
  int32_t mode;         /**< the mode */
  int32_t components;   /**< doubles that belong to the field in a row */
  int64_t count;        /**< rows */
  int64_t stride;       /**< doubles from row to row; the rest of a row belongs to the engine: do not write it */
  int64_t epoch;        /**< dem_system_epoch at acquisition */
  double *data;         /**< first row; positions may lie outside the box on periodic axes between rebuilds */
  const dem_id *ids;    /**< id of each row */
  int32_t *integers;    /**< first row of an integer field (DEM_MATERIAL, DEM_IMAGE), `data` being NULL; `stride` then counts
                             int32; NULL for the others. Read only */
} dem_view;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param view the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_view_init(dem_view *view, uint32_t struct_size);

/** Opens a view. Each field has many readers or one writer, whatever is open of other fields: velocities may be read while host
 *  forces are written. A field that follows from another counts with it: DEM_FORCE with DEM_HOST_FORCE, DEM_DRAG_RATE,
 *  DEM_FLUID_VELOCITY and, where a field of the fluid was ever used, DEM_VELOCITY; DEM_TORQUE with the angular fields in the same
 *  way; DEM_HALF_VELOCITY with DEM_VELOCITY, DEM_HALF_SPIN with DEM_SPIN. While any view is open, whatever changes the
 *  system (stepping, adding, removing, setting, ...) refuses with DEM_BUSY, as does what needs a new neighbour list
 *  (dem_system_energy, dem_system_advise). From the callback before a step views may be opened too, for writing only those of
 *  what the host sets (forces, torques, the fluid, columns of its own), and must be closed before it returns.
 *  @param system the system
 *  @param field to read or write: DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_HOST_FORCE, DEM_HOST_TORQUE, the fields of the fluid
 *  (DEM_DRAG_RATE to DEM_DRAG_ANGULAR_IMPULSE) and columns of dem_system_add_column; to read: DEM_RADIUS, DEM_DENSITY, DEM_MASS,
 *  DEM_INERTIA, DEM_MATERIAL, DEM_IMAGE (it belongs to the position of the row as the view of DEM_POSITION shows it),
 *  DEM_CONTACT_FORCE, DEM_CONTACT_TORQUE, and DEM_FORCE, DEM_TORQUE, DEM_HALF_VELOCITY and DEM_HALF_SPIN, which are copied when the
 *  first view opens
 *  @param mode DEM_READ or DEM_WRITE  @param view out; its struct_size must be set
 *  @return DEM_BUSY with the fields that stand in the way; DEM_BAD_ARGUMENT for writing what may only be read; DEM_NOT_FOUND for an
 *  unknown field or one without rows (DEM_FROZEN, DEM_HEAT); DEM_BAD_STRUCT for an integer field where struct_size ends before
 *  `integers` */
DEM_API dem_status dem_view_acquire(dem_system *system, int32_t field, int32_t mode, dem_view *view);

/** Closes a view; after DEM_WRITE the values are checked as dem_system_set_field does and forces marked stale. The view is emptied. What
 *  several writers brought is booked as the host's when the last of them is closed.
 *  @param system the system  @param view the view
 *  @return what dem_system_set_field would refuse poisons the system: DEM_FAILED_NOT_FINITE for a NaN or infinity, DEM_FAILED_PLUGIN
 * for a number beyond 1e60 and for motion given to a frozen particle (where dem_system_set_frozen_motion was never called) or out of
 * the plane of a 2-dimensional system */
DEM_API dem_status dem_view_release(dem_system *system, dem_view *view);

/** Changes whenever rows move: sorting, adding, removing. @param system the system  @param epoch out */
DEM_API dem_status dem_system_epoch(const dem_system *system, int64_t *epoch);

DEM_END_DECLS

#endif
