#!/usr/bin/env python3
"""Checks that the headers' DEM_API functions, the names in the version map, and the symbols the library exports are the same.

usage: agree.py ROOT LIBRARY MAP [HEADER ...]
  HEADER: those of the library, such as linalg.h; none: all that belong to no library beside libdem"""
import pathlib
import re
import subprocess
import sys


# Headers of libraries beside libdem.
BESIDE = {"linalg.h"}


def declared(include, headers):
    for path in include.rglob("*.h"):
        if path.name not in headers if headers else path.name in BESIDE:
            continue
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        yield from re.findall(r"^DEM_API\b[^;{]*?\b(dem_\w+)\s*\(", text, re.M)


def exported(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", library], text=True, check=True, stdout=subprocess.PIPE).stdout
    return {line.split()[2].split("@")[0] for line in listing.splitlines() if line.split()[1] != "A"}


def main():
    root, map_name = pathlib.Path(sys.argv[1]), sys.argv[3]
    sets = {
        "include/dem": set(declared(root / "include" / "dem", sys.argv[4:])),
        map_name: set(re.findall(r"^\s*(\w+);", (root / map_name).read_text(), re.M)),
        "the library": exported(sys.argv[2]),
    }
    everything = set.union(*sets.values())
    problems = [f"{name}: not in {place}" for place, names in sets.items() for name in sorted(everything - names)]
    print("\n".join(problems) if problems else f"{len(everything)} functions agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
