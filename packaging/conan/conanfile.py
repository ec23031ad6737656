# SPDX-License-Identifier: BSD-3-Clause
# Conan 2 recipe of Acre, built from the checkout that contains it.
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.scm import Version
from conan.tools.system.package_manager import Apt


class Acre(ConanFile):
    name = "acre"
    description = "One global address space for C++20 programs, with OpenSHMEM and GASNet"
    license = "BSD-3-Clause"
    topics = ("pgas", "openshmem", "gasnet", "hpc")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "checks": [True, False],
        "counters": [True, False],
        "sparse": [True, False],
        "libfabric": [True, False],
        "hdf5": [True, False],
        "blas": [True, False],
        "system_packages": [True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "checks": False,
        "counters": True,
        "sparse": True,
        "libfabric": True,
        "hdf5": False,
        "blas": False,
        "system_packages": False,
    }
    implements = ["auto_shared_fpic"]
    generators = "CMakeDeps", "PkgConfigDeps"

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "acre", "base", "version.hpp"))
        self.version = re.search(r'define ACRE_VERSION "(.*)"', header)[1]

    def export_sources(self):
        for pattern in ["CMakeLists.txt", "LICENSE", "README.md", "acre/*", "apps/*", "bench/*", "capi/*",
                        "cmake/*", "examples/*", "packaging/smoke-test/*", "tools/*"]:
            copy(self, pattern, self._root(), self.export_sources_folder)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("Acre uses system calls of Linux")
        check_min_cppstd(self, 20)
        oldest = {"gcc": 12, "clang": 16}.get(str(self.settings.compiler), 0)
        if Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration(f"C++20 requires {self.settings.compiler} {oldest}")

    def requirements(self):
        if self.options.system_packages:
            return
        self.requires("boost/[>=1.74.0]", libs=False, visible=False, options={"header_only": True})
        self.requires("cli11/[>=2.1.2]", visible=False)
        self.requires("fmt/[>=9.1.0]", visible=False)
        self.requires("nlohmann_json/[>=3.11.2]", visible=False)
        self.requires("zlib/[>=1.2.13]")
        if self.options.libfabric:
            self.requires("libfabric/[>=1.17.0]", options={"shared": True})
        if self.options.hdf5:
            self.requires("hdf5/[>=1.10.8]")
        if self.options.blas:
            self.requires("openblas/[>=0.3.21]")

    def system_requirements(self):
        if self.options.system_packages:
            Apt(self).check(["libboost-dev", "libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "zlib1g-dev"])

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "ACRE_BUILD_TESTS": False,
            "ACRE_BUILD_PROGRAMS": False,
            "ACRE_NATIVE": False,
            "ACRE_CHECKS": bool(self.options.checks),
            "ACRE_COUNTERS": bool(self.options.counters),
            "ACRE_SPARSE": bool(self.options.sparse),
            "ACRE_WITH_LIBFABRIC": "ON" if self.options.libfabric else "OFF",
            "ACRE_WITH_HDF5": "ON" if self.options.hdf5 else "OFF",
            "ACRE_WITH_BLAS": "ON" if self.options.blas else "OFF",
            "ACRE_WITH_PMIX": "OFF",
            "ACRE_WITH_XSMM": "OFF",
            "ACRE_WITH_HWLOC": "OFF",
            "ACRE_WITH_SCOTCH": "OFF",
            "ACRE_WITH_CAIRO": "OFF",
        })
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "acre"))
        self.buildenv_info.append_path("PKG_CONFIG_PATH", os.path.join(self.package_folder, "lib", "pkgconfig"))
