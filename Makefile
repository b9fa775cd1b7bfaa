# `make serve` and `make test` need Python 3.11 with venv, make and git; everything else they fetch themselves.
PYTHON ?= python3
PORT ?= 8000
JOBS ?= 2
BIN := .venv/bin
RUNTIME := .venv/.runtime
DEV := .venv/.dev

.DEFAULT_GOAL := help
.PHONY: help serve test test-long check fmt lock clean

help:
	@echo "make serve [PORT=8000] | test | test-long | check | fmt | lock | clean"

serve: $(RUNTIME)
	$(BIN)/python -m app serve --port $(PORT)

test: $(DEV)
	$(BIN)/python -m pytest -n $(JOBS)

test-long: $(DEV)
	$(BIN)/python -m pytest -n $(JOBS) -m long

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pip-audit --requirement requirements.lock --require-hashes --disable-pip
	$(MAKE) test

fmt: $(DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

COMPILE = $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-emit-index-url \
	--no-emit-find-links --no-emit-trusted-host --no-header

lock: $(DEV)
	$(COMPILE) -o requirements.lock pyproject.toml
	$(COMPILE) --extra dev --allow-unsafe -c requirements.lock -o requirements-dev.lock pyproject.toml

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Stamps: a lock file newer than its stamp is installed again. The dev lock contains the runtime's.
$(BIN)/python:
	$(PYTHON) -m venv .venv

$(RUNTIME): requirements.lock | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	touch $@

$(DEV): requirements-dev.lock $(RUNTIME)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@
