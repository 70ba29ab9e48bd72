/* The stress that acts on a free box.
 *
 * With E the strain of the trial, F = 1 + E (upper triangular, as the edges H of the box), J = det F and V the volume at E = 0, the
 * contacts alone give by the strain -J V (s F^-T), s their Cauchy stress (> 0 in compression; trial_box.c). Prescribed stress t adds
 *
 *   J V (t F^-T)_ab   to the free components ab.
 *
 * At a minimum s = t there. For a pressure, t = p 1, this is the derivative of p J V, the energy of the pressure on the volume. Other
 * stresses have no energy at finite strain. So p is the mean of the free normal components, with its energy, and the rest of t acts as a
 * constant force,
 *
 *   G_ab = J V (t F^-T)_ab - p J V (F^-T)_ab,      energy G_ab E_ab,
 *
 * taken at an earlier strain and computed anew until it belongs to the strain of the minimum. In t, components that are not free are
 * those that the contacts have. */
#include <string.h>

#include "relax.h"

static const int AXIS[DEM_BOX_COMPONENTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static double volume_of(const demi_relax *r) {
  const demi_box *box = &r->trial->start_box;
  return r->trial->dimension == 2 ? demi_box_length(box, 0) * demi_box_length(box, 1) : demi_box_volume(box);
}

/* F of the strain in u. */
static void deformation_of(const demi_relax *r, const double *u, double f[3][3]) {
  memset(f, 0, 9 * sizeof f[0][0]);
  for (int a = 0; a < 3; a++) f[a][a] = 1;
  for (int32_t k = 0; k < r->trial->box_width; k++) {
    const int c = demi_relax_component(r->system, k);
    f[AXIS[c][0]][AXIS[c][1]] += u[r->box_first + k];
  }
}

static void invert(double f[3][3], double inverse[3][3]) {
  memset(inverse, 0, 9 * sizeof inverse[0][0]);
  for (int a = 0; a < 3; a++) inverse[a][a] = 1.0 / f[a][a];
  inverse[0][1] = -f[0][1] * inverse[0][0] * inverse[1][1];
  inverse[1][2] = -f[1][2] * inverse[1][1] * inverse[2][2];
  inverse[0][2] = -(f[0][1] * inverse[1][2] + f[0][2] * inverse[2][2]) * inverse[0][0];
}

/* ---- energy ---- */

double demi_relax_box_energy(const demi_relax *r, const double *u, double *gradient) {
  double f[3][3], energy = 0;
  if (!demi_relax_has_free_box(&r->options)) return 0;
  deformation_of(r, u, f);
  const double volume = volume_of(r), work = r->pressure * volume * f[0][0] * f[1][1] * f[2][2];
  for (int32_t k = 0; k < r->trial->box_width; k++) {
    const int c = demi_relax_component(r->system, k), a = AXIS[c][0];
    energy += r->box_force[c] * u[r->box_first + k];
    if (gradient) gradient[r->box_first + k] += r->box_force[c] + (c <= DEM_BOX_ZZ ? work / f[a][a] : 0);
  }
  return energy + work - r->pressure * volume;
}

void demi_relax_box_product(const demi_relax *r, const double *p, double *product) {
  double f[3][3];
  if (!demi_relax_has_free_box(&r->options)) return;
  deformation_of(r, r->trial->u, f);
  const double work = r->pressure * volume_of(r) * f[0][0] * f[1][1] * f[2][2];
  for (int a = 0; a < r->trial->dimension; a++)
    for (int b = 0; b < r->trial->dimension; b++)
      if (a != b) product[r->box_first + a] += work / (f[a][a] * f[b][b]) * p[r->box_first + b];
}

/* ---- renewing ---- */

/* Under a pressure alone, in a box that is not sheared, G is 0 whatever the strain. */
int demi_relax_box_follows(const demi_relax *r) {
  const dem_relax_options *o = &r->options;
  int unequal = 0;
  for (int c = 0; c < DEM_BOX_COMPONENTS; c++)
    unequal |= c <= DEM_BOX_ZZ ? o->box_free[c] && o->stress[c] != r->pressure : o->box_free[c] || o->strain[c] != 0;
  return demi_relax_has_free_box(o) && unequal;
}

/* The stress of the contacts, s = P F^T/J with P = -own/V; components of the upper triangle. */
static void own_stress(const demi_relax *r, const double *own, double f[3][3], double stress[3][3]) {
  double p[3][3];
  const double jacobian = f[0][0] * f[1][1] * f[2][2], volume = volume_of(r);
  memset(p, 0, sizeof p);
  for (int32_t k = 0; k < r->trial->box_width; k++) {
    const int c = demi_relax_component(r->system, k);
    p[AXIS[c][0]][AXIS[c][1]] = -own[r->box_first + k] / volume;
  }
  for (int a = 0; a < 3; a++)
    for (int b = a; b < 3; b++) {
      stress[a][b] = 0;
      for (int c = b; c < 3; c++) stress[a][b] += p[a][c] * f[b][c] / jacobian;
      stress[b][a] = stress[a][b];
    }
}

void demi_relax_renew_box(demi_relax *r, const double *u, const double *own) {
  double f[3][3], inverse[3][3], t[3][3];
  if (!demi_relax_has_free_box(&r->options)) return;
  deformation_of(r, u, f);
  invert(f, inverse);
  own_stress(r, own, f, t);
  for (int c = 0; c < DEM_BOX_COMPONENTS; c++)
    if (r->options.box_free[c]) t[AXIS[c][0]][AXIS[c][1]] = t[AXIS[c][1]][AXIS[c][0]] = r->options.stress[c];
  const double volume = volume_of(r) * f[0][0] * f[1][1] * f[2][2];
  for (int c = 0; c < DEM_BOX_COMPONENTS; c++) {
    const int a = AXIS[c][0], b = AXIS[c][1];
    double sum = 0;
    for (int k = b; k < 3; k++) sum += t[a][k] * inverse[b][k];
    if (a == b) sum -= r->pressure * inverse[a][a];
    r->box_force[c] = r->options.box_free[c] ? volume * sum : 0;
  }
}
