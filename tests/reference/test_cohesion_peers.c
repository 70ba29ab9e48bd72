/* Adhesive impacts of two spheres beside other programs, run on the spot where they are installed (Debian: lammps, liggghts) and
 * skipped where not. Two spheres of diameter 1 and mass 1 meet head-on, elastic and without friction.
 *
 * LAMMPS, pair_style granular: jkr and dmt, the same equations; only that a JKR contact tears there where its force is least (d =
 * -1.44 l), here, after Thornton & Ning, where it can hold no more (d = -3 l). So the impacts compared stay above: the spheres
 * stick and swing. LIGGGHTS, cohesion sjkr: takes the whole area of the circle in which the spheres intersect, 2 pi R* d (1 -
 * d/(4 R)), we the leading term. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include <dem/plugin/law.h>

#include "scenes/scenes.h"

static const double pi = 3.14159265358979323846, YOUNG = 1e6, POISSON = 0.25;
static const double START = 0.5003, SPEED = 0.15, DT = 1e-5;

/* ---- theirs ---- */

/* Lines "DATA step z force" of the program's output. */
typedef struct sample {
  long step;
  double z, force;
} sample;

enum { SAMPLES = 60 };

static int installed(const char *program) {
  char command[64];
  snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
  return system(command) == 0;
}

/* In a folder of its own, below the one the test runs in: peers leave files behind. */
static int run_peer(const char *program, const char *input, sample out[SAMPLES]) {
  char folder[] = "peer-XXXXXX", command[128], line[256];
  assert_non_null(mkdtemp(folder));
  snprintf(command, sizeof command, "%s/in", folder);
  FILE *script = fopen(command, "w");
  assert_non_null(script);
  fputs(input, script);
  assert_int_equal(fclose(script), 0);
  snprintf(command, sizeof command, "cd %s && %s -in in -log none 2>/dev/null", folder, program);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  int count = 0;
  while (fgets(line, sizeof line, pipe))
    if (count < SAMPLES && sscanf(line, "DATA %ld %lf %lf", &out[count].step, &out[count].z, &out[count].force) == 3) count++;
  pclose(pipe);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  return count;
}

/* ---- ours ---- */

static dem_law_options elastic(int32_t normal, double gamma, double density) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal = normal;
  o.tangential = DEM_TANGENTIAL_NONE;
  o.surface_energy = gamma;
  o.cohesion_energy_density = density;
  return o;
}

typedef struct world {
  dem_context *context;
  dem_system *system;
} world;

static world open_impact(const dem_law_options *law) {
  world w;
  dem_system_options o;
  dem_material m;
  rows r;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = DT;
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = YOUNG;
  m.poisson = POISSON;
  ASSERT_OK(w.system, dem_system_add_material(w.system, &m, NULL));
  ASSERT_OK(w.system, scene_set_law(w.context, w.system, 0, 0, law));
  assert_int_equal(rows_create(&r, 2), 0);
  rows_velocity(&r, rows_put(&r, 0, 0, START, 0.5), 0, 0, -SPEED);
  rows_velocity(&r, rows_put(&r, 0, 0, -START, 0.5), 0, 0, SPEED);
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  return w;
}

static void close_impact(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static double height(const world *w) {
  double x[6];
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_POSITION, 2, NULL, x, 0));
  return x[2];
}

static double force_up(const world *w) {
  double f[6];
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_FORCE, 2, NULL, f, 0));
  return f[2];
}

/* ---- LAMMPS ---- */

static const char *const lammps_script =
    "units si\natom_style sphere\natom_modify map array\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
    "region box block -3 3 -3 3 -3 3\ncreate_box 1 box\n"
    "create_atoms 1 single 0 0 %.17g\ncreate_atoms 1 single 0 0 %.17g\n"
    "set atom * diameter 1.0 density 1.9098593171027440\nset atom 1 vz %.17g\nset atom 2 vz %.17g\n"
    "pair_style granular\n"
    "pair_coeff * * %s %.17g 0.0 %.17g %.17g tangential linear_nohistory 0.0 0.0 damping velocity\n"
    "neighbor 0.2 bin\nneigh_modify every 1 delay 0\ntimestep %.17g\nfix 1 all nve/sphere\n"
    "fix 2 all print 200 \"DATA $(step) $(z[1]:%%.15g) $(fz[1]:%%.15g)\" screen yes\nthermo 100000\nrun 10000\n";

