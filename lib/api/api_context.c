/* Exported: version, statuses, contexts. */
#include "context.h"

#include <string.h>

#include "cpu.h"
#include "intake.h"
#include "status.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_context_options, reserved_zero)

uint32_t dem_version(void) { return DEM_VERSION_MAJOR * 10000u + DEM_VERSION_MINOR * 100u + DEM_VERSION_PATCH; }

const char *dem_status_text(dem_status status) { return demi_status_text(status); }

const char *dem_status_name(dem_status status) { return demi_status_name(status); }

static dem_context_options defaults(void) {
  dem_context_options o;
  memset(&o, 0, sizeof o);
  o.struct_size = (uint32_t)sizeof o;
  o.log_level = DEM_LOG_WARNING;
  return o;
}

dem_status dem_context_options_init(dem_context_options *options, uint32_t struct_size) {
  if (!options) return DEM_BAD_ARGUMENT;
  const dem_context_options o = defaults();
  return demi_init(options, struct_size, &o, sizeof o, OPTIONS_V1);
}

static void tell(const dem_context_options *o, const char *text) {
  if (o->log && o->log_level >= DEM_LOG_ERROR) o->log(o->log_user, DEM_LOG_ERROR, text);
}

static dem_status check_instructions(dem_context_options *o) {
  const int32_t best = demi_cpu_best();
  if (o->instructions < DEM_INSTRUCTIONS_AUTO || o->instructions > DEM_INSTRUCTIONS_AVX512) {
    tell(o, "context: instructions is out of range, allowed 0 to 3");
    return DEM_BAD_ARGUMENT;
  }
  if (o->instructions > best) {
    tell(o, "context: this CPU lacks the instructions asked for");
    return DEM_UNSUPPORTED;
  }
  if (o->instructions == DEM_INSTRUCTIONS_AUTO) o->instructions = best;
  return DEM_OK;
}

dem_status dem_context_create(const dem_context_options *options, dem_context **context) {
  if (!context) return DEM_BAD_ARGUMENT;
  *context = NULL;
  dem_context_options o = defaults();
  dem_status status = options ? demi_intake(&o, sizeof o, options, OPTIONS_V1) : DEM_OK;
  if (!status && o.reserved_zero != 0) status = DEM_UNSUPPORTED;
  if (!status) status = check_instructions(&o);
  if (status) return status;
  /* the context is its own first allocation, so that a host's hook sees every byte */
  dem_context start;
  memset(&start, 0, sizeof start);
  start.options = o;
  dem_context *mine = demi_allocate_zero(&start, sizeof *mine);
  if (!mine) {
    tell(&o, "context: out of memory");
    return DEM_NO_MEMORY;
  }
  mine->options = o;
  atomic_init(&mine->bytes, (long long)sizeof *mine);
  atomic_init(&mine->objects, 0);
  *context = mine;
  return DEM_OK;
}

dem_status dem_context_destroy(dem_context *context) {
  if (!context) return DEM_OK;
  const long long objects = atomic_load(&context->objects);
  if (objects > 0)
    return demi_refuse_context(context, DEM_BUSY, "context: %lld objects born from it are alive, must be 0", objects);
  if (atomic_load(&context->message.hooks) > 0) return DEM_BUSY; /* the log hook that asks for it is still being called */
  demi_message_free(&context->message, context);
  dem_context last = *context;
  demi_free(&last, context, sizeof *context);
  return DEM_OK;
}

const char *dem_context_message(const dem_context *context) { return context ? demi_message_text(&context->message) : ""; }

dem_status dem_context_memory(const dem_context *context, int64_t *bytes) {
  if (!context || !bytes) return DEM_BAD_ARGUMENT;
  *bytes = atomic_load(&context->bytes);
  return DEM_OK;
}
