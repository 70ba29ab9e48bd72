/* A header line is one or more numbers followed by keywords: "500 atoms", "0 1.5 xlo xhi". Lines of what a bed of spheres does
 * not have (bonds, angles) pass when they say zero. */
#include "lammps_header.h"

#include <stdio.h>
#include <string.h>

#include "fields.h"

/* The first ones are also places in the table. */
enum { ATOMS, TYPES, BOX_X, BOX_Y, BOX_Z, TILT, NONE_OF };

/* Text in the table itself, not behind pointers: nothing to relocate when the library is loaded. */
typedef struct keyword {
  char text[28];
  int32_t kind;
  int32_t values;
} keyword;

static const keyword keywords[] = {
    {"atoms", ATOMS, 1},
    {"atom types", TYPES, 1},
    {"xlo xhi", BOX_X, 2},
    {"ylo yhi", BOX_Y, 2},
    {"zlo zhi", BOX_Z, 2},
    {"xy xz yz", TILT, 3},
    {"bonds", NONE_OF, 1},
    {"angles", NONE_OF, 1},
    {"dihedrals", NONE_OF, 1},
    {"impropers", NONE_OF, 1},
    {"bond types", NONE_OF, 1},
    {"angle types", NONE_OF, 1},
    {"dihedral types", NONE_OF, 1},
    {"improper types", NONE_OF, 1},
    {"ellipsoids", NONE_OF, 1},
    {"lines", NONE_OF, 1},
    {"triangles", NONE_OF, 1},
    {"bodies", NONE_OF, 1},
    {"extra bond per atom", NONE_OF, 1},
    {"extra angle per atom", NONE_OF, 1},
    {"extra dihedral per atom", NONE_OF, 1},
    {"extra improper per atom", NONE_OF, 1},
    {"extra special per atom", NONE_OF, 1},
};

enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

/* Is `text` the words of the line from `first` on, one blank between two? */
static int words_are(const demi_lines *lines, int32_t first, const char *text) {
  for (int32_t i = first; i < lines->count && i < DEMI_LINE_WORDS; i++) {
    const demi_word *word = &lines->words[i];
    if (i > first && *text++ != ' ') return 0;
    for (size_t k = 0; k < word->length; k++)
      if (*text == '\0' || *text++ != word->text[k]) return 0;
  }
  return *text == '\0';
}

static int32_t leading_numbers(const demi_lines *lines) {
  int32_t n = 0;
  while (n < lines->count && n < DEMI_LINE_WORDS && strchr("0123456789+-.", lines->words[n].text[0])) n++;
  return n;
}

static const keyword *find_keyword(const demi_lines *lines, int32_t first) {
  for (int i = 0; i < KEYWORDS; i++)
    if (words_are(lines, first, keywords[i].text)) return &keywords[i];
  return NULL;
}

static dem_status take_box(demi_lammps_header *header, const demi_lines *lines, const demi_numbers *numbers, int axis) {
  dem_status status = demi_field_real(lines, numbers, 0, "the lower side", &header->low[axis]);
  if (status == DEM_OK) status = demi_field_real(lines, numbers, 1, "the upper side", &header->high[axis]);
  if (status == DEM_OK && !(header->high[axis] > header->low[axis]))
    status = demi_lines_refuse_word(lines, -1, "the second number above the first");
  return status;
}

static dem_status take_tilt(demi_lammps_header *header, const demi_lines *lines, const demi_numbers *numbers) {
  dem_status status = DEM_OK;
  for (int i = 0; i < 3 && !status; i++) status = demi_field_real(lines, numbers, i, "the tilt", &header->tilt[i]);
  return status;
}

static dem_status take_none(const demi_lines *lines) {
  int64_t count;
  if (demi_integer_parse(lines->words[0].text, lines->words[0].length, &count) && count == 0) return DEM_OK;
  return demi_lines_refuse_word(lines, -1, "0 of these (atom style sphere has none)");
}

static dem_status take_types(demi_lammps_header *header, const demi_lines *lines) {
  int64_t types = 0;
  const dem_status status = demi_field_integer(lines, 0, 1, INT32_MAX, "a whole number", &types);
  header->types = (int32_t)types;
  return status;
}

static dem_status take(demi_lammps_header *header, const demi_lines *lines, const demi_numbers *numbers, int32_t kind) {
  switch (kind) {
    case ATOMS: return demi_field_integer(lines, 0, 0, INT64_MAX, "a whole number", &header->atoms);
    case TYPES: return take_types(header, lines);
    case TILT: return take_tilt(header, lines, numbers);
    case NONE_OF: return take_none(lines);
    default: return take_box(header, lines, numbers, kind - BOX_X);
  }
}

dem_status demi_lammps_header_line(demi_lammps_header *header, const demi_lines *lines, const demi_numbers *numbers) {
  const int32_t values = leading_numbers(lines);
  const keyword *word = find_keyword(lines, values);
  if (!word)
    return demi_lines_refuse_word(lines, -1, "a header line (atoms, atom types, xlo xhi, ylo yhi, zlo zhi) or a section");
  if (values != word->values) {
    char expected[64];
    snprintf(expected, sizeof expected, "%d number%s before '%.28s'", (int)word->values, word->values > 1 ? "s" : "",
             word->text);
    return demi_lines_refuse_word(lines, -1, expected);
  }
  if (word->kind != NONE_OF && header->given & 1u << word->kind)
    return demi_lines_refuse_word(lines, -1, "this header line only once");
  header->given |= 1u << word->kind;
  return take(header, lines, numbers, word->kind);
}

dem_status demi_lammps_header_complete(const demi_lammps_header *header, const demi_lines *lines) {
  for (int kind = ATOMS; kind <= BOX_Z; kind++) {
    char expected[64];
    if (header->given & 1u << kind) continue;
    snprintf(expected, sizeof expected, "the header line '%.28s' before it", keywords[kind].text);
    return demi_lines_refuse_word(lines, -1, expected);
  }
  return DEM_OK;
}
