/* A host of version 0.1: compiled against the headers of that version for ever, run on the library of today.
 *
 * Behind every struct lies poison. A library that takes a struct to be larger than it was then would read the poison and
 * refuse, or write into it and be found out. Once 0.1 is tagged, this file stays as it is. */
#include <dem/dem.h>
#include <dem/plugin/integrator.h>
#include <dem/plugin/law.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xA5, GUARD = 256 };

/* A struct of the interface with poison behind it. */
#define GUARDED(type, name)     \
  struct {                      \
    type is;                    \
    unsigned char guard[GUARD]; \
  } name;                       \
  memset(&name, POISON, sizeof name)

#define INTACT(name) check(intact(name.guard), "the library wrote past the end of " #name)
#define CHECK(condition) check((condition), #condition)
#define OK(call) check((call) == DEM_OK, #call)

static dem_context *context;
static dem_system *balls;

static void check(int condition, const char *what) {
  if (condition) return;
  printf("failed: %s\n  system: %s\n  context: %s\n", what, dem_system_message(balls), dem_context_message(context));
  exit(1);
}

static int intact(const unsigned char *guard) {
  for (int i = 0; i < GUARD; i++)
    if (guard[i] != POISON) return 0;
  return 1;
}

/* Hooks of the host. */

static int64_t blocks;

static void *allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  void *fresh = NULL;
  CHECK(user == &blocks);
  if (new_size > 0) {
    if (posix_memalign(&fresh, alignment, new_size)) return NULL;
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
    blocks++;
  }
  if (pointer) {
    free(pointer);
    blocks--;
  }
  return fresh;
}

static int logged;

static void take_log(void *user, int32_t level, const char *text) {
  CHECK(user == &logged && level >= DEM_LOG_ERROR && level <= DEM_LOG_INFO && text[0] != 0);
  logged++;
}

static int tasks;

static void run_tasks(void *user, int32_t count, dem_task_fn task, void *argument) {
  CHECK(user == &tasks);
  for (int32_t i = count - 1; i >= 0; i--) task(argument, i);
  tasks += count;
}

static void create_context(void) {
  GUARDED(dem_context_options, options);
  OK(dem_context_options_init(&options.is, sizeof options.is));
  INTACT(options);
  CHECK(options.is.struct_size == sizeof options.is);
  options.is.allocate = allocate;
  options.is.allocate_user = &blocks;
  options.is.log = take_log;
  options.is.log_user = &logged;
  options.is.parallel = run_tasks;
  options.is.parallel_user = &tasks;
  OK(dem_context_create(&options.is, &context));
  INTACT(options);
}

/* A law of the host: a spring, as a plug-in, and the built-in tangential part's stand-in: none. */

typedef struct spring {
  double stiffness;
} spring;

static int evaluations;

static void evaluate_spring(const void *parameters, const dem_batch *batch) {
  const spring *s = parameters;
  CHECK(batch->struct_size >= sizeof *batch);
  for (int32_t q = 0; q < batch->count; q++) {
    batch->normal_elastic[q] = s->stiffness * batch->overlap[q];
    batch->normal_damping[q] = 0;
    if (batch->normal_energy) batch->normal_energy[q] = 0.5 * s->stiffness * batch->overlap[q] * batch->overlap[q];
  }
  evaluations++;
}

static int32_t bind_spring(const void *user, const dem_bind *materials, void *parameters) {
  CHECK(materials->struct_size >= sizeof *materials);
  memcpy(parameters, user, sizeof(spring));
  return 0;
}

static double spring_limit(const void *parameters, double effective_mass, double effective_radius, double speed) {
  const spring *s = parameters;
  (void)effective_radius;
  (void)speed;
  return 2 * sqrt(effective_mass / s->stiffness);
}

static dem_law *own_law(void) {
  static const spring stiff = {1e4};
  dem_law *law = NULL;
  GUARDED(dem_law_part, part);
  memset(&part.is, 0, sizeof part.is);
  part.is.struct_size = sizeof part.is;
  part.is.contract = DEM_LAW_PART_CONTRACT;
  part.is.name = "spring of 0.1";
  part.is.kind = DEM_PART_NORMAL;
  part.is.capabilities = DEM_PART_ENERGY;
  part.is.parameter_bytes = sizeof(spring);
  part.is.evaluate = evaluate_spring;
  part.is.bind = bind_spring;
  part.is.stable_dt = spring_limit;
  GUARDED(dem_law_piece, piece);
  piece.is = (dem_law_piece){sizeof(dem_law_piece), sizeof stiff, &part.is, &stiff};
  OK(dem_law_create_from_parts(context, 1, &piece.is, &law));
  INTACT(piece);
  INTACT(part);

  GUARDED(dem_probe, probe);
  memset(&probe.is, 0, sizeof probe.is);
  probe.is.struct_size = sizeof probe.is;
  probe.is.overlap = 0.01;
  probe.is.effective_radius = 0.5;
  probe.is.effective_mass = 1;
  probe.is.normal[2] = 1;
  OK(dem_law_probe(law, NULL, &probe.is));
  INTACT(probe);
  CHECK(probe.is.normal_elastic == 1e4 * 0.01);
  return law;
}

