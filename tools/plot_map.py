#!/usr/bin/python3
"""Which fine spheres the pocket of two large ones traps, from `dem-bench three-sphere-map --write MAP.csv`: draws the maps, one
row of panels each, and prints their figures as a table of Markdown.

usage: plot_map.py MAP.csv ... PICTURE.png

Needs numpy, matplotlib and Pillow."""
import csv
import io
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

SCHEMES = (("standard", "velocity-Verlet"), ("improved", "improved velocity-Verlet"))


def critical(friction):
    return 1 / (np.sqrt(1 + friction**2) - 1)


def read(path):
    with open(path, newline="", encoding="ascii") as file:
        heading = file.readline().strip("# \n")
        rows = list(csv.DictReader(file))
    if not rows:
        raise ValueError(f"{path}: no rows")
    table = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    table["heading"] = heading.split("; ")[-1]
    return table


def draw(axes, table):
    friction = np.linspace(0.01, 1, 400)
    for one, (name, title) in zip(axes, SCHEMES):
        trapped = table[name] > 0
        one.plot(table["friction"][~trapped], table["ratio"][~trapped], "s", color="#d7e3f2", ms=2.2, mew=0)
        one.plot(table["friction"][trapped], table["ratio"][trapped], "s", color="#b3261e", ms=2.2, mew=0)
        one.plot(friction, critical(friction), color="black", lw=1.2)
        one.set_ylim(0, 102)
        one.set_xlim(0, 1.005)
        one.set_title(f"{title}: {trapped.sum()} of {len(trapped)} trapped\n{table['heading']}", fontsize=9, loc="left")
    axes[0].set_ylabel("R/r")


def region(table, trapped):
    """The corner that holds all of them: least ratio, least friction."""
    if not trapped.any():
        return "nowhere"
    return f"R/r >= {table['ratio'][trapped].min():g}, mu >= {table['friction'][trapped].min():.2f}"


def row(table):
    beyond = table["ratio"] / critical(table["friction"]) - 1
    standard, improved = table["standard"] > 0, table["improved"] > 0
    early, late = standard & (beyond <= 0), ~standard & (beyond > 0)
    worst = [100 * np.abs(beyond[wrong]).max() if wrong.any() else 0 for wrong in (early, late)]
    return (f"| {table['heading']} | {len(standard)} | {standard.sum()} | {100 * np.mean(standard == (beyond > 0)):.2f} % | "
            f"{early.sum()}, {worst[0]:.1f} % | {late.sum()}, {worst[1]:.1f} % | {improved.sum()}: {region(table, improved)} |")


def print_table(tables):
    print("| map | cases | plain traps | as the criterion says | trapped below it, furthest | free above it, furthest "
          "| improved traps |\n|---|---|---|---|---|---|---|")
    for table in tables:
        print(row(table))
    print("\n| plain traps from R/r on, at mu | " + " | ".join(f"{0.1 * k:.1f}" for k in range(2, 11)) + " |\n|" + "---|" * 10)
    print("| criterion | " + " | ".join(f"{critical(0.1 * k):.1f}" for k in range(2, 11)) + " |")
    for table in tables:
        least = []
        for k in range(2, 11):
            at = (np.abs(table["friction"] - 0.1 * k) < 1e-6) & (table["standard"] > 0)
            least.append(f"{table['ratio'][at].min():g}" if at.any() else "-")
        print(f"| {table['heading']} | " + " | ".join(least) + " |")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        tables = [read(path) for path in sys.argv[1:-1]]
        figure, axes = plt.subplots(len(tables), 2, figsize=(9, 4 * len(tables)), layout="constrained", sharex=True, sharey=True,
                                    squeeze=False)
        for one, table in zip(axes, tables):
            draw(one, table)
        for one in axes[-1]:
            one.set_xlabel("friction")
        picture = io.BytesIO()
        figure.savefig(picture, dpi=100)
        Image.open(picture).convert("RGB").quantize(64).save(sys.argv[-1], optimize=True)
        print_table(tables)
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_map: {problem}")


if __name__ == "__main__":
    main()
