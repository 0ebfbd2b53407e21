"""From an address to a running server and to its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from desk import app
from desk.desk import Desk
from desk.guard import Address
from desk.limits import Limits
from desk.protocol import protocol
from desk.shelf import run_folder
from fieldpost.errors import FieldpostError

FILES = 4096  # open at once, where the system allows it
OTHERS = 100  # which connections do not need
A_CONNECTION = 2  # and what it sends
HEAD_BYTES = 16 * 1024
STOP_SECONDS = 2
BACKLOG = 128


def serve(host: str, port: int, ready: Callable[[Address], None], limits: Limits, *, prepare: bool) -> None:
    """Until Ctrl-C, or until the terminal is closed."""
    most = max(1, (open_files() - OTHERS) // A_CONNECTION)
    limits = replace(limits, connections=min(limits.connections, most))
    with listening(host, port) as listener:
        folder = run_folder()
        address = Address(host, listener.getsockname()[1])
        server = make(Desk(address, folder, limits, prepare))
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, server.handle_exit)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_run(server, listener, lambda: ready(address)))


def open_files() -> int:
    """How many files may be open at once, the limit raised as far as it goes."""
    try:
        import resource
    except ImportError:  # a system without such a limit
        return FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return FILES
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Requests that are cut off now are no faults worth telling."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)
        await super().shutdown(sockets)


def make(desk: Desk) -> Server:
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # a spoiled form is the sender's, not ours
    return Server(
        uvicorn.Config(
            app.make(desk),
            http=protocol(desk.limits),
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=STOP_SECONDS,
            h11_max_incomplete_event_size=HEAD_BYTES,
            backlog=BACKLOG,
        )
    )


async def _run(server: uvicorn.Server, listener: socket.socket, ready: Callable[[], None]) -> None:
    serving = asyncio.create_task(server.serve([listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        await asyncio.to_thread(ready)
    await serving


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes any that is free."""
    try:
        family, kind, number, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, number)
    except (OSError, UnicodeError):
        raise FieldpostError(
            f"there is no address {host!r} here", "Leave --host out: 127.0.0.1 is meant."
        ) from None
    try:
        if os.name == "posix":  # elsewhere it would let two servers have one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        why = (error.strerror or "it cannot be used").lower()
        raise FieldpostError(
            f"port {port} of {host}: {why}", "Leave --port out: a free one is taken."
        ) from None
    return listener
