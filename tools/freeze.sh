#!/bin/sh
# Takes down the public interface as it is now: the version map, the frozen headers, the assertions on their layout, the symbols, the
# types. A new function is declared in a header and written in lib/; this command does the rest.
# For the work on a version before its tag; afterwards a frozen version stays as it is.
# usage: tools/freeze.sh VERSION BUILD      such as: tools/freeze.sh 0.1 build/test, a configured build with debug information
set -eu
[ $# = 2 ] && [ -f "$2/build.ninja" ] || { echo "usage: freeze.sh VERSION BUILD" >&2; exit 2; }
version=$1 build=$2
root=$(cd "$(dirname "$0")/.." && pwd)
abi=$root/tests/abi

python3 "$root/tools/exports.py" "$root" "$version"
rm -rf "${abi:?}/$version"
mkdir -p "$abi/$version"
cp -R "$root/include/dem" "$abi/$version/dem"
python3 "$root/tools/layout.py" "$root" >"$abi/layout.c.new"
mv "$abi/layout.c.new" "$abi/layout.c"
# Only the library: the tests need not compile before the rest of this is up to date.
library=$build/lib/libdem.so
ninja -C "$build" "lib/$(readlink "$library" | xargs -I{} readlink "$build/lib/{}")"
UPDATE_ABI=1 sh "$abi/baseline.sh" "$library" "$root/include" "$abi/dem.abi" "$abi/dem.symbols"
# libdem-linalg, where it is built.
linalg=$build/lib/linalg-ext/libdem-linalg.so
if [ -e "$linalg" ]; then
  ninja -C "$build" "lib/linalg-ext/$(readlink "$linalg" | xargs -I{} readlink "$build/lib/linalg-ext/{}")"
  python3 "$root/tools/layout.py" "$root" linalg >"$abi/linalg_layout.c.new"
  mv "$abi/linalg_layout.c.new" "$abi/linalg_layout.c"
  UPDATE_ABI=1 sh "$abi/baseline.sh" "$linalg" "$root/include" "$abi/linalg.abi" "$abi/linalg.symbols"
fi
echo "frozen: $(find "$abi/$version" -name '*.h' | wc -l) headers, $(grep -c . "$abi/dem.symbols") functions"
