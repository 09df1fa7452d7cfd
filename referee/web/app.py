"""The server: pages, tables and the workshop over HTTP, and the sockets of browsers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from referee.bots import BOTS
from referee.engine.fields import Field, read_fields
from referee.engine.fields import text as text_field
from referee.engine.stream import Refusal, read_object
from referee.web import texts
from referee.web.browser import LOG, BrowserSocket
from referee.web.guard import App, Guard, HostNames, Rate
from referee.web.hall import Hall, OpenTable
from referee.web.questions import FILES, MOST_KEYS, MOST_PLAYERS, OPTIONS, short, whole
from referee.web.sitting import Guest, good_name, good_who
from rulespec import NoDisk, RuleFileError, __version__, find_game, shipped_games

STATIC = Path(__file__).parent / "static"
MOST_BYTES = 1_000_000  # of a request
SWEEP = 30.0  # seconds between two looks for idle tables
NEW_TABLES = (10.0, 300.0)  # a second on average, and at once
FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,60}\.ya?ml")
STATUS = {
    "wrong-key": 401,
    "no-key": 401,
    "not-your-seat": 403,
    "not-host": 403,
    "no-table": 404,
    "unknown-page": 404,
    "superseded": 409,
    "too-large": 413,
    "too-fast": 429,
    "too-many-tables": 503,
    "too-slow": 503,
    "busy": 503,
    "cannot-store": 503,
}


class Answer(JSONResponse):
    """JSON in ASCII: what a text from elsewhere holds may not be possible in UTF-8."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode("ascii")


