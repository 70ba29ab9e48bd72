#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 1024 };

static int32_t write_file(void *user, const void *buffer, int64_t size) {
  return fwrite(buffer, 1, (size_t)size, user) == (size_t)size ? 0 : -1;
}

static dem_sink sink_of(FILE *file) {
  dem_sink sink;
  dem_sink_init(&sink, sizeof sink);
  sink.user = file;
  sink.write = write_file;
  return sink;
}

static int complain(const char *what, const char *why) {
  fprintf(stderr, "chute: %s: %s\n", what, why);
  return -1;
}

static int join(char *path, const char *folder, const char *name) {
  const int length = snprintf(path, PATH_SIZE, "%s/%s", folder, name);
  return length > 0 && length < PATH_SIZE ? 0 : complain(folder, "the path is too long");
}

static int make_folder(const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return 0;
  return complain(path, strerror(errno));
}

int output_open(output *out, const char *folder, int64_t frames) {
  char path[PATH_SIZE];
  memset(out, 0, sizeof *out);
  out->folder = folder;
  out->capacity = frames < MOST_FRAMES ? frames : MOST_FRAMES;
  out->times = malloc((size_t)frames * sizeof *out->times);
  out->names = malloc((size_t)frames * sizeof *out->names);
  if (!out->times || !out->names) return complain(folder, "out of memory");
  if (make_folder(folder) || join(path, folder, "frames") || make_folder(path)) return -1;
  if (join(path, folder, "energies.csv")) return -1;
  out->energies = fopen(path, "w");
  if (!out->energies) return complain(path, strerror(errno));
  const dem_sink sink = sink_of(out->energies);
  return dem_energy_write_heading(&sink) ? complain(path, "cannot be written") : 0;
}

int output_energies(output *out, dem_system *system) {
  const dem_sink sink = sink_of(out->energies);
  if (dem_energy_write_row(system, &sink)) return complain("energies.csv", dem_system_message(system));
  return 0;
}

/* The collection is written anew with every frame, so that a run that is cut short can be looked at. */
static int write_collection(const output *out) {
  char path[PATH_SIZE];
  const char *files[MOST_FRAMES];
  for (int64_t k = 0; k < out->frames; k++) files[k] = out->names[k];
  if (join(path, out->folder, "grains.pvd")) return -1;
  return dem_pvd_write_path(path, out->frames, out->times, files) ? complain(path, "cannot be written") : 0;
}

int output_frame(output *out, dem_system *system) {
  char path[PATH_SIZE];
  if (out->frames == out->capacity) return 0;
  snprintf(out->names[out->frames], sizeof out->names[0], "frames/grains_%04d.vtp", (int)out->frames);
  if (dem_system_time(system, out->times + out->frames)) return complain("time", dem_system_message(system));
  if (join(path, out->folder, out->names[out->frames])) return -1;
  if (dem_system_write_vtp_path(system, path)) return complain(path, dem_system_message(system));
  if (join(path, out->folder, "grains.dump")) return -1;
  if (dem_system_write_dump_path(system, path, out->frames > 0)) return complain(path, dem_system_message(system));
  out->frames++;
  return write_collection(out);
}

int output_packing(const output *out, const dem_system *system) {
  char path[PATH_SIZE];
  if (join(path, out->folder, "packing.data")) return -1;
  if (dem_system_write_data_path(system, path)) return complain(path, dem_system_message(system));
  printf("packing it starts from  %s  (for --data)\n", path);
  return 0;
}

int output_close(output *out) {
  const int failed = out->energies && fclose(out->energies) ? complain("energies.csv", strerror(errno)) : 0;
  if (out->frames > 0 && !failed) {
    printf("energies of the run     %s/energies.csv\n", out->folder);
    printf("frames for ParaView     %s/grains.pvd  (%d frames)\n", out->folder, (int)out->frames);
    printf("dump for OVITO          %s/grains.dump\n", out->folder);
  }
  free(out->times);
  free(out->names);
  memset(out, 0, sizeof *out);
  return failed;
}
