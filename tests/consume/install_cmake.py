#!/usr/bin/env python3
"""Copies the files of the CMake package to where `meson install` would put them, without building the library.

usage: install_cmake.py MESON BUILD DESTDIR"""
import json
import os
import shutil
import subprocess
import sys

meson, build, destination = sys.argv[1:]
listed = subprocess.run(meson.split() + ["introspect", "--installed", build], capture_output=True, check=True, text=True).stdout
for made, place in json.loads(listed).items():
    if place.endswith(".cmake"):
        place = destination + place
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy(made, place)
