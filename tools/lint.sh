#!/usr/bin/env bash
# Style, format and types. All three run, whatever the first one finds.
cd "$(dirname "$0")/.." || exit 1
status=0
.venv/bin/python -m ruff check . || status=1
.venv/bin/python -m ruff format --check . || status=1
.venv/bin/python -m mypy || status=1
exit $status
