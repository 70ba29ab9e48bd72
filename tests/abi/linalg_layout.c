/* What a program compiled against version 0.1 relies on, as compile-time assertions: they need no tool and hold for every
 * compiler. Made by tools/layout.py. Once the version is tagged, lines are added, never changed; only the NO_PADDING line of
 * a struct that grows is given its new last member. */
/* clang-format off */
#include <dem/linalg.h>
#define SAME_TYPE(expression, ...) _Generic((expression), __VA_ARGS__: 1, default: 0)
#define MEMBER(type, name, offset, size, ...)                                                     \
  _Static_assert(offsetof(type, name) == (offset), #type "." #name " moved");                     \
  _Static_assert(sizeof(((type *)0)->name) == (size), #type "." #name " changed its size");       \
  _Static_assert(SAME_TYPE(((type *)0)->name, __VA_ARGS__), #type "." #name " changed its type")
#define AT_LEAST(type, size) _Static_assert(sizeof(type) >= (size), #type " shrank")
#define EXACTLY(type, size) _Static_assert(sizeof(type) == (size), #type " changed its size")
/* A member that later fills the padding would be read as garbage from old callers. */
#define NO_PADDING(type, last) \
  _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " has padding at its end")
#define VALUE(name, value) _Static_assert((name) == (value), #name " was renumbered")
#define POINTER(name, ...) _Static_assert(SAME_TYPE((name)0, __VA_ARGS__), #name " changed its type")
#define FUNCTION(name, ...) _Static_assert(SAME_TYPE(&name, __VA_ARGS__), #name " changed its type")


#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_linalg_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_linalg_options, reserved_zero, 4, 4, int32_t);
MEMBER(dem_linalg_options, allocate, 8, 8, dem_allocate_fn);
MEMBER(dem_linalg_options, allocate_user, 16, 8, void *);
AT_LEAST(dem_linalg_options, 24);
#endif
NO_PADDING(dem_linalg_options, allocate_user);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_linalg_cholesky_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_linalg_cholesky_options, reserved_zero, 4, 4, int32_t);
MEMBER(dem_linalg_cholesky_options, shift_least, 8, 8, double);
MEMBER(dem_linalg_cholesky_options, shift_most, 16, 8, double);
AT_LEAST(dem_linalg_cholesky_options, 24);
#endif
NO_PADDING(dem_linalg_cholesky_options, shift_most);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_linalg_cholesky_report, struct_size, 0, 4, uint32_t);
MEMBER(dem_linalg_cholesky_report, reserved_zero, 4, 4, int32_t);
MEMBER(dem_linalg_cholesky_report, unknowns, 8, 8, int64_t);
MEMBER(dem_linalg_cholesky_report, entries, 16, 8, int64_t);
MEMBER(dem_linalg_cholesky_report, fill, 24, 8, int64_t);
MEMBER(dem_linalg_cholesky_report, analyses, 32, 8, int64_t);
MEMBER(dem_linalg_cholesky_report, factorisations, 40, 8, int64_t);
MEMBER(dem_linalg_cholesky_report, loose, 48, 8, int64_t);
MEMBER(dem_linalg_cholesky_report, shift, 56, 8, double);
AT_LEAST(dem_linalg_cholesky_report, 64);
#endif
NO_PADDING(dem_linalg_cholesky_report, shift);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_linalg_modes_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_linalg_modes_options, method, 4, 4, int32_t);
MEMBER(dem_linalg_modes_options, count, 8, 8, int64_t);
MEMBER(dem_linalg_modes_options, dense_most, 16, 8, int64_t);
MEMBER(dem_linalg_modes_options, masses, 24, 4, int32_t);
MEMBER(dem_linalg_modes_options, restarts_most, 28, 4, int32_t);
MEMBER(dem_linalg_modes_options, tolerance, 32, 8, double);
MEMBER(dem_linalg_modes_options, zero, 40, 8, double);
AT_LEAST(dem_linalg_modes_options, 48);
#endif
NO_PADDING(dem_linalg_modes_options, zero);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_linalg_modes_report, struct_size, 0, 4, uint32_t);
MEMBER(dem_linalg_modes_report, method, 4, 4, int32_t);
MEMBER(dem_linalg_modes_report, count, 8, 8, int64_t);
MEMBER(dem_linalg_modes_report, unknowns, 16, 8, int64_t);
MEMBER(dem_linalg_modes_report, particles, 24, 8, int64_t);
MEMBER(dem_linalg_modes_report, rattlers, 32, 8, int64_t);
MEMBER(dem_linalg_modes_report, loose, 40, 8, int64_t);
MEMBER(dem_linalg_modes_report, rigid, 48, 8, int64_t);
MEMBER(dem_linalg_modes_report, zero, 56, 8, int64_t);
MEMBER(dem_linalg_modes_report, unstable, 64, 8, int64_t);
MEMBER(dem_linalg_modes_report, restarts, 72, 8, int64_t);
MEMBER(dem_linalg_modes_report, fill, 80, 8, int64_t);
MEMBER(dem_linalg_modes_report, complete, 88, 4, int32_t);
MEMBER(dem_linalg_modes_report, reserved_zero, 92, 4, int32_t);
MEMBER(dem_linalg_modes_report, shift, 96, 8, double);
MEMBER(dem_linalg_modes_report, residual, 104, 8, double);
MEMBER(dem_linalg_modes_report, asymmetry, 112, 8, double);
MEMBER(dem_linalg_modes_report, unrest, 120, 8, double);
AT_LEAST(dem_linalg_modes_report, 128);
#endif
NO_PADDING(dem_linalg_modes_report, unrest);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_linalg_density_options, struct_size, 0, 4, uint32_t);
MEMBER(dem_linalg_density_options, logarithmic, 4, 4, int32_t);
MEMBER(dem_linalg_density_options, bins, 8, 8, int64_t);
MEMBER(dem_linalg_density_options, low, 16, 8, double);
MEMBER(dem_linalg_density_options, high, 24, 8, double);
MEMBER(dem_linalg_density_options, total, 32, 8, double);
AT_LEAST(dem_linalg_density_options, 40);
#endif
NO_PADDING(dem_linalg_density_options, total);

