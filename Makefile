# SPDX-License-Identifier: BSD-3-Clause
# `make help` lists the targets.

JOBS ?= $(shell nproc)
# Ranks often wait, so three jobs of two ranks share two cores.
TEST_JOBS ?= $(shell expr 3 \* $(JOBS))
# For example `make test ARGS='-R container'`, `make bench NAME=kmers`, `make soak SECONDS=60`.
ARGS ?=
NAME ?=
SUITE ?=

MAKEFLAGS += --no-print-directory
BUILD = cmake --build $(1) -j $(JOBS)

.PHONY: all help deb deb-test demo test test-long test-packaging unit aarch64 asan tsan fuzz litmus coverage soak \
        bench budgets lint format docs docs-test install dist clean packages-build packages-test packages-unit \
        packages-lint packages-docs packages-browse packages-packaging packages-cross packages-deb packages-bench \
        packages-llvm

all: packages-build build/build.ninja ## build the library and the programs into build/
	@$(call BUILD,build)

help: ## list what one can do here
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: packages-build build/demo/build.ninja ## four ranks count the k-mers of real sequencing reads
	@$(call BUILD,build/demo) --target acre-tool acre-kmers
	@tools/demo

# Two builds, one CTest run:
#   dev      Clang, checked, -O1 (tests -O0): a third of -O3's compile time
#   budgets  GCC, optimised: instruction budgets, inlined calls
# make test-long adds sizes of jobs, `make asan` and budgets-all (optimised rank tests and C programs).
test: packages-test build/test/CTestTestfile.cmake ## build and run every test: shared memory, libfabric, budgets
	@tools/timed 'build dev' $(call BUILD,build/dev)
	@tools/timed 'build budgets' $(call BUILD,build/budgets) --target all budgets
	@tools/timed 'tests' ctest --test-dir build/test -j $(TEST_JOBS) --output-on-failure --no-tests=error -LE long $(ARGS)

test-long: test build/budgets-all/build.ninja ## the same, then sizes of jobs and programs that others stand for
	@tools/timed 'build long tests' $(call BUILD,build/dev) --target long-tests
	@tools/timed 'long tests' ctest --test-dir build/test -j $(TEST_JOBS) --output-on-failure -L long
	@$(MAKE) asan ARGS=
	@tools/timed 'build budgets-all' $(call BUILD,build/budgets-all)
	@tools/timed 'budgets-all tests' ctest --test-dir build/budgets-all -j $(TEST_JOBS) --output-on-failure -LE budget

test-packaging: packages-test packages-packaging build/packaging/build.ninja ## installed trees as packagers and other build systems use them
	@cmake --preset packaging -B build/packaging-shared -DBUILD_SHARED_LIBS=ON
	@tools/timed 'build packaging' $(call BUILD,build/packaging)
	@tools/timed 'build packaging-shared' $(call BUILD,build/packaging-shared)
	@python3 tests/install/installed_tree_test.py build/packaging build/packaging-shared build/packaging-test
	@python3 tests/install/optional_libraries_test.py build/optional-libraries
	@python3 tests/install/reproducible_test.py build/reproducible

asan: packages-test build/asan/build.ninja ## all modules with AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/timed 'build asan' $(call BUILD,build/asan)
	@tools/timed 'asan tests' ctest --test-dir build/asan -j $(TEST_JOBS) --output-on-failure --no-tests=error -LE long $(ARGS)

# Without precompiled headers: each file must include what it uses.
unit: packages-build packages-unit ## the library, the programs and the unit tests with a compiler: make unit CXX=g++-14
	@cmake --preset unit -B build/unit-$(notdir $(CXX)) -DCMAKE_CXX_COMPILER=$(CXX)
	@$(call BUILD,build/unit-$(notdir $(CXX)))
	@ctest --test-dir build/unit-$(notdir $(CXX)) -j $(JOBS) --output-on-failure --no-tests=error -L unit $(ARGS)

