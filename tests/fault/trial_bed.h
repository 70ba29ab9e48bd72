/* A system and an open trial, for the tests of trials asked for wrongly, and of what is refused while a trial is open. */
#ifndef TESTS_TRIAL_BED_H
#define TESTS_TRIAL_BED_H

#include <dem/plugin/trial.h>

#include "scenes/image.h"

typedef struct trial_bed {
  dem_context *context;
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  dem_id frozen;
  double *u, *g, *p;   /* one number per unknown: small displacements; zero; zero */
  system_image before; /* of the system, when it was opened */
} trial_bed;

/* A context that keeps silent. */
dem_context *trial_bed_context(void);
/* Settling grains with friction, of which one is frozen, in five walls; the books as of now. No trial, no numbers. */
void trial_bed_open_system(trial_bed *w);
/* The same with a trial. */
void trial_bed_open(trial_bed *w);
/* Nothing of the system has changed, and it goes on. */
void trial_bed_close(trial_bed *w);
/* The text is in the latest message of the system. */
void trial_bed_says(const trial_bed *w, const char *text);

#endif
