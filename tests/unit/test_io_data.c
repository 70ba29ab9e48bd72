/* Reading LAMMPS data files: what is taken, what is refused and at which line, and that nothing is lost on the way. */
#include "test_io_bytes.h"

#include "data.h"

/* Where the reference data lie; the build may say. */
#ifndef DEM_SHARED_DATA
#define DEM_SHARED_DATA "../shared/data"
#endif

/* The file most tests begin with; a line of it is known by its number, from 1. The last byte is a whole word. */
static const char *const good_lines[] = {
    "title",
    "",
    "2 atoms",
    "2 atom types",
    "-1 1.5 xlo xhi",
    "0 2 ylo yhi",
    "0 3 zlo zhi",
    "",
    "Atoms # sphere",
    "",
    "1 1 0.5 2.5 0.1 0.2 0.3 0 0 0",
    "7 2 0.25 2 0.4 0.5 0.6 -1 0 1",
    "",
    "Velocities",
    "",
    "7 1 2 3 4 5 6",
    "1 -1 -2 -3 -4 -5 -6",
};

enum { GOOD_LINES = sizeof good_lines / sizeof good_lines[0], TEXT_SIZE = 4096 };

static dem_context *the_context;
static int64_t memory_before;

static int make_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &the_context) != DEM_OK || dem_context_memory(the_context, &memory_before) != DEM_OK;
}

/* Refuses while anything born from the context is alive: every test also checks that nothing leaked. */
static int drop_context(void **state) {
  (void)state;
  int64_t memory = -1;
  dem_context_memory(the_context, &memory);
  return memory != memory_before || dem_context_destroy(the_context) != DEM_OK;
}

/* The good file with one line replaced, or dropped when `line` is NULL; number 0 changes nothing. */
static void compose(char text[TEXT_SIZE], int number, const char *line, const char *line_end) {
  text[0] = '\0';
  for (int i = 1; i <= GOOD_LINES; i++) {
    const char *present = i == number ? line : good_lines[i - 1];
    if (!present) continue;
    strcat(text, present);
    strcat(text, line_end);
  }
}

static dem_status read_bytes(const char *text, int64_t size, int64_t chunk, dem_data **data) {
  /* A copy of the exact size, so that a checker sees every step outside. */
  bytes b = {.text = malloc((size_t)size + (size == 0)), .size = size, .chunk = chunk, .fail_at = -1};
  assert_non_null(b.text);
  memcpy(b.text, text, (size_t)size);
  const dem_source source = bytes_source(&b);
  const dem_status status = dem_data_read(the_context, &source, data);
  free(b.text);
  assert_true((status == DEM_OK) == (*data != NULL));
  return status;
}

static dem_status read_text(const char *text, dem_data **data) { return read_bytes(text, (int64_t)strlen(text), 0, data); }

static void check_good(const dem_data *data, int velocities) {
  dem_particles p = {.struct_size = sizeof p};
  const int64_t *tags;
  double low[3], high[3];
  int32_t types;
  assert_int_equal(dem_data_box(data, low, high), DEM_OK);
  ASSERT_BITS(low, ((double[]){-1, 0, 0}), sizeof low);
  ASSERT_BITS(high, ((double[]){1.5, 2, 3}), sizeof high);
  assert_int_equal(dem_data_types(data, &types), DEM_OK);
  assert_int_equal(types, 2);
  assert_int_equal(dem_data_tags(data, &tags), DEM_OK);
  ASSERT_BITS(tags, ((int64_t[]){1, 7}), 2 * sizeof *tags);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, 2);
  ASSERT_BITS(p.position, ((double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6}), 6 * sizeof(double));
  ASSERT_BITS(p.radius, ((double[]){0.25, 0.125}), 2 * sizeof(double));
  ASSERT_BITS(p.density, ((double[]){2.5, 2}), 2 * sizeof(double));
  ASSERT_BITS(p.material, ((int32_t[]){0, 1}), 2 * sizeof(int32_t));
  assert_null(p.frozen);
  const double v = velocities;
  ASSERT_BITS(p.velocity, ((double[]){v * -1, v * -2, v * -3, v, v * 2, v * 3}), velocities ? 6 * sizeof(double) : 0);
  ASSERT_BITS(p.spin, ((double[]){v * -4, v * -5, v * -6, v * 4, v * 5, v * 6}), velocities ? 6 * sizeof(double) : 0);
  for (int i = 0; i < 6; i++) assert_true(velocities || (p.velocity[i] == 0 && p.spin[i] == 0));
}

