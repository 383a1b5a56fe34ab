// SPDX-License-Identifier: MIT
// Fails the build when a kernel would be compiled for anything but WebAssembly SIMD128. Without
// -msimd128 Highway silently falls back to its scalar emulation, which gives right results about
// ten times slower: nothing but this line would notice.
#include "hwy/highway.h"

static_assert(HWY_STATIC_TARGET == HWY_WASM,
              "Highway's static target is not HWY_WASM: compile with -msimd128");
