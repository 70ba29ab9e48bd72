#!/usr/bin/env python3
"""Names for ninja of all that the tests of some suites need, so that nothing else has to be built.

usage: targets.py BUILD SUITE..."""
import json
import os
import sys

build, suites = sys.argv[1], set(sys.argv[2:])


def facts(name):
    with open(os.path.join(build, "meson-info", f"intro-{name}.json"), encoding="utf-8") as file:
        return json.load(file)


wanted = set()
for test in facts("tests"):
    if suites & {suite.split(":")[-1] for suite in test["suite"]}:
        wanted.update(test["depends"])
names = [os.path.relpath(path, build) for target in facts("targets") if target["id"] in wanted for path in target["filename"]]
if not names:
    sys.exit(f"no test in {build} is in any of the suites {' '.join(sorted(suites))}")
print(" ".join(sorted(set(names))))
