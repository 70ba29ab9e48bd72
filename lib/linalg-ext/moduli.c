/* Elastic moduli by the response of the particles to a strain of the box.
 *
 * The energy of a trial is a function of the displacements u of the particles beside the strain, and of the strain E of the box. With
 * its second derivatives K at u = 0, E = 0, particles that stay at their minimum while the box is strained move by x_b = -K_uu^-1 K_ub
 * for a unit of strain component b, and the second derivatives of the energy of the whole are
 *
 *   V stiffness_ab = K_ab - K_au K_uu^-1 K_ub.
 *
 * (Lutsko, J. Appl. Phys. 65 (1989) 2991; Maloney, Lemaitre, Phys. Rev. E 74 (2006) 016118.) K_uu x = K_ub is solved with A = S K_uu
 * S, of unit diagonal, and the factor of A + s I, s = 1e-9, by refinement: x += (A + s I)^-1 (b - A x). The part of the error in an
 * eigenvector of eigenvalue l falls by s/(l + s) each time. Translations that cost no force are taken out; K_ub has no part along
 * them, nor along other directions of eigenvalue 0, whose part of x is only rounding. Where A + s I is not positive definite, the
 * particles are at no minimum.
 *
 * E is not symmetric: strain (k, i) with k <= i displaces a place X by E_ki X_i along k. With T = -stress,
 * energy/V = T : G + G : green : G/2, Green's strain G = (E + E^T + E^T E)/2, so d2(energy/V) = green_(ki)(lj) + delta_kl T_ij. */
#include <math.h>
#include <string.h>

#include "network_matrix.h"
#include "simplicial.h"

enum { COMPONENTS = 6, MOST_TURNS = 100 };
#define MODULI_V1 DEMI_LA_SIZE_TO(dem_linalg_moduli, unrest)
/* The solution ends at this relative residual. */
static const double EXACT = 1e-12;
static const double SHIFT = 1e-9;
static const int AXIS[2][COMPONENTS][2] = {{{0, 0}, {1, 1}, {0, 1}, {0, 0}, {0, 0}, {0, 0}},
                                           {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

typedef struct response {
  dem_linalg *linalg;
  dem_trial *trial;
  demi_la_network network;
  demi_la_simplicial factor;
  int32_t width;                         /* components of the strain */
  double *unit, *product;                /* of the trial's unknowns */
  double *force, *x;                     /* n numbers for each component: S K_ub, and the solution */
  double *r, *z, *p, *q;                 /* n numbers each */
  double strain[COMPONENTS][COMPONENTS]; /* K_ab */
} response;

dem_status dem_linalg_moduli_init(dem_linalg_moduli *moduli, uint32_t struct_size) {
  const dem_linalg_moduli zero = {.struct_size = sizeof zero};
  return demi_la_give(moduli, struct_size, &zero, sizeof zero, MODULI_V1);
}

/* ---- forces of a unit strain ---- */

static dem_status strain_forces(response *e) {
  const demi_la_network *w = &e->network;
  const int64_t box = w->rows.unknowns - e->width;
  for (int32_t b = 0; b < e->width; b++) {
    memset(e->unit, 0, (size_t)w->rows.unknowns * sizeof *e->unit);
    e->unit[box + b] = 1;
    const dem_status status = dem_trial_apply(e->trial, e->unit, e->product);
    if (status) return demi_la_refuse(e->linalg, status, "moduli: the trial gave no product");
    for (int32_t a = 0; a < e->width; a++) e->strain[a][b] = e->product[box + a];
    for (int64_t u = 0; u < w->rows.unknowns; u++)
      if (w->place[u] >= 0) e->force[b * w->n + w->place[u]] = w->scale[w->place[u]] * e->product[u];
  }
  return DEM_OK;
}

/* ---- refinement ---- */

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t c = 0; c < n; c++) sum += a[c] * b[c];
  return sum;
}

