#!/usr/bin/python3
"""Relaxation of random packings: the way to the minimum, and the work against size and area fraction, from examples/relax.

usage: plot_relax.py FOLDER WAY.png WORK.png       FOLDER: where the example wrote relax_curves.csv, relax_count.csv and relax_phi.csv

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

JAM = 0.8425
NEAR = 0.1  # largest phi - JAM of the runs in the fit
STYLE = {"trust-region-steihaug": ("#b3261e", "o", "trust-region-steihaug"), "quasi-newton": ("#1f4e9c", "s", "quasi-newton"),
         "fire": ("#d98e2b", "^", "fire"), "automatic": ("#5a9e6f", "D", "automatic")}


def read(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        raise ValueError(f"{path}: no rows")
    return rows


def column(rows, name):
    return np.array([float(row[name]) for row in rows])


def by_strategy(rows):
    return [(name, [row for row in rows if row["strategy"] == name]) for name in STYLE if any(r["strategy"] == name for r in rows)]


# ---- the way to the minimum ----


def work(rows):
    """Gradients and products of the Hessian, each a pass over all contacts."""
    return column(rows, "gradients") + column(rows, "products")


def thin(x, y, per_decade=40):
    """Geometric means of y in bins of log x; the first and the last point as they are."""
    x = np.maximum(x, 1)
    bins = np.floor(per_decade * np.log10(x)).astype(int)
    inner = np.unique(bins[1:-1])
    means = [[np.exp(np.log(v[1:-1][bins[1:-1] == k]).mean()) for k in inner] for v in (x, y)]
    return [np.concatenate(([v[0]], m, [v[-1]])) for v, m in zip((x, y), means)]


def draw_way(rows):
    figure, panels = plt.subplots(2, 2, figsize=(9.6, 6.4), sharex="col", sharey="row", layout="constrained")
    for name, own in by_strategy(rows):
        colour, _, label = STYLE[name]
        energy, gradient = column(own, "energy"), column(own, "gradient")
        line = {"color": colour, "lw": 1.2, "label": label}
        if name == "automatic":  # may lie under another
            line.update(lw=4, alpha=0.4, zorder=1)
        for k, x in enumerate((column(own, "iterations"), work(own))):
            panels[0, k].loglog(*thin(x, energy), **line)
            panels[1, k].loglog(*thin(x, gradient / gradient[0]), **line)
    panels[0, 0].set_ylabel(r"energy $E$ [$k r^2$]")
    panels[1, 0].set_ylabel(r"$|g|/|g_0|$")
    panels[1, 0].set_xlabel("iterations")
    panels[1, 1].set_xlabel("gradients + Hessian products")
    panels[0, 1].legend(fontsize=8, frameon=False)
    return figure


def mark_regimes(axes, rows):
    """Where the trust region has lessened the gradient to 1e-2 and to 1e-6 of the start."""
    own = dict(by_strategy(rows)).get("trust-region-steihaug")
    if not own:
        return
    gradient, iterations = column(own, "gradient"), column(own, "iterations")
    ends = [iterations[np.argmax(gradient < part * gradient[0])] for part in (1e-2, 1e-6)]
    for row in axes:
        for end in ends:
            row.axvline(end, color="#b3261e", lw=0.8, ls=":")
    for x, number in zip((np.sqrt(ends[0]), np.sqrt(ends[0] * ends[1]), 1.6 * ends[1]), ("I", "II", "III")):
        axes[1].text(x, 1e-10, number, color="#b3261e", fontsize=11, family="serif", ha="center")


# ---- the work ----


def fit(x, y, draws=2000):
    """Exponent of y ~ x^a by least squares of the logarithms; its scatter from runs drawn at random again and again."""
    x, y = np.log(x), np.log(y)
    generator = np.random.default_rng(1)
    slopes = []
    for _ in range(draws):
        k = generator.integers(0, len(x), len(x))
        if np.ptp(x[k]) > 0:
            slopes.append(np.polyfit(x[k], y[k], 1)[0])
    slope, offset = np.polyfit(x, y, 1)
    return slope, np.exp(offset), np.std(slopes)


def means(x, y):
    """Geometric means, and their spread as two lengths for error bars (one standard deviation of the logarithms)."""
    places = np.unique(x)
    middle = np.array([np.exp(np.mean(np.log(y[x == p]))) for p in places])
    spread = np.array([np.exp(np.std(np.log(y[x == p]))) for p in places])
    return places, middle, [middle - middle / spread, middle * spread - middle]


def draw_points(axes, name, x, y, label):
    colour, marker, _ = STYLE[name]
    places, middle, bars = means(x, y)
    axes.errorbar(places, middle, bars, color=colour, marker=marker, ms=5, lw=0, elinewidth=1, capsize=2, label=label)
    return places


def draw_count(axes, rows):
    axes.set_xscale("log")
    axes.set_yscale("log")
    for name, own in by_strategy(rows):
        own = [row for row in own if int(row["reason"]) > 0]
        x, y = column(own, "count"), column(own, "iterations")
        slope, factor, scatter = fit(x, y)
        print(f"{name}: iterations ~ {factor:.3g} N^({slope:.3f} +- {scatter:.3f}), N {x.min():g} to {x.max():g}, {len(x)} runs")
        draw_points(axes, name, x, y, rf"{name}, $N^{{{slope:.2f} \pm {scatter:.2f}}}$")
        ends = np.array([x.min(), x.max()])
        axes.plot(ends, factor * ends**slope, color=STYLE[name][0], lw=1)
    n = np.array([column(rows, "count").min(), column(rows, "count").max()])
    axes.plot(n, 50 * 7000**(0.56 - 0.81) * n**0.81, color="black", lw=1, ls="--", label=r"published, $\sim N^{0.81}$ below 7000")
    axes.plot(n, 50 * n**0.56, color="black", lw=1, ls=":", label=r"published, $50\,N^{0.56}$ above 7000")
    axes.set_xlabel("discs $N$")
    axes.set_ylabel("iterations")
    axes.legend(fontsize=7.5, frameon=False)


def draw_phi(axes, rows):
    axes.set_xscale("log")
    axes.set_yscale("log")
    for name, own in by_strategy(rows):
        own = [row for row in own if int(row["reason"]) > 0]
        x, y = column(own, "phi") - JAM, column(own, "iterations")
        near = x < NEAR
        slope, factor, scatter = fit(x[near], y[near])
        print(f"{name}: iterations ~ (phi - {JAM})^({slope:.3f} +- {scatter:.3f}) between {x[near].min():.3g} and "
              f"{x[near].max():.3g}, N {own[0]['count']}, {near.sum()} runs")
        draw_points(axes, name, x, y, rf"{name}, exponent ${slope:.2f} \pm {scatter:.2f}$")
        ends = np.array([x[near].min(), x[near].max()])
        axes.plot(ends, factor * ends**slope, color=STYLE[name][0], lw=1)
    x = np.array([0.01, 0.1])
    axes.plot(x, 15 * x**-1.5, color="black", lw=1, ls="--", label="slope as published, $-1.5$")
    axes.set_xlabel(rf"$\phi - {JAM}$")
    axes.set_ylabel("iterations")
    axes.legend(fontsize=7.5, frameon=False)


def draw_work(counts, phis):
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
    draw_count(panels[0], counts)
    draw_phi(panels[1], phis)
    return figure


def save(figure, path):
    """With 128 colours, which are enough and half of the size."""
    for axes in figure.axes:
        axes.grid(alpha=0.2, lw=0.6)
    picture = io.BytesIO()
    figure.savefig(picture, dpi=110)
    Image.open(picture).convert("RGB").quantize(128).save(path, optimize=True)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    try:
        rows = read(folder / "relax_curves.csv")
        figure = draw_way(rows)
        mark_regimes(figure.axes[0:4:2], rows)
        save(figure, sys.argv[2])
        save(draw_work(read(folder / "relax_count.csv"), read(folder / "relax_phi.csv")), sys.argv[3])
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_relax: {problem}")


if __name__ == "__main__":
    main()
