#!/usr/bin/python3
"""Pressure and excess coordination against the distance from the jamming point, from examples/jam.

usage: plot_jam.py JAM.csv PICTURE.png

Needs numpy, matplotlib and Pillow."""
import csv
import io
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image


def read(path):
    """Rows of phi - phi_J, pressure, excess coordination; without those at phi_J itself."""
    with open(path, newline="", encoding="ascii") as file:
        rows = [
            [float(row["phi"]) - float(row["phi_point"]), float(row["pressure"]), float(row["excess"])] for row in csv.DictReader(file)
        ]
    rows = np.array([row for row in rows if row[0] > 0])
    if not len(rows):
        raise ValueError(f"{path}: no rows")
    return rows


def guide(axes, x, y, power, colour):
    """The line y x^power over the range of x."""
    x = np.geomspace(x.min(), x.max(), 2)
    axes.plot(x, y * x**power, color=colour, lw=1)


def draw(rows):
    figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.6), layout="constrained")
    distance, pressure, excess = rows.T
    panels[0].plot(distance, pressure, "o", ms=3.5, color="#1f4e9c")
    guide(panels[0], distance, np.median(pressure / distance), 1, "#555555")
    panels[0].set_ylabel("pressure $p$ [stiffness]")
    panels[0].set_title("line: slope 1", fontsize=9)
    shown = excess > 0
    panels[1].plot(distance[shown], excess[shown], "o", ms=3.5, color="#b3261e")
    guide(panels[1], distance[shown], np.median(excess[shown] / np.sqrt(distance[shown])), 0.5, "#555555")
    panels[1].set_ylabel(r"excess coordination $z - z_{iso}$")
    panels[1].set_title("line: slope 1/2", fontsize=9)
    for axes in panels:
        axes.set_xlabel(r"$\phi - \phi_J$")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.grid(alpha=0.2, lw=0.6)
    return figure


def save(figure, path):
    """With 64 colours, which are enough and a third of the size."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=110)
    Image.open(picture).convert("RGB").quantize(64).save(path, optimize=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        save(draw(read(sys.argv[1])), sys.argv[2])
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_jam: {problem}")


if __name__ == "__main__":
    main()
