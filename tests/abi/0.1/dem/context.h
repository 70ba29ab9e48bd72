/** @file dem/context.h
 *  The context: allocator, log and thread hook. Every object is born from one.
 *
 *  Threads: calls on one context may run together where its hooks may; dem_context_destroy alone, after all others. */
#ifndef DEM_CONTEXT_H
#define DEM_CONTEXT_H

#include <dem/base.h>

DEM_BEGIN_DECLS

/** A context. Opaque; contexts are independent of each other. */
typedef struct dem_context dem_context;

/** Allocator hook. Allocates (pointer NULL, old_size 0), resizes, or frees (new_size 0; returns NULL).
 *  Returned memory is aligned to `alignment` (a power of two, at most 64) and keeps the first
 *  min(old_size, new_size) bytes. Returns NULL on failure, leaving the old block alone.
 *  Called on the thread that calls the library, never from workers. */
typedef void *(*dem_allocate_fn)(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment);

/** Log hook. `text` is valid during the call only. It runs in the middle of a call on an object: what would change that system is
 *  refused with DEM_BUSY, and what is refused in the hook is not logged again. */
typedef void (*dem_log_fn)(void *user, int32_t level, const char *text);

/** Task of a parallel loop, see dem_parallel_fn. */
typedef void (*dem_task_fn)(void *argument, int32_t index);

/** Thread hook: runs task(argument, 0) ... task(argument, count-1), in any order and on any threads, and
 *  returns when all are done. The results do not depend on order or threads. */
typedef void (*dem_parallel_fn)(void *user, int32_t count, dem_task_fn task, void *argument);

/** Log levels. */
enum {
  DEM_LOG_ERROR = 1,   /**< a call was refused or failed */
  DEM_LOG_WARNING = 2, /**< something is probably not meant, e.g. a time step above the stability limit */
  DEM_LOG_INFO = 3     /**< notable events */
};

/** Instruction sets of the inner loops. All give the same bits. */
enum {
  DEM_INSTRUCTIONS_AUTO = 0,  /**< the best this CPU has */
  DEM_INSTRUCTIONS_PLAIN = 1, /**< plain C */
  DEM_INSTRUCTIONS_AVX2 = 2,  /**< x86-64 with AVX2 */
  DEM_INSTRUCTIONS_AVX512 = 3 /**< x86-64 with AVX-512 F, DQ, BW and VL */
};

/** Options of a context; fill with dem_context_options_init, then change what you need. */
typedef struct dem_context_options {
  uint32_t struct_size;     /**< sizeof(dem_context_options) */
  int32_t log_level;        /**< most detailed level passed on; default DEM_LOG_WARNING */
  dem_allocate_fn allocate; /**< allocator; NULL = the C library's */
  void *allocate_user;      /**< first argument of `allocate` */
  dem_log_fn log;           /**< log; NULL = silent */
  void *log_user;           /**< first argument of `log` */
  dem_parallel_fn parallel; /**< thread hook; NULL = OpenMP where built with it, else serial */
  void *parallel_user;      /**< first argument of `parallel` */
  int32_t instructions;     /**< DEM_INSTRUCTIONS_...; default AUTO. One that the CPU lacks is refused */
  int32_t reserved_zero;    /**< 0 */
} dem_context_options;

/** Writes the defaults into `options`, touching only `struct_size` bytes.
 *  @param options the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT on NULL, DEM_BAD_STRUCT on a size too small */
DEM_API dem_status dem_context_options_init(dem_context_options *options, uint32_t struct_size);

/** Creates a context.
 *  @param options NULL for defaults; copied
 *  @param context out; NULL on failure
 *  @return DEM_BAD_ARGUMENT, DEM_NO_MEMORY; DEM_UNSUPPORTED for instructions that the CPU lacks or a member of a newer version */
DEM_API dem_status dem_context_create(const dem_context_options *options, dem_context **context);

/** Destroys a context. NULL is allowed. While objects born from it live, and from its own log hook, it refuses with DEM_BUSY.
 *  @param context owned by the caller */
DEM_API dem_status dem_context_destroy(dem_context *context);

/** Text of this thread's latest refusal of a call that had no other object to hold it (such as a failed create).
 *  Never NULL; valid until this thread's next call with this context. @param context may be NULL */
DEM_API const char *dem_context_message(const dem_context *context);

/** Bytes now allocated through the context (what was asked for, without the allocator's own overhead).
 *  @param context the context  @param bytes out */
DEM_API dem_status dem_context_memory(const dem_context *context, int64_t *bytes);

DEM_END_DECLS

#endif
