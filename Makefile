# Two commands to know: `make serve` plays, `make test` proves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: serve test setup check format lint types docs bench clean

serve: setup            ## sit down at the table
	$(BIN)/retruco serve

test: setup             ## run the whole suite
	$(BIN)/pytest -q -n 2 --dist loadscope --no-loadscope-reorder

setup: $(READY)         ## make .venv with everything pinned

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Retruco needs Python 3.11 or later, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

check: lint types test  ## what CI runs: format, lint, types, tests (docs are tested with them)

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: setup
	$(BIN)/mypy

format: setup           ## put the code into house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup             ## run every example in README and docs
	$(BIN)/pytest -q README.md docs tests/test_docs.py

bench: setup            ## print measured ratios, side by side with peers
	$(BIN)/python benchmarks/engine.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
