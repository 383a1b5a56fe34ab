# SPDX-License-Identifier: MIT
# Highway and Catch2, as sub-projects. Sources are looked for in HEED_HIGHWAY_DIR / HEED_CATCH2_DIR
# (variable or environment), then in the cache that scripts/setup fills, and are fetched from the
# release tag otherwise.

include(FetchContent)
set(FETCHCONTENT_QUIET ON)

# heed_source(VARIABLE name version probe repository tag)
function(heed_source variable name version probe repository tag)
  if(DEFINED ENV{HEED_CACHE})
    set(cache "$ENV{HEED_CACHE}")
  elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(cache "$ENV{XDG_CACHE_HOME}/heed")
  else()
    set(cache "$ENV{HOME}/.cache/heed")
  endif()
  foreach(folder "${${variable}}" "$ENV{${variable}}" "${cache}/${name}-${version}")
    if(folder AND EXISTS "${folder}/${probe}")
      set(${variable} "${folder}" CACHE PATH "Sources of ${name} ${version}" FORCE)
      return()
    endif()
  endforeach()
  message(STATUS "Fetching the sources of ${name} ${version}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
  endif()
  set(${variable} "${${name}_SOURCE_DIR}" CACHE PATH "Sources of ${name} ${version}" FORCE)
endfunction()

heed_source(HEED_HIGHWAY_DIR highway 1.2.0 hwy/highway.h
            https://github.com/google/highway.git 1.2.0)
if(HEED_BUILD_TESTS)
  heed_source(HEED_CATCH2_DIR catch2 3.7.1 src/catch2/catch_all.hpp
              https://github.com/catchorg/Catch2.git v3.7.1)
endif()

# heed_hwy: what kernels, tests and benchmarks link for SIMD.
add_library(heed_hwy INTERFACE)
if(EMSCRIPTEN)
  # Headers only: the target is known when compiling (static dispatch), and Highway's own build
  # would add -matomics, which a single-thread binary must not have.
  target_include_directories(heed_hwy SYSTEM INTERFACE "${HEED_HIGHWAY_DIR}")
  target_compile_definitions(heed_hwy INTERFACE HWY_COMPILE_ONLY_STATIC)
else()
  # Cache entries, since Highway declares them as such under an old policy that drops variables.
  # Its contrib/ alone would take minutes to compile (sorting) and nothing here uses it.
  foreach(option TESTS EXAMPLES CONTRIB)
    set(HWY_ENABLE_${option} OFF CACHE BOOL "Unused by Heed" FORCE)
  endforeach()
  set(HWY_ENABLE_INSTALL ${HEED_INSTALL} CACHE BOOL "Installed beside Heed" FORCE)
  set(HWY_FORCE_STATIC_LIBS ON CACHE BOOL "One archive" FORCE)
  add_subdirectory("${HEED_HIGHWAY_DIR}" "${CMAKE_CURRENT_BINARY_DIR}/highway" SYSTEM)
  target_link_libraries(heed_hwy INTERFACE hwy)
  # Three of the x86 targets are enough to serve every machine well: SSE2 is the baseline that any
  # x86-64 has, AVX2 and AVX3 (AVX-512) are where width and fused multiply-add change. Each further
  # target would compile every kernel once more for a few percent on few machines.
  set(disabled "HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL|HWY_AVX3_ZEN4|HWY_AVX3_SPR")
  if(HEED_SANITIZE)
    # Instrumented kernels take minutes to compile; AVX3 runs the same loops as AVX2, only wider.
    string(APPEND disabled "|HWY_AVX3")
  endif()
  target_compile_definitions(heed_hwy INTERFACE "HWY_DISABLED_TARGETS=(${disabled})")
endif()
