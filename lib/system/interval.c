#include "interval.h"

static double queued_kicks(const demi_interval *v) {
  double time = 0;
  for (int32_t k = 0; k < v->op_count; k++)
    if (v->op[k].kind == DEMI_OP_KICK) time += v->op[k].duration;
  return time;
}

int demi_interval_holds(const demi_interval *v, int32_t kind) {
  for (int32_t k = 0; k < v->op_count; k++)
    if (v->op[k].kind == kind) return 1;
  return 0;
}

demi_kicks demi_interval_kicks(const demi_interval *v) { return (demi_kicks){v->unbooked, queued_kicks(v), v->marked}; }

/* ---- transitions ---- */

void demi_interval_open(demi_interval *v, double history_time, int64_t step, double time) {
  v->state = DEMI_FORCES_QUEUED;
  v->step = step;
  v->time = time;
  demi_interval_queue(v, DEMI_OP_EVALUATE, history_time);
}

void demi_interval_queue(demi_interval *v, int32_t kind, double duration) { v->op[v->op_count++] = (demi_op){kind, duration}; }

void demi_interval_begin(demi_interval *v, int32_t cleared) {
  v->state = cleared ? DEMI_FORCES_CLEARED : DEMI_FORCES_SUMMED;
  v->kicked = v->unbooked = 0;
  v->marked = 0;
}

void demi_interval_advance(demi_interval *v) {
  const double time = queued_kicks(v);
  v->kicked += time;
  v->unbooked += time;
  v->op_count = 0;
}

void demi_interval_mark(demi_interval *v, const demi_totals *first) {
  v->unbooked = 0;
  v->marked = 1;
  v->first = *first;
}

void demi_interval_alter(demi_interval *v) {
  if (v->state == DEMI_FORCES_SUMMED) v->state = DEMI_FORCES_ALTERED;
}

void demi_interval_drop(demi_interval *v) {
  if (v->state != DEMI_FORCES_CLEARED) v->state = DEMI_FORCES_STALE;
  v->kicked = v->unbooked = 0;
}
