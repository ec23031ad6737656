# SPDX-License-Identifier: BSD-3-Clause
# Build options.
include(GNUInstallDirs)

option(ACRE_CHECKS "Check arguments and states at run time (slower; says file, line and rank)" OFF)
option(ACRE_COUNTERS "Count operations and bytes by kind" ON)
option(ACRE_NATIVE "Use all instructions of the processor that builds; on x86-64, programs refuse others" OFF)
option(ACRE_WERROR "Make the warnings of Acre's own code errors" OFF)
set(ACRE_COLD_FLAGS "" CACHE STRING "Compiler options for what need not be fast: unit tests, command lines")
set(ACRE_PURE_FLAGS "" CACHE STRING "Compiler options for the library's modules without counted files")
set(ACRE_CLIENT_FLAGS "" CACHE STRING "Compiler options for what uses libacre: other libraries, most programs, examples")
set(ACRE_RANK_TEST_FLAGS "" CACHE STRING "Compiler options for the modules' rank tests and the soak")
set(ACRE_SANITIZE "" CACHE STRING "Sanitizers to build with, as in -fsanitize=")

option(ACRE_PRECOMPILE "Precompile the standard library's headers for each target; not for installed builds" OFF)

option(ACRE_UNITY "Compile several sources of a library together; not for installed builds" OFF)

option(ACRE_COUNTED_ALONE "With ACRE_UNITY, compile files whose instructions are counted one at a time all the same" OFF)

option(ACRE_LINK_FAST "Link programs with LLVM's linker, where it is" OFF)

set(ACRE_ONLY_MODULES "" CACHE STRING "Modules that the library consists of, if its programs need no others; empty: all")
set(ACRE_SHMEM_COMMAND_PREFIX "" CACHE STRING "Begin the names of oshcc, oshc++, oshcxx, oshrun and oshmem_info")
set(ACRE_SHMEM_COMMAND_SUFFIX "" CACHE STRING "End these names, as -acre in oshcc-acre")
option(ACRE_SPARSE "Build the library acre-sparse: sparse and block-sparse matrices" ON)
option(ACRE_BUILD_PROGRAMS "Build apps, examples and benchmarks" ${PROJECT_IS_TOP_LEVEL})
set(ACRE_LAUNCHER "" CACHE FILEPATH "Another build's program acre to run tests with; empty: build it")
set(ACRE_APPS "" CACHE STRING "Folders of apps that are built; empty: all")
option(ACRE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ACRE_BUILD_HEADER_CHECK "Compile each public header alone" OFF)
option(ACRE_BUILD_FUZZERS "Build libFuzzer programs of the readers (target fuzzers; needs Clang)" OFF)

# Presets of slow builds reduce these.
set(ACRE_TEST_PREFIX "" CACHE STRING "Put before the name of every test")
set(ACRE_TEST_SMP_SIZES 1 2 3 4 7 CACHE STRING "Job sizes of the rank tests in one node")
set(ACRE_TEST_OFI_SIZES 2 4 CACHE STRING "Job sizes of the rank tests over libfabric")
set(ACRE_TEST_LONG smp.2 smp.4 smp.7 ofi.2 ofi.4 shape.7x3 shape.5x2 shape.13x5 shape.17x4 CACHE STRING
    "Of these, the jobs that make test leaves to make test-long where others see the same")
set(ACRE_TEST_NODE_SHAPES 7x3 5x2 3x2 CACHE STRING
    "Job sizes of the rank tests over libfabric x the ranks of a node")
set(ACRE_TEST_COLLECTIVE_SHAPES 5x2 13x5 17x4 17x17 CACHE STRING
    "The same for teams and collectives alone; as many as all of them is one node")
set(ACRE_TEST_PROVIDERS "tcp+ofi_rxm" sockets "udp+ofi_rxd" shm CACHE STRING
    "libfabric providers for the smoke tests (a + stands for the semicolon)")
set(ACRE_TEST_MODULES "" CACHE STRING "Modules (and C interfaces) whose rank tests are built, and no other tests; empty: all tests of all")
set(ACRE_TEST_MODULES_LEFT_OUT "" CACHE STRING "Modules whose tests are not built")
set(ACRE_TEST_FOLDERS_LEFT_OUT "" CACHE STRING "Folders of tests/ that are not built")
set(ACRE_TEST_RANK_FILES "." CACHE STRING "Which files of rank tests, as a regular expression")
set(ACRE_TEST_UNIT_FILTER "*" CACHE STRING "Which cases of the unit tests are run")
set(ACRE_TEST_C_LIBRARIES shmem shmem-checked gasnet-seq gasnet-parsync gasnet-par CACHE STRING
    "Libraries of C interfaces that are tested; without ACRE_TEST_PROJECT, no others are built")
option(ACRE_TEST_PROJECT "Test the repository too: dependencies, installed tree, launchers" ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  find_program(CCACHE ccache)
  if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
    if(ACRE_PRECOMPILE)
      # Else ccache treats equal precompiled headers as different.
      list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER env
           CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
    endif()
  endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

# Relocatable: programs find libraries relative to themselves.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR}
           OUTPUT_VARIABLE ACRE_TO_LIBRARIES)
if(BUILD_SHARED_LIBS)
  set(CMAKE_INSTALL_RPATH $ORIGIN $ORIGIN/${ACRE_TO_LIBRARIES})
endif()

include(processor)
# Equal files from any folder.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  add_compile_options(-fdebug-prefix-map=${PROJECT_SOURCE_DIR}=. -fdebug-prefix-map=${CMAKE_BINARY_DIR}=build)
endif()
if(ACRE_SANITIZE)
  add_compile_options(-fsanitize=${ACRE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ACRE_SANITIZE})
