#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks installed trees as packagers and users of other build systems use them.

    installed_tree_test.py STATIC SHARED WORK [unittest options]

STATIC and SHARED are release builds without and with BUILD_SHARED_LIBS. WORK is for trees and programs.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "packaging/smoke-test"
SOURCE = PROGRAMS.parents[1]
STATIC, SHARED, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
C_STANDARDS = ["c89", "gnu89", "c99", "c11", "c17", "c2x"]
CXX_STANDARDS = ["c++98", "c++11", "c++14", "c++17", "c++20", "c++23", "c++26"]
VERSION = re.search(r'ACRE_VERSION "(.*)"', (SOURCE / "acre/base/version.hpp").read_text()).group(1)
MINOR = VERSION.rsplit(".", 1)[0]
count = 0


def run(*words, fails=False, cwd=None, **environment):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd, check=False,
                          timeout=1200, env={**os.environ, **environment})
    if (done.returncode != 0) != fails:
        raise AssertionError(f"{shlex.join(str(word) for word in words)}: status {done.returncode}\n"
                             f"{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def has(compiler, standard=None):
    options = [f"-std={standard}"] if standard else []
    return shutil.which(compiler) and subprocess.run(
        [compiler, *options, "-fsyntax-only", "-x", "c++" if "+" in compiler else "c", "/dev/null"],
        capture_output=True, check=False).returncode == 0


def install(build, prefix, **environment):
    run("cmake", "--install", build, "--prefix", prefix, **environment)
    return prefix


def checked(test, name):
    global count
    count += 1
    return test.subTest(name)


class Tree(unittest.TestCase):
    build = None

    @classmethod
    def setUpClass(cls):
        cls.work = WORK / cls.__name__
        shutil.rmtree(cls.work, ignore_errors=True)
        first = install(cls.build, cls.work / "installed here")
        cls.prefix = cls.work / "moved"
        first.rename(cls.prefix)
        cls.bin = cls.prefix / "bin"
        cls.pc = next(cls.prefix.rglob("acre.pc")).parent

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work, ignore_errors=True)

    def setUp(self):
        self.folder = self.work / self.id().rsplit(".", 1)[1]
        self.folder.mkdir()

    def check(self, name):
        return checked(self, name)

    def job(self, program, ranks=2, launcher="acre run"):
        command, *rest = launcher.split()
        return run(self.bin / command, *rest, "-n", ranks, program,
                   LD_LIBRARY_PATH=str(self.pc.parent))

    def greets(self, program, launcher="oshrun"):
        self.assertEqual(sorted(self.job(program, 2, launcher).split("\n")),
                         ["", "PE 0 has 1", "PE 1 has 0"])

    def pkg_config(self, package):
        return shlex.split(run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=str(self.pc)))

    def project(self, name, text, *options, fails=False, languages="C", target="all"):
        folder = self.folder / name
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject({name} LANGUAGES {languages})\n{text}\n")
        output = run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                     *options, fails=fails)
        if not fails:
            run("cmake", "--build", folder / "build", "-j", 2, "--target", target)
        return folder / "build", output


    def test_projects_in_c(self):
        for library, source in (("shmem", "shmem.c"), ("shmem-checked", "shmem.c"), ("gasnet-seq", "gasnet.c"),
                                ("gasnet-parsync", "gasnet.c"), ("gasnet-par", "gasnet.c")):
            with self.check(library):
                built, _ = self.project(library, f"""
                    find_package(acre {MINOR} REQUIRED COMPONENTS {library} tool)
                    add_executable(program {PROGRAMS}/{source})
                    target_link_libraries(program acre::{library})""")
                self.assertIn("0", self.job(built / "program"))

    def test_components(self):
        with self.check("all"):
            self.project("all", "find_package(acre REQUIRED COMPONENTS shmem shmem-checked gasnet gasnet-seq "
                                "gasnet-parsync gasnet-par sparse tool map)\n"
                                "if(NOT acre_gasnet_FOUND OR NOT TARGET acre::sparse)\n"
                                "  message(FATAL_ERROR found)\nendif()", languages="CXX")
        with self.check("unknown"):
            _, output = self.project("unknown", "find_package(acre REQUIRED COMPONENTS nonesuch)", fails=True)
            self.assertIn("nonesuch", output)
        with self.check("optional"):
            self.project("optional", "find_package(acre REQUIRED OPTIONAL_COMPONENTS nonesuch)")

    def test_versions(self):
        major, minor = (int(word) for word in MINOR.split("."))
        for wanted, accepted in ((MINOR, True), (VERSION, True), (f"{VERSION} EXACT", True),
                                 (f"{major}.{minor + 1}", False), (f"{major + 1}.0", False)):
            with self.check(wanted):
                self.project("version" + re.sub("[^0-9]", "_", wanted), f"find_package(acre {wanted} REQUIRED)",
                             fails=not accepted)

    def test_projects_in_cxx(self):
        sources = {"acre": "rank.cpp", "shmem": "shmem.c"}
        for library, source in sources.items():
            with self.check(library):
                built, _ = self.project(library, f"""
                    find_package(acre REQUIRED)
                    set_source_files_properties({PROGRAMS}/{source} PROPERTIES LANGUAGE CXX)
                    add_executable(program {PROGRAMS}/{source})
                    target_link_libraries(program acre::{library})""", languages="CXX")
                self.assertIn("0", self.job(built / "program"))

    def test_link_time_optimisation(self):
        with self.check("GCC"):
            built, _ = self.project("lto", f"""
                set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
                find_package(acre REQUIRED)
                add_executable(program {PROGRAMS}/rank.cpp)
                target_link_libraries(program acre::acre)""", "-DCMAKE_BUILD_TYPE=Release", languages="CXX")
            self.assertIn("rank 1 of 2", self.job(built / "program"))

    def test_sanitizers(self):
        for sanitizer in ("address", "undefined", "thread"):
            with self.check(sanitizer):
                program = self.folder / sanitizer
                run("g++", "-std=c++20", "-O1", f"-fsanitize={sanitizer}", PROGRAMS / "rank.cpp", "-o", program,
                    *self.pkg_config("acre"))
                self.assertIn("rank 1 of 2", self.job(program))


    def test_pkg_config(self):
        for package in ("acre-shmem", "acre-shmem-checked", "sma"):
            with self.check(package):
                program = self.folder / package
                run("gcc", PROGRAMS / "shmem.c", "-o", program, *self.pkg_config(package))
                self.greets(program)
        for package in ("acre", "acre-sparse"):
            with self.check(package):
                program = self.folder / package
                run("g++", "-std=c++20", PROGRAMS / "rank.cpp", "-o", program, *self.pkg_config(package))
                self.assertIn("rank 0 of 2", self.job(program))
        for mode in ("seq", "parsync", "par"):
            with self.check(mode):
                program = self.folder / mode
                run("gcc", PROGRAMS / "gasnet.c", "-o", program, *self.pkg_config(f"gasnet-acre-{mode}"))
                self.assertIn("greeted", self.job(program))

    def test_linkers_and_kinds_of_programs(self):
        kinds = {"plain": [], "pie": ["-fPIE", "-pie"], "no-pie": ["-no-pie"], "bfd": ["-fuse-ld=bfd"],
                 "lto": ["-flto"], "gc": ["-ffunction-sections", "-Wl,--gc-sections"],
                 "strip": ["-s"], "relro": ["-Wl,-z,relro,-z,now"]}
        folders = os.pathsep.join([os.environ["PATH"], *map(str, pathlib.Path("/usr/lib").glob("llvm-*/bin"))])
        for linker in ("gold", "lld"):
            found = shutil.which(f"ld.{linker}", path=folders)
            if found:
                kinds[linker] = [f"-fuse-ld={linker}", f"-B{pathlib.Path(found).parent}"]
                kinds[f"no-pie by {linker}"] = [*kinds[linker], "-no-pie"]
        for name, options in kinds.items():
            with self.check(name):
                run(self.bin / "oshcc", "-O1", *options, PROGRAMS / "shmem.c", "-o", self.folder / name)
                self.greets(self.folder / name)
        # Nobody else may map address 0.
        with self.check("no-pie by pkg-config, not as root"):
            public = pathlib.Path(tempfile.mkdtemp())
            public.chmod(0o755)
            run("gcc", "-no-pie", PROGRAMS / "shmem.c", "-o", public / "no-pie", *self.pkg_config("acre-shmem"))
            user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
            said = run(*user, public / "no-pie", LD_LIBRARY_PATH=str(self.pc.parent), cwd="/")
            self.assertIn("PE 0 has 0", said)
            shutil.rmtree(public)

    def test_wrappers(self):
        with self.check("a compiler of several words"):
            shown = run(self.bin / "oshcc", "-show", PROGRAMS / "shmem.c", OSHCC="env gcc")
            self.assertTrue(shown.startswith("env gcc "), shown)
            run(self.bin / "oshcc", PROGRAMS / "shmem.c", "-o", self.folder / "env", OSHCC="env gcc")
            self.greets(self.folder / "env")
        with self.check("options in OSHCC and in files"):
            (self.folder / "options").write_text("-g\n")
            for words, compiler in ((["-g"], "gcc"), ([], "gcc -g"), (["@options"], "gcc")):
                shown = run(self.bin / "oshcc", "-show", *words, PROGRAMS / "shmem.c", OSHCC=compiler, cwd=self.folder)
                self.assertIn("-lacre-shmem-checked", shown)
        with self.check("oshmem_info"):
            self.assertIn(f"OpenSHMEM 1.5 on acre {VERSION}", run(self.bin / "oshmem_info"))


    def test_standards_of_c(self):
        gasnet = ["-DGASNET_SEQ", f"-I{self.prefix}/share/acre/gasnet/include"]
        for header, options in (("shmem.h", []), ("gasnet.h", gasnet)):
            program = self.folder / "program.c"
            program.write_text(f"#include <{header}>\nint main(void) {{ return 0; }}\n")
            for compiler in filter(has, ("gcc", "clang-19")):
                for standard in C_STANDARDS:
                    with self.check(f"{header} {compiler} {standard}"):
                        run(compiler, f"-std={standard}", *options, *WARNINGS, "-fsyntax-only",
                            f"-I{self.prefix}/include", program)

    def test_standards_of_cxx(self):
        gasnet = ["-DGASNET_SEQ", f"-I{self.prefix}/share/acre/gasnet/include"]
        for header, least, options in (("shmem.h", "c++98", []), ("gasnet.h", "c++98", gasnet),
                                       ("acre/acre.hpp", "c++20", [])):
            program = self.folder / "program.cpp"
            program.write_text(f"#include <{header}>\nint main() {{ return 0; }}\n")
            for compiler in filter(has, ("g++", "clang++-19")):
                for standard in CXX_STANDARDS[CXX_STANDARDS.index(least):]:
                    if not has(compiler, standard):
                        continue
                    with self.check(f"{header} {compiler} {standard}"):
                        run(compiler, f"-std={standard}", *options, *WARNINGS, "-fsyntax-only",
                            f"-I{self.prefix}/include", program)

    def test_shmem_runs_in_the_oldest_standards(self):
        for wrapper, standard in (("oshcc", "c89"), ("oshc++", "c++98")):
            with self.check(standard):
                source = self.folder / ("a.c" if wrapper == "oshcc" else "a.cpp")
                shutil.copy(PROGRAMS / "shmem.c", source)
                generic = ["-Dshmem_p=shmem_int_p"] if standard == "c89" else []
                run(self.bin / wrapper, f"-std={standard}", "-pedantic-errors", *generic, source,
                    "-o", self.folder / standard)
                self.greets(self.folder / standard)


    def test_names_no_folder_of_the_build(self):
        with self.check("strings"):
            for path in self.prefix.rglob("*"):
                if not path.is_file():
                    continue
                content = path.read_bytes()
                for folder in (SOURCE, self.build, self.work / "installed here"):
                    self.assertFalse(str(folder).encode() in content, f"{path} contains {folder}")

    def test_destdir(self):
        with self.check("DESTDIR"):
            stage = self.folder / "stage"
            run("cmake", "--install", self.build, "--prefix", "/usr", DESTDIR=str(stage))
            self.assertEqual([path.name for path in stage.iterdir()], ["usr"])
            self.assertIn("0 has", self.job_in(stage / "usr"))

    def job_in(self, prefix):
        run(prefix / "bin/oshcc", PROGRAMS / "shmem.c", "-o", self.folder / "program")
        return run(prefix / "bin/oshrun", "-n", 2, self.folder / "program",
                   LD_LIBRARY_PATH=str(next(prefix.rglob("libacre-shmem.*")).parent))

    def test_version_names_libraries(self):
        with self.check("verbose"):
            said = run(self.bin / "acre", "--version", "--verbose")
            for word in (f"acre {VERSION}", "compiler: ", "processor: any", "checks: off", "libfabric"):
                self.assertIn(word, said)