static dem_law *built_in_law(void) {
  dem_law *law = NULL;
  GUARDED(dem_law_options, options);
  OK(dem_law_options_init(&options.is, sizeof options.is));
  INTACT(options);
  options.is.normal_stiffness = 1e4;
  options.is.damping = DEM_DAMPING_RESTITUTION;
  options.is.restitution = 0.8;
  OK(dem_law_create(context, &options.is, &law));
  INTACT(options);
  return law;
}

/* An integrator of the host: velocity-Verlet written over the services. */

static int destroyed;

static dem_status verlet_step(void *user, dem_stepper *stepper, double dt) {
  (void)user;
  dem_status status = dem_stepper_kick(stepper, dt / 2);
  if (!status) status = dem_stepper_drift(stepper, dt);
  if (!status) status = dem_stepper_evaluate(stepper, dt);
  if (!status) status = dem_stepper_kick(stepper, dt / 2);
  return status;
}

static void integrator_gone(void *user) {
  (void)user;
  destroyed++;
}

static dem_integrator *own_integrator(void) {
  dem_integrator *integrator = NULL;
  GUARDED(dem_integrator_table, table);
  memset(&table.is, 0, sizeof table.is);
  table.is.struct_size = sizeof table.is;
  table.is.contract = DEM_INTEGRATOR_CONTRACT;
  table.is.name = "verlet of 0.1";
  table.is.capabilities = DEM_INTEGRATOR_FORCES_AT_START;
  table.is.order = 2;
  table.is.stability = 2;
  table.is.step = verlet_step;
  table.is.destroy = integrator_gone;
  OK(dem_integrator_create(context, &table.is, NULL, &integrator));
  INTACT(table);
  return integrator;
}

/* The system: two balls, one above the other, on a floor. */

static void create_system(void) {
  GUARDED(dem_system_options, options);
  OK(dem_system_options_init(&options.is, sizeof options.is));
  INTACT(options);
  options.is.dt = 1e-4;
  options.is.gravity[2] = -9.81;
  options.is.ledger = 1;
  OK(dem_system_create(context, &options.is, &balls));
  INTACT(options);

  int32_t index = -1, wall = -1;
  GUARDED(dem_material, material);
  OK(dem_material_init(&material.is, sizeof material.is));
  INTACT(material);
  OK(dem_system_add_material(balls, &material.is, &index));
  INTACT(material);
  CHECK(index == 0);

  GUARDED(dem_wall, plane);
  OK(dem_wall_init(&plane.is, sizeof plane.is));
  INTACT(plane);
  plane.is.material = 0;
  plane.is.axis[2] = 1;
  OK(dem_system_add_wall(balls, &plane.is, &wall));
  INTACT(plane);
}

static void add_balls(dem_id ids[2]) {
  static const double position[6] = {0, 0, 0.51, 0, 0, 1.53}, radius[2] = {0.5, 0.5}, density[2] = {2, 2};
  GUARDED(dem_particles, rows);
  OK(dem_particles_init(&rows.is, sizeof rows.is));
  INTACT(rows);
  rows.is.count = 2;
  rows.is.position = position;
  rows.is.radius = radius;
  rows.is.density = density;
  OK(dem_system_add_particles(balls, &rows.is, ids));
  INTACT(rows);
}

static int progressed;

static int32_t watch(void *user, const dem_progress *progress) {
  CHECK(user == &progressed && progress->struct_size >= sizeof *progress && progress->particles == 2);
  progressed++;
  return 0;
}

static void run(dem_law *law, dem_integrator *integrator) {
  OK(dem_system_set_law(balls, 0, 0, law));
  OK(integrator ? dem_system_set_integrator(balls, integrator) : dem_system_set_integrator_name(balls, "velocity-verlet"));
  OK(dem_system_set_progress(balls, 100, watch, &progressed));
  OK(dem_system_step(balls, 1000));
  OK(dem_system_check(balls));
}

/* What a host reads back. */

