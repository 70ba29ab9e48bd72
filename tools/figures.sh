#!/bin/sh
# Makes the figures of doc/energy.md, doc/integrators.md, doc/linalg.md, doc/packing.md, doc/relaxation.md, doc/shear.md and
# doc/triaxial.md from the examples (percolation and modes take a minute, jam, relax and shear some minutes, triaxial 15):
# figures.sh FOLDER-OF-PROGRAMS (build/examples).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
programs=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

figure() { # name, title, further options
  name=$1 title=$2
  shift 2
  "$programs/example-$name" "$dir" > "$dir/out"
  /usr/bin/python3 "$root/tools/plot_books.py" "$dir/$name.csv" "$root/doc/figures/$name.png" --title "$title" "$@"
}

figure energy_impact "Two Hertz spheres, e = 1"
figure energy_lubrication "The same two spheres in a viscous fluid"
figure energy_bond "Two bonded spheres turn, swing, and part at a stretch of 1 %"
figure energy_wall_impact "Four bonded spheres on a floor, struck by a heavy free wall"
figure energy_order "Elastic impact (Hertz, e = 1): the error falls with the step" --order

"$programs/example-three_spheres" "$dir" > "$dir/out"
/usr/bin/python3 "$root/tools/plot_three_spheres.py" "$dir/three_spheres.csv" "$root/doc/figures/three_spheres.png"

"$programs/example-percolation" "$dir" 20 600 > "$dir/out"
/usr/bin/python3 "$root/tools/plot_percolation.py" "$dir" 20 "$root/doc/figures/percolation.png"

"$programs/example-triaxial" "$dir" > "$dir/out"
/usr/bin/python3 "$root/tools/plot_triaxial.py" "$dir/triaxial.csv" "$root/doc/figures/triaxial.png"

"$programs/example-relax" "$dir" > "$dir/out"
/usr/bin/python3 "$root/tools/plot_relax.py" "$dir" "$root/doc/figures/relax_way.png" "$root/doc/figures/relax_work.png"

"$programs/example-shear" "$dir" > "$dir/out"
/usr/bin/python3 "$root/tools/plot_shear.py" "$dir" "$root/doc/figures/shear.png"

"$programs/example-jam" "$dir" > "$dir/out"
/usr/bin/python3 "$root/tools/plot_jam.py" "$dir/jam.csv" "$root/doc/figures/jam.png"

# Where libdem-linalg is built.
if [ -x "$programs/example-modes" ]; then
  "$programs/example-modes" "$dir" > "$dir/out"
  /usr/bin/python3 "$root/tools/plot_modes.py" "$dir" "$root/doc/figures/modes.png"
fi
