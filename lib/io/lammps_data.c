/* LAMMPS data files of atom style sphere:
 *
 *   a title, always the first line, whatever it says
 *   header lines (lammps_header.c)
 *   Atoms # sphere        id type diameter density x y z [ix iy iz], one row per atom
 *   Velocities            id vx vy vz wx wy wz, one row per atom, in any order
 *
 * Positions stay as the file has them; the image flags ix iy iz are kept beside. */
#include <stdio.h>
#include <string.h>

#include "context.h"
#include "data.h"
#include "fields.h"
#include "io.h"
#include "lammps_header.h"
#include "tags.h"

enum { ATOM_COLUMNS = 7, ATOM_COLUMNS_IMAGES = 10, VELOCITY_COLUMNS = 7 };

typedef struct reader {
  dem_context *context;
  demi_lines lines;
  demi_numbers numbers;
  demi_lammps_header header;
  demi_tags tags;
  dem_data *data;
  int64_t row;        /* rows of the present section so far */
  int32_t columns;    /* words per row of Atoms, by its first row */
  int32_t atoms_done; /* the section has been read */
  int64_t *line;      /* per row of Atoms: its line, `line_count` long; ids that repeat are found when all are known */
  int64_t line_count;
  unsigned char *moved; /* per row: had its velocity; `moved_size` bytes */
  size_t moved_size;
} reader;

static dem_status no_memory(const reader *r) {
  return demi_refuse_context(r->context, DEM_NO_MEMORY, "out of memory at line %lld of the data file",
                             (long long)r->lines.number);
}

/* Three numbers from the given word on; `names` has three of two letters each. */
static dem_status take_vector(const reader *r, int32_t word, const char names[3][3], double *values) {
  dem_status status = DEM_OK;
  for (int32_t i = 0; i < 3 && status == DEM_OK; i++)
    status = demi_field_real(&r->lines, &r->numbers, word + i, names[i], &values[i]);
  return status;
}

static dem_status take_positive(const reader *r, int32_t word, const char *what, double *value) {
  char expected[64];
  const dem_status status = demi_field_real(&r->lines, &r->numbers, word, what, value);
  if (status || *value > 0) return status;
  snprintf(expected, sizeof expected, "a %s above 0", what);
  return demi_lines_refuse_word(&r->lines, word, expected);
}

/* Half of the smallest numbers is 0, so the radius is what must be positive. */
static dem_status take_radius(const reader *r, int32_t word, double *radius) {
  double diameter;
  const dem_status status = demi_field_real(&r->lines, &r->numbers, word, "diameter", &diameter);
  if (status) return status;
  *radius = diameter / 2;
  if (*radius > 0) return DEM_OK;
  if (diameter == 0) return demi_lines_refuse(&r->lines, "diameter 0 (a LAMMPS point particle)", "a diameter above 0");
  return demi_lines_refuse_word(&r->lines, word, "a diameter above 0");
}

static dem_status refuse_tag(const reader *r, int64_t tag, const char *how, const char *expected) {
  char found[64];
  snprintf(found, sizeof found, "atom id %lld%s", (long long)tag, how);
  return demi_lines_refuse(&r->lines, found, expected);
}

/* As much room as the columns of the data have. */
static dem_status note_line(reader *r, int64_t row) {
  if (row >= r->line_count) {
    const int64_t wanted = r->data->capacity;
    if ((uint64_t)wanted > SIZE_MAX / sizeof *r->line) return DEM_NO_MEMORY;
    int64_t *fresh = demi_resize(r->context, r->line, (size_t)r->line_count * sizeof *fresh, (size_t)wanted * sizeof *fresh);
    if (!fresh) return DEM_NO_MEMORY;
    r->line = fresh;
    r->line_count = wanted;
  }
  r->line[row] = r->lines.number;
  return DEM_OK;
}

static dem_status take_new_tag(reader *r, int64_t row) {
  const dem_status status = demi_field_integer(&r->lines, 0, 1, INT64_MAX, "an atom id", &demi_data_tags(r->data)[row]);
  if (status) return status;
  return note_line(r, row) ? no_memory(r) : DEM_OK;
}

/* Once all rows of Atoms are known. */
static dem_status sort_tags(reader *r) {
  const int64_t *tags = demi_data_tags(r->data);
  if (demi_tags_sort(&r->tags, tags, r->data->count)) return no_memory(r);
  const int64_t row = demi_tags_repeated(&r->tags);
  if (row < 0) return DEM_OK;
  r->lines.number = r->line[row];
  return refuse_tag(r, tags[row], " again", "every id once");
}

static dem_status take_material(const reader *r, int64_t row) {
  int64_t type;
  const dem_status status = demi_field_integer(&r->lines, 1, 1, r->header.types, "a type", &type);
  if (status == DEM_OK) demi_data_integers(r->data, DEMI_DATA_MATERIAL)[row] = (int32_t)(type - 1);
  return status;
}

