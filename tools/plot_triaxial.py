#!/usr/bin/python3
"""Stress ratio and void ratio against the axial strain, in a cell of servo walls and in a periodic box, from examples/triaxial.

usage: plot_triaxial.py TRIAXIAL.csv PICTURE.png

Needs numpy, matplotlib and Pillow."""
import csv
import io
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

CELLS = [("walls", "six servo walls", "#b3261e"), ("box", "periodic box", "#1f4e9c")]
PANELS = [("stress_ratio", r"stress ratio $\sigma_1/\sigma_3$"), ("void_ratio", "void ratio $e$")]


def read(path):
    curves = {}
    with open(path, newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            curves.setdefault(row["cell"], []).append([float(row[name]) for name in ("axial_strain", "stress_ratio", "void_ratio")])
    if not curves:
        raise ValueError(f"{path}: no rows")
    return {cell: np.array(rows) for cell, rows in curves.items()}


def draw(curves):
    figure, panels = plt.subplots(2, 1, figsize=(6.4, 6.4), sharex=True, layout="constrained")
    for k, (axes, (_, label)) in enumerate(zip(panels, PANELS)):
        for cell, name, colour in CELLS:
            if cell in curves:
                axes.plot(100 * curves[cell][:, 0], curves[cell][:, 1 + k], color=colour, lw=1.4, label=name)
        axes.set_ylabel(label)
        axes.grid(alpha=0.2, lw=0.6)
    panels[0].set_ylim(bottom=1)
    panels[0].legend(fontsize=9, frameon=False, loc="lower right")
    panels[1].set_xlabel("axial strain [%]")
    panels[1].set_xlim(left=0)
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
        sys.exit(f"plot_triaxial: {problem}")


if __name__ == "__main__":
    main()
