#!/usr/bin/python3
"""Which fine spheres the pocket of two large ones traps, from `dem-bench three-sphere-map --write MAP.csv`.

usage: plot_map.py MAP.csv PICTURE.png

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
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    if not rows:
        raise ValueError(f"{path}: no rows")
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def draw(table):
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
    friction = np.linspace(0.01, 1, 400)
    for one, name, title in zip(axes, ("standard", "improved"), ("velocity-Verlet", "improved velocity-Verlet")):
        trapped = table[name] > 0
        one.plot(table["friction"][~trapped], table["ratio"][~trapped], "s", color="#d7e3f2", ms=2.2, mew=0)
        one.plot(table["friction"][trapped], table["ratio"][trapped], "s", color="#b3261e", ms=2.2, mew=0)
        one.plot(friction, 1 / (np.sqrt(1 + friction**2) - 1), color="black", lw=1.2)
        one.set_ylim(0, 102)
        one.set_xlim(0, 1.005)
        one.set_xlabel("friction")
        one.set_title(f"{title}: {trapped.sum()} of {len(trapped)} trapped", fontsize=10, loc="left")
    axes[0].set_ylabel("R/r")
    return figure


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        picture = io.BytesIO()
        draw(read(sys.argv[1])).savefig(picture, dpi=120)
        Image.open(picture).convert("RGB").quantize(64).save(sys.argv[2], optimize=True)
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_map: {problem}")


if __name__ == "__main__":
    main()
