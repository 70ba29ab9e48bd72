#!/usr/bin/env python3
"""A sheared periodic box of spheres with friction: its work against its stress, and, where LAMMPS is installed, against LAMMPS.
usage: check_shear.py SHEAR_PEER

Balance, without a peer: the work of the box is that of the stress (shear_peer.c). The trapezoidal rule over the steps makes an error that
falls with the square of the step.

LAMMPS (`fix deform xy erate`) changes the box after the forces of a step. So the forces see the box of the step before, and images across
the sheared faces lag by rate*height*dt. Early differences from our results must be proportional to the step. `fix deform xy variable` can
be given the box of the next step. Nothing touches at the start, so this removes the lag altogether, and only round-off remains.

Later the positions differ, as those of any two gases of spheres do. The mean shear stress and pressure agree within their statistical
errors."""
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RATE, TIME, STEPS = 2.0, 0.1, (500, 1000, 2000)  # how long the early part is, in so many steps
WARMUP, LONG, EVERY, BLOCKS, DT = 5000, 20000, 20, 20, 2e-4

SCRIPT = """units lj
atom_style sphere
newton off
comm_modify vel yes
boundary p p p
box tilt large
read_data start.data
pair_style gran/hooke/history 20000.0 NULL 20.0 NULL 0.5 0
pair_coeff * *
neighbor 0.1 bin
neigh_modify every 1 delay 0
timestep {dt!r}
fix 1 all nve/sphere
variable moved equal {rate!r}*ly*(step+1)*{dt!r}
variable speed equal {rate!r}*ly
fix 2 all deform 1 xy {motion} remap v
compute p all pressure NULL virial
thermo_style custom step c_p[1] c_p[2] c_p[3] c_p[4]
thermo_modify norm no
"""
EARLY = """dump 1 all custom {steps} out.dump id x y z vx vy vz omegax omegay omegaz
dump_modify 1 sort id first no format float %.17g
run {steps}
"""
LATE = "thermo {every}\nrun {warmup}\nrun {steps}\n"
LAGGING, LEADING = f"erate {RATE!r}", "variable v_moved v_speed"


def output(program, *words):
    return subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout


