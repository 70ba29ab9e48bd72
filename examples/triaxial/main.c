/* Triaxial compression of a dense sample of spheres, in a cell of six servo walls and in a periodic box with controlled stress. Each is
 * first compressed isotropically with little friction, then gets its friction, and is compressed along z at a constant rate of the
 * logarithmic strain, while the stresses along x and y are held.
 *
 * usage: triaxial [--quick] [--threads N] [--cell walls|box] [FOLDER]
 * Leaves triaxial.csv in FOLDER, for tools/plot_triaxial.py. --quick: 512 spheres, five times as fast, to a strain of 8 %. It ends
 * with physical statements, and returns a value other than 0 when one does not hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static const double PI = 3.14159265358979323846;
static const cell *const cells[] = {&wall_cell, &box_cell};

static triaxial_options full_size(void) {
  return (triaxial_options){
      .side = 20, .threads = 1, .friction = 0.5, .friction_compressed = 0.05, .rate = 1e-3, .strain = 0.2, .rows = 200};
}

static void make_quick(triaxial_options *o) { o->side = 8, o->rate = 5e-3, o->strain = 0.08, o->rows = 40; }

static void write_row(FILE *csv, const cell *c, const state *t) {
  fprintf(csv, "%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f", c->name, t->axial_strain, t->volumetric_strain, t->void_ratio, t->ratio,
          t->deviator, t->coordination, t->sliding);
  for (int a = 0; a < 3; a++) fprintf(csv, ",%.6f", t->stress[a]);
  for (int a = 0; a < 3; a++) fprintf(csv, ",%.6f", t->pressure[a]);
  fprintf(csv, ",%.3e,%.3e,%.3e\n", state_mismatch(t), t->kinetic, t->residual);
  fflush(csv);
}

/* The verdict: prints the statement and its range; 0 when it holds. */
static int holds(const cell *c, const char *what, double value, double low, double high) {
  const int good = value >= low && value <= high;
  printf("%s, %s: %.4g, expected %g to %g: %s\n", c->name, what, value, low, high, good ? "holds" : "DOES NOT HOLD");
  fflush(stdout);
  return !good;
}

/* Sums over the rows of the shear. */
typedef struct series {
  double largest, at_strain, lateral, mismatch, ratio;
} series;

static void add_row(series *sum, const state *t, int rows, int late) {
  if (t->ratio > sum->largest) sum->largest = t->ratio, sum->at_strain = t->axial_strain;
  sum->lateral += 0.5 * (t->pressure[0] + t->pressure[1]) / rows;
  sum->mismatch += state_mismatch(t) / rows;
  if (late) sum->ratio += t->ratio / (rows - rows / 2);
}

static int shear(sample *s, const cell *c, const state *start, FILE *csv) {
  const triaxial_options *o = &s->options;
  const int64_t steps = (int64_t)ceil(o->strain / o->rows / (o->rate * s->dt));
  series sum = {0};
  state now = *start;
  for (int row = 0; row < o->rows; row++) {
    sample_shear(s, c, steps);
    sample_measure(s, c, &now);
    write_row(csv, c, &now);
    add_row(&sum, &now, o->rows, row >= o->rows / 2);
  }
  printf(
      "%s: largest s1/s3 %.3f at strain %.3f; void ratio %.4f at strain %.3f; contacts and cell differ by %.1e in the mean\n",
      c->name, sum.largest, sum.at_strain, now.void_ratio, now.axial_strain, sum.mismatch);
  int bad = holds(c, "mean lateral pressure over the target", sum.lateral, 0.98, 1.02);
  bad |= holds(c, "angle of friction in the second half, degrees", asin((sum.ratio - 1) / (sum.ratio + 1)) * 180 / PI, 20, 35);
  bad |= holds(c, "void ratio gained", now.void_ratio - start->void_ratio, 0.02, 0.2);
  sample_halt(s, c);
  sample_measure(s, c, &now);
  bad |= holds(c, "stress from contacts and on the cell, at rest with s1 > s3: difference", state_mismatch(&now), 0, 1e-4);
  return bad | holds(c, "residual of the energy books", now.residual, 0, 1e-12);
}

static int run(const cell *c, const triaxial_options *o, FILE *csv) {
  sample s;
  state start;
  sample_open(&s, c, o);
  sample_compress(&s, c);
  sample_measure(&s, c, &start);
  write_row(csv, c, &start);
  printf("%s: compressed to void ratio %.4f, coordination %.3f\n", c->name, start.void_ratio, start.coordination);
  int bad = holds(c, "stress from contacts and on the cell, compressed: difference", state_mismatch(&start), 0, 1e-4);
  bad |= shear(&s, c, &start, csv);
  sample_close(&s);
  return bad;
}

int main(int count, char **arguments) {
  const char *folder = ".", *only = NULL;
  triaxial_options o = full_size();
  for (int k = 1; k < count; k++) {
    if (strcmp(arguments[k], "--quick") == 0)
      make_quick(&o);
    else if (strcmp(arguments[k], "--threads") == 0 && k + 1 < count)
      o.threads = atoi(arguments[++k]);
    else if (strcmp(arguments[k], "--cell") == 0 && k + 1 < count)
      only = arguments[++k];
    else if (arguments[k][0] != '-')
      folder = arguments[k];
    else
      return fprintf(stderr, "usage: triaxial [--quick] [--threads N] [--cell walls|box] [FOLDER]\n"), 1;
  }
  char path[1024];
  snprintf(path, sizeof path, "%s/triaxial.csv", folder);
  FILE *csv = fopen(path, "w");
  if (!csv) return fprintf(stderr, "triaxial: cannot write %s\n", path), 1;
  fprintf(csv,
          "cell,axial_strain,volumetric_strain,void_ratio,stress_ratio,q_over_p,coordination,sliding,"
          "stress_x,stress_y,stress_z,cell_x,cell_y,cell_z,mismatch,kinetic,books\n");
  int bad = 0;
  for (int k = 0; k < 2; k++)
    if (!only || strcmp(only, cells[k]->name) == 0) bad |= run(cells[k], &o, csv);
  return fclose(csv) != 0 || bad;
}
