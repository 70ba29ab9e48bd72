/* Numbers as text: exact both ways, whatever the locale. */
#include "test_io_bytes.h"

#include <float.h>

#include "number.h"

typedef struct parse_case {
  const char *text;
  int good;
  double value;
} parse_case;

static const parse_case parse_cases[] = {
    {"0", 1, 0},
    {"-0", 1, -0.0},
    {"1.5", 1, 1.5},
    {"+2", 1, 2},
    {".5", 1, 0.5},
    {"5.", 1, 5},
    {"1e3", 1, 1000},
    {"1E-2", 1, 0.01},
    {"4.9e-324", 1, 4.9e-324},
    {"1e-400", 1, 0},
    {"1.7976931348623157e308", 1, DBL_MAX},
    {"1e309", 0, 0},
    {"17e307", 1, 1.7e308},
    {"18e307", 0, 0},
    {"0.00017e312", 1, 1.7e308},
    {"0.0001e313", 0, 0},
    {"1.7976931348623158e308", 1, DBL_MAX},
    {"1.7976931348623159e308", 0, 0},
    {"1e-1000001", 1, 0},
    {"0e1000001", 1, 0},
    {"nan", 0, 0},
    {"inf", 0, 0},
    {"0x10", 0, 0},
    {"1,5", 0, 0},
    {"1d0", 0, 0},
    {"", 0, 0},
    {"-", 0, 0},
    {"e5", 0, 0},
    {"1e", 0, 0},
    {"1e+", 0, 0},
    {"1.2.3", 0, 0},
    {"--1", 0, 0},
    {".", 0, 0},
    {"12a", 0, 0},
};

static void test_parse_table(void **state) {
  (void)state;
  demi_numbers numbers;
  assert_int_equal(demi_numbers_open(&numbers), DEM_OK);
  for (size_t i = 0; i < sizeof parse_cases / sizeof parse_cases[0]; i++) {
    const parse_case *c = &parse_cases[i];
    double value = 42;
    assert_int_equal(demi_number_parse(&numbers, c->text, strlen(c->text), &value), c->good);
    if (c->good) ASSERT_BITS(&value, &c->value, sizeof value);
  }
  demi_numbers_close(&numbers);
}

static void test_parse_embedded_nul(void **state) {
  (void)state;
  demi_numbers numbers;
  double value;
  int64_t whole;
  assert_int_equal(demi_numbers_open(&numbers), DEM_OK);
  assert_int_equal(demi_number_parse(&numbers, "1\0002", 3, &value), 0);
  assert_int_equal(demi_integer_parse("1\0002", 3, &whole), 0);
  demi_numbers_close(&numbers);
}

static void test_integers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int good;
    int64_t value;
  } cases[] = {
      {"0", 1, 0},
      {"-5", 1, -5},
      {"+7", 1, 7},
      {"007", 1, 7},
      {"9223372036854775807", 1, INT64_MAX},
      {"-9223372036854775808", 1, INT64_MIN},
      {"9223372036854775808", 0, 0},
      {"-9223372036854775809", 0, 0},
      {"99999999999999999999", 0, 0},
      {"18446744073709551616", 0, 0},
      {"1.0", 0, 0},
      {"", 0, 0},
      {"-", 0, 0},
      {"1e3", 0, 0},
      {"--1", 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int64_t value = 42;
    assert_int_equal(demi_integer_parse(cases[i].text, strlen(cases[i].text), &value), cases[i].good);
    if (cases[i].good) assert_true(value == cases[i].value);
  }
}

static void check_format(const demi_numbers *numbers, double value, const char *expected) {
  char text[DEMI_NUMBER_SIZE];
  const size_t length = demi_number_format(numbers, value, text);
  assert_string_equal(text, expected);
  assert_int_equal(length, strlen(text));
}

static void check_format_table(void) {
  demi_numbers numbers;
  assert_int_equal(demi_numbers_open(&numbers), DEM_OK);
  check_format(&numbers, 0, "0");
  check_format(&numbers, -0.0, "-0");
  check_format(&numbers, 0.1, "0.1");
  check_format(&numbers, -0.1, "-0.1");
  check_format(&numbers, 0.1 + 0.2, "0.30000000000000004");
  check_format(&numbers, 1.0 / 3, "0.3333333333333333");
  check_format(&numbers, 12345, "12345");
  check_format(&numbers, -999999999999999.0, "-999999999999999");
  check_format(&numbers, 1e15, "1e+15");
  check_format(&numbers, 1.05e15, "1.05e+15");
  check_format(&numbers, 1e22, "1e+22");
  check_format(&numbers, DBL_MAX, "1.7976931348623157e+308");
  check_format(&numbers, -DBL_MIN, "-2.2250738585072014e-308");
  check_format(&numbers, NAN, "nan");
  check_format(&numbers, INFINITY, "inf");
  check_format(&numbers, -INFINITY, "-inf");
  demi_numbers_close(&numbers);
}

static void test_format_table(void **state) {
  (void)state;
  check_format_table();
}

static double random_double(uint64_t *state) {
  double value;
  do {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    memcpy(&value, state, sizeof value);
  } while (!isfinite(value));
  return value;
}

static void round_trips(int count) {
  demi_numbers numbers;
  uint64_t state = 88172645463325252u;
  assert_int_equal(demi_numbers_open(&numbers), DEM_OK);
  for (int i = 0; i < count; i++) {
    char text[DEMI_NUMBER_SIZE];
    double value = random_double(&state), back = 0;
    if (i % 2) value = ldexp(frexp(value, &(int){0}), (i / 2) % 60 - 40);
    const size_t length = demi_number_format(&numbers, value, text);
    assert_int_equal(demi_number_parse(&numbers, text, length, &back), 1);
    ASSERT_BITS(&value, &back, sizeof value);
  }
  demi_numbers_close(&numbers);
}

static void test_round_trips(void **state) {
  (void)state;
  round_trips(100000);
}

static void test_locale(void **state) {
  (void)state;
  if (!use_comma()) return;
  check_format_table();
  test_parse_table(NULL);
  round_trips(1000);
  setlocale(LC_ALL, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse_table),  cmocka_unit_test(test_parse_embedded_nul), cmocka_unit_test(test_integers),
      cmocka_unit_test(test_format_table), cmocka_unit_test(test_round_trips),        cmocka_unit_test(test_locale),
  };
  return cmocka_run_group_tests_name("io number", tests, NULL, NULL);
}
