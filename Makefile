# Two commands to know: `make serve` plays, `make test` proves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SERVE := $(VENV)/.serve-ready
READY := $(VENV)/.dev-ready
WORKERS ?= 3
PYTEST = $(BIN)/pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder
PROGRAMS := chromium or postgresql or mariadb or loopback or ray
PINS := pyproject.toml constraints.txt install.py $(wildcard requirements/*.txt)

# The tests start some hundred processes: with bytecode on disk, none of them compiles our sources again.
test test-docs test-fast test-bare: export PYTHONDONTWRITEBYTECODE :=

# Tests at servers and browsers wait a lot: three workers keep two processors busy. The others never wait.
test-fast: WORKERS = $(shell getconf _NPROCESSORS_ONLN)

.PHONY: serve test test-docs test-fast test-bare setup check format lint types docs wheel bench clean

serve: $(SERVE)         ## serve the table in the browser; installs only what serving needs
	$(BIN)/retruco serve

test: setup             ## run the suite, with the servers and browsers that are installed
	$(BIN)/python tests/servers.py $(PYTEST) -m "not documentation"

test-docs: setup        ## do what tutorials, notebooks and guides say, and check every link of the site
	$(PYTEST) -m documentation

test-fast: setup        ## run the tests that need no server, no browser and little time
	$(PYTEST) -m "not ($(PROGRAMS) or slow)"

test-bare: setup        ## run what needs a browser or a server as on a machine that has none
	RETRUCO_TEST_HIDE="chromium postgresql mariadb" $(PYTEST) -m "$(PROGRAMS)"

setup: $(READY)         ## make .venv with everything pinned

$(SERVE): $(PINS)
	@echo "installing what serving needs into $(VENV), once"
	@$(PYTHON) install.py serve
	@$(BIN)/retruco prepare
	@touch $@

$(READY): $(PINS)
	@echo "installing everything that the checks need into $(VENV), once"
	@$(PYTHON) install.py dev
	@$(BIN)/retruco prepare
	@touch $@ $(SERVE)

check: lint types test test-docs  ## what CI runs: format, lint, types, tests, documentation

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: setup
	$(BIN)/mypy

format: setup           ## put the code into house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup             ## build the documentation site, which `make serve` then shows at /docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

wheel: docs             ## build the package with its documentation into dist/
	$(BIN)/python -m build --no-isolation

bench: setup            ## measure all speeds, side by side with peers, and write docs/speed.md
	$(BIN)/python benchmarks/speed.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
