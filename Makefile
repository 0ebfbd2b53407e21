# make test    set up everything (Python, a real VASSAL engine, browsers), check and test     make lint    checks only
# make quick   the quick tests of all games, or of one: make quick GAME=wfm (cases, data and rules), in half a minute
# make demo    build a module, check a turn, say what was made                        make bench   speed, as ratios
# make soak    long random runs with a new seed                                       make fuzz    coverage-guided fuzzing
# make lock    choose the versions of all packages anew                               make latest  test with the newest
# make clean   remove what was made

PY := .venv/bin/python
# One more than the processors of a small machine: many tests wait for a browser or a limit of time.
WORKERS ?= 3
GAME ?=
SECONDS ?= 60
SEED ?= $(shell date +%s)
TARGETS ?= archive game codec module
PYTEST = $(PY) -m pytest -n $(WORKERS) --dist loadgroup
.DEFAULT_GOAL := test
# Python keeps its byte code, whatever the machine says: hundreds of tests start the program, three times quicker so.
export PYTHONDONTWRITEBYTECODE :=
# One answer on every machine: Python's sets in one order, texts in one encoding.
test quick latest: export PYTHONHASHSEED := 0
export PYTHONUTF8 := 1
.PHONY: venv machine engine lint test quick demo bench soak fuzz lock latest clean

venv:
	@tools/setup.sh tests

engine: venv
	@tools/setup.sh engine

machine:
	@tools/setup.sh machine

lint: venv
	@tools/lint.sh

# Everything runs, whatever fails, and pytest's summary comes last.
test: machine venv engine
	@status=0; tools/lint.sh || status=1; $(PYTEST) -rfE --durations=8 --durations-min=5 || status=1; exit $$status

# Worked cases, data and rules; GAME=standard is the game in examples/. No engine, no browser, no random games.
quick: venv
	@$(PY) -m pytest -n $(WORKERS) -m "not slow and not engine and not browser" \
	  tests/validator/games tests/validator/standard tests/games tests/fieldpost/definition $(if $(GAME),-k "$(GAME)")
	@$(PY) tools/enough.py $(GAME)

demo:
	@tools/setup.sh demo
	@$(PY) tools/demo.py

bench: venv
	@tools/setup.sh extra bench
	@$(PY) -m bench

# Long random runs, then all that is played in the engine, with what the usual runs leave out.
soak: venv engine
	@echo "soak: the seed is $(SEED)"; export HYPOTHESIS_PROFILE=soak; status=0; \
	  $(PYTEST) -rfE --hypothesis-seed=$(SEED) -m "not engine and not browser" || status=1; \
	  $(PYTEST) -rfE -m engine || status=1; \
	  echo "soak: the seed was $(SEED); the same run again: make soak SEED=$(SEED)"; exit $$status

fuzz: venv
	@tools/setup.sh extra fuzz
	@set -e; for target in $(TARGETS); do echo "== $$target"; \
	  $(PY) tools/fuzz/fuzz.py $$target -max_total_time=$(SECONDS) -verbosity=0; done

lock:
	@tools/lock.sh

latest: machine
	@tools/setup.sh latest
	@VENV=.cache/latest tools/setup.sh engine
	@.cache/latest/bin/python tools/latest.py

clean:
	rm -rf .venv .cache dist build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis tests/engine/kit/engine
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
