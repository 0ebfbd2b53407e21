"""What each address answers."""

from __future__ import annotations

import asyncio
import errno
import json
import re
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from desk import lane, pages, tasks, uploads
from desk.desk import Desk
from desk.guard import Guard
from desk.pages import answer_wrong, page
from desk.shelf import Result
from desk.templates import EXAMPLES, POLICIES, STATUSES
from desk.uploads import Refused
from fieldpost import data

BOXED = "sandbox allow-scripts allow-modals; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
_REPORT_POLICY = re.compile(rb'http-equiv="Content-Security-Policy" content="([^"]+)"')


def make(desk: Desk) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> Any:
        async with desk.open():
            yield

    app = Starlette(
        routes=ROUTES,
        middleware=[Middleware(Guard, address=desk.address)],
        exception_handlers={
            HTTPException: _http,
            Refused: _refused,
            lane.Full: _full,
            OSError: _no_room,
            Exception: _fault,
        },
        lifespan=lifespan,
    )
    app.state.desk = desk
    return app


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


# --- start and check -----------------------------------------------------------------------------


async def start(request: Request) -> Response:
    desk = _desk(request)
    games = await desk.library.games()
    modules = {game: desk.library.module(game) for game in games}
    return page(request, "start", games=games, modules=modules, examples=EXAMPLES, policies=POLICIES)


async def check(request: Request) -> Response:
    desk = _desk(request)
    form = await uploads.form_of(request, desk.limits, desk.held, desk.address.is_token)
    try:
        _must_be_ours(desk, str(form.get("token", "")))
        files = uploads.files_of(form)
        if not files:
            raise Refused(
                400, "No file was chosen.", "Choose the log that VASSAL wrote; its name ends in .vlog."
            )
        result = await desk.check(files, await _asked(desk, form))
    finally:
        await form.close()
    return _on_to(request, result)


def _must_be_ours(desk: Desk, token: str) -> None:
    if not desk.address.is_token(token):
        raise uploads.not_ours()


async def _asked(desk: Desk, form: FormData) -> dict[str, Any]:
    """What was chosen beside the files; what is not on offer counts as not chosen."""
    games = await desk.library.games()
    game, _, scenario = str(form.get("game", "")).partition("/")
    known = game in games and scenario in {one["id"] for one in games[game]["scenarios"]}
    policy = str(form.get("policy", ""))
    return {
        "game": game if known else None,
        "scenario": scenario if known else None,
        "options": _options(games, [str(item) for item in form.getlist("option")]),
        "policy": policy if policy in POLICIES else next(iter(POLICIES)),
        "over": form.get("over") == "yes",
    }


def _options(games: dict[str, dict[str, Any]], chosen: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in chosen:
        game, _, choice = text.partition("/")
        offered = games.get(game, {}).get("options", ())
        if choice in {f"{option['id']}={one}" for option in offered for one in option["choices"]}:
            found.setdefault(game, []).append(choice)
    return found


def _on_to(request: Request, result: Result) -> Response:
    where = f"/results/{result.id}"
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"where": where}, 201)
    return RedirectResponse(where, 303)


async def example(request: Request) -> Response:
    desk = _desk(request)
    _must_be_ours(desk, (await uploads.short_form(request)).get("token", ""))
    known = EXAMPLES.get(request.path_params["name"])
    if known is None:
        raise HTTPException(404)
    root = data.path("examples")
    paths = [path for pattern in known[1] for path in sorted(root.glob(pattern))]
    return _on_to(request, await desk.check_example(paths))


async def sheet(request: Request) -> Response:
    """What cannot be read in a turn sheet that is being typed."""
    given = await _question(request)
    outcome = await _desk(request).look(str(given.get("text", "")))
    return JSONResponse({"problems": outcome.get("done", [])})


async def _question(request: Request) -> dict[str, Any]:
    """What a script of ours asks: a small object in JSON, with the token in the head."""
    _must_be_ours(_desk(request), request.headers.get("x-fieldpost-token", ""))
    try:
        given = json.loads(await uploads.short_body(request))
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise Refused(400, "This question could not be read.", "Reload the page.")
    return given


