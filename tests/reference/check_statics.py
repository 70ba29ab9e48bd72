#!/usr/bin/env python3
"""Stress of a packing against LAMMPS (compute pressure, compute stress/atom), where it is installed.
usage: check_statics.py STATICS_PEER

The same data file, one evaluation of the forces, and after 20 steps. The peer's tensors are symmetric: of xy it has r_x f_y, and its
stress/atom is minus stress times volume."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FRICTION = 50
# Springs are 0 at first. Later the peer turns a spring only if that changes the force by more than 1e-10 of the friction limit.
BOUNDS = {0: 1e-12, 20: 1e-10 * FRICTION}

SCRIPT = """units lj
atom_style sphere
boundary p p p
comm_modify vel yes
newton off
read_data packing.data
neighbor 0.1 bin
pair_style granular
pair_coeff * * hooke 1e5 20 tangential linear_history 8e4 7.5 {friction} damping velocity
fix 1 all nve/sphere
timestep 1e-5
compute contact all pressure NULL pair
compute kinetic all pressure thermo_temp ke
compute each all stress/atom NULL pair
compute touches all contact/atom
compute ends all reduce sum c_touches
thermo_style custom step c_contact[1] c_kinetic[1] c_ends vol
thermo_modify format float %.17g
dump 1 all custom {every} out.dump id c_each[1] c_each[2] c_each[3] c_each[4] c_each[5] c_each[6]
dump_modify 1 sort id format float %.17g
run {steps}
print "COUNTS $(vol:%.17g) $(c_ends:%.17g)"
"""
for name in ("contact", "kinetic"):
    SCRIPT += f'print "{name.upper()} ' + " ".join(f"$(c_{name}[{k}]:%.17g)" for k in range(1, 7)) + '"\n'

SIX = (0, 4, 8, 1, 2, 5)  # xx yy zz xy xz yz of nine


def rows_of(text):
    return [[float(word) for word in line.split()] for line in text.splitlines()]


def run_peer(peer, folder, steps):
    (folder / "in.lmp").write_text(SCRIPT.format(friction=FRICTION, steps=steps, every=max(steps, 1)))
    done = subprocess.run([peer, "-in", "in.lmp", "-log", "none"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the peer failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    found = {line.split()[0]: [float(w) for w in line.split()[1:]] for line in done.stdout.splitlines()
             if line.startswith(("CONTACT", "KINETIC", "COUNTS"))}
    dump = (folder / "out.dump").read_text().split("ITEM: ATOMS")[-1].splitlines()[1:]
    return found, [[-float(word) for word in line.split()[1:]] for line in dump]


def worst(mine, theirs):
    largest = max(abs(b) for b in theirs)
    return max(abs(mine[SIX[k]] - theirs[k]) for k in range(6)) / largest


def compare(program, peer, steps):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = subprocess.run([program, str(folder / "packing.data"), str(steps)], check=True, capture_output=True, text=True).stdout
        found, each = run_peer(peer, folder, steps)
    (volume, contacts), stress, kinetic, *particles = rows_of(text)
    if len(each) != len(particles):
        sys.exit(f"{len(particles)} particles here, {len(each)} there")
    if abs(volume - found["COUNTS"][0]) > 1e-14 * volume or 2 * contacts != found["COUNTS"][1]:
        sys.exit(f"volume {volume}, ends of contacts {2 * contacts}; the peer has {found['COUNTS']}")
    largest = max(abs(v) for row in each for v in row)
    total, moving = worst(stress, found["CONTACT"]), worst(kinetic, found["KINETIC"])
    single = max(abs(m[SIX[k]] - t[k]) for m, t in zip(particles, each) for k in range(6)) / largest
    print(f"# {steps} steps, {int(contacts)} contacts: stress differs by {total:.1e}, its kinetic part by {moving:.1e}, "
          f"that of particles by {single:.1e} of the largest")
    if not max(total, moving, single) <= BOUNDS[steps]:
        sys.exit(f"differs from the peer by more than {BOUNDS[steps]:.0e}")


def main():
    peer = shutil.which("lmp")
    if not peer:
        print("skipped: no program lmp")
        sys.exit(77)
    for steps in BOUNDS:
        compare(sys.argv[1], peer, steps)


main()
