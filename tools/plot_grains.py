#!/usr/bin/python3
"""Side view of grains as circles coloured by speed, several instants as panels, with the profile of velocity beside them.

usage: plot_grains.py COLLECTION.pvd PICTURE.png [--panels N] [--tilt DEGREES]

Reads the .vtp files (appended raw binary) that dem_system_write_vtp writes. Needs numpy and matplotlib."""
import argparse
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.colors import Normalize

TYPES = {"Float64": "f8", "Float32": "f4", "Int64": "i8", "UInt64": "u8", "Int32": "i4", "UInt32": "u4", "Int8": "i1", "UInt8": "u1"}


def attribute(tag, name, default=None):
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    if not found and default is None:
        raise ValueError(f"no attribute {name} in {tag}")
    return found.group(1) if found else default


def read_vtp(path):
    """Arrays of a .vtp by name; the points are called 'Points' whatever the file calls them."""
    raw = path.read_bytes()
    cut = raw.find(b"<AppendedData")
    if cut < 0:
        raise ValueError(f"{path}: no appended data")
    start = raw.index(b"_", raw.index(b">", cut)) + 1
    head = raw[:cut].decode("ascii")
    file_tag = re.search(r"<VTKFile[^>]*>", head).group(0)
    order = "<" if attribute(file_tag, "byte_order") == "LittleEndian" else ">"
    size_type = np.dtype(order + TYPES[attribute(file_tag, "header_type", "UInt32")])
    arrays = {}
    points = head.find("<Points>"), head.find("</Points>")
    for match in re.finditer(r"<DataArray[^>]*>", head):
        tag = match.group(0)
        if attribute(tag, "format") != "appended":
            continue
        kind = np.dtype(order + TYPES[attribute(tag, "type")])
        at = start + int(attribute(tag, "offset"))
        size = int(np.frombuffer(raw, size_type, 1, at)[0])
        values = np.frombuffer(raw, kind, size // kind.itemsize, at + size_type.itemsize)
        components = int(attribute(tag, "NumberOfComponents", "1"))
        name = "Points" if points[0] < match.start() < points[1] else attribute(tag, "Name")
        arrays[name] = values.reshape(-1, components) if components > 1 else values
    return arrays


def read_collection(path):
    """Times since the first frame and files of a .pvd."""
    tags = re.findall(r"<DataSet[^>]*>", path.read_text())
    times = [float(attribute(t, "timestep")) for t in tags]
    return [(time - times[0], path.parent / attribute(t, "file")) for time, t in zip(times, tags)]


def find(arrays, *names):
    for name in names:
        for key in arrays:
            if key.lower() == name:
                return arrays[key]
    raise ValueError(f"no array {names[0]}; there are {', '.join(arrays)}")


class Frame:
    def __init__(self, time, path):
        arrays = read_vtp(path)
        self.time = time
        self.x = find(arrays, "points")
        self.v = find(arrays, "velocity")
        self.radius = find(arrays, "radius")
        self.frozen = find(arrays, "frozen").astype(bool)
        self.speed = np.linalg.norm(self.v, axis=1)


def draw_grains(axes, frame, colours, norm):
    """Far grains first, so that the near ones cover them."""
    order = np.argsort(-frame.x[:, 1], kind="stable")
    x, radius, frozen = frame.x[order], frame.radius[order], frame.frozen[order]
    face = colours(norm(frame.speed[order]))
    face[frozen] = (0.62, 0.62, 0.62, 1)
    axes.add_collection(EllipseCollection(2 * radius, 2 * radius, 0 * radius, units="xy", offsets=x[:, [0, 2]],
                                          transOffset=axes.transData, facecolors=face, edgecolors=(0, 0, 0, 0.35), linewidths=0.25))


def draw_gravity(axes, tilt, low, high, length):
    """An arrow in the free space above the grains."""
    angle = np.radians(tilt)
    start = np.array([low + 0.80 * (high - low), axes.get_ylim()[1] - 0.35 * length])
    end = start + length * np.array([np.sin(angle), -np.cos(angle)])
    axes.annotate("", end, start, arrowprops=dict(arrowstyle="-|>", color="black", lw=1.4, shrinkA=0, shrinkB=0))
    axes.text(start[0] - 0.12 * length, start[1] - 0.5 * length, "g", ha="right", va="center", style="italic")


def profile(frame, top, bins):
    """Mean velocity along x of the moving grains in layers of z."""
    moving = ~frame.frozen
    edges = np.linspace(0, top, bins + 1)
    layer = np.digitize(frame.x[moving, 2], edges) - 1
    inside = (layer >= 0) & (layer < bins)
    count = np.bincount(layer[inside], minlength=bins)
    total = np.bincount(layer[inside], frame.v[moving, 0][inside], minlength=bins)
    good = count >= 20
    return (total[good] / count[good]), (0.5 * (edges[1:] + edges[:-1]))[good]


def draw_profiles(axes, frames, top):
    shades = plt.get_cmap("Greys")(np.linspace(0.35, 1.0, len(frames)))
    for frame, shade in zip(frames, shades):
        speed, height = profile(frame, top, max(8, int(top / 1.5)))
        axes.plot(speed, height, color=shade, lw=1.6, label=f"t = {frame.time:.3g}")
    axes.set_xlabel("mean velocity along x  [√(g d)]")
    axes.set_title("velocity profile", fontsize=10)
    axes.legend(loc="lower right", fontsize=8, frameon=False)
    axes.grid(alpha=0.25, lw=0.6)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))


