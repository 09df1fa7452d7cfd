"""All tables of one server: made, found, kept in memory while somebody is there, and told about.

One task at a time works at a table, in a thread, so that the server goes on listening.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

from referee.engine.stream import Refusal
from referee.lsp.pool import Died, Pool, TooSlow
from referee.record.lines import RecordError, read_record, written
from referee.web import texts, workbench
from referee.web.guard import Rate
from referee.web.messages import Moment, Pictures, TableMessages
from referee.web.questions import Asking, Question, answer
from referee.web.sitting import Guest, Keys, Sitting
from referee.web.store import TableStore

T = TypeVar("T")

THREADS = 8
REPLAYING = 2  # threads that take up tables from disk, so that those of others are free
RECORDS = (1.0, 20.0)  # redacted for the seats of a table, a second on average, and at once
HINT = "search"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much there may be of everything."""

    tables: int = 10_000  # on disk
    clients: int = 2_000
    clients_at_table: int = 60
    idle: float = 600.0  # seconds after which a table that nobody looks at leaves the memory
    work: float = 20.0  # seconds for a job of the workshop
    think: float = 30.0  # seconds for a move of a bot
    replay: float = 10.0  # seconds for a record: one that is handed over, or is redacted for a seat
    measure: float = 45.0  # seconds for a measure of balance, most of them for the compiler
    workers: int = 2
    bot_workers: int = 1
    waiting: int = 64  # jobs that wait for a worker, of each sort


class Client(Protocol):
    """Somebody who is connected to a table. Neither method waits."""

    guest: Guest

    def send(self, text: str) -> None: ...

    def drop(self, code: int, reason: str, message: str) -> None: ...


@dataclass(eq=False)
class OpenTable:
    """A table in memory with who is there."""

    sitting: Sitting
    messages: TableMessages
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    clients: dict[Client, None] = field(default_factory=dict)
    used: float = 0.0
    thinking: asyncio.Task[None] | None = None
    records: Rate = field(default_factory=lambda: Rate(*RECORDS))
    closed: bool = False


