#!/usr/bin/env bash
# Writes tools/locked/*.txt anew: what make demo and make test install, in the newest versions that serve all of
# Python 3.11 to 3.14, with the digests of all files (both kinds of processors). Names, versions, digests only.
set -eu
cd "$(dirname "$0")/.."
TOOLS=.cache/lock
[ -x "$TOOLS/bin/uv" ] || { python3 -m venv --clear "$TOOLS"; "$TOOLS/bin/python" -m pip install -q uv; }
compile() { "$TOOLS/bin/uv" pip compile -q --upgrade --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
  --no-header --no-annotate "$@" pyproject.toml; }
mkdir -p tools/locked
compile --extra dev --extra mapgen -o tools/locked/tests.txt
compile --constraint tools/locked/tests.txt -o tools/locked/demo.txt
