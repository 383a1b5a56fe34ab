# SPDX-License-Identifier: MIT
# Chromium and Firefox, for the tests that drive the page and the package in a browser.

# first_usable: prints the first of its arguments that can be run.
first_usable() {
  local candidate
  for candidate in "$@"; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# What is looked for is kept equal to scripts/lib/browser.mjs, which says why there are two kinds.
find_headless_shell() {
  first_usable /usr/bin/chromium-headless-shell
}

find_whole_chromium() {
  first_usable /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome \
    /usr/bin/google-chrome-stable "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
}

# find_chromium: prints the path of a browser that the tests can use.
find_chromium() {
  first_usable "${HEED_CHROMIUM:-}" || find_headless_shell || find_whole_chromium
}

# find_firefox: likewise, for the second engine.
find_firefox() {
  first_usable "${HEED_FIREFOX:-}" /usr/bin/firefox-esr /usr/bin/firefox \
    "/Applications/Firefox.app/Contents/MacOS/firefox"
}

wanted_browser_package() {
  if ! find_chromium > /dev/null; then
    SYSTEM_PACKAGES+=(chromium chromium-headless-shell fonts-dejavu-core)
    SYSTEM_REASONS+=("chromium (the page is measured in it)"
      "chromium-headless-shell (the browser tests, in two thirds of the time)" "fonts for them")
  elif [ "$DEBIAN" != 0 ] && [ "$IS_ROOT" = 1 ] && [ -z "${HEED_CHROMIUM:-}" ] &&
    ! find_headless_shell > /dev/null; then
    # Any Chromium does; without root nobody is sent for another one.
    SYSTEM_PACKAGES+=(chromium-headless-shell)
    SYSTEM_REASONS+=("chromium-headless-shell (the browser tests, in two thirds of the time)")
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
