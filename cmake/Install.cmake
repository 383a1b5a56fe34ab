# SPDX-License-Identifier: MIT
# find_package(heed) for native users: headers under include/heed (so that an include reads as it
# does here: "train/trainer.h"), the static libraries, and targets heed::base ... heed::heed.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(heed INTERFACE)
target_link_libraries(heed INTERFACE heed_train heed_io)
add_library(heed::heed ALIAS heed)

get_property(libraries GLOBAL PROPERTY HEED_LIBRARIES)
# The boundary to JavaScript is of no use to C++.
list(REMOVE_ITEM libraries heed_engine)
install(TARGETS heed ${libraries} EXPORT heedTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cpp/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed
        FILES_MATCHING PATTERN "*.h"
        PATTERN "*-inl.h" EXCLUDE PATTERN wasm EXCLUDE PATTERN bench EXCLUDE)
install(EXPORT heedTargets NAMESPACE heed::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heed)

configure_package_config_file(
  cmake/heedConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/heedConfig.cmake"
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/heedConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/heedConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/heedConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
