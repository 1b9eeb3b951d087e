# Two commands set everything up: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 3

.DEFAULT_GOAL := help
.PHONY: help run test lint catalogues screenshots bench bench-scale fuzz soak year clean

help: ## these lines
	@sed -n 's/^\([a-z-]*\):.*## /  make \1 — /p' $(MAKEFILE_LIST)

# Rebuilt when the locked requirements change.  A half-built one is thrown away.
$(VENV)/.built: requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Python 3.11 or newer is needed ($(PYTHON) is $$($(PYTHON) --version 2>&1)); name one: make PYTHON=python3.11 …"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "Python's venv module is missing; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@rm -rf $(VENV)
	@echo "Building the environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip --disable-pip-version-check --quiet install --require-hashes -r requirements-dev.txt
	@touch $@

$(VENV): $(VENV)/.built ## the environment

run: $(VENV)/.built ## the server with a demo game to play at once
	@exec $(BIN)/python -m pbem run --demo

# What is compiled is kept, whatever the environment says: the tests start many a process.
test: $(VENV)/.built ## everything that is checked before a change lands
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS)

lint: $(VENV)/.built ## ruff and mypy only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

catalogues: $(VENV)/.built ## every sentence of code and templates into the files of the translators
	$(BIN)/python -m pbem.translation

screenshots: $(VENV)/.built ## every letter and page as a picture, light, dark and on a phone
	$(BIN)/python -m pbem.letters.gallery
	$(BIN)/python -m pbem.web.gallery

bench: $(VENV)/.built ## the benchmarks, with their baselines
	$(BIN)/python -m bench

bench-scale: $(VENV)/.built ## lists, pages and the clock among 100,000 running and 1,000,000 finished games (long)
	$(BIN)/python -m bench.clock
	$(BIN)/python -m bench.moderator
	$(BIN)/python -m bench.web
	$(BIN)/python -m bench.archive --games 1000000

MINUTES ?= 10
THOROUGH ?= 20
fuzz: $(VENV)/.built ## any bytes as mail for MINUTES minutes, then the properties with THOROUGH times the examples
	$(BIN)/python -m tests.mails.fuzz --minutes $(MINUTES)
	ARK_THOROUGH=$(THOROUGH) $(BIN)/pytest -n $(WORKERS) --dist worksteal -m hypothesis

SOAK ?= --minutes 60
soak: $(VENV)/.built ## a real server under mails and kills, for an hour
	$(BIN)/python -m tests.soak $(SOAK)

YEAR ?= --games 1000 --days 365
year: $(VENV)/.built ## a simulated year of 1,000 games, checked step by step (long)
	$(BIN)/python -m tests.year $(YEAR)

clean: ## remove the environment and caches, never an instance
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis screenshots
