"""What may import what: fieldpost neither half, the halves not each other, nobody in a circle."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.places import REPOSITORY

PACKAGES = ("fieldpost", "builder", "validator", "desk")
MAY_IMPORT = {
    "fieldpost": {"fieldpost"},
    "builder": {"builder", "fieldpost"},
    "validator": {"validator", "fieldpost"},
    "desk": {"desk", "builder", "validator", "fieldpost"},
}
IMPORTED_AS = {"pillow": "PIL", "pyyaml": "yaml", "dask": "distributed", "resvg-py": "resvg_py"}
SHIPPED_EXTRAS = ("cluster",)
COMMAND_TABLE = "fieldpost.cli"


def dependencies() -> set[str]:
    """The modules of what pyproject.toml says the program depends on."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [text for extra in SHIPPED_EXTRAS for text in project["optional-dependencies"][extra]]
    names = {re.split(r"[^\w-]", text)[0].lower() for text in [*project["dependencies"], *extras]}
    return {IMPORTED_AS.get(name, name) for name in names}


def module_name(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path for package in PACKAGES for path in sorted((REPOSITORY / package).rglob("*.py"))
}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def names_of(node: ast.AST, name: str) -> Iterator[str]:
    """The modules that an import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
            for _ in range(node.level - 1):
                package = package.rpartition(".")[0]
            base = f"{package}.{base}".rstrip(".")
        for alias in node.names:
            inner = f"{base}.{alias.name}"
            yield inner if inner in MODULES else base


def all_imports(name: str) -> set[str]:
    """Everything a module imports, at the top or within a function, for types or for good."""
    return {found for node in ast.walk(tree(name)) for found in names_of(node, name)}


def imports_on_loading(name: str) -> set[str]:
    """What is imported when the module is: not within functions, not for types only."""

    def walk(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                for other in child.orelse:
                    yield from walk(other)
                continue
            yield from names_of(child, name)
            yield from walk(child)

    return set(walk(tree(name)))


def package_of(name: str) -> str:
    return name.partition(".")[0]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_it_may(package: str) -> None:
    forbidden = {
        f"{name} imports {other}"
        for name in MODULES
        if package_of(name) == package
        for other in all_imports(name)
        if package_of(other) in PACKAGES and package_of(other) not in MAY_IMPORT[package]
    }
    assert forbidden == set()


def test_no_text_names_a_module_of_a_half_but_the_table_of_commands() -> None:
    """An import by name, as import_module does it, is an import too."""
    pattern = re.compile(r"(builder|validator|desk)(\.\w+)+")
    found = {
        f"{name}: {node.value}"
        for name in MODULES
        if package_of(name) == "fieldpost" and name != COMMAND_TABLE
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and pattern.fullmatch(node.value)
    }
    assert found == set()


@pytest.mark.parametrize("half", ["builder", "validator"])
def test_a_half_does_not_name_modules_of_the_other(half: str) -> None:
    other = {"builder": "validator", "validator": "builder"}[half]
    found = {
        name
        for name in MODULES
        if package_of(name) == half
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(rf"{other}(\.\w+)+", node.value)
    }
    assert found == set()


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {
        name: {other for other in imports_on_loading(name) if other in MODULES and other != name}
        for name in MODULES
    }
    for name, others in graph.items():  # a package that only re-exports its modules is no circle of theirs
        others -= {package for package in others if name.startswith(f"{package}.")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_everything_else_is_the_standard_library_or_a_dependency() -> None:
    known = {*PACKAGES, *dependencies(), *sys.stdlib_module_names}
    found = {
        f"{name} imports {other}"
        for name in MODULES
        for other in all_imports(name)
        if package_of(other) not in known
    }
    assert found == set()


def test_nothing_that_ships_imports_the_tests_or_the_tools() -> None:
    found = {
        name
        for name in MODULES
        for other in all_imports(name)
        if package_of(other) in {"tests", "tools", "bench", "players"}
    }
    assert found == set()


def test_the_command_line_is_read_by_commands_alone() -> None:
    """So that the page, and other programs, can ask for the same."""
    found = {
        name
        for name in MODULES
        if "argparse" in all_imports(name) and package_of(name) == "validator" and ".commands" not in name
    }
    assert found == set()
