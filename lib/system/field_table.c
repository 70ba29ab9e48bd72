/* One row for each field. A new field is a row here, its number in dem/system.h and, where none holds it yet, a column in
 * store/store.h. */
#include "field_table.h"

#include <string.h>

#include "field_rules.h"
#include "particles.h"
#include "state.h"

/* Numbers in a row of each column. */
#define WIDTH(type, name, width) WIDTH_##name = (width),
#define WIDTH_OPTIONAL(group, type, name, width) WIDTH(type, name, width)
enum { DEMI_COLUMNS(WIDTH) DEMI_OPTIONAL_COLUMNS(WIDTH_OPTIONAL) };
#undef WIDTH_OPTIONAL
#undef WIDTH

#define BIT(field) (UINT32_C(1) << (field))

/* `components` numbers of a column from `first` on; the rest by the names of the members. */
#define FIELD(field, name_, unit_, components_, column_, first_, ...) \
  [field] = {.number = (field),                                       \
             .symbol = #field,                                        \
             .name = (name_),                                         \
             .unit = (unit_),                                         \
             .components = (components_),                             \
             .column = offsetof(demi_columns, column_),               \
             .first = (first_),                                       \
             .width = WIDTH_##column_,                                \
             __VA_ARGS__}
/* Computed, without a view. */
#define COMPUTED(field, name_, unit_, components_, ...) \
  [field] = {.number = (field),                         \
             .symbol = #field,                          \
             .name = (name_),                           \
             .unit = (unit_),                           \
             .components = (components_),               \
             .column = DEMI_NO_COLUMN,                  \
             .width = (components_),                    \
             __VA_ARGS__}

#define INTEGER .type = DEMI_FIELD_INTEGER
#define READ_ONLY .may = 0
#define BY_SET .may = DEMI_MAY_SET
#define BY_VIEW .may = DEMI_MAY_SET | DEMI_MAY_WRITE_VIEW
#define BY_HOST .may = DEMI_MAY_SET | DEMI_MAY_WRITE_VIEW | DEMI_MAY_BEFORE_STEP, .range = DEMI_RANGE_BOUNDED
#define OF_FLUID .keeps = DEMI_KEEP_FLUID | DEMI_KEEP_SEEN
#define RATE                                                                                     \
  OF_FLUID, .write = demi_write_rate, .after_view = demi_after_rates, .stale = DEMI_STALE_BOOKS, \
            .may = DEMI_MAY_SET | DEMI_MAY_WRITE_VIEW | DEMI_MAY_BEFORE_STEP, .range = DEMI_RANGE_RATE
#define MOTION \
  BY_VIEW, .range = DEMI_RANGE_BOUNDED, .stale = DEMI_STALE_FORCES, .check = demi_check_motion, .write = demi_write_motion
#define MASS \
  BY_SET, .range = DEMI_RANGE_POSITIVE, .stale = DEMI_STALE_PARTICLES, .check = demi_check_mass, .write = demi_write_mass

