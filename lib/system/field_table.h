/* The table of the fields of the particles: one row for each field, with everything that get, set, views and writers must know.
 *
 * A field lies in a column of the store: row k of the field begins at column[width k + first] and has `components` numbers. A field
 * with a function `derive` or `whole` is computed when it is read. Its view shows the column as it stands or, where it is `copied`, a
 * copy of the computed values in the rows that the next sort will overwrite. A field without a column has no view.
 *
 * The columns that a host adds follow the fields in the index: index = DEMI_FIELD_ROWS + k for the column DEM_COLUMN_FIRST + k. */
#ifndef DEMI_FIELD_TABLE_H
#define DEMI_FIELD_TABLE_H

#include <stddef.h>

#include <dem/system.h>

enum { DEMI_FIELD_ROWS = 32, DEMI_FIELD_INDICES = 64 }; /* above the numbers of all fields; with the columns of the host */
enum { DEMI_FIELD_WIDTH = 16 };                         /* most components */

#define DEMI_NO_COLUMN SIZE_MAX

/* Type of the numbers. */
enum { DEMI_FIELD_REAL = 0, DEMI_FIELD_INTEGER = 1 };

/* Values that may be set. */
enum {
  DEMI_RANGE_ANY = 0,      /* every double */
  DEMI_RANGE_BOUNDED = 1,  /* finite, at most DEMI_LARGEST in size */
  DEMI_RANGE_POSITIVE = 2, /* bounded and > 0 */
  DEMI_RANGE_RATE = 3      /* bounded and >= 0 */
};

/* What a change of the field makes invalid. */
enum {
  DEMI_STALE_NOTHING = 0,
  DEMI_STALE_BOOKS = 1,    /* the books and the half-step velocity: forces that only the host sets */
  DEMI_STALE_FORCES = 2,   /* the forces: motion */
  DEMI_STALE_PARTICLES = 3 /* forces, contacts and neighbour list */
};

/* What a host may do with the field beside reading it; or-ed. */
enum {
  DEMI_MAY_SET = 1,        /* dem_system_set_field or dem_system_set_field_int */
  DEMI_MAY_WRITE_VIEW = 2, /* a view to write */
  DEMI_MAY_BEFORE_STEP = 4 /* both also from the callback before a step */
};

/* Components that are 0 in two dimensions; bit a for component a. */
enum { DEMI_FLAT_Z = 4, DEMI_FLAT_XY = 3 };

typedef struct demi_field demi_field;
struct demi_field {
  int32_t number;     /* public, DEM_...; 0: no such field */
  const char *symbol; /* name in messages, as a program spells it */
  const char *name;   /* name in files */
  const char *unit;   /* of the numbers; "" for pure numbers and the host's columns */
  int32_t type, components;
  size_t column;        /* offset of the pointer to the column in demi_columns, or DEMI_NO_COLUMN */
  int32_t first, width; /* of a row of the column: the first number of the field; all numbers */
  int32_t keeps;        /* DEMI_KEEP_... that a host's use of the field asks for; 0: its column is always there */
  int32_t may, range, stale;
  int32_t flat;           /* DEMI_FLAT_... */
  int32_t copied;         /* 1: the view is a copy */
  int32_t needs_ledger;   /* least value of the option `ledger` */
  int32_t vtk;            /* place of its array in a VTK file of particles, from 1; 0: not written */
  uint32_t follows;       /* bits of the fields it is computed from as they are written */
  uint32_t fluid_follows; /* the same once a field of the fluid was ever used */
  void (*derive)(const dem_system *system, const demi_field *field, int64_t row, double *out);
  void (*derive_integer)(const dem_system *system, const demi_field *field, int64_t row, int32_t *out);
  /* Computes the rows of all particles at once, `components` numbers each: a field that no row can tell by itself. */
  dem_status (*whole)(const dem_system *system, const demi_field *field, double *rows);
  dem_status (*whole_integer)(const dem_system *system, const demi_field *field, int32_t *rows);
  /* A rule of its own for a value, after that of the range; `k` is what the message calls the row. */
  dem_status (*check)(const dem_system *system, const demi_field *field, int64_t k, int64_t row, const double *value);
  void (*write)(dem_system *system, const demi_field *field, int64_t row, const double *value); /* NULL: copied as it is */
  void (*after_set)(dem_system *system);
  void (*after_view)(dem_system *system); /* when a view to write is closed */
};

/* By public number; rows without a field have the number 0. */
extern const demi_field demi_field_table[DEMI_FIELD_ROWS];

/* Describes the k-th column of the host in `room`; NULL when there is none. */
const demi_field *demi_field_added(const dem_system *system, int32_t k, demi_field *room);

/* The row of a public number, NULL when there is none. A column of the host is described in `room`. */
static inline const demi_field *demi_field_find(const dem_system *system, int32_t number, demi_field *room) {
  if (number >= DEM_COLUMN_FIRST) return demi_field_added(system, number - DEM_COLUMN_FIRST, room);
  return number > 0 && number < DEMI_FIELD_ROWS && demi_field_table[number].number ? &demi_field_table[number] : NULL;
}

/* The same for an index, 0 ... DEMI_FIELD_INDICES - 1. */
static inline const demi_field *demi_field_at(const dem_system *system, int32_t index, demi_field *room) {
  return index < DEMI_FIELD_ROWS ? demi_field_find(system, index, room)
                                 : demi_field_added(system, index - DEMI_FIELD_ROWS, room);
}

int32_t demi_field_index(const demi_field *field);
/* 1: a field or another array of the library has this name in files. */
int demi_field_name_taken(const char *name);

#endif
