/* Reading LAMMPS data files: what is refused, at which line, and with which words. */
#include "unit/data_text.h"

/* One line garbled: the line that is blamed, and what the message must contain. */
typedef struct garbled {
  int line;
  const char *text; /* NULL: the line is missing */
  int blamed;
  const char *found;
  const char *expected;
} garbled;

static const garbled garbled_cases[] = {
    /* header */
    {3, "two atoms", 3, "'two atoms'", "section 'Atoms'"},
    {3, "2.5 atoms", 3, "'2.5'", "whole number"},
    {3, "-2 atoms", 3, "'-2'", "at least 0"},
    {3, "99999999999999999999 atoms", 3, "'99999999999999999999'", "whole number"},
    {3, "2 3 atoms", 3, "'2 3 atoms'", "1 number before 'atoms'"},
    {3, "2 Atoms", 3, "'2 Atoms'", "header line"},
    {3, "2 atoms\n2 atoms", 4, "'2 atoms'", "only once"},
    {3, NULL, 8, "'Atoms'", "header line 'atoms'"},
    {4, NULL, 8, "'Atoms'", "header line 'atom types'"},
    {4, "0 atom types", 4, "'0'", "from 1 to 2147483647"},
    {4, "2147483648 atom types", 4, "'2147483648'", "from 1 to 2147483647"},
    {5, NULL, 8, "'Atoms'", "header line 'xlo xhi'"},
    {7, NULL, 8, "'Atoms'", "header line 'zlo zhi'"},
    {5, "1 1 xlo xhi", 5, "'1 1 xlo xhi'", "the second number above the first"},
    {5, "1 -1 xlo xhi", 5, "'1 -1 xlo xhi'", "the second number above the first"},
    {5, "0 xlo xhi", 5, "'0 xlo xhi'", "2 numbers before 'xlo xhi'"},
    {5, "0 1x xlo xhi", 5, "'1x'", "a finite number for the upper side"},
    {5, "0 1e999 xlo xhi", 5, "'1e999'", "a finite number"},
    {5, "0 1 xlo yhi", 5, "'0 1 xlo yhi'", "header line"},
    {5, "0 nan xlo xhi", 5, "'0 nan xlo xhi'", "header line"},
    {2, "0 1x 0 xy xz yz", 2, "'1x'", "a finite number for the tilt"},
    {2, "0 0 1e999 xy xz yz", 2, "'1e999'", "a finite number for the tilt"},
    {2, "0 0.5 xy xz yz", 2, "'0 0.5 xy xz yz'", "3 numbers before 'xy xz yz'"},
    {2, "0 0 0 xy xz yz\n0 0 0 xy xz yz", 3, "'0 0 0 xy xz yz'", "only once"},
    {2, "3 bonds", 2, "'3 bonds'", "0 of these"},
    {2, "1 ellipsoids", 2, "'1 ellipsoids'", "0 of these"},
    {2, "5 widgets", 2, "'5 widgets'", "header line"},
    /* headings */
    {9, "Atoms # full", 9, "atom style 'full'", "'sphere'"},
    {9, "Atoms # bond/angle", 9, "atom style 'bond/angle'", "'sphere'"},
    {9, "Atoms sphere", 9, "'Atoms sphere'", "section 'Atoms' or 'Velocities'"},
    {9, "atoms", 9, "'atoms'", "section 'Atoms' or 'Velocities'"},
    {9, "Masses", 9, "'Masses'", "section 'Atoms' or 'Velocities'"},
    {9, "Pair Coeffs # granular", 9, "'Pair Coeffs'", "section 'Atoms' or 'Velocities'"},
    {9, "Velocities", 9, "'Velocities'", "section 'Atoms' before it"},
    {9, NULL, 10, "'1 1 0.5 2.5 0.1 0.2 0.3 0 0 0'", "header line"},
    {14, "Bonds", 14, "'Bonds'", "section 'Atoms' or 'Velocities'"},
    {14, "Atoms", 14, "a second section 'Atoms'", "once"},
    {17, "1 -1 -2 -3 -4 -5 -6\nVelocities", 18, "a second section 'Velocities'", "once"},
    /* rows of Atoms */
    {12, NULL, 13, "'Velocities'", "row 2 of 2 of section Atoms"},
    {12, "7 2 0.25 2 0.4 0.5 0.6 0 0 0\n8 1 1 1 1 1 1 0 0 0", 13, "'8 1 1 1 1 1 1 0 0 0'", "after 2 rows"},
    {11, "1 1 0.5 2.5 0.1 0.2", 11, "6 columns", "7 or 10"},
    {11, "1 1 0.5 2.5 0.1 0.2 0.3 0", 11, "8 columns", "7 or 10"},
    {11, "1 1 0.5 2.5 0.1 0.2 0.3 0 0 0 0 0 0 0 0 0 0 0", 11, "18 columns", "7 or 10"},
    {12, "7 2 0.25 2 0.4 0.5 0.6", 12, "7 columns", "10 as in the first row"},
    {12, "1 2 0.25 2 0.4 0.5 0.6 0 0 0", 12, "atom id 1 again", "once"},
    {12, "0 2 0.25 2 0.4 0.5 0.6 0 0 0", 12, "'0'", "an atom id of at least 1"},
    {12, "-3 2 0.25 2 0.4 0.5 0.6 0 0 0", 12, "'-3'", "an atom id of at least 1"},
    {12, "7.0 2 0.25 2 0.4 0.5 0.6 0 0 0", 12, "'7.0'", "an atom id"},
    {12, "x 2 0.25 2 0.4 0.5 0.6 0 0 0", 12, "'x 2 0.25", "row 2 of 2"},
    {12, "7 3 0.25 2 0.4 0.5 0.6 0 0 0", 12, "'3'", "a type from 1 to 2"},
    {12, "7 0 0.25 2 0.4 0.5 0.6 0 0 0", 12, "'0'", "a type from 1 to 2"},
    {12, "7 2 0 2 0.4 0.5 0.6 0 0 0", 12, "diameter 0 (a LAMMPS point particle)", "a diameter above 0"},
    {12, "7 2 -0.25 2 0.4 0.5 0.6 0 0 0", 12, "'-0.25'", "a diameter above 0"},
    {12, "7 2 5e-324 2 0.4 0.5 0.6 0 0 0", 12, "'5e-324'", "a diameter above 0"},
    {12, "7 2 inf 2 0.4 0.5 0.6 0 0 0", 12, "'inf'", "a finite number for diameter"},
    {12, "7 2 0.25 0 0.4 0.5 0.6 0 0 0", 12, "'0'", "a density above 0"},
    {12, "7 2 0.25 -2 0.4 0.5 0.6 0 0 0", 12, "'-2'", "a density above 0"},
    {12, "7 2 0.25 2 nan 0.5 0.6 0 0 0", 12, "'nan'", "a finite number for x"},
    {12, "7 2 0.25 2 0.4 1e400 0.6 0 0 0", 12, "'1e400'", "a finite number for y"},
    {12, "7 2 0.25 2 0.4 0.5 0x1p3 0 0 0", 12, "'0x1p3'", "a finite number for z"},
    {12, "7 2 0.25 2 0.4 0.5 0.6 0 0.5 0", 12, "'0.5'", "an image flag"},
    {12, "7 2 0.25 2 0.4 0.5 0.6 0 0 2147483648", 12, "'2147483648'", "an image flag"},
    /* rows of Velocities */
    {17, NULL, 16, "the end of the file", "row 2 of 2 of section Velocities"},
    {17, "1 -1 -2 -3", 17, "4 columns", "7 (id vx vy vz wx wy wz)"},
    {17, "1 -1 -2 -3 -4 -5 -6 -7", 17, "8 columns", "7 (id vx vy vz wx wy wz)"},
    {17, "2 -1 -2 -3 -4 -5 -6", 17, "atom id 2", "an id of the Atoms section"},
    {17, "7 -1 -2 -3 -4 -5 -6", 17, "atom id 7 again", "once"},
    {17, "1 -1 2*3 -3 -4 -5 -6", 17, "'2*3'", "a finite number for vy"},
    {17, "1 -1 -2 -3 -4 -5 1e", 17, "'1e'", "a finite number for wz"},
    {17, "1 -1 -2 -3 -4 -5 -6\n2 1 1 1 1 1 1", 18, "'2 1 1 1 1 1 1'", "after 2 rows"},
    {17, "1 -1 -2 -3 -4 -5 -6\n\nBodies", 19, "'Bodies'", "section 'Atoms' or 'Velocities'"},
    /* bytes that no such file has */
    {12, "7 2 \001\377\033[31m 2 0.4 0.5 0.6 0 0 0", 12, "'???[31m'", "a finite number for diameter"},
    {9, "\303\204toms", 9, "'??toms'", "header line"},
};

