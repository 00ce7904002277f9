# One word per command; `make` alone lists them. Needs only Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
PYTEST := $(BIN)/python -m pytest
# One more than there are cores, since some tests wait for processes and servers; four at most.
WORKERS = $(shell $(PYTHON) -c 'import os; print(min(4, len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2))')

# Each of the many processes that tests start would compile every module again where a machine forbids to keep what was compiled.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/compiled

.DEFAULT_GOAL := help
.PHONY: help up test check bench soak coverage dist floors follow docs screenshots programs clean

help:  ## List these commands.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: $(READY)  ## Run everything: embedded database, coordinator, runner and API of the bundled workflows, until Ctrl-C.
	@$(BIN)/interlock up $(ARGS)

test: check  ## Check the code, then run the tests on SQLite and on a real PostgreSQL that it brings itself.
	@echo "tests: on SQLite and PostgreSQL"
	@$(BIN)/python -m tests.servers.pgbouncer
	@$(PYTEST) -q --numprocesses $(WORKERS) --dist worksteal --ignore=tests/house $(ARGS)

check: $(READY)  ## Lint, type-check, and prove that the layers and the other rules of the house hold.
	@echo "check: ruff, mypy, import contracts, house rules"
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/ruff format --quiet --check . || { echo 'run: ruff format .' >&2; exit 1; }
	@{ $(BIN)/mypy --no-error-summary; } & types=$$!; \
		{ $(BIN)/lint-imports --no-logo > .venv/contracts.txt 2>&1 || { cat .venv/contracts.txt; false; }; } & contracts=$$!; \
		$(PYTEST) -q --numprocesses auto --maxprocesses 4 tests/house; house=$$?; \
		wait $$types && wait $$contracts && exit $$house

bench: $(READY)  ## Measure Interlock beside hand-written SQL, on both databases.
	@$(BIN)/python -m bench $(ARGS)

soak: $(READY)  ## Run the long tests: many processes, many kills, many minutes.
	@$(PYTEST) -q -m soak --timeout 7200 -o faulthandler_timeout=0 tests $(ARGS)

coverage: $(READY)  ## Measure which lines of src the tests run; takes about twice as long as `make test`.
	@$(BIN)/python -m coverage run -m pytest -q --numprocesses auto --maxprocesses 4 $(ARGS) || true
	@$(BIN)/python -m coverage combine -q
	@$(BIN)/python -m coverage report --skip-covered --sort=cover | tail -60

dist: $(READY)  ## Build wheel and sdist, install the wheel into an empty environment, and try it.
	@rm -rf build dist
	@$(BIN)/python -m tests.acceptance.distribution

floors: $(READY)  ## Install the lowest versions that pyproject.toml allows into an environment of their own, and run a selection of tests in it.
	@$(BIN)/python -m tests.acceptance.floors $(ARGS)

follow: $(READY)  ## Clone this repository into an empty folder, and type there what README, tutorials and the deploy page say.
	@$(BIN)/python -m tests.acceptance.following

docs: $(READY)  ## Write the reference pages anew from the code.
	@$(BIN)/python -m docs.generate

screenshots: $(READY)  ## Take pictures of every page of the console, in both themes and at two widths.
	@$(BIN)/python -m tests.console.screenshots

programs: $(READY)  ## Get other people's programs that tests use, outside of our environment: beancount, ledger, hledger, openapi-python-client.
	@$(PYTHON) -m venv .venv/programs
	@for one in beancount openapi-python-client; do .venv/programs/bin/pip install -q $$one || echo "$$one cannot be had here: its test is skipped" >&2; done
	@for one in ledger hledger; do command -v $$one > /dev/null || apt-get install -y -q $$one > /dev/null 2>&1 || \
		echo "$$one cannot be had here: its test is skipped; apt-get install $$one as root" >&2; done

clean:  ## Remove the environment and everything that tools left behind.
	@rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The build backend comes first, from the same pins: nothing is ever resolved on the day.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Interlock needs Python 3.11 or newer as '$(PYTHON)'; name another one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "'$(PYTHON)' has no venv or ensurepip; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "setup: installing the pinned packages into .venv (about a minute, once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt hatchling editables
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt --no-build-isolation --editable '.[postgres,service,statements,scraping,themes,dev]'
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || \
		{ echo "setup: installing Chromium for the tests of the console"; apt-get install -y -qq chromium >/dev/null 2>&1 || apt-get update -qq >/dev/null 2>&1 && apt-get install -y -qq chromium >/dev/null 2>&1; } || true
	@command -v chromium >/dev/null || \
		echo "setup: NO BROWSER. Chromium is not here and could not be installed, so the tests of the console that need one are skipped." >&2
	@touch $(READY)
