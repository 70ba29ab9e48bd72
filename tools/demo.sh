#!/bin/sh
# Builds libdem, installs it into a prefix of its own, compiles examples/chute against that installation the way a host would,
# runs it, and makes pictures. On a fresh Debian 12 it installs the packages it needs first; nothing else outside build/demo
# is touched.
set -eu

usage() {
  cat <<'TEXT'
usage: sh tools/demo.sh [--data FILE] [--steps N] [--threads T]
  --data FILE   start from a LAMMPS data file instead of making a packing first
  --steps N     steps of the flow (default 60000, with --data 20000)
  --threads T   threads (default: all processors); the results do not depend on it
TEXT
}

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'demo.sh: %s\n' "$*" >&2; exit 1; }

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/build/demo
prefix=$work/prefix
results=$work/results
data='' steps='' threads=$(getconf _NPROCESSORS_ONLN)

while [ $# -gt 0 ]; do
  case $1 in
    --help) usage; exit 0 ;;
    --data | --steps | --threads) [ $# -ge 2 ] || fail "$1 needs a value" ;;
    *) usage >&2; fail "unknown option '$1'" ;;
  esac
  case $1 in
    --data) data=$2 ;;
    --steps) steps=$2 ;;
    --threads) threads=$2 ;;
  esac
  shift 2
done
if [ -n "$data" ]; then
  [ -r "$data" ] || fail "cannot read '$data'"
  data=$(cd "$(dirname "$data")" && pwd)/$(basename "$data")
fi
[ -n "$steps" ] || steps=$([ -n "$data" ] && echo 20000 || echo 60000)

# Packages: only what is missing.
install_packages() {
  missing=
  for package in gcc libc6-dev meson ninja-build pkg-config make python3 python3-numpy python3-matplotlib \
    libopenblas-dev liblapacke-dev libsuitesparse-dev; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  [ -z "$missing" ] && { say "all Debian packages are there"; return; }
  say "installing Debian packages:$missing"
  become=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "run this as root, or install these packages first:$missing"
    become=sudo
  fi
  $become apt-get update -q
  # shellcheck disable=SC2086
  $become env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
}

if command -v dpkg-query >/dev/null; then
  install_packages
else
  say "not a Debian system: gcc, meson, ninja, pkg-config, make and python3 with numpy and matplotlib must be there"
fi

say "building libdem and installing it into ${prefix#"$root"/}"
mkdir -p "$work"
if [ -f "$work/meson/build.ninja" ]; then again=--reconfigure; else again=; fi
meson setup $again "$work/meson" "$root" --prefix="$prefix" --libdir=lib -Doptimization=3 -Ddebug=false -Db_ndebug=true \
  -Dtests=false >"$work/meson.log" 2>&1 || { tail -20 "$work/meson.log" >&2; fail "meson setup failed, see $work/meson.log"; }
ninja -C "$work/meson" install >"$work/ninja.log" 2>&1 || { tail -20 "$work/ninja.log" >&2; fail "the build failed, see $work/ninja.log"; }

say "compiling examples/chute against the installed library, through pkg-config"
rm -rf "$work/chute"
cp -R "$root/examples/chute" "$work/chute"
make -C "$work/chute" PKG_CONFIG_PATH="$prefix/lib/pkgconfig" CFLAGS="-O2 -Wall -Wextra" LDFLAGS="-Wl,-rpath,'$prefix/lib'"

say "running it: $steps steps of the flow on $threads threads"
rm -rf "$results"
set -- --steps "$steps" --threads "$threads" --out "$results"
[ -z "$data" ] || set -- "$@" --data "$data"
# Waiting threads sleep instead of spinning: a little slower on an idle machine, much faster on a busy one.
OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} "$work/chute/chute" "$@"

say "making pictures"
/usr/bin/python3 "$root/tools/plot_grains.py" "$results/grains.pvd" "$results/grains.png" --tilt 26
/usr/bin/python3 "$root/tools/plot_energy.py" "$results/energies.csv" "$results/energies.png"

say "done; everything is in $results"
cat <<TEXT
grains.png     side view at four instants, coloured by speed, and the velocity profile
energies.png   where the energy went, and the residual of the energy books
energies.csv   the same as numbers
grains.pvd     all frames for ParaView (in frames/)
grains.dump    all frames for OVITO
TEXT
[ ! -f "$results/packing.data" ] || echo "packing.data   the packing it started from, to start from again with --data"
