"""The wheel carries its data and works from any directory.

It is built from this repository and installed without its dependencies into an empty virtual
environment; the dependencies come from the environment of the tests by PYTHONPATH, so that nothing
is downloaded. The repository itself is not on that path.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import site
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fieldpost.data import KINDS
from fieldpost.definition import games_in_the_box
from tests.places import REPOSITORY

pytestmark = pytest.mark.xdist_group("wheel")  # one worker, so that it is made once

Run = Callable[..., subprocess.CompletedProcess[str]]
NAMING = (".py", ".yaml", ".j2", ".js", ".md", ".txt")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built in a copy, so that a build leaves nothing in the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(REPOSITORY / name, source)
    for name in ("fieldpost", "builder", "validator", "desk", "docs", *KINDS):
        shutil.copytree(REPOSITORY / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        source,
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    (built,) = folder.glob("fieldpost-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel alone."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        wheel,
    ]
    result = subprocess.run(install, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def fieldpost(installed: Path) -> Run:
    """The installed command, run in another directory."""
    folder = installed.parent
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    environment = {**os.environ, "PYTHONPATH": dependencies(folder)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [folder / "venv" / "bin" / "fieldpost", *arguments],
            cwd=elsewhere,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def dependencies(folder: Path) -> str:
    """A folder with the installed dependencies and nothing of this project."""
    path = folder / "dependencies"
    path.mkdir()
    for library in map(Path, site.getsitepackages()):
        for entry in library.iterdir() if library.is_dir() else ():
            mine = (
                "fieldpost" in entry.name or entry.suffix == ".pth" or entry.name.startswith("__editable__")
            )
            if not mine and not (path / entry.name).exists():
                (path / entry.name).symlink_to(entry)
    return str(path)


def test_the_wheel_holds_all_data_and_nothing_of_the_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for kind in KINDS:
        for path in (REPOSITORY / kind).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.name != ".keep":
                assert f"fieldpost/_data/{path.relative_to(REPOSITORY)}" in names
    assert not [name for name in names if name.startswith(("tests/", "tools/", "bench/", "docs/"))]
    assert {f"{name}/py.typed" for name in ("fieldpost", "builder", "validator", "desk")} <= names


def test_the_installed_program_lists_the_games(fieldpost: Run) -> None:
    result = fieldpost("games", "--json")
    assert result.returncode == 0, result.stderr
    assert [entry["id"] for entry in json.loads(result.stdout)] == games_in_the_box()


def test_the_installed_program_knows_moscow(fieldpost: Run) -> None:
    result = fieldpost("hex", "wfm", "2706", "--json")
    assert result.returncode == 0, result.stderr
    assert "Moscow" in [place["name"] for place in json.loads(result.stdout)["places"]]


def test_the_installed_program_lists_rules(fieldpost: Run) -> None:
    result = fieldpost("rules", "wfm", "wfm-4.26b")
    assert result.returncode == 0, result.stderr


def test_the_installed_program_runs_from_the_wheel_alone(fieldpost: Run) -> None:
    result = fieldpost("lint", "no-such-game")
    assert result.returncode == 2
    assert "In the box: " in result.stderr


def test_every_page_that_the_program_names_is_in_the_wheel(fieldpost: Run) -> None:
    folders = (*("fieldpost", "builder", "validator", "desk"), *KINDS)
    files = [path for name in folders for path in (REPOSITORY / name).rglob("*") if path.suffix in NAMING]
    named = {name for path in files for name in re.findall(r"docs/([\w-]+)\.md", path.read_text("utf-8"))}
    assert len(named) > 5
    for name in named:
        result = fieldpost("docs", f"docs/{name}.md")
        assert (result.returncode, result.stdout[:2]) == (0, "# "), name


@pytest.mark.parametrize("name", ["validator", "builder", "desk"])
def test_another_project_in_the_place_of_ours_is_named(name: str, fieldpost: Run, installed: Path) -> None:
    """As `pip install validator` leaves it: over the files of ours that have the same name."""
    (init,) = installed.glob(f"lib/python3*/site-packages/{name}/__init__.py")
    ours = init.read_bytes()
    init.write_text("from .elsewhere import Validator\n")
    try:
        result = fieldpost("check", str(REPOSITORY / "examples" / "faulty-turn.txt"))
    finally:
        init.write_bytes(ours)
    assert result.returncode == 2
    assert f"fieldpost's own package '{name}' is replaced by another project's" in result.stderr
    assert "Traceback" not in result.stderr