const demi_field demi_field_table[DEMI_FIELD_ROWS] = {
    FIELD(DEM_POSITION, "position", "length", 3, position, 0, BY_VIEW, .range = DEMI_RANGE_BOUNDED, .flat = DEMI_FLAT_Z,
          .stale = DEMI_STALE_PARTICLES, .derive = demi_derive_position, .check = demi_check_place,
          .write = demi_write_position, .after_set = demi_after_positions, .after_view = demi_after_positions),
    FIELD(DEM_VELOCITY, "velocity", "length/time", 3, velocity, 0, MOTION, .flat = DEMI_FLAT_Z, .vtk = 3),
    FIELD(DEM_SPIN, "spin", "1/time", 3, velocity, 4, MOTION, .flat = DEMI_FLAT_XY, .vtk = 4),
    FIELD(DEM_RADIUS, "radius", "length", 1, position, 3, MASS, .after_set = demi_system_measure_radii, .vtk = 2),
    FIELD(DEM_DENSITY, "density", "mass/volume", 1, density, 0, MASS),
    FIELD(DEM_MASS, "mass", "mass", 1, mass, 0, READ_ONLY),
    FIELD(DEM_INERTIA, "inertia", "mass*length^2", 1, inertia, 0, READ_ONLY),
    FIELD(DEM_FORCE, "force", "force", 3, load, 0, READ_ONLY, .derive = demi_derive_total, .copied = 1, .vtk = 5,
          .follows = BIT(DEM_HOST_FORCE) | BIT(DEM_DRAG_RATE) | BIT(DEM_FLUID_VELOCITY), .fluid_follows = BIT(DEM_VELOCITY)),
    FIELD(DEM_TORQUE, "torque", "force*length", 3, load, 4, READ_ONLY, .derive = demi_derive_total, .copied = 1,
          .follows = BIT(DEM_HOST_TORQUE) | BIT(DEM_SPIN_DRAG_RATE) | BIT(DEM_FLUID_SPIN), .fluid_follows = BIT(DEM_SPIN)),
    FIELD(DEM_HOST_FORCE, "host_force", "force", 3, host, 0, BY_HOST, .flat = DEMI_FLAT_Z, .stale = DEMI_STALE_BOOKS),
    FIELD(DEM_HOST_TORQUE, "host_torque", "force*length", 3, host, 4, BY_HOST, .flat = DEMI_FLAT_XY, .stale = DEMI_STALE_BOOKS),
    FIELD(DEM_HALF_VELOCITY, "half_velocity", "length/time", 3, velocity, 0, READ_ONLY, .derive = demi_derive_half, .copied = 1,
          .follows = BIT(DEM_VELOCITY)),
    FIELD(DEM_HALF_SPIN, "half_spin", "1/time", 3, velocity, 4, READ_ONLY, .derive = demi_derive_half, .copied = 1,
          .follows = BIT(DEM_SPIN)),
    FIELD(DEM_MATERIAL, "material", "", 1, material, 0, INTEGER, BY_SET, .stale = DEMI_STALE_PARTICLES, .vtk = 6),
    COMPUTED(DEM_FROZEN, "frozen", "", 1, INTEGER, READ_ONLY, .derive_integer = demi_derive_frozen, .vtk = 7),
    FIELD(DEM_IMAGE, "image", "", 3, image, 0, INTEGER, READ_ONLY, .derive_integer = demi_derive_image),
    COMPUTED(DEM_HEAT, "heat", "energy", 1, READ_ONLY, .derive = demi_derive_heat, .needs_ledger = 2, .vtk = 1),
    COMPUTED(DEM_HEAT_CLASSES, "heat_classes", "energy", DEMI_HEAT_PACKED, READ_ONLY, .derive = demi_derive_heat_classes,
             .needs_ledger = 2),
    FIELD(DEM_CONTACT_FORCE, "contact_force", "force", 3, load, 0, READ_ONLY),
    FIELD(DEM_CONTACT_TORQUE, "contact_torque", "force*length", 3, load, 4, READ_ONLY),
    FIELD(DEM_DRAG_RATE, "drag_rate", "1/time", 1, fluid, 3, RATE),
    FIELD(DEM_FLUID_VELOCITY, "fluid_velocity", "length/time", 3, fluid, 0, BY_HOST, OF_FLUID, .flat = DEMI_FLAT_Z,
          .stale = DEMI_STALE_BOOKS),
    FIELD(DEM_SPIN_DRAG_RATE, "spin_drag_rate", "1/time", 1, fluid, 7, RATE),
    FIELD(DEM_FLUID_SPIN, "fluid_spin", "1/time", 3, fluid, 4, BY_HOST, OF_FLUID, .flat = DEMI_FLAT_XY,
          .stale = DEMI_STALE_BOOKS),
    FIELD(DEM_DRAG_IMPULSE, "drag_impulse", "force*time", 3, impulse, 0, BY_HOST, OF_FLUID, .flat = DEMI_FLAT_Z),
    FIELD(DEM_DRAG_ANGULAR_IMPULSE, "drag_angular_impulse", "force*length*time", 3, impulse, 4, BY_HOST, OF_FLUID,
          .flat = DEMI_FLAT_XY),
    COMPUTED(DEM_STRESS, "contact_stress", "pressure", 9, READ_ONLY, .whole = demi_gather_stress),
    COMPUTED(DEM_COORDINATION, "coordination", "", 1, INTEGER, READ_ONLY, .whole_integer = demi_gather_network),
    COMPUTED(DEM_RATTLER, "rattler", "", 1, INTEGER, READ_ONLY, .whole_integer = demi_gather_network),
};

/* ---- looking up ---- */

_Static_assert(DEMI_FIELD_ROWS + DEMI_MAX_ADDED == DEMI_FIELD_INDICES, "room for every column of a host");
_Static_assert((int)DEMI_ADDED_WIDTH <= (int)DEMI_FIELD_WIDTH, "columns of a host are no wider than a field may be");

const demi_field *demi_field_added(const dem_system *s, int32_t k, demi_field *room) {
  if (k < 0 || k >= s->store.added_count) return NULL;
  const demi_added *added = &s->store.added[k];
  *room = (demi_field){.number = DEM_COLUMN_FIRST + k,
                       .symbol = added->name,
                       .name = added->name,
                       .unit = "",
                       .components = added->width,
                       .column = offsetof(demi_columns, added) + (size_t)k * sizeof(double *),
                       .width = added->width,
                       .may = DEMI_MAY_SET | DEMI_MAY_WRITE_VIEW | DEMI_MAY_BEFORE_STEP};
  return room;
}

int32_t demi_field_index(const demi_field *f) {
  return f->number < DEM_COLUMN_FIRST ? f->number : f->number - DEM_COLUMN_FIRST + DEMI_FIELD_ROWS;
}

int demi_field_name_taken(const char *name) {
  if (strcmp(name, "id") == 0 || strcmp(name, "Points") == 0) return 1; /* of arrays that are no fields */
  for (int32_t k = 0; k < DEMI_FIELD_ROWS; k++)
    if (demi_field_table[k].number && strcmp(demi_field_table[k].name, name) == 0) return 1;
  return 0;
}
