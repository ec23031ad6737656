# SPDX-License-Identifier: BSD-3-Clause
# vcpkg port of Acre, built from the checkout that contains it.
get_filename_component(SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  libfabric ACRE_WITH_LIBFABRIC
  hdf5 ACRE_WITH_HDF5
  blas ACRE_WITH_BLAS
  programs ACRE_BUILD_PROGRAMS
  programs ACRE_WITH_HWLOC
  programs ACRE_WITH_SCOTCH
  programs ACRE_WITH_CAIRO)
vcpkg_cmake_configure(SOURCE_PATH ${SOURCE_PATH} OPTIONS
  -DACRE_BUILD_TESTS=OFF
  -DACRE_NATIVE=OFF
  -DACRE_WITH_PMIX=OFF
  -DACRE_WITH_XSMM=OFF
  ${features}
  OPTIONS_DEBUG -DACRE_CHECKS=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/acre)
vcpkg_fixup_pkgconfig()

# The commands find the tree from their own place.
set(VCPKG_POLICY_ALLOW_EXES_IN_BIN enabled)
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/bin ${CURRENT_PACKAGES_DIR}/debug/include
     ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
