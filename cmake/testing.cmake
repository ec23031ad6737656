# SPDX-License-Identifier: BSD-3-Clause
# Registers tests with CTest. Labels: unit (one process), smp (one node), ofi (every rank a node),
# provider (smoke tests per libfabric provider), launcher (foreign mpirun), hosts (namespaces),
# budget (instruction counts), project (repository), long (`make test-long` only).
enable_testing()

function(acre_add_ranks_main)
  if(NOT TARGET acre-ranks-main)
    add_library(acre-ranks-main OBJECT ${PROJECT_SOURCE_DIR}/tests/ranks_main.cpp)
    acre_own_code(acre-ranks-main)
    target_compile_options(acre-ranks-main PRIVATE ${ACRE_COLD_FLAGS})
    target_link_libraries(acre-ranks-main PRIVATE acre GTest::gtest)
  endif()
endfunction()

# For `make test-long` only.
if(ACRE_BUILD_TESTS)
  add_custom_target(long-tests)
endif()

# Preloaded over libfabric (no_kernel_symbols.c).
if(ACRE_BUILD_TESTS AND ACRE_HAVE_OFI)
  add_library(acre-no-kernel-symbols MODULE ${PROJECT_SOURCE_DIR}/tests/start/no_kernel_symbols.c)
  target_compile_options(acre-no-kernel-symbols PRIVATE -fno-sanitize=all)
  target_link_options(acre-no-kernel-symbols PRIVATE -fno-sanitize=all)
  target_link_libraries(acre-no-kernel-symbols PRIVATE ${CMAKE_DL_LIBS})
endif()

function(acre_test_properties name label timeout processors)
  if(CMAKE_CROSSCOMPILING)
    math(EXPR timeout "4 * ${timeout}")
  endif()
  # LeakSanitizer misses libraries that stay loaded. The stall watch reads stacks.
  set(environment
      "ASAN_OPTIONS=detect_stack_use_after_return=0"
      "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks.txt:print_suppressions=0"
      "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/races.txt:print_suppressions=0"
      "UBSAN_OPTIONS=print_stacktrace=1")
  # A job of Open MPI that ends removes folders that another is making.
  string(MD5 folder ${name})
  string(SUBSTRING ${folder} 0 8 folder)
  list(APPEND environment "OMPI_MCA_orte_tmpdir_base=${CMAKE_BINARY_DIR}/openmpi/${folder}")
  if(ACRE_HAVE_OFI AND label MATCHES "ofi|provider")
    list(APPEND environment "LD_PRELOAD=$<TARGET_FILE:acre-no-kernel-symbols>")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT ${timeout}
                       PROCESSORS ${processors} ENVIRONMENT "${environment}")
endfunction()

function(acre_add_test name label timeout processors)
  add_test(NAME ${ACRE_TEST_PREFIX}${name} COMMAND ${ARGN})
  acre_test_properties(${ACRE_TEST_PREFIX}${name} "${label}" ${timeout} ${processors})
endfunction()

function(acre_add_script_test name label timeout processors script)
  acre_add_test(${name} "${label}" ${timeout} ${processors}
                ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
endfunction()

# One test per executable. Suites *AtLength in ARGN are another, for make test-long.
function(acre_add_unit_tests target)
  string(REGEX REPLACE "^acre-(.*)-test$" "\\1" name ${target})
  set(filter ${ACRE_TEST_UNIT_FILTER})
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} long_cases REGEX "^TEST.*AtLength,")
    if(NOT long_cases)
      continue()
    endif()
    string(FIND "${filter}" - left_out)
    if(left_out EQUAL -1)
      string(APPEND filter "-")
    else()
      string(APPEND filter ":")
    endif()
    string(APPEND filter "*AtLength.*")
    acre_add_test(${name}.unit.long "unit;long" 600 1
                  ${target} --gtest_brief=1 --gtest_filter=*AtLength.*)
    break()
  endforeach()
  acre_add_test(${name}.unit unit 120 1 ${target} --gtest_brief=1 --gtest_filter=${filter})
endfunction()

