#!/usr/bin/env bash
# Makes a machine ready:  tools/setup.sh demo | tests | latest | extra NAME | engine | machine
#
#   demo      .venv with Python 3.11 or newer and what the program needs, as locked in tools/locked
#   tests     the same with what the tests need; a failure ends the run
#   latest    the same in the newest versions that pyproject.toml allows, in .cache/latest
#   extra     the packages of an extra of pyproject.toml, in the newest versions
#   engine    a real VASSAL engine for the tests; without one they report why they skip (in CI they fail)
#   machine   the Debian packages of the tests: Java, a virtual screen, Chromium, Firefox; as root or by `sudo -n`
#
# Nothing ever asks a question. PYTHON=/path/to/python chooses the Python of a new .venv.
set -u
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.." || exit 1
VENV=${VENV:-.venv}
REASON_ENGINE=tests/engine/kit/engine/unavailable

say() { echo "setup: $*"; }
die() { echo "setup: $*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo -n "$@"
  else return 1
  fi
}

apt_install() {
  command -v apt-get >/dev/null && as_root true || return 1
  say "installing $* (apt-get)"
  local log
  log=$(mktemp)
  [ -n "${UPDATED:-}" ] || as_root apt-get update -qq >"$log" 2>&1 || true
  UPDATED=1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1 </dev/null ||
    { tail -n 5 "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

# --- Python

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
find_python() {
  local python
  for python in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
    new_enough "$python" && { echo "$python"; return; }
  done
  return 1
}
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }
venv_package() { "$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'; }

# What a Python without ensurepip (Debian's, bare) can still do: an empty venv, filled by the system's own pip.
make_venv() {
  local python=$1
  has_venv "$python" || apt_install "$(venv_package "$python")" || true
  if has_venv "$python"; then
    "$python" -m venv --clear "$VENV"
  elif "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --clear --without-pip "$VENV" && "$python" -m pip -q --python "$VENV/bin/python" install pip
  else
    die "this Python has neither ensurepip nor pip. As root: apt-get install $(venv_package "$python")"
  fi
}

python_ready() { new_enough "$VENV/bin/python" && "$VENV/bin/python" -m pip --version >/dev/null 2>&1; }
make_python_ready() {
  case $PWD in *:*) die "Python makes no environment in a folder with a colon in its name: $PWD" ;; esac
  python_ready && return
  local python
  python=$(find_python) || { apt_install python3 python3-venv && python=$(find_python); } ||
    die "no Python 3.11 or newer. As root: apt-get install python3 python3-venv (or set PYTHON=/path/to/python)"
  say "making $VENV with $("$python" --version)"
  make_venv "$python" || die "could not make $VENV"
}

pip_install() { "$VENV/bin/python" -m pip --disable-pip-version-check install -q "$@" </dev/null; }

# The repository itself, by a path without this folder's name: Python reads such a path in the encoding of the locale.
link_project() {
  local packages
  packages=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') || return 1
  if [ -e "$packages/fieldpost" ]; then "$VENV/bin/python" -m pip uninstall -q -y fieldpost; rm -rf "$packages/fieldpost"; fi
  "$VENV/bin/python" -c 'import os, sys; print(os.path.relpath(*sys.argv[1:]))' "$PWD" "$packages" >"$packages/fieldpost.pth" || return 1
  printf '%s\n' '#!/bin/sh' 'exec "$(dirname "$(readlink -f "$0")")/python" -P -m fieldpost "$@"' >"$VENV/bin/fieldpost" || return 1
  chmod +x "$VENV/bin/fieldpost"
}

# What stands in .ready is what was installed: the lock file and this script, by their digest.
setup_locked() {
  local lock=tools/locked/$1.txt done
  done="$1 $(cat "$lock" "$0" | sha256sum)"
  grep -qsxF "$done" "$VENV/.ready" && new_enough "$VENV/bin/python" && return
  make_python_ready
  say "installing tools/locked/$1.txt into $VENV (a minute or so, the first time)"
  pip_install --require-hashes --only-binary :all: -r "$lock" && link_project ||
    die "pip could not install $lock (offline, or a Python newer than 3.14?)"
  echo "$done" >>"$VENV/.ready"
}

wanted() { "$VENV/bin/python" tools/wanted.py "$@"; }
setup_demo() { setup_locked demo; }
setup_tests() { setup_locked tests; }
setup_latest() {
  VENV=.cache/latest
  make_python_ready
  wanted dev mapgen >"$VENV/wanted.txt" && pip_install --upgrade -r "$VENV/wanted.txt" && link_project ||
    die "the newest packages do not install together"
}
setup_extra() {
  wanted "$1" >"$VENV/wanted.txt" && pip_install -r "$VENV/wanted.txt" || die "pip could not install the extra $1 (offline?)"
}

# --- what the tests can do without, if they report it

setup_engine() {
  mkdir -p "$(dirname "$REASON_ENGINE")"
  local out
  if out=$(PYTHON="$PWD/$VENV/bin/python" tests/engine/kit/install.sh 2>&1 </dev/null); then
    rm -f "$REASON_ENGINE"
    echo "$out" | grep -v 'up to date' | sed 's/^install.sh: /setup: engine: /'
    return 0
  fi
  echo "$out" | tail -n 1 | sed 's/^install.sh: //' >"$REASON_ENGINE"
  say "no VASSAL engine: $(cat "$REASON_ENGINE")"
}

has_one_of() { local name; for name; do command -v "$name" >/dev/null && return; done; return 1; }
add_packages() { [ $# = 0 ] || apt_install "$@" || say "these Debian packages are missing: $*"; }
setup_machine() {
  # shellcheck disable=SC2046  # a list of words
  add_packages $(tests/engine/kit/install.sh --needed)
  has_one_of chromium chromium-browser google-chrome || add_packages chromium
  has_one_of firefox-esr firefox || add_packages firefox-esr
}

case "${1:-}" in
  demo | tests | latest | engine | machine) "setup_$1" ;;
  extra) setup_extra "$2" ;;
  *) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 64 ;;
esac
