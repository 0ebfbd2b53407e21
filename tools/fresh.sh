#!/usr/bin/env bash
# Runs the README's two commands on a bare Debian:  tools/fresh.sh RELEASE [root] [user]     RELEASE: bookworm, trixie, testing ...
#
# As root, with debootstrap. Each run has a Debian of its own with git, make and python3 (for `user`, who can install
# nothing, python3-venv too), a clone of the last commit in a folder "Größe & Spiele/fieldpost", and nothing else of this
# machine but the way out: mirror, proxies, certificates. `root` speaks no UTF-8 (no LANG), `user` LC_ALL=C and another time zone.
# Prints a table at the end: status and time of both commands, disk, downloads, tests. FRESH_FOLDER (/var/tmp/fieldpost-fresh)
# keeps the logs; the Debians are removed, unless KEEP=1.
set -u
[ $# -gt 0 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 64; }
cd "$(dirname "$0")/.." || exit 1
RELEASE=$1; shift
[ $# -gt 0 ] || set -- root user
WORK=${FRESH_FOLDER:-/var/tmp/fieldpost-fresh}
CLONE='Größe & Spiele/fieldpost'
WAY_OUT='^(PIP_|npm_|SSL_CERT|REQUESTS_CA|CURL_CA|GIT_SSL|NODE_EXTRA)|_proxy=|_PROXY='

die() { echo "fresh: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "debootstrap needs root"
command -v debootstrap >/dev/null || die "needed: apt-get install debootstrap"
mkdir -p "$WORK" || exit 1
mirror() { apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | head -n 1; }
megabytes() { du -csm "$@" 2>/dev/null | tail -n 1 | cut -f1; }

# --- a bare Debian

bootstrap() { # FOLDER PACKAGES
  debootstrap --variant=minbase --include="$2" "$RELEASE" "$1" $(mirror) >"$WORK/debootstrap.log" 2>&1 ||
    die "debootstrap failed: $(tail -n 1 "$WORK/debootstrap.log")"
}

let_out() { # FOLDER: mirror, proxies and certificates of this machine
  local file
  for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /root/.config/pip/pip.conf /root/.npmrc; do
    [ ! -f "$file" ] || install -D -m 644 "$file" "$1$file"
  done
  install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
  mkdir -p "$1/usr/local/share"
  cp -r /usr/local/share/ca-certificates "$1/usr/local/share/" 2>/dev/null
  apt-config dump | grep -E '^Acquire::https?::Proxy' >"$1/etc/apt/apt.conf.d/90proxy"
}

# --- one command in it

inside() { # FOLDER WHO COMMAND: in namespaces of its own, so that nothing outlives it
  local root=$1 who=$2 home=/root settings=()
  [ "$who" = root ] || { home=/home/player; settings=(LC_ALL=C TZ=XYZ-13:45); }
  mapfile -t -O "${#settings[@]}" settings < <(env | grep -E "$WAY_OUT")
  unshare --mount --pid --fork --kill-child -- bash -c '
    mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount -t devpts -o newinstance,ptmxmode=0666 pts "$1/dev/pts" &&
      mount -t tmpfs shm "$1/dev/shm" || exit 99
    root=$1 who=$2 home=$3 command=$4; shift 4
    chroot --userspec="$who" "$root" env -i HOME="$home" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      "$@" sh -c "cd \"\$HOME\" && $command"
    exit $?  # bash stays the first process, for orphans need one that waits for them
    ' - "$root" "$([ "$who" = root ] && echo 0:0 || echo 1000:1000)" "$home" "$3" \
    "${settings[@]}" </dev/null
}

timed() { # FOLDER WHO TARGET LOG: its status and its seconds
  local started=$SECONDS status
  inside "$1" "$2" "cd '$CLONE' && make $3" >"$4" 2>&1
  status=$?
  echo "$status $((SECONDS - started))"
}

downloads() { megabytes "$1"/var/cache/apt/archives "$1"/var/lib/apt/lists "$1/$2/.cache" "$1/$2/.npm"; }

run() { # WHO: prints a row of the table
  local who=$1 root=$WORK/$RELEASE-$1 home=root before loaded demo test last
  rm -rf --one-file-system "$root"
  bootstrap "$root" "git,make,python3$([ "$who" = root ] || echo ,python3-venv)"
  let_out "$root"
  chroot "$root" useradd -m -u 1000 player
  [ "$who" = root ] || home=home/player
  git bundle create -q "$root/repo.bundle" HEAD && chmod 644 "$root/repo.bundle"
  inside "$root" "$who" "git clone -q /repo.bundle '$CLONE'" 2>"$WORK/clone.log" || die "no clone: $(tail -n 1 "$WORK/clone.log")"
  before=$(megabytes "$root") loaded=$(downloads "$root" "$home")
  demo=$(timed "$root" "$who" demo "$WORK/$RELEASE-$who-demo.log")
  test=$(timed "$root" "$who" test "$WORK/$RELEASE-$who-test.log")
  last=$(tail -n 1 "$WORK/$RELEASE-$who-test.log")
  printf '| %s, %s, %s | %s, %s s | %s, %s s | %s MB | %s MB | %s |\n' "$RELEASE" "$(cat "$root/etc/debian_version")" "$who" \
    $demo $test $(($(megabytes "$root") - before)) $(($(downloads "$root" "$home") - loaded)) "${last% in *}"
  [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
}

rows=$(for who; do run "$who" || exit; done) || exit 1
echo "$(git log -1 --format=%h), $(date +%F), $(nproc) processors"
echo
echo '| Debian, as | `make demo`: status, time | `make test`: status, time | disk | downloads | tests |'
echo '| --- | --- | --- | --- | --- | --- |'
echo "$rows"
case $rows in *'| 0, '*'| 0, '*) ;; *) exit 1 ;; esac
