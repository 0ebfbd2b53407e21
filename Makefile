# make test    set up everything (Python, a real VASSAL engine), check and test       make lint    checks only
# make quick   the quick tests of one game: make quick GAME=wfm (its cases, data and rules), in half a minute
# make demo    build a module, check a turn, say what was made                        make bench   speed, as ratios
# make soak    long random runs                                                       make fuzz    coverage-guided fuzzing
# make clean   remove what was made

PY := .venv/bin/python
# One more than the processors of a small machine: many tests wait for a browser or a limit of time.
WORKERS ?= 3
GAME ?= wfm
SECONDS ?= 60
TARGETS ?= archive game codec module
.DEFAULT_GOAL := test
# Python keeps its byte code, whatever the machine says: hundreds of tests start the program, three times quicker so.
export PYTHONDONTWRITEBYTECODE :=
.PHONY: venv engine browser lint test quick demo bench soak fuzz clean

venv: .venv/.ready
.venv/.ready: pyproject.toml tools/setup.sh
	@tools/setup.sh venv

engine browser:
	@tools/setup.sh $@

lint: venv
	@tools/lint.sh

# Everything runs, whatever fails, and pytest's summary comes last.
test: venv engine browser
	@status=0; tools/lint.sh || status=1; $(PY) -m pytest -n $(WORKERS) --dist loadgroup -rfEs || status=1; exit $$status

# Worked cases, data and rules; GAME=standard is the game in examples/. No engine, no browser, no random games.
quick: venv
	@$(PY) -m pytest -n $(WORKERS) -m "not slow and not engine and not browser" \
	  tests/validator/games tests/validator/standard tests/games -k "$(GAME)"

demo: venv
	@$(PY) tools/demo.py

bench: venv
	@$(PY) -m pip --disable-pip-version-check install -q -e '.[bench]'
	@$(PY) -m bench

# Long random runs, then all that is played in the engine, with what the usual runs leave out.
soak: venv engine
	@status=0; export HYPOTHESIS_PROFILE=soak; \
	  $(PY) -m pytest -n $(WORKERS) --dist loadgroup -m "not engine and not browser" || status=1; \
	  $(PY) -m pytest -n $(WORKERS) --dist loadgroup -m engine || status=1; exit $$status

fuzz: venv
	@$(PY) -m pip --disable-pip-version-check install -q -e '.[fuzz]'
	@set -e; for target in $(TARGETS); do echo "== $$target"; \
	  $(PY) tools/fuzz/fuzz.py $$target -max_total_time=$(SECONDS) -verbosity=0; done

clean:
	rm -rf .venv .cache dist build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis tests/engine/kit/engine
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
