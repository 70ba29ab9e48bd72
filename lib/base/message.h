/* The text that goes with a status: kept on the object, passed to the log hook. */
#ifndef DEMI_MESSAGE_H
#define DEMI_MESSAGE_H

#include <dem/context.h>

#if defined(__GNUC__)
#define DEMI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define DEMI_PRINTF(f, a)
#endif

typedef struct demi_message {
  char text[512];
} demi_message;

/* Writes the text, logs it as an error, returns `status`. The decimal point is '.' in every locale. */
dem_status demi_refuse(demi_message *message, dem_context *context, dem_status status, const char *format, ...)
    DEMI_PRINTF(4, 5);
/* Logs only. */
void demi_log(dem_context *context, int32_t level, const char *format, ...) DEMI_PRINTF(3, 4);

#endif
