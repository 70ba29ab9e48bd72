#!/usr/bin/env python3
"""Brings the version map in line with the public headers: a function that the map lacks is added to the node of VERSION, one that no
header declares is taken out. Names stay in the node in which they first appeared. Functions of dem/formulas.h have nodes of their own.

usage: exports.py ROOT VERSION      such as: exports.py . 0.1"""
import pathlib
import re
import sys


def declared(include, version):
    """The node that each function belongs to if it is new."""
    for path in sorted(include.rglob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        node = f"DEM_FORMULAS_{version}" if path.name == "formulas.h" else f"DEM_{version}"
        for name in re.findall(r"^DEM_API\b[^;{]*?\b(dem_\w+)\s*\(", text, re.M):
            yield name, node


def read_map(text):
    """Node: (its names, the node that it follows), in the order of the file."""
    nodes = {}
    for node, body, before in re.findall(r"^([\w.]+) \{(.*?)\}\s*([\w.]*);", text, re.M | re.S):
        nodes[node] = (set(re.findall(r"^\s*(dem_\w+);", body, re.M)), before)
    return nodes


def main():
    root, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    path = root / "lib" / "dem.map"
    nodes = read_map(path.read_text())
    first = next(iter(nodes))
    wanted = dict(declared(root / "include" / "dem", version))
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


if __name__ == "__main__":
    main()
