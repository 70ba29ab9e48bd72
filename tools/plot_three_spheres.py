#!/usr/bin/python3
"""The angle of a fine sphere that rolls out of the pocket between two large ones, from examples/three_spheres, beside the motion
of a rigid sphere: rolling, then sliding, then free.

usage: plot_three_spheres.py THREE_SPHERES.csv PICTURE.png

Needs numpy, matplotlib and Pillow."""
import csv
import io
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

LARGE, FINE, GRAVITY = 5e-3, 2.5e-4, 9.81
COLOURS = {0.35: "#e07b00", 0.5: "#1f4e9c", 0.8: "#2e7d32"}


def read(path):
    curves = {}
    with open(path, newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            key = row["scheme"], float(row["friction"])
            curves.setdefault(key, []).append([float(row[name]) for name in ("time", "angle", "gap")])
    if not curves:
        raise ValueError(f"{path}: no rows")
    return {key: np.array(rows) for key, rows in curves.items()}


def rigid(friction, start, until, h=2e-6):
    """Rolls, t'' = g sin t/(P J), until friction is used up; then slides until nothing presses it on. (times, angles, slides at)"""
    path = np.sqrt((LARGE + FINE) ** 2 - LARGE**2)
    inertia = 1 + 0.4 * ((LARGE + FINE) / path) ** 2
    wedge = path / (LARGE + FINE)
    angle, rate, sliding, rows, slid = start, 0.0, False, [], None
    for k in range(int(until / h)):
        pressed = GRAVITY * np.cos(angle) - path * rate * rate
        if pressed <= 0:
            break
        if not sliding and GRAVITY * np.sin(angle) * (inertia - 1) / inertia > friction * pressed / wedge:
            sliding, slid = True, k
        if sliding:
            turn = (GRAVITY * np.sin(angle) - friction * pressed / wedge) / path
        else:
            turn = GRAVITY * np.sin(angle) / (path * inertia)
        rate += h * turn
        angle += h * rate
        rows.append((h * (k + 1), angle))
    return np.array(rows), slid


def in_contact(curve):
    """Up to where it leaves, for good."""
    return curve[: np.nonzero(curve[:, 2] <= 0)[0][-1] + 2]


def rolling(times, start):
    """The angle of a sphere that always rolls."""
    path, h = np.sqrt((LARGE + FINE) ** 2 - LARGE**2), 2e-6
    push = GRAVITY / (path + 0.4 * (LARGE + FINE) ** 2 / path)
    angles, rate = [start], 0.0
    for _ in range(int(times[-1] / h) + 1):
        rate += h * push * np.sin(angles[-1])
        angles.append(angles[-1] + h * rate)
    return np.interp(times, h * np.arange(len(angles)), angles)


def draw_close(axes, curves):
    """Differences from rolling, so that the curves do not cover each other."""
    start = np.pi / 180
    for friction, colour in COLOURS.items():
        solution, slid = rigid(friction, start, 0.3)
        ahead = solution[:, 1] - rolling(solution[:, 0], start)
        axes.plot(1e3 * solution[:, 0], 1e3 * ahead, color=colour, lw=4.5, alpha=0.3, solid_capstyle="butt")
        axes.plot(1e3 * solution[slid, 0], 1e3 * ahead[slid], "|", color=colour, ms=13, mew=1.6)
        axes.plot(1e3 * solution[-1, 0], 1e3 * ahead[-1], "x", color=colour, ms=7, mew=1.6)
        rolled = in_contact(curves["improved-velocity-verlet", friction])
        ahead = 1e3 * (rolled[:, 1] - rolling(rolled[:, 0], start))
        axes.plot(1e3 * rolled[:, 0], ahead, color=colour, lw=1.3, label=f"µ = {friction:g}: leaves at {rolled[-1, 1]:.2f} rad")
        axes.plot(1e3 * rolled[-1, 0], ahead[-1], "o", color=colour, ms=5.5)
    plain = curves["velocity-verlet", 0.5]
    axes.plot(1e3 * plain[:, 0], 1e3 * (plain[:, 1] - rolling(plain[:, 0], start)), color="0.3", lw=1.3, ls=":",
              label="velocity-Verlet, any µ")
    axes.set_xlim(132, 152)
    axes.set_xticks(range(132, 153, 4))
    axes.set_ylim(-3, 66)
    axes.set_title("Angle ahead of a sphere that rolls on [mrad]", fontsize=10, loc="left")
    axes.plot([], [], color="0.5", lw=4.5, alpha=0.4, label="rigid sphere")
    axes.plot([], [], "|", color="0.4", ms=11, mew=1.6, label="begins to slide")
    axes.plot([], [], "x", color="0.4", ms=6, mew=1.6, label="leaves")
    axes.legend(fontsize=8.5, frameon=False, loc="upper left")


def draw_all(axes, curves):
    for friction, colour in COLOURS.items():
        plain = curves["velocity-verlet", friction]
        axes.plot(1e3 * plain[:, 0], plain[:, 1], color=colour, lw=1.3, ls=":")
        rolled = in_contact(curves["improved-velocity-verlet", friction])
        axes.plot(1e3 * rolled[:, 0], rolled[:, 1], color=colour, lw=1.3)
        axes.plot(1e3 * rolled[-1, 0], rolled[-1, 1], "o", color=colour, ms=5.5)
    axes.axhline(np.pi, color="0.8", lw=0.8, zorder=0)
    axes.text(4, np.pi + 0.06, "below the large spheres", fontsize=8.5, color="0.45")
    axes.plot([], [], color="0.3", lw=1.3, label="improved velocity-Verlet, until it leaves")
    axes.plot([], [], color="0.3", lw=1.3, ls=":", label="velocity-Verlet: never leaves")
    axes.legend(fontsize=8.5, frameon=False, loc="upper left", bbox_to_anchor=(0, 0.48))
    axes.set_title("Angle from the top [rad], R/r = 20", fontsize=10, loc="left")


def draw(curves):
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.1), layout="constrained")
    draw_all(axes[0], curves)
    draw_close(axes[1], curves)
    for one in axes:
        one.set_xlabel("time [ms]")
        one.grid(alpha=0.2, lw=0.6)
    return figure


def save(figure, path):
    """With 64 colours, which are enough and a third of the size."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=120)
    Image.open(picture).convert("RGB").quantize(64).save(path, optimize=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        save(draw(read(sys.argv[1])), sys.argv[2])
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_three_spheres: {problem}")


if __name__ == "__main__":
    main()
