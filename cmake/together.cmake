# SPDX-License-Identifier: BSD-3-Clause
# Writes a unit of test sources: cmake -P together.cmake -DUNIT=… -DSOURCES=a,b,…
#
# After all includes, each has its own namespace; sources with named namespaces are included
# unchanged.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(includes "")
set(bodies "")
foreach(source IN LISTS SOURCES)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET source STEM name)
  file(STRINGS ${source} lines REGEX "^(#include |namespace [a-z])")
  set(body "#include \"${source}\"\n")
  if(NOT "${lines}" MATCHES "(^|;)namespace ")
    set(body "namespace in_${name} {\n${body}}\n")
  endif()
  string(APPEND bodies ${body})
  list(FILTER lines INCLUDE REGEX "^#include ")
  foreach(line IN LISTS lines)
    if(line MATCHES "\"(.*)\"" AND EXISTS ${folder}/${CMAKE_MATCH_1})
      set(line "#include \"${folder}/${CMAKE_MATCH_1}\"")
    endif()
    list(APPEND includes ${line})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE ${UNIT} "${includes}\n${bodies}")
