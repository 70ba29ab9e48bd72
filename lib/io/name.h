/* Names of files: which ones are refused. A name with a control character would break the lines of messages and logs, and
 * comes from a mistake or from somebody who wants just that. */
#ifndef DEMI_NAME_H
#define DEMI_NAME_H

#include <stdint.h>

/* Index of the first control character (bytes 1 to 31 and 127), -1 when there is none. */
int64_t demi_name_control(const char *name);

/* 1: UTF-8 without control characters and without what XML does not allow, so that it can stand in a .pvd file. */
int demi_name_fits_xml(const char *name);

#endif
