/* Functions of single fields that the table of fields points to, and the rules of writing that set and views share. */
#ifndef DEMI_FIELD_RULES_H
#define DEMI_FIELD_RULES_H

#include "field_table.h"

/* ---- field_read.c ---- */
void demi_derive_position(const dem_system *system, const demi_field *field, int64_t row, double *out);
void demi_derive_image(const dem_system *system, const demi_field *field, int64_t row, int32_t *out);
void demi_derive_frozen(const dem_system *system, const demi_field *field, int64_t row, int32_t *out);
/* Force or torque on a row: contacts, host and drag. */
void demi_derive_total(const dem_system *system, const demi_field *field, int64_t row, double *out);
/* Half-step velocity or spin of a row. */
void demi_derive_half(const dem_system *system, const demi_field *field, int64_t row, double *out);
void demi_derive_heat(const dem_system *system, const demi_field *field, int64_t row, double *out);
void demi_derive_heat_classes(const dem_system *system, const demi_field *field, int64_t row, double *out);

/* ---- statics_fields.c ---- */
dem_status demi_gather_stress(const dem_system *system, const demi_field *field, double *rows);
/* DEM_COORDINATION and DEM_RATTLER. */
dem_status demi_gather_network(const dem_system *system, const demi_field *field, int32_t *rows);

/* ---- field_write.c ---- */
dem_status demi_check_place(const dem_system *system, const demi_field *field, int64_t k, int64_t row, const double *value);
dem_status demi_check_mass(const dem_system *system, const demi_field *field, int64_t k, int64_t row, const double *value);
dem_status demi_check_motion(const dem_system *system, const demi_field *field, int64_t k, int64_t row, const double *value);
void demi_write_position(dem_system *system, const demi_field *field, int64_t row, const double *value);
void demi_write_motion(dem_system *system, const demi_field *field, int64_t row, const double *value);
void demi_write_mass(dem_system *system, const demi_field *field, int64_t row, const double *value);
void demi_write_rate(dem_system *system, const demi_field *field, int64_t row, const double *value);
void demi_after_positions(dem_system *system);
void demi_after_rates(dem_system *system);

/* Checks one row's new value; `k` is what the message calls the row. */
dem_status demi_field_check(const dem_system *system, const demi_field *field, int64_t k, int64_t row, const double *value);
/* 1: the field asks of its values no more than that they be within the limit, and they are; without a look at the rows. */
int demi_field_only_bounded(const dem_system *system, const demi_field *field, int64_t count, const double *values,
                            int64_t stride);
/* Completes the books and marks the data that a change of the field makes invalid. */
dem_status demi_field_open(dem_system *system, const demi_field *field);

#endif
