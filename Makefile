# `make demo` and `make test` set up what they need, once. Everything else assumes that.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# Many a test waits for a program or a limit: on two cores, four at a time.
WORKERS ?= 4

# What is missing is installed; what is there, from wherever, is left alone.
PACKAGES := $(shell \
	command -v bwrap >/dev/null || echo bubblewrap; \
	[ -x /usr/bin/javac ] || echo default-jdk-headless; \
	[ -x /usr/bin/make ] || echo make; \
	[ -x /usr/bin/gcc ] || echo gcc; \
	[ -x /usr/bin/g++ ] || echo g++; \
	[ -x /usr/bin/swipl ] || echo swi-prolog-nox; \
	[ -e /usr/share/java/junit-jupiter-engine.jar ] || echo junit5; \
	/usr/bin/python3 -I -c 'import pytest' 2>/dev/null || echo python3-pytest; \
	[ -x /usr/bin/python3 ] || echo python3; \
	$(PYTHON) -c 'import ensurepip' 2>/dev/null || echo python3-venv)

# Only the tests look at pages in a browser, try the lighter ones of the languages, complete words in every shell, read the
# manual page, and count system calls.
DEV_PACKAGES := $(shell \
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || echo chromium; \
	command -v fish >/dev/null || echo fish; \
	command -v zsh >/dev/null || echo zsh; \
	[ -x /usr/bin/node ] || echo nodejs; \
	[ -x /usr/bin/lua5.4 ] || echo lua5.4; \
	[ -x /usr/bin/perl ] || echo perl; \
	[ -x /usr/bin/ruby ] || echo ruby; \
	[ -x /usr/bin/sqlite3 ] || echo sqlite3; \
	[ -x /usr/bin/fpc ] || echo fp-compiler; \
	[ -x /usr/bin/pypy3 ] || echo pypy3; \
	[ -x /usr/bin/pycodestyle ] || echo pycodestyle; \
	command -v groff >/dev/null || echo groff-base; \
	command -v mandoc >/dev/null || echo mandoc; \
	command -v strace >/dev/null || echo strace; \
	[ -x /usr/bin/valgrind ] || echo valgrind)

# $(call install,PACKAGES)
install = @if [ -n "$(strip $(1))" ]; then \
		echo "Installing: $(strip $(1))"; \
		$(SUDO) apt-get update -q && $(SUDO) apt-get install -y -q --no-install-recommends $(1); \
	fi

.PHONY: demo test quick test-all all-tests test-slow lint types pythons soak fuzz attacks mutants bench docs pictures setup golden clean

demo: .setup/run
	@$(BIN)/grader run sample_submissions/cmps12b-pa2/alice
	@echo
	@echo 'So that this shell finds the command `grader`, type: source $(BIN)/activate'

PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal
# What failed beside other tests is run once more alone, as a program near its time limit is measured again alone. Both runs
# are shown, and the second decides.
ALONE := echo "What failed beside others is run again alone:" && $(BIN)/pytest --exitfirst --last-failed --last-failed-no-failures none

# `test`: what is pure or needs a process or two, and a sample of each kind of case. Every other test is in `test-slow`, by its
# marker or by the table in tests/conftest.yaml. `test-all` is both in one session, which collects once and waits once for the last.
test: setup
	$(MAKE) --jobs=2 lint types quick

QUICK_TESTS := -m "not slow and not load and not soak"
SLOW_TESTS := -m "slow and not load and not soak"
LOAD_TESTS := -m "load and not soak"
ALL_TESTS := -m "not load and not soak"

quick:
	$(PYTEST) $(QUICK_TESTS) || { $(ALONE) $(QUICK_TESTS); }

test-all: setup
	$(MAKE) --jobs=2 lint types all-tests pythons
	$(BIN)/pytest $(LOAD_TESTS) || { $(ALONE) $(LOAD_TESTS); }

all-tests:
	$(PYTEST) --durations=50 --durations-min=1 $(ALL_TESTS) || { $(ALONE) $(ALL_TESTS); }

test-slow: setup
	$(MAKE) --jobs=2 --output-sync=target pythons
	$(PYTEST) --durations=50 --durations-min=1 $(SLOW_TESTS) || { $(ALONE) $(SLOW_TESTS); }
	$(BIN)/pytest $(LOAD_TESTS) || { $(ALONE) $(LOAD_TESTS); }

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

