# SPDX-License-Identifier: BSD-3-Clause
# Third-party libraries. libfabric and PMIx are opened at run time.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Header-only, private.
find_package(Boost 1.74 REQUIRED)

add_library(acre-private-headers INTERFACE)
target_include_directories(acre-private-headers SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
macro(acre_find_headers name have package header debian without)
  pkg_check_modules(${name} QUIET ${package})
  find_path(${name}_INCLUDE ${header} HINTS ${${name}_INCLUDE_DIRS})
  if(${name}_INCLUDE)
    set(${have} 1)
    target_include_directories(acre-private-headers SYSTEM INTERFACE ${${name}_INCLUDE})
  else()
    set(${have} 0)
    message(STATUS "acre: no ${package} headers (Debian: ${debian}): ${without}")
  endif()
endmacro()
acre_find_headers(LIBFABRIC ACRE_HAVE_OFI libfabric rdma/fabric.h libfabric-dev
                  "built without the ofi conduit")
acre_find_headers(PMIX ACRE_HAVE_PMIX pmix pmix.h libpmix-dev
                  "built without PMIx, jobs start by acre run or a PMI-1 launcher only")

# acre/fabric/NAME* is compiled if ACRE_HAVE_NAME.
set(ACRE_CONDUIT_DEFINES "")
set(ACRE_CONDUITS_LEFT_OUT "")
set(ACRE_HAVE_NETWORK 0)
foreach(conduit IN ITEMS ofi)
  string(TOUPPER ACRE_HAVE_${conduit} have)
  list(APPEND ACRE_CONDUIT_DEFINES ${have}=${${have}})
  if(${have})
    set(ACRE_HAVE_NETWORK 1)
  else()
    list(APPEND ACRE_CONDUITS_LEFT_OUT ${conduit})
  endif()
endforeach()
if(NOT ACRE_HAVE_NETWORK)
  message(STATUS "acre: built without conduits, jobs run on one node only")
endif()

# HDF5 files (acre::hdf5). A parallel HDF5 works too, but needs mpi.h and its MPI.
set(ACRE_HDF5_PACKAGE "")
foreach(package IN ITEMS hdf5-serial hdf5 hdf5-openmpi hdf5-mpich)
  pkg_check_modules(ACRE_HDF5 QUIET IMPORTED_TARGET ${package})
  if(ACRE_HDF5_FOUND)
    set(ACRE_HDF5_PACKAGE ${package})
    break()
  endif()
endforeach()
if(NOT ACRE_HDF5_PACKAGE)
  message(STATUS "acre: no HDF5 (Debian: libhdf5-dev): built without acre::hdf5, files of arrays are "
                 "NumPy's only")
endif()

# For programs.
find_package(fmt QUIET)
find_package(CLI11 QUIET)
find_package(nlohmann_json QUIET)
pkg_check_modules(ISAL QUIET IMPORTED_TARGET libisal)
pkg_check_modules(DEFLATE QUIET IMPORTED_TARGET libdeflate)
find_package(ZLIB QUIET)
if(ACRE_HDF5_PACKAGE AND NOT TARGET nlohmann_json::nlohmann_json)
  message(STATUS "acre: no nlohmann_json (Debian: nlohmann-json3-dev): acre::hdf5 is built without "
                 "files of sparse matrices")
endif()

add_library(acre-program-needs INTERFACE)
set(missing "")
foreach(pair IN ITEMS fmt::fmt=libfmt-dev CLI11::CLI11=libcli11-dev
        nlohmann_json::nlohmann_json=nlohmann-json3-dev PkgConfig::ISAL=libisal-dev
        PkgConfig::DEFLATE=libdeflate-dev ZLIB::ZLIB=zlib1g-dev)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 library)
  list(GET pair 1 package)
  if(TARGET ${library})
    target_link_libraries(acre-program-needs INTERFACE ${library})
  else()
    list(APPEND missing ${package})
  endif()
endforeach()
if(missing AND ACRE_BUILD_PROGRAMS)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "The programs need packages that are not here: apt-get install ${missing}\n"
                      "(or configure with -DACRE_BUILD_PROGRAMS=OFF for the library alone)")
endif()

if(ACRE_SPARSE AND NOT ZLIB_FOUND)
  message(FATAL_ERROR "acre::sparse reads compressed files by zlib, which is not here: apt-get install "
                      "zlib1g-dev\n(or configure with -DACRE_SPARSE=OFF)")
endif()

pkg_check_modules(OPENBLAS QUIET IMPORTED_TARGET openblas)
if(TARGET PkgConfig::OPENBLAS)
  set(ACRE_HAVE_BLAS 1)
  target_link_libraries(acre-program-needs INTERFACE PkgConfig::OPENBLAS)
else()
  set(ACRE_HAVE_BLAS 0)
  if(ACRE_BUILD_PROGRAMS)
    message(STATUS "acre: no OpenBLAS (Debian: libopenblas-dev): products of matrices in programs "
                   "are made by Acre's own kernel, which is slower")
  endif()
endif()
target_compile_definitions(acre-program-needs INTERFACE ACRE_HAVE_BLAS=${ACRE_HAVE_BLAS})

# Optional small products, with the BLAS of programs.
find_library(XSMM_LIBRARY xsmm)
find_path(XSMM_INCLUDE libxsmm.h)
set(ACRE_HAVE_XSMM 0)
set(ACRE_XSMM_LIBRARIES "")
if(XSMM_LIBRARY AND XSMM_INCLUDE AND ACRE_HAVE_BLAS)
  set(ACRE_HAVE_XSMM 1)
  set(ACRE_XSMM_LIBRARIES xsmm openblas ${CMAKE_DL_LIBS})
  cmake_path(GET XSMM_LIBRARY PARENT_PATH ACRE_XSMM_FOLDER)
elseif(ACRE_SPARSE)
  message(STATUS "acre: no LIBXSMM (Debian: libxsmm-dev libopenblas-dev): products of blocks are made "
                 "by Acre's own kernel, and dense ones of programs by a BLAS, which is slower")
endif()
function(acre_use_xsmm target scope)
  if(ACRE_HAVE_XSMM)
    target_include_directories(${target} SYSTEM ${scope} $<BUILD_INTERFACE:${XSMM_INCLUDE}>)
    target_link_directories(${target} ${scope} $<BUILD_INTERFACE:${ACRE_XSMM_FOLDER}>)
    target_link_libraries(${target} ${scope} ${ACRE_XSMM_LIBRARIES})
  endif()
endfunction()
acre_use_xsmm(acre-program-needs INTERFACE)
target_compile_definitions(acre-program-needs INTERFACE ACRE_HAVE_XSMM=${ACRE_HAVE_XSMM})

# For acre-machines.
if(ACRE_BUILD_PROGRAMS)
  pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
  pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo cairo-svg cairo-png)
  find_package(pugixml REQUIRED)
  find_library(SCOTCH_LIBRARY scotch REQUIRED)
  find_library(SCOTCH_ERRORS scotcherr REQUIRED)
  find_path(SCOTCH_INCLUDE scotch.h PATH_SUFFIXES scotch REQUIRED)
  add_library(acre-machines-needs INTERFACE)
  target_include_directories(acre-machines-needs SYSTEM INTERFACE ${SCOTCH_INCLUDE})
  target_link_libraries(acre-machines-needs INTERFACE PkgConfig::HWLOC PkgConfig::CAIRO
                                                      pugixml::pugixml ${SCOTCH_LIBRARY}
                                                      ${SCOTCH_ERRORS})
endif()

if(ACRE_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