class WebServer:
    """Shared by the routes: the hall, and the jobs of the workshop that are under way."""

    def __init__(self, hall: Hall, names: HostNames, addresses: tuple[str, ...] = ()) -> None:
        self.hall = hall
        self.names = names
        self.addresses = addresses
        self._jobs: dict[tuple[str, str], asyncio.Task[dict[str, Any]]] = {}
        self._games: dict[str, Any] | None = None
        self._listing = asyncio.Lock()
        self._new = Rate(*NEW_TABLES)

    # tables ----------------------------------------------------------------------------------------------

    async def games(self, request: Request) -> Response:
        async with self._listing:  # which takes a second, once
            if self._games is None:
                found = await self.hall.job("games", {}, "games")
                self._games = {"version": __version__, **found, "bots": list(BOTS)}
        return Answer(self._games)

    async def game(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in shipped_games():
            raise Refusal("unknown-page", texts.UNKNOWN_GAME.format(found=name[:100]))
        path = find_game(name)
        assert path is not None
        try:
            return Answer({"name": name, "text": NoDisk().read(path)})
        except RuleFileError as error:
            raise Refusal("bad-rules", error.diagnostics[0].first_line()) from None

    async def address(self, request: Request) -> Response:
        return Answer({"addresses": list(self.addresses)})

    async def create(self, request: Request) -> Response:
        spec = await read_body(request, "table", TABLE)
        sources = [key for key in ("game", "rules", "record") if spec[key] is not None]
        if len(sources) != 1:
            raise Refusal("missing-field", texts.ONE_SOURCE, field="game")
        if sources == ["record"]:
            for key in ("house", "players", "options", "first", "chance", "files"):
                if spec[key] is not None:
                    raise Refusal("bad-field", texts.RECORD_ALONE.format(field=key), field=key)
        if not self._new.allows():
            raise Refusal("too-fast", texts.TOO_MANY_NEW)
        for seat in spec["seats"] or []:
            if seat.get("name") is not None:
                seat["name"] = good_name(seat["name"])
            good_who(seat.get("who") or "human")
        _no_name_twice(spec["seats"] or [])
        table = await self.hall.create({**spec, "called": _called(spec)})
        keys, match = table.sitting.keys, table.sitting.match
        seats = [
            {"player": n, "name": seat.name, "who": seat.who, "key": key}
            for n, (seat, key) in enumerate(zip(match.seats, keys.seats, strict=True), 1)
        ]
        data = {"table": table.sitting.ident, "host": keys.host, "onlooker": keys.onlooker, "seats": seats}
        return Answer(data, 201)

    async def record(self, request: Request) -> Response:
        table, guest = await self._admitted(request)
        text = await self.hall.record(table, guest, request.query_params.get("whole") == "yes")
        disposition = f'attachment; filename="{table.sitting.ident}.jsonl"'
        return PlainTextResponse(text, headers={"content-disposition": disposition})

    async def rules(self, request: Request) -> Response:
        table, _ = await self._admitted(request)
        return Answer({"files": _files_of(table)})

    async def rulebook(self, request: Request) -> Response:
        table, _ = await self._admitted(request)
        match = table.sitting.match
        opened = match.header.rules["opened"]
        texts_of = {file["name"]: file["text"] for file in _files_of(table)}
        named = [{"name": name, "text": texts_of[name]} for name in opened]
        spec = {"rules": named[0], "house": named[1:], "files": texts_of, "players": match.game.players}
        found = await self.hall.job("rulebook", {**spec, "options": dict(match.game.options)}, match.header.rules_hash)
        return Answer({key: found[key] for key in ("html", "markdown")})

    async def _admitted(self, request: Request) -> tuple[OpenTable, Guest]:
        kind, _, keys = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not keys:
            raise Refusal("no-key", texts.NO_KEY)
        given = keys.strip().split("+")[:MOST_KEYS]
        table = await self.hall.find(request.path_params["table"], given)
        return table, table.sitting.admit(given)

    async def qr(self, request: Request) -> Response:
        import segno

        link = (await read_body(request, "qr", {"link": short(True)}))["link"]
        parts = urlsplit(link)
        if (
            parts.scheme not in ("http", "https")
            or not self.names.has(parts.netloc)
            or not parts.path.startswith("/table/")
        ):
            raise Refusal("bad-field", texts.NOT_OUR_LINK, field="link")
        code = segno.make(link, error="m", micro=False)
        drawn = code.svg_inline(border=4, omitsize=True).replace('stroke="#000"', 'stroke="currentColor"')
        return Answer({"svg": drawn})

    # the workshop ----------------------------------------------------------------------------------------

    async def workshop(self, request: Request) -> Response:
        what = request.path_params["what"]
        if what not in WORKSHOP:
            raise Refusal("unknown-page", texts.NO_PAGE)
        spec = await read_body(request, what, WORKSHOP[what])
        stream = spec.pop("stream") or ""
        if what in ("rulebook", "replay"):
            spec["rules"] = {"name": spec["name"], "text": spec.pop("text")}
        pool = self.hall.lab if what == "balance" else None
        task = asyncio.create_task(self.hall.job(what, spec, stream, pool))
        key = (what, stream)
        if stream:
            if (before := self._jobs.get(key)) is not None:
                before.cancel()
            self._jobs[key] = task
        gone = asyncio.create_task(_gone(request))
        try:
            await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                task.cancel()
                raise Refusal("superseded", texts.SUPERSEDED)
            if task.cancelled():
                raise Refusal("superseded", texts.SUPERSEDED)
            return Answer(task.result())
        finally:
            gone.cancel()
            if not task.done():
                task.cancel()
            if self._jobs.get(key) is task:
                del self._jobs[key]

    # sockets ---------------------------------------------------------------------------------------------

    async def socket(self, socket: WebSocket) -> None:
        hall = self.hall
        if hall.clients >= hall.limits.clients:
            await socket.accept()
            await socket.close(4429, texts.TOO_MANY_CLIENTS.format(most=hall.limits.clients))
            return
        hall.clients += 1
        try:
            await BrowserSocket(hall, socket).run()
        finally:
            hall.clients -= 1


async def _gone(request: Request) -> None:
    """Wait until nobody waits for the answer any more."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _files_of(table: OpenTable) -> list[dict[str, str]]:
    """Return the rule files of a table, what was opened last first."""
    rules = table.sitting.match.header.rules
    names = [*reversed(rules["opened"]), *(name for name in rules["files"] if name not in rules["opened"])]
    return [{"name": name, "text": rules["files"][name]["text"]} for name in names]


def _called(spec: dict[str, Any]) -> str | None:
    """Return the name that a record gets for its game."""
    if spec["game"] is not None:
        return str(spec["game"])
    rules = spec["rules"]
    return rules.get("name") if isinstance(rules, dict) else None


def _no_name_twice(seats: list[dict[str, Any]]) -> None:
    names = [seat["name"].lower() for seat in seats if seat.get("name")]
    for name in names:
        if names.count(name) > 1:
            raise Refusal("bad-field", texts.NAME_TAKEN.format(name=name), field="seats")


# Bodies ------------------------------------------------------------------------------------------------------


def _is_source(value: Any) -> bool:
    if isinstance(value, str):
        return True
    return (
        isinstance(value, dict)
        and value.keys() <= {"name", "text"}
        and isinstance(value.get("text"), str)
        and (value.get("name") is None or _is_file_name(value["name"]))
    )


def _is_file_name(value: Any) -> bool:
    return isinstance(value, str) and FILE_NAME.fullmatch(value) is not None


def _is_seats(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_PLAYERS
        and all(
            isinstance(seat, dict)
            and seat.keys() <= {"name", "who"}
            and all(v is None or isinstance(v, str) for v in seat.values())
            for seat in value
        )
    )


def _is_files(value: Any) -> bool:
    return FILES.fits(value) and all(map(_is_file_name, value))


NAMED_FILES = Field(_is_files, texts.AS_FILES, None)
TABLE = {
    "game": short(most=200),
    "rules": Field(_is_source, texts.AS_RULES, None),
    "record": text_field(),
    "house": Field(lambda v: isinstance(v, list) and len(v) <= 20 and all(map(_is_source, v)), texts.AS_HOUSE, None),
    "files": NAMED_FILES,
    "players": whole(1, MOST_PLAYERS),
    "options": OPTIONS,
    "seats": Field(_is_seats, texts.AS_SEATS, None),
    "first": whole(1, MOST_PLAYERS),
    "chance": Field(lambda v: v in ("server", "typed"), "`server` or `typed`", None),
}
_EDITED = {
    "text": text_field(True),
    "name": Field(_is_file_name, "the name of a .yaml file", None),
    "files": NAMED_FILES,
    "stream": short(most=64),
}
_CURSOR = {
    **_EDITED,
    "line": whole(1, 10**6, needed=True),
    "column": whole(1, 10**6, needed=True),
    "known": text_field(),
}
_CHOSEN = {"players": whole(1, MOST_PLAYERS), "options": OPTIONS}
WORKSHOP: dict[str, dict[str, Field]] = {
    "check": _EDITED,
    "complete": _CURSOR,
    "hover": _CURSOR,
    "format": _EDITED,
    "examples": _EDITED,
    "diff": {**_EDITED, "against": Field(_is_source, texts.AS_RULES, None)},
    "balance": {**_EDITED, **_CHOSEN},
    "rulebook": {**_EDITED, **_CHOSEN},
    "replay": {**_EDITED, **_CHOSEN, "record": text_field(True)},
}


async def read_body(request: Request, what: str, fields: dict[str, Field]) -> dict[str, Any]:
    """Return the fields of a request. Raises Refusal."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refusal("bad-message", texts.NOT_JSON_TYPE)
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES:
            raise Refusal("too-large", texts.TOO_LARGE.format(most=MOST_BYTES))
        parts.append(part)
    return read_fields(what, read_object(b"".join(parts)), fields)


def answering(
    handler: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that answers refusals as data, and is never cached."""

    async def handle(request: Request) -> Response:
        try:
            response = await handler(request)
        except Refusal as refusal:
            response = Answer({"error": refusal.as_data()}, STATUS.get(refusal.code, 400))
        except Exception as error:  # our own fault: the server goes on, and the browser is told
            LOG.exception("a request failed")
            failed = Refusal("internal", texts.INTERNAL.format(name=type(error).__name__))
            response = Answer({"error": failed.as_data()}, 500)
        response.headers["cache-control"] = "no-store"
        return response

    return handle


async def _page(request: Request) -> Response:
    index = STATIC / "index.html"
    if not index.is_file():
        return PlainTextResponse(texts.NO_PAGE + "\n", 404)
    return FileResponse(index, headers={"cache-control": "no-cache"})


def create_app(hall: Hall, names: HostNames, addresses: tuple[str, ...] = ()) -> App:
    """Return the server as an application for any ASGI server."""
    server = WebServer(hall, names, addresses)

    @contextlib.asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        hall.workers.prepare()
        sweeping = asyncio.create_task(_sweep(hall))
        try:
            yield
        finally:
            sweeping.cancel()
            await hall.close()

    def api(path: str, handler: Callable[[Request], Awaitable[Response]], method: str = "GET") -> Route:
        return Route(path, answering(handler), methods=[method])

    routes = [
        Route("/", _page),
        Route("/table/{table}", _page),
        Route("/workshop", _page),
        api("/api/games", server.games),
        api("/api/games/{name:path}", server.game),
        api("/api/address", server.address),
        api("/api/tables", server.create, "POST"),
        api("/api/tables/{table}/record", server.record),
        api("/api/tables/{table}/rules", server.rules),
        api("/api/tables/{table}/rulebook", server.rulebook),
        api("/api/qr", server.qr, "POST"),
        api("/api/workshop/{what}", server.workshop, "POST"),
        WebSocketRoute("/socket", server.socket),
    ]
    if STATIC.is_dir():
        routes.append(Mount("/static", StaticFiles(directory=STATIC)))
    app = Starlette(routes=routes, lifespan=living)
    return Guard(app, names)


async def _sweep(hall: Hall) -> None:
    while True:
        await asyncio.sleep(SWEEP)
        hall.forget_idle(time.monotonic())