# Each Python of these that is on the machine, but for that of $(VENV): in an environment of its own, the tests that are
# quick and see what versions of Python do otherwise: processes, archives, SQLite, warnings, imports, syntax trees.
PYTHONS := 3.11 3.12 3.13 3.14
QUICK := tests/test_start_up.py tests/core/build/test_archives.py tests/results/test_store.py tests/core/oracle/test_checks.py \
	tests/check/test_source_mutants.py tests/core/report/test_report_json.py \
	tests/core/sandbox/test_outer.py::test_forks_of_one_process_load_once_what_they_begin_with

pythons: $(PYTHONS:%=.setup/python%)

.setup/python%: .setup/run FORCE
	@for each in python$* $(HOME)/.pyenv/versions/$*.*/bin/python $(HOME)/.local/share/uv/python/cpython-$*.*/bin/python; do \
		"$$each" -c '' 2>/dev/null && found="$$each" && break; \
	done; \
	if [ -z "$$found" ]; then echo "Python $*: not on this machine"; \
	elif $(BIN)/python -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != "$*")'; then echo "Python $*: that of $(VENV)"; \
	else echo "Python $*: $$found" && \
		{ [ $@/ready -nt pyproject.toml ] || { "$$found" -m venv --without-pip $@ && \
		$(BIN)/pip --python $@/bin/python install --quiet --no-compile --disable-pip-version-check \
		--config-settings editable_mode=compat --editable '.[source]' hypothesis pytest pytest-timeout && \
		touch $@/ready; }; } && \
		$@/bin/pytest -q -p no:cacheprovider $(QUICK); \
	fi

FORCE:

# Every case of every sample, some of each on a busy machine, and what repeats much. It takes half an hour; what passed on
# this tree is not run again, so that the second run has what failed beside others, one test after the other.
SOAK := -m soak -p tests.support.resume

soak: setup
	$(PYTEST) $(SOAK) || $(BIN)/pytest $(SOAK)

# Whatever reads bytes of others, with 100,000 inputs each, and every property with all its examples. It takes an hour.
fuzz: setup
	GRADER_FUZZ=100000 $(BIN)/pytest tests/test_fuzz.py -n $(WORKERS) -o timeout=0
	GRADER_FUZZ=1 $(BIN)/pytest $(shell grep -rlE "hypothesis|import examples" --include='test_*.py' tests | grep -v fuzz) -n $(WORKERS)

# Every class of attackers at both levels, as root and as a plain user (root runs both). It takes half an hour; make attacks
# IN="python java" takes some classes, BUSY=1 a machine that much else keeps busy.
BUSY ?=

attacks: setup
	$(BIN)/python -P -m tests.support.all_attacks $(if $(BUSY),--busy) $(IN)

# The judge, the totals, the limits and the comparators with one line changed, thousands of times: a test beside has to notice.
# It takes half an hour; make mutants MUTANTS=200 takes a sample, and IN="judge/totals run/" only some files.
MUTANTS ?=
IN ?=

mutants: setup
	nice $(BIN)/python bench/mutants.py $(if $(MUTANTS),--sample $(MUTANTS)) $(IN)

# All rows that do not take very long, or those that ROWS names: make bench ROWS="python class-python".
ROWS ?=

bench: setup
	$(BIN)/python bench/table.py $(ROWS)

# What is on them are samples that are graded for it; look at each before you commit it.
pictures: setup
	$(BIN)/python -m docs.generate.pictures

docs: setup
	$(BIN)/mkdocs build --strict

golden:
	GRADER_GOLDEN=write $(BIN)/pytest tests/core/report tests/results tests/core/reader/test_spec_schema.py tests/core/judge/test_every_sentence.py -q
	$(BIN)/python -m docs.generate

setup: .setup/run .setup/dev

.setup/packages: Makefile
	$(call install,$(PACKAGES))
	@mkdir -p .setup && touch $@

.setup/dev-packages: Makefile | .setup/packages
	$(call install,$(DEV_PACKAGES))
	@mkdir -p .setup && touch $@

# It compiles the starter of sandboxes beside its source; without it, each test with a cache of its own compiles it.
.setup/run: pyproject.toml setup.py grader/core/sandbox/starter.c | .setup/packages
	[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable .
	@touch $@

.setup/dev: pyproject.toml .setup/run | .setup/dev-packages
	$(BIN)/pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable '.[dev,dask,docs]'
	@touch $@

clean:
	rm -rf $(VENV) .setup reports site build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
