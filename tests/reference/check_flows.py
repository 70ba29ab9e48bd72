#!/usr/bin/env python3
"""Chute (32,000 grains) and bed (50,000) with Hertz and Mindlin against LAMMPS's pair granular on the same data files, where it is
installed: kinetic and rotational energy.
usage: check_flows.py MAPPING_FLOW DATA_FOLDER

Round-off grows with the collisions: the bounds are those of check_bench.py. The version of 2021 has no coeff_restitution; its tsuji is
the same dashpot for another restitution."""
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

YOUNG, POISSON, GIVEN = 1e7, 0.3, 0.7
KN, KT = 4 / 3 * YOUNG / (2 * (1 - POISSON**2)), 8 * YOUNG / (4 * (2 - POISSON) * (1 + POISSON))
LAW = f"{GIVEN} {{0}}tangential mindlin {{1}} 0 0.5 damping tsuji"

SCRIPT = """units lj
atom_style sphere
boundary p p f{shrink}
newton off
comm_modify vel yes
read_data {data}
pair_style granular
pair_coeff * * hertz/material {young} {law}
neighbor 0.1 bin
neigh_modify every 1 delay 0
timestep 1e-4
{flow}
compute 1 {moving} ke
compute 2 {moving} erotate/sphere
thermo_style custom step c_1 c_2
thermo_modify norm no format float %.17g
thermo {steps}
run {steps}
"""

CHUTE = """group bottom type 2
group active subtract all bottom
neigh_modify exclude group bottom bottom
fix 1 all gravity 1.0 chute 26.0
fix 2 bottom freeze
fix 3 active nve/sphere"""

BED = f"""fix 1 all gravity 1.0 vector 0 0 -1
fix 2 all wall/gran granular hertz {KN!r} {LAW.format("", repr(KT))} zplane 0 NULL
fix 3 all nve/sphere"""


def restitution():
    e = GIVEN
    alpha = 1.2728 - 4.2783 * e + 11.087 * e**2 - 22.348 * e**3 + 27.467 * e**4 - 18.022 * e**5 + 4.8218 * e**6
    zeta = alpha / math.sqrt(5)
    return math.exp(-math.pi * zeta / math.sqrt(1 - zeta * zeta))


def theirs(peer, name, data, steps):
    chute = name == "chute"
    text = SCRIPT.format(shrink="s" if chute else "", data=data, young=YOUNG, law=LAW.format(f"{POISSON} ", "NULL"), steps=steps,
                         flow=CHUTE if chute else BED, moving="active" if chute else "all")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.lmp").write_text(text)
        done = subprocess.run([peer, "-in", "in.lmp", "-log", "none"], cwd=folder, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[0] == str(steps):
            return [float(word) for word in words[1:]]
    sys.exit(f"{name}: the peer failed: " + "".join(line for line in done.stdout.splitlines() if "ERROR" in line))


def main():
    program, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    files, peer = {"chute": folder / "chute" / "data.chute", "bed": folder / "bed50k" / "bed_hooke.data"}, shutil.which("lmp")
    if not peer or not all(path.is_file() for path in files.values()):
        print("skipped: no program lmp" if not peer else f"skipped: no chute and bed50k in {folder}")
        return 77
    good = True
    for name, steps, bound in (("chute", 500, 1e-11), ("bed", 10, 1e-9), ("bed", 100, 1e-9)):
        mine = subprocess.run([program, name, files[name], repr(restitution()), str(steps)], check=True, capture_output=True,
                              text=True).stdout.split()
        worst = max(abs(float(m) / t - 1) for m, t in zip(mine, theirs(peer, name, files[name], steps)))
        print(f"# {name}, Hertz, step {steps}: {worst:.1e} of the energies, bound {bound:.0e}; residual {mine[2]}")
        good &= worst <= bound and float(mine[2]) <= 1e-12
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
