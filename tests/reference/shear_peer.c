/* Spheres with friction in a sheared periodic box, for check_shear.py, which has a peer shear the same file.
 * usage: shear-peer write FILE                                    a start in which nothing touches
 *        shear-peer run FILE RATE DT STEPS DUMP                   writes the end
 *        shear-peer flow FILE RATE DT WARMUP STEPS EVERY          prints shear stress and pressure, every EVERY steps
 *        shear-peer balance FILE RATE DT WARMUP STEPS             prints the work of the box, the work of the stress
 *
 * The balance. Let u = v - g y e_x be the velocity of a sphere relative to the flow, with the rate g. With r from the centre of j's image
 * to that of i and the force f on i, the contacts take the power
 *
 *   sum_c f.(v_i - v_j - V) = sum_i F_i.u_i + g sum_c f_x r_y,
 *
 * and m du_x/dt = F_x - m g v_y. So what the books hold, kinetic energy relative to the flow among it, grows by the work of the stress,
 *
 *   A = -g integral (sum_c f_x r_y + sum_i m u_x u_y) dt.
 *
 * The books have the kinetic energy of v. So the work of the box is A and the change of sum_i m (g y u_x + g^2 y^2/2). Of this program
 * nothing but the forces comes from the books of the library. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, PARTICLES = SIDE * SIDE * SIDE, CONTACTS = 20 * PARTICLES };
static const double SPACING = 1.08, SMALL = 0.48, LARGE = 0.52, SPEED = 2.0;

typedef struct run {
  dem_context *context;
  dem_data *data;
  dem_system *system;
  double rate, dt;
} run;

static int complain(const char *what, const char *text) {
  fprintf(stderr, "%s: %s\n", what, text);
  return 1;
}

/* ---- the system ---- */

static dem_status set_hooke(run *r) {
  dem_law_options o;
  dem_law *law = NULL;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 20000.0;
  o.damping = DEM_DAMPING_RATE;
  o.normal_damping = 20.0;
  o.friction = 0.5;
  dem_status status = dem_system_add_material(r->system, NULL, NULL);
  if (!status) status = dem_law_create(r->context, &o, &law);
  if (!status) status = dem_system_set_law(r->system, 0, 0, law);
  dem_law_release(law);
  return status;
}

/* Arms, transport and onset as the peer has them. */
static dem_status make(run *r, const double low[3], const double high[3], const double tilt[3]) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = 1;
    o.box_low[a] = low[a];
    o.box_high[a] = high[a];
    o.box_tilt[a] = tilt[a];
  }
  o.dt = r->dt;
  o.arms = DEM_ARMS_RADIUS;
  o.transport = DEM_TRANSPORT_PROJECT;
  o.onset = DEM_ONSET_STEP;
  o.ledger = 1;
  const dem_status status = dem_system_create(r->context, &o, &r->system);
  return status ? status : set_hooke(r);
}

static dem_status drive(run *r) {
  dem_box_motion m;
  dem_box_motion_init(&m, sizeof m);
  m.rate[DEM_BOX_XY] = r->rate;
  return dem_system_set_box_motion(r->system, &m);
}

static int open_file(run *r, const char *path) {
  double low[3], high[3], tilt[3];
  dem_particles p;
  if (dem_data_read_path(r->context, path, &r->data)) return complain(path, dem_context_message(r->context));
  dem_data_box(r->data, low, high);
  dem_data_tilt(r->data, tilt);
  dem_particles_init(&p, sizeof p);
  dem_data_particles(r->data, &p);
  if (p.count != PARTICLES) return complain(path, "another number of particles");
  if (make(r, low, high, tilt)) return complain("system", dem_context_message(r->context));
  return dem_system_add_particles(r->system, &p, NULL) || drive(r) ? complain("start", dem_system_message(r->system)) : 0;
}

/* ---- write ---- */

static double uniform(uint64_t *state, double low, double high) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

