"""What is written for people: links lead somewhere, commands answer as shown, dependencies have reasons."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from glob import glob
from pathlib import Path

import pytest

from fieldpost.cli import COMMANDS
from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY

PAGES = sorted(
    [
        *REPOSITORY.glob("*.md"),
        *(REPOSITORY / "docs").glob("*.md"),
        *(REPOSITORY / "bench").glob("*.md"),
        *(REPOSITORY / "tests").rglob("*.md"),
        *(REPOSITORY / "tools").rglob("*.md"),
    ]
)
PROGRAM = ("fieldpost", "builder", "validator", "desk")
APART = ("players", "tools", "tests", "bench")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
WRITES_FILES = {"build", "new", "lint"}  # tests/builder runs them; lint looks at what new has made


def name(page: Path) -> str:
    return page.relative_to(REPOSITORY).as_posix()


def anchors(page: Path) -> set[str]:
    """The headings of a page as link targets."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_to_a_file_and_its_heading(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, heading = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), f"{name(page)} links to {link}"
        assert not heading or heading in anchors(target), f"{name(page)} links to {link}"


def test_the_index_names_every_page() -> None:
    index = (REPOSITORY / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (REPOSITORY / "docs").glob("*.md")} - {"README.md"}
    assert pages <= set(LINK.findall(index))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_names_only_folders_and_files_that_are_there(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    tops = {*PROGRAM, *APART, "games", "counters", "maps", "templates", "docs", "examples"}
    for path in re.findall(r"`([\w./-]+/[\w./-]*)`", text):
        if path.partition("/")[0] in tops:
            assert (REPOSITORY / path).exists(), f"{name(page)} names {path}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_names_only_modules_that_are_there(page: Path) -> None:
    """By file name, by dotted name, or in the architecture as a path in one of the packages."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    files = [path for top in (*PROGRAM, *APART) for path in (REPOSITORY / top).rglob("*.py")]
    assert set(re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", text)) <= {path.name for path in files}
    tops = "|".join((*PROGRAM, *APART))
    for dotted in re.findall(rf"`(?:python -m )?((?:{tops})(?:\.\w+)+)\b", text):
        assert is_there(dotted.split(".")), f"{name(page)} names {dotted}"
    if page.name == "architecture.md":
        for path in re.findall(r"`([a-z_]+(?:/[a-z_]+)+)`", text):
            found = any(is_there([*top, *path.split("/")]) for top in ([], *([top] for top in PROGRAM)))
            assert found, f"{name(page)} names {path}"


def is_there(parts: list[str]) -> bool:
    """Whether there is such a folder or module, or a module that has the last name in it."""
    place = REPOSITORY.joinpath(*parts)
    if place.is_dir() or place.with_suffix(".py").is_file():
        return True
    module = place.parent.with_suffix(".py")
    return module.is_file() and re.search(rf"\b{parts[-1]}\b", module.read_text(encoding="utf-8")) is not None


def test_every_module_says_in_its_first_line_what_it_is_for() -> None:
    modules = [path for top in (*PROGRAM, "players") for path in (REPOSITORY / top).rglob("*.py")]
    told = [ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) for path in modules]
    bare = {name(path) for path, text in zip(modules, told, strict=True) if not text}
    assert {path for path in bare if not path.endswith("__init__.py")} == set()


def test_the_architecture_names_every_package() -> None:
    text = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    inner = {init.parent for top in PROGRAM for init in (REPOSITORY / top).glob("*/__init__.py")}
    assert {folder.relative_to(REPOSITORY).as_posix() for folder in inner} <= set(
        re.findall(r"`([\w/]+)`", text)
    )


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_names_only_commands_that_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    used = set(re.findall(r"^(?:\$ )?fieldpost (\w+)", text, re.MULTILINE))
    used |= set(re.findall(r"`fieldpost (\w+)", text))
    assert used - {"COMMAND"} <= set(COMMANDS)


def tour() -> Iterator[tuple[str, list[str]]]:
    """Each command of the README's tour with the lines shown below it."""
    for kind, block in FENCE.findall(README):
        if kind == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *shown = part.splitlines()
                if command.split()[1] not in WRITES_FILES:
                    yield command, shown


TOUR = list(tour())


@pytest.mark.parametrize(("command", "shown"), TOUR, ids=[command for command, _ in TOUR])
def test_the_tour_shows_what_the_program_says(
    command: str, shown: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, *arguments = shlex.split(command)
    assert program == "fieldpost"
    monkeypatch.chdir(REPOSITORY)
    words = [word for argument in arguments for word in (sorted(glob(argument)) or [argument])]
    printed = iter(run(capsys, *words).out.splitlines())
    for line in shown:
        wanted = re.escape(line).replace(r"\.\.\.", ".*")
        if line != "...":
            assert any(re.fullmatch(wanted, other) for other in printed), f"not printed any more: {line}"


def test_each_dependency_has_its_reason_in_the_readme() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = project["dependencies"] + [
        one for extra in project["optional-dependencies"].values() for one in extra
    ]
    names = {re.split(r"[^\w.-]", need)[0].lower() for need in needs} - {"lxml-stubs", "types-pyyaml"}
    assert {one for one in names if one not in README.lower()} == set()


def test_the_pictures_are_small_enough_for_a_page() -> None:
    pictures = re.findall(r"!\[.+\]\((.*)\)", README)
    assert pictures
    assert all((REPOSITORY / picture).stat().st_size < 400_000 for picture in pictures)


@pytest.mark.parametrize("game", ["wfm", "lwe", "ftm", "wie"])
def test_the_readme_counts_the_rules_of_each_game_as_the_program_does(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    statuses = [rule["status"] for rule in run(capsys, "rules", game, "--json").json]
    doubtful = statuses.count("doubtful")
    decided = statuses.count("enforced") + doubtful
    (row,) = (line for line in README.splitlines() if line.startswith("|") and f"(`{game}`)" in line)
    assert f"| {decided} of {len(statuses)} ({doubtful} at most as doubtful) |" in row
