"""Find or fetch the data packages: pinned versions, checked by SHA-256, unpacked into a cache folder."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

from fieldpost.errors import FieldpostError

_LIST = Path(__file__).with_name("packages.toml")


@dataclass(frozen=True)
class Package:
    id: str
    title: str
    get: str
    package: str
    version: str
    file: str
    sha256: str
    use: str
    licence: str


def packages() -> list[Package]:
    table = tomllib.loads(_LIST.read_text(encoding="utf-8"))
    return [Package(id=name, **row) for name, row in table.items()]


def cache_folder() -> Path:
    named = os.environ.get("FIELDPOST_MAPGEN_CACHE")
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else base / "fieldpost" / "mapgen"


def locate(name: str) -> Path:
    """The file or folder of a package that is read, fetched first if it is not in the cache."""
    package = next(p for p in packages() if p.id == name)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / package.file
    if not archive.exists():
        _fetch(package, folder)
    _check(package, archive)
    unpacked = folder / f"{package.id}-{package.sha256[:12]}"
    if not unpacked.exists():
        _unpack(archive, unpacked)
    return unpacked / package.use


def _fetch(package: Package, folder: Path) -> None:
    if package.get == "apt":
        command = ["apt-get", "download", f"{package.package}={package.version}"]
    else:
        wanted = f"{package.package}=={package.version}"
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", wanted]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not (folder / package.file).exists():
        raise FieldpostError(
            f"could not fetch {package.package} {package.version}: {done.stderr.strip()[-300:]}",
            f"Put {package.file} into {folder} by hand; its SHA-256 is in tools/mapgen/packages.toml.",
        )


def _check(package: Package, archive: Path) -> None:
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != package.sha256:
        raise FieldpostError(
            f"{archive} has SHA-256 {digest}, expected {package.sha256}",
            "The file is broken or another version: remove it and try again.",
        )


def _unpack(archive: Path, folder: Path) -> None:
    half = folder.with_name(folder.name + ".part")
    half.mkdir(exist_ok=True)
    if archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", str(archive), str(half)], check=True)
    else:
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(half)
    half.rename(folder)