static dem_status take_images(const reader *r, int64_t row) {
  int32_t *image = demi_data_integers(r->data, DEMI_DATA_IMAGE) + 3 * row;
  for (int32_t i = 0; i < 3; i++) {
    int64_t value;
    const dem_status status = demi_field_integer(&r->lines, ATOM_COLUMNS + i, INT32_MIN, INT32_MAX, "an image flag", &value);
    if (status) return status;
    image[i] = (int32_t)value;
  }
  return DEM_OK;
}

/* All rows are as long as the first one; a row cut short at its image flags would look complete otherwise. */
static dem_status check_atom_columns(reader *r) {
  char found[64], expected[96];
  const int32_t count = r->lines.count;
  if (r->columns == 0 && (count == ATOM_COLUMNS || count == ATOM_COLUMNS_IMAGES)) r->columns = count;
  if (count == r->columns) return DEM_OK;
  snprintf(found, sizeof found, "%d columns", (int)count);
  if (r->columns)
    snprintf(expected, sizeof expected, "%d as in the first row of Atoms", (int)r->columns);
  else
    snprintf(expected, sizeof expected, "7 or 10 (id type diameter density x y z [ix iy iz])");
  return demi_lines_refuse(&r->lines, found, expected);
}

static dem_status read_atom(reader *r) {
  static const char names[3][3] = {"x", "y", "z"};
  dem_data *data = r->data;
  const int64_t row = data->count;
  dem_status status = check_atom_columns(r);
  if (status) return status;
  if (demi_data_grow(data, r->header.atoms)) return no_memory(r);
  status = take_new_tag(r, row);
  if (status == DEM_OK) status = take_material(r, row);
  if (status == DEM_OK) status = take_radius(r, 2, &demi_data_reals(data, DEMI_DATA_RADIUS)[row]);
  if (status == DEM_OK) status = take_positive(r, 3, "density", &demi_data_reals(data, DEMI_DATA_DENSITY)[row]);
  if (status == DEM_OK) status = take_vector(r, 4, names, demi_data_reals(data, DEMI_DATA_POSITION) + 3 * row);
  if (status == DEM_OK && r->columns == ATOM_COLUMNS_IMAGES) status = take_images(r, row);
  return status;
}

static dem_status find_moved_row(reader *r, int64_t *row) {
  int64_t tag;
  const dem_status status = demi_field_integer(&r->lines, 0, 1, INT64_MAX, "an atom id", &tag);
  if (status) return status;
  *row = demi_tags_find(&r->tags, tag);
  if (*row < 0) return refuse_tag(r, tag, "", "an id of the Atoms section");
  if (r->moved[*row]) return refuse_tag(r, tag, " again", "every id once");
  r->moved[*row] = 1;
  return DEM_OK;
}

static dem_status read_velocity(reader *r) {
  static const char velocity_names[3][3] = {"vx", "vy", "vz"}, spin_names[3][3] = {"wx", "wy", "wz"};
  int64_t row = 0;
  if (r->lines.count != VELOCITY_COLUMNS) {
    char found[64];
    snprintf(found, sizeof found, "%d columns", (int)r->lines.count);
    return demi_lines_refuse(&r->lines, found, "7 (id vx vy vz wx wy wz)");
  }
  dem_status status = find_moved_row(r, &row);
  if (status == DEM_OK) status = take_vector(r, 1, velocity_names, demi_data_reals(r->data, DEMI_DATA_VELOCITY) + 3 * row);
  if (status == DEM_OK) status = take_vector(r, 4, spin_names, demi_data_reals(r->data, DEMI_DATA_SPIN) + 3 * row);
  return status;
}

