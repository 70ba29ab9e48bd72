/* Sparse Cholesky preconditioner behind the public table: M = D^1/2 (A + s I) D^1/2 with A = D^-1/2 K D^-1/2 and D the diagonal of K.
 * A loose unknown, whose row of K is zero, has the mean of D as its D, and 1 on the diagonal of A. */
#include <dem/plugin/objective.h>
#include <math.h>
#include <string.h>

#include "simplicial.h"

#define OPTIONS_V1 DEMI_LA_SIZE_TO(dem_linalg_cholesky_options, shift_most)
#define REPORT_V1 DEMI_LA_SIZE_TO(dem_linalg_cholesky_report, shift)

typedef struct demi_la_cholesky {
  struct demi_la_cholesky *next; /* of the same dem_linalg */
  dem_linalg *linalg;
  dem_linalg_cholesky_options options;
  const dem_preconditioner *preconditioner;
  demi_la_entries entries; /* room, kept */
  demi_la_simplicial factor;
  int64_t unknowns, matrix_entries, loose;
  int64_t *place;        /* 0, 1, 2 ...: every unknown takes part */
  double *scale, *right; /* D^-1/2; D^-1/2 times the right side */
} demi_la_cholesky;

static const dem_linalg_cholesky_options DEFAULTS = {.struct_size = sizeof DEFAULTS, .shift_least = 1e-8, .shift_most = 1e3};

dem_status dem_linalg_cholesky_options_init(dem_linalg_cholesky_options *options, uint32_t struct_size) {
  return demi_la_give(options, struct_size, &DEFAULTS, sizeof DEFAULTS, OPTIONS_V1);
}

dem_status dem_linalg_cholesky_report_init(dem_linalg_cholesky_report *report, uint32_t struct_size) {
  const dem_linalg_cholesky_report zero = {.struct_size = sizeof zero};
  return demi_la_give(report, struct_size, &zero, sizeof zero, REPORT_V1);
}

/* ---- update ---- */

static dem_status make_room(demi_la_cholesky *c, int64_t unknowns) {
  dem_linalg *l = c->linalg;
  if (c->unknowns == unknowns) return DEM_OK;
  demi_la_free(l, c->place);
  demi_la_free(l, c->scale);
  demi_la_free(l, c->right);
  c->place = demi_la_allocate(l, unknowns, sizeof *c->place);
  c->scale = demi_la_allocate(l, unknowns, sizeof *c->scale);
  c->right = demi_la_allocate(l, unknowns, sizeof *c->right);
  c->unknowns = c->place && c->scale && c->right ? unknowns : 0;
  for (int64_t u = 0; u < c->unknowns; u++) c->place[u] = u;
  return c->unknowns == unknowns ? DEM_OK : demi_la_no_memory(l, "rows of a preconditioner");
}

static int32_t collect(void *user, int64_t count, const dem_trial_block *blocks) {
  demi_la_cholesky *c = user;
  return demi_la_entries_add_blocks(c->linalg, &c->entries, count, blocks, c->place, c->unknowns);
}

/* Unit diagonal; see above. */
static void scale_matrix(demi_la_cholesky *c, demi_la_triangle *a) {
  const double mean = demi_la_triangle_mean(a), least = 1e-6 * mean;
  c->loose = 0;
  for (int64_t u = 0; u < a->n; u++) {
    const double d = fabs(a->value[a->first[u]]);
    const int loose = d <= 1e-13 * mean;
    c->loose += loose;
    if (loose) a->value[a->first[u]] = mean > 0 ? mean : 1;
    c->scale[u] = 1 / sqrt(loose ? a->value[a->first[u]] : fmax(d, least));
  }
  demi_la_triangle_scale(a, c->scale);
}

static dem_status update(void *user, const dem_matrix_source *source) {
  demi_la_cholesky *c = user;
  demi_la_triangle a = {0};
  dem_status status = make_room(c, source->unknowns);
  if (status) return status;
  c->entries.count = 0;
  status = source->blocks(source->blocks_user, collect, c);
  if (status == DEM_CANCELLED) status = demi_la_no_memory(c->linalg, "the entries of a sparse matrix");
  if (!status) status = demi_la_triangle_make(c->linalg, &c->entries, c->unknowns, &a);
  if (status) return status;
  scale_matrix(c, &a);
  c->matrix_entries = a.entries;
  status =
      demi_la_simplicial_factorise(c->linalg, &c->factor, &a, c->options.shift_least, c->options.shift_most, "preconditioner");
  demi_la_triangle_free(c->linalg, &a);
  return status;
}