#if UINTPTR_MAX == 0xffffffffffffffffu
MEMBER(dem_linalg_moduli, struct_size, 0, 4, uint32_t);
MEMBER(dem_linalg_moduli, dimension, 4, 4, int32_t);
MEMBER(dem_linalg_moduli, stable, 8, 4, int32_t);
MEMBER(dem_linalg_moduli, components, 12, 4, int32_t);
MEMBER(dem_linalg_moduli, rattlers, 16, 8, int64_t);
MEMBER(dem_linalg_moduli, rigid, 24, 8, int64_t);
MEMBER(dem_linalg_moduli, products, 32, 8, int64_t);
MEMBER(dem_linalg_moduli, fill, 40, 8, int64_t);
MEMBER(dem_linalg_moduli, affine, 48, 288, double *);
MEMBER(dem_linalg_moduli, stiffness, 336, 288, double *);
MEMBER(dem_linalg_moduli, green, 624, 288, double *);
MEMBER(dem_linalg_moduli, stress, 912, 48, double *);
MEMBER(dem_linalg_moduli, pressure, 960, 8, double);
MEMBER(dem_linalg_moduli, bulk, 968, 8, double);
MEMBER(dem_linalg_moduli, shear, 976, 8, double);
MEMBER(dem_linalg_moduli, bulk_affine, 984, 8, double);
MEMBER(dem_linalg_moduli, shear_affine, 992, 8, double);
MEMBER(dem_linalg_moduli, residual, 1000, 8, double);
MEMBER(dem_linalg_moduli, shift, 1008, 8, double);
MEMBER(dem_linalg_moduli, asymmetry, 1016, 8, double);
MEMBER(dem_linalg_moduli, unrest, 1024, 8, double);
AT_LEAST(dem_linalg_moduli, 1032);
#endif
NO_PADDING(dem_linalg_moduli, unrest);

VALUE(DEM_LINALG_AUTOMATIC, 0);
VALUE(DEM_LINALG_DENSE, 1);
VALUE(DEM_LINALG_LANCZOS, 2);


FUNCTION(dem_linalg_options_init, dem_status (*)(dem_linalg_options *options, uint32_t struct_size));
FUNCTION(dem_linalg_create, dem_status (*)(const dem_linalg_options *options, dem_linalg **linalg));
FUNCTION(dem_linalg_message, const char *(*)(const dem_linalg *linalg));
FUNCTION(dem_linalg_destroy, dem_status (*)(dem_linalg *linalg));
FUNCTION(dem_linalg_cholesky_options_init, dem_status (*)(dem_linalg_cholesky_options *options, uint32_t struct_size));
FUNCTION(dem_linalg_cholesky, dem_status (*)(dem_linalg *linalg, dem_context *context, const dem_linalg_cholesky_options *options, dem_preconditioner **preconditioner));
FUNCTION(dem_linalg_cholesky_report_init, dem_status (*)(dem_linalg_cholesky_report *report, uint32_t struct_size));
FUNCTION(dem_linalg_get_cholesky_report, dem_status (*)(const dem_linalg *linalg, const dem_preconditioner *preconditioner, dem_linalg_cholesky_report *report));
FUNCTION(dem_linalg_modes_options_init, dem_status (*)(dem_linalg_modes_options *options, uint32_t struct_size));
FUNCTION(dem_linalg_modes_report_init, dem_status (*)(dem_linalg_modes_report *report, uint32_t struct_size));
FUNCTION(dem_linalg_find_modes, dem_status (*)(dem_linalg *linalg, dem_trial *trial, const dem_linalg_modes_options *options, int64_t capacity, double *frequency, double *participation, double *modes, dem_linalg_modes_report *report));
FUNCTION(dem_linalg_density_options_init, dem_status (*)(dem_linalg_density_options *options, uint32_t struct_size));
FUNCTION(dem_linalg_density, dem_status (*)(dem_linalg *linalg, int64_t count, const double *frequency, const dem_linalg_density_options *options, double *edges, double *density));
FUNCTION(dem_linalg_moduli_init, dem_status (*)(dem_linalg_moduli *moduli, uint32_t struct_size));
FUNCTION(dem_linalg_find_moduli, dem_status (*)(dem_linalg *linalg, dem_trial *trial, dem_linalg_moduli *moduli));

int main(void) { return 0; }
