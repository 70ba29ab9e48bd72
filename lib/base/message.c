#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "context.h"
#include "memory.h"

/* snprintf follows the host's locale. Where that writes 0,5, a comma between two digits becomes '.': commas of our own
 * sentences are followed by a blank. Elsewhere the text, which may quote a host's input, is left alone. */
static void plain_point(char *text) {
  char probe[8];
  snprintf(probe, sizeof probe, "%.1f", 0.5);
  if (probe[1] == '.') return;
  for (char *c = text; *c; c++)
    if (*c == ',' && c > text && c[-1] >= '0' && c[-1] <= '9' && c[1] >= '0' && c[1] <= '9') *c = '.';
}

static void pass_on(dem_context *context, int32_t level, const char *text) {
  if (context && context->options.log && level <= context->options.log_level)
    context->options.log(context->options.log_user, level, text);
}

/* ---- notes ---- */

static uintptr_t this_thread(void) { return (uintptr_t)&errno; }

/* A thread that has ended may have left its address to another thread. Before the new thread takes the note over, it waits
 * until the last text is written. */
static demi_note *own_note(const demi_message *message) {
  demi_message *m = (demi_message *)(uintptr_t)message;
  const uintptr_t me = this_thread();
  for (int k = 0; k < DEMI_NOTES; k++)
    if (atomic_load(&m->note[k].owner) == me) return &m->note[k];
  for (demi_note *n = atomic_load(&m->more); n; n = n->older)
    if (atomic_load(&n->owner) == me) return n;
  return NULL;
}

static demi_note *claim_note(demi_message *message, dem_context *context) {
  const uintptr_t me = this_thread();
  demi_note *note = own_note(message);
  for (int k = 0; k < DEMI_NOTES && !note; k++) {
    uintptr_t nobody = 0;
    if (atomic_compare_exchange_strong(&message->note[k].owner, &nobody, me)) note = &message->note[k];
  }
  if (note || !context) return note;
  note = demi_allocate_zero(context, sizeof *note);
  if (!note) return NULL;
  atomic_store(&note->owner, me);
  note->older = atomic_load(&message->more);
  while (!atomic_compare_exchange_weak(&message->more, &note->older, note)) continue;
  return note;
}

const char *demi_message_text(const demi_message *message) {
  demi_note *own = own_note(message), *alone = (demi_note *)(uintptr_t)&message->alone;
  return own && atomic_load(&own->written) > atomic_load(&alone->written) ? own->text : alone->text;
}

void demi_message_free(demi_message *message, dem_context *context) {
  demi_note *note = atomic_load(&message->more);
  while (note) {
    demi_note *older = note->older;
    demi_free(context, note, sizeof *note);
    note = older;
  }
}

/* ---- refusing ---- */

/* `guard` is a note of the calling thread; NULL when there was no memory for one. */
static void tell(demi_message *message, demi_note *guard, dem_context *context, const char *text) {
  if (guard && guard->logging) return;
  if (guard) guard->logging = 1;
  atomic_fetch_add(&message->hooks, 1);
  pass_on(context, DEM_LOG_ERROR, text);
  atomic_fetch_sub(&message->hooks, 1);
  if (guard) guard->logging = 0;
}

static void write_text(char text[512], const char *format, va_list arguments) {
  vsnprintf(text, 512, format, arguments);
  plain_point(text);
}

dem_status demi_refuse(demi_message *message, dem_context *context, dem_status status, const char *format, ...) {
  char lost[512];
  demi_note *note = claim_note(message, context);
  va_list arguments;
  if (note) atomic_load(&note->written);
  va_start(arguments, format);
  write_text(note ? note->text : lost, format, arguments);
  va_end(arguments);
  const unsigned long long number = atomic_fetch_add(&message->refusals, 1) + 1;
  if (note) atomic_store(&note->written, number);
  tell(message, note, context, note ? note->text : lost);
  return status;
}

dem_status demi_refuse_alone(demi_message *message, dem_context *context, dem_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_text(message->alone.text, format, arguments);
  va_end(arguments);
  atomic_store(&message->alone.written, atomic_fetch_add(&message->refusals, 1) + 1);
  tell(message, &message->alone, context, message->alone.text);
  return status;
}

void demi_mention(demi_message *message, dem_context *context, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  write_text(text, format, arguments);
  va_end(arguments);
  tell(message, claim_note(message, context), context, text);
}

void demi_log(dem_context *context, int32_t level, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  write_text(text, format, arguments);
  va_end(arguments);
  pass_on(context, level, text);
}
