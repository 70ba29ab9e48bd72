/* Numbers as text, the same in every locale: reading is correctly rounded, writing gives the shortest of 15, 16 or 17 digits
 * that reads back to the same bits. */
#ifndef DEMI_NUMBER_H
#define DEMI_NUMBER_H

#include <dem/base.h>
#include <locale.h>

enum { DEMI_NUMBER_SIZE = 48 /* room for any double or int64 as text */ };

/* The "C" locale, held while numbers are converted. */
typedef struct demi_numbers {
  locale_t c;
} demi_numbers;

/* DEM_NO_MEMORY when the C library cannot give the locale. */
dem_status demi_numbers_open(demi_numbers *numbers);
void demi_numbers_close(demi_numbers *numbers);

/* 1 when all `length` bytes are one finite decimal number. text[length] must be readable and no part of a number. */
int demi_number_parse(const demi_numbers *numbers, const char *text, size_t length, double *value);
/* 1 when all `length` bytes are one whole number that fits. */
int demi_integer_parse(const char *text, size_t length, int64_t *value);

/* Writes the text with its final NUL; returns its length. */
size_t demi_number_format(const demi_numbers *numbers, double value, char text[DEMI_NUMBER_SIZE]);
size_t demi_integer_format(int64_t value, char text[DEMI_NUMBER_SIZE]);

#endif
