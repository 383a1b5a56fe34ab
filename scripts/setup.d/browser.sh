# SPDX-License-Identifier: MIT
# Chromium and Firefox, for the tests that drive the page and the package in a browser.

# find_chromium: prints the path of a usable browser. Kept equal to scripts/lib/browser.mjs.
find_chromium() {
  local candidate
  for candidate in "${HEED_CHROMIUM:-}" /usr/bin/chromium /usr/bin/chromium-browser \
    /usr/bin/google-chrome /usr/bin/google-chrome-stable \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# find_firefox: likewise.
find_firefox() {
  local candidate
  for candidate in "${HEED_FIREFOX:-}" /usr/bin/firefox-esr /usr/bin/firefox \
    "/Applications/Firefox.app/Contents/MacOS/firefox"; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

wanted_browser_package() {
  if ! find_chromium > /dev/null; then
    SYSTEM_PACKAGES+=(chromium fonts-dejavu-core)
    SYSTEM_REASONS+=("chromium (drives the page in the browser tests)" "fonts for it")
  fi
  if ! find_firefox > /dev/null; then
    SYSTEM_PACKAGES+=(firefox-esr)
    SYSTEM_REASONS+=("firefox-esr (the learn room's numbers, labels and keys in a second engine)")
  fi
}

setup_browser() {
  local path
  if path="$(find_chromium)"; then
    found chromium "$path"
  elif [ "$DEBIAN" = 0 ]; then
    hint "or set HEED_CHROMIUM to the path of a Chromium or Chrome"
  fi
  if path="$(find_firefox)"; then
    found firefox "$path"
  elif [ "$DEBIAN" = 0 ]; then
    hint "or set HEED_FIREFOX to the path of a Firefox"
  fi
}
