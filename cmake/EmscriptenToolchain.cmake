# SPDX-License-Identifier: MIT
# Finds an Emscripten that is new enough, in the order scripts/setup does: an emsdk (EMSDK), emcc on
# PATH, the private prefix in Heed's cache; then hands over to Emscripten's own toolchain file.

set(HEED_EMSCRIPTEN_WANTED 3.1.69)

if(NOT HEED_EMSCRIPTEN_ROOT)
  set(candidates)
  if(DEFINED ENV{EMSDK})
    list(APPEND candidates "$ENV{EMSDK}/upstream/emscripten")
  endif()
  find_program(HEED_EMCC_ON_PATH emcc NO_CACHE)
  if(HEED_EMCC_ON_PATH)
    file(REAL_PATH "${HEED_EMCC_ON_PATH}" emcc_file)
    get_filename_component(emcc_folder "${emcc_file}" DIRECTORY)
    list(APPEND candidates "${emcc_folder}")
  endif()
  if(DEFINED ENV{HEED_CACHE})
    set(cache "$ENV{HEED_CACHE}")
  elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(cache "$ENV{XDG_CACHE_HOME}/heed")
  else()
    set(cache "$ENV{HOME}/.cache/heed")
  endif()
  if(EXISTS "${cache}/emscripten-${HEED_EMSCRIPTEN_WANTED}/stamp")
    list(APPEND candidates
         "${cache}/emscripten-${HEED_EMSCRIPTEN_WANTED}/usr/share/emscripten")
  endif()

  foreach(candidate IN LISTS candidates)
    if(NOT EXISTS "${candidate}/cmake/Modules/Platform/Emscripten.cmake")
      continue()
    endif()
    file(STRINGS "${candidate}/emscripten-version.txt" version LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${version}")
    if(version VERSION_GREATER_EQUAL HEED_EMSCRIPTEN_WANTED)
      set(HEED_EMSCRIPTEN_ROOT "${candidate}" CACHE PATH "Root of the Emscripten in use")
      break()
    endif()
  endforeach()
endif()

if(NOT HEED_EMSCRIPTEN_ROOT)
  message(FATAL_ERROR "No Emscripten ${HEED_EMSCRIPTEN_WANTED} or newer in EMSDK, on PATH or in "
                      "Heed's cache. Run scripts/setup.")
endif()

# Sub-configurations (try_compile) read this file again and must choose the same root.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEED_EMSCRIPTEN_ROOT)
include("${HEED_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