/* r = b - A x without translations; its length. */
static double find_residual(response *e, const double *b, const double *x, dem_linalg_moduli *m) {
  const int64_t n = e->network.n;
  demi_la_triangle_multiply(&e->network.a, x, e->r);
  m->products++;
  for (int64_t c = 0; c < n; c++) e->r[c] = b[c] - e->r[c];
  demi_la_network_project(&e->network, e->r);
  return sqrt(dot(e->r, e->r, n));
}

/* A x = b from x = 0, until the residual does not halve any more. */
static dem_status solve(response *e, const double *b, double *x, dem_linalg_moduli *m) {
  const int64_t n = e->network.n;
  const double start = sqrt(dot(b, b, n));
  double before = INFINITY, now = find_residual(e, b, x, m);
  for (int k = 0; k < MOST_TURNS && now > EXACT * start && now < 0.5 * before; k++) {
    const dem_status status = demi_la_simplicial_solve(e->linalg, &e->factor, e->r, e->z);
    if (status) return status;
    demi_la_network_project(&e->network, e->z);
    for (int64_t c = 0; c < n; c++) x[c] += e->z[c];
    before = now;
    now = find_residual(e, b, x, m);
    if (now <= before) continue;
    for (int64_t c = 0; c < n; c++) x[c] -= e->z[c]; /* rounding */
    now = before;
  }
  if (start > 0) m->residual = fmax(m->residual, now / start);
  return DEM_OK;
}

static dem_status respond(response *e, dem_linalg_moduli *m) {
  dem_linalg *l = e->linalg;
  const int64_t n = e->network.n;
  if (n == 0) return DEM_OK;
  dem_status status = demi_la_simplicial_factorise(l, &e->factor, &e->network.a, SHIFT, 1e3, "moduli");
  m->shift = e->factor.shift;
  m->fill = demi_la_simplicial_fill(&e->factor);
  if (!status && m->shift > 2 * SHIFT) m->stable = 0;
  for (int32_t b = 0; b < e->width && m->stable && !status; b++) status = solve(e, e->force + b * n, e->x + b * n, m);
  return status;
}

/* ---- moduli ---- */

/* Removes the prestress: see above. */
static void make_green(const dem_linalg_moduli *m, const double *stiffness, double *green) {
  const int(*axis)[2] = AXIS[m->dimension - 2], width = m->components;
  for (int a = 0; a < width; a++)
    for (int b = 0; b < width; b++) {
      double stress = 0;
      const int i = axis[a][1], j = axis[b][1];
      for (int c = 0; c < width; c++)
        if ((axis[c][0] == i && axis[c][1] == j) || (axis[c][0] == j && axis[c][1] == i)) stress = m->stress[c];
      green[a * width + b] = stiffness[a * width + b] + (axis[a][0] == axis[b][0] ? stress : 0);
    }
}

static double bulk_of(const dem_linalg_moduli *m, const double *stiffness) {
  const int d = m->dimension, width = m->components;
  double sum = 0;
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++) sum += stiffness[a * width + b];
  return (sum + d * (d - 1) * m->pressure) / (d * d);
}

/* Mean over pairs of normal directions n, m of green_(nm)(nm), less the pressure. */
static double shear_of(const dem_linalg_moduli *m, const double *g) {
  if (m->dimension == 2) return g[8] / 2 + (g[0] + g[4] - g[1] - g[3]) / 8 - m->pressure;
  const double normal = g[0] + g[7] + g[14], across = (g[1] + g[2] + g[8] + g[6] + g[12] + g[13]) / 2;
  return (normal - across + 3 * (g[21] + g[28] + g[35])) / 15 - m->pressure;
}

static void write_moduli(const response *e, dem_linalg_moduli *m) {
  const int width = e->width;
  const int64_t n = e->network.n;
  double green[36];
  for (int a = 0; a < width; a++)
    for (int b = 0; b < width; b++) {
      const double *fa = e->force + a * n, *fb = e->force + b * n, *xa = e->x + a * n, *xb = e->x + b * n;
      const double affine = 0.5 * (e->strain[a][b] + e->strain[b][a]) / e->network.rows.volume;
      m->affine[a * width + b] = affine;
      m->stiffness[a * width + b] = m->stable ? affine - 0.5 * (dot(fa, xb, n) + dot(fb, xa, n)) / e->network.rows.volume : NAN;
    }
  make_green(m, m->affine, green);
  make_green(m, m->stiffness, m->green);
  m->bulk = bulk_of(m, m->stiffness);
  m->shear = shear_of(m, m->green);
  m->bulk_affine = bulk_of(m, m->affine);
  m->shear_affine = shear_of(m, green);
}

