/* Principal values of S = (T + T^t)/2 by Jacobi's method: rotations in the planes (p, q) that make S_pq zero,
 *
 *   theta = (S_qq - S_pp)/(2 S_pq),  t = sign(theta)/(|theta| + sqrt(theta^2 + 1)),  c = 1/sqrt(t^2 + 1),  s = t c
 *   S_pp -= t S_pq,  S_qq += t S_pq,  and for the third index r:  S_rp' = c S_rp - s S_rq,  S_rq' = s S_rp + c S_rq,
 *
 * again and again; what is left beside the diagonal decreases quadratically (Golub and Van Loan, Matrix Computations, 8.5).
 * Invariants come from the components: s = S - mean 1, J_2 = s:s/2, J_3 = det s, q = sqrt(3 J_2). */
#include "principal.h"

#include <math.h>
#include <string.h>

#include "intake.h"
#include "limits.h"

#define PRINCIPAL_V1 DEMI_SIZE_TO(dem_principal, asymmetry)

enum { SWEEPS = 30 }; /* 6 are usual */

dem_status demi_principal_defaults(dem_principal *principal, uint32_t struct_size) {
  dem_principal p;
  memset(&p, 0, sizeof p);
  return demi_init(principal, struct_size, &p, sizeof p, PRINCIPAL_V1);
}

/* ---- rotations ---- */

/* `v` has the directions as columns. */
static void rotate(double s[3][3], double v[3][3], int p, int q) {
  const int r = 3 - p - q;
  const double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), sine = t * c;
  const double rp = s[r][p], rq = s[r][q];
  s[p][p] -= t * s[p][q];
  s[q][q] += t * s[p][q];
  s[p][q] = s[q][p] = 0;
  s[r][p] = s[p][r] = c * rp - sine * rq;
  s[r][q] = s[q][r] = sine * rp + c * rq;
  for (int k = 0; k < 3; k++) {
    const double vp = v[k][p], vq = v[k][q];
    v[k][p] = c * vp - sine * vq;
    v[k][q] = sine * vp + c * vq;
  }
}

static double largest(double s[3][3]) {
  double m = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) m = fabs(s[a][b]) > m ? fabs(s[a][b]) : m;
  return m;
}

/* Components below 1e-17 of the largest change no digit of the values. */
static void diagonalise(double s[3][3], double v[3][3]) {
  const double small = 1e-17 * largest(s);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) v[a][b] = a == b;
  for (int sweep = 0, turned = 1; sweep < SWEEPS && turned; sweep++) {
    turned = 0;
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++)
        if (fabs(s[p][q]) > small) {
          rotate(s, v, p, q);
          turned = 1;
        }
  }
}

/* ---- order and signs ---- */

static void order(double s[3][3], int32_t dimension, int place[3]) {
  for (int k = 0; k < 3; k++) place[k] = k;
  for (int n = 0; n < dimension; n++)
    for (int k = 0; k + 1 < dimension; k++)
      if (s[place[k]][place[k]] < s[place[k + 1]][place[k + 1]]) {
        const int other = place[k];
        place[k] = place[k + 1];
        place[k + 1] = other;
      }
}

static void face_upwards(double d[3]) {
  int most = 0;
  for (int a = 1; a < 3; a++)
    if (fabs(d[a]) > fabs(d[most])) most = a;
  const double sign = d[most] < 0 ? -1 : 1;
  for (int a = 0; a < 3; a++) d[a] *= sign;
}

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void set_signs(dem_principal *p) {
  for (int k = 0; k < 2; k++) face_upwards(p->direction[k]);
  if (p->dimension == 3)
    cross(p->direction[0], p->direction[1], p->direction[2]);
  else
    cross(p->direction[2], p->direction[0], p->direction[1]);
}

/* ---- invariants ---- */

static double determinant(double s[3][3]) {
  return s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
         s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
}

static void find_invariants(double s[3][3], dem_principal *p) {
  p->mean = 0;
  for (int a = 0; a < p->dimension; a++) p->mean += s[a][a] / p->dimension;
  for (int a = 0; a < p->dimension; a++) s[a][a] -= p->mean;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) p->second += 0.5 * s[a][b] * s[a][b];
  p->third = p->dimension == 3 ? determinant(s) : 0;
  p->deviator = sqrt(p->dimension == 3 ? 3 * p->second : p->second);
}

dem_principal demi_principal_of(const double tensor[9], int32_t dimension) {
  dem_principal p;
  double s[3][3] = {{0}}, v[3][3], whole[3][3];
  int place[3];
  memset(&p, 0, sizeof p);
  p.struct_size = (uint32_t)sizeof p;
  p.dimension = dimension;
  for (int a = 0; a < dimension; a++)
    for (int b = 0; b < dimension; b++) {
      const double half = 0.5 * (tensor[3 * a + b] - tensor[3 * b + a]);
      s[a][b] = 0.5 * (tensor[3 * a + b] + tensor[3 * b + a]);
      p.asymmetry += half * half;
    }
  p.asymmetry = sqrt(p.asymmetry);
  memcpy(whole, s, sizeof s);
  find_invariants(whole, &p);
  diagonalise(s, v);
  order(s, dimension, place);
  for (int k = 0; k < 3; k++) {
    p.value[k] = s[place[k]][place[k]];
    for (int a = 0; a < 3; a++) p.direction[k][a] = v[a][place[k]];
  }
  p.shear = 0.5 * (p.value[0] - p.value[dimension - 1]);
  set_signs(&p);
  return p;
}

dem_status demi_tensor_principal(const double *tensor, int32_t dimension, dem_principal *principal) {
  if (!tensor || !principal || (dimension != 2 && dimension != 3)) return DEM_BAD_ARGUMENT;
  for (int k = 0; k < 9; k++)
    if (!demi_bounded(tensor[k])) return DEM_BAD_ARGUMENT;
  const dem_principal p = demi_principal_of(tensor, dimension);
  return demi_outgive(principal, &p, sizeof p, PRINCIPAL_V1);
}
