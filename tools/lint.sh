#!/usr/bin/env bash
# Style, format and types. All three run, whatever the first one finds.
cd "$(dirname "$0")/.." || exit 1
python=${VENV:-.venv}/bin/python
status=0
"$python" -m ruff check . || status=1
"$python" -m ruff format --check . || status=1
"$python" -m mypy || status=1
exit $status