class Static(Tree):
    build = STATIC

    def test_static_programs(self):
        with self.check("static"):
            run(self.bin / "oshcc", "-static", PROGRAMS / "shmem.c", "-o", self.folder / "static")
            self.greets(self.folder / "static")
        with self.check("static-pie"):
            self.assertIn("use -static", run(self.bin / "oshcc", "-static-pie", PROGRAMS / "shmem.c", fails=True))
        with self.check("static-pie without the wrapper"):
            run("gcc", "-static-pie", "-fPIE", PROGRAMS / "shmem.c", "-o", self.folder / "pie",
                *self.pkg_config("acre-shmem"))
            said = run(self.bin / "oshrun", "-n", 32, self.folder / "pie", fails=True)
            self.assertIn("link it with -pie or -static, not -static-pie", said)

    def test_two_prefixes(self):
        with self.check("the nearer is used"):
            other = install(self.build, self.folder / "other")
            for prefix in (self.prefix, other):
                built, _ = self.project("of_" + prefix.name, "find_package(acre REQUIRED)",
                                        f"-DCMAKE_PREFIX_PATH={prefix}")
                self.assertIn(f"acre_DIR:PATH={prefix}", (built / "CMakeCache.txt").read_text())

    def test_names_of_commands(self):
        with self.check("suffix"):
            copy = self.folder / "build"
            run("cmake", "-S", SOURCE, "-B", copy, "-DACRE_BUILD_TESTS=OFF", "-DACRE_BUILD_PROGRAMS=OFF",
                "-DACRE_SHMEM_COMMAND_PREFIX=a-", "-DACRE_SHMEM_COMMAND_SUFFIX=.acre")
            run("cmake", "--install", copy, "--prefix", self.folder / "named", "--component", "shmem")
            self.assertEqual({path.name for path in (self.folder / "named/bin").iterdir()},
                             {f"a-{name}.acre" for name in ("oshcc", "oshc++", "oshcxx", "oshrun", "oshmem_info")})

    def test_fetch_content(self):
        with self.check("a program in the build of the user"):
            built, _ = self.project("fetched", f"""
                include(FetchContent)
                FetchContent_Declare(acre SOURCE_DIR {SOURCE})
                FetchContent_MakeAvailable(acre)
                add_executable(program {PROGRAMS}/rank.cpp)
                target_link_libraries(program acre::acre)""", "-DCMAKE_BUILD_TYPE=Debug", "-DACRE_UNITY=ON",
                                    languages="C CXX", target="program")
            self.assertIn("rank 1 of 2", self.job(built / "program"))

    def test_what_was_installed_can_be_removed(self):
        with self.check("manifest"):
            prefix = install(self.build, self.folder / "gone")
            for line in (self.build / "install_manifest.txt").read_text().split("\n"):
                if line:
                    pathlib.Path(line).unlink()
            self.assertEqual([path for path in prefix.rglob("*") if not path.is_dir()], [])


