# SPDX-License-Identifier: MIT
# The npm packages of both workspaces, exactly as package-lock.json names them.

setup_packages() {
  local difference
  if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
    missing packages "node or npm is not there to install them"
    return 0
  fi
  if [ ! -f "$HEED_ROOT/package-lock.json" ]; then
    missing packages "package-lock.json is not there; run npm install once"
    return 0
  fi
  if difference="$(node "$HEED_ROOT/scripts/packages-match.mjs")"; then
    found packages "node_modules matches package-lock.json"
    return 0
  fi
  if [ "$CHECK" = 1 ]; then
    missing packages "$difference"
    return 0
  fi
  changed "npm packages, as locked ($difference)"
  (cd "$HEED_ROOT" && npm ci --no-audit --no-fund --loglevel=error)
}
