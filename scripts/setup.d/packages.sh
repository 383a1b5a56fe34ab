# SPDX-License-Identifier: MIT
# The npm packages of both workspaces, exactly as package-lock.json names them.

setup_packages() {
  local lock="$HEED_ROOT/package-lock.json" stamp="$HEED_ROOT/node_modules/.heed-lock" hash
  if [ ! -f "$lock" ]; then
    missing packages "package-lock.json is not there; run npm install once"
    return 0
  fi
  hash="$(cksum < "$lock")"
  if [ "$(cat "$stamp" 2> /dev/null)" = "$hash" ]; then
    found packages "node_modules matches package-lock.json"
    return 0
  fi
  if [ "$CHECK" = 1 ]; then
    missing packages "node_modules does not match package-lock.json"
    return 0
  fi
  if ! command -v npm > /dev/null; then
    missing packages "npm is not there"
    return 0
  fi
  changed "npm packages (node_modules does not match package-lock.json)"
  (cd "$HEED_ROOT" && npm ci --no-audit --no-fund --loglevel=error)
  echo "$hash" > "$stamp"
}