#   acre_add_job(NAME TARGET LABEL SIZE [ARGUMENTS …] [SETTINGS VARIABLE=VALUE …] [TIMEOUT SECONDS])
function(acre_add_job name target label size)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "TIMEOUT" "ARGUMENTS;SETTINGS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 240)
  endif()
  # + replaces a semicolon, which would split the list.
  string(REPLACE "+" "\\;" settings "${arg_SETTINGS}")
  add_test(NAME ${name} COMMAND env ${settings} $<TARGET_FILE:acre-tool> run
           -n ${size} $<TARGET_FILE:${target}> ${arg_ARGUMENTS})
  # Oversubscribed jobs slow each other down. They start first, together with unit tests.
  set(processors ${size})
  set(cost 0)
  if(size GREATER 4)
    set(processors 3)
    set(cost ${size})
  elseif(size GREATER 2)
    set(processors 2)
  endif()
  acre_test_properties(${name} "${label}" ${arg_TIMEOUT} ${processors})
  set_tests_properties(${name} PROPERTIES COST ${cost})
endfunction()

# 7x3: 7 ranks, 3 on each node but the last.
function(acre_add_shaped_job name target shape label)
  string(REPLACE "x" ";" numbers ${shape})
  list(GET numbers 0 size)
  list(GET numbers 1 ranks_per_node)
  acre_add_job(${name}.shape.${shape} ${target} "${label}" ${size} ${ARGN}
               SETTINGS ACRE_RANKS_PER_NODE=${ranks_per_node})
endfunction()

# `kind` is smp, ofi, or ofi.shape, whose size is a shape.
function(acre_label_job result kind size few)
  string(REGEX REPLACE "\\..*" "" label ${kind})
  string(REGEX REPLACE ".*\\." "" form ${kind})
  set(${result} ${label} PARENT_SCOPE)
  if(few AND NOT ACRE_TEST_PREFIX AND "${form}.${size}" IN_LIST ACRE_TEST_LONG)
    set(${result} "${label};long" PARENT_SCOPE)
  endif()
endfunction()

# Jobs of all sizes and shapes: NAME.smp.4, NAME.shape.7x3.
#   acre_add_jobs(NAME TARGET [FEW] [LONG] [arguments of acre_add_job])
# LONG: in make test-long only.
function(acre_add_jobs name target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "FEW;LONG" "" "")
  set(job_arguments ${arg_UNPARSED_ARGUMENTS})
  set(long "")
  if(arg_LONG)
    set(long ";long")
  endif()
  foreach(size IN LISTS ACRE_TEST_SMP_SIZES)
    acre_label_job(labels smp ${size} ${arg_FEW})
    acre_add_job(${name}.smp.${size} ${target} "${labels}${long}" ${size} ${job_arguments})
  endforeach()
  if(ACRE_HAVE_NETWORK)
    foreach(size IN LISTS ACRE_TEST_OFI_SIZES)
      acre_label_job(labels ofi ${size} ${arg_FEW})
      acre_add_job(${name}.ofi.${size} ${target} "${labels}${long}" ${size} ${job_arguments}
                   SETTINGS ACRE_RANKS_PER_NODE=1)
    endforeach()
    foreach(shape IN LISTS ACRE_TEST_NODE_SHAPES)
      acre_label_job(labels ofi.shape ${shape} ${arg_FEW})
      acre_add_shaped_job(${name} ${target} ${shape} "${labels}${long}" ${job_arguments})
    endforeach()
  endif()
endfunction()

