"""The pages themselves: a template and what it shows."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from fieldpost import __version__, data

SERIF, CONDENSED = "serif-bold", "condensed-semibold"
FACES = {f"{face}.ttf": face for face in (SERIF, CONDENSED)}
STATIC = {"desk.css": "text/css", "desk.js": "text/javascript", "emblem.svg": "image/svg+xml"}


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(data.path("templates", "desk")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters["megabytes"] = lambda size: f"{size / 1e6:.1f} MB"
    made.filters["number"] = lambda count, noun: f"{count:,} {noun}" + ("" if count == 1 else "s")
    return made


def page(request: Request, name: str, status: int = 200, **shown: Any) -> HTMLResponse:
    desk = request.app.state.desk
    text = (
        environment()
        .get_template(f"{name}.html.j2")
        .render(
            **shown,
            token=desk.address.token,
            limits=desk.limits,
            version=__version__,
            here=request.url.path,
            only_here=desk.address.only_here,
        )
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
        return await asyncio.to_thread(_face(FACES[name]).read_bytes), "font/ttf"
    return None


def _face(name: str) -> Path:
    from builder import fonts

    return fonts.path(name)
