# SPDX-License-Identifier: BSD-3-Clause
# A module is a folder in acre/ that calls acre_module(), without its sub-modules. Files may be
# globbing expressions.
#   acre_module([LIBRARY library]        default: acre
#               [NEEDS target...]        omits the module if one is missing; linked by tests
#               [WITHOUT prefix...]      omits files
#               [ALONE file...]          excluded from unity builds (ACRE_UNITY)
#               [COUNTED file...]        also if instructions are counted (ACRE_COUNTED_ALONE)
#               [TESTS option...]        for acre_add_rank_tests
#               [LONG job...]            with ACRE_TEST_LONG
#               [NOT_LONG job...]        of ACRE_TEST_LONG, in make test too
#               [WITHOUT_SHAPES shape...]  excluded from ACRE_TEST_NODE_SHAPES
#               [FUZZ folder]            more tests; its folder seeds is ACRE_FUZZ_SEEDS
#               [TESTED_WITH target...]  more libraries of tests
#               [TEST_DEFINES definition...])
#
# Programs that need more than acre:
#   acre_program(TARGET
#                [NEEDS target...]       linked; omits the program if one is missing
#                [TESTS_COMPUTE]         no ACRE_CLIENT_FLAGS in tests
#                [FUZZ folder])

function(acre_declare name options lists)
  cmake_parse_arguments(PARSE_ARGV 3 arg "${options}" "" "${lists}")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${name}: unknown declarations: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(trait IN LISTS options lists)
    set_property(GLOBAL PROPERTY ACRE_${name}_${trait} "${arg_${trait}}")
  endforeach()
endfunction()

function(acre_declared result name trait)
  get_property(value GLOBAL PROPERTY ACRE_${name}_${trait})
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

function(acre_compile_alone folder)
  foreach(name IN LISTS ARGN)
    file(GLOB files ${folder}/${name})
    if(NOT files)
      message(FATAL_ERROR "${folder}: no file ${name}")
    endif()
    set_source_files_properties(${files} DIRECTORY ${PROJECT_SOURCE_DIR}
                                PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

function(acre_module)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/acre
             OUTPUT_VARIABLE module)
  set(traits LIBRARY NEEDS WITHOUT ALONE COUNTED
             TESTS LONG NOT_LONG WITHOUT_SHAPES FUZZ TESTED_WITH TEST_DEFINES)
  acre_declare(${module} "" "${traits}" ${ARGN})
  acre_declared(library ${module} LIBRARY)
  if(NOT library)
    set_property(GLOBAL PROPERTY ACRE_${module}_LIBRARY acre)
    string(REGEX REPLACE "/.*" "" outermost ${module})
    if(ACRE_ONLY_MODULES AND NOT outermost IN_LIST ACRE_ONLY_MODULES)
      return()
    endif()
  endif()
  set_property(GLOBAL APPEND PROPERTY ACRE_MODULES ${module})
  acre_declared(alone ${module} ALONE)
  if(ACRE_COUNTED_ALONE)
    acre_declared(counted ${module} COUNTED)
  endif()
  acre_compile_alone(${CMAKE_CURRENT_SOURCE_DIR} ${alone} ${counted})
endfunction()

function(acre_program target)
  acre_declare(${target} TESTS_COMPUTE "NEEDS;FUZZ" ${ARGN})
endfunction()

function(acre_needs result missing name)
  acre_declared(needs ${name} NEEDS)
  set(${result} ${needs} PARENT_SCOPE)
  foreach(target IN LISTS needs)
    if(TARGET ${target})
      list(REMOVE_ITEM needs ${target})
    endif()
  endforeach()
  set(${missing} ${needs} PARENT_SCOPE)
endfunction()

function(acre_modules result library)
  get_property(modules GLOBAL PROPERTY ACRE_MODULES)
  set(found "")
  foreach(module IN LISTS modules)
    acre_declared(of ${module} LIBRARY)
    if(of STREQUAL library)
      list(APPEND found ${module})
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(acre_module_folders result module)
  set(folder ${PROJECT_SOURCE_DIR}/acre/${module})
  file(GLOB_RECURSE entries CONFIGURE_DEPENDS LIST_DIRECTORIES true ${folder}/*)
  set(declarations ${entries})
  list(FILTER declarations INCLUDE REGEX "^${folder}/.*/CMakeLists[.]txt$")
  foreach(declaration IN LISTS declarations)
    cmake_path(GET declaration PARENT_PATH other)
    list(FILTER entries EXCLUDE REGEX "^${other}(/|$)")
  endforeach()
  set(folders ${folder})
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY ${entry})
      list(APPEND folders ${entry})
    endif()
  endforeach()
  set(${result} ${folders} PARENT_SCOPE)
endfunction()

function(acre_leave_out files)
  get_property(modules GLOBAL PROPERTY ACRE_MODULES)
  foreach(module IN LISTS modules)
    acre_declared(prefixes ${module} WITHOUT)
    acre_needs(needs missing ${module})
    if(missing)
      set(prefixes "[^/]")
    endif()
    foreach(prefix IN LISTS prefixes)
      list(FILTER ${files} EXCLUDE REGEX "(^|/)acre/${module}/(.*/)?${prefix}[^/]*$")
    endforeach()
  endforeach()
  set(${files} ${${files}} PARENT_SCOPE)
endfunction()

function(acre_library_sources result library)
  acre_modules(modules ${library})
  set(sources "")
  foreach(module IN LISTS modules)
    acre_module_folders(folders ${module})
    acre_sources(here PLAIN ${folders})
    list(APPEND sources ${here})
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

function(acre_read_declarations)
  acre_folders(modules acre)
  foreach(module IN LISTS modules)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/acre/${module}/CMakeLists.txt)
      message(FATAL_ERROR "acre/${module} has no CMakeLists.txt, which calls acre_module()")
    endif()
  endforeach()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/acre/CMakeLists.txt ${PROJECT_SOURCE_DIR}/apps/CMakeLists.txt
       ${PROJECT_SOURCE_DIR}/bench/CMakeLists.txt)
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH folder)
    add_subdirectory(${folder})
  endforeach()
endfunction()
