# Every target makes what it needs. The environment is .venv, which is made once.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test _pdfs _style _types _proofs _examples \
	proofs docs bench audit release _owner format clean

VENV := .venv
PY := $(VENV)/bin/python

# The first interpreter that is new enough; `make test PYTHON=...` names another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; \
	do $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	>/dev/null 2>&1 && echo $$python && break; done)

# Bytecode is kept, for the sake of the many processes that the tests start; `make clean`
# removes it.
unexport PYTHONDONTWRITEBYTECODE

heading = @printf '\n=== %s ===\n' '$(1)'
comma := ,

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.installed-cli ## run the demonstration, examples/demo.py
	@$(PY) examples/demo.py

test: $(VENV)/.installed-cli $(VENV)/.installed-tex $(VENV)/.installed-java ## check all: style, types, proofs, examples, tests
	@$(MAKE) --no-print-directory -j2 _pdfs _style _types _proofs
	$(call heading,pytest: unit tests + contracts + bit trees + statistics + doctests)
	@$(PY) -m pytest -q -n auto --dist worksteal

# One process makes the PDFs, while another installs what the tests need and then checks
# all else. The package is found here, because it is installed once more meanwhile. Any
# failure ends the tests; these stand before pytest, which uses what the review of the
# proofs keeps.
_pdfs:
	$(call heading,proofs: PDFs)
	@PYTHONPATH=. $(VENV)/bin/opendp-lite proofs build --workers 1

_style: $(VENV)/.installed-dev
	$(call heading,ruff check)
	@$(PY) -m ruff check .
	$(call heading,ruff format --check)
	@$(PY) -m ruff format --check .
	$(call heading,import-linter)
	@$(VENV)/bin/lint-imports --no-logo --no-cache

# Types say what they found at their end.
_types: _style
	@output=$$($(PY) -m mypy 2>&1); status=$$?; \
	printf '\n=== mypy --strict ===\n%s\n' "$$output"; exit $$status

_proofs: _style
	$(call heading,proofs: review)
	@$(VENV)/bin/opendp-lite proofs check

proofs: $(VENV)/.installed-dev $(VENV)/.installed-tex ## review the proofs and build their PDFs
	@$(VENV)/bin/opendp-lite proofs check
	@$(VENV)/bin/opendp-lite proofs build

# The warning is about MkDocs 2, which is not what is installed.
docs: proofs $(VENV)/.installed-docs $(VENV)/.installed-chromium ## build the site in build/site, and look at it in a browser
	$(call heading,site: build)
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet
	$(call heading,site: links$(comma) formulas$(comma) search$(comma) widths)
	@$(PY) -m docs.tools.check build/site
	@echo "It is in build/site; open build/site/index.html, or: python -m http.server -d build/site"

bench: $(VENV)/.installed-bench $(VENV)/.installed-java ## compare the speed with other libraries (BENCH="--quick" for a trial)
	@$(PY) -m benchmarks $(BENCH)

audit: $(VENV)/.installed-dev $(VENV)/.installed-audit $(VENV)/.installed-tex $(VENV)/.installed-java _examples ## run every test, and those that `make test` leaves out
	@$(VENV)/bin/opendp-lite proofs check --fresh
	@$(VENV)/bin/opendp-lite proofs build --all
	@$(PY) -m pytest -q -n auto --dist worksteal -m 'audit or not audit'

