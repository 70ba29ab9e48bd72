#!/bin/sh
# Builds the reference from the headers; any warning fails. Skipped (77) where doxygen is missing.
# usage: doxygen.sh ROOT OUTPUT
set -eu
command -v doxygen >/dev/null || { echo "doxygen not found"; exit 77; }
cd "$1"
mkdir -p "$2"
{ cat doc/Doxyfile; echo "OUTPUT_DIRECTORY = \"$2\""; } | doxygen -
