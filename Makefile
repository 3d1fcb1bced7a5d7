# make demo: set up, then generate, compile, verify and run the PUMA arm.
# make test: set up, then run every check.
# make release: set up, then build the wheel and the source distribution, and try them on every Python that is here.
# make thorough: set up with the optional libraries, then run every test, those that take long, too.
# make docs: set up, then make the site of documentation, build/docs/index.html.
# make bench: set up, then time the generated code beside other libraries.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= $(shell $(PYTHON) -c "import os; print(max(1, min(8, os.cpu_count() or 1)))")

.PHONY: demo test thorough lint types imports pytest generated house release docs bench compare-sympy clean

demo: $(VENV)/.demo
	$(BIN)/symgen generate puma --output build/puma
	$(BIN)/python -m symgen.cli.demo

test: lint types imports pytest

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

imports: $(VENV)/.test
	$(BIN)/lint-imports

pytest: $(VENV)/.test
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# All pages of the documentation, more robots in the browser, CasADi, JAX, FMPy, Corke's toolbox: half an hour and more.
thorough: $(VENV)/.thorough
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --thorough

# Regenerate the committed modules after a change that is meant to change them.
generated: $(VENV)/.test
	$(BIN)/python -m pytest tests/test_generated.py --update-generated

# Draw the rooms and their imports again, after a change that is meant to change them.
house: $(VENV)/.test
	$(BIN)/python docs/contributing/house.py

# Archives into dist/; takes minutes, and the network for what the wheel needs.
release: $(VENV)/.test
	$(BIN)/python tests/release/check.py --keep dist

# Warnings are errors; links inside the site are checked. Notebooks are run.
docs: $(VENV)/.docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --nitpicky -d build/doctrees docs build/docs

# The table of docs/speed and more: quartiles, batches, Python. On a quiet machine; a few minutes, more the first time.
BENCH ?= puma panda ur5
bench: $(VENV)/.bench
	@mkdir -p build
	$(BIN)/symgen bench $(BENCH) --full-inertia --json build/bench.json --picture build/bench.png

# Measure the closed forms beside plain SymPy again: writes notebooks/data/compare_sympy.json, takes half an hour.
compare-sympy: $(VENV)/.demo
	$(BIN)/python tests/benchmarks/compare_sympy.py

$(VENV)/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "symgen needs Python 3.11 or newer: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

$(VENV)/.thorough: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,browser,casadi,fmi,jax,toolbox]'
	@touch $@

$(VENV)/.bench: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
