# SPDX-License-Identifier: BSD-3-Clause
# Spack recipe of Acre.
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Acre(CMakePackage):
    """Acre is a C++20 library in which the ranks of a job share one global address space. It also
    implements OpenSHMEM 1.5 and GASNet-1."""

    license("BSD-3-Clause")

    test_requires_compiler = True

    generator("ninja")

    version("0.1.0")

    variant("shared", default=True, description="Build shared libraries")
    variant("checks", default=False, description="Check arguments and states at run time")
    variant("counters", default=True, description="Count operations and bytes by kind")
    variant("programs", default=True, description="Build acre map and the applications")
    variant("sparse", default=True, description="Build the library of sparse matrices")
    variant("libfabric", default=True, description="Connect nodes by libfabric")
    variant("pmix", default=True, description="Start under launchers with PMIx")
    variant("hdf5", default=True, description="Build the library of HDF5 files")
    variant("blas", default=True, description="Multiply matrices by OpenBLAS")
    variant("xsmm", default=False, description="Multiply small blocks by LIBXSMM")
    variant("mpi", default=False, description="Use an HDF5 and a Scotch with MPI")

    with when("+programs"):
        variant("hwloc", default=True, description="Read the insides of nodes from hwloc")
        variant("scotch", default=True, description="Compare mappings with Scotch's")
        variant("cairo", default=True, description="Draw pictures of mappings")

    variant(
        "shmem_prefix",
        default="none",
        values=lambda text: text == "none" or text.replace("-", "").isalnum(),
        description="Prefix of oshcc, oshrun and the other OpenSHMEM commands",
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type=("build", "test"))
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build", when="+programs")

    depends_on("boost@1.74:", type="build")
    depends_on("fmt@9.1:")
    depends_on("cli11@2.1.2:", type="build")
    depends_on("nlohmann-json@3.11.2:", type="build")
    depends_on("zlib-api")
    with when("+programs"):
        depends_on("isa-l@2.30:")
        depends_on("pugixml@1.13:")
    depends_on("libfabric@1.17: fabrics=rxm,tcp", when="+libfabric")
    depends_on("pmix@4.2.2:", when="+pmix")
    depends_on("hdf5@1.10.8:", when="+hdf5")
    depends_on("hdf5~mpi", when="+hdf5~mpi")
    depends_on("hdf5+mpi", when="+hdf5+mpi")
    depends_on("openblas@0.3.21:", when="+blas")
    depends_on("libxsmm@1.17:", when="+xsmm")
    depends_on("hwloc@2.9:", when="+hwloc")
    depends_on("scotch@7.0.3:", when="+scotch")
    depends_on("scotch~mpi", when="+scotch~mpi")
    depends_on("cairo@1.16:+svg+png", when="+cairo")
    depends_on("mpi", when="+mpi")

    conflicts("%gcc@:11", msg="C++20 requires GCC 12")
    conflicts("%clang@:15", msg="C++20 requires Clang 16")
    conflicts("+xsmm", when="~blas", msg="LIBXSMM calls a BLAS for large products")
    conflicts("platform=darwin", msg="Acre uses system calls of Linux")
    conflicts("platform=windows", msg="Acre uses system calls of Linux")

    def cmake_args(self):
        args = [
            self.define("ACRE_BUILD_TESTS", False),
            self.define("ACRE_NATIVE", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("ACRE_CHECKS", "checks"),
            self.define_from_variant("ACRE_COUNTERS", "counters"),
            self.define_from_variant("ACRE_BUILD_PROGRAMS", "programs"),
            self.define_from_variant("ACRE_SPARSE", "sparse"),
            self.define_from_variant("ACRE_WITH_LIBFABRIC", "libfabric"),
            self.define_from_variant("ACRE_WITH_PMIX", "pmix"),
            self.define_from_variant("ACRE_WITH_HDF5", "hdf5"),
            self.define_from_variant("ACRE_WITH_BLAS", "blas"),
            self.define_from_variant("ACRE_WITH_XSMM", "xsmm"),
            self.define_from_variant("ACRE_WITH_HWLOC", "hwloc"),
            self.define_from_variant("ACRE_WITH_SCOTCH", "scotch"),
            self.define_from_variant("ACRE_WITH_CAIRO", "cairo"),
        ]
        prefix = self.spec.variants["shmem_prefix"].value
        if prefix != "none":
            args.append(self.define("ACRE_SHMEM_COMMAND_PREFIX", prefix))
        return args

    def test_smoke(self):
        """compile and run programs of Acre, OpenSHMEM and GASNet"""
        scripts = self.prefix.share.acre.join("smoke-test")
        for script in ["compile.sh", "run.sh"]:
            with test_part(self, "test_smoke_" + script[:-3], purpose=script):
                Executable(scripts.join(script))()

    def test_version(self):
        """compare the version of the command acre"""
        acre = Executable(self.prefix.bin.acre)
        out = acre("--version", output=str.split, error=str.split)
        assert str(self.spec.version) in out