/* On a lattice, off it by so little that no two touch; velocities and spins are random. */
static dem_status fill(run *r) {
  static double x[3 * PARTICLES], v[3 * PARTICLES], w[3 * PARTICLES], radius[PARTICLES], density[PARTICLES];
  const double room = 0.5 * (SPACING - 2 * LARGE) / sqrt(3.0);
  uint64_t state = 11;
  dem_particles p;
  for (int k = 0; k < PARTICLES; k++) {
    const int cell[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
    for (int a = 0; a < 3; a++) {
      x[3 * k + a] = (cell[a] + 0.5) * SPACING + uniform(&state, -room, room);
      v[3 * k + a] = uniform(&state, -SPEED, SPEED);
      w[3 * k + a] = uniform(&state, -SPEED, SPEED);
    }
    radius[k] = uniform(&state, SMALL, LARGE);
    density[k] = 2;
  }
  dem_particles_init(&p, sizeof p);
  p.count = PARTICLES;
  p.position = x;
  p.velocity = v;
  p.spin = w;
  p.radius = radius;
  p.density = density;
  return dem_system_add_particles(r->system, &p, NULL);
}

static int write_start(run *r, const char *path) {
  const double low[3] = {0, 0, 0}, edge = SIDE * SPACING, high[3] = {edge, edge, edge}, tilt[3] = {2 * SPACING, 0, 0};
  if (make(r, low, high, tilt)) return complain("system", dem_context_message(r->context));
  return fill(r) || dem_system_write_data_path(r->system, path) ? complain(path, dem_system_message(r->system)) : 0;
}

/* ---- run, flow ---- */

static int run_to(const run *r, long steps, const char *dump) {
  if (dem_system_step(r->system, steps)) return complain("step", dem_system_message(r->system));
  return dem_system_write_dump_path(r->system, dump, 0) ? complain(dump, dem_system_message(r->system)) : 0;
}

static int flow(const run *r, long warmup, long steps, long every) {
  double s[DEM_BOX_COMPONENTS];
  if (dem_system_step(r->system, warmup)) return complain("warm-up", dem_system_message(r->system));
  for (long k = 0; k < steps; k += every) {
    if (dem_system_step(r->system, every) || dem_system_get_box_stress(r->system, s))
      return complain("step", dem_system_message(r->system));
    printf("%.17g %.17g\n", -s[DEM_BOX_XY], (s[DEM_BOX_XX] + s[DEM_BOX_YY] + s[DEM_BOX_ZZ]) / 3);
  }
  return 0;
}

/* ---- balance ---- */

typedef struct moment {
  double power; /* g (sum_c f_x r_y + sum m u_x u_y), its sign turned */
  double lean;  /* sum m (g y u_x + g^2 y^2/2) */
  double box;   /* the account of the library */
} moment;

static dem_status add_motion(const run *r, moment *out) {
  static double x[3 * PARTICLES], v[3 * PARTICLES], m[PARTICLES];
  dem_status status = dem_system_get_field(r->system, DEM_POSITION, PARTICLES, NULL, x, 0);
  if (!status) status = dem_system_get_field(r->system, DEM_VELOCITY, PARTICLES, NULL, v, 0);
  if (!status) status = dem_system_get_field(r->system, DEM_MASS, PARTICLES, NULL, m, 0);
  for (int k = 0; k < PARTICLES && !status; k++) {
    const double fluid = r->rate * x[3 * k + 1], u = v[3 * k] - fluid;
    out->power -= r->rate * m[k] * u * v[3 * k + 1];
    out->lean += m[k] * (fluid * u + 0.5 * fluid * fluid);
  }
  return status;
}

static dem_status add_contacts(const run *r, moment *out) {
  static dem_contact c[CONTACTS];
  int64_t count;
  dem_status status = dem_system_contact_count(r->system, &count);
  if (!status) status = dem_system_contacts(r->system, CONTACTS, c, sizeof *c);
  for (int64_t k = 0; k < count && !status; k++) out->power += r->rate * c[k].force[0] * c[k].branch[1];
  return status;
}

static int measure(const run *r, moment *out) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  *out = (moment){0, 0, 0};
  if (add_motion(r, out) || add_contacts(r, out) || dem_system_energy(r->system, &e))
    return complain("measure", dem_system_message(r->system));
  out->box = e.box;
  return 0;
}

/* The trapezoidal rule over the steps. */
static int balance(const run *r, long warmup, long steps) {
  moment first, now, next;
  double work = 0;
  if (dem_system_step(r->system, warmup)) return complain("warm-up", dem_system_message(r->system));
  if (measure(r, &first)) return 1;
  now = first;
  for (long k = 0; k < steps; k++, now = next) {
    if (dem_system_step(r->system, 1)) return complain("step", dem_system_message(r->system));
    if (measure(r, &next)) return 1;
    work += 0.5 * r->dt * (now.power + next.power);
  }
  printf("%.17g %.17g\n", now.box - first.box - (now.lean - first.lean), work);
  return 0;
}

/* ---- calls ---- */

static int call(run *r, int count, char **arguments) {
  const char *what = count > 2 ? arguments[1] : "";
  r->dt = 1e-4;
  if (count == 3 && strcmp(what, "write") == 0) return write_start(r, arguments[2]);
  if (count < 7) return complain("usage", "see the head of shear_peer.c");
  r->rate = strtod(arguments[3], NULL);
  r->dt = strtod(arguments[4], NULL);
  if (open_file(r, arguments[2])) return 1;
  const long first = strtol(arguments[5], NULL, 10), second = strtol(arguments[6], NULL, 10);
  if (count == 7 && strcmp(what, "run") == 0) return run_to(r, first, arguments[6]);
  if (count == 8 && strcmp(what, "flow") == 0) return flow(r, first, second, strtol(arguments[7], NULL, 10));
  if (count == 7 && strcmp(what, "balance") == 0) return balance(r, first, second);
  return complain("usage", "see the head of shear_peer.c");
}

int main(int count, char **arguments) {
  run r;
  memset(&r, 0, sizeof r);
  if (dem_context_create(NULL, &r.context)) return 1;
  const int failed = call(&r, count, arguments);
  dem_system_destroy(r.system);
  dem_data_destroy(r.data);
  dem_context_destroy(r.context);
  return failed;
}
