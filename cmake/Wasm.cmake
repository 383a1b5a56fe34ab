# SPDX-License-Identifier: MIT
# Link options of WebAssembly targets.

# For programs that run under Node with the machine's own file system: tests and benchmarks.
function(heed_node_program target)
  if(NOT EMSCRIPTEN)
    return()
  endif()
  target_link_options(${target} PRIVATE
    -sENVIRONMENT=node -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
    -sINITIAL_MEMORY=32MB -sSTACK_SIZE=1MB -sEXIT_RUNTIME=1)
  heed_wasm_checks(${target})
endfunction()

# Heap and stack checks of the wasm-debug preset. STACK_OVERFLOW_CHECK=2 traps at the moment of the
# overflow; SAFE_HEAP finds null and misaligned accesses.
function(heed_wasm_checks target)
  if(HEED_WASM_CHECKS)
    target_link_options(${target} PRIVATE
      -sASSERTIONS=2 -sSTACK_OVERFLOW_CHECK=2 -sSAFE_HEAP=1)
  endif()
endfunction()
