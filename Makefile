# SPDX-License-Identifier: Apache-2.0
# A short way to what CMakePresets.json and scripts/ do. `make help` lists the targets.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30

RELEASE = build/release
build_preset = cmake --preset $(1) >/dev/null && cmake --build --preset $(1)

all: ## build the library and the program (installs missing Debian packages)
	@scripts/install-packages build test
	@$(call build_preset,release)

demo: ## schedule a small shop on three zones
	@scripts/install-packages build
	@test -f $(RELEASE)/build.ninja || cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build --preset release --target kubespread
	@echo '$$ kubespread schedule -f examples/shop -n shop'
	@$(RELEASE)/kubespread schedule -f examples/shop -n shop || test $$? -eq 1 # one pod fits nowhere

test: all ## run the tests
	@ctest --preset release

check: test ## all that CI checks: format, lint, both compilers, sanitizers, tests, fuzzing
	@scripts/install-packages check
	@scripts/format --check
	@scripts/check-text
	@scripts/check-headers
	@$(call build_preset,clang) && ctest --preset clang
	@scripts/check-tidy build/clang
	@$(call build_preset,asan) && ctest --preset asan
	@$(call build_preset,tsan) && ctest --preset tsan
	@$(call build_preset,fuzz) && scripts/run-fuzzers build/fuzz $(FUZZ_SECONDS)
	@echo "make check: all passed"

bench: ## print the benchmarks' figures
	@scripts/install-packages build test
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target benchmarks
	@set -e; for bench in $(RELEASE)/bench_*; do echo "== $${bench##*/}"; $$bench; done

format: ## format the sources in place
	@scripts/install-packages check
	@scripts/format

install: all ## install under PREFIX (/usr/local), below DESTDIR if set
	@cmake --install $(RELEASE) --prefix $(PREFIX)

clean: ## remove what was built
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

.PHONY: all demo test check bench format install clean help
