/* Minimises the energy of a hanging chain, without and with preconditioners, and compares with the law of such chains: the horizontal
 * force is the same in all links, and the vertical one changes by the weight of a node from link to link, so that the slope of link i of n
 * is (i - (n - 1)/2) w/H. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain.h"
#include "diagonal.h"

enum { LINKS = 200, UNKNOWNS = 2 * (LINKS - 1) };

static int failed(const char *what, const char *text) {
  fprintf(stderr, "own_objective: %s: %s\n", what, text);
  return 1;
}

/* Largest difference between a slope and its law, as a part of the largest slope. */
static double error_of(const chain *c, const double *x) {
  const chain_link first = chain_look(c, x, 0);
  const double horizontal = first.force * first.cosine, unit = c->weight / horizontal;
  double largest = 0;
  for (int64_t i = 0; i < c->links; i++) {
    const chain_link l = chain_look(c, x, i);
    largest = fmax(largest, fabs(l.sine / l.cosine - ((double)i - 0.5 * (double)(c->links - 1)) * unit));
  }
  return largest / (0.5 * (double)c->links * unit);
}

static int minimise(dem_context *context, chain *c, const char *strategy, const dem_preconditioner *m, const char *name) {
  double x[UNKNOWNS];
  dem_objective_table table;
  dem_minimise_options o;
  dem_minimise_report r;
  dem_minimiser *minimiser;
  chain_table(c, &table);
  chain_start(c, x);
  dem_minimise_options_init(&o, sizeof o);
  dem_minimise_report_init(&r, sizeof r);
  o.strategy = strategy;
  o.preconditioner = m;
  o.gradient_relative = 1e-11;
  if (dem_minimiser_create(context, &table, c, x, &o, &minimiser)) return failed("create", dem_context_message(context));
  if (dem_minimiser_run(minimiser)) return failed("run", dem_minimiser_message(minimiser));
  dem_minimiser_get_report(minimiser, &r);
  dem_minimiser_get_point(minimiser, UNKNOWNS, x);
  dem_minimiser_destroy(minimiser);
  const double error = error_of(c, x);
  printf("%-22s %-20s %5lld iterations, %6lld gradients, %6lld products, error of the slopes %.1e\n", strategy, name,
         (long long)r.iterations, (long long)r.gradients, (long long)r.products, error);
  return r.reason != DEM_MINIMISE_GRADIENT || !(error < 1e-7);
}

int main(void) {
  static chain_link link[LINKS], tried[LINKS];
  static double d[UNKNOWNS];
  chain c = {.links = LINKS, .span = 100, .rest = 0.6, .stiffness = 1e4, .weight = 1, .link = link, .tried = tried};
  diagonal own = {UNKNOWNS, d};
  dem_context *context = NULL;
  dem_preconditioner_table table;
  dem_preconditioner *diagonal_m = NULL, *cholesky = NULL;
  const char *curved = "trust-region-steihaug";
  diagonal_table(&table);
  if (dem_context_create(NULL, &context)) return failed("context", "not created");
  int bad = dem_preconditioner_create(context, &table, &own, &diagonal_m) != DEM_OK;
  bad = bad || dem_preconditioner_find(context, "incomplete-cholesky", &cholesky) != DEM_OK;
  if (bad) return failed("preconditioner", dem_context_message(context));
  bad = minimise(context, &c, "fire", NULL, "-");
  bad += minimise(context, &c, curved, NULL, "-");
  bad += minimise(context, &c, curved, diagonal_m, "diagonal");
  bad += minimise(context, &c, curved, cholesky, "incomplete-cholesky");
  dem_preconditioner_release(diagonal_m);
  dem_preconditioner_release(cholesky);
  return bad || dem_context_destroy(context) != DEM_OK;
}