enum { GARBLED_CASES = sizeof garbled_cases / sizeof garbled_cases[0] };

static void check_refusal(dem_status status, int line, const char *found, const char *expected) {
  char beginning[32];
  const char *message = dem_context_message(data_text_context);
  snprintf(beginning, sizeof beginning, "line %d: found ", line);
  if (status == DEM_BAD_FORMAT && strncmp(message, beginning, strlen(beginning)) == 0 && strstr(message, found) &&
      strstr(message, expected) && strstr(message, ", expected "))
    return;
  fail_msg("%s; wanted line %d, %s, %s; got: %s", dem_status_name(status), line, found, expected, message);
}

static void test_garbled(void **state) {
  (void)state;
  for (int i = 0; i < GARBLED_CASES; i++) {
    const garbled *g = &garbled_cases[i];
    char text[DATA_TEXT_SIZE];
    dem_data *data = NULL;
    data_text_compose(text, g->line, g->text, "\n");
    check_refusal(data_text_read(text, &data), g->blamed, g->found, g->expected);
    data_text_compose(text, g->line, g->text, "\r\n");
    check_refusal(data_text_read_bytes(text, (int64_t)strlen(text), 1, &data), g->blamed, g->found, g->expected);
  }
}

static void test_empty(void **state) {
  (void)state;
  dem_data *data = NULL;
  check_refusal(data_text_read("", &data), 1, "the end of the file", "header line 'atoms'");
  check_refusal(data_text_read("title", &data), 1, "the end of the file", "header line 'atoms'");
  check_refusal(data_text_read("title\n\n\n", &data), 3, "the end of the file", "header line 'atoms'");
}