static void accept(const char *text, int64_t chunk, int velocities) {
  dem_data *data = NULL;
  if (read_bytes(text, (int64_t)strlen(text), chunk, &data) != DEM_OK) fail_msg("%s", dem_context_message(the_context));
  check_good(data, velocities);
  dem_data_destroy(data);
}

static void test_good(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  dem_data *data = NULL;
  compose(text, 0, NULL, "\n");
  accept(text, 0, 1);
  assert_int_equal(read_text(text, &data), DEM_OK);
  ASSERT_BITS(demi_data_integers(data, DEMI_DATA_IMAGE), ((int32_t[]){0, 0, 0, -1, 0, 1}), 6 * sizeof(int32_t));
  assert_int_equal(dem_context_destroy(the_context), DEM_BUSY);
  dem_data_destroy(data);
  dem_data_destroy(NULL);
}

static void test_every_chunk(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  compose(text, 0, NULL, "\n");
  for (int64_t chunk = 1; chunk < 300; chunk++) accept(text, chunk, 1);
}

static void test_line_ends(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  compose(text, 0, NULL, "\r\n");
  accept(text, 0, 1);
  accept(text, 1, 1);
  compose(text, 0, NULL, "\n");
  text[strlen(text) - 1] = '\0';
  accept(text, 0, 1);
  accept(text, 1, 1);
}

/* Variants of one line that change nothing. */
static void test_tolerated(void **state) {
  (void)state;
  static const struct {
    int line;
    const char *text;
  } cases[] = {
      {1, ""},
      {1, "# 5 atoms"},
      {1, "3 atoms"},
      {1, "Atoms"},
      {2, "# a comment\n\n  \t # another"},
      {2, "0 0 0 xy xz yz"},
      {2, "0.0 -0 0e5 xy xz yz # not tilted"},
      {2, "0 bonds\n0 angles\n0 dihedrals\n0 impropers\n0 bond types\n0 ellipsoids\n0 bodies\n0 extra bond per atom"},
      {3, "\t2\tatoms # two"},
      {5, "-1e0 +1.5 xlo xhi"},
      {9, "Atoms"},
      {9, "  Atoms  #   sphere  "},
      {9, "Atoms #sphere"},
      {9, "Atoms #"},
      {10, "# note"},
      {11, "1 1 .5 2.5 1e-1 0.2 3E-1 0 0 0 # first"},
      {12, "\n\n7 2 0.25 2. 0.4 0.5 0.6 -1 0 1"},
      {14, "Velocities # sphere"},
      {17, "1 -1 -2 -3 -4 -5 -6\n\n\n# end\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[TEXT_SIZE];
    compose(text, cases[i].line, cases[i].text, "\n");
    accept(text, 0, 1);
  }
}

static void test_tilt(void **state) {
  (void)state;
  static const char *const lines[] = {"", "0.25 -0.5 1e-3 xy xz yz"};
  for (int k = 0; k < 2; k++) {
    char text[TEXT_SIZE];
    dem_data *data = NULL;
    double tilt[3] = {9, 9, 9};
    compose(text, 2, lines[k], "\n");
    assert_int_equal(read_text(text, &data), DEM_OK);
    check_good(data, 1);
    assert_int_equal(dem_data_tilt(data, tilt), DEM_OK);
    ASSERT_BITS(tilt, (k ? (double[]){0.25, -0.5, 1e-3} : (double[]){0, 0, 0}), sizeof tilt);
    assert_int_equal(dem_data_tilt(data, NULL), DEM_BAD_ARGUMENT);
    assert_int_equal(dem_data_tilt(NULL, tilt), DEM_BAD_ARGUMENT);
    dem_data_destroy(data);
  }
}

static void test_no_velocities(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  compose(text, 0, NULL, "\n");
  strstr(text, "Velocities")[0] = '\0';
  accept(text, 0, 0);
}

static void test_no_images(void **state) {
  (void)state;
  accept(
      "\n2 atoms\n2 atom types\n-1 1.5 xlo xhi\n0 2 ylo yhi\n0 3 zlo zhi\nAtoms\n"
      "1 1 0.5 2.5 0.1 0.2 0.3\n7 2 0.25 2 0.4 0.5 0.6",
      0, 0);
}

static void test_no_atoms(void **state) {
  (void)state;
  static const char *const texts[] = {"\n0 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n",
                                      "\n0 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms\n\nVelocities\n"};
  for (int i = 0; i < 2; i++) {
    dem_data *data = NULL;
    dem_particles p = {.struct_size = sizeof p};
    assert_int_equal(read_text(texts[i], &data), DEM_OK);
    assert_int_equal(dem_data_particles(data, &p), DEM_OK);
    assert_int_equal(p.count, 0);
    assert_true(p.position && p.velocity && p.radius && p.material);
    dem_data_destroy(data);
  }
}

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
  const char *message = dem_context_message(the_context);
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
    char text[TEXT_SIZE];
    dem_data *data = NULL;
    compose(text, g->line, g->text, "\n");
    check_refusal(read_text(text, &data), g->blamed, g->found, g->expected);
    compose(text, g->line, g->text, "\r\n");
    check_refusal(read_bytes(text, (int64_t)strlen(text), 1, &data), g->blamed, g->found, g->expected);
  }
}

