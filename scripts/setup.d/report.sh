# SPDX-License-Identifier: MIT
# How the set-up talks: what was found, what is being installed and why, what stays missing.

MISSING=()
ROOT_COMMANDS=()
HINTS=()

found() { [ "$QUIET" = 1 ] || printf '  found    %-12s %s\n' "$1" "$2"; }
changed() { printf '  setup    %s\n' "$*"; }
# missing NAME WHY: something stays missing and the set-up will end with exit code 1.
missing() {
  MISSING+=("$1")
  printf '  missing  %-12s %s\n' "$1" "$2"
}
needs_root() { ROOT_COMMANDS+=("$1"); }
hint() { HINTS+=("$1"); }

# version_at_least HAVE WANT: compares dotted version numbers.
version_at_least() {
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# first_version TEXT: the first dotted number in a tool's version output.
first_version() { grep -oE '[0-9]+(\.[0-9]+)+' <<< "$1" | head -n 1 || true; }

finish() {
  if [ "${#MISSING[@]}" = 0 ]; then
    [ "$QUIET" = 1 ] || echo "  ready    everything is there (cache: $HEED_CACHE)"
    return 0
  fi
  if [ "${#ROOT_COMMANDS[@]}" != 0 ]; then
    echo
    echo "These commands need root:"
    printf '  %s\n' "${ROOT_COMMANDS[@]}"
  fi
  if [ "${#HINTS[@]}" != 0 ]; then
    echo
    echo "To install by hand:"
    printf '  %s\n' "${HINTS[@]}"
  fi
  if [ "$CHECK" = 1 ]; then
    echo
    echo "Run scripts/setup without --check to install what it can."
  fi
  return 1
}
