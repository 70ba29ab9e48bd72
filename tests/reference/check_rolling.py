#!/usr/bin/env python3
"""Rolling and twisting step by step against LAMMPS (pair granular: rolling sds, twisting sds and marshall), where it is installed.
usage: check_rolling.py ROLLING_PEER

Both advance two spheres of different size by velocity-Verlet through an impact. The models are the same but for how a torque is
written: LAMMPS has k, c and the cap of twisting sds per angle, here they are times R*^2, R*^2 and R*."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS, EVERY, BOUND = 600, 20, 1e-10
RADII, DENSITIES = (0.5, 0.4), (1.9, 2.1)
REDUCED = RADII[0] * RADII[1] / sum(RADII)

SCRIPT = """units lj
atom_style sphere
boundary s s s
comm_modify vel yes
newton off
region box block -3 3 -3 3 -3 3
create_box 1 box
create_atoms 1 single {0}
create_atoms 1 single {1}
{setup}
neighbor 0.3 bin
pair_style granular
pair_coeff * * hooke 1e5 20 tangential {tangential} rolling sds 4e4 15 0.3 twisting {twisting} damping velocity
fix 1 all nve/sphere
timestep 1e-5
dump 1 all custom {every} out.dump id x y z vx vy vz omegax omegay omegaz
dump_modify 1 sort id format float %.17g
run {steps}
"""


def script(case, first):
    """The peer's input, starting from the first state printed here."""
    setup = []
    for k, row in enumerate(first):
        spin = " ".join(repr(v) for v in row[6:])
        setup.append(f"set atom {k + 1} diameter {2 * RADII[k]!r} density {DENSITIES[k]!r} omega {spin}")
    for k, row in enumerate(first):
        setup.append(f"group g{k} id {k + 1}")
        setup.append(f"velocity g{k} set " + " ".join(repr(v) for v in row[3:6]))
    twisting = f"sds {3e4 * REDUCED**2!r} {10 * REDUCED**2!r} {0.2 * REDUCED!r}" if case == "sds" else "marshall"
    # 7.5 times the coefficient along the normal, 20
    tangential = "linear_nohistory 0 0" if case == "sds" else "linear_history 8e4 7.5 0.4"
    places = [" ".join(repr(v) for v in row[:3]) for row in first]
    return SCRIPT.format(*places, setup="\n".join(setup), twisting=twisting, tangential=tangential, every=EVERY, steps=STEPS)


def numbers(line):
    return [float(word) for word in line.split()[1:10]]


def read_dump(path):
    lines, rows = path.read_text().splitlines(), []
    for k, line in enumerate(lines):
        if line.startswith("ITEM: ATOMS"):
            rows += [numbers(lines[k + 1]), numbers(lines[k + 2])]
    return rows


def compare(case, program, peer):
    text = subprocess.run([program, case, str(STEPS), str(EVERY)], check=True, capture_output=True, text=True).stdout
    mine = [numbers(line) for line in text.splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.lmp").write_text(script(case, mine[:2]))
        done = subprocess.run([peer, "-in", "in.lmp", "-log", "none"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{case}: the peer failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        theirs = read_dump(Path(folder) / "out.dump")
    if len(mine) != len(theirs) or len(mine) != 2 * (STEPS // EVERY + 1):
        sys.exit(f"{case}: {len(mine)} states here, {len(theirs)} there")
    worst = max(abs(a - b) for m, t in zip(mine, theirs) for a, b in zip(m, t))
    turned = max(abs(a - b) for a, b in zip(mine[0][6:], mine[-2][6:]))
    print(f"# {case}: largest difference {worst:.1e} in {STEPS} steps; spins changed by {turned:.3g}")
    if turned < 0.1:
        sys.exit(f"{case}: nothing turned, nothing compared")
    if worst > BOUND:
        sys.exit(f"{case}: differs from the peer by {worst:.3e}, allowed {BOUND:.0e}")


def main():
    peer = shutil.which("lmp")
    if not peer:
        print("skipped: no program lmp")
        sys.exit(77)
    for case in ("sds", "marshall"):
        compare(case, sys.argv[1], peer)


main()
