# SPDX-License-Identifier: BSD-3-Clause
# cmake --install: headers, libraries, tools, and package files. Components: libraries (shared ones),
# development, tools, shmem (commands), doc.
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
function(acre_install_library target exports)
  install(TARGETS ${target} EXPORT ${exports}
          LIBRARY COMPONENT libraries NAMELINK_COMPONENT development)
endfunction()

acre_install_library(acre acre-targets)
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
    acre_install_library(${library} ${library}-targets)
  endif()
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/html DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc OPTIONAL)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/acre
        PATTERN shmem/CMakeLists.txt EXCLUDE PATTERN shmem/run EXCLUDE)
install(DIRECTORY packaging/smoke-test DESTINATION ${CMAKE_INSTALL_DATADIR}/acre USE_SOURCE_PERMISSIONS)
if(NOT ACRE_LAUNCHER)
  install(TARGETS acre-tool EXPORT acre-targets COMPONENT tools)
endif()
if(TARGET acre-map)
  install(TARGETS acre-map EXPORT acre-targets COMPONENT tools)
endif()
acre_folders(interfaces capi)
set(ACRE_C_COMPONENTS shmem shmem-checked)
foreach(mode IN LISTS ACRE_GASNET_MODES)
  list(APPEND ACRE_C_COMPONENTS gasnet-${mode})
endforeach()
foreach(component IN LISTS ACRE_C_COMPONENTS)
  acre_install_library(acre-${component} acre-targets)
endforeach()
install(DIRECTORY capi/shmem/mpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(interface IN LISTS interfaces)
  # C programs include X.h; X.hpp is private.
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/capi/${interface}/*.h)
  install(FILES ${headers} DESTINATION ${ACRE_HEADERS_${interface}})
endforeach()

# C programs link what a static library of C++ needs.
set(ACRE_CXX_RUNTIME ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM ACRE_CXX_RUNTIME ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
list(TRANSFORM ACRE_CXX_RUNTIME PREPEND -l OUTPUT_VARIABLE needs)
list(JOIN needs " " needs)
macro(acre_state_needs result needs)
  set(${result}_NEEDS "${needs}")
  set(${result}_PRIVATE_NEEDS "")
  if(BUILD_SHARED_LIBS)
    set(${result}_NEEDS "")
    set(${result}_PRIVATE_NEEDS "${needs}")
  endif()
endmacro()
acre_state_needs(ACRE_PC "${needs} -pthread -ldl")
set(ACRE_RPATH rpath-link)  # static-pie programs do not start with an rpath
if(BUILD_SHARED_LIBS)
  set(ACRE_RPATH rpath)
endif()

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
           OUTPUT_VARIABLE ACRE_PC_INCLUDE)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
           OUTPUT_VARIABLE ACRE_PC_LIB)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE ACRE_PC_PREFIX)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR} OUTPUT_VARIABLE ACRE_BIN_TO_PREFIX)

function(acre_install_shmem_command template name)
  set(ACRE_SHMEM_WRAPPER ${ACRE_SHMEM_COMMAND_PREFIX}${name}${ACRE_SHMEM_COMMAND_SUFFIX})
  set(ACRE_SHMEM_LANGUAGE ${ARGV2})
  set(ACRE_SHMEM_COMPILER ${ARGV3})
  set(ACRE_SHMEM_VARIABLE ${ARGV4})
  set(made ${CMAKE_CURRENT_BINARY_DIR}/shmem/${ACRE_SHMEM_WRAPPER})
  configure_file(tools/shmem/${template} ${made} @ONLY)
  install(PROGRAMS ${made} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT shmem)
endfunction()
acre_install_shmem_command(oshcc.in oshcc C cc OSHCC)
acre_install_shmem_command(oshcc.in oshc++ C++ c++ OSHCXX)
acre_install_shmem_command(oshcc.in oshcxx C++ c++ OSHCXX)
acre_install_shmem_command(oshrun oshrun)
acre_install_shmem_command(oshmem_info.in oshmem_info)

acre_folders(apps apps)
foreach(app IN LISTS apps)
  if(TARGET acre-${app})
    install(TARGETS acre-${app} COMPONENT tools)
  endif()
endforeach()

set(ACRE_COMPONENTS ${ACRE_C_COMPONENTS} sparse hdf5 tool map)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/acre)
install(EXPORT acre-targets NAMESPACE acre:: DESTINATION ${package_dir})
foreach(library IN ITEMS acre-hdf5 acre-sparse)
  if(TARGET ${library})
    install(EXPORT ${library}-targets NAMESPACE acre:: DESTINATION ${package_dir})
  endif()
endforeach()
foreach(names IN ITEMS ACRE_COMPONENTS ACRE_C_COMPONENTS ACRE_CXX_RUNTIME)
  list(JOIN ${names} " " ${names})
endforeach()
configure_package_config_file(cmake/acre-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/acre-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/acre-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/acre-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/acre-config-version.cmake DESTINATION ${package_dir})

set(ACRE_PC_FLAGS "-DACRE_CHECKS=$<BOOL:${ACRE_CHECKS}> -DACRE_COUNTERS=$<BOOL:${ACRE_COUNTERS}>")
configure_file(cmake/acre.pc.in acre.pc.in @ONLY)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/acre.pc INPUT ${CMAKE_CURRENT_BINARY_DIR}/acre.pc.in)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/acre.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

list(TRANSFORM ACRE_XSMM_LIBRARIES PREPEND -l OUTPUT_VARIABLE ACRE_PC_XSMM)
list(JOIN ACRE_PC_XSMM " " ACRE_PC_XSMM)
acre_state_needs(ACRE_PC_SPARSE "-lz ${ACRE_PC_XSMM}")
foreach(library IN ITEMS hdf5 sparse)
  if(TARGET acre-${library})
    configure_file(cmake/${library}.pc.in acre-${library}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/acre-${library}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

include(gasnet)

# sma: the name of OpenSHMEM's first library.
foreach(ACRE_PC_NAME IN ITEMS acre-shmem acre-shmem-checked sma)
  string(REPLACE sma acre-shmem ACRE_PC_LIBRARY ${ACRE_PC_NAME})
  configure_file(cmake/shmem.pc.in ${ACRE_PC_NAME}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${ACRE_PC_NAME}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

include(commands)
