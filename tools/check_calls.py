#!/usr/bin/env python3
"""Calls between the files of a folder go in one direction: lists circles.

usage: check_calls.py ROOT [FOLDER ...]
For the folders of ROOT/lib that are named, or for all: file a calls file b if a names a function demi_... that b defines. Prints each
set of files that call each other in a circle, with the functions; the exit status is 1 if there is one.
"""
import re
import sys
from pathlib import Path

DEFINITION = re.compile(r"^(?!static|typedef)[a-z_][\w \*]*?\b(demi_\w+)\([^;{]*\)\s*\{", re.M)


def calls_of(folder):
    """{file: {file it calls: {functions}}}"""
    text = {f.stem: re.sub(r"/\*.*?\*/", "", f.read_text(), flags=re.S) for f in sorted(folder.glob("*.c"))}
    home = {name: stem for stem, code in text.items() for name in DEFINITION.findall(code)}
    calls = {stem: {} for stem in text}
    for stem, code in text.items():
        for name in re.findall(r"\bdemi_\w+", code):
            if home.get(name, stem) != stem:
                calls[stem].setdefault(home[name], set()).add(name)
    return calls


def reached(calls, start):
    found, todo = set(), [start]
    while todo:
        new = set(calls[todo.pop()]) - found
        found |= new
        todo += new
    return found


def circles(calls):
    """Lines of text: the calls between files that reach themselves."""
    reach = {stem: reached(calls, stem) for stem in calls}
    for stem in calls:
        for other, names in sorted(calls[stem].items()):
            if stem in reach[other]:
                yield f"{stem}.c calls {other}.c: {', '.join(sorted(names))}"


def main(root, *names):
    folders = [Path(root) / "lib" / n for n in names] or sorted({f.parent for f in (Path(root) / "lib").rglob("*.c")})
    files = 0
    problems = []
    for folder in folders:
        calls = calls_of(folder)
        files += len(calls)
        problems += [f"{folder.relative_to(root)}: circle: {line}" for line in circles(calls)]
    print("\n".join(problems) if problems else f"{files} files in {len(folders)} folders call each other in one direction")
    return bool(problems) or files == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
