/* Jammed packings: random starts above the jamming point are relaxed and decompressed along a ladder of pressures. Written are the packing
 * fraction phi, the pressure p and the excess of the coordination z over its isostatic value at each pressure.
 *
 * usage: jam [--quick] [--spheres] [--count N] [--seeds S] [--start PHI] [--first P] [--last P] [--threads T]
 *            [--strategy NAME] [FOLDER]
 * Default: 1,000 discs, half with radius 0.5, half with 0.7, three seeds, from p = 0.02 to 1e-7 in units of the stiffness. --spheres:
 * spheres of radius 0.5. Leaves jam.csv in FOLDER, for tools/plot_jam.py, and the first packing at the last pressure as jam.data (LAMMPS),
 * jam.vtp, jam_contacts.vtp and jam_box.vtp (ParaView). --quick: 400 discs to 1e-5. It ends with physical statements, and
 * returns a value other than 0 when one does not hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decompress.h"

typedef struct arguments {
  jam_options options;
  int seeds, quick;
} arguments;

static void take_word(arguments *a, const char *word) {
  if (strcmp(word, "--quick") == 0)
    a->quick = 1, a->options.count = 400, a->options.last = 1e-5;
  else if (strcmp(word, "--spheres") == 0)
    a->options.dimension = 3, a->options.ratio = 1, a->options.start = 0.7;
  else if (word[0] == '-')
    exit(fprintf(stderr, "jam: unknown option %s\n", word) > 0);
  else
    a->options.folder = word;
}

static int take_pair(arguments *a, const char *name, const char *value) {
  if (strcmp(name, "--count") == 0)
    a->options.count = atoll(value);
  else if (strcmp(name, "--seeds") == 0)
    a->seeds = atoi(value);
  else if (strcmp(name, "--start") == 0)
    a->options.start = atof(value);
  else if (strcmp(name, "--first") == 0)
    a->options.first = atof(value);
  else if (strcmp(name, "--last") == 0)
    a->options.last = atof(value);
  else if (strcmp(name, "--threads") == 0)
    a->options.threads = atoi(value);
  else if (strcmp(name, "--strategy") == 0)
    a->options.strategy = value;
  else
    return 0;
  return 1;
}

static arguments read_arguments(int count, char **words) {
  arguments a = {.options = {.dimension = 2,
                             .threads = 1,
                             .count = 1000,
                             .ratio = 1.4,
                             .start = 0.9,
                             .first = 0.02,
                             .last = 1e-7,
                             .rungs = 4,
                             .folder = "."},
                 .seeds = 3};
  for (int k = 1; k < count; k++) {
    if (k + 1 < count && take_pair(&a, words[k], words[k + 1]))
      k++;
    else
      take_word(&a, words[k]);
  }
  return a;
}

/* ---- measures ---- */

static double excess(const dem_jam_report *r) {
  const double carrying = 2 * r->contacts / r->coordination_carrying;
  return r->coordination_carrying - 2 * r->contacts_isostatic / carrying;
}

static int is_in_range(const ladder *l, int k) {
  const double distance = l->state[k].packing_fraction - l->point[k];
  /* below, single contacts count; above, the law bends */
  return distance > 0 && distance < 0.03 && l->state[k].contacts - l->state[k].contacts_isostatic >= 8;
}

/* Slope of ln(excess) over ln(phi - phi_J), least squares over the states of all packings. */
static double exponent(const ladder *l, int *states) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int k = 0; k < l->count; k++) {
    if (!is_in_range(l, k)) continue;
    const double a = log(l->state[k].packing_fraction - l->point[k]), b = log(excess(&l->state[k]));
    n++, x += a, y += b, xx += a * a, xy += a * b;
  }
  *states = (int)n;
  return (n * xy - x * y) / (n * xx - x * x);
}

