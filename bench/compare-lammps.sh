#!/bin/sh
# Runs one case through dem-bench and through LAMMPS in turn and prints both speeds and their ratio (medians of paired runs).
#
#   sh bench/compare-lammps.sh CASE DATA [STEPS [RUNS [DEM_BENCH]]]      CASE: chute, bed-hooke or bed-hertz
#   sh bench/compare-lammps.sh size-ratio RATIO [STEPS [RUNS [DEM_BENCH]]]     dem-bench prepares the scene; LAMMPS gets its best skin
#
# One thread each. LAMMPS: `lmp` of Debian's package lammps, or $LMP. Its own loop time counts, as does ours: without set-up.
set -eu
usage() { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
case=$1 data=$2 steps=${3:-500} runs=${4:-7} bench=${5:-build/bench/dem-bench}
lmp=${LMP:-lmp}
[ "$case" = size-ratio ] || [ -r "$data" ] || { echo "compare-lammps: cannot read $data" >&2; exit 2; }
[ -x "$bench" ] || { echo "compare-lammps: no $bench; build it first (meson setup build && ninja -C build)" >&2; exit 2; }
command -v "$lmp" >/dev/null || { echo "compare-lammps: no $lmp; Debian: apt-get install lammps" >&2; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if [ "$case" = size-ratio ]; then
  ratio=$data data=$dir/size-ratio.data
  "$bench" size-ratio --ratio "$ratio" --steps 0 --write "$data" > "$dir/prepared"
fi

common="units lj
atom_style sphere
newton off
comm_modify vel yes"
settings="neighbor 0.1 bin
neigh_modify every 1 delay 0
timestep 0.0001"
# The system the data file was written for, in LAMMPS' own words.
case $case in
  chute)
    ours="chute"
    cat > "$dir/in" <<IN
$common
boundary p p fs
read_data $data
pair_style gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
$settings
group bottom type 2
group active subtract all bottom
neigh_modify exclude group bottom bottom
fix 1 all gravity 1.0 chute 26.0
fix 2 bottom freeze
fix 3 active nve/sphere
IN
    ;;
  bed-hooke)
    ours="bed --law hooke"
    cat > "$dir/in" <<IN
$common
boundary p p f
read_data $data
pair_style gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
$settings
fix 1 all gravity 1.0 vector 0 0 -1
fix 2 all nve/sphere
fix 3 all wall/gran hooke/history 200000.0 NULL 50.0 NULL 0.5 0 zplane 0.0 NULL
IN
    ;;
  bed-hertz)
    ours="bed --law hertz"
    law="hertz/material 1e7 0.8 0.3 tangential mindlin NULL 0.0 0.5 damping tsuji"
    # NULL: k_t from the material. The 2021 release has the restitution form of damping under the name tsuji only, a polynomial
    # in e; the work per contact is the same.
    cat > "$dir/in" <<IN
$common
boundary p p f
read_data $data
pair_style granular
pair_coeff * * $law
$settings
fix 1 all gravity 1.0 vector 0 0 -1
fix 2 all nve/sphere
fix 3 all wall/gran granular $law zplane 0.0 NULL
IN
    ;;
  size-ratio)
    ours="size-ratio --ratio $ratio"
    # Particles of a type are of one size: lists by type ("multi"), and only the images that a type needs.
    style=multi mode="mode multi"
    [ "$ratio" != 1 ] || style=bin mode=
    cat > "$dir/in" <<IN
units lj
atom_style sphere
newton off
neighbor \${skin} $style
comm_modify vel yes $mode
boundary p p f
read_data $data
pair_style gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
neigh_modify every 1 delay 0
timestep 0.0001
group bottom type 3
group active subtract all bottom
neigh_modify exclude group bottom bottom
fix 1 all gravity 10.0 chute 26.0
fix 2 bottom freeze
fix 3 active nve/sphere
IN
    ;;
  *) usage ;;
esac
printf 'thermo %s\nrun %s\n' "$steps" "$steps" >> "$dir/in"

theirs() { # SKIN: a run of LAMMPS, its particle-steps per second
  OMP_NUM_THREADS=1 "$lmp" -in "$dir/in" -var skin "$1" -log none > "$dir/theirs" || { tail -n 5 "$dir/theirs" >&2; exit 1; }
  awk '/^Loop time/ {print $4, $9, $12}' "$dir/theirs" | awk -v n="$steps" '{print $3 * n / $1}'
}
skin=0.1
if [ "$case" = size-ratio ]; then
  for s in 0.1 0.15 0.2 0.3; do echo "$(theirs $s) $s"; done > "$dir/skins"
  skin=$(sort -g "$dir/skins" | tail -n 1 | cut -d ' ' -f 2)
  echo "lammps_skin $skin"
fi
median() { sort -n "$1" | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
run=0
while [ $run -lt "$runs" ]; do
  # shellcheck disable=SC2086
  "$bench" $ours --data "$data" --steps "$steps" --threads 1 --ledger 0 > "$dir/ours"
  b=$(theirs "$skin")
  a=$(awk '$1 == "particle_steps_per_second" {print $2}' "$dir/ours")
  echo "$a" >> "$dir/a"
  echo "$b" >> "$dir/b"
  echo "$a $b" | awk '{print $1 / $2}' >> "$dir/r"
  run=$((run + 1))
done
echo "runs $runs"
echo "dem_particle_steps_per_second $(median "$dir/a")"
echo "lammps_particle_steps_per_second $(median "$dir/b")"
echo "ratio $(median "$dir/r")"
echo "ratio_min $(sort -n "$dir/r" | head -n 1)"
echo "ratio_max $(sort -n "$dir/r" | tail -n 1)"