/* Some swings, in step to round-off. */
static void beside_lammps(const char *name, int32_t normal) {
  char input[2048];
  sample theirs[SAMPLES];
  const double gamma = 20, pull = (normal == DEM_NORMAL_JKR ? 3 : 4) * pi * gamma * 0.25;
  if (!installed("lmp")) {
    print_message("# lmp is not installed\n");
    skip();
  }
  snprintf(input, sizeof input, lammps_script, START, -START, -SPEED, SPEED, name, YOUNG, POISSON, gamma, DT);
  const int count = run_peer("lmp", input, theirs);
  const dem_law_options law = elastic(normal, gamma, 0);
  world w = open_impact(&law);
  double apart = 0, force = 0, largest = 0, gap = 0;
  long step = 0;
  for (int k = 0; k < count; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, theirs[k].step - step));
    step = theirs[k].step;
    apart = fmax(apart, fabs(height(&w) - theirs[k].z));
    if (step > 0) force = fmax(force, fabs(force_up(&w) - theirs[k].force));
    largest = fmax(largest, fabs(theirs[k].force));
    gap = fmax(gap, theirs[k].force != 0 ? 2 * theirs[k].z - 1 : 0);
  }
  print_message("# %s: %d samples, apart %.1e of the diameter, forces %.1e of the largest, widest neck %.2e\n", name, count,
                apart, force / largest, gap);
  assert_true(count >= 50 && largest > pull);
  assert_true(normal != DEM_NORMAL_JKR || gap > 1e-4); /* they have been across a gap */
  ASSERT_BELOW(apart, 1e-10);
  ASSERT_BELOW(force, 1e-7 * largest);
  close_impact(&w);
}

static void jkr_beside_lammps(void **state) {
  (void)state;
  beside_lammps("jkr", DEM_NORMAL_JKR);
}

static void dmt_beside_lammps(void **state) {
  (void)state;
  beside_lammps("dmt", DEM_NORMAL_DMT);
}

/* ---- LIGGGHTS ---- */

static const char *const liggghts_script =
    "units lj\natom_style granular\natom_modify map array\nboundary f f f\nnewton off\ncommunicate single vel yes\n"
    "region box block -3 3 -3 3 -3 3 units box\ncreate_box 1 box\nneighbor 0.2 bin\nneigh_modify every 1 delay 0\n"
    "fix m1 all property/global youngsModulus peratomtype %.17g\nfix m2 all property/global poissonsRatio peratomtype %.17g\n"
    "fix m3 all property/global coefficientRestitution peratomtypepair 1 1.0\n"
    "fix m4 all property/global coefficientFriction peratomtypepair 1 0.0\n"
    "fix m5 all property/global cohesionEnergyDensity peratomtypepair 1 %.17g\n"
    "pair_style gran model hertz tangential history cohesion sjkr\npair_coeff * *\n"
    "create_atoms 1 single 0 0 %.17g units box\ncreate_atoms 1 single 0 0 %.17g units box\n"
    "set atom 1 diameter 1.0 density 1.9098593171027440 vz %.17g\nset atom 2 diameter 1.0 density 1.9098593171027440 vz %.17g\n"
    "timestep %.17g\nfix 1 all nve/sphere\nvariable s equal step\nvariable z equal z[1]\nvariable f equal fz[1]\n"
    "fix 2 all print 100 \"DATA ${s} ${z} ${f}\" screen yes\nrun 5000\n";

static double our_force(const dem_law_options *o, double overlap) {
  const double y = YOUNG;
  dem_bind bind = {.struct_size = sizeof bind, .effective_young = y / (2 * (1 - POISSON * POISSON))};
  dem_probe p = {
      .struct_size = sizeof p, .overlap = overlap, .effective_radius = 0.25, .effective_mass = 0.5, .normal = {0, 0, 1}};
  dem_context *context;
  dem_law *law;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(dem_law_create(context, o, &law), DEM_OK);
  assert_int_equal(dem_law_probe(law, &bind, &p), DEM_OK);
  dem_law_release(law);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  return p.normal_elastic;
}

/* Force against overlap along their impact, the difference in area taken into account. */
static void sjkr_beside_liggghts(void **state) {
  (void)state;
  char input[2048];
  sample theirs[SAMPLES];
  const double density = 1e4;
  if (!installed("liggghts")) {
    print_message("# liggghts is not installed\n");
    skip();
  }
  snprintf(input, sizeof input, liggghts_script, YOUNG, POISSON, density, START, -START, -SPEED, SPEED, DT);
  const int count = run_peer("liggghts", input, theirs);
  const dem_law_options law = elastic(DEM_NORMAL_HERTZ, 0, density);
  int met = 0;
  double worst = 0;
  for (int k = 0; k < count; k++) {
    const double d = 1 - 2 * theirs[k].z, area = 2 * pi * 0.25 * d;
    if (theirs[k].force == 0 || d <= 0) continue;
    const double whole = our_force(&law, d) + density * area * d / (4 * 0.5);
    worst = fmax(worst, fabs(whole - theirs[k].force));
    met++;
  }
  print_message("# sjkr: %d samples in contact, forces within %.1e\n", met, worst);
  assert_true(met > 20);
  ASSERT_BELOW(worst, 1e-9); /* of forces up to 30; they print 15 digits of z */
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jkr_beside_lammps),
      cmocka_unit_test(dmt_beside_lammps),
      cmocka_unit_test(sjkr_beside_liggghts),
  };
  return cmocka_run_group_tests_name("cohesion_peers", tests, NULL, NULL);
}
