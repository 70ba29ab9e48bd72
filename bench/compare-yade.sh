#!/bin/sh
# Settles the same 2,304 spheres in a box with friction (mu = 0.5, no damping) in YADE and in libdem, at a 25th and a 50th of the
# contact time, and prints how well the energy books of both close: largest difference over the largest account.
#
#   sh bench/compare-yade.sh [STEPS [DEM_BENCH]]      STEPS at a 25th of the contact time (default 5000), twice as many at a 50th
#
# Fails unless libdem's close to 1e-12 and YADE's not that well. Both start from the same rows, written by dem-bench. YADE: `yade` of
# Debian's package yade, or $YADE; without it: exit code 77.
set -eu
steps=${1:-5000} bench=${2:-build/bench/dem-bench} yade=${YADE:-yade}
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$bench" ] || { echo "compare-yade: no $bench; build it first (meson setup build && ninja -C build)" >&2; exit 2; }
command -v "$yade" >/dev/null || { echo "compare-yade: skipped, no $yade; Debian: apt-get install yade" >&2; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for part in 25 50; do
  n=$((steps * part / 25))
  "$bench" books --scene "peer2304_$part" --integrator velocity-verlet --steps "$n" --write "$dir/rows" > "$dir/ours"
  dt=$(awk -v p="$part" 'BEGIN {printf "%.17g", atan2(0, -1) * sqrt(0.5 / 1e5) / p}')
  # What yade says about itself goes to a file of its own.
  "$yade" -n -x "$here/compare-yade.py" "$dir/rows" "$dt" "$n" > "$dir/theirs" 2> "$dir/log" || { tail -n 5 "$dir/log" >&2; exit 1; }
  echo "steps_per_contact $part, steps $n"
  {
    awk -v p="$part" '$1 ~ /^residual_peer.*_a1$/ {print "dem_closure_" p, $2}
      $1 == "kinetic" || $1 == "sliding" {print "dem_" $1 "_" p, $2}' "$dir/ours"
    awk -v p="$part" '$1 == "RESULT" && ($2 == "closure" || $2 == "kinetic" || $2 == "plastDissip") {
      print "yade_" $2 "_" p, $3}' "$dir/theirs"
  } > "$dir/figures"
  cat "$dir/figures"
  awk '/^dem_closure/ {ours = $2} /^yade_closure/ {theirs = $2} END {exit !(ours != "" && ours <= 1e-12 && theirs > 1e-12)}' "$dir/figures"
done
