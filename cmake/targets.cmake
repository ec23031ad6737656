# SPDX-License-Identifier: BSD-3-Clause
# The target of each file. Folders of acre/, apps/ and bench/ declare more in their CMakeLists.txt
# (cmake/modules.cmake); MODULE is a folder that does, NAME/SUBFOLDER included.
#
#   acre/MODULE/**/*.cpp                      the library that the module declares: `acre`, `acre-hdf5`
#                                             (files of HDF5), `acre-sparse` (products of small blocks
#                                             need LIBXSMM), `acre-machines` (for tools: no rank needs
#                                             its libraries)
#   acre/NAME/**/*_test.cpp                   build/bin/acre-NAME-test        (one process)
#   acre/NAME/**/*_ranks_test.cpp             build/bin/acre-NAME-ranks-test  (by acre run)
#   capi/NAME/*.cpp, *.hpp                    the libraries `acre-NAME…`, an interface of C
#   capi/NAME/*.h                             its headers, which are installed
#   capi/NAME/tests/*.c                       build/bin/NAME-test-…           (by acre run)
#   tools/command_line/*.cpp                  a library for all programs
#   tools/acre/*.cpp                          build/bin/acre
#   tools/mpi/*.cpp, calls.txt                libacre-mpi-openmpi.so, -mpich.so: what `acre trace`
#                                             and `acre reorder` put between a program and MPI
#   tools/acre/map/*.cpp                      build/bin/acre-map, where there is acre-machines
#   apps/NAME/main.cpp                        build/bin/acre-NAME
#   apps/NAME/*.cpp                           a library for that program and its tests;
#                                             where there is no main.cpp, for all programs
#   apps/NAME/*_test.cpp                      build/bin/acre-app-NAME-test, …-ranks-test
#   tools/acre/*_test.cpp, tools/acre/map/*_test.cpp
#                                             build/bin/acre-tool-test
#   examples/NAME.cpp                         build/bin/example-NAME
#   examples/guide/NN_NAME.cpp                build/bin/guide-NN_NAME         (target guide)
#   examples/shmem/NAME.c                     …/examples/shmem/bin/example-shmem-NAME
#   bench/NAME.cpp, bench/NAME/*.cpp          build/bin/bench-NAME            (target benchmarks)
#   tests/budgets/NAME.cpp                    build/bin/budget-NAME           (optimised builds)
#   tests/fuzz/seeds/READER/, sparse/seeds/READER/, objects/seeds/READER/, messages/DECODER/
#                                             build/fuzz/bin/fuzz-READER      (preset fuzz)
#   tests/FOLDER/CMakeLists.txt               whatever it says (not tests/install, an outside project)

# Sources of this build in folders, by kind: PLAIN, TESTS (one process) or RANK_TESTS.
# (X_self_test.cpp is part of the library: a test that a job makes when it starts.)
function(acre_sources result kind)
  set(plain "")
  set(tests "")
  set(rank_tests "")
  foreach(folder IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp)
    foreach(source IN LISTS found)
      if(source MATCHES "_ranks_test\\.cpp$")
        list(APPEND rank_tests ${source})
      elseif(source MATCHES "_test\\.cpp$" AND NOT source MATCHES "_self_test\\.cpp$")
        list(APPEND tests ${source})
      else()
        list(APPEND plain ${source})
      endif()
    endforeach()
  endforeach()
  string(TOLOWER ${kind} kind)
  acre_leave_out(${kind})
  set(${result} ${${kind}} PARENT_SCOPE)
endfunction()