/* Stress: minus the gradient of the strain over the volume. */
static dem_status read_stress(response *e, dem_linalg_moduli *m) {
  const dem_trial_rows *rows = &e->network.rows;
  const dem_status status = dem_trial_evaluate(e->trial, NULL, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, e->product);
  if (status) return demi_la_refuse(e->linalg, status, "moduli: the trial could not be evaluated; see dem_system_message");
  for (int32_t a = 0; a < e->width; a++) m->stress[a] = -e->product[rows->unknowns - e->width + a] / rows->volume;
  for (int32_t a = 0; a < m->dimension; a++) m->pressure += m->stress[a] / m->dimension;
  return DEM_OK;
}

static dem_status make_room(response *e) {
  dem_linalg *l = e->linalg;
  const int64_t n = e->network.n, unknowns = e->network.rows.unknowns;
  e->unit = demi_la_allocate(l, unknowns, sizeof *e->unit);
  e->product = demi_la_allocate(l, unknowns, sizeof *e->product);
  e->force = demi_la_allocate(l, e->width * n, sizeof *e->force);
  e->x = demi_la_allocate(l, e->width * n, sizeof *e->x);
  e->r = demi_la_allocate(l, 2 * n, sizeof *e->r);
  if (!e->unit || !e->product || !e->force || !e->x || !e->r) return demi_la_no_memory(l, "moduli");
  e->z = e->r + n;
  return DEM_OK;
}

static void free_response(response *e) {
  double *const rooms[] = {e->unit, e->product, e->force, e->x, e->r};
  for (int r = 0; r < 5; r++) demi_la_free(e->linalg, rooms[r]);
  demi_la_simplicial_free(e->linalg, &e->factor);
  demi_la_network_free(e->linalg, &e->network);
}

static void describe(const response *e, dem_linalg_moduli *m) {
  m->dimension = e->network.dimension;
  m->components = e->width;
  m->stable = 1;
  m->rattlers = e->network.rattlers;
  m->rigid = e->network.rigid;
  m->asymmetry = e->network.asymmetry;
  m->unrest = e->network.unrest;
}

dem_status dem_linalg_find_moduli(dem_linalg *linalg, dem_trial *trial, dem_linalg_moduli *moduli) {
  response e = {.linalg = linalg, .trial = trial};
  dem_linalg_moduli m = {.struct_size = sizeof m};
  dem_trial_rows rows = {.struct_size = sizeof rows};
  if (!linalg) return DEM_BAD_ARGUMENT;
  if (!trial || !moduli) return demi_la_refuse(linalg, DEM_BAD_ARGUMENT, "moduli: %s is NULL", trial ? "moduli" : "trial");
  if (moduli->struct_size < MODULI_V1)
    return demi_la_refuse(linalg, DEM_BAD_STRUCT, "moduli: struct_size is %u", moduli->struct_size);
  dem_status status = dem_trial_get_rows(trial, &rows);
  if (!status && rows.box_width == 0)
    return demi_la_refuse(linalg, DEM_BAD_ARGUMENT, "moduli: the trial has no strain; its option box is 0, must be 1");
  e.width = rows.box_width;
  if (!status) status = demi_la_network_make(linalg, trial, DEMI_LA_SCALE_DIAGONAL, &e.network);
  if (!status) status = make_room(&e);
  if (!status) {
    describe(&e, &m);
    status = read_stress(&e, &m);
  }
  if (!status) status = strain_forces(&e);
  if (!status) status = respond(&e, &m);
  if (!status) write_moduli(&e, &m);
  free_response(&e);
  return status ? status : demi_la_give(moduli, moduli->struct_size, &m, sizeof m, MODULI_V1);
}
