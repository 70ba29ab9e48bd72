#!/usr/bin/python3
"""Quasi-static pure shear: fabric and stress against strain in few and many load steps, and the work, from examples/shear.

usage: plot_shear.py FOLDER PICTURE.png       FOLDER: where the example wrote shear_curves.csv and shear_totals.csv

Prints the exponents. Needs numpy, matplotlib and Pillow."""
import csv
import io
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

SHOWN = [(10, "#d98e2b", "o"), (100, "#3c8dbc", ""), (1000, "#1f2e5c", "")]
STYLE = {"trust-region-steihaug": ("#b3261e", "o"), "automatic": ("#5a9e6f", "D")}
FITTED = 30  # least number of load steps in the fit that is drawn


def read(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        raise ValueError(f"{path}: no rows")
    return rows


def column(rows, name):
    return np.array([float(row[name]) for row in rows])


def draw_curves(panels, rows, strategy):
    for steps, colour, marker in SHOWN:
        own = [row for row in rows if row["strategy"] == strategy and int(row["steps"]) == steps and row["seed"] == rows[0]["seed"]]
        if not own:
            continue
        for axes, name in zip(panels, ("fabric", "stress")):
            y = column(own, name) / (column(own, "pressure") if name == "stress" else 1)
            axes.plot(100 * column(own, "strain"), y, color=colour, marker=marker, ms=4, lw=1.1, label=f"{steps} load steps")
    panels[0].set_ylabel(r"deviatoric fabric $(F_{yy} - F_{xx})/2$")
    panels[1].set_ylabel(r"shear stress $(\sigma_{yy} - \sigma_{xx})/(2p)$")
    for axes in panels:
        axes.set_xlabel("strain [%]")
    panels[0].legend(fontsize=8, frameon=False, loc="lower right")


def complete(totals):
    """Rows of the seeds whose shears all came to their end, for each strategy."""
    own = {}
    for row in totals:
        own.setdefault((row["strategy"], row["seed"]), []).append(row)
    most = max(len(rows) for rows in own.values())
    return {key: rows for key, rows in own.items() if len(rows) == most}


def fit(seeds, least):
    """Mean exponent of the packings, load steps from `least` on, and its standard deviation from packing to packing."""
    slopes = []
    for rows in seeds:
        own = [row for row in rows if int(row["steps"]) >= least]
        slopes.append(np.polyfit(np.log(column(own, "steps")), np.log(column(own, "iterations")), 1)[0])
    return np.mean(slopes), np.std(slopes, ddof=1) if len(slopes) > 1 else np.nan


def draw_totals(axes, totals):
    axes.set_xscale("log")
    axes.set_yscale("log")
    whole = complete(totals)
    for strategy, (colour, marker) in STYLE.items():
        seeds = [rows for (name, _), rows in whole.items() if name == strategy]
        if not seeds:
            continue
        y = np.array([column(rows, "iterations") for rows in seeds])
        x = column(seeds[0], "steps")
        middle = np.exp(np.log(y).mean(0))
        for least in (0, FITTED):
            print(f"{strategy}: iterations ~ n^(%.3f +- %.3f), n >= {least}, {len(seeds)} packings" % fit(seeds, least))
        print("  means", dict(zip(x.astype(int).tolist(), middle.round().tolist())))
        slope, scatter = fit(seeds, FITTED)
        text = rf"$n^{{{slope:.2f} \pm {scatter:.2f}}}$" if len(seeds) > 1 else rf"$n^{{{slope:.2f}}}$"
        for own in y:
            axes.plot(x, own, color=colour, marker=marker, ms=4, lw=0)
        upper = x >= FITTED
        factor = np.exp((np.log(middle[upper]) - slope * np.log(x[upper])).mean())
        axes.plot(x[upper], factor * x[upper]**slope, color=colour, lw=1.1, label=f"{strategy}, {text}")
    low, high = axes.get_ylim()
    x = np.array([column(totals, "steps").min(), column(totals, "steps").max()])
    axes.plot(x, 1.5 * low * (x / x[0])**0.31, color="black", lw=1, ls="--", label=r"slope as published, $n^{0.31}$")
    axes.set_ylim(low, 4 * high)
    axes.set_xlabel("load steps $n$")
    axes.set_ylabel("iterations of all load steps")
    axes.legend(fontsize=8, frameon=False, loc="upper left")


def save(figure, path):
    """With 128 colours, which are enough and half of the size."""
    for axes in figure.axes:
        axes.grid(alpha=0.2, lw=0.6)
    picture = io.BytesIO()
    figure.savefig(picture, dpi=110)
    Image.open(picture).convert("RGB").quantize(128).save(path, optimize=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
    try:
        draw_curves(panels[:2], read(folder / "shear_curves.csv"), "trust-region-steihaug")
        draw_totals(panels[2], read(folder / "shear_totals.csv"))
        save(figure, sys.argv[2])
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_shear: {problem}")


if __name__ == "__main__":
    main()
