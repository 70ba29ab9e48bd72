/** @file dem/view.h
 *  Zero-copy views of the engine's arrays: many readers or one writer, checked. */
#ifndef DEM_VIEW_H
#define DEM_VIEW_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** Access modes. */
enum {
  DEM_READ = 1, /**< shared */
  DEM_WRITE =
      2 /**< exclusive; allowed for DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_HOST_FORCE, DEM_HOST_TORQUE and DEM_DRAG_RATE
                   to DEM_DRAG_ANGULAR_IMPULSE */
};

/** A view: rows in the engine's present order, not listing order. */
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
} dem_view;

/** Opens a view. While views are open, stepping, adding and removing refuse with DEM_BUSY.
 *  @param system the system  @param field DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_FORCE, DEM_TORQUE, DEM_RADIUS,
 * DEM_HOST_FORCE, DEM_HOST_TORQUE, DEM_CONTACT_FORCE, DEM_CONTACT_TORQUE or a field of the fluid (DEM_DRAG_RATE to
 * DEM_DRAG_ANGULAR_IMPULSE). DEM_FORCE and DEM_TORQUE show what they were when the view was opened
 *  @param mode DEM_READ or DEM_WRITE  @param view out; its struct_size must be set */
DEM_API dem_status dem_view_acquire(dem_system *system, int32_t field, int32_t mode, dem_view *view);

/** Closes a view; after DEM_WRITE the values are checked (finite) and forces marked stale. The view is emptied.
 *  @param system the system  @param view the view
 *  @return what dem_system_set would refuse poisons the system: DEM_FAILED_NOT_FINITE for a NaN or infinity, DEM_FAILED_PLUGIN
 * for motion given to a frozen particle (where dem_system_set_frozen_motion was never called) or out of the plane of a
 *  2-dimensional system */
DEM_API dem_status dem_view_release(dem_system *system, dem_view *view);

/** Changes whenever rows move: sorting, adding, removing. @param system the system  @param epoch out */
DEM_API dem_status dem_system_epoch(const dem_system *system, int64_t *epoch);

DEM_END_DECLS

#endif
