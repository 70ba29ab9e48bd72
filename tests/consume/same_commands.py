#!/usr/bin/env python3
"""The CMake build compiles the sources that meson compiles, for the same instruction sets, with the same flags.

usage: same_commands.py SOURCE MESON_BUILD CMAKE_BUILD"""
import json
import os
import shlex
import sys

# What the two tools write in ways of their own, or a build type decides.
OWN = ('-O', '-g', '-std', '-fdiagnostics', '-fvisibility', '-fPIC', '-fPIE', '-flto', '-fopenmp', '-DNDEBUG')


def commands(source, build):
    found = {}
    with open(os.path.join(build, 'compile_commands.json')) as file:
        listed = json.load(file)
    for entry in listed:
        path = os.path.relpath(os.path.realpath(os.path.join(entry['directory'], entry['file'])), os.path.realpath(source))
        # libdem-linalg is built with meson alone.
        if not path.startswith('lib/') or path.startswith('lib/linalg-ext/'):
            continue
        words = shlex.split(entry['command'])
        flags = {word for word in words if word[:2] in ('-f', '-m', '-D') and not word.startswith(OWN)}
        layers = {os.path.basename(word) for word in words if word.startswith('-iquote')}
        found[path, next((flag for flag in flags if 'DEMI_VARIANT' in flag), '')] = flags | layers
    return found


def main():
    source, meson, cmake = sys.argv[1:]
    one, other = commands(source, meson), commands(source, cmake)
    for key in sorted(set(one) | set(other)):
        if one.get(key) != other.get(key):
            print(*key, 'meson alone:', sorted(one.get(key, set()) - other.get(key, set())) if key in one else 'not compiled',
                  'cmake alone:', sorted(other.get(key, set()) - one.get(key, set())) if key in other else 'not compiled')
    print(len(one), 'sources of meson,', len(other), 'of cmake')
    return one != other or len(one) < 100


sys.exit(main())
