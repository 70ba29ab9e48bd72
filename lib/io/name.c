#include "name.h"

#include <stdio.h>

int64_t demi_name_control(const char *name) {
  for (int64_t k = 0; name[k]; k++)
    if ((unsigned char)name[k] < 0x20 || name[k] == 0x7f) return k;
  return -1;
}

/* How many bytes follow the first one of a character, and the least character that needs so many; -1: not a first byte. */
static int followers(unsigned char first, uint32_t *least) {
  static const uint32_t smallest[4] = {0, 0x80, 0x800, 0x10000};
  const int count = first < 0x80                    ? 0
                    : first >= 0xc2 && first < 0xe0 ? 1
                    : (first & 0xf0) == 0xe0        ? 2
                    : (first & 0xf8) == 0xf0        ? 3
                                                    : -1;
  *least = count < 0 ? 0 : smallest[count];
  return count;
}

/* Length of the character at `text`, 0 when it is none of UTF-8 or none that XML may hold (XML 1.0, production 2). */
static int character(const unsigned char *text) {
  uint32_t least, c = text[0];
  const int count = followers(text[0], &least);
  if (count < 0) return 0;
  if (count > 0) c &= 0x3fu >> count;
  for (int k = 1; k <= count; k++) {
    if ((text[k] & 0xc0) != 0x80) return 0;
    c = c << 6 | (text[k] & 0x3fu);
  }
  const int allowed = c >= least && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff) && c != 0xfffe && c != 0xffff;
  return allowed ? count + 1 : 0;
}

int demi_name_fits_xml(const char *name) {
  if (demi_name_control(name) >= 0) return 0;
  for (const unsigned char *c = (const unsigned char *)name; *c;) {
    const int length = character(c);
    if (length == 0) return 0;
    c += length;
  }
  return 1;
}