static void test_long_line(void **state) {
  (void)state;
  static char text[200000];
  dem_data *data = NULL;
  memset(text, 'x', sizeof text - 1);
  check_refusal(data_text_read(text, &data), 1, "65536 bytes or more", "a shorter one");
  data_text_compose(text, 0, NULL, "\n");
  memset(text + strlen(text), '#', 65535);
  text[65535 + strlen(data_text_lines[0])] = '\0';
  data_text_accept(text, 0, 1);
}

/* A file cut anywhere is refused, unless only blanks or the whole section Velocities are missing. */
static void test_truncated(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  data_text_compose(text, 0, NULL, "\n");
  const int64_t atoms_end = strstr(text, "Velocities") - text, size = (int64_t)strlen(text);
  for (int64_t cut = 0; cut < size; cut++) {
    dem_data *data = NULL;
    const dem_status status = data_text_read_bytes(text, cut, 0, &data);
    const int whole = cut == size - 1 || (cut >= atoms_end - 2 && cut <= atoms_end);
    assert_int_equal(status, whole ? DEM_OK : DEM_BAD_FORMAT);
    if (whole) data_text_check(data, cut == size - 1);
    dem_data_destroy(data);
  }
}

/* Any single byte replaced by any of a few: read or refused, never anything else. */
static void test_changed_bytes(void **state) {
  (void)state;
  static const char bytes_tried[] = {'\0', ' ', '\n', '#', '9', '-', '.', 'e', 'A', '\377'};
  char text[DATA_TEXT_SIZE];
  data_text_compose(text, 0, NULL, "\n");
  const int64_t size = (int64_t)strlen(text);
  for (int64_t i = 0; i < size; i++)
    for (size_t k = 0; k < sizeof bytes_tried; k++) {
      dem_data *data = NULL;
      const char before = text[i];
      text[i] = bytes_tried[k];
      const dem_status status = data_text_read_bytes(text, size, 0, &data);
      assert_true(status == DEM_OK || status == DEM_BAD_FORMAT);
      dem_data_destroy(data);
      text[i] = before;
    }
}

/* A header that promises more than there is must not cost memory. */
static void test_huge_count(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  dem_data *data = NULL;
  data_text_compose(text, 3, "9223372036854775807 atoms", "\n");
  check_refusal(data_text_read(text, &data), 14, "'Velocities'", "row 3 of 9223372036854775807");
}

static void test_source_fails(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  data_text_compose(text, 0, NULL, "\n");
  for (int64_t at = 0; at < (int64_t)strlen(text); at++) {
    dem_data *data = NULL;
    bytes b = {.text = text, .size = (int64_t)strlen(text), .chunk = 3, .fail_at = at};
    const dem_source source = bytes_source(&b);
    assert_int_equal(dem_data_read(data_text_context, &source, &data), DEM_IO_ERROR);
    assert_null(data);
    assert_non_null(strstr(dem_context_message(data_text_context), "could not be read"));
  }
}

static int64_t lying_read(void *user, void *buffer, int64_t size) {
  (void)user, (void)buffer;
  return size + 1;
}

static void test_arguments(void **state) {
  (void)state;
  dem_data *data = (dem_data *)&data;
  dem_source source = {.struct_size = sizeof source, .read = lying_read};
  assert_int_equal(dem_data_read(NULL, &source, &data), DEM_BAD_ARGUMENT);
  assert_null(data);
  assert_int_equal(dem_data_read(data_text_context, NULL, &data), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(data_text_context), "source is NULL"));
  assert_int_equal(dem_data_read(data_text_context, &source, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_read(data_text_context, &source, &data), DEM_IO_ERROR);
  source.read = NULL;
  assert_int_equal(dem_data_read(data_text_context, &source, &data), DEM_BAD_ARGUMENT);
  source = (dem_source){.struct_size = 8, .read = lying_read};
  assert_int_equal(dem_data_read(data_text_context, &source, &data), DEM_BAD_STRUCT);
  source = (dem_source){.struct_size = sizeof source, .reserved_zero = 1, .read = lying_read};
  assert_int_equal(dem_data_read(data_text_context, &source, &data), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_read_path(data_text_context, NULL, &data), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_box(NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_types(NULL, NULL), DEM_BAD_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_garbled),       TEST(test_empty),      TEST(test_long_line),    TEST(test_truncated),
      TEST(test_changed_bytes), TEST(test_huge_count), TEST(test_source_fails), TEST(test_arguments),
  };
  return cmocka_run_group_tests_name("io data refusals", tests, NULL, NULL);
}
