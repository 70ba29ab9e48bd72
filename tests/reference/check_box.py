#!/usr/bin/env python3
"""Tilted boxes against LAMMPS, where it is installed: files both ways, and the motion of elastic spheres.
usage: check_box.py BOX_PEER

The peer reads our data file and runs the same steps. Box bounds of both dumps, with the tilt, are the same bits; so is the box of the
data file that the peer writes at the end. Unwrapped positions, velocities and forces agree to round-off, which collisions amplify."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS, START_BOUND, POSITION_BOUND, FORCE_BOUND = 400, 1e-13, 1e-11, 1e-9

SCRIPT = """units lj
atom_style sphere
boundary p p p
comm_modify vel yes
newton off
read_data start.data
neighbor 0.1 bin
pair_style granular
pair_coeff * * hooke 1e5 0 tangential linear_nohistory 0 0 damping velocity
fix 1 all nve/sphere
timestep 1e-4
dump 1 all custom {steps} out.dump id xu yu zu vx vy vz fx fy fz
dump_modify 1 sort id format float %.17g
run {steps}
write_data out.data
"""


def dump_frames(path):
    """Per frame: the lines of the box as numbers, and the rows of numbers."""
    frames, lines, k = [], path.read_text().splitlines(), 0
    while k < len(lines):
        count = int(lines[k + 3])
        if not lines[k + 4].startswith("ITEM: BOX BOUNDS xy xz yz pp pp pp"):
            sys.exit(f"{path.name}: {lines[k + 4]}")
        box = [[float(w) for w in line.split()] for line in lines[k + 5 : k + 8]]
        frames.append((box, [[float(w) for w in line.split()] for line in lines[k + 9 : k + 9 + count]]))
        k += 9 + count
    return frames


def unwrapped(path):
    """Positions of a data file plus the edges that its image flags count."""
    lines = path.read_text().splitlines()
    side = {line.split()[2]: [float(w) for w in line.split()[:2]] for line in lines if line.endswith("hi")}
    (xy, xz, yz), = [[float(w) for w in line.split()[:3]] for line in lines if line.endswith("xy xz yz")]
    lx, ly, lz = (side[a][1] - side[a][0] for a in ("xlo", "ylo", "zlo"))
    start = lines.index("Atoms # sphere") + 2
    count = int(next(line for line in lines if line.endswith(" atoms")).split()[0])
    rows = [line.split() for line in lines[start : start + count]]
    out = []
    for row in rows:
        x, y, z = (float(w) for w in row[4:7])
        i, j, k = (int(w) for w in row[7:10])
        out.append((x + i * lx + j * xy + k * xz, y + j * ly + k * yz, z + k * lz))
    return out


def check(what, value, bound):
    print(f"# {what}: {value:.1e}, allowed {bound:.0e}")
    if not value <= bound:
        sys.exit(f"{what} differ by {value:.3e}, allowed {bound:.0e}")


def worst(ours, theirs):
    return max(abs(a - b) for m, t in zip(ours, theirs) for a, b in zip(m, t))


def compare(folder, program):
    (ours_box, ours), = dump_frames(folder / "end.dump")
    first, last = dump_frames(folder / "out.dump")
    (start_box, _), = dump_frames(folder / "start.dump")
    if not ours_box == start_box == first[0] == last[0]:
        sys.exit(f"boxes differ: {ours_box}, {first[0]}")
    data = subprocess.run([program, "read", str(folder / "out.data")], check=True, capture_output=True, text=True).stdout
    mine = subprocess.run([program, "read", str(folder / "end.data")], check=True, capture_output=True, text=True).stdout
    if data != mine:
        sys.exit(f"the box of the peer's data file:\n{data}ours:\n{mine}")
    force = max(abs(f) for row in last[1] for f in row[7:10])
    moved = worst([r[1:4] for r in first[1]], [r[1:4] for r in last[1]])
    touching = sum(any(row[7:10]) for row in last[1])
    print(f"# {touching} of {len(last[1])} particles touch, largest force {force:.3g}, largest path {moved:.3g}")
    if touching < 100:
        sys.exit("too few contacts to compare")
    check("start: positions", worst(unwrapped(folder / "start.data"), [r[1:4] for r in first[1]]), START_BOUND)
    check("end: positions", worst(unwrapped(folder / "end.data"), [r[1:4] for r in last[1]]), POSITION_BOUND)
    check("end: velocities", worst([r[6:9] for r in ours], [r[4:7] for r in last[1]]), FORCE_BOUND)
    check("end: forces over the largest", worst([r[12:15] for r in ours], [r[7:10] for r in last[1]]) / force, FORCE_BOUND)


def main():
    program, peer = sys.argv[1], shutil.which("lmp")
    if not peer:
        print("skipped: no program lmp")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([program, "run", name, str(STEPS)], check=True)
        (folder / "in.lmp").write_text(SCRIPT.format(steps=STEPS))
        done = subprocess.run([peer, "-in", "in.lmp", "-log", "none"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"the peer failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        compare(folder, program)


main()
