# SPDX-License-Identifier: BSD-3-Clause
# Debian's cross compiler, libraries unpacked by tools/aarch64_root, programs run by QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(root ${CMAKE_CURRENT_LIST_DIR}/../../build/aarch64-root)
cmake_path(NORMAL_PATH root)
set(CMAKE_SYSROOT ${root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${root})
set(libraries ${root}/usr/lib/aarch64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR}
    ${libraries}/pkgconfig:${libraries}/openblas-pthread/pkgconfig:${root}/usr/share/pkgconfig)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${root})
