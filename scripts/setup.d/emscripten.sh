# SPDX-License-Identifier: MIT
# Emscripten 3.1.69 or newer: the one on PATH, the one of an emsdk, or a private prefix made from
# Debian 13's packages. The prefix is relocated with patchelf, so it needs neither root nor
# Debian 13's libc, and looks like any Emscripten root afterwards: cmake/EmscriptenToolchain.cmake
# finds it in the cache.

EMSCRIPTEN_WANTED=3.1.69
# Raise the second number when the steps below change, so that old prefixes are made anew.
EMSCRIPTEN_STAMP="$EMSCRIPTEN_WANTED-2"
EMSCRIPTEN_PACKAGES=(
  emscripten binaryen clang-19 lld-19 llvm-19 libllvm19 libclang-cpp19 libclang-common-19-dev
  llvm-19-linker-tools libstdc++6 libgcc-s1 libc6 zlib1g libzstd1 libedit2 libxml2 libz3-4
  libtinfo6 libbsd0 libmd0 liblzma5 libicu76 libgmp10 libffi8 node-acorn
)

# usable_emcc PATH: whether this emcc is new enough; prints its version.
usable_emcc() {
  local have
  have="$(first_version "$("$1" --version 2> /dev/null | head -n 1)")"
  [ -n "$have" ] && version_at_least "$have" "$EMSCRIPTEN_WANTED" && echo "$have"
}

setup_emscripten() {
  local prefix="$HEED_CACHE/emscripten-$EMSCRIPTEN_WANTED" candidate have
  for candidate in "${EMSDK:+$EMSDK/upstream/emscripten/emcc}" "$(command -v emcc || true)"; do
    if [ -n "$candidate" ] && [ -x "$candidate" ] && have="$(usable_emcc "$candidate")"; then
      found emcc "$have at $candidate"
      return 0
    fi
  done
  if [ "$(cat "$prefix/stamp" 2> /dev/null)" = "$EMSCRIPTEN_STAMP" ]; then
    found emcc "$EMSCRIPTEN_WANTED at $prefix"
    return 0
  fi
  if [ "$CHECK" = 1 ] || [ "$DEBIAN" = 0 ]; then
    missing emcc "$EMSCRIPTEN_WANTED or newer compiles the engine to WebAssembly"
    [ "$DEBIAN" != 0 ] ||
      hint "Emscripten $EMSCRIPTEN_WANTED or newer through emsdk, then: source emsdk_env.sh"
    return 0
  fi
  install_emscripten "$prefix"
}

install_emscripten() {
  local prefix="$1" work="$HEED_CACHE/emscripten.partial" archive
  changed "Emscripten $EMSCRIPTEN_WANTED (no emcc of that version on PATH or in EMSDK):" \
    "about 300 MB from Debian 13 into $prefix"
  rm -rf "$work" && mkdir -p "$work/archives" "$work/prefix"
  private_apt_ready
  (cd "$work/archives" && private_apt download "${EMSCRIPTEN_PACKAGES[@]}")
  # A relocated copy of patchelf serves when the machine has none; it only needs libstdc++.
  (cd "$work" && mkdir -p patchelf && cd patchelf && private_apt download patchelf)
  changed "unpacking (about half a minute)"
  for archive in "$work"/archives/*.deb; do
    extract_deb "$archive" "$work/prefix"
    rm -f "$archive"
  done
  extract_deb "$(echo "$work"/patchelf/*.deb)" "$work/patchelf"
  prune_emscripten "$work/prefix"
  # The final place must be known while patching, so the move comes first and the stamp last: a
  # set-up that was interrupted leaves no stamp, and the next one starts over.
  rm -rf "$prefix" && mv "$work/prefix" "$prefix"
  relocate_emscripten "$prefix" "$work/patchelf/usr/bin/patchelf"
  configure_emscripten "$prefix"
  echo 'int main() { return 0; }' > "$work/probe.c"
  if ! "$prefix/usr/share/emscripten/emcc" "$work/probe.c" -o "$work/probe.mjs" > "$work/log" 2>&1; then
    cat "$work/log" >&2
    echo "setup: the unpacked Emscripten cannot compile a C program (see above)" >&2
    return 1
  fi
  echo "$EMSCRIPTEN_STAMP" > "$prefix/stamp"
  rm -rf "$work"
  private_apt_clean
  changed "Emscripten is ready ($(du -sh "$prefix" | cut -f1))"
}

# extract_deb ARCHIVE FOLDER: leaves out what no build reads; most of it would be cache variants.
extract_deb() {
  dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --exclude='*/share/doc/*' \
    --exclude='*/share/man/*' --exclude='*/share/locale/*' --exclude='*/emscripten/tests/*' \
    --exclude='*/cache/sysroot/lib/wasm64-emscripten*' --exclude='*/wasm32-emscripten/pic*' \
    --exclude='*/wasm32-emscripten/thinlto*'
}