endif()
# Jobs start sooner.
add_link_options(-Wl,--as-needed)

# Targets of equal options share a precompiled header: reading it takes as long as compiling three
# files.
function(acre_precompile target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(never ${target} DISABLE_PRECOMPILE_HEADERS)
  list(LENGTH sources number)
  if((number GREATER_EQUAL 2 OR target MATCHES "-test$") AND NOT never)
    # EVAL: deferred code does not see local variables.
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]]
                                             CALL acre_share_precompiled ${target})")
  endif()
endfunction()

function(acre_share_precompiled target)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(independent ${target} POSITION_INDEPENDENT_CODE)
  get_target_property(type ${target} TYPE)
  set(headers <algorithm> <array> <chrono> <cstdint> <functional> <memory> <optional> <span> <string>
              <string_view> <utility> <vector>)
  set(kind "")
  if(target MATCHES "-test$")
    list(APPEND headers <gtest/gtest.h>)
    set(kind -test)
  endif()
  if(type STREQUAL SHARED_LIBRARY OR type STREQUAL MODULE_LIBRARY)
    set(independent ON)
  endif()
  set(alike ${options})
  list(REMOVE_DUPLICATES alike)
  list(SORT alike)
  string(MD5 same "${alike};${independent}")
  string(SUBSTRING ${same} 0 8 same)
  set(shared acre-precompiled${kind}-${same})
  if(NOT TARGET ${shared})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")
    add_library(${shared} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
    target_compile_options(${shared} PRIVATE ${options})
    set_target_properties(${shared} PROPERTIES POSITION_INDEPENDENT_CODE ${independent})
    target_link_libraries(${shared} PRIVATE Threads::Threads $<$<STREQUAL:${kind},-test>:GTest::gtest>)
    target_precompile_headers(${shared} PRIVATE ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()

# If two files define equal names, this fails: rename one or declare it ALONE.
function(acre_compile_together target)
  if(NOT ACRE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
  # Names of earlier files cause warnings.
  target_compile_options(${target} PRIVATE -Wno-shadow
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# Tests: see together.cmake.
set(ACRE_TESTED_TOGETHER 15)

# Units that replace the sources in ARGN.
function(acre_test_units result target)
  set(${result} ${ARGN} PARENT_SCOPE)
  if(NOT ACRE_UNITY)
    return()
  endif()
  set(units "")
  set(sources "")
  foreach(source IN LISTS ARGN)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(alone)
      list(APPEND units ${source})
    else()
      list(APPEND sources ${source})
    endif()
  endforeach()
  list(LENGTH sources number)
  math(EXPR count "(${number} + ${ACRE_TESTED_TOGETHER} - 1) / ${ACRE_TESTED_TOGETHER}")
  set(first 0)
  foreach(index RANGE 1 ${count})
    if(first EQUAL number)
      break()
    endif()
    math(EXPR length "(${number} - ${first}) / (${count} - ${index} + 1)")
    list(SUBLIST sources ${first} ${length} some)
    math(EXPR first "${first} + ${length}")
    list(JOIN some "," list)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/together/${target}_${index}.cpp)
    add_custom_command(
      OUTPUT ${unit}
      COMMAND ${CMAKE_COMMAND} -DUNIT=${unit} -DSOURCES=${list}
              -P ${PROJECT_SOURCE_DIR}/cmake/together.cmake
      DEPENDS ${some} ${PROJECT_SOURCE_DIR}/cmake/together.cmake
      COMMENT "Putting tests of ${target} together" VERBATIM)
    list(APPEND units ${unit})
  endforeach()
  set_source_files_properties(${units} PROPERTIES
    COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set(${result} ${units} PARENT_SCOPE)
endfunction()

# LLD takes a third of the time.
function(acre_link_fast target)
  get_target_property(type ${target} TYPE)
  if(ACRE_LINK_FAST AND type STREQUAL EXECUTABLE)
    find_program(ACRE_LLD ld.lld HINTS /usr/lib/llvm-19/bin)
    if(ACRE_LLD)
      cmake_path(GET ACRE_LLD PARENT_PATH folder)
      # Programs are linked in parallel.
      target_link_options(${target} PRIVATE -fuse-ld=lld -B${folder} LINKER:--threads=1)
    endif()
  endif()
endfunction()

# Sanitizers cause false warnings in GCC.
function(acre_own_code target)
  acre_link_fast(${target})
  if(ACRE_PRECOMPILE)
    acre_precompile(${target})
  endif()
  if(ACRE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -w)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  # GCC 12's bugs 105651, 105329, 80635 (false warnings).
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow
                                             -Wno-array-bounds -Wno-maybe-uninitialized)
  endif()
  if(ACRE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Programs of one file, of equal options, share acre.hpp precompiled.
function(acre_precompile_acre target)
  get_property(first GLOBAL PROPERTY ACRE_PRECOMPILED_WITH)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE <acre/acre.hpp>)
    set_property(GLOBAL PROPERTY ACRE_PRECOMPILED_WITH ${target})
  endif()
endfunction()

function(acre_add_executable target options sources)
  add_executable(${target} ${sources})
  acre_own_code(${target})
  target_compile_options(${target} PRIVATE ${options})
  target_link_libraries(${target} PRIVATE ${ARGN})
  if(ACRE_PRECOMPILE AND options STREQUAL ACRE_CLIENT_FLAGS AND ARGN MATCHES "^acre(::acre)?(;acre::[a-z0-9]+)*$")
    acre_precompile_acre(${target})
  endif()
endfunction()
