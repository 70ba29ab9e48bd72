/* Materials, laws, integrators: what is set before (or between) steps. */
#include <math.h>
#include <string.h>

#include "books.h"
#include "engine_change.h"
#include "intake.h"
#include "limits.h"
#include "material_table.h"
#include "shares.h"
#include "state.h"
#include "warnings.h"

#define MATERIAL_V1 DEMI_SIZE_TO(dem_material, poisson)

/* ---- materials ---- */

dem_status demi_material_defaults(dem_material *material, uint32_t struct_size) {
  const dem_material m = {0, 0, 0.0, 0.25};
  return demi_init(material, struct_size, &m, sizeof m, MATERIAL_V1);
}

static dem_status check_material(dem_system *s, const dem_material *m) {
  if (m->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "material %d: reserved_zero is %d, must be 0", s->materials.count,
                              m->reserved_zero);
  if (!(demi_bounded(m->young) && m->young >= 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "material %d: young is %g, must be finite and >= 0, at most %g",
                              s->materials.count, m->young, DEMI_LARGEST);
  if (!(isgreater(m->poisson, -1) && m->poisson <= 0.5))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "material %d: poisson is %g, allowed above -1 to 0.5", s->materials.count,
                              m->poisson);
  if (s->materials.count == DEMI_MAX_MATERIALS)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "material %d: there are at most %d", s->materials.count, DEMI_MAX_MATERIALS);
  return DEM_OK;
}

dem_status demi_system_add_material(dem_system *s, const dem_material *material, int32_t *index) {
  dem_material m;
  dem_status status = DEM_OK;
  if (material)
    status = demi_intake(&m, sizeof m, material, MATERIAL_V1);
  else
    demi_material_defaults(&m, (uint32_t)sizeof m);
  if (status)
    return demi_system_refuse(s, status, "material: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, material, sizeof m, MATERIAL_V1));
  if ((status = check_material(s, &m)) != DEM_OK) return status;
  if (demi_materials_reserve(s)) return demi_system_refuse(s, DEM_NO_MEMORY, "material %d: out of memory", s->materials.count);
  if (index) *index = s->materials.count;
  s->materials.material[s->materials.count++] = m;
  return DEM_OK;
}

/* Effective moduli, as in dem_bind. */
static dem_bind bind_values(const dem_material *a, const dem_material *b) {
  dem_bind v;
  memset(&v, 0, sizeof v);
  v.struct_size = (uint32_t)sizeof v;
  if (!(a->young > 0 && b->young > 0)) return v;
  const double na = a->poisson, nb = b->poisson;
  v.effective_young = 1.0 / ((1 - na * na) / a->young + (1 - nb * nb) / b->young);
  v.effective_shear = 1.0 / (2 * (2 - na) * (1 + na) / a->young + 2 * (2 - nb) * (1 + nb) / b->young);
  v.shear_ratio = 4.0 * v.effective_shear / v.effective_young;
  return v;
}

/* ---- laws ---- */

/* The law bound to the two materials. */
static dem_status bind_law(dem_system *s, int32_t a, int32_t b, const dem_law *law, demi_law_change *change) {
  demi_bound bound;
  const dem_bind values = bind_values(&s->materials.material[a], &s->materials.material[b]);
  const dem_status status = demi_law_bind(law, &values, &s->message, &bound);
  if (status || !demi_laws_prepare(&s->laws, &bound, change)) return status;
  return demi_system_refuse(s, DEM_NO_MEMORY, "law of materials (%d, %d): out of memory", a, b);
}

/* Cannot fail. */
static void use_law(dem_system *s, int32_t a, int32_t b, const dem_law *law, const demi_law_change *change) {
  const dem_law **kept = &s->materials.law[demi_material_pair(a, b)], *before = *kept;
  demi_carry_drop_materials(&s->contacts.carry, &s->store, &s->faces, a, b);
  demi_law_retain(law);
  *kept = law;
  demi_laws_commit(&s->laws, a, b, change);
  demi_law_release(before);
  demi_warnings_forget(s);
}

dem_status demi_system_set_law(dem_system *s, int32_t a, int32_t b, const dem_law *law) {
  if (a < 0 || b < 0 || a >= s->materials.count || b >= s->materials.count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "law of materials (%d, %d): there are %d materials", a, b, s->materials.count);
  if (law->context != s->context)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "law of materials (%d, %d): it belongs to another context", a, b);
  const int32_t p = a < b ? a : b, q = a < b ? b : a;
  demi_law_change change;
  dem_status status = bind_law(s, p, q, law, &change);
  if (status) return status;
  if (demi_shares_enter_law(s, law))
    status = demi_system_refuse(s, DEM_NO_MEMORY, "law of materials (%d, %d): out of memory", a, b);
  if (!status) status = demi_engine_set_contacts_aside(s);
  if (status)
    demi_laws_drop(&s->laws, &change);
  else
    use_law(s, p, q, law, &change);
  return status;
}

/* ---- integrator ---- */

dem_status demi_system_set_integrator(dem_system *s, const dem_integrator *integrator) {
  if (integrator->context != s->context)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "integrator '%s': it belongs to another context", integrator->name);
  if ((integrator->table.capabilities & DEM_INTEGRATOR_SYNCHRONISED) && s->options.transport != DEM_TRANSPORT_ROTATE)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                              "integrator '%s': transport is %d, which it does not read: create the system with transport %d",
                              integrator->name, s->options.transport, DEM_TRANSPORT_ROTATE);
  demi_integrator_retain(integrator);
  demi_integrator_release(s->integrator);
  s->integrator = integrator;
  demi_books_now(s);
  demi_interval_drop(&s->interval);
  demi_warnings_forget(s);
  return DEM_OK;
}

dem_status demi_system_set_integrator_name(dem_system *s, const char *name) {
  const dem_integrator_table *table = demi_integrator_builtin(name);
  if (!table)
    return demi_system_refuse(
        s, DEM_NOT_FOUND, "integrator '%s' is unknown; built in are 'euler', 'velocity-verlet' and 'improved-velocity-verlet'",
        name);
  dem_integrator *integrator = NULL;
  dem_status status = demi_integrator_create(s->context, table, NULL, &integrator);
  if (status) return demi_system_refuse(s, status, "integrator '%s': %s", name, demi_message_text(&s->context->message));
  status = demi_system_set_integrator(s, integrator);
  demi_integrator_release(integrator);
  return status;
}

/* ---- time and gravity ---- */

dem_status demi_system_set_dt(dem_system *s, double dt) {
  if (!demi_bounded_above_zero(dt))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "dt is %g, must be finite and > 0, %g to %g", dt, 1 / DEMI_LARGEST,
                              DEMI_LARGEST);
  s->options.dt = dt;
  demi_warnings_forget(s);
  return DEM_OK;
}

dem_status demi_system_set_gravity(dem_system *s, const double *gravity) {
  for (int a = 0; a < 3; a++)
    if (!demi_bounded(gravity[a]) || (a == 2 && s->options.dimension == 2 && gravity[a] != 0))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                                "gravity[%d] is %g, must be finite, -%g to %g (and 0 along z in 2 dimensions)", a, gravity[a],
                                DEMI_LARGEST, DEMI_LARGEST);
  demi_engine_book_old_forces(s);
  memcpy(s->options.gravity, gravity, sizeof s->options.gravity);
  demi_warnings_forget(s);
  return DEM_OK;
}
