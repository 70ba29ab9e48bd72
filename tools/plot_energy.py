#!/usr/bin/python3
"""Where the energy went: stacked accounts over time, and the residual of the books below.

usage: plot_energy.py ENERGIES.csv PICTURE.png

Reads the CSV of dem_energy_write_row. Needs numpy and matplotlib."""
import argparse
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

# Label, colour, and the columns it sums (a name stands for itself and for its particle-particle and particle-wall halves).
STACK = [
    ("kinetic, linear", "#1f4e9c", ["kinetic_linear"]),
    ("kinetic, angular", "#6fa8dc", ["kinetic_angular"]),
    ("kinetic, walls", "#3d3a6b", ["kinetic_walls"]),
    ("elastic, normal", "#2e7d32", ["elastic_normal"]),
    ("elastic, tangential", "#9ccc65", ["elastic_tangential"]),
    ("elastic, rolling", "#c5e1a5", ["elastic_rolling"]),
    ("elastic, twisting", "#dcedc8", ["elastic_twisting"]),
    ("elastic, bonds", "#12948f", ["elastic_bond"]),
    ("damping, normal", "#e07b00", ["damping_normal"]),
    ("damping, tangential", "#f6b26b", ["damping_tangential"]),
    ("damping, bonds", "#a5673f", ["damping_bond"]),
    ("sliding", "#b3261e", ["sliding"]),
    ("rolling", "#d4675f", ["rolling"]),
    ("twisting", "#e8a29d", ["twisting"]),
    ("lubrication", "#f2c230", ["lubrication"]),
    ("breakage", "#7b1f5c", ["breakage"]),
    ("hysteresis of the law", "#7f7f7f", ["hysteresis"]),
    ("drag", "#8e7cc3", ["drag"]),
]


def read_table(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    if len(rows) < 3:
        raise ValueError(f"{path}: fewer than two rows of numbers")
    names = [name.strip() for name in rows[0]]
    values = np.array(rows[1:], dtype=float)
    return {name: values[:, k] for k, name in enumerate(names)}


def column(table, name):
    """The column of that name, or the sum of its halves, particle-particle and particle-wall."""
    if name in table:
        return table[name]
    halves = [name + "_particle", name + "_wall"]
    if any(half not in table for half in halves):
        raise ValueError(f"no column {name}; there are {', '.join(table)}")
    return sum(table[half] for half in halves)


def elapsed(table):
    """Time since the first row."""
    return column(table, "time") - column(table, "time")[0]


def changes(table):
    """(label, colour, change since the first row) of every account that matters in the picture."""
    bands = []
    for label, colour, names in STACK:
        values = sum(column(table, name) for name in names)
        bands.append((label, colour, values - values[0]))
    largest = max(np.abs(b[2]).max() for b in bands)
    return [b for b in bands if np.abs(b[2]).max() > 2e-4 * largest] or bands[:1]


def supplied(table):
    """Energy given up by gravity and put in by host and walls since the first row."""
    given = column(table, "host") + column(table, "walls") - column(table, "gravity")
    return given - given[0]


def draw_stack(axes, table):
    time, bands = elapsed(table), changes(table)
    for sign in (1, -1):
        layers = [np.maximum(sign * b[2], 0) * sign for b in bands]
        axes.stackplot(time, layers, colors=[b[1] for b in bands], linewidth=0, labels=[b[0] for b in bands] if sign == 1 else [])
    axes.plot(time, supplied(table), color="black", lw=1.4, ls="--", label="supplied by gravity, host and walls")
    axes.axhline(0, color="black", lw=0.6)
    axes.set_ylabel("energy since the start  [ρ g d⁴]")
    axes.legend(*reversed_legend(axes), loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9, frameon=False)
    axes.grid(alpha=0.25, lw=0.6)


def reversed_legend(axes):
    """Entries from top to bottom in the order in which the bands lie."""
    handles, labels = axes.get_legend_handles_labels()
    return handles[::-1], labels[::-1]


def draw_residual(axes, table):
    time, residual = elapsed(table), np.abs(column(table, "residual_relative"))
    floor = 1e-17
    axes.semilogy(time, np.maximum(residual, floor), color="#333333", lw=1.2)
    axes.axhline(1e-12, color="#b3261e", lw=1, ls=":")
    axes.text(0.99, 1.5e-12, "the tests allow 1e-12", transform=axes.get_yaxis_transform(), color="#b3261e", ha="right",
              va="bottom", fontsize=9)
    axes.set_ylim(floor, max(1e-10, 10 * residual.max()))
    axes.set_ylabel("|residual| / largest account")
    axes.set_xlabel("time since the start  [√(d/g)]")
    axes.grid(alpha=0.25, lw=0.6)


def picture(table):
    figure, axes = plt.subplots(2, 1, figsize=(9.5, 7), layout="constrained", sharex=True, height_ratios=[2.2, 1])
    draw_stack(axes[0], table)
    draw_residual(axes[1], table)
    axes[0].set_title("Where the energy goes", fontsize=11, loc="left")
    axes[1].set_title("Do the books close?", fontsize=11, loc="left")
    axes[1].set_xlim(0, elapsed(table)[-1])
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        picture(read_table(arguments.table)).savefig(arguments.picture, dpi=150)
    except (OSError, ValueError) as problem:
        sys.exit(f"plot_energy: {problem}")


if __name__ == "__main__":
    main()