def lammps(peer, folder, script):
    (folder / "in.lmp").write_text(script)
    done = subprocess.run([peer, "-in", "in.lmp", "-log", "none"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the peer failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def check(what, value, low, high):
    print(f"# {what}: {value:.3g}, allowed {low:.3g} to {high:.3g}")
    if not low <= value <= high:
        sys.exit(f"{what}: {value:.3e}, allowed {low:.3g} to {high:.3g}")


# ---- balance ----


def check_balance(program, start):
    error = []
    for steps in (2000, 4000):
        box, stress = (float(w) for w in output(program, "balance", start, RATE, 4 * TIME / steps, 0, steps).split())
        error.append(abs(box - stress) / stress)
        print(f"# work of the box {box:.9g}, of the stress {stress:.9g}")
    check("balance: work of the box less that of the stress", error[0], 0, 2e-5)
    check("balance: error over that of half the step", error[0] / error[1], 3, 5)


# ---- early ----


def frame(path):
    """Rows of the last frame by id, and the names of their columns."""
    lines = path.read_text().splitlines()
    head = max(k for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
    names, rows = lines[head].split()[2:], [line.split() for line in lines[head + 1 :]]
    return {int(row[names.index("id")]): {n: float(w) for n, w in zip(names, row) if n != "element"} for row in rows}


def distances(mine, theirs, edge, tilt):
    """Root mean squares of the differences of positions, velocities, spins; the rows may stand for any image of a sphere."""
    sums = [0.0, 0.0, 0.0]
    for key, a in mine.items():
        b = theirs[key]
        d, v = [a[c] - b[c] for c in "xyz"], [a["v" + c] - b["v" + c] for c in "xyz"]
        up = round(d[1] / edge)
        d = [d[0] - up * tilt, d[1] - up * edge, d[2] - edge * round(d[2] / edge)]
        d[0] -= edge * round(d[0] / edge)
        v[0] -= up * RATE * edge
        w = [a["omega" + c] - b["omega" + c] for c in "xyz"]
        sums = [s + math.hypot(*y) ** 2 for s, y in zip(sums, (d, v, w))]
    return [math.sqrt(s / len(mine)) for s in sums]


def early(program, peer, folder, motion, steps):
    dt = TIME / steps
    output(program, "run", folder / "start.data", RATE, dt, steps, folder / "end.dump")
    lammps(peer, folder, SCRIPT.format(dt=dt, rate=RATE, motion=motion) + EARLY.format(steps=steps))
    words = [line.split() for line in (folder / "start.data").read_text().splitlines()]
    edge = next(float(w[1]) - float(w[0]) for w in words if w[2:] == ["xlo", "xhi"])
    tilt = next(float(w[0]) for w in words if w[3:] == ["xy", "xz", "yz"]) + RATE * edge * TIME
    return distances(frame(folder / "end.dump"), frame(folder / "out.dump"), edge, tilt)


def check_early(program, peer, folder):
    names = ("positions", "velocities", "spins")
    lags = [early(program, peer, folder, LAGGING, steps) for steps in STEPS]
    for k, name in enumerate(names):
        for coarse, fine, steps in zip(lags, lags[1:], STEPS):
            check(f"early: {name} differ in {steps} steps by {coarse[k]:.3g}, over twice as many", coarse[k] / fine[k], 1.7, 2.4)
    exact = early(program, peer, folder, LEADING, STEPS[0])
    for k, name in enumerate(names):
        check(f"early: {name} with the box of the same step", exact[k], 0, 1e-10)


# ---- late ----


def mean(values):
    """Mean and its standard error, from the means of blocks."""
    size = len(values) // BLOCKS
    means = [sum(values[k * size : (k + 1) * size]) / size for k in range(BLOCKS)]
    middle = sum(means) / BLOCKS
    return middle, math.sqrt(sum((m - middle) ** 2 for m in means) / (BLOCKS * (BLOCKS - 1)))


def rows_of(text):
    """Shear stress and pressure in the last table of the peer's."""
    lines = text.splitlines()
    head, end = (max(k for k, line in enumerate(lines) if line.split()[:1] == [word]) for word in ("Step", "Loop"))
    numbers = [[float(w) for w in line.split()] for line in lines[head + 2 : end]]
    return [(-n[4], sum(n[1:4]) / 3) for n in numbers]


def check_late(program, peer, folder):
    text = output(program, "flow", folder / "start.data", RATE, DT, WARMUP, LONG, EVERY)
    ours = [tuple(float(w) for w in line.split()) for line in text.splitlines()]
    script = SCRIPT.format(dt=DT, rate=RATE, motion=LAGGING) + LATE.format(warmup=WARMUP, steps=LONG, every=EVERY)
    theirs = rows_of(lammps(peer, folder, script))
    if len(ours) != len(theirs):
        sys.exit(f"{len(ours)} samples against {len(theirs)} of the peer")
    for k, name in enumerate(("shear stress", "pressure")):
        (a, da), (b, db) = mean([row[k] for row in ours]), mean([row[k] for row in theirs])
        print(f"# late: {name} {a:.4g} +- {da:.2g}, peer {b:.4g} +- {db:.2g}")
        check(f"late: {name}, standard errors over the mean", math.hypot(da, db) / b, 0, 0.05)
        check(f"late: {name}, difference in standard errors", abs(a - b) / math.hypot(da, db), 0, 3)


def main():
    program, peer = sys.argv[1], shutil.which("lmp")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output(program, "write", folder / "start.data")
        check_balance(program, folder / "start.data")
        if not peer:
            print("skipped but for the balance: no program lmp")
            sys.exit(77)
        check_early(program, peer, folder)
        check_late(program, peer, folder)


main()
