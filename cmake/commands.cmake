# SPDX-License-Identifier: BSD-3-Clause
# Installs manual pages and completions.
if(ACRE_LAUNCHER OR CMAKE_CROSSCOMPILING)
  return()
endif()
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "Manual pages and completions are left out: Python 3 is missing")
  return()
endif()
set(commands $<TARGET_FILE:acre-tool>)
foreach(app IN LISTS apps)
  if(TARGET acre-${app})
    list(APPEND commands $<TARGET_FILE:acre-${app}>)
  endif()
endforeach()
list(JOIN commands "\" \"" commands)
set(share ${CMAKE_CURRENT_BINARY_DIR}/commands)
install(CODE "
  file(REMOVE_RECURSE \"${share}\")
  execute_process(COMMAND \"${Python3_EXECUTABLE}\" -B
                          \"${PROJECT_SOURCE_DIR}/tools/commands/write.py\" \"${share}\"
                          ${PROJECT_VERSION}
                          \"${ACRE_SHMEM_COMMAND_PREFIX}{}${ACRE_SHMEM_COMMAND_SUFFIX}\" \"${commands}\"
                  RESULT_VARIABLE status ERROR_VARIABLE problem)
  if(NOT status EQUAL 0)
    message(STATUS \"Manual pages and completions are left out: \${problem}\")
  endif()" COMPONENT tools)
install(DIRECTORY ${share}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools OPTIONAL)
foreach(shell IN ITEMS bash-completion zsh fish)
  install(DIRECTORY ${share}/${shell} DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT tools OPTIONAL)
endforeach()