# The names of the folders in `parent`.
function(acre_folders result parent)
  file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/${parent}/*)
  set(names "")
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY ${entry})
      cmake_path(GET entry FILENAME name)
      list(APPEND names ${name})
    endif()
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# Modules of the library that are compiled with options of their own; they are few units then.
function(acre_add_pure_modules)
  add_library(acre-pure OBJECT ${ARGN})
  set_target_properties(acre-pure PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  acre_own_code(acre-pure)
  acre_compile_together(acre-pure)
  set_target_properties(acre-pure PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  target_compile_options(acre-pure PRIVATE ${ACRE_PURE_FLAGS})
  target_include_directories(acre-pure PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(acre-pure PRIVATE
                             $<TARGET_PROPERTY:acre,INTERFACE_COMPILE_DEFINITIONS>)
  target_link_libraries(acre-pure PRIVATE acre-private-headers Threads::Threads)
endfunction()

function(acre_add_library)
  acre_library_sources(sources acre)
  # Optimised builds of tests are for the instructions of calls: these modules have none that are
  # counted.
  if(ACRE_PURE_FLAGS)
    set(pure "")
    acre_modules(modules acre)
    foreach(module IN LISTS modules)
      acre_declared(counted ${module} COUNTED)
      if(NOT counted)
        set(here ${sources})
        list(FILTER here INCLUDE REGEX "/acre/${module}/")
        list(APPEND pure ${here})
      endif()
    endforeach()
    list(REMOVE_ITEM sources ${pure})
    acre_add_pure_modules(${pure})
    list(APPEND sources $<TARGET_OBJECTS:acre-pure>)
  endif()

  add_library(acre ${sources})
  add_library(acre::acre ALIAS acre)
  acre_own_code(acre)
  acre_compile_together(acre)
  set_target_properties(acre PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(acre PUBLIC cxx_std_20)
  target_include_directories(acre PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(acre PRIVATE $<BUILD_INTERFACE:acre-private-headers>)
  target_link_libraries(acre PUBLIC Threads::Threads ${CMAKE_DL_LIBS})

  # What headers depend on is public: a program and the library must agree on it.
  target_compile_definitions(acre PUBLIC ACRE_CHECKS=$<BOOL:${ACRE_CHECKS}>
                                         ACRE_COUNTERS=$<BOOL:${ACRE_COUNTERS}>)
  target_compile_definitions(acre PRIVATE ${ACRE_CONDUIT_DEFINES})

  if(ACRE_BUILD_HEADER_CHECK)
    acre_add_header_check()
  endif()
endfunction()

# The library acre-NAME of the sources that follow, which is installed as acre::NAME.
function(acre_add_installed_library name)
  add_library(acre-${name} ${ARGN})
  add_library(acre::${name} ALIAS acre-${name})
  acre_own_code(acre-${name})
  acre_compile_together(acre-${name})
  set_target_properties(acre-${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(acre-${name} PUBLIC acre)
endfunction()

# Files of HDF5: only programs that have them link its library. Matrices themselves are in headers: who
# stores or loads them links acre-sparse as well.
function(acre_add_hdf5)
  acre_library_sources(sources acre-hdf5)
  if(NOT sources)
    return()
  endif()
  acre_add_installed_library(hdf5 ${sources})
  target_compile_options(acre-hdf5 PRIVATE ${ACRE_CLIENT_FLAGS})
  target_link_libraries(acre-hdf5 PRIVATE PkgConfig::ACRE_HDF5)
  if(TARGET nlohmann_json::nlohmann_json)
    target_link_libraries(acre-hdf5 PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
  endif()
  if(NOT ACRE_TEST_PROJECT)
    set_target_properties(acre-hdf5 PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# Sparse matrices: a library of its own, as LIBXSMM and the BLAS that it calls are none of libacre's.
function(acre_add_sparse)
  acre_library_sources(sources acre-sparse)
  acre_add_installed_library(sparse ${sources})
  target_link_libraries(acre-sparse PRIVATE z)  # by its name, which users of the installed library link as well
  target_include_directories(acre-sparse SYSTEM PRIVATE ${ZLIB_INCLUDE_DIRS})
  acre_use_xsmm(acre-sparse PRIVATE)
  target_compile_definitions(acre-sparse PRIVATE ACRE_HAVE_XSMM=${ACRE_HAVE_XSMM})
endfunction()

function(acre_add_machines)
  acre_library_sources(sources acre-machines)
  add_library(acre-machines STATIC ${sources})
  acre_own_code(acre-machines)
  acre_compile_together(acre-machines)
  target_link_libraries(acre-machines PUBLIC acre PRIVATE acre-machines-needs acre-program-needs)
endfunction()

# The library acre-LIBRARY: an interface of C on top of the rooms, from capi/FOLDER.
function(acre_add_c_library library folder)
  set(folder ${PROJECT_SOURCE_DIR}/capi/${folder})
  acre_sources(sources PLAIN ${folder})
  acre_add_installed_library(${library} ${sources})
  target_compile_options(acre-${library} PRIVATE ${ACRE_CLIENT_FLAGS})
  target_include_directories(acre-${library} PUBLIC
    $<BUILD_INTERFACE:${folder}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(NOT ACRE_TEST_PROJECT AND NOT library IN_LIST ACRE_TEST_C_LIBRARIES)
    set_target_properties(acre-${library} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# A program of C that links a C interface, which is C++ inside. Its sources follow.
function(acre_add_c_program target library)
  add_executable(${target} ${ARGN})
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${ACRE_WERROR}>:-Werror>
                                           ${ACRE_COLD_FLAGS})
  acre_link_fast(${target})
  target_link_libraries(${target} PRIVATE acre-${library})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# GASNet is a library for each mode of threads, made of the same sources.
set(ACRE_GASNET_MODES seq parsync par)

function(acre_add_c_interfaces)
  if(ACRE_COUNTED_ALONE)
    acre_compile_alone(${PROJECT_SOURCE_DIR}/capi shmem/atomics.cpp shmem/order.cpp shmem/rma.cpp
                       shmem/synchronisation.cpp gasnet/*.cpp)
  endif()
  acre_add_c_library(shmem shmem)
  # The same sources, which look at all that they are handed.
  acre_add_c_library(shmem-checked shmem)
  target_compile_definitions(acre-shmem-checked PRIVATE ACRE_SHMEM_CHECKS=1)
  foreach(mode IN LISTS ACRE_GASNET_MODES)
    acre_add_c_library(gasnet-${mode} gasnet)
    string(TOUPPER ${mode} MODE)
    target_compile_definitions(acre-gasnet-${mode} PUBLIC GASNET_${MODE}=1)
  endforeach()
  # A block has one offset behind the static data of all ranks, wherever the loader put that. So
  # that it can be aligned, the loader is asked to put it at the same place in a huge page.
  foreach(library IN ITEMS acre-shmem acre-shmem-checked)
    target_link_options(${library} INTERFACE
                        LINKER:-z,max-page-size=0x800000 LINKER:-z,noseparate-code)
  endforeach()
endfunction()

# Compiles each public header as if it were a program of its own: it includes what it uses.
function(acre_add_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/acre/*.hpp)
  list(FILTER headers EXCLUDE REGEX "/detail/|/conformance_test")
  acre_leave_out(headers)
  set(units "")
  foreach(header IN LISTS headers)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include <${header}>\n#include <${header}>\n")
    list(APPEND units ${unit})
  endforeach()
  add_library(acre-headers OBJECT ${units})
  acre_own_code(acre-headers)
  target_link_libraries(acre-headers PRIVATE acre acre-private-headers
                                             $<TARGET_NAME_IF_EXISTS:PkgConfig::OPENBLAS>
                                             $<TARGET_NAME_IF_EXISTS:PkgConfig::ACRE_HDF5>)
  acre_use_xsmm(acre-headers PRIVATE)
endfunction()

# What all programs read their command lines with: the one file that compiles CLI11.
function(acre_add_command_line)
  acre_sources(sources PLAIN ${PROJECT_SOURCE_DIR}/tools/command_line)
  add_library(acre-command-line STATIC ${sources})
  acre_own_code(acre-command-line)
  target_compile_options(acre-command-line PRIVATE ${ACRE_COLD_FLAGS})
  target_compile_features(acre-command-line PUBLIC cxx_std_20)
  target_include_directories(acre-command-line PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(acre-command-line PRIVATE CLI11::CLI11 acre)
endfunction()

# An executable from apps/NAME or tools/NAME, linked with the libraries in ARGN; all but
# main.cpp go into a library (`TARGET-parts`) that the program's tests link as well.
# (What is in `folders` besides the first goes there too.)
function(acre_add_program target folders)
  list(GET folders 0 folder)
  acre_sources(sources PLAIN ${folders})
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  set(needs acre acre-command-line acre-program-needs ${ARGN})
  if(sources)
    add_library(${target}-parts STATIC ${sources})
    acre_own_code(${target}-parts)
    acre_compile_together(${target}-parts)
    acre_declared(tests_compute ${target} TESTS_COMPUTE)
    if(NOT tests_compute)
      target_compile_options(${target}-parts PRIVATE ${ACRE_CLIENT_FLAGS})
    endif()
    target_link_libraries(${target}-parts PUBLIC ${needs})
    set(needs ${target}-parts)
  endif()
  if(EXISTS ${folder}/main.cpp)
    acre_add_executable(${target} "${ACRE_CLIENT_FLAGS}" ${folder}/main.cpp ${needs})
    if(sources)  # or it is all of the program
      target_compile_options(${target} PRIVATE ${ACRE_COLD_FLAGS})
    endif()
  endif()
endfunction()

function(acre_add_tool)
  if(ACRE_LAUNCHER)
    add_executable(acre-tool IMPORTED GLOBAL)
    set_target_properties(acre-tool PROPERTIES IMPORTED_LOCATION ${ACRE_LAUNCHER})
    return()
  endif()
  acre_add_command_line()
  # The order is an object of its own: a program that has the parts of acre-tool and of acre-map takes
  # it once.
  acre_compile_alone(${PROJECT_SOURCE_DIR}/tools/acre order.cpp pmi_server.cpp)
  acre_add_program(acre-tool ${PROJECT_SOURCE_DIR}/tools/acre)
  target_compile_options(acre-tool-parts PRIVATE ${ACRE_COLD_FLAGS})
  set_target_properties(acre-tool PROPERTIES OUTPUT_NAME acre EXPORT_NAME tool)
  add_executable(acre::tool ALIAS acre-tool)
  # It looks for the layers of MPI beside itself, in the build folder as where it is installed.
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR}
             OUTPUT_VARIABLE to_libraries)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/tools/acre/preload.cpp
               PROPERTY COMPILE_DEFINITIONS ACRE_TOOL_TO_LIBRARIES="${to_libraries}")
  acre_add_mpi_layers(${to_libraries})
  if(TARGET acre-machines)
    acre_add_program(acre-map ${PROJECT_SOURCE_DIR}/tools/acre/map acre-machines)
    target_sources(acre-map-parts PRIVATE ${PROJECT_SOURCE_DIR}/tools/acre/order.cpp)
    target_compile_options(acre-map-parts PRIVATE ${ACRE_COLD_FLAGS})
    set_target_properties(acre-map PROPERTIES EXPORT_NAME map)
  endif()
endfunction()

# A layer for each MPI that is here: nothing of Acre but the tool needs one.
function(acre_add_mpi_layers to_libraries)
  if(ACRE_SANITIZE OR NOT ACRE_BUILD_PROGRAMS)
    return()
  endif()
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(NOT Python3_Interpreter_FOUND)
    message(STATUS "acre: no Python (Debian: python3): built without the layers that acre trace "
                   "and acre reorder put between a program and MPI")
    return()
  endif()
  add_subdirectory(tools/mpi)
endfunction()

# The names of the folders in apps/ that are built.
function(acre_chosen_apps result)
  acre_folders(apps apps)
  if(ACRE_APPS)
    set(apps ${ACRE_APPS})
  endif()
  foreach(app IN LISTS apps)
    acre_needs(needs missing acre-${app})
    if(missing)
      list(REMOVE_ITEM apps ${app})
    endif()
  endforeach()
  set(${result} ${apps} PARENT_SCOPE)
endfunction()

# What is installed is for any processor, and has loops for the vectors of those of today as well
# (base/wide_loops.hpp).
function(acre_make_wide)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      target_compile_definitions(${target} PRIVATE ACRE_WIDE_LOOPS=1)
    endif()
  endforeach()
endfunction()

# Folders without main.cpp hold what several programs are made of: all programs link them.
function(acre_add_apps)
  acre_chosen_apps(apps)
  set(programs "")
  set(shared "")
  foreach(app IN LISTS apps)
    set(folder ${PROJECT_SOURCE_DIR}/apps/${app})
    if(EXISTS ${folder}/main.cpp)
      list(APPEND programs ${app})
    else()
      acre_add_program(acre-${app} ${folder})
      if(TARGET acre-${app}-parts)
        list(APPEND shared acre-${app}-parts)
      endif()
    endif()
  endforeach()
  foreach(app IN LISTS programs)
    set(folder ${PROJECT_SOURCE_DIR}/apps/${app})
    acre_needs(needs missing acre-${app})
    acre_add_program(acre-${app} ${folder} ${shared} ${needs})
    acre_make_wide(acre-${app} acre-${app}-parts)
  endforeach()
endfunction()

function(acre_add_examples)
  acre_sources(sources PLAIN ${PROJECT_SOURCE_DIR}/examples)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    acre_add_executable(example-${name} "${ACRE_CLIENT_FLAGS}" ${source} acre::acre)
  endforeach()
endfunction()

# The first C++ block of README.md is a program: it is built and run like any other.
function(acre_add_readme_example)
  set(readme ${PROJECT_SOURCE_DIR}/README.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${readme})
  file(READ ${readme} text)
  if(NOT "${text}" MATCHES "```cpp\n([^`]*)```")
    message(FATAL_ERROR "README.md has no example (a block that opens with ```cpp)")
  endif()
  set(text "${CMAKE_MATCH_1}")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/readme/example.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "@text@" @ONLY)
  acre_add_executable(readme-example "${ACRE_CLIENT_FLAGS}" ${source} acre::acre)
endfunction()

# The programs of docs/guide. Tests build them with everything else; otherwise `guide` does.
function(acre_add_guide_programs)
  acre_sources(sources PLAIN ${PROJECT_SOURCE_DIR}/examples/guide)
  add_custom_target(guide)
  add_subdirectory(examples/guide)
  set(first "")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    set(target guide-${name})
    if(needs_${name} AND NOT TARGET ${needs_${name}})
      continue()
    endif()
    acre_add_executable(${target} "${ACRE_CLIENT_FLAGS}" ${source} acre::acre ${needs_${name}})
    add_dependencies(guide ${target})
    if(NOT (ACRE_BUILD_TESTS AND ACRE_TEST_PROJECT))
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    # They are alike, and most of what compiling them takes is reading Acre's headers.
    if(ACRE_PRECOMPILE AND first)
      target_precompile_headers(${target} REUSE_FROM ${first})
    elseif(ACRE_PRECOMPILE)
      target_precompile_headers(${target} PRIVATE <acre/acre.hpp>)
      set(first ${target})
    endif()
  endforeach()
endfunction()

function(acre_add_benchmarks)
  add_custom_target(benchmarks)
  acre_sources(sources PLAIN ${PROJECT_SOURCE_DIR}/bench)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    acre_needs(needs missing bench-${name})
    if(missing)
      continue()
    endif()
    acre_sources(parts PLAIN ${PROJECT_SOURCE_DIR}/bench/${name})
    acre_add_executable(bench-${name} "" "${source};${parts}" acre::acre acre-program-needs ${needs})
    set_target_properties(bench-${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(benchmarks bench-${name})
  endforeach()
  add_dependencies(benchmarks acre-tool)
endfunction()