# System-library variants that Heed never links (graphics, ports, sanitizers): they are built
# from source on demand by Emscripten itself if someone needs one after all.
prune_emscripten() {
  local libraries="$1/usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten"
  find "$libraries" -type f \( -name 'libSDL*' -o -name '*-ww*' \
    -o -name '*asan*' -o -name '*ubsan*' -o -name '*lsan*' \
    -o -name 'libwasmfs*' -o -name 'libfetch*' -o -name 'libjs*' \) -delete
}

relocate_emscripten() {
  local prefix="$1" patchelf="$2" file real
  local libraries="$prefix/usr/lib/$TRIPLET" llvm="$prefix/usr/lib/llvm-19"
  if command -v patchelf > /dev/null; then
    patchelf="$(command -v patchelf)"
  else
    # Run the unpacked patchelf through the unpacked loader: it was linked against a newer libc.
    local binary="$patchelf"
    patchelf() { "$libraries/$LOADER" --library-path "$libraries" "$binary" "$@"; }
    patchelf=patchelf
  fi
  for file in "$llvm"/bin/{clang,clang++,lld,wasm-ld,llvm-ar,llvm-nm,llvm-ranlib,llvm-objcopy} \
    "$llvm"/bin/{llvm-strip,llvm-dwarfdump,llvm-dwp} "$prefix"/usr/bin/wasm*; do
    [ -e "$file" ] || continue
    real="$(readlink -f "$file")"
    case " ${patched:-} " in *" $real "*) continue ;; esac
    local patched="${patched:-} $real"
    # --force-rpath: RUNPATH, patchelf's default, is not inherited by the libraries' own libraries.
    "$patchelf" --force-rpath --set-rpath "$libraries:$llvm/lib" \
      --set-interpreter "$libraries/$LOADER" "$real"
  done
  unset -f patchelf 2> /dev/null || true
}

configure_emscripten() {
  local prefix="$1" root="$1/usr/share/emscripten" script python=python3
  # Version managers put a slow shim on PATH; the compiler is started hundreds of times.
  [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
  ln -sfn ../nodejs "$root/node_modules"
  rm -f "$root/.emscripten"
  cat > "$root/.emscripten" << CONFIG
LLVM_ROOT = '$prefix/usr/lib/llvm-19/bin'
BINARYEN_ROOT = '$prefix/usr'
NODE_JS = '$(command -v node)'
CACHE = '$root/cache'
CONFIG
  # Debian's own wrapper scripts name an absolute path of the system they were made for.
  for script in emcc em++ emar emranlib emnm emcmake emsize emstrip em-config; do
    [ -f "$root/$script.py" ] || continue
    rm -f "$root/$script"
    printf '#!/bin/sh\nEM_CONFIG=%s exec %s -E %s "$@"\n' \
      "'$root/.emscripten'" "$python" "'$root/$script.py'" > "$root/$script"
    chmod +x "$root/$script"
  done
}
