#!/usr/bin/python3
"""Where every joule is: the books of a demonstration as stacked areas, stores below, sinks above, up to the dashed total.

usage: plot_books.py BOOKS.csv PICTURE.png [--title TEXT]
       plot_books.py --order ORDER.csv PICTURE.png

BOOKS.csv comes from examples/energy (SI units), ORDER.csv from its energy_order. Needs numpy, matplotlib and Pillow."""
import argparse
import csv
import io
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

# From bottom to top: label, colour, column. Stores are cool, sinks are warm.
STACK = [
    ("kinetic, linear", "#1f4e9c", "kinetic_linear"),
    ("kinetic, angular", "#6fa8dc", "kinetic_angular"),
    ("kinetic, walls", "#3b3b6d", "kinetic_walls"),
    ("gravity", "#b7c9d3", "gravity"),
    ("stored, normal springs", "#2e7d32", "potential_normal"),
    ("stored, tangential springs", "#9ccc65", "potential_tangential"),
    ("stored, bonds", "#12908e", "potential_bond"),
    ("lubrication", "#f2c230", "lubrication"),
    ("damping, normal", "#e07b00", "damping_normal"),
    ("damping, tangential", "#f6b26b", "damping_tangential"),
    ("damping, bonds", "#a1663a", "damping_bond"),
    ("sliding", "#b3261e", "sliding"),
    ("breakage", "#7b1f5c", "breakage"),
    ("hysteresis of the law", "#8e7cc3", "hysteresis"),
    ("numerical", "#444444", "numerical"),
]
VISIBLE = 2e-3  # of the total; what is smaller is only in the panel below
FLOOR = 1e-17


def read_table(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    if len(rows) < 3:
        raise ValueError(f"{path}: fewer than two rows of numbers")
    return rows[0], rows[1:]


def columns(path):
    names, rows = read_table(path)
    return dict(zip(names, np.array(rows, dtype=float).T))


def prefix(largest, unit):
    """Factor and unit in which `largest` is between 1 and 1000."""
    exponent = int(np.clip(3 * np.floor(np.log10(largest) / 3), -15, 0))
    return 10.0**-exponent, {0: "", -3: "m", -6: "µ", -9: "n", -12: "p", -15: "f"}[exponent] + unit


def put_in(table):
    """What host and walls have put in so far, with gravity counted from its lowest value."""
    return table["host"] + table["walls"] + table["potential_host"] - table["gravity"].min()


def bands(table):
    """(label, colour, values) of every account that can be seen."""
    table = dict(table, gravity=table["gravity"] - table["gravity"].min())
    total = np.abs(put_in(table)).max()
    return [(label, colour, table[name]) for label, colour, name in STACK if np.abs(table[name]).max() > VISIBLE * total]


def draw_stack(axes, table, time, scale, unit):
    seen = bands(table)
    for sign in (1, -1):
        layers = [np.maximum(sign * values, 0) * sign * scale for _, _, values in seen]
        labels = [label for label, _, _ in seen] if sign == 1 else []
        axes.stackplot(time, layers, colors=[colour for _, colour, _ in seen], labels=labels, linewidth=0)
    axes.plot(time, put_in(table) * scale, color="black", lw=1.4, ls="--", label="total put in")
    axes.set_ylabel(f"energy [{unit}]")
    axes.set_ylim(min(0, axes.get_ylim()[0]), 1.06 * (put_in(table) * scale).max())
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9, frameon=False)


def draw_small(axes, table, time):
    """What is too small to be seen above."""
    total = np.abs(put_in(table)).max()
    numerical = np.maximum(np.abs(table["numerical"]) / total, FLOOR)
    residual = np.maximum(np.abs(table["residual"]) / total, FLOOR)
    axes.semilogy(time, numerical, color="#444444", lw=1.1, label="|numerical|")
    axes.semilogy(time, residual, color="#b3261e", lw=0.8, label="|residual|")
    axes.set_ylim(FLOOR, max(1e-3, 10 * numerical.max()))
    axes.set_yticks([1e-16, 1e-12, 1e-8, 1e-4])
    axes.set_ylabel("part of total")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9, frameon=False)
    axes.grid(alpha=0.25, lw=0.6)


def books(path, title):
    table = columns(path)
    seconds, second = prefix(table["time"].max(), "s")
    scale, unit = prefix(np.abs(put_in(table)).max(), "J")
    time = table["time"] * seconds
    figure, axes = plt.subplots(2, 1, figsize=(8, 4.8), layout="constrained", sharex=True, height_ratios=[3, 1])
    draw_stack(axes[0], table, time, scale, unit)
    draw_small(axes[1], table, time)
    axes[0].set_title(title, fontsize=11, loc="left")
    axes[1].set_xlim(time[0], time[-1])
    axes[1].set_xlabel(f"time [{second}]")
    return figure


def draw_order(axes, steps, values, style, label, order):
    line, = axes.loglog(steps, values, style, ms=4.5, lw=1, label=f"{label}: order {order:g}")
    axes.loglog(steps, values[-1] * (steps / steps[-1]) ** -order, ":", color=line.get_color(), lw=1)


def order(path, title):
    names, rows = read_table(path)
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    curves = [("euler", "left", "o-", "Euler, left at the end", 1),
              ("velocity-verlet", "during", "s--", "velocity-Verlet, most during contact", 2),
              ("velocity-verlet", "left", "s-", "velocity-Verlet, left at the end", 2.5)]
    for integrator, column, style, label, expected in curves:
        chosen = np.array([row[1:] for row in rows if row[0] == integrator], dtype=float)
        draw_order(axes, chosen[:, 0], chosen[:, names.index(column) - 1], style, label, expected)
    axes.set_xticks(chosen[:, 0], [f"{steps:g}" for steps in chosen[:, 0]])
    axes.minorticks_off()
    axes.set_xlabel("steps per contact")
    axes.set_ylabel("numerical dissipation / kinetic energy")
    axes.set_title(title, fontsize=11, loc="left")
    axes.grid(alpha=0.25, lw=0.6)
    axes.legend(fontsize=9, frameon=False)
    return figure


def save(figure, path):
    """With 64 colours, which are enough and a third of the size."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=120)
    Image.open(picture).convert("RGB").quantize(64).save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--title")
    parser.add_argument("--order", action="store_true", help="the table is that of energy_order")
    arguments = parser.parse_args()
    draw, title = books, "Where the energy is"
    if arguments.order:
        draw, title = order, "Elastic impact (Hertz, e = 1): the error falls with the step"
    try:
        save(draw(arguments.table, arguments.title or title), arguments.picture)
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"plot_books: {problem}")


if __name__ == "__main__":
    main()
