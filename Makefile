# `make demo` shows what this does, `make test` whether it works. Both set up .venv first; nothing else is needed but Python 3.10 or newer.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEMO_OUTPUT ?= demo-out
PYTEST := $(BIN)/python -m pytest

# The tests of the core, which need no optional package.
CORE_TESTS := $(addprefix tests/test_,regions.py document.py base.py feeds.py parse.py encodings.py sanitize.py clean_normalize.py page_pairs.py)

.PHONY: help demo test test-slow test-browser test-engines test-lowest lint types check samples clean

help:
	@echo "make demo          WARC -> XML on the bundled pages; prints where the output is and the first document"
	@echo "make test          the tests, without those that take long or need a browser or an engine"
	@echo "make lint, types   ruff; mypy --strict"
	@echo "make check         test, lint and types"
	@echo "make test-slow, test-browser, test-engines, test-lowest   the other tests, as CI runs them"
	@echo "make flink, spark, prism   the demo on a cluster of this machine (Java 17 and Maven), on Prism (Go); what they need is fetched"
	@echo "make samples       builds samples/pages.warc.gz and samples/pages.parquet anew"
	@echo "make clean         takes away .venv, caches and the demo's output"

# Plain pip, as the venv brings it.
$(INSTALLED): pyproject.toml setup.py $(wildcard mainextract_beam/_nodes.pxd mainextract_beam/_*.pyx mainextract_beam/*/_*.pyx)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Python 3.10 or newer is needed; name one by PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(INSTALLED)
	$(BIN)/python pipelines/warc_to_xml.py --input samples/pages.warc.gz --output $(DEMO_OUTPUT)/documents --overwrite
	@$(BIN)/python samples/first_document.py $(DEMO_OUTPUT)/documents

test: $(INSTALLED)
	$(PYTEST)

test-slow: $(INSTALLED)
	$(PYTEST) -m slow

test-browser: $(INSTALLED)
	$(PYTEST) -m browser

test-engines: $(INSTALLED)
	$(PYTEST) -m engines

# The core with the lowest versions that pyproject.toml allows, and without its walks in C.
test-lowest:
	$(PYTHON) -m venv $(VENV)-lowest
	$(VENV)-lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(VENV)-lowest/bin/uv pip install --quiet --python $(VENV)-lowest/bin/python --resolution lowest-direct -e . 'pytest>=8.3' 'hypothesis>=6.100' 'html5lib>=1.1'
	MAINEXTRACT_PURE=1 $(VENV)-lowest/bin/python -m pytest -W ignore $(CORE_TESTS)

lint: $(INSTALLED)
	$(BIN)/ruff check .

types: $(INSTALLED)
	$(BIN)/mypy

check: test lint types

samples: $(INSTALLED)
	$(BIN)/python samples/build.py

clean:
	rm -rf $(VENV) $(VENV)-lowest $(DEMO_OUTPUT) build .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info

-include templates/engines.mk