static int write_csv(const ladder *l, const char *folder) {
  char path[1024];
  snprintf(path, sizeof path, "%s/jam.csv", folder);
  FILE *csv = fopen(path, "w");
  if (!csv) return fprintf(stderr, "jam: cannot write %s\n", path), 1;
  fprintf(csv, "phi,phi_point,pressure,coordination,excess,rattlers,contacts,contacts_isostatic\n");
  for (int k = 0; k < l->count; k++) {
    const dem_jam_report *r = &l->state[k];
    fprintf(csv, "%.12f,%.12f,%.6e,%.6f,%.6f,%g,%g,%g\n", r->packing_fraction, l->point[k], r->pressure,
            r->coordination_carrying, excess(r), r->rattlers, r->contacts, r->contacts_isostatic);
  }
  return fclose(csv) != 0;
}

/* ---- statements ---- */

/* The verdict: prints the statement and its range; 0 when it holds. */
static int holds(const char *what, double value, double low, double high) {
  const int good = value >= low && value <= high;
  printf("%s: %.5g, expected %g to %g: %s\n", what, value, low, high, good ? "holds" : "DOES NOT HOLD");
  return !good;
}

static int is_last(const ladder *l, int k) { return k + 1 == l->count || l->point[k + 1] != l->point[k]; }

/* What the packings have at the last pressure. */
typedef struct summary {
  int packings, unreached;
  double mean, deviation; /* of phi_J */
  double least, most;     /* contacts more than isostatic */
  double distance;        /* mean of phi - phi_J */
} summary;

static summary sum_up(const ladder *l) {
  summary s = {.least = INFINITY, .most = -INFINITY};
  double square = 0;
  for (int k = 0; k < l->count; k++) {
    const dem_jam_report *r = &l->state[k];
    s.unreached += r->reason < 0;
    if (!is_last(l, k)) continue;
    s.packings++;
    s.mean += l->point[k];
    square += l->point[k] * l->point[k];
    s.distance += r->packing_fraction - l->point[k];
    s.least = fmin(s.least, r->contacts - r->contacts_isostatic);
    s.most = fmax(s.most, r->contacts - r->contacts_isostatic);
  }
  s.mean /= s.packings;
  s.distance /= s.packings;
  s.deviation = sqrt(fmax(0, square / s.packings - s.mean * s.mean));
  return s;
}

/* z - z_iso = z_0 sqrt(phi - phi_J), z_0 = 3.6 (discs) or 7.7 (spheres), O'Hern et al. 2003, gives N z_0/2 sqrt(phi - phi_J) contacts more
 * than isostatic; twice that and two more are allowed. */
static double most_surplus(const arguments *a, const summary *s) {
  return 2 + (a->options.dimension == 2 ? 3.6 : 7.7) * (double)a->options.count * sqrt(fmax(0, s->distance));
}

static int conclude(const ladder *l, const arguments *a) {
  int states, flat = a->options.dimension == 2, wide = a->quick;
  const double power = exponent(l, &states);
  const summary s = sum_up(l);
  printf("%d packings, phi_J %.5f, standard deviation %.5f; exponent from %d states\n", s.packings, s.mean, s.deviation,
         states);
  int bad = holds("pressures that were not reached", s.unreached, 0, 0);
  bad |= holds("mean packing fraction at the jamming point", s.mean, flat ? (wide ? 0.83 : 0.84) : 0.63,
               flat ? (wide ? 0.85 : 0.846) : 0.65);
  bad |= holds("exponent of the excess coordination", power, wide ? 0.4 : 0.45, wide ? 0.6 : 0.55);
  bad |= holds("contacts more than isostatic at the last pressure, least", s.least, 0, most_surplus(a, &s));
  return bad | holds("contacts more than isostatic at the last pressure, most", s.most, 0, most_surplus(a, &s));
}

int main(int count, char **words) {
  const arguments a = read_arguments(count, words);
  ladder states = {0};
  for (int k = 0; k < a.seeds; k++) decompress(&a.options, (uint64_t)k + 1, k == 0, &states);
  int bad = write_csv(&states, a.options.folder);
  bad |= conclude(&states, &a);
  free(states.state);
  free(states.point);
  return bad;
}
