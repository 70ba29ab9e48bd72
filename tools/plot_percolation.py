#!/usr/bin/python3
"""Fine spheres in a bed of large ones at several instants, and the trapped part over time, from examples/percolation.

usage: plot_percolation.py FOLDER RATIO PICTURE.png

Needs numpy, matplotlib and Pillow."""
import csv
import io
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle
from PIL import Image

SCHEMES = [("velocity-verlet", "velocity-Verlet", "#b3261e"), ("improved-velocity-verlet", "improved", "#1f4e9c")]


def read(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        raise ValueError(f"{path}: no rows")
    return rows


def column(rows, name):
    return np.array([float(row[name]) for row in rows])


def draw_bed(axes, bed):
    """The half of the bed that is behind, far ones paler."""
    side = column(bed, "y")
    order = np.argsort(-side)
    for k in order:
        depth = float(bed[k]["y"]) / side.max()
        axes.add_patch(Circle((float(bed[k]["x"]), float(bed[k]["z"])), 1, facecolor=str(0.86 + 0.08 * depth),
                               edgecolor=str(0.72 + 0.18 * depth), lw=0.4))


def draw_instant(axes, bed, fines, scheme, time, top):
    draw_bed(axes, bed)
    here = [row for row in fines if row["scheme"] == scheme and float(row["time"]) == time]
    for trapped, colour, size in ((0, "#1f4e9c", 2), (1, "#d40000", 5)):
        rows = [row for row in here if int(row["trapped"]) == trapped]
        if rows:
            axes.plot(column(rows, "x") % 10, column(rows, "z"), ".", color=colour, ms=size, mew=0)
    axes.set_aspect("equal")
    axes.set_xlim(0, 10)
    axes.set_ylim(-1, top)
    axes.set_xticks([])
    axes.set_yticks([])


def draw_series(axes, series):
    for scheme, label, colour in SCHEMES:
        rows = [row for row in series if row["scheme"] == scheme]
        time = column(rows, "time")
        trapped = 100 * column(rows, "trapped")
        axes.plot(time, trapped, color=colour, lw=1.6)
        axes.plot(time, 100 * (1 - column(rows, "through")), color=colour, lw=1, ls=":")
        axes.annotate(f"{label}: {trapped[-1]:.1f} %", (time[-1], trapped[-1]), xytext=(-2, 5), textcoords="offset points",
                      ha="right", fontsize=8.5, color=colour)
    axes.plot([], [], color="0.3", lw=1.6, label="trapped")
    axes.plot([], [], color="0.3", lw=1, ls=":", label="still in the bed")
    axes.legend(fontsize=8.5, frameon=False, loc="upper right")
    axes.set_ylim(0, 104)
    axes.set_xlim(0, time[-1])
    axes.set_xlabel(r"time / $\sqrt{R/g}$")
    axes.set_ylabel("part of the fine spheres [%]")
    axes.grid(alpha=0.2, lw=0.6)


def draw(folder, ratio):
    series, fines, bed = (read(folder / f"percolation_{ratio}{what}.csv") for what in ("", "_fines", "_bed"))
    times = sorted({float(row["time"]) for row in fines})
    top = column(bed, "z").max() + 2
    figure = plt.figure(figsize=(10, 6.6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1.45, 1])
    axes = left.subplots(2, len(times), gridspec_kw={"wspace": 0.02})
    for i, (scheme, label, _) in enumerate(SCHEMES):
        for k, time in enumerate(times):
            draw_instant(axes[i, k], bed, fines, scheme, time, top)
            axes[i, k].set_title(f"t = {time:g}" if i == 0 else "", fontsize=9)
        axes[i, 0].set_ylabel(label, fontsize=9)
    axes = right.subplots()
    draw_series(axes, series)
    axes.set_title(f"R/r = {ratio}; red in the pictures: trapped", fontsize=10, loc="left")
    return figure


def save(figure, path):
    """With 96 colours, which are enough and a third of the size."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=100)
    Image.open(picture).convert("RGB").quantize(96).save(path, optimize=True)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        save(draw(pathlib.Path(sys.argv[1]), sys.argv[2]), sys.argv[3])
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_percolation: {problem}")


if __name__ == "__main__":
    main()
