#!/usr/bin/env python3
"""Checks that every struct of the public headers that carries its size has a function that fills it: dem_NOUN_init(dem_NOUN *,
uint32_t struct_size), declared in the same header.

usage: inits.py ROOT"""
import pathlib
import re
import sys

# Made by the library and shown to a callback of the host, which fills no size.
SHOWN = {"dem_progress", "dem_batch", "dem_objective_measure", "dem_matrix_source"}


def main():
    missing, found, shown = [], 0, set()
    for path in sorted(pathlib.Path(sys.argv[1], "include", "dem").rglob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.S):
            if "struct_size" not in body:
                continue
            declared = re.search(rf"DEM_API dem_status {name}_init\({name} \*\w+, uint32_t struct_size\);", text)
            found += bool(declared)
            shown |= {name} & SHOWN
            if bool(declared) == (name in SHOWN):
                missing.append(f"{path.name}: {name} {'is only shown to hosts and has' if declared else 'has no'} {name}_init")
    missing += [f"{name}: no such struct" for name in sorted(SHOWN - shown)]
    print("\n".join(missing) if missing else f"{found} structs that carry their size have an _init")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
