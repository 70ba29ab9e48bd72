/* Relative velocities of a batch in lanes: v_n = v.n, v_t = v - v_n n - (a_i w_i + a_j w_j) x n, and m*, in
 * a given frame: normals, arms, and of walls the lever about their reference point. */
#include "batch_kernels.h"
#include "variant.h"
#include "wide.h"

/* Takes the place of the row of a second particle for a wall: at rest, 1/m = 0. */
static const _Alignas(64) double at_rest[8] = {0};

/* Rows of velocity and spin of both sides, turned into lanes four contacts at a time. Entry 3 of a row is taken as the inverse mass
 * (store.h): the sum of both is 1/m*. */
static void gather_velocities(demi_workspace *w, const demi_candidates *c, const double *velocity, const demi_frame *f) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k += 4) {
    demi_wide v[4], s[4];
    for (int q = 0; q < 4; q++) {
      const double *i = velocity + 8 * (int64_t)c->i[k + q];
      const double *j = c->j[k + q] < 0 ? at_rest : velocity + 8 * (int64_t)c->j[k + q];
      const demi_wide vi = demi_load4(i), vj = demi_load4(j), apart = vi - vj, together = vi + vj;
      v[q] = __builtin_shufflevector(apart, together, 0, 1, 2, 7);
      s[q] = demi_spread(f->arm_i[k + q]) * demi_load4(i + 4) + demi_spread(f->arm_j[k + q]) * demi_load4(j + 4);
    }
    demi_transpose4(&v[0], &v[1], &v[2], &v[3]);
    demi_transpose4(&s[0], &s[1], &s[2], &s[3]);
    for (int a = 0; a < 3; a++) {
      demi_store4(w->velocity[a] + k, v[a]);
      demi_store4(w->spin[a] + k, s[a]);
    }
    demi_store4(w->inverse_mass + k, v[3]);
  }
}

/* The same for moving walls: the surface velocity is v + w x lever. A free wall adds its inverse mass along n, sum_a n_a^2/M,
 * to 1/m*. */
static void gather_against_walls(demi_workspace *w, const demi_candidates *c, const demi_store *store, const demi_faces *faces,
                                 const demi_frame *f) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k++) {
    const double *i = store->columns.velocity + 8 * (int64_t)c->i[k], *lever = f->lever + 4 * k;
    const double *surface = faces->velocity[demi_face_of_partner(c->j[k])], *turn = surface + 4;
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, d = (a + 2) % 3;
      w->velocity[a][k] = i[a] - (surface[a] + (turn[b] * lever[d] - turn[d] * lever[b]));
      w->spin[a][k] = f->arm_i[k] * i[4 + a];
    }
    w->inverse_mass[k] = demi_store_inverse_mass(store, c->i[k]) +
                         demi_face_inverse_mass(faces, demi_face_of_partner(c->j[k]), c->offset + 4 * k);
  }
}

/* The box deforms: the partner is an image, which moves as well. Few are: only those across a face. */
static void subtract_image_velocities(demi_workspace *w, const demi_candidates *c, const demi_list *list) {
  for (int32_t k = 0; k < c->count; k++) {
    const uint32_t image = list->code[c->pair[k]] >> DEMI_SHIFT_BITS;
    if (image == DEMI_OWN_SHIFT) continue;
    for (int a = 0; a < 3; a++) w->velocity[a][k] -= list->shift_velocity[4 * image + a];
  }
}

static void split_velocities(demi_workspace *w, int32_t count, const demi_frame *f) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  const double *restrict nx = f->normal[0], *restrict ny = f->normal[1], *restrict nz = f->normal[2];
  const double *restrict vx = w->velocity[0], *restrict vy = w->velocity[1], *restrict vz = w->velocity[2];
  const double *restrict sx = w->spin[0], *restrict sy = w->spin[1], *restrict sz = w->spin[2];
  const double *restrict inverse = w->inverse_mass;
  double *restrict vn = w->lanes.normal_velocity, *restrict mass = w->lanes.effective_mass;
  double *restrict tx = w->lanes.tangential_velocity[0], *restrict ty = w->lanes.tangential_velocity[1];
  double *restrict tz = w->lanes.tangential_velocity[2];
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    const double n = vx[k] * nx[k] + vy[k] * ny[k] + vz[k] * nz[k];
    vn[k] = n;
    tx[k] = vx[k] - n * nx[k] - (sy[k] * nz[k] - sz[k] * ny[k]);
    ty[k] = vy[k] - n * ny[k] - (sz[k] * nx[k] - sx[k] * nz[k]);
    tz[k] = vz[k] - n * nz[k] - (sx[k] * ny[k] - sy[k] * nx[k]);
    mass[k] = 1.0 / inverse[k];
  }
}

void DEMI_VARIANT_NAME(batch_velocities)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, int walls,
                                         const demi_frame *f) {
  if (walls && e->list->faces->moving)
    gather_against_walls(w, c, e->store, e->list->faces, f);
  else
    gather_velocities(w, c, e->store->columns.velocity, f);
  if (!walls && e->list->images_move) subtract_image_velocities(w, c, e->list);
  split_velocities(w, c->count, f);
}
