#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

int catch_interrupt(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = (int)SA_RESETHAND;
  return sigaction(SIGINT, &action, NULL) | sigaction(SIGTERM, &action, NULL);
}

int was_interrupted(void) { return interrupted != 0; }

static double clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double residual_now(dem_system *system) {
  dem_energy energy;
  dem_energy_init(&energy, sizeof energy);
  return dem_system_energy(system, &energy) ? -1 : energy.residual_relative;
}

static void print_line(progress *p, int64_t done, int64_t particles, int64_t contacts, int last) {
  const double elapsed = clock_now() - p->start;
  const double rate = elapsed > 0 ? (double)done / elapsed : 0;
  const int left = rate > 0 ? (int)((double)(p->total - done) / rate + 0.5) : 0;
  char text[200], tail[40] = "";
  if (p->residual) snprintf(tail, sizeof tail, ", residual %.1e", residual_now(p->system));
  snprintf(text, sizeof text, "%s: %lld/%lld steps, %s%d:%02d left, %.1f M particle-steps/s, %lld contacts%s", p->label,
           (long long)done, (long long)p->total, p->at_most ? "at most " : "", left / 60, left % 60,
           rate * (double)particles * 1e-6, (long long)contacts, tail);
  if (p->terminal)
    fprintf(stderr, "\r\033[K%s%s", text, last ? "\n" : "");
  else
    fprintf(stderr, "%s\n", text);
  fflush(stderr);
}

static int32_t on_progress(void *user, const dem_progress *now) {
  progress *p = user;
  const double clock = clock_now();
  if (clock - p->printed >= (p->terminal ? 0.2 : 5.0)) {
    p->printed = clock;
    print_line(p, p->before + now->step, now->particles, now->contacts, 0);
  }
  return was_interrupted();
}

dem_status progress_begin(progress *p, const char *label, dem_system *system, int64_t total) {
  memset(p, 0, sizeof *p);
  p->label = label;
  p->system = system;
  p->total = total;
  p->terminal = isatty(STDERR_FILENO);
  p->start = p->printed = clock_now();
  return dem_system_set_progress(system, 20, on_progress, p);
}

void progress_advance(progress *p, int64_t steps) { p->before += steps; }

void progress_end(progress *p) {
  dem_statistics now;
  dem_statistics_init(&now, sizeof now);
  if (!dem_system_statistics(p->system, &now)) print_line(p, p->before, now.particles, now.contacts + now.wall_contacts, 1);
  dem_system_set_progress(p->system, 1, NULL, NULL);
}
