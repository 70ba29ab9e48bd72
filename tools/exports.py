#!/usr/bin/env python3
"""Brings the version map in line with the public headers: a function that the map lacks is added to the node of VERSION, one that no
header declares is taken out. Names stay in the node in which they first appeared. Functions of dem/formulas.h have nodes of their own;
those of dem/linalg.h are in the map of libdem-linalg.

usage: exports.py ROOT VERSION      such as: exports.py . 0.1"""
import pathlib
import re
import sys


# Maps, and the headers with nodes of their own. A header of a library beside libdem belongs to that library alone.
MAPS = {"lib/dem.map": [], "lib/linalg-ext/dem-linalg.map": ["linalg.h"]}
NODES = {"formulas.h": "DEM_FORMULAS", "linalg.h": "DEM_LINALG"}


def headers_of(include, map_name):
    beside = [name for names in MAPS.values() for name in names]
    chosen = MAPS[map_name]
    return [path for path in sorted(include.rglob("*.h")) if (path.name in chosen if chosen else path.name not in beside)]


def declared(headers, version):
    """The node that each function belongs to if it is new."""
    for path in headers:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        node = f"{NODES.get(path.name, 'DEM')}_{version}"
        for name in re.findall(r"^DEM_API\b[^;{]*?\b(dem_\w+)\s*\(", text, re.M):
            yield name, node


def read_map(text):
    """Node: (its names, the node that it follows), in the order of the file."""
    nodes = {}
    for node, body, before in re.findall(r"^([\w.]+) \{(.*?)\}\s*([\w.]*);", text, re.M | re.S):
        nodes[node] = (set(re.findall(r"^\s*(dem_\w+);", body, re.M)), before)
    return nodes


def update(root, version, map_name):
    path = root / map_name
    nodes = read_map(path.read_text())
    first = next(iter(nodes))
    wanted = dict(declared(headers_of(root / "include" / "dem", map_name), version))
    known = set().union(*(names for names, _ in nodes.values()))
    for name in wanted.keys() - known:
        kind = wanted[name].rpartition("_")[0]
        before = [node for node in nodes if node.rpartition("_")[0] == kind]
        nodes.setdefault(wanted[name], (set(), before[-1] if before else ""))[0].add(name)
    text = []
    for node, (names, before) in nodes.items():
        names &= wanted.keys()
        listed = "".join(f"  {name};\n" for name in sorted(names))
        hidden = "local:\n  *;\n" if node == first else ""
        text.append(f"{node} {{\nglobal:\n{listed}{hidden}}}{' ' + before if before else ''};\n")
    path.write_text("\n".join(text))
    print(f"{path}: {len(wanted.keys() - known)} names added, {len(known - wanted.keys())} taken out")


def main():
    for map_name in MAPS:
        update(pathlib.Path(sys.argv[1]), sys.argv[2], map_name)


if __name__ == "__main__":
    main()
