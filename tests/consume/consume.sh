#!/bin/sh
# Finds, links and runs the library in every way that it promises, and reports in TAP.
# usage: consume.sh ROOT BUILD PREFIX LIBDIR SIMD OPENMP
#   SIMD: auto or base; OPENMP: ON or OFF, how BUILD was configured
set -u
root=$1 build=$2 prefix=$3 libdir=$4 simd=$5 openmp=$6
here=$root/tests/consume
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
number=0

report() {
  number=$((number + 1))
  if [ "$1" = 0 ]; then
    echo "ok $number - $2"
  else
    echo "not ok $number - $2"
    sed 's/^/# /' "$log"
  fi
}
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2 not found"; }
with() { command -v "$1" >/dev/null; }
where_built() { # library that it needs, function, name
  if [ -e "$lib/$1" ]; then "$2" >"$log" 2>&1; report $? "$3"; else skip "$3" "$1"; fi
}

DESTDIR=$scratch/tree $MESON install -C "$build" --no-rebuild >"$log" 2>&1 || { cat "$log"; exit 99; }
# The tree is moved, as a package manager would do it, by naming its new place in the one file that knows the old one.
tree=$scratch/tree$prefix
lib=$tree/$libdir
sed -i "s|^prefix=.*|prefix=$tree|" "$lib"/pkgconfig/dem*.pc
export PKG_CONFIG_PATH="$lib/pkgconfig"
export LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

pkgconfig_shared() {
  $CC -std=c99 $(pkg-config --cflags dem) "$here/host.c" -o "$scratch/shared" $(pkg-config --libs dem) &&
    "$scratch/shared" && readelf -d "$scratch/shared" | grep 'NEEDED.*libdem\.so\.1'
}
pkgconfig_static() {
  libs=$(pkg-config --static --libs dem | sed 's/-ldem/-l:libdem.a/')
  case $libs in *-lm*) ;; *) echo "no -lm in $libs"; return 1 ;; esac
  $CC -std=c99 $(pkg-config --cflags dem) "$here/host.c" -o "$scratch/static" $libs &&
    LD_LIBRARY_PATH='' "$scratch/static" && ! readelf -d "$scratch/static" | grep libdem
}
# OpenMP and libm are the library's business, not that of a host that links it.
pkgconfig_lean() {
  pkg-config --libs dem
  ! pkg-config --libs dem | grep -E -- '-lm|openmp|gomp|linalg|blas'
}
pkgconfig_linalg() {
  case $(pkg-config --libs dem-linalg) in *blas* | *lapack* | *cholmod*) echo "BLAS is the library's business"; return 1 ;; esac
  $CC -std=c99 $(pkg-config --cflags dem-linalg) "$here/host_linalg.c" -o "$scratch/linalg" $(pkg-config --libs dem-linalg) &&
    "$scratch/linalg" && readelf -d "$scratch/linalg" | grep 'NEEDED.*libdem-linalg\.so\.1'
}
cmake_linalg() {
  cmake -S "$here" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$tree" &&
    cmake --build "$scratch/cmake" --target host-linalg && "$scratch/cmake/host-linalg"
}
cmake_package() {
  cmake -S "$here" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$tree" &&
    cmake --build "$scratch/cmake" && "$scratch/cmake/host-shared" && LD_LIBRARY_PATH='' "$scratch/cmake/host-static"
}
# CMake finds the package in whatever folder the library is installed. Only the package's files are made anew.
cmake_wherever() {
  for place in lib lib64 "lib/$($CC -print-multiarch)" lib/elsewhere; do
    moved=$scratch/places/$place
    $MESON setup "$moved/build" "$root" --prefix=/dem --libdir="$place" -Dtests=false &&
      mkdir -p "$moved/dem/$place" && ln -s "$lib"/libdem.* "$moved/dem/$place" && ln -s "$tree/include" "$moved/dem/include" &&
      python3 "$here/install_cmake.py" "$MESON" "$moved/build" "$moved" &&
      cmake -S "$here" -B "$moved/cmake" -DCMAKE_PREFIX_PATH="$moved/dem" && cmake --build "$moved/cmake" || return 1
    "$moved/cmake/host-shared" || return 1
  done
}
# The sources as a part of the host's own build: Debug, as only the way there is tried. Both builds compile the same.
cmake_subdirectory() {
  case $simd in auto) simd_on=ON ;; *) simd_on=OFF ;; esac
  cmake -S "$here/subdirectory" -B "$scratch/sub" -DDEM_SOURCE="$root" -DDEM_SIMD=$simd_on -DDEM_OPENMP="$openmp" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && python3 "$here/same_commands.py" "$root" "$build" "$scratch/sub"
}
cmake_fetchcontent() {
  cmake -S "$here/subdirectory" -B "$scratch/fetched" -DFETCH=ON -DDEM_SOURCE="$root" -DCMAKE_BUILD_TYPE=Debug -DDEM_OPENMP="$openmp" &&
    cmake --build "$scratch/fetched" -j 2 && "$scratch/fetched/host-shared" &&
    readelf -d "$scratch/fetched/host-shared" | grep 'NEEDED.*libdem\.so\.1' && LD_LIBRARY_PATH='' "$scratch/fetched/host-static"
}
host_project() {
  mkdir -p "$1" && cp "$here/host.c" "$1" && cp "$here/host_meson.build" "$1/meson.build"
}
meson_dependency() {
  host_project "$scratch/found" && $MESON setup "$scratch/found/build" "$scratch/found" &&
    $MESON compile -C "$scratch/found/build" && "$scratch/found/build/host"
}
# Unoptimised, as only the way there is tried. A host's `meson test` must not run ours.
meson_subproject() {
  host_project "$scratch/wrapped" && mkdir "$scratch/wrapped/subprojects" &&
    ln -s "$root" "$scratch/wrapped/subprojects/dem" &&
    PKG_CONFIG_PATH='' $MESON setup --force-fallback-for=dem -Ddem:optimization=0 -Doptimization=0 \
      "$scratch/wrapped/build" "$scratch/wrapped" &&
    $MESON compile -C "$scratch/wrapped/build" && LD_LIBRARY_PATH='' "$scratch/wrapped/build/host" &&
    $MESON introspect --tests "$scratch/wrapped/build" | grep -x '\[\]'
}