class Processors(unittest.TestCase):
    """Emulated processors: without AVX, with AVX2, with AVX-512."""
    NAMES = ["Nehalem", "Haswell", "Skylake-Server"]
    EMULATOR = "qemu-x86_64-static"

    @classmethod
    def setUpClass(cls):
        cls.work = WORK / cls.__name__
        shutil.rmtree(cls.work, ignore_errors=True)
        cls.prefix = install(STATIC, cls.work / "prefix")
        if not shutil.which(cls.EMULATOR):
            raise AssertionError(f"{cls.EMULATOR} is missing: apt-get install qemu-user-static")

    def job(self, processor, *program):
        return run(self.prefix / "bin/acre", "run", "-n", 2, self.EMULATOR, "-cpu", processor, *program)

    def test_run_programs(self):
        data = SOURCE / "data"
        programs = {"rank": ("g++", "-std=c++20", PROGRAMS / "rank.cpp", "-lacre"),
                    "shmem": ("gcc", PROGRAMS / "shmem.c", "-lacre-shmem", "-lacre"),
                    "gasnet": ("gcc", "-DGASNET_SEQ", f"-I{self.prefix}/share/acre/gasnet/include",
                               PROGRAMS / "gasnet.c", "-lacre-gasnet-seq", "-lacre")}
        folder = next(self.prefix.rglob("libacre.a")).parent
        for name, (compiler, *words) in programs.items():
            run(compiler, "-static", f"-I{self.prefix}/include", f"-L{folder}", *words, "-lstdc++", "-lm",
                "-Wl,-z,max-page-size=0x400000,-z,noseparate-code", "-o", self.work / name)
        for processor in self.NAMES:
            with checked(self, f"{processor}: the launcher"):
                self.assertIn(f"acre {VERSION}", run(self.EMULATOR, "-cpu", processor, self.prefix / "bin/acre",
                                                     "--version"))
            for name in programs:
                with checked(self, f"{processor}: {name}"):
                    self.assertIn("1", self.job(processor, self.work / name))
            with checked(self, f"{processor}: k-mers"):
                histogram = self.work / processor
                self.job(processor, self.prefix / "bin/acre-kmers", "--k", 31, "--histogram", histogram,
                         data / "mtdna_hg03706.fastq.gz")
                self.assertEqual(histogram.read_text(), (data / "mtdna_hg03706_k31.histo").read_text())

    def test_a_native_build_refuses_others(self):
        with checked(self, "one line"):
            build = self.work / "native"
            run("cmake", "--preset", "packaging", "-S", SOURCE, "-B", build, "-DACRE_NATIVE=ON")
            run("cmake", "--build", build, "-j", 2, "--target", "acre-tool")
            self.assertIn(f"acre {VERSION}", run(build / "bin/acre", "--version"))
            said = run(self.EMULATOR, "-cpu", "Nehalem", build / "bin/acre", "--version", fails=True)
            self.assertIn("(ACRE_NATIVE), but this processor has no ", said)


