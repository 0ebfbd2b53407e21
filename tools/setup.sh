#!/usr/bin/env bash
# Makes a machine ready:  tools/setup.sh venv | engine | browser
#
#   venv      .venv with Python 3.11 or newer, the project (editable) and what its tests need; a failure ends the run
#   engine    a real VASSAL engine for the tests; without one they say why they skip (in CI they fail)
#   browser   headless Chromium for the tests of the HTML report; the same
#
# Packages come by apt-get as root or through `sudo -n`; nothing ever asks a question.
set -u
cd "$(dirname "$0")/.." || exit 1
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
  as_root apt-get update -qq >"$log" 2>&1 || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1 </dev/null ||
    { tail -5 "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

# --- Python

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
find_python() {
  local python
  for python in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
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
    "$python" -m venv --clear .venv
  elif "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --clear --without-pip .venv && "$python" -m pip -q --python .venv/bin/python install pip
  else
    die "this Python has neither ensurepip nor pip. As root: apt-get install $(venv_package "$python")"
  fi
}

setup_venv() {
  if ! new_enough .venv/bin/python || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    local python
    python=$(find_python) || { apt_install python3 python3-venv && python=$(find_python); } ||
      die "no Python 3.11 or newer. As root: apt-get install python3 python3-venv (or set PYTHON=/path/to/python)"
    say "making .venv with $("$python" --version)"
    make_venv "$python" || die "could not make .venv"
  fi
  say "installing the project and its test tools into .venv (a minute or so, the first time)"
  .venv/bin/python -m pip --disable-pip-version-check install -q -e '.[dev,mapgen]' </dev/null || die "pip could not install the project (offline?)"
  touch .venv/.ready
}

# --- what the tests can do without, if they say so

setup_engine() {
  mkdir -p "$(dirname "$REASON_ENGINE")"
  local out
  if out=$(tests/engine/kit/install.sh 2>&1 </dev/null); then
    rm -f "$REASON_ENGINE"
    echo "$out" | grep -v 'up to date' | sed 's/^install.sh: /setup: engine: /'
    return 0
  fi
  echo "$out" | tail -1 | sed 's/^install.sh: //' >"$REASON_ENGINE"
  say "no VASSAL engine, its tests will be skipped: $(cat "$REASON_ENGINE")"
}

setup_browser() {
  local name
  for name in chromium chromium-browser google-chrome; do command -v "$name" >/dev/null && return 0; done
  apt_install chromium || say "no Chromium, its tests will be skipped. As root: apt-get install chromium"
}

case "${1:-}" in
  venv | engine | browser) "setup_$1" ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 64 ;;
esac
