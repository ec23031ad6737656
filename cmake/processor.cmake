# SPDX-License-Identifier: BSD-3-Clause
# ACRE_NATIVE: code for the processor that builds. acre/base/required_processor.cpp, which refuses
# others, is told what the compiler uses.
if(NOT ACRE_NATIVE)
  return()
endif()
add_compile_options(-march=native)

# As in __builtin_cpu_supports(): all compilers, then newer ones.
set(known sse3 ssse3 sse4.1 sse4.2 popcnt aes pclmul avx avx2 bmi bmi2 fma avx512f avx512bw avx512cd avx512dq
    avx512vl avx512vbmi avx512ifma avx512vnni avx512bitalg avx512vbmi2 avx512vpopcntdq avx512bf16 gfni vpclmulqdq)
set(known_to_newer f16c lzcnt movbe adx sha vaes avxvnni avx512fp16)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
                OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
include(CheckCXXSourceCompiles)
list(JOIN known_to_newer "\") + __builtin_cpu_supports(\"" calls)
check_cxx_source_compiles("int main() { return __builtin_cpu_supports(\"${calls}\"); }" ACRE_NEWER_FEATURES)
if(ACRE_NEWER_FEATURES)
  list(APPEND known ${known_to_newer})
endif()
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
set_source_files_properties(${PROJECT_SOURCE_DIR}/acre/base/required_processor.cpp PROPERTIES
                            COMPILE_DEFINITIONS "ACRE_NATIVE_PROCESSOR=\"${processor}\";ACRE_NATIVE_FEATURES=${required}"
                            SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
if(required)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/acre/base/required_processor.cpp PROPERTY COMPILE_OPTIONS -march=x86-64)
endif()
