/* Tangents: how the loads of an evaluation change with the displacements, as rows that stay valid until the next evaluation that asks for
 * tangents, and the product of these rows with displacements p.
 *
 * For a contact of i and j with normal n and arms a_i, a_j, p giving displacements u and rotation vectors t,
 *
 *   u   = u_i - u_j                      (against a wall u_j = u_w + t_w x lever)
 *   u_c = u - (a_i t_i + a_j t_j) x n    displacement at the contact point
 *   f   = A u_c + P (u - n (n.u))        change of the force on i;   P = f_n/|r|, 0 against walls
 *   M   = B (t_i - t_j) + m (n.u)        change of the moment on i beside that of the force at the contact point
 *
 * A and B contain springs and dashpots: displacements change velocities by u/tau, with tau the time by which histories advance. With
 * the lanes of the law (dem/plugin/law.h), k = normal_stiffness, c = normal_viscosity, a, b and s of the tangential part,
 *
 *   A = -(k + c/tau) n n^T + n h^T/tau - (a (1 - n n^T) + b s s^T)/tau - (f_t,d - f_t,v/tau) n^T
 *
 * with h = d f_n/d v_t, f_t,d = d f_t/d overlap and f_t,v = d f_t/d v_n; B and m in the same way from the rolling and twisting parts.
 * Bonds have the derivatives of lib/bond/bond_tangent.h instead, 12 x 12 numbers, with nothing left out: loads = -(K p).
 *
 * Left out for contacts are terms smaller than these by overlap/radius: the turning of f_t and of moments with n, the change of the arms,
 * and of the age of new contacts; the turning of the normal of curved and rotating walls.
 *
 * The product is a load like any other: its sum per particle (pass/sum.h) has the same bits for any number of threads. */
#ifndef DEMI_TANGENT_H
#define DEMI_TANGENT_H

#include "loads.h"
#include "memory.h"
#include "variant.h"

/* Doubles of a row: columns of A with P, a_i, a_j behind them, then n; and of the row of moments: columns of B, then m. */
enum { DEMI_TANGENT_ROW = 16, DEMI_TANGENT_MOMENT_ROW = 16 };
/* Of a bond: K in the order of bond_tangent.h, with the lower row first. */
enum { DEMI_BOND_TANGENT = 144 };

typedef struct demi_tangents {
  dem_context *context;
  int64_t capacity, moment_capacity, bond_capacity;
  double *rows;                     /* DEMI_TANGENT_ROW per load */
  double *moments;                  /* DEMI_TANGENT_MOMENT_ROW per load that has a moment, from loads.moment_base */
  double *bonds;                    /* DEMI_BOND_TANGENT per bond, from loads.bond_base */
  double *product, *product_moment; /* the loads' rows and moments of a product: 8 and 4 per load */
} demi_tangents;

/* Room for the tangents of as many loads as there are places, of which those from `moment_base` on have moments, and of bonds. */
dem_status demi_tangents_reserve(demi_tangents *tangents, int64_t loads, int64_t moments, int64_t bonds);
void demi_tangents_free(demi_tangents *tangents);

/* Displacements: 8 per particle row and 8 per face (of its wall): u, *, t, *. */
typedef struct demi_displacements {
  const double *rows, *faces;
  const double *images; /* 4 per image (list.h), beside the displacement of the particle itself; NULL: none */
} demi_displacements;

/* Writes the loads that belong to displacements, for one block, into product and product_moment. */
typedef void demi_product_kernel(const demi_tangents *tangents, const demi_loads *loads, const demi_displacements *p,
                                 int32_t block);
DEMI_DECLARE_VARIANTS(demi_product_kernel, tangent_product);

/* The loads of the latest product, which have the places of those of the evaluation. */
demi_loads demi_tangents_loads(const demi_tangents *tangents, const demi_loads *loads);

#endif
