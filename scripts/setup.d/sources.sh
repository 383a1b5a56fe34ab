# SPDX-License-Identifier: MIT
# Sources that the C++ build adds as sub-projects: Highway (SIMD) and Catch2 (tests). They come
# from Debian 13's source packages; elsewhere CMake fetches the same versions (see
# cmake/Dependencies.cmake), so nothing is missing there.

setup_sources() {
  setup_source highway 1.2.0 HEED_HIGHWAY_DIR hwy/highway.h "SIMD for the kernels"
  setup_source catch2 3.7.1 HEED_CATCH2_DIR src/catch2/catch_all.hpp "the C++ tests"
}

# setup_source PACKAGE VERSION VARIABLE PROBE WHY
setup_source() {
  local package="$1" version="$2" variable="$3" probe="$4" why="$5"
  local target="$HEED_CACHE/$1-$2" work="$HEED_CACHE/$1.partial"
  if [ -n "${!variable:-}" ] && [ -f "${!variable}/$probe" ]; then
    found "$package" "sources at ${!variable} (\$$variable)"
    return 0
  fi
  if [ -f "$target/$probe" ]; then
    found "$package" "$version sources at $target"
    return 0
  fi
  if [ "$DEBIAN" = 0 ]; then
    found "$package" "no sources here: CMake will fetch $version from its release tag"
    return 0
  fi
  if [ "$CHECK" = 1 ]; then
    missing "$package" "$version: $why"
    return 0
  fi
  changed "$package $version: $why"
  rm -rf "$work" && mkdir -p "$work/unpacked"
  private_apt_ready
  (cd "$work" && private_apt source --download-only "$package" > /dev/null)
  tar -x -C "$work/unpacked" --strip-components=1 -f "$(echo "$work/${package}_$version".orig.tar.*z)"
  if [ ! -f "$work/unpacked/$probe" ]; then
    echo "setup: the sources of $package $version lack $probe; remove $work and try again" >&2
    return 1
  fi
  mv "$work/unpacked" "$target" && rm -rf "$work"
}