static dem_status apply(void *user, const double *right, double *solution) {
  demi_la_cholesky *c = user;
  for (int64_t u = 0; u < c->unknowns; u++) c->right[u] = c->scale[u] * right[u];
  const dem_status status = demi_la_simplicial_solve(c->linalg, &c->factor, c->right, solution);
  for (int64_t u = 0; u < c->unknowns && !status; u++) solution[u] *= c->scale[u];
  return status;
}

/* ---- life ---- */

static void destroy(void *user) {
  demi_la_cholesky *c = user, **link = &c->linalg->cholesky;
  dem_linalg *l = c->linalg;
  while (*link && *link != c) link = &(*link)->next;
  if (*link) *link = c->next;
  demi_la_simplicial_free(l, &c->factor);
  demi_la_entries_free(l, &c->entries);
  demi_la_free(l, c->place);
  demi_la_free(l, c->scale);
  demi_la_free(l, c->right);
  demi_la_free(l, c);
}

static dem_status check_options(dem_linalg *l, const dem_linalg_cholesky_options *o) {
  if (!(o->shift_least >= 1e-14 && o->shift_least <= 1))
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "cholesky: shift_least is %g, allowed 1e-14 to 1", o->shift_least);
  if (!(o->shift_most >= o->shift_least && o->shift_most <= 1e6))
    return demi_la_refuse(l, DEM_BAD_ARGUMENT, "cholesky: shift_most is %g, allowed shift_least, %g, to 1e6", o->shift_most,
                          o->shift_least);
  return DEM_OK;
}

static dem_status create(dem_linalg *l, dem_context *context, const dem_linalg_cholesky_options *o,
                         dem_preconditioner **preconditioner) {
  dem_preconditioner_table table;
  demi_la_cholesky *c = demi_la_allocate(l, 1, sizeof *c);
  if (!c) return demi_la_no_memory(l, "a preconditioner");
  c->linalg = l;
  c->options = *o;
  dem_preconditioner_table_init(&table, sizeof table);
  table.contract = DEM_PRECONDITIONER_CONTRACT;
  table.name = "sparse-cholesky";
  table.update = update;
  table.apply = apply;
  table.destroy = destroy;
  const dem_status status = dem_preconditioner_create(context, &table, c, preconditioner);
  if (status) {
    demi_la_free(l, c);
    return demi_la_refuse(l, status, "cholesky: %s", dem_context_message(context));
  }
  c->preconditioner = *preconditioner;
  c->next = l->cholesky;
  l->cholesky = c;
  return DEM_OK;
}

dem_status dem_linalg_cholesky(dem_linalg *linalg, dem_context *context, const dem_linalg_cholesky_options *options,
                               dem_preconditioner **preconditioner) {
  dem_linalg_cholesky_options o = DEFAULTS;
  if (!linalg) return DEM_BAD_ARGUMENT;
  if (!context || !preconditioner)
    return demi_la_refuse(linalg, DEM_BAD_ARGUMENT, "cholesky: %s is NULL", context ? "preconditioner" : "context");
  *preconditioner = NULL;
  const dem_status status = options ? demi_la_take(&o, sizeof o, options, OPTIONS_V1) : DEM_OK;
  if (status)
    return demi_la_refuse(linalg, status, "cholesky: the options cannot be read: struct_size %u", options->struct_size);
  const dem_status range = check_options(linalg, &o);
  return range ? range : create(linalg, context, &o, preconditioner);
}

dem_status dem_linalg_get_cholesky_report(const dem_linalg *linalg, const dem_preconditioner *preconditioner,
                                          dem_linalg_cholesky_report *report) {
  const demi_la_cholesky *c = linalg ? linalg->cholesky : NULL;
  if (!linalg || !report) return DEM_BAD_ARGUMENT;
  while (c && c->preconditioner != preconditioner) c = c->next;
  if (!c) return DEM_NOT_FOUND;
  const dem_linalg_cholesky_report r = {.struct_size = sizeof r,
                                        .unknowns = c->unknowns,
                                        .entries = c->matrix_entries,
                                        .fill = demi_la_simplicial_fill(&c->factor),
                                        .analyses = c->factor.analyses,
                                        .factorisations = c->factor.factorisations,
                                        .loose = c->loose,
                                        .shift = c->factor.shift};
  return demi_la_give(report, report->struct_size, &r, sizeof r, REPORT_V1);
}
