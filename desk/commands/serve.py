"""`fieldpost serve`: a page for people who would rather not type."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from fieldpost.commands import options
from fieldpost.commands.options import example

if TYPE_CHECKING:
    from desk.guard import Address

LOOPBACK = "127.0.0.1"
MOST_PORT = 65535


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--port", type=_port, default=0, help="a port of your choice (a free one)")
    add("--host", default=LOOPBACK, help=f"where to listen; any other than {LOOPBACK} lets others in")
    add("--no-browser", action="store_true", help="do not open the browser")
    add("--on-demand", action="store_true", help="build a module only when it is asked for")
    options.add_own_games(parser)
    add("--max-upload", type=_size, default=256, metavar="MB", help="of files sent at once (256)")
    example(parser, "serve", "serve --port 8080 --no-browser", "serve --game my-game")


def run(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    from desk import server
    from fieldpost.definition.places import name_own_games

    name_own_games(arguments.game)
    from desk.limits import MB, Limits

    def ready(address: Address) -> None:
        _say(address)
        if not arguments.no_browser:
            _open_browser(address.url)

    usual, most = Limits(), arguments.max_upload * MB
    limits = replace(usual, upload_bytes=most, held_bytes=max(usual.held_bytes, 2 * most))
    server.serve(arguments.host, arguments.port, ready, limits, prepare=not arguments.on_demand)
    print("Stopped; nothing was kept.")
    return 0


def _say(address: Address) -> None:
    if not address.only_here:
        print(
            f"fieldpost: warning: everyone who can reach {address.host} can use this page and this machine.\n"
            "It has no password. On a network you do not trust, stop it now with Ctrl-C.",
            file=sys.stderr,
        )
    print(
        f"The page is at {address.url}\nNothing you drop there leaves this computer. Ctrl-C ends it.",
        flush=True,
    )


def _open_browser(url: str) -> None:
    """Where there is a screen; a browser in the terminal would take it away from Ctrl-C."""
    import webbrowser

    if sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    ):
        webbrowser.open(url)


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= MOST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number up to {MOST_PORT}")
    return number


def _size(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 4096:
        raise argparse.ArgumentTypeError("a number of megabytes from 1 to 4096")
    return number
