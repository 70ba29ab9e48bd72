/* The tilted box: upright coordinates, wrapping, nearest images, other edges of one lattice. Formulas are in box.h. */
#include "box.h"

#include <stdio.h>

#include "limits.h"

/* Which axes each tilt names: the one that it displaces along, and the edge that it tilts. */
static const int ALONG[3] = {0, 0, 1}, EDGE_OF[3] = {1, 2, 2};
static const char NAMES[3][3] = {"xy", "xz", "yz"};

/* tilt / length, 0 for no tilt: an open axis may have no length. */
static double slope(double tilt, double length) { return tilt == 0 ? 0.0 : tilt / length; }

/* grad u_y = (0, 1, -yz/lz), grad u_x = (1, -xy/ly, -(xz - xy yz/ly)/lz). */
void demi_box_gradient(const demi_box *box, int axis, double gradient[3]) {
  const double *t = box->tilt, ly = demi_box_length(box, 1), lz = demi_box_length(box, 2);
  for (int a = 0; a < 3; a++) gradient[a] = a == axis;
  if (axis == 0) {
    gradient[1] = -slope(t[DEMI_TILT_XY], ly);
    gradient[2] = -slope(t[DEMI_TILT_XZ] + gradient[1] * t[DEMI_TILT_YZ], lz);
  } else if (axis == 1) {
    gradient[2] = -slope(t[DEMI_TILT_YZ], lz);
  }
}

