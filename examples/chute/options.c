#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "usage: chute [options]\n"
    "Grains flow down a rough chute inclined by 26 degrees, periodic in x and y.\n"
    "  --data FILE    start from a LAMMPS data file (atom_style sphere; type 1 flows, type 2 is the frozen bed)\n"
    "                 instead of a packing that is grown and settled first\n"
    "  --steps N      steps of 1e-4 to compute (default 60000)\n"
    "  --frames N     pictures to write, 2 to 1000 (default 22)\n"
    "  --out DIR      folder for the results, made if missing (default chute-out)\n"
    "  --threads T    threads, 1 to 256 (default 1); the results do not depend on it\n"
    "  --grains N     grains of the packing, bed included, 1000 to 1000000 (default 32000)\n"
    "  --spread S     diameters of the packing are uniform in [1 - S, 1 + S], 0 to 0.3 (default 0)\n"
    "  --settle N     stop settling the packing after N steps (default 40000)\n"
    "  --seed K       seed of the packing (default 1)\n";

static int refuse(const char *option, const char *text, const char *expected) {
  fprintf(stderr, "chute: %s: expected %s, found '%s' (--help lists the options)\n", option, expected, text);
  return 2;
}

static int read_integer(const char *option, const char *text, int64_t low, int64_t high, int64_t *value) {
  char *end, range[64];
  errno = 0;
  *value = strtoll(text, &end, 10);
  if (end != text && !*end && !errno && *value >= low && *value <= high) return 0;
  snprintf(range, sizeof range, "an integer from %lld to %lld", (long long)low, (long long)high);
  return refuse(option, text, range);
}

static int read_real(const char *option, const char *text, double low, double high, double *value) {
  char *end, range[64];
  *value = strtod(text, &end);
  if (end != text && !*end && *value >= low && *value <= high) return 0;
  snprintf(range, sizeof range, "a number from %g to %g", low, high);
  return refuse(option, text, range);
}

/* One option with its value. */
static int read_option(options *o, const char *name, const char *text) {
  const struct {
    const char *name;
    int64_t low, high, *value;
  } integers[] = {
      {"--steps", 1, 1000000000, &o->steps},
      {"--frames", 2, 1000, &o->frames},
      {"--threads", 1, 256, &o->threads},
      {"--grains", 1000, 1000000, &o->packing.grains},
      {"--settle", 1, 1000000000, &o->packing.settle_steps},
      {"--seed", 0, 1000000000, &o->packing.seed},
  };
  for (size_t k = 0; k < sizeof integers / sizeof integers[0]; k++)
    if (!strcmp(name, integers[k].name)) return read_integer(name, text, integers[k].low, integers[k].high, integers[k].value);
  if (!strcmp(name, "--spread")) return read_real(name, text, 0, 0.3, &o->packing.spread);
  if (!strcmp(name, "--data")) return o->data = text, 0;
  if (!strcmp(name, "--out")) return o->folder = text, 0;
  fprintf(stderr, "chute: unknown option '%s' (--help lists the options)\n", name);
  return 2;
}

int options_read(options *o, int count, char **arguments) {
  memset(o, 0, sizeof *o);
  o->folder = "chute-out";
  o->steps = 60000;
  o->frames = 22;
  o->packing.grains = 32000;
  o->packing.settle_steps = 40000;
  o->packing.seed = 1;
  o->threads = 1;
  for (int k = 1; k < count; k += 2) {
    if (!strcmp(arguments[k], "--help")) return fputs(HELP, stdout), 1;
    if (k + 1 == count) return fprintf(stderr, "chute: %s needs a value (--help lists the options)\n", arguments[k]), 2;
    const int failed = read_option(o, arguments[k], arguments[k + 1]);
    if (failed) return failed;
  }
  return 0;
}
