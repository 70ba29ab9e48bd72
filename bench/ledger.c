/* What the books cost: three copies of the chute, without books, with them (ledger = 1) and with their shares and fields
 * (ledger = 2), take the same steps in turns, so that what else the machine does meets all three alike. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { KINDS = 3, MOST_PAIRS = 1000 };

static int timed_steps(bench *b, int64_t steps, double *wall) {
  const double start = seconds();
  if (dem_system_step(b->system, steps)) return fail("run", dem_system_message(b->system));
  *wall = seconds() - start;
  return 0;
}

/* Each round in the reverse order of the one before. The first round warms up and does not count. */
static int compare(bench *copies, const options *o, double ratio[KINDS][MOST_PAIRS]) {
  for (int round = -1; round < (int)o->pairs; round++) {
    double wall[KINDS];
    for (int k = 0; k < KINDS; k++) {
      const int kind = round % 2 ? KINDS - 1 - k : k;
      if (timed_steps(&copies[kind], o->steps, &wall[kind])) return 1;
    }
    for (int kind = 0; round >= 0 && kind < KINDS; kind++) ratio[kind][round] = wall[kind] / wall[0];
  }
  return 0;
}

int run_ledger(const options *o) {
  static double ratio[KINDS][MOST_PAIRS];
  bench copies[KINDS];
  options own = *o;
  int failed = o->pairs > MOST_PAIRS || o->steps < 1 ? fail("--pairs, --steps", "1 to 1000 pairs of at least one step") : 0;
  memset(copies, 0, sizeof copies);
  for (int kind = 0; kind < KINDS && !failed; kind++) {
    own.ledger = kind;
    failed = chute_open(&copies[kind], &own);
  }
  if (!failed) failed = compare(copies, o, ratio);
  if (!failed) {
    printf("cost_ratio_ledger %.4f\n", median(ratio[1], (int)o->pairs));
    printf("cost_ratio_fields %.4f\n", median(ratio[2], (int)o->pairs));
  }
  for (int kind = 0; kind < KINDS; kind++) bench_close(&copies[kind]);
  return failed;
}
