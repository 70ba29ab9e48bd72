/* dem-bench CASE [--key value ...]: runs one case and prints one "name value" per line on stdout. See doc/benchmarks.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

typedef struct bench_case {
  const char *name, *help;
  int (*run)(const options *o);
  long long steps; /* unless --steps is given; -1: the case knows */
} bench_case;

int fail(const char *what, const char *message) {
  fprintf(stderr, "dem-bench: %s: %s\n", what, message);
  return 1;
}

static void log_line(void *user, int32_t level, const char *text) {
  (void)user;
  fprintf(stderr, "dem-bench: %s%s\n", level == DEM_LOG_WARNING ? "warning: " : "", text);
}

dem_context *bench_context(const options *o) {
  dem_context *context = NULL;
  dem_context_options c;
  dem_context_options_init(&c, sizeof c);
  c.log = log_line;
  c.instructions = (int32_t)o->instructions;
  if (dem_context_create(&c, &context)) fail("context", "cannot be created (is --instructions right for this CPU?)");
  return context;
}

double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* ---- command line ---- */

static const bench_case cases[] = {
    {"chute", "--data FILE --steps N --threads T --ledger 0|1", run_chute, 500},
    {"bed", "--data FILE --law hooke|hertz|hertz-force --steps N --threads T --ledger 0|1", run_bed, 500},
    {"ledger", "--data FILE --steps N --pairs N: the chute with and without books, in turns", run_ledger, 20},
    {"books", "[--quick] [--scene NAME [--write FILE]]: residuals of the books in many scenes", run_books, -1},
    {"three-sphere-map",
     "--restitution E --steps PER-CONTACT --overlap X --threads T [--write FILE]: which fine spheres the pocket of two large "
     "ones traps; goes on with what FILE has",
     run_three_sphere_map, 50},
    {"shear", "--phi F --rate G --steps N --threads T [--data FILE] [--write FILE]: 32,000 spheres in a box that is sheared",
     run_shear, 2000},
    {"gas", "--phi F --steps N --threads T [--data FILE] [--write FILE]: 32,000 spheres in a box, a gas that cools", run_gas,
     2000},
    {"size-ratio", "--ratio R --steps N --threads T [--data FILE] [--write FILE]: a mixture of two sizes in a chute",
     run_size_ratio, 500},
    {"percolation",
     "--ratio R --restitution E --scheme standard|improved [--quick]: fines fall through a bed of spheres R times as large",
     run_percolation, -1},
    {"trial", "--data FILE | --discs N --phi X, --repeat N --threads T: energies, forces and tangents at trial states",
     run_trial, -1},
    {"quasistatic",
     "--count N --strain E --steps N [--friction MU] [--phi X] [--strategy NAME] [--tol X] [--threads T]: pure shear of discs "
     "of constant area, in load steps",
     run_quasistatic, 100},
    {"relax",
     "--data FILE | --make discs|spheres --count N --phi P --seed S, --tol X, --force X, --strategy NAME|plain --threads T "
     "[--memory M --reach LENGTH]: a packing from its start to its energy minimum",
     run_relax, -1},
};

static int usage(void) {
  fprintf(stderr, "usage: dem-bench CASE [--key value ...]\n");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) fprintf(stderr, "  %-16s %s\n", cases[k].name, cases[k].help);
  fprintf(stderr,
          "  all: --skin LENGTH --warmup STEPS --integrator NAME --instructions 0|1|2|3 (auto, plain, AVX2, AVX-512)\n");
  return 2;
}

static int parse_number(const char *key, const char *text, long long low, long long *value) {
  char *end;
  *value = strtoll(text, &end, 10);
  if (*end == '\0' && end != text && *value >= low) return 0;
  fprintf(stderr, "dem-bench: %s takes a whole number of at least %lld, not '%s'\n", key, low, text);
  return 1;
}