static int begins_with_letter(const demi_lines *lines) {
  const char c = lines->count > 0 ? lines->words[0].text[0] : '\0';
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static dem_status refuse_missing_row(const reader *r, const char *section) {
  char expected[96];
  snprintf(expected, sizeof expected, "row %lld of %lld of section %s", (long long)(r->row + 1), (long long)r->header.atoms,
           section);
  return demi_lines_refuse_word(&r->lines, -1, expected);
}

/* Reads as many rows as there are atoms. */
static dem_status read_rows(reader *r, const char *section, dem_status (*read_row)(reader *)) {
  for (r->row = 0; r->row < r->header.atoms; r->row++) {
    dem_status status = demi_lines_next_filled(&r->lines);
    if (status) return status;
    if (r->lines.ended || begins_with_letter(&r->lines)) return refuse_missing_row(r, section);
    status = read_row(r);
    if (status) return status;
  }
  return DEM_OK;
}

static int heading_is(const demi_lines *lines, const char *name) {
  return lines->count == 1 && demi_word_is(&lines->words[0], name);
}

/* LAMMPS writes the atom style behind the heading. */
static dem_status check_hint(const reader *r) {
  char quote[DEMI_QUOTE_SIZE], found[DEMI_QUOTE_SIZE + 16];
  const demi_word *hint = &r->lines.hint;
  if (hint->length == 0 || demi_word_is(hint, "sphere")) return DEM_OK;
  snprintf(found, sizeof found, "atom style %s", demi_word_quote(hint, quote));
  return demi_lines_refuse(&r->lines, found, "'sphere' or no style behind 'Atoms'");
}

static dem_status read_atoms(reader *r) {
  if (r->atoms_done) return demi_lines_refuse(&r->lines, "a second section 'Atoms'", "it only once");
  dem_status status = check_hint(r);
  if (status == DEM_OK) status = read_rows(r, "Atoms", read_atom);
  if (status == DEM_OK) status = sort_tags(r);
  r->atoms_done = 1;
  return status;
}

static dem_status read_velocities(reader *r) {
  if (!r->atoms_done) return demi_lines_refuse_word(&r->lines, -1, "section 'Atoms' before it");
  if (r->data->velocities) return demi_lines_refuse(&r->lines, "a second section 'Velocities'", "it only once");
  r->data->velocities = 1;
  if (r->header.atoms == 0) return DEM_OK;
  r->moved_size = (size_t)r->data->count;
  r->moved = demi_allocate_zero(r->context, r->moved_size);
  return r->moved ? read_rows(r, "Velocities", read_velocity) : no_memory(r);
}

static dem_status read_section(reader *r) {
  const int atoms = heading_is(&r->lines, "Atoms");
  if (!atoms && !heading_is(&r->lines, "Velocities"))
    return demi_lines_refuse_word(&r->lines, -1, "a header line or the section 'Atoms' or 'Velocities'");
  const dem_status status = demi_lammps_header_complete(&r->header, &r->lines);
  if (status) return status;
  return atoms ? read_atoms(r) : read_velocities(r);
}

/* The first line is a title even when it looks like anything else. */
static dem_status read_header(reader *r) {
  dem_status status = demi_lines_next(&r->lines);
  for (;;) {
    if (status == DEM_OK) status = demi_lines_next_filled(&r->lines);
    if (status || r->lines.ended || begins_with_letter(&r->lines)) return status;
    status = demi_lammps_header_line(&r->header, &r->lines, &r->numbers);
  }
}

static dem_status refuse_surplus(const reader *r) {
  char expected[96];
  snprintf(expected, sizeof expected, "a section or the end of the file after %lld rows", (long long)r->header.atoms);
  return demi_lines_refuse_word(&r->lines, -1, expected);
}

static dem_status read_sections(reader *r) {
  while (!r->lines.ended) {
    dem_status status = begins_with_letter(&r->lines) ? read_section(r) : refuse_surplus(r);
    if (status == DEM_OK) status = demi_lines_next_filled(&r->lines);
    if (status) return status;
  }
  const dem_status status = demi_lammps_header_complete(&r->header, &r->lines);
  if (status == DEM_OK && !r->atoms_done && r->header.atoms > 0)
    return demi_lines_refuse_word(&r->lines, -1, "section 'Atoms'");
  return status;
}

static dem_status read_all(reader *r) {
  dem_status status = read_header(r);
  if (status == DEM_OK) status = read_sections(r);
  if (status == DEM_OK && demi_data_trim(r->data)) status = no_memory(r);
  if (status) return status;
  r->data->types = r->header.types;
  memcpy(r->data->low, r->header.low, sizeof r->data->low);
  memcpy(r->data->high, r->header.high, sizeof r->data->high);
  memcpy(r->data->tilt, r->header.tilt, sizeof r->data->tilt);
  return DEM_OK;
}

static dem_status reader_open(reader *r, dem_context *context, const dem_source *source, const char *path) {
  memset(r, 0, sizeof *r);
  r->context = context;
  demi_tags_open(&r->tags, context);
  const dem_status status = demi_lines_open(&r->lines, context, source, path);
  if (status) return status;
  r->data = demi_data_create(context);
  return !r->data || demi_numbers_open(&r->numbers) ? no_memory(r) : DEM_OK;
}

static void reader_close(reader *r) {
  demi_free(r->context, r->moved, r->moved_size);
  demi_free(r->context, r->line, (size_t)r->line_count * sizeof *r->line);
  demi_data_destroy(r->data);
  demi_numbers_close(&r->numbers);
  demi_tags_close(&r->tags);
  demi_lines_close(&r->lines);
}

dem_status demi_io_read_data(dem_context *context, const dem_source *source, const char *path, dem_data **data) {
  reader r;
  dem_status status = reader_open(&r, context, source, path);
  if (status == DEM_OK) status = read_all(&r);
  if (status == DEM_OK) {
    *data = r.data;
    r.data = NULL;
  }
  reader_close(&r);
  return status;
}
