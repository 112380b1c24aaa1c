# The targets people type. Each one checks first that the computer has what it needs (scripts/setup) and is a few
# lines over CMake, which does the work. `make help` lists them.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
LINT_COMPILERS ?= gcc clang

# `make CC=clang` is passed on; make's own default is not. `make CUDA=1` builds the backend of CUDA devices. With
# `make WERROR=1` a warning of the compiler is an error.
compiler = $(if $(filter-out default,$(origin CC)),-DCMAKE_C_COMPILER=$(CC)) $(if $(CUDA),-DLEMAN_CUDA=$(if $(filter 0,$(CUDA)),OFF,ON)) \
	$(if $(WERROR),-DLEMAN_WERROR=ON)
# $(call configure,folder,options) and $(call compile,folder): one folder for each way of building.
configure = cmake -S . -B $(1) -G Ninja --log-level=NOTICE $(2) >/dev/null
compile = cmake --build $(1) --parallel $(JOBS)
# The tests find Python packages in build/venv. What was skipped is the last thing printed, with its reason; with
# LEMAN_STRICT_SKIPS=1, as in CI, a skip that tests/skips-allowed does not have is a failure.
check = scripts/python-environment build && \
	ctest --test-dir $(1) --output-on-failure --parallel $(JOBS) --no-tests=error && scripts/skips $(1)

.PHONY: all program demo test wheel wheel-cuda wheels debian docs cuda bench bench-page reproduce asan other-architecture valgrind fuzz mutate lint install fresh clean help
.DEFAULT_GOAL := all

all: ## build/leman, build/libleman.so and build/libleman.a, optimised
	@scripts/setup build
	@$(call configure,build,$(compiler))
	@$(call compile,build)

program:
	@scripts/setup build
	@$(call configure,build,$(compiler))
	@$(call compile,build) --target leman_program

demo: program ## what Leman can do, without any data
	@build/leman demo

test: ## build, then every test
	@scripts/setup build test
	@$(call configure,build,$(compiler))
	@$(call compile,build)
	@$(call check,build)

wheel: ## the Python package as build-wheel/leman-*.whl, tried in an empty virtual environment
	@scripts/setup build wheel
	@scripts/wheel build-wheel

wheel-cuda: wheel ## the package leman-cuda, the library with the CUDA backend, as build-wheel-cuda/leman_cuda-*.whl; needs nvcc
	@scripts/wheel build-wheel-cuda cuda

other_machine = $(if $(filter x86_64,$(shell uname -m)),aarch64,x86_64)
wheels: wheel ## the wheels of x86-64 and 64-bit Arm, with all checks: types, every Python that is found, the source distribution
	@scripts/check-wheel build-wheel build-wheel/leman-*.whl full
	@scripts/wheel build-wheel-$(other_machine) $(other_machine)

debian: ## packages for Debian in build-debian/, checked by lintian; DEBIAN=bookworm: built and tried in bare systems of it (root)
	@scripts/setup $(if $(DEBIAN),debian fresh,build debian)
	@scripts/debian build-debian $(DEBIAN)

docs: all ## the site in build-docs/site: tutorials, gallery, pages, reference of commands, C and Python
	@scripts/setup build docs
	@scripts/docs build-docs build/leman
	@scripts/docs-look build-docs/site

bench: all ## build and run the benchmarks: ratios, side by side
	@$(call compile,build) --target bench_programs
	@scripts/bench build

bench-page: all ## build/benchmarks.md and .html: Leman beside other tools on this machine; BENCH_PAGE="--quick" for a trial
	@$(call compile,build) --target bench_svm
	@scripts/python-environment build
	@PYTHONPATH=build/python scripts/python-environment build bench/page/__main__.py $(BENCH_PAGE)

reproduce: all ## the published tables again, for hours; REPRODUCE="--repetitions 1 --only PTC_FM" for less, "--help" for all
	@scripts/python-environment build
	@PYTHONPATH=build/python scripts/python-environment build reproduce/__main__.py --folder build $(REPRODUCE)

cuda: ## the program for CUDA devices in build-cuda/, and its tests of them (CUDA_TESTS=0: the program alone)
	@scripts/setup build test
	@$(call configure,build-cuda,-DLEMAN_CUDA=ON $(compiler))
	@$(call compile,build-cuda) $(if $(filter 0,$(CUDA_TESTS)),--target leman_program)
	@$(if $(filter 0,$(CUDA_TESTS)),,ctest --test-dir build-cuda --output-on-failure -R '^cuda_|refine_device')

# `make test` has the signedness of char of this architecture, this has the other one; OTHER_CHAR=0: the same.
asan_char = -DLEMAN_OTHER_CHAR=$(if $(filter 0,$(OTHER_CHAR)),OFF,ON)
asan: ## the tests under ASan and UBSan, with the other signedness of char (OTHER_CHAR=0: with this machine's)
	@scripts/setup build test
	@$(call configure,build-asan,-DLEMAN_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo $(asan_char) $(compiler))
	@$(call compile,build-asan)
	@$(call check,build-asan)

other-architecture: ## a sample of the tests for the other architecture, in qemu; ALL=1: the longest tests, too
	@ALL=$(ALL) scripts/other-architecture $(JOBS)

valgrind: ## the C tests under valgrind
	@scripts/setup build test valgrind
	@$(call configure,build-valgrind,-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DLEMAN_LAUNCHER=$(CURDIR)/scripts/memcheck" $(compiler))
	@$(call compile,build-valgrind)
	@$(call check,build-valgrind)

fuzz: ## every reader against libFuzzer, FUZZ_SECONDS=60 each
	@scripts/setup build fuzz
	@$(call configure,build-fuzz,-DLEMAN_FUZZ=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang)
	@$(call compile,build-fuzz)
	@scripts/fuzz build-fuzz $(FUZZ_SECONDS) $(JOBS)

mutate: ## small faults in a copy of the library, and whether the tests notice; MUTATE="src/svm --mutants 40"
	@scripts/setup build test
	@scripts/mutate $(MUTATE)

lint: ## formatting, static analysis, and no warnings from gcc and clang (LINT_COMPILERS=: without compiling)
	@scripts/setup build test lint
	@scripts/lint $(JOBS) $(LINT_COMPILERS)

install: all ## into PREFIX (/usr/local), under DESTDIR if given
	@cmake --install build --prefix "$(PREFIX)"

fresh: ## the README's commands on a bare Debian in a scratch folder (root); FRESH="trixie", FRESH="noble", FRESH="bookworm arm64 'make demo'"
	@scripts/setup fresh
	@scripts/fresh $(FRESH)

clean: ## remove what was built
	@rm -rf build build-*

help: ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' Makefile | expand -t 28
