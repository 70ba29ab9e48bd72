/* Dry grains flowing down a rough chute, computed by a program that knows libdem through its headers and pkg-config only.
 *
 *   grains.c    the rows a system starts from: read from a file, added, taken back
 *   insertion.c random places for shrunk grains
 *   packing.c   grows and settles them with the library
 *   progress.c  the progress line, and how Ctrl-C ends a run
 *   output.c    energies, frames, dump
 *   options.c   the command line
 *
 * Units: grain diameter d = 1, density 1, gravity g = 1. Case of Silbert et al., Phys. Rev. E 64 (2001) 051302, with the
 * parameters of LAMMPS's bench/in.chute. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "output.h"
#include "progress.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* Refusals are reported where they happen; what remains is warnings. */
static void on_log(void *user, int32_t level, const char *text) {
  (void)user;
  if (level == DEM_LOG_WARNING) fprintf(stderr, "chute: warning: %s\n", text);
}

static dem_context *create_context(void) {
  dem_context *context = NULL;
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.log = on_log;
  return dem_context_create(&o, &context) ? NULL : context;
}

/* Hooke springs with tangential history: k_n = 2e5, k_t = 2/7 k_n, gamma_n = 50, mu = 0.5, on all pairs. */
static dem_status set_law(dem_context *context, dem_system *system) {
  dem_law_options o;
  dem_law *law = NULL;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 200000;
  o.damping = DEM_DAMPING_RATE;
  o.normal_damping = 50;
  o.friction = 0.5;
  dem_status status = dem_law_create(context, &o, &law);
  for (int32_t a = 0; a < 2 && !status; a++)
    for (int32_t b = 0; b <= a && !status; b++) status = dem_system_set_law(system, a, b, law);
  dem_law_release(law);
  return status;
}

static dem_status create_system(dem_context *context, const grains *g, int32_t threads, dem_system **system) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.threads = threads;
  o.ledger = 1;
  o.periodic[0] = o.periodic[1] = 1;
  memcpy(o.box_low, g->low, sizeof o.box_low);
  memcpy(o.box_high, g->high, sizeof o.box_high);
  o.gravity[2] = -1;
  o.dt = 1e-4;
  dem_status status = dem_system_create(context, &o, system);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  if (!status) status = set_law(context, *system);
  if (!status) status = grains_add(g, *system);
  return status;
}

/* The chute is the x axis: it is gravity that is tilted. */
static dem_status tilt(dem_system *system) {
  const double angle = 26 * 3.14159265358979323846 / 180;
  const double gravity[3] = {sin(angle), 0, -cos(angle)};
  const dem_status status = dem_system_set_dt(system, 1e-4);
  return status ? status : dem_system_set_gravity(system, gravity);
}

/* Steps from row to row of energies.csv, ten rows to a frame. Returns an exit code. */
static int flow(dem_system *system, const options *o, output *out, progress *p) {
  const int64_t rows = 10 * (o->frames - 1);
  int failed = output_frame(out, system) || output_energies(out, system);
  for (int64_t row = 1; row <= rows && !failed; row++) {
    const int64_t steps = o->steps * row / rows - o->steps * (row - 1) / rows;
    const dem_status status = dem_system_step(system, steps);
    if (status == DEM_CANCELLED) return EXIT_INTERRUPTED;
    if (status) {
      fprintf(stderr, "\nchute: stepping: %s: %s\n", dem_status_text(status), dem_system_message(system));
      return EXIT_FAILED;
    }
    progress_advance(p, steps);
    failed = output_energies(out, system) || (row % 10 == 0 && output_frame(out, system));
  }
  return failed ? EXIT_FAILED : EXIT_DONE;
}

/* After Ctrl-C the state is whole: it becomes the last frame. */
static int keep_state(dem_system *system, output *out) {
  fprintf(stderr, "chute: interrupted; the files end with the state reached\n");
  return output_frame(out, system) || output_energies(out, system) ? EXIT_FAILED : EXIT_INTERRUPTED;
}

static int run(dem_system *system, const options *o, output *out) {
  progress p;
  if (!o->data && output_packing(out, system)) return EXIT_FAILED;
  if (progress_begin(&p, "flow", system, o->steps)) {
    fprintf(stderr, "chute: progress: %s\n", dem_system_message(system));
    return EXIT_FAILED;
  }
  p.residual = 1;
  const int code = flow(system, o, out, &p);
  progress_end(&p);
  return code == EXIT_INTERRUPTED ? keep_state(system, out) : code;
}

static int check_rows(const char *path, const grains *g) {
  const int64_t moving = grains_moving(g);
  if (moving > 0 && moving < g->count) return 0;
  fprintf(stderr, "chute: %s: %lld of %lld grains are of type 2, the frozen bed; some must be, and some must not\n", path,
          (long long)(g->count - moving), (long long)g->count);
  return -1;
}

/* Rows from the file or inserted at random. 0 or -1. */
static int start_rows(dem_context *context, const options *o, grains *g) {
  if (!o->data) return packing_insert(&o->packing, g);
  const dem_status status = grains_read(context, o->data, g);
  if (!status) return check_rows(o->data, g);
  fprintf(stderr, "chute: %s: %s: %s\n", o->data, dem_status_text(status), dem_context_message(context));
  return -1;
}

/* From rows to flow. Returns an exit code. */
static int settle_and_flow(dem_context *context, const options *o, grains *g, output *out) {
  dem_system *system = NULL;
  int code = EXIT_FAILED;
  dem_status status = create_system(context, g, (int32_t)o->threads, &system);
  if (!status && !o->data) status = packing_settle(system, &o->packing, g);
  if (!status) status = tilt(system);
  if (!status)
    code = run(system, o, out);
  else if (status == DEM_CANCELLED)
    code = EXIT_INTERRUPTED;
  else
    fprintf(stderr, "chute: setting up: %s: %s\n", dem_status_text(status),
            system ? dem_system_message(system) : dem_context_message(context));
  if (status == DEM_CANCELLED) fprintf(stderr, "chute: interrupted before the flow began\n");
  dem_system_destroy(system);
  return code;
}

/* Everything between the first and the last object. Returns an exit code. */
static int compute(dem_context *context, const options *o) {
  grains g;
  output out;
  int code = EXIT_FAILED;
  memset(&g, 0, sizeof g);
  if (!output_open(&out, o->folder, o->frames + 1) && !start_rows(context, o, &g)) code = settle_and_flow(context, o, &g, &out);
  grains_free(&g);
  return output_close(&out) ? EXIT_FAILED : code;
}

int main(int count, char **arguments) {
  options o;
  const int asked = options_read(&o, count, arguments);
  if (asked) return asked == 1 ? EXIT_DONE : EXIT_USAGE;
  dem_context *context = create_context();
  if (!context || catch_interrupt()) return fprintf(stderr, "chute: cannot start\n"), EXIT_FAILED;
  const int code = compute(context, &o);
  dem_context_destroy(context);
  return code;
}