# --- results -------------------------------------------------------------------------------------


def _result(request: Request) -> Result:
    result = _desk(request).shelf.get(request.path_params["id"])
    if result is None:
        raise Refused(
            404,
            "This result is gone.",
            "Results are kept for at most an hour, and only while fieldpost runs. Send the files again.",
        )
    return result


def _done(request: Request) -> Result:
    result = _result(request)
    if result.state != lane.DONE:
        raise Refused(404, "This check has not finished yet.", "Go back to its page and wait for it.")
    return result


async def show(request: Request) -> Response:
    result = _result(request)
    if result.state != lane.DONE:
        before = _desk(request).checks.before(result)
        return page(request, "waiting", result=result, before=before, progress=result.progress())
    return await asyncio.to_thread(_found_page, request, result)  # which may be long: others are answered


def _found_page(request: Request, result: Result) -> Response:
    found = result.found()
    if "done" not in found:
        return page(request, "unreadable", result=result, message=found["error"], hint=found["hint"])
    done = found["done"]
    return page(request, "foreign" if done["foreign"] else "verdict", result=result, found=done)


async def state(request: Request) -> Response:
    result = _result(request)
    before = _desk(request).checks.before(result)
    return JSONResponse({"state": result.state, "before": before, **result.progress()})


async def replay(request: Request) -> Response:
    result, number = _done(request), request.path_params["number"]
    if not (result.folder / tasks.report_name(number)).is_file():
        raise HTTPException(404)
    places = ((name, request.query_params.get(name, "")) for name in ("finding", "step"))
    place = next((f"{name}={n}" for name, n in places if n.isascii() and n.isdigit()), "")
    return page(request, "replay", result=result, number=number, place=place)


async def report(request: Request) -> Response:
    """The report in a box of its own: its script runs, but belongs to no site and reaches nothing."""
    path = _done(request).folder / tasks.report_name(request.path_params["number"])
    if not path.is_file():
        raise HTTPException(404)
    headers = {"Content-Security-Policy": _report_policy(path), "X-Frame-Options": "SAMEORIGIN"}
    name = "report.html" if "save" in request.query_params else None
    return FileResponse(path, media_type="text/html", filename=name, headers=headers)


def _report_policy(path: Path) -> str:
    """What the report allows itself, by the digest of its script, and no more."""
    with path.open("rb") as file:
        own = _REPORT_POLICY.search(file.read(4096))
    said = own[1].decode("ascii") if own else "default-src 'none'"
    return f"{said}; {BOXED}"


async def text(request: Request) -> Response:
    path = _done(request).folder / tasks.TEXT
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, media_type="text/plain; charset=utf-8", filename="verdict.txt")


async def sheet_start(request: Request) -> Response:
    path = _done(request).folder / tasks.start_name(request.path_params["number"])
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, media_type="text/plain; charset=utf-8", filename="next-turn.txt")


async def data_file(request: Request) -> Response:
    path = _done(request).folder / tasks.DATA
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, media_type="application/json", filename="verdict.json")


async def ask(request: Request) -> Response:
    """A question about a unit at a step of the replay."""
    given = await _question(request)
    result = _done(request)
    kept = result.folder / tasks.played_name(request.path_params["number"])
    if not kept.is_file():
        raise HTTPException(404)
    return JSONResponse(await _desk(request).ask(kept, _about(given)))


def _about(given: dict[str, Any]) -> dict[str, Any]:
    frame = given.get("frame")
    words = {name: str(given.get(name, ""))[:80] for name in ("kind", "unit", "mode", "to")}
    return {**words, "frame": frame if isinstance(frame, int) and 0 <= frame < 10**6 else 0}


async def forget(request: Request) -> Response:
    desk = _desk(request)
    _must_be_ours(desk, (await uploads.short_form(request)).get("token", ""))
    desk.shelf.forget(_result(request))
    return RedirectResponse("/", 303)


# --- games ---------------------------------------------------------------------------------------


async def _game(request: Request) -> dict[str, Any]:
    games = await _desk(request).library.games()
    game = games.get(request.path_params["game"])
    if game is None:
        raise HTTPException(404)
    return game


