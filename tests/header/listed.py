#!/usr/bin/env python3
"""Checks that the headers named are exactly the public headers of the tree.

usage: listed.py ROOT HEADER..."""
import pathlib
import sys

include = pathlib.Path(sys.argv[1], "include", "dem")
present = {str(path.relative_to(include).with_suffix("")) for path in include.rglob("*.h")}
wrong = present ^ set(sys.argv[2:])
print(f"listed in only one place: {sorted(wrong)}" if wrong else f"all {len(present)} public headers are tested")
sys.exit(1 if wrong else 0)
