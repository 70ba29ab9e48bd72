/* strtod_l is not in POSIX 2008 but in every C library that has locale_t. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "number.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dem_status demi_numbers_open(demi_numbers *numbers) {
  numbers->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return numbers->c ? DEM_OK : DEM_NO_MEMORY;
}

void demi_numbers_close(demi_numbers *numbers) {
  if (numbers->c) freelocale(numbers->c);
  numbers->c = (locale_t)0;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Hexadecimal numbers, "nan" and "inf", which strtod would take, are no numbers of these formats. */
static int is_decimal(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!is_digit(text[i]) && (!text[i] || !strchr("+-.eE", text[i]))) return 0;
  return length > 0;
}

/* What may be above the largest double is read with the exceptions held back: the C library's strtod raises OVERFLOW, which the
 * refusal that follows is to replace. Only numbers with three digits of exponent, or hundreds of digits, can be. */
static double parse_large(const demi_numbers *numbers, const char *text, char **end) {
  fenv_t host;
  const int held = feholdexcept(&host) == 0;
  const double value = strtod_l(text, end, numbers->c);
  if (held) fesetenv(&host);
  return value;
}

static int may_be_large(const char *text, size_t length) {
  const char *e = memchr(text, 'e', length);
  if (!e) e = memchr(text, 'E', length);
  return length > 300 || (e && text + length - e > 3);
}

int demi_number_parse(const demi_numbers *numbers, const char *text, size_t length, double *value) {
  if (!is_decimal(text, length)) return 0;
  char *end;
  *value = may_be_large(text, length) ? parse_large(numbers, text, &end) : strtod_l(text, &end, numbers->c);
  return end == text + length && isfinite(*value);
}

int demi_integer_parse(const char *text, size_t length, int64_t *value) {
  const size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
  const uint64_t limit = (uint64_t)INT64_MAX + (sign && text[0] == '-');
  uint64_t sum = 0;
  if (length == sign) return 0;
  for (size_t i = sign; i < length; i++) {
    const unsigned digit = (unsigned)(unsigned char)text[i] - '0';
    if (digit > 9 || sum > (limit - digit) / 10) return 0;
    sum = 10 * sum + digit;
  }
  *value = sign && text[0] == '-' ? (int64_t)(0 - sum) : (int64_t)sum;
  return 1;
}

/* The host's locale decides what snprintf puts between the digits; it may be several bytes. */
static size_t plain_point(char *text) {
  size_t to = 0;
  for (size_t from = 0; text[from]; from++) {
    if (is_digit(text[from]) || strchr("+-e", text[from]))
      text[to++] = text[from];
    else if (to == 0 || text[to - 1] != '.')
      text[to++] = '.';
  }
  text[to] = '\0';
  return to;
}

static int same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static size_t format_special(double value, char *text) {
  const char *name = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  memcpy(text, name, strlen(name) + 1);
  return strlen(name);
}

size_t demi_number_format(const demi_numbers *numbers, double value, char text[DEMI_NUMBER_SIZE]) {
  if (!isfinite(value)) return format_special(value, text);
  if (fabs(value) < 1e15 && value == (double)(int64_t)value && !(value == 0 && signbit(value)))
    return demi_integer_format((int64_t)value, text);
  size_t length = 0;
  /* rounded to 15 digits, the largest doubles are larger than any double */
  for (int digits = fabs(value) < 1e308 ? 15 : 17; digits <= 17; digits++) {
    snprintf(text, DEMI_NUMBER_SIZE, "%.*g", digits, value);
    length = plain_point(text);
    if (same_bits(strtod_l(text, NULL, numbers->c), value)) break;
  }
  return length;
}

size_t demi_integer_format(int64_t value, char text[DEMI_NUMBER_SIZE]) {
  return (size_t)snprintf(text, DEMI_NUMBER_SIZE, "%" PRId64, value);
}
