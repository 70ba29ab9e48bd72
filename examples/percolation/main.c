/* Fine spheres fall through a static bed of large ones, under plain and under improved velocity-Verlet: the plain scheme catches
 * a good part of them for ever in the grooves between large spheres, the improved one next to none.
 *
 * usage: percolation [FOLDER [RATIO [FINES [DEPTH]]]]     DEPTH in large radii
 * Leaves in FOLDER percolation_RATIO.csv (trapped and fallen through, over time) and percolation_RATIO_fines.csv, _bed.csv
 * (positions at four instants, lengths over R), for tools/plot_percolation.py. */
#include <stdio.h>
#include <stdlib.h>

#include "fall.h"

static const double RADIUS = 5e-3, SIDE = 10; /* of a large sphere [m]; of the column, in radii */
static const char *const schemes[] = {"velocity-verlet", "improved-velocity-verlet"};
static const double shown[] = {10, 25, 45, 90};

typedef struct files {
  FILE *series, *fines, *bed;
} files;

static FILE *open_csv(const char *folder, double ratio, const char *what, const char *heading) {
  char path[1024];
  snprintf(path, sizeof path, "%s/percolation_%g%s.csv", folder, ratio, what);
  FILE *csv = fopen(path, "w");
  if (!csv) {
    fprintf(stderr, "percolation: cannot write %s\n", path);
    exit(1);
  }
  fprintf(csv, "%s\n", heading);
  return csv;
}

static void write_bed(FILE *csv, const bed *b) {
  for (int64_t k = 0; k < b->count; k++)
    fprintf(csv, "%.5f,%.5f,%.5f\n", b->position[3 * k] / b->radius, b->position[3 * k + 1] / b->radius,
            b->position[3 * k + 2] / b->radius);
}

static void write_fines(FILE *csv, const fall *f) {
  for (int64_t k = 0; k < f->options.fines; k++) {
    const fine *one = f->fines + k;
    const double *x = one->position, unit = f->bed->radius;
    if (!one->through)
      fprintf(csv, "%s,%g,%.4f,%.4f,%.4f,%d\n", f->options.scheme, f->now, x[0] / unit, x[1] / unit, x[2] / unit,
              (int)one->trapped);
  }
}

static int run(dem_context *context, const bed *b, const fall_options *o, files *to) {
  fall f;
  int failed = fall_open(context, b, o, &f), next = 0;
  for (double t = 1; t <= o->time && !failed; t += 1) {
    failed = fall_until(&f, t);
    fprintf(to->series, "%s,%g,%.5f,%.5f\n", o->scheme, t, (double)f.trapped / (double)o->fines,
            (double)f.through / (double)o->fines);
    if (t == shown[next]) write_fines(to->fines, &f), next++;
  }
  if (!failed)
    printf("R/r = %g, %-24s: %.4f trapped, %.4f fell through\n", o->ratio, o->scheme, (double)f.trapped / (double)o->fines,
           (double)f.through / (double)o->fines);
  fall_close(&f);
  return failed;
}

int main(int count, char **arguments) {
  const char *folder = count > 1 ? arguments[1] : ".";
  fall_options o = fall_defaults();
  if (count > 2) o.ratio = atof(arguments[2]);
  if (count > 3) o.fines = atol(arguments[3]);
  const double depth = count > 4 ? atof(arguments[4]) : 20;
  if (!(o.ratio > 1) || o.fines < 1 || !(depth > 2)) return fprintf(stderr, "percolation: bad RATIO, FINES or DEPTH\n"), 1;
  files to = {open_csv(folder, o.ratio, "", "scheme,time,trapped,through"),
              open_csv(folder, o.ratio, "_fines", "scheme,time,x,y,z,trapped"), open_csv(folder, o.ratio, "_bed", "x,y,z")};
  dem_context *context = NULL;
  bed b;
  int failed = dem_context_create(NULL, &context) || bed_make(context, RADIUS, SIDE * RADIUS, depth * RADIUS, &b);
  if (!failed) {
    write_bed(to.bed, &b);
    for (int k = 0; k < 2 && !failed; k++) {
      o.scheme = schemes[k];
      failed = run(context, &b, &o, &to);
    }
    bed_free(&b);
  }
  dem_context_destroy(context);
  return fclose(to.series) || fclose(to.fines) || fclose(to.bed) || failed;
}
