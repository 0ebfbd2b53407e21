"""The command `fieldpost`: one table of commands, each loaded only when it is called.

To add a command, write a module with `configure(parser)` and `run(args) -> int`
and give it a row here. `run` returns the exit status: 0 done or nothing illegal,
1 something illegal, 2 the input could not be read or used.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import NamedTuple

from fieldpost import __version__, terminal
from fieldpost.errors import FieldpostError


class Command(NamedTuple):
    module: str
    summary: str


COMMANDS: dict[str, Command] = {
    "games": Command("fieldpost.commands.games", "list the games in the box and where each table comes from"),
    "lint": Command("fieldpost.commands.lint", "check a game definition"),
    "hex": Command("fieldpost.commands.hex", "show everything a game knows of one hex"),
    "rules": Command("validator.commands.rules", "list a game's rules and how each is decided"),
    "info": Command("fieldpost.commands.info", "say what a log, save or module holds"),
    "inspect": Command("fieldpost.commands.inspect", "say what is in a module, and what in it is broken"),
    "dump": Command("fieldpost.commands.dump", "print a log step by step"),
    "scrub": Command("fieldpost.commands.scrub", "copy a log without passwords and mail addresses"),
    "render": Command("builder.commands.render", "draw a game's map or counters"),
    "build": Command("builder.commands.build", "build a game's VASSAL module"),
    "import": Command(
        "builder.commands.import_module", "take a module in as data: YAML, pictures, the rest as it is"
    ),
    "new": Command("builder.commands.new", "start a game of your own from a small example"),
    "check": Command("validator.commands.check", "say what is illegal in a turn, by which rule, and why"),
    "audit": Command("validator.commands.audit", "audit a whole game: order, gaps, rules, dice"),
    "tell": Command("validator.commands.tell", "tell a game as a story, turn by turn"),
    "replay": Command("validator.commands.replay", "show a game of any module as a page to step through"),
    "reach": Command("validator.commands.reach", "show where a unit may go, with costs"),
    "supply": Command("validator.commands.supply", "show each unit's supply line"),
    "fingerprint": Command(
        "validator.commands.fingerprint", "count what a game's set-ups reach, supply and attack"
    ),
    "serve": Command("desk.commands.serve", "open a web page to check turns and take modules"),
    "site": Command("desk.commands.site", "write the page as static files that check in any browser"),
    "docs": Command("fieldpost.commands.docs", "print a page of the documentation"),
    "completion": Command("fieldpost.commands.completion", "let the Tab key complete commands and options"),
}

READS_ONE_FILE = ("info", "inspect", "dump", "scrub")
"""Commands with a limit of memory and of time, whatever file a stranger gives them."""

READS_MANY = ("import", "check", "audit", "tell", "replay", "reach", "supply")
"""Commands with a limit of memory; each file has one of time, of a module each of its set-ups."""

STATUS = "exit status: 0 done or nothing illegal, 1 something illegal, 2 input unreadable or unusable"


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what a terminal cannot show must not end the program
            stream.reconfigure(errors="backslashreplace")
    with terminal.filtered():
        return _answer(arguments)


def _open_what_is_closed() -> None:
    """A shell's `>&-` closes a stream: what is written there goes nowhere, and no file takes its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _answer(arguments: list[str]) -> int:
    try:
        return _dispatch(arguments)
    except FieldpostError as error:
        return _fail(error.message, error.hint)
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a disk that is full, a folder that may not be written
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", "Choose another file or folder, or make room.")
    except KeyboardInterrupt:
        return _fail("stopped", None)
    except MemoryError:  # where even the words of the limit found no room; it is let go before any is said
        pass
    return _fail(
        "this needs more memory than one command may have", "Is it a real file? Then please tell us."
    )


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(overview(), flush=True)
        return 0
    if arguments[0] in ("-V", "--version"):
        from fieldpost import parts

        commit = parts.commit()
        print(f"fieldpost {__version__}{f' (commit {commit})' if commit else ''}")
        return 0
    name, *rest = arguments
    if name not in COMMANDS:
        return _fail(f"there is no command {name!r}", _nearest(name))
    return _run(name, rest)


def overview() -> str:
    width = max(map(len, COMMANDS)) + 2
    rows = "\n".join(f"  {name:<{width}}{command.summary}" for name, command in COMMANDS.items())
    return (
        "usage: fieldpost COMMAND [...]\n\n"
        "Hex-and-counter wargames by mail: build the module, check the turn, referee the game.\n\n"
        f"commands:\n{rows}\n\n"
        "fieldpost COMMAND --help explains one and shows an example.\n"
        f"{STATUS}"
    )


def _run(name: str, arguments: list[str]) -> int:
    command = COMMANDS[name]
    if not command.module.startswith("fieldpost."):
        from fieldpost import parts

        parts.check()
    module = import_module(command.module)
    parser = argparse.ArgumentParser(
        prog=f"fieldpost {name}",
        description=command.summary[0].upper() + command.summary[1:] + ".",
        epilog=STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.configure(parser)
    parsed = parser.parse_args([_no_option(parser, word) for word in arguments])
    with _bounds(name):
        status: int = module.run(parsed)
    return status


def _no_option(parser: argparse.ArgumentParser, word: str) -> str:
    """The name of a file that begins with a dash, written so that it is not taken for an option."""
    is_usual = not word.startswith("-") or word in ("-", "--") or word in parser._option_string_actions
    return word if is_usual or not os.path.lexists(word) else os.path.join(os.curdir, word)


def _bounds(name: str) -> AbstractContextManager[None]:
    if name not in (*READS_ONE_FILE, *READS_MANY):
        return nullcontext()
    from fieldpost import bounds

    return bounds.held(seconds=bounds.SECONDS if name in READS_ONE_FILE else None)


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    return f"Did you mean 'fieldpost {near[0]}'?" if near else "'fieldpost --help' lists them."


def _fail(message: str, hint: str | None) -> int:
    print(f"fieldpost: {message}", file=sys.stderr)
    if hint:
        print(hint, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
