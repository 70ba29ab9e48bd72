/* Levels of sizes: which radii share a cell grid, and how far the particles of each may move before a list of them is too old.
 *
 * Radii are counted in bins, four to an octave. A level is a run of bins; its cells are as large as its largest particle asks for.
 * The runs are chosen by dynamic programming, exactly, for the least estimated number of distance tests of a list build:
 *
 *   within a level      N^2/2 times the part of all space that 27 cells of the level are
 *   with coarser ones   N times the number of coarser particles whose surface is within a cell or two of a particle
 *   for the level       a few tests per particle of the finer levels, which look through its grid too, and a constant
 *
 * The density is that of the box or, where that is emptier, of a dense packing. Sizes that hardly differ end up in one level, and so do
 * sizes that few particles have: a level must save more than it costs. Source of the idea: Krijgsman, Ogarko, Luding, Comput.
 * Part. Mech. 1 (2014) 357, who minimise a like estimate over the number of levels and a power law for their sizes. */
#ifndef DEMI_LEVELS_H
#define DEMI_LEVELS_H

#include <stdint.h>

enum { DEMI_MAX_LEVELS = 16, DEMI_SIZE_BINS = 64 };

/* Bins from fine to coarse; the first takes everything that is finer. */
typedef struct demi_sizes {
  double largest_of_all;
  int64_t count[DEMI_SIZE_BINS];
  double largest[DEMI_SIZE_BINS], sum[DEMI_SIZE_BINS]; /* of the radii */
} demi_sizes;

typedef struct demi_size_levels {
  int32_t count;
  int32_t of_bin[DEMI_SIZE_BINS];
  double largest[DEMI_MAX_LEVELS], mean[DEMI_MAX_LEVELS]; /* radii; from fine to coarse */
  int64_t members[DEMI_MAX_LEVELS];
  double cost, cost_of_one; /* estimated distance tests: of this choice, of one level for all */
} demi_size_levels;

void demi_sizes_start(demi_sizes *sizes, double largest_radius);
int32_t demi_size_bin(const demi_sizes *sizes, double radius);
void demi_sizes_add(demi_sizes *sizes, double radius);
/* 1: no two bins are occupied. */
int demi_sizes_alike(const demi_sizes *sizes);

/* `extent`: of the space that the particles are in; `margin`: range and skin, by which particles reach beyond their surface. */
void demi_levels_choose(const demi_sizes *sizes, const double extent[3], double margin, demi_size_levels *levels);

#endif
