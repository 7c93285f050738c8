# Every target first installs what it needs into .venv: `run` what playing needs, the others the development tools too.
# Tests wait for servers and browsers: with half as many workers again as cores, the cores are busy.
PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run
DEV := .venv/.dev
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
WORKERS ?= $(shell expr $(CORES) + $(CORES) / 2)
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --durations=20
COVERAGE ?=

.PHONY: run run-cluster test test-slow test-all check lint audit bench messages pictures screenshots clean

run: $(RUN)  ## start damier and open it in the browser
	@$(BIN)/damier || test $$? = 130  # Ctrl-C

run-cluster: $(DEV)  ## several servers on this machine: PostgreSQL, Redis, SERVERS=2 of damier, a proxy on PORT=8000
	@$(BIN)/python -m tools.local_cluster $(if $(SERVERS),--servers $(SERVERS)) $(if $(PORT),--port $(PORT))

test: $(DEV)  ## the tests without the slow ones; with COVERAGE=yes, how much of the code they reach
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.postgresql
	$(BIN)/python -m tools.redis
	$(BIN)/python -m tools.proxy
	$(BIN)/python -m tools.node
	$(BIN)/python -m tools.kernels
	$(PYTEST) -m "not slow" $(if $(COVERAGE),--cov --cov-report=term) tests src

test-slow: $(DEV)  ## the slow tests: long comparisons with naive twins, a hundred kills, all puzzle proofs
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.postgresql
	$(BIN)/python -m tools.redis
	$(BIN)/python -m tools.proxy
	$(PYTEST) -m slow tests

test-all: test test-slow  ## all tests

check: lint  ## everything that must hold before a change lands
	$(MAKE) test COVERAGE=yes

lint: $(DEV)  ## formatting, lint, types, layers, workflows, compose file, catalogue, pictures, the browser client
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(BIN)/zizmor --quiet --offline .github
	$(BIN)/python -m tools.messages --check
	$(BIN)/python -m tools.artwork --check
	$(BIN)/python -m tools.openapi --check
	$(BIN)/python -m tools.client_types --check
	$(BIN)/python -m tools.node
	$(BIN)/python -m tools.client_check
	$(BIN)/python -m tools.pictures --check

audit: $(DEV)  ## known vulnerabilities of the dependencies; needs registries that serve advisories
	$(PYTHON) -m venv .venv/audit
	.venv/audit/bin/pip install --quiet "pip-audit>=2.9,<3"
	.venv/audit/bin/pip-audit --strict --skip-editable --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
	cd tools/client && npm audit

bench: $(DEV)  ## measure speed, as ratios in one run
	$(BIN)/damier bench

messages: $(DEV)  ## collect the sentences into the catalogue and compile it
	$(BIN)/python -m tools.messages

pictures: $(DEV)  ## draw the pictures of the documentation, and write what the client needs of palette and artwork
	$(BIN)/python -m tools.artwork
	$(BIN)/python -m tools.pictures

screenshots: $(DEV)  ## pictures of every page, in the folder screenshots
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.screenshots

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage* bench/build tools/client/node_modules

# Stamps: these are older than pyproject.toml when it changes.
$(RUN): pyproject.toml
	$(PYTHON) tools/install.py
	touch $@

$(DEV): pyproject.toml
	$(PYTHON) tools/install.py --dev
	touch $(RUN) $@