async def game_page(request: Request) -> Response:
    game = await _game(request)
    module = _desk(request).library.module(game["id"])
    counts = {status: sum(rule["status"] == status for rule in game["rules"]) for status in STATUSES}
    return page(request, "game", game=game, module=module, counts=counts, statuses=STATUSES)


async def rules(request: Request) -> Response:
    game = await _game(request)
    wanted = request.query_params.get("status", "")
    chosen = wanted if wanted in STATUSES else ""
    shown = [rule for rule in game["rules"] if not chosen or rule["status"] == chosen]
    return page(request, "rules", game=game, rules=shown, statuses=STATUSES, chosen=chosen)


async def build(request: Request) -> Response:
    desk = _desk(request)
    _must_be_ours(desk, (await uploads.short_form(request)).get("token", ""))
    game = await _game(request)
    if not game["playable"]:
        raise HTTPException(404)
    desk.library.build(game["id"])
    return RedirectResponse(f"/games/{game['id']}#module", 303)


async def build_state(request: Request) -> Response:
    module = _desk(request).library.module((await _game(request))["id"])
    return JSONResponse({"state": lane.DONE if module.ready else module.state})


async def module_file(request: Request) -> Response:
    module = _desk(request).library.module((await _game(request))["id"])
    if not module.ready:
        raise Refused(
            404, "This module has not been built yet.", "Go back to the page of the game and wait for it."
        )
    return FileResponse(module.path, media_type="application/octet-stream", filename=module.path.name)


async def map_picture(request: Request) -> Response:
    module = _desk(request).library.module((await _game(request))["id"])
    if not module.ready:
        raise HTTPException(404)
    return FileResponse(
        module.picture, media_type="image/webp", headers={"Cache-Control": "private, max-age=600"}
    )


async def static(request: Request) -> Response:
    found = await pages.static(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return Response(found[0], media_type=found[1], headers={"Cache-Control": "private, max-age=600"})


ROUTES = [
    Route("/", start),
    Route("/check", check, methods=["POST"]),
    Route("/examples/{name}", example, methods=["POST"]),
    Route("/sheet", sheet, methods=["POST"]),
    Route("/results/{id}", show),
    Route("/results/{id}/state", state),
    Route("/results/{id}/map/{number:int}", replay),
    Route("/results/{id}/report/{number:int}", report),
    Route("/results/{id}/text", text),
    Route("/results/{id}/start/{number:int}", sheet_start),
    Route("/results/{id}/json", data_file),
    Route("/results/{id}/ask/{number:int}", ask, methods=["POST"]),
    Route("/results/{id}/forget", forget, methods=["POST"]),
    Route("/games/{game}", game_page),
    Route("/games/{game}/rules", rules),
    Route("/games/{game}/build", build, methods=["POST"]),
    Route("/games/{game}/state", build_state),
    Route("/games/{game}/module", module_file),
    Route("/games/{game}/map.webp", map_picture),
    Route("/static/{name}", static),
]


# --- what goes wrong -----------------------------------------------------------------------------


async def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 405:
        return answer_wrong(request, status, "This cannot be done here.", "Use the buttons of the page.")
    return answer_wrong(request, status, "There is no such page.", "Go to the first page.")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return answer_wrong(request, error.status, error.message, error.hint)


async def _full(request: Request, error: Exception) -> Response:
    return answer_wrong(request, 503, *lane.FULL)


async def _no_room(request: Request, error: Exception) -> Response:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EMFILE, errno.ENFILE):
        return answer_wrong(request, 503, "Too much is being sent at once.", "Try again in a minute.")
    if number in (errno.ENOSPC, errno.EDQUOT):
        hint = "The disk is full. Make room, then try again."
    else:
        hint = "Is the disk full? Make room, then try again."
    return answer_wrong(request, 507, "The files could not be kept while they are checked.", hint)


async def _fault(request: Request, error: Exception) -> Response:
    hint = "Try again. If it happens again, please report what you did."
    return answer_wrong(request, 500, "Something in fieldpost itself failed.", hint)
