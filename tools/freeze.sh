#!/bin/sh
# Takes down the public interface as it is now: the frozen headers, the assertions on their layout, the symbols, the types.
# For the work on a version before its tag; afterwards a frozen version stays as it is.
# usage: tools/freeze.sh VERSION LIBRARY      such as: tools/freeze.sh 0.1 build/test/lib/libdem.so
set -eu
[ $# = 2 ] || { echo "usage: freeze.sh VERSION LIBRARY" >&2; exit 2; }
version=$1 library=$2
root=$(cd "$(dirname "$0")/.." && pwd)
abi=$root/tests/abi

rm -rf "${abi:?}/$version"
mkdir -p "$abi/$version"
cp -R "$root/include/dem" "$abi/$version/dem"
python3 "$root/tools/layout.py" "$root" >"$abi/layout.c.new"
mv "$abi/layout.c.new" "$abi/layout.c"
UPDATE_ABI=1 sh "$abi/baseline.sh" "$library" "$root/include" "$abi/dem.abi" "$abi/dem.symbols"
echo "frozen: $(find "$abi/$version" -name '*.h' | wc -l) headers, $(grep -c . "$abi/dem.symbols") functions"
