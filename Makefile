# Every target sets up its own .venv when it is missing or older than pyproject.toml.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PYTEST := $(BIN)/python -m pytest -n auto --durations=20
LONG := $(wildcard $(addprefix tests/test_,alphabeta.py evaluate.py index_*.py opponents.py returns.py tactics*.py twins.py values.py))

.PHONY: run test check lint bench messages pictures screenshots clean

run: $(READY)  ## start damier
	@$(BIN)/damier

test: $(READY)  ## all tests: first those that measure coverage, then the long comparisons with naive twins
	$(BIN)/python -m tools.browser
	$(PYTEST) --cov --cov-report=term $(LONG:%=--ignore=%) tests src
	$(PYTEST) $(LONG)

check: lint test  ## everything that must hold before a change lands

lint: $(READY)  ## formatting, lint, types, layers, catalogue, pictures
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.messages --check
	$(BIN)/python -m tools.pictures --check

bench: $(READY)  ## measure speed, as ratios in one run
	$(BIN)/damier bench

messages: $(READY)  ## collect the sentences into the catalogue and compile it
	$(BIN)/python -m tools.messages

pictures: $(READY)  ## draw the pictures of the documentation
	$(BIN)/python -m tools.pictures

screenshots: $(READY)  ## pictures of every page, in the folder screenshots
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.screenshots

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage* bench/build

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	touch $@
