#!/bin/sh
# Runs `dem-bench shear` or `dem-bench gas` and LAMMPS in turn on the same data file: prints the mean shear stress, pressure and kinetic
# energy of both with their standard errors, both speeds, and the ratio (median of paired runs).
#
#   sh bench/compare-shear.sh shear|gas [PHI [STEPS [RUNS [DEM_BENCH]]]]      PHI: 0.6 (shear), 0.2 (gas)
#
# One thread each. The ratio of processor times is the one to read on a machine that others use, too. RATE=1.0, WARMUP=0 in the environment: shear rate, steps before the timed ones. LAMMPS: `lmp` of Debian's package lammps,
# or $LMP; without it: exit code 77. Its own loop time counts, as does ours: without set-up.
set -eu
usage() { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage
case=$1 phi=${2:-} steps=${3:-2000} runs=${4:-3} bench=${5:-build/bench/dem-bench} lmp=${LMP:-lmp} rate=${RATE:-1.0} warmup=${WARMUP:-0}
case $case in
  shear) phi=${phi:-0.6} ;;
  gas) phi=${phi:-0.2} ;;
  *) usage ;;
esac
[ -x "$bench" ] || { echo "compare-shear: no $bench; build it first (meson setup build && ninja -C build)" >&2; exit 2; }
command -v "$lmp" >/dev/null || { echo "compare-shear: no $lmp; Debian: apt-get install lammps" >&2; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ours="$case --phi $phi"
[ "$case" = gas ] || ours="$ours --rate $rate"
# shellcheck disable=SC2086
"$bench" $ours --steps 0 --write "$dir/data" > "$dir/prepared" 2> "$dir/warnings"

# Images move on with the box, and a particle that is wrapped takes the velocity of its image: remap v.
cat > "$dir/in" <<IN
units lj
atom_style sphere
newton off
comm_modify vel yes
boundary p p p
box tilt large
read_data $dir/data
change_box all triclinic
pair_style gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
neighbor 0.1 bin
neigh_modify every 1 delay 0
timestep 0.0001
fix 1 all nve/sphere
compute p all pressure NULL virial
thermo_style custom step c_p[1] c_p[2] c_p[3] c_p[4] ke
thermo_modify norm no
thermo 20
IN
[ "$case" = gas ] && sed -i '/^box tilt/d; /^change_box/d' "$dir/in"
[ "$case" = shear ] && echo "fix 2 all deform 1 xy erate $rate remap v" >> "$dir/in"
[ "$warmup" = 0 ] || echo "run $warmup" >> "$dir/in"
echo "run $steps" >> "$dir/in"

theirs() { # a run of LAMMPS: its figures in the names of ours
  OMP_NUM_THREADS=1 "$lmp" -in "$dir/in" -log none > "$dir/theirs.log" || { tail -n 5 "$dir/theirs.log" >&2; exit 1; }
  awk -v case="$case" '
    $1 == "Step" {n = 0; on = 1; next}
    /CPU use with/ {processor = wall * $1 / 100}
    /^Loop time/ {on = 0; wall = $4; steps = $9; atoms = $12; next}
    on && NF == 6 {n++; if (n > 1) {shear[n - 1] = -$5; pressure[n - 1] = ($2 + $3 + $4) / 3; kinetic[n - 1] = $6}}
    function report(name, v, count,   k, b, block, size, mean, square) {
      split("", block); split("", size); mean = square = 0
      for (k = 1; k <= count; k++) {b = int((k - 1) * 10 / count); block[b] += v[k]; size[b]++}
      for (b = 0; b < 10; b++) {block[b] /= size[b]; mean += block[b] / 10}
      for (b = 0; b < 10; b++) square += (block[b] - mean) ^ 2
      printf "%s %.9g\n%s_error %.3g\n", name, mean, name, sqrt(square / 90)
    }
    END {
      if (case == "shear") report("shear_stress", shear, n - 1)
      report("pressure", pressure, n - 1)
      report("kinetic_energy", kinetic, n - 1)
      printf "processor_seconds %.6g\n", processor
      printf "steps_per_second %.6g\nparticle_steps_per_second %.6g\n", steps / wall, steps * atoms / wall
    }' "$dir/theirs.log"
}
of() { awk -v name="$2" '$1 == name {print $2}' "$dir/$1"; }
median() { sort -g "$1" | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
echo "load $(cut -d ' ' -f 1 /proc/loadavg)"
: > "$dir/ratios"
: > "$dir/ratios_processor"
run=0
while [ "$run" -lt "$runs" ]; do
  # in turns, so that neither is always the first
  if [ $((run % 2)) = 0 ]; then theirs > "$dir/theirs"; fi
  # shellcheck disable=SC2086
  "$bench" $ours --steps "$steps" --warmup "$warmup" --data "$dir/data" > "$dir/ours" 2>> "$dir/warnings"
  if [ $((run % 2)) = 1 ]; then theirs > "$dir/theirs"; fi
  echo "$(of ours steps_per_second) $(of theirs steps_per_second)" | awk '{print $1 / $2}' >> "$dir/ratios"
  echo "$(of theirs processor_seconds) $(of ours processor_seconds)" | awk '{print $1 / $2}' >> "$dir/ratios_processor"
  echo "run $run processor_seconds dem $(of ours processor_seconds) lammps $(of theirs processor_seconds) ratio $(tail -n 1 "$dir/ratios_processor")"
  echo "run $run dem $(of ours particle_steps_per_second) lammps $(of theirs particle_steps_per_second) ratio $(tail -n 1 "$dir/ratios")"
  run=$((run + 1))
done
for name in shear_stress pressure kinetic_energy; do
  [ -z "$(of ours $name)" ] ||
    echo "$name dem $(of ours $name) +- $(of ours ${name}_error) lammps $(of theirs $name) +- $(of theirs ${name}_error)"
done
echo "neighbour_rebuilds $(of ours neighbour_rebuilds)"
echo "ratio_processor $(median "$dir/ratios_processor")"
echo "ratio $(median "$dir/ratios")"
