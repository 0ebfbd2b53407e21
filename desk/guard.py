"""Who may ask: only a page of this very server, by its own address. And what every answer carries."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
CARRIED = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
UNTOLD = "null"  # what a browser says of a form on a page without referrer; Sec-Fetch-Site and token decide
HTTP_PORT = 80
READING = ("GET", "HEAD")
WRONG_HOST = "This is not the address of this page. Use the one that fieldpost printed.\n"
WRONG_SITE = "Another web site asked for this. It was refused.\n"


@dataclass(frozen=True)
class Address:
    """Where the page is served; `token` stands in each of its forms."""

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def url(self) -> str:
        shown = "127.0.0.1" if _is_anywhere(self.host) else self.host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}/"

    @property
    def only_here(self) -> bool:
        return _is_loopback(self.host)

    def is_own(self, host: str) -> bool:
        """Whether a Host header names this server. Any other name that leads here is somebody's trick."""
        try:
            said = urlsplit(f"//{host}")
            name, port = said.hostname or "", said.port or HTTP_PORT
        except ValueError:
            return False
        if port != self.port or said.netloc != host or said.username is not None:
            return False
        if name in ("localhost", self.host.lower()) or _is_loopback(name):
            return True
        return not self.only_here and _is_number(name)

    def is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(errors="replace"), self.token.encode())


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_number(host) and ipaddress.ip_address(host).is_loopback)


def _is_anywhere(host: str) -> bool:
    return _is_number(host) and ipaddress.ip_address(host).is_unspecified


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """Around the whole application."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self.app = app
        self.address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def carry(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in CARRIED.items():
                    headers.setdefault(name, value)
                if message["status"] >= 400:
                    headers["Connection"] = "close"  # what is left of a refused body is not read
            await send(message)

        refusal = self._refusal(scope["method"], Headers(scope=scope))
        await (refusal or self.app)(scope, receive, carry)

    def _refusal(self, method: str, headers: Headers) -> ASGIApp | None:
        host, site = headers.get("host", ""), headers.get("sec-fetch-site")
        if not self.address.is_own(host):
            return PlainTextResponse(WRONG_HOST, 421)
        origin = headers.get("origin")
        foreign = site in ("cross-site", "same-site")
        if method in READING:
            visiting = (
                headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
            )
            refused = foreign and not visiting
        else:
            refused = foreign or origin not in (None, UNTOLD, f"http://{host}")
        return PlainTextResponse(WRONG_SITE, 403) if refused else None
