# Short names for what is done often; everything is done by CMake presets and the tools/ scripts.
CXX_FILES = $(shell find src tests bench bindings -name '*.cpp' -o -name '*.h' 2>/dev/null)

.PHONY: help demo test test-pip build dev fmt tidy lint bench asan tsan docs clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z][a-z -]*:.*## /{printf "  make %-9s %s\n", $$1, $$2}' Makefile

demo: ## install, build, run Fletch against NoCache, show
	@./tools/demo

test: ## all tests and checks, from nothing
	@./tools/test

test-pip: ## the Python package through pip, in a new virtual environment
	@./tools/test-pip

build: ## bin/recirc, optimised
	@tools/bootstrap
	cmake --preset release
	ninja -C build/release recirc

dev: ## bin/recirc and the tests, warnings are errors
	@tools/bootstrap --with test
	cmake --preset dev
	ninja -C build/dev
	ctest --preset dev

fmt: ## clang-format on every C++ file
	@clang-format -i $(CXX_FILES)

tidy: ## sizes, include rules, generated docs, loose ends
	@/usr/bin/python3 tools/tidy.py

lint: ## clang-tidy on every C++ file (minutes)
	@tools/bootstrap --with test --with dev
	@tools/lint

bench: ## engine and whole-run benchmarks
	@tools/bootstrap
	cmake --preset release -DRECIRC_BENCH=ON
	ninja -C build/release bench

asan tsan: ## the C++ tests under sanitizers (minutes)
	@tools/bootstrap --with test
	cmake --preset $@
	ninja -C build/$@
	ctest --preset $@

docs: ## write the generated pages of docs/ again
	@/usr/bin/python3 tools/tidy.py --write

clean: ## remove what was built (results/ stays)
	rm -rf build bin