def pick(entries, count):
    """`count` entries spread evenly, the first and the last among them."""
    where = np.unique(np.round(np.linspace(0, len(entries) - 1, count)).astype(int))
    return [entries[k] for k in where]


def picture(frames, tilt):
    low = min(f.x[:, 0].min() - f.radius.max() for f in frames)
    high = max(f.x[:, 0].max() + f.radius.max() for f in frames)
    bottom = min(f.x[:, 2].min() for f in frames) - 1.2
    crest = max(f.x[:, 2].max() for f in frames)
    arrow = 0.16 * (high - low)
    top = crest + (1.5 * arrow if tilt else 0.5) + 1
    panel = 3.5
    height = panel * (top - bottom) / (high - low)
    width = panel * len(frames) + 3.2 + 1.1
    figure, axes = plt.subplots(1, len(frames) + 1, figsize=(width, height + 1.5), layout="constrained", sharey=True,
                                width_ratios=[1] * len(frames) + [0.8])
    norm = Normalize(0, max(np.percentile(np.concatenate([f.speed for f in frames]), 99.8), 1e-12))
    colours = plt.get_cmap("viridis")
    for a, frame in zip(axes, frames):
        a.set(xlim=(low, high), ylim=(bottom, top), aspect="equal", xlabel="x  [d]")
        a.set_title(f"t = {frame.time:.3g} √(d/g)", fontsize=10)
        draw_grains(a, frame, colours, norm)
    if tilt:
        draw_gravity(axes[0], tilt, low, high, arrow)
    axes[0].set_ylabel("z, normal to the chute  [d]")
    draw_profiles(axes[-1], frames, crest)
    mappable = plt.cm.ScalarMappable(norm, colours)
    figure.colorbar(mappable, ax=list(axes[:-1]), label="speed of the grains  [√(g d)]", location="bottom", shrink=0.5,
                    aspect=45, extend="max")
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("collection", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--panels", type=int, default=4)
    parser.add_argument("--tilt", type=float, default=0, help="angle of gravity against -z, drawn as an arrow [degrees]")
    arguments = parser.parse_args()
    try:
        entries = read_collection(arguments.collection)
        if not entries:
            raise ValueError(f"{arguments.collection}: no frames")
        frames = [Frame(*entry) for entry in pick(entries, max(1, arguments.panels))]
    except (OSError, ValueError) as problem:
        sys.exit(f"plot_grains: {problem}")
    picture(frames, arguments.tilt).savefig(arguments.picture, dpi=150)


if __name__ == "__main__":
    main()