static void test_empty(void **state) {
  (void)state;
  dem_data *data = NULL;
  check_refusal(read_text("", &data), 1, "the end of the file", "header line 'atoms'");
  check_refusal(read_text("title", &data), 1, "the end of the file", "header line 'atoms'");
  check_refusal(read_text("title\n\n\n", &data), 3, "the end of the file", "header line 'atoms'");
}

static void test_long_line(void **state) {
  (void)state;
  static char text[200000];
  dem_data *data = NULL;
  memset(text, 'x', sizeof text - 1);
  check_refusal(read_text(text, &data), 1, "65536 bytes or more", "a shorter one");
  compose(text, 0, NULL, "\n");
  memset(text + strlen(text), '#', 65535);
  text[65535 + strlen(good_lines[0])] = '\0';
  accept(text, 0, 1);
}

/* A file cut anywhere is refused, unless only blanks or the whole section Velocities are missing. */
static void test_truncated(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  compose(text, 0, NULL, "\n");
  const int64_t atoms_end = strstr(text, "Velocities") - text, size = (int64_t)strlen(text);
  for (int64_t cut = 0; cut < size; cut++) {
    dem_data *data = NULL;
    const dem_status status = read_bytes(text, cut, 0, &data);
    const int whole = cut == size - 1 || (cut >= atoms_end - 2 && cut <= atoms_end);
    assert_int_equal(status, whole ? DEM_OK : DEM_BAD_FORMAT);
    if (whole) check_good(data, cut == size - 1);
    dem_data_destroy(data);
  }
}

/* Any single byte replaced by any of a few: read or refused, never anything else. */
static void test_changed_bytes(void **state) {
  (void)state;
  static const char bytes_tried[] = {'\0', ' ', '\n', '#', '9', '-', '.', 'e', 'A', '\377'};
  char text[TEXT_SIZE];
  compose(text, 0, NULL, "\n");
  const int64_t size = (int64_t)strlen(text);
  for (int64_t i = 0; i < size; i++)
    for (size_t k = 0; k < sizeof bytes_tried; k++) {
      dem_data *data = NULL;
      const char before = text[i];
      text[i] = bytes_tried[k];
      const dem_status status = read_bytes(text, size, 0, &data);
      assert_true(status == DEM_OK || status == DEM_BAD_FORMAT);
      dem_data_destroy(data);
      text[i] = before;
    }
}

/* A header that promises more than there is must not cost memory. */
static void test_huge_count(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  dem_data *data = NULL;
  compose(text, 3, "9223372036854775807 atoms", "\n");
  check_refusal(read_text(text, &data), 14, "'Velocities'", "row 3 of 9223372036854775807");
}

