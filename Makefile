# make test    set up everything (Python, a real VASSAL engine), check and test       make lint    checks only
# make demo    build a module, check a turn, say what was made                        make bench   speed, as ratios
# make soak    long random runs                                                       make clean   remove what was made

PY := .venv/bin/python
WORKERS ?= 2
.DEFAULT_GOAL := test
.PHONY: venv engine browser lint test demo bench soak clean

venv: .venv/.ready
.venv/.ready: pyproject.toml tools/setup.sh
	@tools/setup.sh venv

engine browser:
	@tools/setup.sh $@

lint: venv
	@tools/lint.sh

# Everything runs, whatever fails, and pytest's summary comes last.
test: venv engine browser
	@status=0; tools/lint.sh || status=1; $(PY) -m pytest -n $(WORKERS) --dist worksteal -rs || status=1; exit $$status

demo: venv
	@$(PY) tools/demo.py

bench: venv
	@set -e; for file in bench/bench_*.py; do [ -f "$$file" ] || continue; echo "== $$file"; $(PY) "$$file"; done

soak: venv engine
	@HYPOTHESIS_PROFILE=soak $(PY) -m pytest -n $(WORKERS) -m "not engine and not browser"

clean:
	rm -rf .venv .cache dist build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis tests/engine/kit/engine
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
