/* Rules of the fields that a host may write, by set or through a view. */
#ifndef DEMI_FIELD_RULES_H
#define DEMI_FIELD_RULES_H

#include <dem/system.h>

/* 1: a field that only the host writes and the engine reads. The callback before a step may also set it. */
int demi_field_of_host(int32_t field);
/* Half-step velocity or spin of a row. */
void demi_field_half(const dem_system *system, int64_t row, int angular, double *out);
/* Checks one row's new value; `k` is what the message calls the row. */
dem_status demi_field_check(const dem_system *system, int32_t field, int64_t k, int64_t row, const double *value);
/* 1: the field asks of its values no more than that they be within the limit, and they are; without a look at the rows. */
int demi_field_only_bounded(const dem_system *system, int32_t field, int64_t count, const double *values, int64_t stride);
/* After drag rates were written through a view. */
void demi_field_rates_changed(dem_system *system);
/* Completes the books and marks the data that a change of the field makes invalid. */
dem_status demi_field_open(dem_system *system, int32_t field);

/* Force (or torque) on a row: contacts, host and drag. */
void demi_field_total(const dem_system *system, int64_t row, int angular, double *out);

#endif
