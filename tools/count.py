#!/usr/bin/env python3
"""Adds up the tests of one or more meson runs: `N passed, N failed, N skipped`.

usage: count.py TESTLOG.junit.xml..."""
import sys
import xml.etree.ElementTree

passed = failed = skipped = 0
for path in sys.argv[1:]:
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or not passed else 0)
