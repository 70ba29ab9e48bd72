#!/bin/sh
# Builds libdem and runs every test. On a fresh Debian 12 it first installs the packages that are missing, and says which.
# The last line counts the tests; the exit status is 0 only if none failed.
#
# usage: sh tools/test.sh [--build NAME] [options of meson setup]
#   --build NAME  build folder, build/NAME; default: test
# Environment: CC and CXX choose the compilers, by default gcc and g++. TESTS: only these suites, such as 'unit property', and only
# their programs are built; SKIP: all but these, such as 'slow'. DEM_TEST_PART=4: one in four cases of each long series
# (tests/series.h); 1 by default, all of them.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
name=test
if [ "${1:-}" = --build ]; then
  name=$2
  shift 2
fi
build=$root/build/$name

packages='gcc g++ libc6-dev clang-14 libomp-14-dev meson ninja-build pkg-config cmake make libcmocka-dev abigail-tools binutils
  libopenblas-dev liblapacke-dev libsuitesparse-dev valgrind doxygen clang-format-14 locales python3 python3-numpy python3-matplotlib'

install_packages() {
  command -v dpkg-query >/dev/null || { echo "not a Debian system: these must be there: $packages"; return; }
  missing=
  for package in $packages; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || { echo "packages: all there"; return; }
  echo "packages: installing$missing"
  become=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "needs root or sudo to install them"; exit 1; }
    become=sudo
  fi
  $become apt-get update -q
  $become env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
}

# The last lines of what a failed command wrote, and the count that says so.
give_up() {
  tail -n 60 "$1"
  echo "$2 failed, see $1"
  echo "0 passed, 1 failed"
  exit 1
}

install_packages
: "${CC:=gcc}" "${CXX:=g++}"
export CC CXX
# A language with a decimal comma, without touching the machine's own list.
mkdir -p "$root/build/locale"
[ -d "$root/build/locale/de_DE.UTF-8" ] || localedef -i de_DE -f UTF-8 "$root/build/locale/de_DE.UTF-8" ||
  echo "no German locale: the tests that need one are skipped"
export LOCPATH="$root/build/locale"
# Debian's own, whatever else may come first in PATH.
meson=/usr/bin/meson
[ -x $meson ] || meson=meson

log=$root/build/$name.log
again=
[ ! -f "$build/build.ninja" ] || again=--wipe
echo "configuring build/$name: $CC${*:+ $*}"
$meson setup $again "$@" "$build" "$root" >"$log" 2>&1 || give_up "$log" configuring
targets=
[ -z "${TESTS:-}" ] || targets=$(python3 "$root/tools/targets.py" "$build" $TESTS)
echo "building"
ninja -C "$build" $targets >>"$log" 2>&1 || give_up "$log" building
grep -c 'warning:' "$log" | sed 's/$/ compiler warnings/'

suites=
for suite in ${TESTS:-}; do suites="$suites --suite $suite"; done
for suite in ${SKIP:-}; do suites="$suites --no-suite $suite"; done
$meson test -C "$build" --no-rebuild --print-errorlogs $suites || true
exec python3 "$root/tools/count.py" "$build/meson-logs/testlog.junit.xml"
