# SPDX-License-Identifier: MIT
# Tools that come from the system: a C++ compiler, CMake, Ninja, Python, Node.

# want_tool NAME PACKAGE WHY: finds a command or notes its Debian package for one joint install.
want_tool() {
  local path
  if path="$(command -v "$1")"; then
    found "$1" "$path"
  else
    SYSTEM_PACKAGES+=("$2")
    SYSTEM_REASONS+=("$1 ($3)")
  fi
}

setup_system_tools() {
  SYSTEM_PACKAGES=() SYSTEM_REASONS=()
  local have
  have="$(first_version "$(cmake --version 2> /dev/null || true)")"
  if [ -n "$have" ] && version_at_least "$have" 3.25; then
    found cmake "$have"
  else
    SYSTEM_PACKAGES+=(cmake)
    SYSTEM_REASONS+=("cmake 3.25 or newer (configures the builds; found: ${have:-none})")
  fi
  want_tool ninja ninja-build "runs the builds"
  want_tool python3 python3 "Emscripten is written in it"
  if command -v c++ > /dev/null || command -v g++ > /dev/null || command -v clang++ > /dev/null; then
    found c++ "$(command -v c++ || command -v g++ || command -v clang++)"
  else
    SYSTEM_PACKAGES+=(g++)
    SYSTEM_REASONS+=("a C++20 compiler (GCC 12, Clang 16 or newer)")
  fi
  [ "$NATIVE" = 1 ] || wanted_browser_package
  install_system_packages

  have="$(first_version "$(node --version 2> /dev/null || true)")"
  if [ -n "$have" ] && version_at_least "$have" 20.0; then
    found node "$have"
  elif [ "$NATIVE" = 0 ]; then
    missing node "20 or newer is needed, found: ${have:-none}"
    hint "Node.js 20 or newer with npm (Debian 13: apt-get install nodejs npm)"
  fi
}

install_system_packages() {
  [ "${#SYSTEM_PACKAGES[@]}" != 0 ] || return 0
  local command="apt-get install -y --no-install-recommends ${SYSTEM_PACKAGES[*]}"
  local i
  if [ "$CHECK" = 0 ] && [ "$DEBIAN" != 0 ] && [ "$IS_ROOT" = 1 ]; then
    changed "installing with apt: ${SYSTEM_REASONS[*]}"
    apt-get -q -q update
    DEBIAN_FRONTEND=noninteractive apt-get -q -q install -y --no-install-recommends \
      "${SYSTEM_PACKAGES[@]}" > /dev/null
    return 0
  fi
  for i in "${!SYSTEM_PACKAGES[@]}"; do
    missing "${SYSTEM_PACKAGES[$i]}" "${SYSTEM_REASONS[$i]}"
  done
  if [ "$DEBIAN" != 0 ]; then
    needs_root "apt-get update && $command"
  else
    for i in "${!SYSTEM_PACKAGES[@]}"; do hint "${SYSTEM_REASONS[$i]}"; done
  fi
}
