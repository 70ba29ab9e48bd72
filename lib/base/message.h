/* The text that goes with a status: kept on the object, passed to the log hook.
 *
 * Calls that take an object as const may run together, also when they are refused, and a kernel that calls back is refused on a
 * worker. So every thread that is refused has a note of its own, known by the address of its errno, which C11 makes one per
 * thread. Calls that change the object run alone: their text is `alone`, which any thread may read. What a thread reads is the
 * younger of the two. */
#ifndef DEMI_MESSAGE_H
#define DEMI_MESSAGE_H

#include <dem/context.h>
#include <stdatomic.h>

#if defined(__GNUC__)
#define DEMI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define DEMI_PRINTF(f, a)
#endif

enum { DEMI_NOTES = 4 };

typedef struct demi_note {
  atomic_uintptr_t owner;  /* 0: free */
  atomic_ullong written;   /* number of the refusal; its store hands the text to the next owner of the note */
  struct demi_note *older; /* next note in the list of allocated notes */
  int32_t logging;         /* the owner is inside the log hook: refusals from there are not logged */
  char text[512];
} demi_note;

/* All zero: nothing was refused. */
typedef struct demi_message {
  atomic_ullong refusals;
  atomic_int hooks;          /* log hooks that run for refusals on the object */
  _Atomic(demi_note *) more; /* of threads beyond the first few */
  demi_note alone, note[DEMI_NOTES];
} demi_message;

/* Writes the calling thread's text, logs it as an error, returns `status`. The decimal point is '.' in every locale. */
dem_status demi_refuse(demi_message *message, dem_context *context, dem_status status, const char *format, ...)
    DEMI_PRINTF(4, 5);
/* The same in a call that runs alone on the object. */
dem_status demi_refuse_alone(demi_message *message, dem_context *context, dem_status status, const char *format, ...)
    DEMI_PRINTF(4, 5);
/* Logs an error; the stored texts stay unchanged. */
void demi_mention(demi_message *message, dem_context *context, const char *format, ...) DEMI_PRINTF(3, 4);
/* Never NULL. */
const char *demi_message_text(const demi_message *message);
void demi_message_free(demi_message *message, dem_context *context);

/* Logs only. */
void demi_log(dem_context *context, int32_t level, const char *format, ...) DEMI_PRINTF(3, 4);

#endif
