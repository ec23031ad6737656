# SPDX-License-Identifier: BSD-3-Clause
# cpack -G RPM in a build of shared libraries: a package per component. cpack -G TGZ: the installed tree.
set(CPACK_PACKAGE_VENDOR "The Acre authors")
set(CPACK_PACKAGE_CONTACT "The Acre authors <acre@acre.example.org>")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL libraries development tools shmem doc)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE BSD-3-Clause)
set(CPACK_RPM_PACKAGE_GROUP Development/Libraries)
set(CPACK_RPM_MAIN_COMPONENT libraries)
set(CPACK_RPM_LIBRARIES_PACKAGE_NAME acre)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_NAME acre-devel)
# Opened at run time.
set(CPACK_RPM_LIBRARIES_PACKAGE_SUGGESTS "libfabric, pmix")
set(needed "acre = ${PROJECT_VERSION}")
set(CPACK_RPM_DEVELOPMENT_PACKAGE_REQUIRES "${needed}, zlib-devel")
set(CPACK_RPM_TOOLS_PACKAGE_REQUIRES ${needed})
set(CPACK_RPM_SHMEM_PACKAGE_REQUIRES "gcc-c++, acre-devel = ${PROJECT_VERSION}, acre-tools = ${PROJECT_VERSION}")
set(CPACK_RPM_DOC_PACKAGE_ARCHITECTURE noarch)
# Preloaded into programs of either MPI, which need not be here.
set(CPACK_RPM_SPEC_MORE_DEFINE "%global __requires_exclude ^libmpi")
foreach(folder IN ITEMS bash-completion bash-completion/completions fish fish/vendor_completions.d man man/man1
        zsh zsh/site-functions)
  list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/${folder})
endforeach()
list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/${CMAKE_INSTALL_LIBDIR}/cmake
            /usr/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
include(CPack)
