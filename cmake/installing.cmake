# SPDX-License-Identifier: BSD-3-Clause
# cmake --install: headers, libraries, tools, and package files.
include(CMakePackageConfigHelpers)

install(TARGETS acre EXPORT acre-targets)
# From tools/lint/installed_headers.py.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/cmake/installed_headers.txt)
file(STRINGS cmake/installed_headers.txt headers)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
# Separate targets: programs without HDF5 files need no HDF5.
foreach(library IN ITEMS acre-hdf5 acre-sparse)
  if(TARGET ${library})
    install(TARGETS ${library} EXPORT ${library}-targets)
  endif()
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/html DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
# Examples as a separate project.
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/acre
        PATTERN shmem/CMakeLists.txt EXCLUDE PATTERN shmem/run EXCLUDE)
if(NOT ACRE_LAUNCHER)
  install(TARGETS acre-tool EXPORT acre-targets)
endif()
if(TARGET acre-map)
  install(TARGETS acre-map EXPORT acre-targets)
endif()
acre_folders(interfaces capi)
install(TARGETS acre-shmem acre-shmem-checked EXPORT acre-targets)
foreach(mode IN LISTS ACRE_GASNET_MODES)
  install(TARGETS acre-gasnet-${mode} EXPORT acre-targets)
endforeach()
foreach(interface IN LISTS interfaces)
  # C programs include X.h; X.hpp is private.
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/capi/${interface}/*.h)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(EXISTS ${PROJECT_SOURCE_DIR}/capi/${interface}/mpp)
    install(DIRECTORY capi/${interface}/mpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endforeach()

# Relocatable OpenSHMEM commands.
function(acre_install_shmem_wrapper name language compiler variable)
  set(ACRE_SHMEM_WRAPPER ${name})
  set(ACRE_SHMEM_LANGUAGE ${language})
  set(ACRE_SHMEM_COMPILER ${compiler})
  set(ACRE_SHMEM_VARIABLE ${variable})
  configure_file(tools/shmem/oshcc.in ${CMAKE_CURRENT_BINARY_DIR}/shmem/${name} @ONLY)
  install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/shmem/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
acre_install_shmem_wrapper(oshcc C cc OSHCC)
acre_install_shmem_wrapper(oshc++ C++ c++ OSHCXX)
acre_install_shmem_wrapper(oshcxx C++ c++ OSHCXX)
install(PROGRAMS tools/shmem/oshrun tools/shmem/oshmem_info DESTINATION ${CMAKE_INSTALL_BINDIR})

acre_folders(apps apps)
foreach(app IN LISTS apps)
  if(TARGET acre-${app})
    install(TARGETS acre-${app})
  endif()
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/acre)
install(EXPORT acre-targets NAMESPACE acre:: DESTINATION ${package_dir})
foreach(library IN ITEMS acre-hdf5 acre-sparse)
  if(TARGET ${library})
    install(EXPORT ${library}-targets NAMESPACE acre:: DESTINATION ${package_dir})
  endif()
endforeach()
configure_package_config_file(cmake/acre-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/acre-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/acre-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/acre-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/acre-config-version.cmake DESTINATION ${package_dir})

# Relative, so the tree may be moved.
set(ACRE_PC_FLAGS "-DACRE_CHECKS=$<BOOL:${ACRE_CHECKS}> -DACRE_COUNTERS=$<BOOL:${ACRE_COUNTERS}>")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
           OUTPUT_VARIABLE ACRE_PC_INCLUDE)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
           OUTPUT_VARIABLE ACRE_PC_LIB)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE ACRE_PC_PREFIX)
configure_file(cmake/acre.pc.in acre.pc.in @ONLY)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/acre.pc INPUT ${CMAKE_CURRENT_BINARY_DIR}/acre.pc.in)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/acre.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

list(TRANSFORM ACRE_XSMM_LIBRARIES PREPEND -l OUTPUT_VARIABLE ACRE_PC_XSMM)
list(JOIN ACRE_PC_XSMM " " ACRE_PC_XSMM)
foreach(library IN ITEMS hdf5 sparse)
  if(TARGET acre-${library})
    configure_file(cmake/${library}.pc.in acre-${library}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/acre-${library}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

# Per thread mode: two pkg-config names and a makefile fragment.
function(acre_install_gasnet mode)
  set(ACRE_GASNET_LIBRARY ${mode})
  string(TOUPPER ${mode} ACRE_GASNET_MODE)
  set(ACRE_GASNET_DEFINES "-DGASNET_${ACRE_GASNET_MODE}")
  set(ACRE_GASNET_LIBS "-lacre-gasnet-${mode} -lacre -lstdc++ -lm -pthread -ldl")
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
             BASE_DIRECTORY ${CMAKE_INSTALL_FULL_INCLUDEDIR}/acre-conduit
             OUTPUT_VARIABLE ACRE_GASNET_UP)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/gasnet)
  foreach(ACRE_GASNET_PACKAGE IN ITEMS acre-gasnet-${mode} gasnet-acre-${mode})
    configure_file(tools/gasnet/acre-gasnet.pc.in ${made}/${ACRE_GASNET_PACKAGE}.pc @ONLY)
    install(FILES ${made}/${ACRE_GASNET_PACKAGE}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endforeach()
  configure_file(tools/gasnet/acre-conduit.mak.in ${made}/acre-${mode}.mak @ONLY)
  install(FILES ${made}/acre-${mode}.mak DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/acre-conduit)
endfunction()
foreach(mode IN LISTS ACRE_GASNET_MODES)
  acre_install_gasnet(${mode})
endforeach()

foreach(ACRE_PC_LIBRARY IN ITEMS acre-shmem acre-shmem-checked)
  configure_file(cmake/shmem.pc.in ${ACRE_PC_LIBRARY}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${ACRE_PC_LIBRARY}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