# Rank tests at all sizes, in one node and over libfabric.
#   acre_add_rank_tests(TARGET [FEW] [SMOKE] [LAUNCHERS] [COLLECTIVES])
# - FEW: slow: leaves ACRE_TEST_LONG to make test-long.
# - SMOKE: cases *Smoke* also over each provider.
# - COLLECTIVES: team and collective cases also at more sizes.
# - LAUNCHERS: also by Open MPI's mpirun and MPICH's mpiexec.
function(acre_add_rank_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FEW;SMOKE;LAUNCHERS;COLLECTIVES" "" "")
  string(REGEX REPLACE "^acre-(.*)-ranks-test$" "\\1" name ${target})
  set(name ${ACRE_TEST_PREFIX}${name})
  set(few ${ARGN})
  list(FILTER few INCLUDE REGEX ^FEW$)
  acre_add_jobs(${name} ${target} ${few} ARGUMENTS --gtest_brief=1)
  if(NOT ACRE_HAVE_NETWORK)
    return()
  endif()
  if(arg_COLLECTIVES)
    set(groups
        "AllToAll*:Barrier*:Broadcast*:Collectives*:Gathering*:Mismatch*:Reduction*:Team*")
    foreach(shape IN LISTS ACRE_TEST_COLLECTIVE_SHAPES)
      acre_label_job(labels ofi.shape ${shape} TRUE)
      acre_add_shaped_job(${name} ${target} ${shape} "${labels}"
                          ARGUMENTS --gtest_brief=1 --gtest_filter=${groups})
    endforeach()
  endif()
  if(arg_SMOKE AND ACRE_HAVE_OFI)
    foreach(provider IN LISTS ACRE_TEST_PROVIDERS)
      acre_add_job(${name}.provider.${provider} ${target} provider 2
                   ARGUMENTS --gtest_brief=1 --gtest_filter=*Smoke*
                   SETTINGS ACRE_RANKS_PER_NODE=1 ACRE_OFI_PROVIDER=${provider})
    endforeach()
  endif()
  if(arg_LAUNCHERS AND ACRE_TEST_PROJECT)
    acre_add_launcher_test(${name}.launcher.openmpi ${target} mpirun.openmpi openmpi-bin 3
                           --allow-run-as-root --oversubscribe)
    # The default with enough cores.
    acre_add_launcher_test(${name}.launcher.openmpi-bound ${target} mpirun.openmpi openmpi-bin 2
                           --allow-run-as-root --oversubscribe --bind-to core:overload-allowed)
    acre_add_launcher_test(${name}.launcher.mpich ${target} mpiexec.hydra mpich 3)
  endif()
endfunction()

# Fails if the launcher is not installed.
function(acre_add_launcher_test name target launcher package size)
  find_program(LAUNCHER_${launcher} ${launcher})
  if(LAUNCHER_${launcher})
    add_test(NAME ${name} COMMAND ${LAUNCHER_${launcher}} ${ARGN} -n ${size}
             $<TARGET_FILE:${target}> --gtest_brief=1 --gtest_filter=*Smoke*)
  else()
    add_test(NAME ${name} COMMAND sh -c
             "echo '${launcher} is not installed: apt-get install ${package}'; exit 1")
  endif()
  acre_test_properties(${name} launcher 120 2)
endfunction()

# `prefix`-test and `prefix`-ranks-test of FOLDERS and FUZZ. RANKS: for acre_add_rank_tests.
function(acre_add_tests_of prefix)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FUZZ" "FOLDERS;LIBRARIES;DEFINES;RANKS")
  set(definitions ${arg_DEFINES})
  if(arg_FUZZ)
    list(APPEND arg_FOLDERS ${PROJECT_SOURCE_DIR}/${arg_FUZZ})
    list(APPEND definitions ACRE_FUZZ_SEEDS="${PROJECT_SOURCE_DIR}/${arg_FUZZ}/seeds")
  endif()
  acre_sources(tests TESTS ${arg_FOLDERS})
  if(tests AND NOT ACRE_TEST_MODULES)
    acre_test_units(units ${prefix}-test ${tests})
    acre_add_executable(${prefix}-test "${ACRE_COLD_FLAGS}" "${units}" ${arg_LIBRARIES} GTest::gtest_main)
    target_compile_definitions(${prefix}-test PRIVATE ${definitions})
    acre_add_unit_tests(${prefix}-test ${tests})
  endif()
  acre_sources(rank_tests RANK_TESTS ${arg_FOLDERS})
  list(FILTER rank_tests INCLUDE REGEX ${ACRE_TEST_RANK_FILES})
  if(rank_tests)
    acre_add_ranks_main()
    acre_test_units(units ${prefix}-ranks-test ${rank_tests})
    acre_add_executable(${prefix}-ranks-test "" "${units};$<TARGET_OBJECTS:acre-ranks-main>"
                        ${arg_LIBRARIES} GTest::gtest)
    target_compile_definitions(${prefix}-ranks-test PRIVATE ${definitions})
    acre_add_rank_tests(${prefix}-ranks-test ${arg_RANKS})
  endif()
endfunction()

# Runs in one node and, without sanitizers, over libfabric.
function(acre_add_ends_tests name script program)
  foreach(network IN ITEMS smp ofi)
    if(network STREQUAL ofi AND (ACRE_SANITIZE OR NOT ACRE_HAVE_NETWORK))
      continue()
    endif()
    # Its jobs mostly wait.
    acre_add_script_test(${name}.${network} ${network} 240 1 ${script}
                         $<TARGET_FILE:acre-tool> $<TARGET_FILE:${program}> ${network})
  endforeach()
endfunction()

function(acre_add_tests_of_module module)
  set(folders "")
  set(libraries acre acre-private-headers)  # tests use private parts of modules
  get_property(modules GLOBAL PROPERTY ACRE_MODULES)
  list(FILTER modules INCLUDE REGEX "^${module}(/|$)")
  foreach(each IN LISTS modules)
    acre_module_folders(found ${each})
    list(APPEND folders ${found})
    foreach(trait IN ITEMS LIBRARY NEEDS TESTED_WITH)
      acre_declared(found ${each} ${trait})
      list(APPEND libraries ${found})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_NAME_IF_EXISTS:\\1>")
  foreach(trait IN ITEMS TESTS LONG NOT_LONG WITHOUT_SHAPES FUZZ TEST_DEFINES)
    acre_declared(${trait} ${module} ${trait})
  endforeach()
  list(APPEND ACRE_TEST_LONG ${LONG})
  list(REMOVE_ITEM ACRE_TEST_LONG ${NOT_LONG})
  list(REMOVE_ITEM ACRE_TEST_NODE_SHAPES ${WITHOUT_SHAPES})
  acre_add_tests_of(acre-${module} FOLDERS ${folders} LIBRARIES ${libraries} FUZZ ${FUZZ}
                    DEFINES ${TEST_DEFINES} RANKS ${TESTS})
  if(TARGET acre-${module}-ranks-test)
    target_compile_options(acre-${module}-ranks-test PRIVATE ${ACRE_RANK_TEST_FLAGS})
  endif()
endfunction()

function(acre_add_module_tests)
  get_property(modules GLOBAL PROPERTY ACRE_MODULES)
  list(FILTER modules EXCLUDE REGEX /)
  list(REMOVE_ITEM modules ${ACRE_TEST_MODULES_LEFT_OUT})
  foreach(module IN LISTS modules)
    acre_declared(library ${module} LIBRARY)
    if(TARGET ${library} AND (NOT ACRE_TEST_MODULES OR module IN_LIST ACRE_TEST_MODULES))
      acre_add_tests_of_module(${module})
    endif()
  endforeach()
  # Its transpositions are those of the programs.
  acre_make_wide(acre-algorithm-ranks-test)
endfunction()

function(acre_add_program_tests)
  if(ACRE_TEST_MODULES)
    return()
  endif()
  set(folders ${PROJECT_SOURCE_DIR}/tools/acre)
  if(TARGET acre-map-parts)
    list(APPEND folders ${PROJECT_SOURCE_DIR}/tools/acre/map)
  endif()
  if(TARGET acre-tool-parts)
    acre_add_tests_of(acre-tool FOLDERS ${folders}
                      LIBRARIES acre-tool-parts $<TARGET_NAME_IF_EXISTS:acre-map-parts>)
  endif()
  if(NOT ACRE_BUILD_PROGRAMS)
    return()
  endif()
  set(job_sizes ${ACRE_TEST_SMP_SIZES})
  foreach(long IN LISTS ACRE_TEST_LONG)
    string(REGEX REPLACE "^smp[.]" "" size ${long})
    list(REMOVE_ITEM job_sizes ${size})
  endforeach()
  list(JOIN job_sizes "," job_sizes)
  acre_chosen_apps(apps)
  foreach(app IN LISTS apps)
    set(libraries acre acre-program-needs)
    if(TARGET acre-${app}-parts)
      set(libraries acre-${app}-parts)
    endif()
    set(folder ${PROJECT_SOURCE_DIR}/apps/${app})
    acre_sources(tests TESTS ${folder})
    acre_sources(rank_tests RANK_TESTS ${folder})
    set_source_files_properties(${tests} ${rank_tests} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    acre_declared(fuzz acre-${app} FUZZ)
    acre_add_tests_of(acre-app-${app} FOLDERS ${folder} LIBRARIES ${libraries} FUZZ ${fuzz} RANKS FEW
                      DEFINES ACRE_TEST_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
                              ACRE_TEST_DATA="${PROJECT_SOURCE_DIR}/data"
                              ACRE_TEST_JOB_SIZES=${job_sizes}
                              ACRE_TEST_NETWORK=${ACRE_HAVE_NETWORK})
    acre_make_wide(acre-app-${app}-test acre-app-${app}-ranks-test)
    foreach(test IN ITEMS acre-app-${app}-test acre-app-${app}-ranks-test)
      if(TARGET ${test} AND TARGET acre-${app})
        add_dependencies(${test} acre-${app} acre-tool)
      endif()
    endforeach()
  endforeach()
endfunction()

# Budgets need optimised, unchecked code.
function(acre_add_budget_tests)
  acre_sources(sources PLAIN ${PROJECT_SOURCE_DIR}/tests/budgets)
  if(ACRE_CHECKS OR ACRE_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL Release)
    return()
  endif()
  add_custom_target(budgets)
  acre_add_ranks_main()
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    acre_add_executable(budget-${name} "" "${source};$<TARGET_OBJECTS:acre-ranks-main>" acre
                        acre-private-headers GTest::gtest $<TARGET_NAME_IF_EXISTS:acre-${name}>)
    set_target_properties(budget-${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(budgets budget-${name} acre-tool)
    set(test ${ACRE_TEST_PREFIX}budget.${name})
    acre_add_job(${test}.smp budget-${name} budget 2 ARGUMENTS --gtest_brief=1)
    if(ACRE_HAVE_NETWORK)
      acre_add_job(${test}.ofi budget-${name} budget 2 ARGUMENTS --gtest_brief=1
                   SETTINGS ACRE_RANKS_PER_NODE=1)
    endif()
  endforeach()
endfunction()

function(acre_add_example_tests)
  if(NOT ACRE_TEST_PROJECT)
    return()
  endif()
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER targets INCLUDE REGEX "^(example-.*|readme-example)$")
  foreach(target IN LISTS targets)
    acre_add_test(${target} project 60 2 acre-tool run -n 4 $<TARGET_FILE:${target}>)
  endforeach()
endfunction()

function(acre_add_guide_tests)
  if(NOT ACRE_TEST_PROJECT OR NOT ACRE_BUILD_PROGRAMS)
    return()
  endif()
  set(script tests/guide/chapter.py)
  acre_add_script_test(guide.pages project 60 1 ${script} pages ${PROJECT_SOURCE_DIR})
  set(shapes node)
  set(labels_node project)
  set(labels_network project ofi)
  if(ACRE_HAVE_NETWORK)
    list(APPEND shapes network)
  endif()
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER targets INCLUDE REGEX "^guide-")
  foreach(target IN LISTS targets)
    string(REGEX REPLACE "^guide-" "" program ${target})
    foreach(shape IN LISTS shapes)
      acre_add_script_test(guide.${program}.${shape} "${labels_${shape}}" 60 2 ${script} output
                           ${PROJECT_SOURCE_DIR} $<TARGET_FILE_DIR:${target}> ${program} ${shape})
    endforeach()
  endforeach()
endfunction()

macro(acre_add_shmem_examples)
  if(ACRE_BUILD_PROGRAMS AND ACRE_TEST_PROJECT)
    add_subdirectory(examples/shmem)
  endif()
endmacro()

function(acre_add_project_tests)
  if(NOT ACRE_TEST_PROJECT)
    return()
  endif()
  # Independent of this build.
  find_program(ACRE_USERS_COMPILER NAMES g++ c++ REQUIRED)
  acre_add_script_test(project.dependencies project 60 1 tools/lint/dependencies.py ${PROJECT_SOURCE_DIR})
  acre_add_script_test(project.dependencies-finds-violations project 60 1 tools/lint/dependencies_test.py)
  acre_add_script_test(project.words project 60 1 tools/lint/words.py ${PROJECT_SOURCE_DIR})
  acre_add_script_test(project.words-finds-violations project 60 1 tools/lint/words_test.py)
  acre_add_script_test(project.modules project 60 1 tools/modules --check)
  acre_add_script_test(project.installed-headers project 60 1 tools/lint/installed_headers.py
                       ${PROJECT_SOURCE_DIR} --check)
  acre_add_script_test(project.packaging project 60 1 tests/packaging/packaging_test.py ${PROJECT_SOURCE_DIR})
  acre_add_script_test(project.dist project 60 1 tests/packaging/dist_test.py ${PROJECT_SOURCE_DIR})
  if(NOT ACRE_NATIVE)
    acre_add_script_test(project.portable project 60 1 tests/install/portable_test.py
                         ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  endif()
  acre_add_script_test(project.header-weight project 60 1 tests/compile_time/weight.py
                       --compiler ${ACRE_USERS_COMPILER})
  if(NOT ACRE_SANITIZE)
    acre_add_test(project.install project 300 1 ${PROJECT_SOURCE_DIR}/tests/install/check
                  ${CMAKE_BINARY_DIR} ${CMAKE_COMMAND} ${ACRE_USERS_COMPILER})
  endif()
endfunction()

macro(acre_add_test_folders)
  if(NOT ACRE_TEST_MODULES)
    acre_folders(test_folders tests)
    list(REMOVE_ITEM test_folders install ${ACRE_TEST_FOLDERS_LEFT_OUT})
    foreach(folder IN LISTS test_folders)
      if(EXISTS ${PROJECT_SOURCE_DIR}/tests/${folder}/CMakeLists.txt)
        add_subdirectory(tests/${folder})
      endif()
    endforeach()
  endif()
endmacro()

# Ranks of capi/INTERFACE/tests/X.c must return 0; `left_out` matches excluded names.
function(acre_add_c_tests interface library left_out)
  if(NOT library IN_LIST ACRE_TEST_C_LIBRARIES)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/capi/${interface}/tests/*.c
                                      ${PROJECT_SOURCE_DIR}/capi/${interface}/tests/*.cpp)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    if(stem MATCHES "${left_out}")
      continue()
    endif()
    set(target ${library}-test-${stem})
    acre_add_c_program(${target} ${library} ${source})
    acre_add_jobs(${ACRE_TEST_PREFIX}${library}.${stem} ${target} FEW)
  endforeach()
endfunction()

function(acre_add_c_interface_tests)
  # AddressSanitizer's locks are static data, which ranks share: fork() unlocks them in the child
  # before it has a copy, so twice.
  set(no_children "^$")
  if(ACRE_SANITIZE)
    set(no_children "^children$")
  endif()
  acre_add_c_tests(shmem shmem ${no_children})
  acre_add_c_tests(gasnet gasnet-seq ^par_)
  # Only locks and threads differ: fewer jobs.
  set(ACRE_TEST_SMP_SIZES 3)
  set(ACRE_TEST_OFI_SIZES 2)
  set(ACRE_TEST_NODE_SHAPES "")
  acre_add_c_tests(shmem shmem-checked ${no_children})
  acre_add_c_tests(gasnet gasnet-parsync ^par_)
  acre_add_c_tests(gasnet gasnet-par "^$")
  if(shmem IN_LIST ACRE_TEST_C_LIBRARIES AND shmem-checked IN_LIST ACRE_TEST_C_LIBRARIES
     AND NOT ACRE_SANITIZE)
    add_subdirectory(capi/shmem/tests/misuse)
  endif()
endfunction()