class Hall:
    """All tables."""

    def __init__(self, store: TableStore, drawing: Pictures, limits: Limits | None = None) -> None:
        self.store = store
        self.drawing = drawing
        self.limits = limits or Limits()
        self.workers = Pool(self.limits.work, self.limits.workers)
        self.bots = Pool(self.limits.think, self.limits.bot_workers)
        self.lab = Pool(self.limits.measure, 1)
        self.records = Pool(self.limits.replay, 1)
        self.tables: dict[str, OpenTable] = {}
        self.clients = 0
        self._made = store.count()
        self._opening: dict[str, asyncio.Lock] = {}
        self._threads = ThreadPoolExecutor(THREADS, "table")
        self._replaying = ThreadPoolExecutor(REPLAYING, "replay")
        self._waiting = Counter[Pool]()

    async def close(self) -> None:
        """Send everybody away, and end all processes."""
        for table in [*self.tables.values()]:
            if table.thinking is not None:
                table.thinking.cancel()
            for client in [*table.clients]:
                client.drop(1001, "stopping", texts.STOPPING)
        self.workers.close()
        self.bots.close()
        self.lab.close()
        self.records.close()
        self._replaying.shutdown(wait=True)
        self._threads.shutdown(wait=True)
        self.store.close()

    async def in_thread(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function gives that takes some time."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)

    async def in_replay(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function gives that replays a game."""
        return await asyncio.get_running_loop().run_in_executor(self._replaying, function, *args)

    async def job(self, name: str, spec: dict[str, Any], stream: str = "", pool: Pool | None = None) -> dict[str, Any]:
        """Return what a job gives in another process. Raises Refusal."""
        pool = pool or self.workers
        if self._waiting[pool] >= self.limits.waiting:
            raise Refusal("busy", texts.BUSY)
        self._waiting[pool] += 1
        try:
            found = await pool.run(stream, workbench.do, name, spec)
        except TooSlow:
            raise Refusal("too-slow", texts.TOO_SLOW.format(seconds=pool.seconds)) from None
        except Died:
            raise Refusal("too-slow", texts.DIED) from None
        finally:
            self._waiting[pool] -= 1
        if (error := found.get("error")) is not None:
            code, message = error.pop("code"), error.pop("message")
            raise Refusal(code, message, **error)
        return found

    # tables ----------------------------------------------------------------------------------------------

    async def create(self, spec: dict[str, Any]) -> OpenTable:
        """Make a table. Raises Refusal."""
        if self._made >= self.limits.tables:
            raise Refusal("too-many-tables", texts.TOO_MANY_TABLES.format(most=self.limits.tables))
        self._made += 1
        try:
            handed_over = spec.get("record") is not None
            found = await self.job("begin", spec, pool=self.records if handed_over else self.workers)
            apart = self.in_replay if handed_over else self.in_thread
            sitting = await apart(self._created, secrets.token_urlsafe(8), found["record"])
        except BaseException:
            self._made -= 1
            raise
        table = self._kept(sitting)
        self.go_on(table)
        return table

    def _created(self, ident: str, record: str) -> Sitting:
        try:
            return Sitting.create(ident, self.store, read_record(record.encode()))
        except RecordError as error:
            raise Refusal("bad-record", str(error)) from None

    async def find(self, ident: str, keys: Sequence[str]) -> OpenTable:
        """Return a table, from disk if it is not in memory: then only for who has keys of it. Raises Refusal."""
        if (table := self.tables.get(ident)) is not None:
            return table
        await self.in_thread(self._check_keys, ident, keys)
        async with self._opening.setdefault(ident, asyncio.Lock()):
            if (table := self.tables.get(ident)) is not None:
                return table
            try:
                sitting = await self.in_replay(self._loaded, ident)
            finally:
                self._opening.pop(ident, None)
            if (table := self.tables.get(ident)) is not None:
                return table  # somebody else was told that it cannot be read, and asked again
            table = self._kept(sitting)
        self.go_on(table)
        return table

    def _check_keys(self, ident: str, keys: Sequence[str]) -> None:
        """Refuse keys that open nothing at a table on disk, before there is any work to do for them."""
        try:
            doc = self.store.doc(ident)
        except RecordError as error:
            raise Refusal("bad-record", str(error)) from None
        if doc is None:
            raise Refusal("no-table", texts.NO_TABLE)
        Keys.from_data(doc["keys"]).guest(keys)

    def _loaded(self, ident: str) -> Sitting:
        try:
            stored = self.store.load(ident)
            if stored is None:
                raise Refusal("no-table", texts.NO_TABLE)
            return Sitting.load(ident, self.store, stored.version, stored.doc, stored.record)
        except RecordError as error:
            raise Refusal("bad-record", str(error)) from None

    def _kept(self, sitting: Sitting) -> OpenTable:
        table = OpenTable(sitting, TableMessages(sitting, self.drawing), used=time.monotonic())
        self.tables[sitting.ident] = table
        return table

    def forget_idle(self, now: float) -> None:
        """Remove the tables from memory that nobody looked at for a while; they stay on disk."""
        for ident, table in [*self.tables.items()]:
            resting = not table.clients and not table.lock.locked() and table.thinking is None
            if resting and now - table.used > self.limits.idle:
                del self.tables[ident]

    async def remove(self, table: OpenTable, by: Client) -> None:
        """Close a table for good, and send everybody away but who closed it."""
        if not by.guest.host:
            raise Refusal("not-host", texts.NOT_HOST)
        async with table.lock:
            table.closed = True
            await self.in_thread(self.store.remove, table.sitting.ident)
            self.tables.pop(table.sitting.ident, None)
            self._made -= 1
        if table.thinking is not None:
            table.thinking.cancel()
        for client in [*table.clients]:
            if client is not by:
                client.drop(4410, "closed", texts.TABLE_CLOSED)

    async def record(self, table: OpenTable, guest: Guest, whole: bool) -> str:
        """Return the record of a table as a guest may have it."""
        async with table.lock:
            over = table.sitting.match.over
            if whole and not table.sitting.has_all_people(guest) and not over:
                raise Refusal("not-your-seat", texts.NOT_ALL_SEATS)
            if not (whole or over) and not table.records.allows():
                raise Refusal("too-fast", texts.TOO_MANY_RECORDS)
            record = table.sitting.record
            text = await self.in_thread(written, record.header, record.entries)
        if whole or over:
            return text
        found = await self.job("redacted", {"record": text, "look": guest.look}, table.sitting.ident, self.records)
        return str(found["record"])

    # clients ---------------------------------------------------------------------------------------------

    def enter(self, table: OpenTable, client: Client) -> None:
        """Let somebody in who may look at a table. Raises Refusal."""
        if len(table.clients) >= self.limits.clients_at_table:
            raise Refusal("too-many", texts.TOO_MANY_HERE.format(most=self.limits.clients_at_table))
        table.clients[client] = None
        self.tell_here(table)

    def leave(self, table: OpenTable, client: Client) -> None:
        """Note that somebody is gone."""
        if table.clients.pop(client, self) is None:
            table.used = time.monotonic()
            self.tell_here(table)

    def tell_here(self, table: OpenTable) -> None:
        """Tell everybody who is there."""
        text = json.dumps({"tell": "here", **here(table)})
        for client in [*table.clients]:
            client.send(text)

    # asking ----------------------------------------------------------------------------------------------

    async def ask(self, table: OpenTable, client: Client, question: Question) -> dict[str, Any]:
        """Do what somebody at a table asks, tell everybody, and return the answer. Raises Refusal."""
        table.used = time.monotonic()
        if question.do == "hint":
            return await self._hint(table, client, question)
        if question.do == "rules":
            return await self._rules(table, client, question)
        if question.do == "close":
            await self.remove(table, client)
            return {}
        asking = Asking(table.sitting, table.messages, client.guest)
        found = await self._work(table, lambda: _answered(asking, question))
        client.guest = asking.guest
        if question.do == "renew":
            self._drop_renewed(table, client, question.fields["seat"])
        return found

    def _drop_renewed(self, table: OpenTable, client: Client, seat: int) -> None:
        """Send those away who came with the old key of a seat."""
        for other in [*table.clients]:
            if other is not client and seat in other.guest.seats:
                other.drop(4409, "renewed", texts.RENEWED)

    async def _work(self, table: OpenTable, work: Callable[[], T]) -> T:
        """Return what is done at a table while nobody else works there; everybody is told what it changed.

        Whoever asked may leave meanwhile: then it is done all the same.
        """
        task = asyncio.get_running_loop().create_task(self._working(table, work))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(task)

    async def _working(self, table: OpenTable, work: Callable[[], T]) -> T:
        async with table.lock:
            if table.closed:
                raise Refusal("no-table", texts.TABLE_CLOSED)
            looks = {client.guest.look for client in table.clients}
            done = await self.in_thread(_done, table.messages, work, looks)
            if done.messages:
                await self._broadcast(table, done.messages)
        self.go_on(table)
        if done.error is not None:
            raise done.error
        return cast(T, done.found)

    async def _broadcast(self, table: OpenTable, messages: dict[int | None, str]) -> None:
        for client in [*table.clients]:
            text = messages.get(client.guest.look)
            if text is None:  # they came meanwhile, or look elsewhere
                text = await self.in_thread(table.messages.whole, client.guest)
            client.send(text)

    async def whole(self, table: OpenTable, client: Client) -> None:
        """Tell somebody all there is to know."""
        async with table.lock:
            client.send(await self.in_thread(table.messages.whole, client.guest))
        client.send(json.dumps({"tell": "here", **here(table)}))

    # bots ------------------------------------------------------------------------------------------------

    def go_on(self, table: OpenTable) -> None:
        """Let the bot think whose turn it is."""
        if table.sitting.waiting == "bot" and table.thinking is None and not table.closed:
            table.thinking = asyncio.get_running_loop().create_task(self._think(table))
            table.thinking.add_done_callback(lambda task: self._thought(table, task))

    def _thought(self, table: OpenTable, task: asyncio.Task[None]) -> None:
        table.thinking = None
        if not task.cancelled() and task.exception() is None:
            self.go_on(table)

    async def _think(self, table: OpenTable) -> None:
        match = table.sitting.match
        version, player = table.sitting.version, match.state.to_move
        assert player
        try:
            move = (await self._advice(table, match.seats[player - 1].who))["move"]
        except Refusal:
            move = None  # it took too long, or failed: any legal move will do
        await self._work(table, lambda: _play_bot(table.sitting, version, move))

    async def _advice(self, table: OpenTable, who: str) -> dict[str, Any]:
        """Return what a bot would play now."""
        match = table.sitting.match
        header = match.header
        spec = {
            "rules": header.rules,
            "players": header.players,
            "options": header.options,
            "state": match.game.to_data(match.state),
            "who": who,
            "luck": secrets.randbits(64) if match.seed is None else f"{match.seed} bots {match.state.decisions}",
        }
        return await self.job("think", spec, header.rules_hash, self.bots)

    async def _hint(self, table: OpenTable, client: Client, question: Question) -> dict[str, Any]:
        async with table.lock:
            table.sitting.check_version(question.fields["version"])
            table.sitting.check_turn(client.guest, question.fields["seat"])
        return await self._advice(table, HINT)

    # rules -----------------------------------------------------------------------------------------------

    async def _rules(self, table: OpenTable, client: Client, question: Question) -> dict[str, Any]:
        fields = question.fields
        sitting = table.sitting
        async with table.lock:
            sitting.check_version(fields["version"])
            sitting.check_may_change_rules(client.guest)
            record = sitting.record
        spec = {
            "record": written(record.header, record.entries),
            "rules": {"name": fields["name"], "text": fields["text"]},
            "files": fields["files"],
            "options": fields["options"],
            "players": record.header.players,
            "called": fields["name"] or None,
        }
        found = await self.job("change_rules", spec, f"rules {sitting.ident}")
        told = {key: found[key] for key in ("good", "made", "decisions", "stopped")}
        if not (found["good"] or fields["cut"]):
            return told
        async with table.lock:
            sitting.check_version(fields["version"])
            await self.in_replay(_go_on_under, sitting, found["record"])
            for other in [*table.clients]:
                other.send(await self.in_thread(table.messages.whole, other.guest))
        self.go_on(table)
        return {**told, "version": sitting.version}


def here(table: OpenTable) -> dict[str, Any]:
    """Return who is connected."""
    seats = {seat for client in table.clients for seat in client.guest.seats}
    onlookers = sum(not client.guest.seats for client in table.clients)
    return {"here": sorted(seats), "onlookers": onlookers}


# In a thread -------------------------------------------------------------------------------------------------


def _answered(asking: Asking, question: Question) -> dict[str, Any]:
    try:
        return answer(asking, question)
    except RecordError as error:
        raise Refusal("cannot-store", str(error)) from None


@dataclass(frozen=True, slots=True)
class _Done:
    """The result of work at a table, or why it failed, and what everybody is told, by whose view they look at."""

    found: Any
    error: Exception | None
    messages: dict[int | None, str]


def _done(messages: TableMessages, work: Callable[[], Any], looks: set[int | None]) -> _Done:
    """Work at a table, and write what has changed: what failed may have changed something before."""
    before = messages.moment()
    found, error = None, None
    try:
        found = work()
    except Exception as raised:  # it is raised where it was asked for, once everybody was told
        error = raised
    changed = messages.sitting.version != before.version
    return _Done(found, error, changes_seen(messages, before, looks) if changed else {})


def changes_seen(messages: TableMessages, before: Moment, looks: set[int | None]) -> dict[int | None, str]:
    """Return what has changed since a moment, as a message for each of these views."""
    found = {look: messages.change(before, look) for look in looks}
    messages.rest()
    return found


def _play_bot(sitting: Sitting, version: int, move: str | None) -> None:
    """Make the move of a bot; where it is impossible, the first one that is possible."""
    if sitting.version != version or sitting.waiting != "bot":
        return
    game, state = sitting.match.game, sitting.match.state
    fault: Refusal | None = None
    for text in [*([move] if move else []), *map(str, game.legal_moves(state))]:
        try:
            sitting.play_bot(version, text)
            return
        except Refusal as refusal:
            fault = refusal
        except RecordError as error:  # the disk is full
            fault = Refusal("cannot-store", str(error))
            break
    sitting.get_stuck(fault)


def _go_on_under(sitting: Sitting, record: str) -> None:
    try:
        sitting.go_on_under(read_record(record.encode()))
    except RecordError as error:
        raise Refusal("bad-record", str(error)) from None