static void read_books(void) {
  GUARDED(dem_energy, energy);
  OK(dem_energy_init(&energy.is, sizeof energy.is));
  INTACT(energy);
  OK(dem_system_energy(balls, &energy.is));
  INTACT(energy);
  CHECK(energy.is.residual_relative < 1e-12);

  GUARDED(dem_statistics, statistics);
  OK(dem_statistics_init(&statistics.is, sizeof statistics.is));
  INTACT(statistics);
  OK(dem_system_statistics(balls, &statistics.is));
  INTACT(statistics);
  CHECK(statistics.is.particles == 2 && statistics.is.steps >= 1000);
}

static void read_particles(const dem_id ids[2]) {
  double position[6];
  int64_t count = 0, contacts = -1;
  OK(dem_system_particle_count(balls, &count));
  CHECK(count == 2);
  OK(dem_system_get_field(balls, DEM_POSITION, 2, ids, position, 0));
  CHECK(position[2] > 0.4 && position[5] > position[2]);

  GUARDED(dem_view, view);
  memset(&view.is, 0, sizeof view.is);
  view.is.struct_size = sizeof view.is;
  OK(dem_view_acquire(balls, DEM_VELOCITY, DEM_READ, &view.is));
  INTACT(view);
  CHECK(view.is.count == 2 && view.is.components == 3 && view.is.data != NULL);
  CHECK(dem_system_step(balls, 1) == DEM_BUSY);
  OK(dem_view_release(balls, &view.is));
  INTACT(view);

  dem_contact touching[4];
  OK(dem_system_contact_count(balls, &contacts));
  CHECK(contacts >= 0 && contacts <= 2);
  OK(dem_system_contacts(balls, 4, touching, sizeof *touching));
}

/* Out through a sink and in again through a source. */

static char text[4096];
static int64_t written, taken;

static int32_t put(void *user, const void *buffer, int64_t size) {
  CHECK(user == text && written + size < (int64_t)sizeof text);
  memcpy(text + written, buffer, (size_t)size);
  written += size;
  return 0;
}

static int64_t take(void *user, void *buffer, int64_t size) {
  CHECK(user == text);
  const int64_t now = size < written - taken ? size : written - taken;
  memcpy(buffer, text + taken, (size_t)now);
  taken += now;
  return now;
}

static void write_and_read(void) {
  GUARDED(dem_sink, sink);
  memset(&sink.is, 0, sizeof sink.is);
  sink.is.struct_size = sizeof sink.is;
  sink.is.user = text;
  sink.is.write = put;
  OK(dem_system_write_data(balls, &sink.is));
  INTACT(sink);

  dem_data *data = NULL;
  GUARDED(dem_source, source);
  memset(&source.is, 0, sizeof source.is);
  source.is.struct_size = sizeof source.is;
  source.is.user = text;
  source.is.read = take;
  OK(dem_data_read(context, &source.is, &data));
  INTACT(source);

  GUARDED(dem_particles, rows);
  memset(&rows.is, 0, sizeof rows.is);
  rows.is.struct_size = sizeof rows.is;
  OK(dem_data_particles(data, &rows.is));
  INTACT(rows);
  CHECK(rows.is.count == 2 && rows.is.radius[0] == 0.5);
  dem_data_destroy(data);
}

int main(void) {
  dem_id ids[2];
  int64_t bytes = -1;
  CHECK(dem_version() >= DEM_VERSION_MAJOR * 10000u + DEM_VERSION_MINOR * 100u + DEM_VERSION_PATCH);
  CHECK(strcmp(dem_status_name(DEM_BUSY), "DEM_BUSY") == 0 && dem_status_text(DEM_BUSY)[0] != 0);
  create_context();
  create_system();
  add_balls(ids);

  dem_law *spring_law = own_law(), *law = built_in_law();
  dem_integrator *integrator = own_integrator();
  run(spring_law, integrator);
  CHECK(evaluations > 0);
  read_books();
  run(law, NULL);
  CHECK(progressed == 20);
  read_books();
  read_particles(ids);
  write_and_read();

  /* A refusal leaves text behind. */
  CHECK(dem_system_step(balls, -1) == DEM_BAD_ARGUMENT && dem_system_message(balls)[0] != 0 && logged > 0);

  CHECK(dem_context_destroy(context) == DEM_BUSY);
  dem_law_release(law);
  dem_law_release(spring_law);
  dem_integrator_release(integrator);
  dem_system_destroy(balls);
  balls = NULL;
  CHECK(destroyed == 1);
  OK(dem_context_memory(context, &bytes));
  CHECK(bytes >= 0);
  OK(dem_context_destroy(context));
  CHECK(blocks == 0);
  printf("a host of 0.1 runs on %u.%u.%u\n", dem_version() / 10000, dem_version() / 100 % 100, dem_version() % 100);
  return 0;
}
