"""Python for the browser and two packages that our code needs: pinned, fetched once, checked by SHA-256."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from fieldpost.errors import FieldpostError

_LIST = Path(__file__).with_name("packages.toml")
_LICENCES = ("license", "licence", "copying")


@dataclass(frozen=True)
class Package:
    id: str
    title: str
    get: str
    version: str
    file: str
    sha256: str
    licence: str


def packages() -> list[Package]:
    table = tomllib.loads(_LIST.read_text(encoding="utf-8"))
    return [Package(id=name, **row) for name, row in table.items()]


def find_program(name: str) -> str | None:
    """Beside the Python that runs (where a wheel puts it), else on the PATH."""
    return shutil.which(name, path=Path(sys.executable).parent) or shutil.which(name)


def cache_folder() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "fieldpost" / "site"


def archive(name: str) -> bytes:
    """The package as it was published, from the cache or fetched."""
    package = next(one for one in packages() if one.id == name)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / package.file
    if not path.exists():
        _fetch(package, folder)
    found = path.read_bytes()
    digest = hashlib.sha256(found).hexdigest()
    if digest != package.sha256:
        raise FieldpostError(
            f"{path} has the SHA-256 {digest}, expected {package.sha256}",
            "The file is broken or not the one that was meant: remove it and try again.",
        )
    return found


def _fetch(package: Package, folder: Path) -> None:
    tool = "npm" if package.get == "npm" else "pip"
    by_hand = f"Or put {package.file} into {folder} by hand."
    command = _npm(package) if tool == "npm" else _pip(package)
    if tool == "npm" and find_program("npm") is None:
        raise FieldpostError(f"npm is needed to fetch {package.id} {package.version}", by_hand)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not (folder / package.file).exists():
        said = (done.stderr.strip().splitlines() or ["it came to nothing"])[-1]
        raise FieldpostError(f"{tool} could not fetch {package.id} {package.version}: {said}", by_hand)


def _npm(package: Package) -> list[str]:
    return [find_program("npm") or "npm", "pack", "--silent", f"{package.id}@{package.version}"]


def _pip(package: Package) -> list[str]:
    """The wheel that is pinned, whatever machine this is."""
    download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
    kind = ["--platform", "manylinux2014_x86_64", "--python-version", "3.11", "--implementation", "cp"]
    return [*download, *kind, f"{package.id}=={package.version}"]


def pyodide() -> dict[str, bytes]:
    """The files of the npm package by name."""
    with tarfile.open(fileobj=BytesIO(archive("pyodide"))) as packed:
        entries = [(entry.name, packed.extractfile(entry)) for entry in packed if entry.isfile()]
        return {name.removeprefix("package/"): file.read() for name, file in entries if file is not None}


def sources(name: str) -> Iterator[tuple[str, bytes]]:
    """The Python files of a wheel, and its licence."""
    with zipfile.ZipFile(BytesIO(archive(name))) as wheel:
        for entry in wheel.namelist():
            is_licence = Path(entry).name.lower().startswith(_LICENCES)
            if entry.endswith(".py") or is_licence:
                yield entry, wheel.read(entry)