echo 1..11
if with pkg-config; then
  where_built libdem.so pkgconfig_shared 'pkg-config, shared'
  where_built libdem.a pkgconfig_static 'pkg-config, static'
  where_built libdem.so pkgconfig_lean 'pkg-config --libs is lean'
  where_built libdem-linalg.so pkgconfig_linalg 'pkg-config, dem-linalg'
  meson_dependency >"$log" 2>&1; report $? 'meson, installed'
else
  for name in 'pkg-config, shared' 'pkg-config, static' 'pkg-config --libs is lean' 'pkg-config, dem-linalg' 'meson, installed'; do skip "$name" pkg-config; done
fi
if with cmake; then
  cmake_subdirectory >"$log" 2>&1; report $? 'cmake, add_subdirectory'
  cmake_fetchcontent >"$log" 2>&1; report $? 'cmake, FetchContent'
else
  for name in 'cmake, add_subdirectory' 'cmake, FetchContent'; do skip "$name" cmake; done
fi
if ! with cmake; then
  for name in 'cmake' 'cmake, libdir anywhere'; do skip "$name" cmake; done
elif [ -e "$lib/libdem.so" ] && [ -e "$lib/libdem.a" ]; then
  cmake_package >"$log" 2>&1; report $? 'cmake'
  cmake_wherever >"$log" 2>&1; report $? 'cmake, libdir anywhere'
else
  for name in 'cmake' 'cmake, libdir anywhere'; do skip "$name" 'one of libdem.so and libdem.a'; done
fi
if with cmake; then where_built libdem-linalg.so cmake_linalg 'cmake, dem::dem-linalg'; else skip 'cmake, dem::dem-linalg' cmake; fi
meson_subproject >"$log" 2>&1; report $? 'meson, subproject'
