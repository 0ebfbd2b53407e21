"""The pages as answers of the server: a template and what it shows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from desk.addresses import Served
from desk.templates import render
from fieldpost import data

FACES = {"serif-bold.ttf": "serif-bold", "condensed-semibold.ttf": "condensed-semibold"}
STATIC = {
    "desk.css": "text/css",
    "desk.js": "text/javascript",
    "serve.js": "text/javascript",
    "emblem.svg": "image/svg+xml",
}


def page(request: Request, name: str, status: int = 200, **shown: Any) -> HTMLResponse:
    desk = request.app.state.desk
    text = render(
        name,
        Served(),
        **shown,
        token=desk.address.token,
        limits=desk.limits,
        here=request.url.path,
        only_here=desk.address.only_here,
    )
    return HTMLResponse(text, status)


def answer_wrong(request: Request, status: int, message: str, hint: str) -> Response:
    """For the script as data, for people as a page."""
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"error": message, "hint": hint}, status)
    return page(request, "wrong", status, message=message, hint=hint)


async def static(name: str) -> tuple[bytes, str] | None:
    """A file of the pages and its type. Only names of the two tables lead to a file."""
    if name in STATIC:
        return await asyncio.to_thread(data.path("templates", "desk", name).read_bytes), STATIC[name]
    if name in FACES:
        return await asyncio.to_thread(face(name).read_bytes), "font/ttf"
    return None


def face(name: str) -> Path:
    from builder import fonts

    return fonts.path(FACES[name])