# Each in a process of its own; in `make test` they share one (tests/test_scripts.py).
_examples: $(VENV)/.installed-dev $(VENV)/.installed-java
	$(call heading,examples)
	@for example in examples/*.py; do \
		echo "$$example"; \
		output=$$($(PY) -W error "$$example" 2>&1) \
		|| { echo "$$output"; echo "$$example failed"; exit 1; }; \
	done

# The account that publishes the repository. Texts say OWNER where its name belongs.
OWNER ?=

release: _owner proofs $(VENV)/.installed-release ## build what is published (OWNER=account): wheel, sources, PDFs
	$(call heading,release: wheel$(comma) sources$(comma) proofs)
	@$(PY) -m docs.tools.release "$(OWNER)"

_owner:
	@test -n "$(OWNER)" || { \
		echo "Say which account publishes the repository: make release OWNER=account"; exit 1; }

format: $(VENV)/.installed-dev ## format the code and mend what ruff can mend
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

clean: ## remove the environment and all caches
	rm -rf $(VENV) proofs/build build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -type d -name __pycache__ -prune -exec rm -rf {} +

# Stamps stand inside the environment, so that they go when it goes. What is installed is
# compiled when it is first used: most of it never is. An old pip takes twice as long for
# all that the tests need, most of it to read lists of releases; a new one is put there by
# the pip of the interpreter, if it has one that can, which takes less than to unpack both.

$(VENV)/.created:
	@test -n "$(PYTHON)" || { \
		echo "opendp_lite needs Python 3.11 or later, and none was found."; \
		echo "Install one, or name it: make $(MAKECMDGOALS) PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "opendp_lite needs Python 3.11 or later; $(PYTHON) is not."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments."; \
		echo "On Debian and Ubuntu: sudo apt install python3-venv"; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear --without-pip $(VENV)
	@$(PYTHON) -m pip --quiet --python $(PY) install pip >/dev/null 2>&1 \
		|| { $(PYTHON) -m venv --clear $(VENV) && $(PIP) install --upgrade pip 2>/dev/null; } \
		|| echo "Going on with the pip that comes with $(PYTHON)"
	@touch $@

PIP = $(PY) -m pip --quiet --disable-pip-version-check
INSTALL = $(PIP) install --no-compile

$(VENV)/.installed-%: $(VENV)/.created pyproject.toml
	@echo "Installing opendp_lite with its extra '$*' (a minute the first time)"
	@$(INSTALL) --editable '.[$*]'
	@touch $@

# Spark comes as an archive of 450 MB, and to make a wheel of it takes as long as to
# install all the rest: both are done at once. It is packed archives, which are not packed
# once more.
SPARK := $(shell sed -n 's/^dev = .*"\(pyspark.*\)".*/\1/p' pyproject.toml)

$(VENV)/.installed-dev: $(VENV)/.created pyproject.toml
	@echo "Installing opendp_lite with its extra 'dev' (some minutes the first time)"
	@$(PIP) wheel --no-deps --config-settings=--build-option=--compression=stored \
		--wheel-dir $(VENV)/wheels '$(SPARK)' & spark=$$!; \
	$(INSTALL) --editable '.[checks]'; status=$$?; wait $$spark && exit $$status
	@$(INSTALL) --find-links $(VENV)/wheels '$(SPARK)'
	@rm -r $(VENV)/wheels
	@touch $@

# TeX comes from the system's packages: installed where that is allowed, else named.
TEX := texlive-latex-recommended texlive-latex-extra \
	texlive-fonts-recommended lmodern
HAS_TEX := command -v bibtex pdflatex && kpsewhich listings.sty mathtools.sty lmodern.sty \
	microtype.sty natbib.sty enumitem.sty framed.sty needspace.sty titlesec.sty

$(VENV)/.installed-tex: $(VENV)/.created
	@if ! { $(HAS_TEX); } >/dev/null 2>&1; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
		echo "Installing TeX, to build the proofs (a few minutes, once)"; \
		{ command -v apt-get && $$as_root apt-get update -qq && \
			DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq \
			--no-install-recommends $(TEX); } >/dev/null 2>&1; \
	fi
	@{ $(HAS_TEX); } >/dev/null 2>&1 || { \
		echo "The proofs need TeX, and it could not be installed from here."; \
		echo "On Debian and Ubuntu: sudo apt install $(TEX)"; exit 1; }
	@touch $@

# A browser, in which the site is looked at.
CHROMIUM := chromium
HAS_CHROMIUM := command -v chromium chromium-browser google-chrome

$(VENV)/.installed-chromium: $(VENV)/.created
	@if ! { $(HAS_CHROMIUM); } >/dev/null 2>&1; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
		echo "Installing chromium, to look at the site (a minute, once)"; \
		{ command -v apt-get && $$as_root apt-get update -qq && \
			DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq \
			--no-install-recommends $(CHROMIUM); } >/dev/null 2>&1; \
	fi
	@{ $(HAS_CHROMIUM); } >/dev/null 2>&1 || { \
		echo "The site is looked at in chromium, and it could not be installed from here."; \
		echo "On Debian and Ubuntu: sudo apt install $(CHROMIUM)"; exit 1; }
	@touch $@

# Spark runs on Java, of 17 or later.
JAVA := openjdk-17-jre-headless
HAS_JAVA := java -version 2>&1 | grep -Eq 'version "(1[7-9]|[2-9][0-9])'

$(VENV)/.installed-java: $(VENV)/.created
	@if ! { $(HAS_JAVA); } >/dev/null 2>&1; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
		echo "Installing Java, to run Spark (a minute, once)"; \
		{ command -v apt-get && $$as_root apt-get update -qq && \
			DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq \
			--no-install-recommends $(JAVA); } >/dev/null 2>&1; \
	fi
	@{ $(HAS_JAVA); } >/dev/null 2>&1 || { \
		echo "Spark needs Java 17, and it could not be installed from here."; \
		echo "On Debian and Ubuntu: sudo apt install $(JAVA)"; exit 1; }
	@touch $@