static int parse(options *o, const char *key, const char *value) {
  if (strcmp(key, "--data") == 0) return (o->data = value) == NULL;
  if (strcmp(key, "--law") == 0) return (o->law = value) == NULL;
  if (strcmp(key, "--integrator") == 0) return (o->integrator = value) == NULL;
  if (strcmp(key, "--steps") == 0) return parse_number(key, value, 0, &o->steps);
  if (strcmp(key, "--warmup") == 0) return parse_number(key, value, 0, &o->warmup);
  if (strcmp(key, "--threads") == 0) return parse_number(key, value, 1, &o->threads);
  if (strcmp(key, "--ledger") == 0) return parse_number(key, value, 0, &o->ledger);
  if (strcmp(key, "--instructions") == 0) return parse_number(key, value, 0, &o->instructions);
  if (strcmp(key, "--pairs") == 0) return parse_number(key, value, 1, &o->pairs);
  if (strcmp(key, "--scene") == 0) return (o->scene = value) == NULL;
  if (strcmp(key, "--write") == 0) return (o->write = value) == NULL;
  if (strcmp(key, "--scheme") == 0) return (o->scheme = value) == NULL;
  if (strcmp(key, "--repeat") == 0) return parse_number(key, value, 1, &o->repeat);
  if (strcmp(key, "--strategy") == 0) return (o->strategy = value) == NULL;
  if (strcmp(key, "--make") == 0)
    return strcmp(o->make = value, "discs") != 0 && strcmp(value, "spheres") != 0 && fail(key, "takes discs or spheres");
  if (strcmp(key, "--count") == 0) return parse_number(key, value, 10, &o->count);
  if (strcmp(key, "--seed") == 0) return parse_number(key, value, 0, &o->seed);
  if (strcmp(key, "--force") == 0)
    return !((o->force = strtod(value, NULL)) > 0 && o->force < 1) && fail(key, "takes a number in (0, 1)");
  if (strcmp(key, "--memory") == 0) return parse_number(key, value, 1, &o->memory);
  if (strcmp(key, "--reach") == 0) return !((o->reach = strtod(value, NULL)) >= 0) && fail(key, "takes a length");
  if (strcmp(key, "--tol") == 0)
    return !((o->tolerance = strtod(value, NULL)) >= 0 && o->tolerance < 1) && fail(key, "takes a number in [0, 1)");
  if (strcmp(key, "--discs") == 0) return parse_number(key, value, 100, &o->discs);
  if (strcmp(key, "--strain") == 0) return !((o->strain = strtod(value, NULL)) > 0) && fail(key, "takes a number above 0");
  if (strcmp(key, "--friction") == 0)
    return !((o->friction = strtod(value, NULL)) >= 0) && fail(key, "takes a number of at least 0");
  if (strcmp(key, "--phi") == 0)
    return !((o->phi = strtod(value, NULL)) > 0 && o->phi < 1) && fail(key, "takes a number in (0, 1)");
  if (strcmp(key, "--ratio") == 0) return !((o->ratio = strtod(value, NULL)) > 0) && fail(key, "takes a number above 0");
  if (strcmp(key, "--phi") == 0) return !((o->phi = strtod(value, NULL)) > 0) && fail(key, "takes a number above 0");
  if (strcmp(key, "--rate") == 0) return !((o->rate = strtod(value, NULL)) > 0) && fail(key, "takes a number above 0");
  if (strcmp(key, "--overlap") == 0) return !((o->overlap = strtod(value, NULL)) > 0) && fail(key, "takes a number above 0");
  if (strcmp(key, "--restitution") == 0)
    return !((o->restitution = strtod(value, NULL)) > 0 && o->restitution <= 1) && fail(key, "takes a number in (0, 1]");
  if (strcmp(key, "--skin") == 0) return (o->skin = strtod(value, NULL)) < 0;
  fprintf(stderr, "dem-bench: unknown option %s\n", key);
  return 1;
}

/* Options are pairs, but for --quick. */
static int parse_all(options *o, int argc, char **argv) {
  for (int k = 2; k < argc; k += 2) {
    if (strcmp(argv[k], "--quick") == 0) {
      o->quick = 1;
      k--;
    } else if (k + 1 == argc) {
      return usage();
    } else if (parse(o, argv[k], argv[k + 1])) {
      return 2;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  options o = {.law = "hooke",
               .scheme = "improved",
               .steps = -1,
               .threads = 1,
               .pairs = 31,
               .repeat = 31,
               .discs = 10000,
               .phi = 0.86,
               .tolerance = -1,
               .count = 10000,
               .seed = 1};
  if (argc < 2) return usage();
  const int wrong = parse_all(&o, argc, argv);
  if (wrong) return wrong;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (strcmp(argv[1], cases[k].name) == 0) {
      if (o.steps < 0) o.steps = cases[k].steps;
      return cases[k].run(&o);
    }
  return usage();
}
