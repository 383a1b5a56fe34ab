# SPDX-License-Identifier: MIT
# Compiler flags. Global ones must be the same in every object of a build (SIMD, sanitizers); those
# of Heed's own targets are set by heed_target_flags.

option(HEED_WASM_CHECKS "Assertions, heap and stack checks in a WebAssembly build" OFF)

if(EMSCRIPTEN)
  add_compile_options(-msimd128)
endif()

if(HEED_SANITIZE)
  add_compile_options(-fsanitize=${HEED_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEED_SANITIZE})
endif()

# heed_target_flags(target CORE|TEST): the core is built without exceptions and RTTI, tests with.
#
# -ffp-contract=off: GCC contracts a*b+c to a fused multiply-add by default where the target has
# one, which would give different bits per target in code that did not ask for it. No build uses
# fast-math: it removes the non-finite checks that training relies on.
function(heed_target_flags target kind)
  target_compile_options(${target} PRIVATE -Wall -Wextra -ffp-contract=off)
  if(HEED_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(kind STREQUAL "CORE")
    target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti)
  endif()
  if(HEED_DEBUG_CHECKS)
    target_compile_definitions(${target} PRIVATE HEED_DEBUG_CHECKS=1)
  endif()
  if(HEED_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's flow analysis sees uninitialised values in the code that the sanitizers insert.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()
