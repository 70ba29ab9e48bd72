/* Birth and death of a system. */
#include <math.h>
#include <string.h>

#include "engine.h"
#include "intake.h"
#include "limits.h"
#include "material_table.h"
#include "shares.h"
#include "state.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_system_options, reserved_zero)

dem_status demi_system_options_defaults(dem_system_options *options, uint32_t struct_size) {
  dem_system_options o;
  memset(&o, 0, sizeof o);
  o.dimension = 3;
  o.threads = 1;
  return demi_init(options, struct_size, &o, sizeof o, OPTIONS_V1);
}

/* ---- checks ---- */

static dem_status check_choice(dem_context *c, const char *field, int32_t value, int32_t low, int32_t high) {
  if (value >= low && value <= high) return DEM_OK;
  return demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: %s is %d, allowed %d to %d", field, value, low, high);
}

static dem_status check_choices(dem_context *c, const dem_system_options *o) {
  dem_status status = check_choice(c, "dimension", o->dimension, 2, 3);
  if (!status) status = check_choice(c, "shape", o->shape, DEM_SHAPE_SPHERE, DEM_SHAPE_DISC);
  if (!status) status = check_choice(c, "arms", o->arms, DEM_ARMS_CONSERVING, DEM_ARMS_MIXED);
  if (!status) status = check_choice(c, "transport", o->transport, DEM_TRANSPORT_ROTATE, DEM_TRANSPORT_PROJECT);
  if (!status) status = check_choice(c, "onset", o->onset, DEM_ONSET_TOUCH, DEM_ONSET_STEP);
  if (!status) status = check_choice(c, "threads", o->threads, 1, DEMI_MAX_CHUNKS);
  if (!status) status = check_choice(c, "ledger", o->ledger, 0, 2);
  for (int a = 0; a < 3 && !status; a++) status = check_choice(c, "periodic", o->periodic[a], 0, 1);
  if (!status && o->reserved_zero != 0)
    return demi_refuse_context(c, DEM_UNSUPPORTED, "system: reserved_zero is %d, must be 0", o->reserved_zero);
  if (!status && o->shape == DEM_SHAPE_DISC && o->dimension != 2)
    return demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: shape is disc with dimension %d, discs need dimension 2",
                               o->dimension);
  if (!status && o->dimension == 2 && (o->periodic[2] || o->gravity[2] != 0))
    return demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: dimension is 2, so periodic[2] %d and gravity[2] %g must be 0",
                               o->periodic[2], o->gravity[2]);
  return status;
}

static void take_box(demi_box *box, const dem_system_options *o) {
  for (int a = 0; a < 3; a++) {
    box->low[a] = o->box_low[a];
    box->high[a] = o->box_high[a];
    box->periodic[a] = o->periodic[a];
  }
  demi_box_set_tilt(box, o->box_tilt);
}

static dem_status check_values(dem_context *c, const dem_system_options *o) {
  if (!demi_bounded_above_zero(o->dt))
    return demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: dt is %g, must be finite and > 0, %g to %g", o->dt,
                               1 / DEMI_LARGEST, DEMI_LARGEST);
  if (!(demi_bounded(o->skin) && o->skin >= 0))
    return demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: skin is %g, must be finite and >= 0, at most %g", o->skin,
                               DEMI_LARGEST);
  if (!(demi_bounded(o->drag) && o->drag >= 0))
    return demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: drag is %g, must be finite and >= 0, at most %g", o->drag,
                               DEMI_LARGEST);
  for (int a = 0; a < 3; a++) {
    if (!demi_bounded(o->gravity[a]))
      return demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: gravity[%d] is %g, must be finite, -%g to %g", a, o->gravity[a],
                                 DEMI_LARGEST, DEMI_LARGEST);
  }
  demi_box box;
  char text[DEMI_BOX_TEXT];
  take_box(&box, o);
  return demi_box_flaw(&box, text) ? demi_refuse_context(c, DEM_BAD_ARGUMENT, "system: %s", text) : DEM_OK;
}

/* ---- creation ---- */

static dem_status start(dem_system *s, dem_context *context, const dem_system_options *o) {
  s->context = context;
  s->options = *o;
  take_box(&s->box, o);
  demi_store_init(&s->store, context);
  if (o->drag > 0) demi_store_keep(&s->store, DEMI_KEEP_SEEN); /* which cannot fail while there are no rows */
  demi_list_init(&s->list, context);
  demi_contacts_init(&s->contacts, context);
  demi_bonds_init(&s->bonds, context);
  demi_laws_init(&s->laws, context);
  s->ledger.on = o->ledger > 0;
  s->hooks.progress_every = 1;
  demi_engine_connect_stepper(s);
  return demi_system_set_integrator_name(s, "velocity-verlet");
}

dem_status demi_system_create(dem_context *context, const dem_system_options *options, dem_system **system) {
  dem_system_options o;
  dem_status status = demi_intake(&o, sizeof o, options, OPTIONS_V1);
  if (status)
    return demi_refuse_context(context, status, "system options: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, options, sizeof o, OPTIONS_V1));
  if ((status = check_choices(context, &o)) != DEM_OK || (status = check_values(context, &o)) != DEM_OK) return status;
  dem_system *s = demi_allocate_zero(context, sizeof *s);
  if (!s) return demi_refuse_context(context, DEM_NO_MEMORY, "system: out of memory (%zu bytes)", sizeof *s);
  atomic_fetch_add(&context->objects, 1);
  status = start(s, context, &o);
  if (status) {
    demi_system_destroy(s);
    return demi_refuse_context(context, status, "system: out of memory");
  }
  *system = s;
  return DEM_OK;
}

void demi_system_destroy(dem_system *s) {
  if (!s) return;
  dem_context *context = s->context;
  demi_materials_free(s);
  demi_laws_free(&s->laws);
  demi_integrator_release(s->integrator);
  demi_shares_free(s);
  demi_faces_free(&s->faces, context);
  demi_walls_free(s);
  demi_contacts_free(&s->contacts);
  demi_bonds_free(&s->bonds);
  demi_list_free(&s->list);
  demi_store_free(&s->store);
  demi_message_free(&s->message, context);
  demi_free(context, s->work, (size_t)s->work_capacity * sizeof *s->work);
  demi_free(context, s, sizeof *s);
  atomic_fetch_sub(&context->objects, 1);
}
