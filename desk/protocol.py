"""HTTP with a limit of time for each request and of connections at once."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from desk.limits import Limits


class PatientProtocol(H11Protocol):
    """Waits so long for a request, and so long for its answer to be taken, however slowly they trickle."""

    limits: Limits

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            transport.abort()
        else:
            self._end_after(self.limits.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._end_after(self.limits.answer_seconds)

    def on_response_complete(self) -> None:
        self._end_after(self.limits.header_seconds)
        super().on_response_complete()

    def _end_after(self, seconds: float) -> None:
        self._forget()
        if not self.transport.is_closing():
            self._due = self.loop.call_later(seconds, self.transport.abort)

    def _forget(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


def protocol(limits: Limits) -> type[PatientProtocol]:
    """What uvicorn makes for each connection."""
    return type("PatientProtocol", (PatientProtocol,), {"limits": limits})
