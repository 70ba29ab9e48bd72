/** @file dem/base.h
 *  Version, export macro, status codes, identifiers.
 *
 *  Units: the library knows none. Use SI or any consistent set; every field says its dimension.
 *
 *  Structs across the boundary grow in later versions, at the end. A single struct carries its size in `struct_size` and is filled by
 *  its _init function. In arrays (dem_contact, dem_bond, dem_bond_break) the elements carry none: the call takes `struct_size`, the
 *  size of one element in the caller and so the distance from one to the next; it must be at least that of the first version, at most
 *  4096 and a multiple of 8, else DEM_BAD_STRUCT. Of an element the library writes what fits into that size, and 0 into members that
 *  it does not know; members that it reads and does not know must be 0, else DEM_UNSUPPORTED. */
#ifndef DEM_BASE_H
#define DEM_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/** Opens a block of C declarations. */
#define DEM_BEGIN_DECLS extern "C" {
/** Closes a block of C declarations. */
#define DEM_END_DECLS }
#else
/** Opens a block of C declarations. */
#define DEM_BEGIN_DECLS
/** Closes a block of C declarations. */
#define DEM_END_DECLS
#endif

#if defined(__GNUC__)
/** Marks an exported function. */
#define DEM_API __attribute__((visibility("default")))
#else
/** Marks an exported function. */
#define DEM_API
#endif

#define DEM_VERSION_MAJOR 0 /**< Major version of this header. */
#define DEM_VERSION_MINOR 1 /**< Minor version of this header. */
#define DEM_VERSION_PATCH 0 /**< Patch version of this header. */

DEM_BEGIN_DECLS

/** Every status: X(name, value, text). 0 is done; above 0 the call was refused (or stopped) and the
 *  object is valid; below 0 the object is poisoned: only destroy and its message remain usable. */
#define DEM_STATUS_LIST(X)                                                              \
  X(DEM_OK, 0, "done")                                                                  \
  X(DEM_BAD_ARGUMENT, 1, "an argument or field is out of its range")                    \
  X(DEM_BAD_STRUCT, 2, "struct_size is not usable")                                     \
  X(DEM_UNSUPPORTED, 3, "not supported by this version")                                \
  X(DEM_NOT_FOUND, 4, "no such item")                                                   \
  X(DEM_NO_MEMORY, 5, "out of memory")                                                  \
  X(DEM_BUSY, 6, "in use")                                                              \
  X(DEM_CANCELLED, 7, "stopped by the host's callback")                                 \
  X(DEM_IO_ERROR, 8, "reading or writing failed")                                       \
  X(DEM_BAD_FORMAT, 9, "the input text is malformed")                                   \
  X(DEM_INCOMPLETE, 10, "something needed has not been set")                            \
  X(DEM_FAILED_MEMORY, -1, "out of memory in the middle of a step")                     \
  X(DEM_FAILED_NOT_FINITE, -2, "a position or velocity is not finite, or too far away") \
  X(DEM_FAILED_PLUGIN, -3, "a plug-in reported failure")                                \
  X(DEM_POISONED, -4, "the object failed earlier and is unusable")

/** Result of every call; one of the DEM_STATUS_LIST values. */
typedef int32_t dem_status;

/** The status values. */
enum {
#define DEM_STATUS_ENUM(name, value, text) name = (value),
  DEM_STATUS_LIST(DEM_STATUS_ENUM)
#undef DEM_STATUS_ENUM
      DEM_STATUS_LAST = 10 /**< Largest value in use. */
};

/** Names one particle for as long as it exists: slot and generation. 0 names nothing. An id stays valid
 *  when others are added or removed; after its own removal it is stale and calls refuse it. */
typedef uint64_t dem_id;

/** Version of the library that is running, major*10000 + minor*100 + patch. Any thread. */
DEM_API uint32_t dem_version(void);

/** Short English text of a status; never NULL, valid for ever. Any thread.
 *  @param status any value */
DEM_API const char *dem_status_text(dem_status status);

/** Symbol of a status such as "DEM_BAD_ARGUMENT"; never NULL, valid for ever. Any thread.
 *  @param status any value */
DEM_API const char *dem_status_name(dem_status status);

DEM_END_DECLS

#endif
