#include <dem/base.h>

#include "status.h"

const char *demi_status_text(dem_status status) {
  switch (status) {
#define TEXT(name, value, text) \
  case value: return text;
    DEM_STATUS_LIST(TEXT)
#undef TEXT
    default: return "unknown status";
  }
}

const char *demi_status_name(dem_status status) {
  switch (status) {
#define NAME(name, value, text) \
  case value: return #name;
    DEM_STATUS_LIST(NAME)
#undef NAME
    default: return "DEM_UNKNOWN";
  }
}
