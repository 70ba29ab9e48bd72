#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "context.h"

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

dem_status demi_refuse(demi_message *message, dem_context *context, dem_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message->text, sizeof message->text, format, arguments);
  va_end(arguments);
  plain_point(message->text);
  pass_on(context, DEM_LOG_ERROR, message->text);
  return status;
}

void demi_log(dem_context *context, int32_t level, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  plain_point(text);
  pass_on(context, level, text);
}