double demi_box_height(const demi_box *box, int axis) {
  double g[3];
  if (!box->tilted) return demi_box_length(box, axis);
  demi_box_gradient(box, axis, g);
  return demi_box_length(box, axis) / sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

/* ---- upright coordinates, wrapping ---- */

/* How far the tilt has displaced an axis at a position, with u above that axis known. */
static double lean_of(const demi_box *box, int axis, const double u[3]) {
  double lean = 0;
  for (int k = 0; k < 3; k++)
    if (ALONG[k] == axis)
      lean += slope(box->tilt[k], demi_box_length(box, EDGE_OF[k])) * (u[EDGE_OF[k]] - box->low[EDGE_OF[k]]);
  return lean;
}

void demi_box_upright_tilted(const demi_box *box, const double position[3], double upright[3]) {
  for (int a = 2; a >= 0; a--) upright[a] = position[a] - lean_of(box, a, upright);
}

void demi_box_wrap_tilted(const demi_box *box, double position[3], int32_t image[3]) {
  double u[3] = {0, 0, 0}, edge[3];
  for (int a = 2; a >= 0; a--) {
    const double lean = lean_of(box, a, u), start = box->low[a] + lean, end = box->high[a] + lean;
    if (box->periodic[a] && !(position[a] >= start && position[a] < end)) {
      const double turns = demi_box_reduce(start, end, &position[a]);
      demi_box_edge(box, a, edge);
      for (int k = 0; k < a; k++) position[k] -= turns * edge[k];
      demi_box_count(turns, &image[a]);
    }
    u[a] = position[a] - lean;
  }
}

/* ---- nearest images ---- */

typedef struct nearest {
  const demi_box *box;
  double square; /* of the shortest so far */
  double vector[3], turns[3];
} nearest;

static double square_of(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

static void take_off(const demi_box *box, int axis, double turns, double vector[3]) {
  double edge[3];
  demi_box_edge(box, axis, edge);
  for (int k = 0; k <= axis; k++) vector[k] -= turns * edge[k];
}

/* The nearest along z, then along y, then along x. */
static void round_down(nearest *n) {
  for (int a = 2; a >= 0; a--) {
    n->turns[a] = n->box->periodic[a] ? round(n->vector[a] / demi_box_length(n->box, a)) : 0.0;
    take_off(n->box, a, n->turns[a], n->vector);
  }
  n->square = square_of(n->vector);
}

/* Tries all turns along `axis` and below it for which no coordinate alone is longer than the shortest vector so far; along x only the
 * turns that leave the least, as no axis is below it. */
static void try_below(nearest *n, int axis, const double vector[3], double turns[3]) {
  if (axis < 0) {
    const double square = square_of(vector);
    if (!(square < n->square)) return;
    n->square = square;
    for (int a = 0; a < 3; a++) n->vector[a] = vector[a], n->turns[a] = turns[a];
    return;
  }
  const double length = demi_box_length(n->box, axis), reach = sqrt(n->square);
  double first = 0, last = 0;
  if (n->box->periodic[axis] && axis == 0) {
    first = last = round(vector[0] / length);
  } else if (n->box->periodic[axis]) {
    first = ceil((vector[axis] - reach) / length);
    last = floor((vector[axis] + reach) / length);
  }
  for (double t = first; t <= last; t++) {
    double below[3] = {vector[0], vector[1], vector[2]};
    take_off(n->box, axis, t, below);
    turns[axis] = t;
    try_below(n, axis - 1, below, turns);
  }
}

/* No vector of the lattice is shorter than the shortest length of a periodic axis, as c has lz along z, b has ly along y and a is lx
 * long. So a vector of up to half of it is the shortest between any images. */
static int is_surely_nearest(const nearest *n) {
  double shortest = INFINITY;
  for (int a = 0; a < 3; a++)
    if (n->box->periodic[a]) shortest = fmin(shortest, demi_box_length(n->box, a));
  return 4.0 * n->square <= shortest * shortest;
}

void demi_box_nearest_tilted(const demi_box *box, double difference[3], double turns[3]) {
  nearest n = {.box = box};
  for (int a = 0; a < 3; a++) n.vector[a] = difference[a];
  round_down(&n);
  if (isfinite(n.square) && !is_surely_nearest(&n)) {
    const double start[3] = {n.vector[0], n.vector[1], n.vector[2]}, rounded[3] = {n.turns[0], n.turns[1], n.turns[2]};
    double more[3];
    for (int a = 0; a < 3; a++) n.turns[a] = 0;
    try_below(&n, 2, start, more);
    for (int a = 0; a < 3; a++) n.turns[a] += rounded[a];
  }
  for (int a = 0; a < 3; a++) difference[a] = n.vector[a], turns[a] = n.turns[a];
}

/* ---- other edges of one lattice ---- */

/* With c = c' - k_yz b' - k_xz a' and b = b' - k_xy a', nearly, the sum n_x a + n_y b + n_z c is
 * (n_x - k_xy n_y - k_xz n_z) a' + (n_y - k_yz n_z) b' + n_z c'. */
void demi_box_renumber(const demi_box *from, const demi_box *to, int32_t image[3]) {
  const double *t = from->tilt, *s = to->tilt;
  double k[3] = {0, 0, 0};
  if (t[DEMI_TILT_YZ] != s[DEMI_TILT_YZ]) k[DEMI_TILT_YZ] = round((s[DEMI_TILT_YZ] - t[DEMI_TILT_YZ]) / demi_box_length(to, 1));
  if (t[DEMI_TILT_XY] != s[DEMI_TILT_XY]) k[DEMI_TILT_XY] = round((s[DEMI_TILT_XY] - t[DEMI_TILT_XY]) / demi_box_length(to, 0));
  const double xz = k[DEMI_TILT_YZ] == 0 ? s[DEMI_TILT_XZ] : s[DEMI_TILT_XZ] - k[DEMI_TILT_YZ] * s[DEMI_TILT_XY];
  if (xz != t[DEMI_TILT_XZ]) k[DEMI_TILT_XZ] = round((xz - t[DEMI_TILT_XZ]) / demi_box_length(to, 0));
  demi_box_count(-k[DEMI_TILT_XY] * image[1] - k[DEMI_TILT_XZ] * image[2], &image[0]);
  demi_box_count(-k[DEMI_TILT_YZ] * image[2], &image[1]);
}

demi_box demi_box_flipped(const demi_box *box) {
  demi_box to = *box;
  double t[3] = {box->tilt[0], box->tilt[1], box->tilt[2]};
  const double lx = demi_box_length(box, 0), ly = demi_box_length(box, 1), most = DEMI_MOST_TILT;
  if (fabs(t[DEMI_TILT_YZ]) > most * ly) {
    const double turns = round(t[DEMI_TILT_YZ] / ly);
    t[DEMI_TILT_YZ] -= turns * ly;
    t[DEMI_TILT_XZ] -= turns * t[DEMI_TILT_XY];
  }
  if (fabs(t[DEMI_TILT_XY]) > most * lx) t[DEMI_TILT_XY] -= round(t[DEMI_TILT_XY] / lx) * lx;
  if (fabs(t[DEMI_TILT_XZ]) > most * lx) t[DEMI_TILT_XZ] -= round(t[DEMI_TILT_XZ] / lx) * lx;
  demi_box_set_tilt(&to, t);
  return to;
}

/* ---- deforming ---- */

/* exp(M) of an upper triangular matrix in the order of the rates, by its series: M is L h, and so small. Where its largest element is
 * above 1/8, exp(M) = exp(M/2)^2. */
static void multiply(const double a[DEMI_RATES], const double b[DEMI_RATES], double out[DEMI_RATES]) {
  const double product[DEMI_RATES] = {a[0] * b[0],
                                      a[1] * b[1],
                                      a[2] * b[2],
                                      a[0] * b[3] + a[3] * b[1],
                                      a[0] * b[4] + a[3] * b[5] + a[4] * b[2],
                                      a[1] * b[5] + a[5] * b[2]};
  for (int k = 0; k < DEMI_RATES; k++) out[k] = product[k];
}

static void exponential(const double m[DEMI_RATES], double out[DEMI_RATES]) {
  double half[DEMI_RATES], term[DEMI_RATES] = {1, 1, 1, 0, 0, 0}, largest = 0;
  int halvings = 0;
  for (int k = 0; k < DEMI_RATES; k++) largest = fmax(largest, fabs(m[k]));
  for (; largest > 0.125 && halvings < 60; halvings++) largest *= 0.5;
  for (int k = 0; k < DEMI_RATES; k++) {
    half[k] = ldexp(m[k], -halvings);
    out[k] = term[k];
  }
  for (int n = 1; n <= 12; n++) {
    multiply(term, half, term);
    for (int k = 0; k < DEMI_RATES; k++) out[k] += term[k] /= n;
  }
  for (; halvings > 0; halvings--) multiply(out, out, out);
}

void demi_box_deform(demi_box *box, const double rate[DEMI_RATES], double duration) {
  double m[DEMI_RATES], f[DEMI_RATES], tilt[3];
  for (int k = 0; k < DEMI_RATES; k++) m[k] = rate[k] * duration;
  exponential(m, f);
  const double *t = box->tilt, ly = demi_box_length(box, 1), lz = demi_box_length(box, 2);
  tilt[DEMI_TILT_XY] = f[0] * t[DEMI_TILT_XY] + f[3] * ly;
  tilt[DEMI_TILT_XZ] = f[0] * t[DEMI_TILT_XZ] + f[3] * t[DEMI_TILT_YZ] + f[4] * lz;
  tilt[DEMI_TILT_YZ] = f[1] * t[DEMI_TILT_YZ] + f[5] * lz;
  for (int a = 0; a < 3; a++) {
    const double middle = 0.5 * (box->low[a] + box->high[a]), half = 0.5 * f[a] * demi_box_length(box, a);
    if (rate[a] == 0) continue;
    box->low[a] = middle - half;
    box->high[a] = middle + half;
  }
  demi_box_set_tilt(box, tilt);
}

/* ---- checks ---- */

void demi_box_set_tilt(demi_box *box, const double tilt[3]) {
  for (int k = 0; k < 3; k++) box->tilt[k] = tilt[k];
  box->tilted = tilt[0] != 0 || tilt[1] != 0 || tilt[2] != 0;
}

static int corner_flaw(const demi_box *box, int a, char text[DEMI_BOX_TEXT]) {
  const double low = box->low[a], high = box->high[a];
  const int wrong = !demi_bounded(low) || !demi_bounded(high) || high < low;
  if (wrong)
    snprintf(text, DEMI_BOX_TEXT, "box axis %d runs from %g to %g, must be finite and not reversed, -%g to %g", a, low, high,
             DEMI_LARGEST, DEMI_LARGEST);
  else if (box->periodic[a] && !(high > low))
    snprintf(text, DEMI_BOX_TEXT, "periodic axis %d has length %g, must be > 0", a, high - low);
  else
    return 0;
  return 1;
}

static int tilt_flaw(const demi_box *box, int k, char text[DEMI_BOX_TEXT]) {
  const double t = box->tilt[k], length = demi_box_length(box, ALONG[k]);
  const int open = !box->periodic[ALONG[k]] ? ALONG[k] : EDGE_OF[k];
  const double half = DEMI_MOST_TILT * length;
  const int leans = demi_bounded(t) && t != 0 && length > 0; /* 0/0 would raise a floating-point exception */
  const double turns = leans ? round(t / length) : 0.0, same = leans ? t - length * turns : 0.0;
  if (!demi_bounded(t))
    snprintf(text, DEMI_BOX_TEXT, "box tilt %s is %g, must be finite, -%g to %g", NAMES[k], t, DEMI_LARGEST, DEMI_LARGEST);
  else if (t != 0 && !box->periodic[open])
    snprintf(text, DEMI_BOX_TEXT, "box tilt %s is %g, must be 0 as axis %d is open", NAMES[k], t, open);
  else if (fabs(t) > half && k == DEMI_TILT_YZ)
    snprintf(
        text, DEMI_BOX_TEXT,
        "box tilt yz is %g, at most %g either way (half the length of axis 1): the images are the same with yz %g and xz %g", t,
        0.5 * length, same, box->tilt[DEMI_TILT_XZ] - turns * box->tilt[DEMI_TILT_XY]);
  else if (fabs(t) > half)
    snprintf(text, DEMI_BOX_TEXT,
             "box tilt %s is %g, at most %g either way (half the length of axis 0): the images are the same with %s %g",
             NAMES[k], t, 0.5 * length, NAMES[k], same);
  else
    return 0;
  return 1;
}

const char *demi_box_flaw(const demi_box *box, char text[DEMI_BOX_TEXT]) {
  for (int a = 0; a < 3; a++)
    if (corner_flaw(box, a, text)) return text;
  for (int k = 0; k < 3; k++)
    if (tilt_flaw(box, k, text)) return text;
  return NULL;
}
