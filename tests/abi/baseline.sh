#!/bin/sh
# Compares the types and functions that the shared library exports with the committed baseline.
# UPDATE_ABI=1 writes the baseline and the symbol list anew instead. Exit code 77: skipped.
# usage: baseline.sh LIBRARY HEADERS BASELINE SYMBOLS
set -u
library=$1 headers=$2 baseline=$3 symbols=$4
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" {print $3}' | LC_ALL=C sort >"$scratch/symbols"
if [ "${UPDATE_ABI:-0}" = 1 ]; then
  cp "$scratch/symbols" "$symbols"
elif ! diff -u "$symbols" "$scratch/symbols"; then
  echo "the exported symbols are not those of $symbols"
  exit 1
fi

command -v abidw >/dev/null || { echo "abidw not found: types not compared"; exit 77; }
readelf -S "$library" | grep -q debug_info || { echo "no debug information in the library: types not compared"; exit 77; }
# Private types are dropped here: asked to do it, abidiff 2.2 also drops changes of public ones.
abidw --exported-interfaces-only --headers-dir "$headers" --drop-private-types --drop-undefined-syms --no-corpus-path \
  --no-comp-dir-path --no-show-locs --no-elf-needed --type-id-style hash --out-file "$scratch/abi" "$library" || exit 99
# Where the sources lay says nothing about the interface.
sed -i -E "s#path='[^']*/(lib/[^']*)'#path='\1'#" "$scratch/abi"
if [ "${UPDATE_ABI:-0}" = 1 ]; then
  cp "$scratch/abi" "$baseline"
  exit 0
fi
# Every change fails, also those abidiff calls compatible: it says so of an inserted member.
abidiff --leaf-changes-only --impacted-interfaces "$baseline" "$scratch/abi"
code=$?
[ $code -eq 0 ] || { echo "abidiff: exit code $code (1 error, 2 usage, 4 change, 8 removal)"; exit 1; }