class Shared(Tree):
    build = SHARED

    def libraries(self):
        return [path for path in self.pc.parent.glob("libacre*.so")]

    def test_sonames(self):
        for library in self.libraries():
            with self.check(library.name):
                dynamic = run("readelf", "-d", library)
                self.assertIn(f"soname: [{library.name}.{MINOR}]", dynamic)
                self.assertTrue(library.is_symlink())
                for path in re.findall(r"R(?:UN)?PATH.*\[(.*)\]", dynamic):
                    self.assertTrue(all(each.startswith("$ORIGIN") for each in path.split(":")), path)

    def test_rpm_packages(self):
        with self.check("rpm"):
            run("cpack", "-G", "RPM", "--config", self.build / "CPackConfig.cmake", "-B", self.folder / "made")
            packages = sorted((self.folder / "made").glob("*.rpm"))
            names = [run("rpm", "-qp", "--queryformat", "%{NAME}", each) for each in packages]
            self.assertEqual(names, ["acre", "acre-devel", "acre-doc", "acre-shmem", "acre-tools"])
            needs = run("rpm", "-qp", "--requires", *packages)
            self.assertIn("libacre.so", needs)
            self.assertNotIn("libmpi", needs)
            owned = run("rpm", "-qp", "--list", *packages).splitlines()
            self.assertIn("/usr/share/man/man1/acre.1", owned)
            self.assertEqual({"/usr/bin", "/usr/share/man", "/usr/share/man/man1"} & set(owned), set())
            root = self.folder / "root"
            root.mkdir()
            for each in packages:
                run("bash", "-c", 'set -o pipefail; rpm2cpio "$1" | cpio -idm --quiet', "bash", each, cwd=root)
        with self.check("the smoke test from rpm"):
            for step in ("compile", "run"):
                run(root / f"usr/share/acre/smoke-test/{step}.sh", ACRE_SMOKE_BUILD=str(self.folder / "smoke"))

    def test_exports(self):
        own = {"libacre": r"acre::", "libacre-sparse": r"acre::", "libacre-hdf5": r"acre::",
               "libacre-gasnet": r"acre_gasnet|gasnet|acre::upc::",
               "libacre-shmem": r"p?shmem|p?_(?:my|num)_pes?|p_(?:my|num)_pes?|p?start_pes|p?sh\w*(?:alloc|free|align)|acre_shmem"}
        for library in self.libraries():
            with self.check(library.name):
                pattern = own[re.match(r"libacre(?:-shmem|-gasnet|-sparse|-hdf5)?", library.name).group()]
                strangers = []
                for line in run("nm", "-DC", "--defined-only", library).splitlines():
                    name = line.split(" ", 2)[2]
                    self.assertTrue(name.endswith(f"@@ACRE_{MINOR}") or f"ACRE_{MINOR}" == name.split("@")[0], name)
                    if not re.search(rf"(?:^|[ *&])(?:{pattern})|^ACRE_|^_ZN4acre", name):
                        strangers.append(name)
                self.assertEqual(strangers, [])

    def test_needs(self):
        with self.check("few libraries"):
            needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", self.pc.parent / "libacre.so")))
            self.assertEqual(needed - {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"},
                             {"libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"})


del Tree
if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    done = unittest.main(argv=sys.argv[:1] + sys.argv[4:], exit=False).result
    print(f"{count} checks")
    sys.exit(not done.wasSuccessful())