AARCH64_TARGETS = acre-tool $(patsubst %,acre-%-test,base fabric runtime container) \
  $(patsubst %,acre-%-ranks-test,runtime container) \
  $(patsubst %,shmem-test-%,$(basename $(notdir $(wildcard capi/shmem/tests/*.c*)))) \
  $(patsubst %,gasnet-seq-test-%,$(filter-out par_%,$(basename $(notdir $(wildcard capi/gasnet/tests/*.c*)))))
aarch64: build/aarch64/build.ninja ## cross-compile for aarch64, and run lower modules and C interfaces under QEMU
	@tools/timed 'build aarch64' $(call BUILD,build/aarch64) --target $(AARCH64_TARGETS)
	@tools/timed 'aarch64 tests' tools/under_aarch64 build/aarch64-root ctest --test-dir build/aarch64 -j $(JOBS) \
	  --output-on-failure --no-tests=error -R '^aarch64[.](base|fabric|runtime|container|shmem|gasnet-seq)[.]' -LE long $(ARGS)
	@QEMU_PAGESIZE=65536 tools/under_aarch64 build/aarch64-root build/aarch64/bin/acre-fabric-test \
	  --gtest_brief=1 --gtest_filter='SmpMemory.*'

# Suppressions need function names.
tsan: packages-test packages-llvm build/dev/build.ninja build/tsan/build.ninja ## threads of one rank with ThreadSanitizer: unit tests and small jobs
	@$(call BUILD,build/dev) --target acre-tool
	@$(call BUILD,build/tsan)
	@PATH=/usr/lib/llvm-19/bin:$$PATH ctest --test-dir build/tsan -j $(JOBS) --output-on-failure --no-tests=error -LE long $(ARGS)

SECONDS ?=
fuzz: packages-test build/fuzz/build.ninja ## each reader and decoder with random input for a minute: make fuzz SECONDS=600
	@$(call BUILD,build/fuzz) --target fuzzers
	@tools/fuzz $(or $(SECONDS),60) $(JOBS)

soak: packages-test build/dev/build.ninja ## randomised histories of all containers for half an hour: make soak SECONDS=60
	@$(call BUILD,build/dev) --target acre-soak failure-apart acre-tool
	@tools/soak $(or $(SECONDS),1800)

litmus: ## memory orders of shared-memory algorithms with the model checker GenMC, if it is installed
	@tests/litmus/run

coverage: packages-test packages-llvm build/coverage/build.ninja ## lines and functions that the tests of the library reach, by module
	@tools/coverage $(JOBS)

bench: packages-bench build/native/build.ninja ## measure against peers: make bench, make bench NAME=kmers
	@$(call BUILD,build/native) --target all benchmarks
	@python3 bench/run.py $(NAME)

lint: packages-lint packages-build packages-test build/clang/build.ninja ## formatting, clang-tidy, headers, dependencies between modules
	@tools/lint/run

format: packages-lint ## format all sources
	@tools/lint/run --fix

docs: packages-docs ## the guide, the API reference and all other documents as web pages, in build/html
	@tools/docs

docs-test: docs packages-browse ## links of these pages, and the pages in a browser
	@tests/site/site_test.py

install: all ## install to PREFIX (default /usr/local), with the web pages that make docs has built
	@cmake --install build --prefix $(or $(PREFIX),/usr/local)

dist: ## a source archive of the last commit with checksum and SBOM, in build/; signed: make dist SIGN=KEY
	@tools/dist $(SIGN)

deb: packages-build packages-deb ## Debian packages, in build/deb; of another release: make deb SUITE=trixie (as root)
	@tools/deb $(SUITE)

deb-test: deb ## check these packages by lintian, and in a clean root (as root)
	@tests/install/deb_test $(SUITE)

clean: ## remove all that was built
	@rm -rf build


packages-build:
	@tools/packages build
packages-test:
	@tools/packages build test
packages-unit:
	@tools/packages unit
packages-lint:
	@tools/packages lint
packages-docs:
	@tools/packages docs
packages-browse:
	@tools/packages docs browse
packages-llvm:
	@tools/packages llvm
packages-packaging:
	@tools/packages packaging
packages-cross:
	@tools/packages build unit cross
packages-deb:
	@tools/packages deb
packages-bench:
	@tools/packages build bench

build/build.ninja: CMakePresets.json | packages-build
	@cmake --preset release
	@touch $@
build/demo/build.ninja: CMakePresets.json | packages-build
	@cmake --preset demo
	@touch $@
build/aarch64/build.ninja: CMakePresets.json cmake/toolchains/aarch64.cmake build/aarch64-root/complete
	@cmake --preset aarch64
	@touch $@
build/aarch64-root/complete: packages.txt tools/aarch64_root | packages-cross
	@tools/aarch64_root build/aarch64-root
build/%/build.ninja: CMakePresets.json | packages-build packages-test
	@cmake --preset $*
	@touch $@

budgets: packages-test build/dev/build.ninja build/budgets/build.ninja
	@$(call BUILD,build/dev) --target acre-tool
	@$(call BUILD,build/budgets) --target budgets

# Combines the tests of the other builds.
TESTED = dev budgets
build/test/CTestTestfile.cmake: Makefile $(TESTED:%=build/%/build.ninja)
	@mkdir -p build/test
	@printf 'subdirs("%s")\n' $(TESTED:%='$(CURDIR)/build/%') > $@
