#!/bin/sh
# Checks the formatting of all C and C++ files; `format.sh fix` mends it. Other versions of clang-format format differently,
# so where version 14 is missing the check is skipped (77).
set -eu
cd "$(dirname "$0")/.."
tool=
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then tool=$candidate; break; fi
done
[ -n "$tool" ] || { echo "clang-format 14 not found"; exit 77; }
# Frozen headers stay as they were, byte for byte.
files() {
  find include lib tests examples bench fuzz -path tests/abi/0.1 -prune -o -type f \( -name '*.[ch]' -o -name '*.cpp' \) -print
}

case ${1:-check} in
  check)
    wrong=$(files | while read -r file; do "$tool" "$file" | cmp -s - "$file" || echo "$file"; done)
    [ -z "$wrong" ] || { printf '%s\n' "$wrong" "these are not formatted; tools/format.sh fix mends it"; exit 1; }
    ;;
  fix) files | xargs "$tool" -i ;;
  *) echo "usage: format.sh [check|fix]" >&2; exit 2 ;;
esac