static void test_source_fails(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  compose(text, 0, NULL, "\n");
  for (int64_t at = 0; at < (int64_t)strlen(text); at++) {
    dem_data *data = NULL;
    bytes b = {.text = text, .size = (int64_t)strlen(text), .chunk = 3, .fail_at = at};
    const dem_source source = bytes_source(&b);
    assert_int_equal(dem_data_read(the_context, &source, &data), DEM_IO_ERROR);
    assert_null(data);
    assert_non_null(strstr(dem_context_message(the_context), "could not be read"));
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
  assert_int_equal(dem_data_read(the_context, NULL, &data), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(the_context), "source is NULL"));
  assert_int_equal(dem_data_read(the_context, &source, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_read(the_context, &source, &data), DEM_IO_ERROR);
  source.read = NULL;
  assert_int_equal(dem_data_read(the_context, &source, &data), DEM_BAD_ARGUMENT);
  source = (dem_source){.struct_size = 8, .read = lying_read};
  assert_int_equal(dem_data_read(the_context, &source, &data), DEM_BAD_STRUCT);
  source = (dem_source){.struct_size = sizeof source, .reserved_zero = 1, .read = lying_read};
  assert_int_equal(dem_data_read(the_context, &source, &data), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_read_path(the_context, NULL, &data), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_box(NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_types(NULL, NULL), DEM_BAD_ARGUMENT);
}

static void test_accessors(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  dem_data *data = NULL;
  dem_particles p = {.struct_size = 4};
  double low[3];
  compose(text, 0, NULL, "\n");
  assert_int_equal(read_text(text, &data), DEM_OK);
  assert_int_equal(dem_data_box(data, low, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_tags(data, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_particles(data, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_particles(data, &p), DEM_BAD_STRUCT);
  dem_data_destroy(data);
}

static void test_locale(void **state) {
  (void)state;
  char text[TEXT_SIZE];
  if (!use_comma()) return;
  compose(text, 0, NULL, "\n");
  accept(text, 0, 1);
  setlocale(LC_ALL, "C");
}

/* The good file with many more rows, so that the columns grow. */
static void compose_rows(bytes *b, int count) {
  char line[200];
  const dem_sink sink = bytes_sink(b);
  snprintf(line, sizeof line, "t\n%d atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms\n", count);
  sink.write(b, line, (int64_t)strlen(line));
  for (int i = 0; i < count; i++) {
    snprintf(line, sizeof line, "%d 1 0.1 1 %d 0.123456789012345 0\n", count - i, i);
    sink.write(b, line, (int64_t)strlen(line));
  }
  sink.write(b, "Velocities\n", 11);
  for (int i = 0; i < count; i++) {
    snprintf(line, sizeof line, "%d 0 %d 0 0 0 0\n", i + 1, i + 1);
    sink.write(b, line, (int64_t)strlen(line));
  }
}

static void check_rows(const dem_data *data, int count) {
  dem_particles p = {.struct_size = sizeof p};
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, count);
  for (int i = 0; i < count; i++) {
    assert_true(p.position[3 * i] == i);
    assert_true(p.velocity[3 * i + 1] == count - i);
  }
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  bytes b = {.fail_at = -1};
  compose_rows(&b, 3000);
  const dem_source source = bytes_source(&b);
  for (int persistent = 0; persistent < 2; persistent++) {
    shortage s = {.persistent = persistent};
    dem_context *context = shortage_context(&s);
    const int64_t before = s.live;
    dem_status status = DEM_NO_MEMORY;
    for (int fail = 1; status != DEM_OK; fail++) {
      dem_data *data = NULL;
      s.calls = 0;
      s.fail = fail;
      b.at = 0;
      status = dem_data_read(context, &source, &data);
      assert_true(status == DEM_OK || status == DEM_NO_MEMORY);
      if (status == DEM_OK) check_rows(data, 3000);
      dem_data_destroy(data);
      assert_int_equal(s.live, before);
      assert_true(fail < 1000);
    }
    assert_true(s.calls > 40);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
  bytes_clear(&b);
}

static void read_shared(const char *file, int64_t count, int32_t types) {
  static const char *const folders[] = {DEM_SHARED_DATA, "../shared/data", "../../shared/data"};
  for (int i = 0; i < 3; i++) {
    char path[300];
    dem_data *data = NULL;
    dem_particles p = {.struct_size = sizeof p};
    int32_t got;
    snprintf(path, sizeof path, "%s/%s", folders[i], file);
    const double start = seconds();
    const dem_status status = dem_data_read_path(the_context, path, &data);
    if (status == DEM_IO_ERROR) continue;
    print_message("# %s: %.3f s\n", file, seconds() - start);
    if (status != DEM_OK) fail_msg("%s", dem_context_message(the_context));
    assert_int_equal(dem_data_particles(data, &p), DEM_OK);
    assert_int_equal(p.count, count);
    assert_int_equal(dem_data_types(data, &got), DEM_OK);
    assert_int_equal(got, types);
    dem_data_destroy(data);
    return;
  }
  print_message("# skipped: no %s\n", file);
}

static void test_chute(void **state) {
  (void)state;
  read_shared("chute/data.chute", 32000, 2);
}

static void test_bed(void **state) {
  (void)state;
  read_shared("bed50k/bed_hooke.data", 50000, 1);
}

/* ---- ids that somebody chose ---- */

enum { CHOSEN = 300000 };

/* Multiples of the inverse of a hash's usual multiplier, which put all rows into the same place of a table: a reader whose time
 * goes with the square of the rows takes minutes. Shuffled Velocities, and one id twice. */
static void chosen_ids_cost_no_more(void **state) {
  (void)state;
  const uint64_t inverse = UINT64_C(0xF1DE83E19937733D); /* of 0x9E3779B97F4A7C15, modulo 2^64 */
  assert_true(inverse * UINT64_C(0x9E3779B97F4A7C15) == 1);
  char *text = malloc((size_t)CHOSEN * 100), *at = text;
  int64_t *ids = malloc(CHOSEN * sizeof *ids);
  const int64_t *tags;
  dem_data *data = NULL;
  dem_particles p = {.struct_size = sizeof p};
  uint64_t k = 1;
  for (int n = 0; n < CHOSEN; k++)
    if ((int64_t)(inverse * k) > 0) ids[n++] = (int64_t)(inverse * k);
  at += sprintf(at, "t\n\n%d atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms\n\n", CHOSEN);
  char *first = at;
  for (int n = 0; n < CHOSEN; n++) at += sprintf(at, "%20lld 1 1 1 0 0 0\n", (long long)ids[n]);
  at += sprintf(at, "\nVelocities\n\n");
  for (int n = 0; n < CHOSEN; n++) { /* 7919 and the count have no common factor */
    const int row = (int)((int64_t)n * 7919 % CHOSEN);
    at += sprintf(at, "%lld %d 0 0 0 0 0\n", (long long)ids[row], row);
  }
  assert_int_equal(read_bytes(text, at - text, 0, &data), DEM_OK);
  assert_int_equal(dem_data_tags(data, &tags), DEM_OK);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  ASSERT_BITS(tags, ids, CHOSEN * sizeof *ids);
  for (int n = 0; n < CHOSEN; n++) assert_true(p.velocity[3 * n] == n);
  dem_data_destroy(data);
  memcpy(first + 33 * 1000L, first + 33 * 10L, 20); /* row 1001 gets the id of row 11; the rows begin in line 11 */
  assert_int_equal(read_bytes(text, at - text, 0, &data), DEM_BAD_FORMAT);
  assert_non_null(strstr(dem_context_message(the_context), "line 1011: found atom id "));
  free(text);
  free(ids);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_context, drop_context)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(chosen_ids_cost_no_more),
      TEST(test_good),
      TEST(test_every_chunk),
      TEST(test_line_ends),
      TEST(test_tolerated),
      TEST(test_tilt),
      TEST(test_no_velocities),
      TEST(test_no_images),
      TEST(test_no_atoms),
      TEST(test_garbled),
      TEST(test_empty),
      TEST(test_long_line),
      TEST(test_truncated),
      TEST(test_changed_bytes),
      TEST(test_huge_count),
      TEST(test_source_fails),
      TEST(test_arguments),
      TEST(test_accessors),
      TEST(test_locale),
      TEST(test_every_allocation_fails),
      TEST(test_chute),
      TEST(test_bed),
  };
  return cmocka_run_group_tests_name("io data", tests, NULL, NULL);
}
