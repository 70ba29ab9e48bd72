/* Words of the present line as checked values; a refusal names the line, the word and what was expected. */
#ifndef DEMI_FIELDS_H
#define DEMI_FIELDS_H

#include "lines.h"
#include "number.h"

/* `what` with its article, such as "an atom id". */
dem_status demi_field_integer(const demi_lines *lines, int32_t word, int64_t low, int64_t high, const char *what,
                              int64_t *value);
/* `what` such as "diameter". */
dem_status demi_field_real(const demi_lines *lines, const demi_numbers *numbers, int32_t word, const char *what, double *value);

#endif
