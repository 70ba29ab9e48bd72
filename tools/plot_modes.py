#!/usr/bin/python3
"""Density of states, participation, and moduli of packings from far above jamming to near it, from examples/modes.

usage: plot_modes.py FOLDER PICTURE.png        FOLDER: where the example wrote modes.csv and modes_states.csv

Needs numpy, matplotlib and Pillow."""
import csv
import io
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

COLOURS = ["#1f4e9c", "#3c8dbc", "#5a9e6f", "#d98e2b", "#b3261e"]


def read(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = [{name: float(text) for name, text in row.items()} for row in csv.DictReader(file)]
    if not rows:
        raise ValueError(f"{path}: no rows")
    return rows


def by_state(modes):
    states = {}
    for row in modes:
        states.setdefault(row["phi"], []).append(row)
    return sorted(states.items(), reverse=True)


def density(frequencies, total, edges):
    count, _ = np.histogram(frequencies, edges)
    return count / (total * np.diff(edges))


def draw_density(axes, states):
    largest = max(row["frequency"] for _, rows in states for row in rows)
    edges = np.geomspace(0.02, 1.02 * largest, 28)
    middle = np.sqrt(edges[1:] * edges[:-1])
    for (phi, rows), colour in zip(states, COLOURS):
        d = density([row["frequency"] for row in rows], rows[0]["all"], edges)
        axes.loglog(middle[d > 0], d[d > 0], color=colour, lw=1.4, marker="o", ms=3, label=rf"$\phi$ = {phi:g}")
    axes.set_xlabel(r"frequency $\omega$ [$\sqrt{k/m}$]")
    axes.set_ylabel(r"density of states $D(\omega)$")
    axes.legend(fontsize=8, frameon=False)


def draw_participation(axes, states):
    for (phi, rows), colour in list(zip(states, COLOURS))[::-2]:
        axes.semilogx([row["frequency"] for row in rows], [row["participation"] for row in rows], ".", color=colour, ms=2,
                      label=rf"$\phi$ = {phi:g}")
    axes.set_xlim(left=0.02)
    axes.set_xlabel(r"frequency $\omega$ [$\sqrt{k/m}$]")
    axes.set_ylabel("participation ratio")
    axes.legend(fontsize=8, frameon=False)


def draw_moduli(axes, rows):
    pressure = [row["pressure"] for row in rows]
    for name, colour, label in (("bulk", "#1f4e9c", "bulk"), ("shear", "#b3261e", "shear")):
        axes.loglog(pressure, [row[name] for row in rows], color=colour, marker="o", ms=4, lw=1.4, label=label)
        axes.loglog(pressure, [row[name + "_affine"] for row in rows], color=colour, lw=1, ls="--", label=label + ", affine part")
    axes.set_xlabel(r"pressure [$k$]")
    axes.set_ylabel(r"modulus [$k$]")
    axes.legend(fontsize=8, frameon=False)


def draw(modes, rows):
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
    states = by_state(modes)
    draw_density(panels[0], states)
    draw_participation(panels[1], states)
    draw_moduli(panels[2], rows)
    for axes in panels:
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
    folder = pathlib.Path(sys.argv[1])
    try:
        save(draw(read(folder / "modes.csv"), read(folder / "modes_states.csv")), sys.argv[2])
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_modes: {problem}")


if __name__ == "__main__":
    main()
