# SPDX-License-Identifier: BSD-3-Clause
# ACRE_NATIVE: code for the processor that builds. acre/base/required_processor.cpp, which refuses
# others, is told what the compiler uses.
if(NOT ACRE_NATIVE)
  return()
endif()
add_compile_options(-march=native)

# As in __builtin_cpu_supports().
set(known sse3 ssse3 sse4.1 sse4.2 popcnt avx avx2 bmi bmi2 fma avx512f avx512bw avx512cd avx512dq avx512vl
    avx512vbmi avx512ifma avx512vnni avx512bitalg avx512vbmi2 avx512vpopcntdq gfni vpclmulqdq)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
                OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
set(required "")
foreach(feature IN LISTS known)
  string(TOUPPER ${feature} macro)
  string(REPLACE "." "_" macro ${macro})
  if(macros MATCHES "#define __${macro}__ ")
    string(APPEND required "ACRE_FEATURE(\"${feature}\")")
  endif()
endforeach()
cmake_host_system_information(RESULT processor QUERY PROCESSOR_DESCRIPTION)
string(REGEX REPLACE "[^A-Za-z0-9 @.()-]" "" processor "${processor}")
if(required)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/acre/base/required_processor.cpp PROPERTIES
                              COMPILE_DEFINITIONS "ACRE_NATIVE_PROCESSOR=\"${processor}\";ACRE_NATIVE_FEATURES=${required}"
                              COMPILE_OPTIONS -march=x86-64
                              SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endif()
