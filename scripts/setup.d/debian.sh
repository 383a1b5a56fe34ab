# SPDX-License-Identifier: MIT
# What the machine is, and a private apt that reads Debian 13 without touching the system's own
# package lists. Nothing in this file needs root.

DEBIAN=0
IS_ROOT=0
TRIPLET=
LOADER=

detect_system() {
  # HEED_OS_RELEASE: lets a test pretend to be another system.
  local id='' version='' file="${HEED_OS_RELEASE:-/etc/os-release}"
  if [ -r "$file" ]; then
    id="$(. "$file" && echo "${ID:-}")"
    version="$(. "$file" && echo "${VERSION_ID:-}")"
  fi
  [ "$(id -u)" = 0 ] && IS_ROOT=1
  if [ "$id" = debian ] && { [ "$version" = 12 ] || [ "$version" = 13 ]; }; then
    case "$(dpkg --print-architecture)" in
      amd64) DEBIAN="$version" TRIPLET=x86_64-linux-gnu LOADER=ld-linux-x86-64.so.2 ;;
      arm64) DEBIAN="$version" TRIPLET=aarch64-linux-gnu LOADER=ld-linux-aarch64.so.1 ;;
    esac
  fi
}

# private_apt ARGUMENTS: apt-get on its own state, reading suite trixie from the machine's mirror.
# Debian 12's own emscripten (3.1.6), Highway (1.0.3) and Catch2 (2.13) are too old; installing
# Debian 13's over them would replace the system's libc, so they are only ever unpacked aside.
private_apt() {
  local dir="$HEED_CACHE/apt"
  apt-get -q -q -y \
    -oDir::Etc::sourcelist="$dir/trixie.sources" -oDir::Etc::sourceparts=/dev/null \
    -oDir::Etc::preferences=/dev/null -oDir::Etc::preferencesparts=/dev/null \
    -oDir::State="$dir/state" -oDir::State::status="$dir/status" -oDir::Cache="$dir/cache" \
    -oAPT::Sandbox::User="$(id -un)" -oAcquire::Retries=3 "$@"
}

# Makes the private apt usable; its index (about 20 MB) is kept for the rest of this run only.
private_apt_ready() {
  local dir="$HEED_CACHE/apt" mirror
  [ "${PRIVATE_APT_READY:-0}" = 0 ] || return 0
  mirror="$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' |
    grep ' main$' | grep -v -- '-security' | awk '{print $1}' | sort | uniq -c | sort -rn |
    awk 'NR == 1 {print $2}')"
  if [ -z "$mirror" ]; then
    echo "setup: apt knows no Debian mirror; run 'apt-get update' as root and try again" >&2
    return 1
  fi
  mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial"
  : > "$dir/status"
  cat > "$dir/trixie.sources" << SOURCES
Types: deb deb-src
URIs: $mirror
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
  changed "reading Debian 13's package list (into the cache, the system's own stays as it is)"
  private_apt update
  PRIVATE_APT_READY=1
}

private_apt_clean() { rm -rf "$HEED_CACHE/apt"; PRIVATE_APT_READY=0; }
