# SPDX-License-Identifier: BSD-3-Clause
# The tree that programs of GASNet expect, installed as PREFIX/share/acre/gasnet and made in
# build/gasnet: include/*.h, include/acre-conduit/acre-MODE.mak, bin/gasnetrun_acre. pkg-config files
# are in the folder of all others.
cmake_path(SET root NORMALIZE ${CMAKE_INSTALL_PREFIX}/${ACRE_GASNET_ROOT})
set(made ${CMAKE_CURRENT_BINARY_DIR}/gasnet)
set(configured ${CMAKE_CURRENT_BINARY_DIR}/gasnet-installed)
file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/capi/gasnet
     ${PROJECT_SOURCE_DIR}/capi/gasnet/*.h ${PROJECT_SOURCE_DIR}/capi/gasnet/acre-conduit/*.h)
file(MAKE_DIRECTORY ${made}/include/acre-conduit)
foreach(header IN LISTS headers)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/capi/gasnet/${header} ${made}/include/${header} SYMBOLIC)
endforeach()
install(FILES capi/gasnet/acre-conduit/gasnet_core.h DESTINATION ${ACRE_GASNET_ROOT}/include/acre-conduit)

# `ROOT_TO_…`: paths relative to the root, so that the installed tree may be moved.
function(acre_install_gasnet mode)
  set(ACRE_GASNET_LIBRARY ${mode})
  string(TOUPPER ${mode} ACRE_GASNET_MODE)
  set(ACRE_GASNET_DEFINES "-DGASNET_${ACRE_GASNET_MODE}")
  set(ACRE_GASNET_LIBS "-lacre-gasnet-${mode} -lacre ${ACRE_PC_NEEDS}")
  foreach(ACRE_GASNET_PACKAGE IN ITEMS acre-gasnet-${mode} gasnet-acre-${mode})
    configure_file(tools/gasnet/acre-gasnet.pc.in ${configured}/${ACRE_GASNET_PACKAGE}.pc @ONLY)
    install(FILES ${configured}/${ACRE_GASNET_PACKAGE}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endforeach()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${root}
             OUTPUT_VARIABLE ACRE_ROOT_TO_LIBRARIES)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${root}
             OUTPUT_VARIABLE ACRE_ROOT_TO_HEADERS)
  configure_file(tools/gasnet/acre-conduit.mak.in ${configured}/acre-${mode}.mak @ONLY)
  install(FILES ${configured}/acre-${mode}.mak DESTINATION ${ACRE_GASNET_ROOT}/include/acre-conduit)
  cmake_path(RELATIVE_PATH PROJECT_BINARY_DIR BASE_DIRECTORY ${made}
             OUTPUT_VARIABLE ACRE_ROOT_TO_LIBRARIES)
  cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${made}
             OUTPUT_VARIABLE ACRE_ROOT_TO_HEADERS)
  configure_file(tools/gasnet/acre-conduit.mak.in ${made}/include/acre-conduit/acre-${mode}.mak @ONLY)
endfunction()
foreach(mode IN LISTS ACRE_GASNET_MODES)
  acre_install_gasnet(${mode})
endforeach()

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_BINDIR BASE_DIRECTORY ${root}
           OUTPUT_VARIABLE ACRE_ROOT_TO_PROGRAMS)
configure_file(tools/gasnet/gasnetrun_acre.in ${configured}/gasnetrun_acre @ONLY)
install(PROGRAMS ${configured}/gasnetrun_acre DESTINATION ${ACRE_GASNET_ROOT}/bin)
set(ACRE_ROOT_TO_PROGRAMS ../bin)
configure_file(tools/gasnet/gasnetrun_acre.in ${made}/bin/gasnetrun_acre @ONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
