/* What the cases of dem-bench share. Only the public API is used. */
#ifndef BENCH_H
#define BENCH_H

#include <dem/dem.h>

typedef struct options {
  const char *data, *law, *integrator, *scene, *scheme, *write, *make, *strategy;
  long long steps, threads, ledger, warmup, instructions, pairs, quick, repeat, discs, count, seed, memory;
  double skin, ratio, restitution, overlap, phi, rate, tolerance, force, reach, strain, friction; /* 0: as the case has it */
} options;

/* Says what went wrong on stderr; 1. */
int fail(const char *what, const char *message);

/* A clock [s]. */
double seconds(void);

/* A context whose warnings go to stderr, or NULL. */
dem_context *bench_context(const options *o);

/* Median of the values, which are sorted. */
double median(double *values, int count);

/* ---- the chute of LAMMPS's bench/in.chute, for more than one case ---- */

typedef struct bench {
  dem_context *context;
  dem_data *data;
  dem_system *system;
} bench;

/* The system with its particles, ready to step. 0, or 1 after saying why. */
int chute_open(bench *b, const options *o);
void bench_close(bench *b);

/* ---- cases: 0, or 1 after saying why ---- */

int run_chute(const options *o);
int run_bed(const options *o);
int run_ledger(const options *o);
int run_books(const options *o);
int run_percolation(const options *o);
int run_three_sphere_map(const options *o);
int run_size_ratio(const options *o);
int run_trial(const options *o);
int run_relax(const options *o);
int run_shear(const options *o);
int run_gas(const options *o);
int run_quasistatic(const options *o);

#endif
