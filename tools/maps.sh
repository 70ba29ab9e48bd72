#!/bin/sh
# Both maps of three spheres (dem-bench three-sphere-map), their picture doc/figures/three_spheres_map.png, and their tables on
# stdout, for doc/integrators.md. Goes on where it was interrupted: finished rows stay in FOLDER.
#
# usage: maps.sh DEM-BENCH FOLDER [THREADS]
set -eu
[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
bench=$1 folder=$2 threads=${3:-1}
mkdir -p "$folder"

map() { # name, restitution, steps per contact time
  "$bench" three-sphere-map --restitution "$2" --steps "$3" --threads "$threads" --write "$folder/$1.csv" > "$folder/$1.txt"
}

map published 0.8 50
map damped 0.5 25
/usr/bin/python3 "$root/tools/plot_map.py" "$folder/published.csv" "$folder/damped.csv" "$root/doc/figures/three_spheres_map.png"
