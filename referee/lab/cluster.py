"""Workers of a dask cluster that play chunks: a crew on other machines.

What travels to a worker is a function of ours by its name, the rules as text, words and numbers; what comes back is a text of
JSON, which is read as that of a stranger. Rows are kept here: workers need no disk in common.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pkgutil import resolve_name
from threading import Lock
from time import monotonic, sleep
from typing import Any

from referee.lab import texts
from referee.lab.believe import MOST_SHOWN, BadRows, OtherVersions, read_rows, shape_of
from referee.lab.chunks import VERSIONS, Job, play_chunk
from referee.lab.columns import GameColumns, Row
from referee.lab.crew import CrewLost, Token
from rulespec import __version__, json_text, listed

CONNECT = 5  # seconds for a scheduler to answer
ANSWER = 10.0  # seconds for it to answer again
CLOSE = 0.5  # seconds to say good-bye
PAUSE = 0.02  # seconds between two looks at what is finished
COUNT = 1.0  # seconds between two looks at who works
AHEAD = 3  # chunks under way for each worker
RETRIES = 3  # of one chunk, if playing it fails
MOST_TRIES = 3  # of one chunk, if the cluster drops it
VERSION_NAME = "rulespec:__version__"
_ONE_AT_A_TIME = Lock()  # the threads of a worker share its games, and more than one at a time is no faster


def play_there(versions: tuple[object, ...], rules: str, *rest: Any) -> str:
    """Return the rows of a chunk as JSON, with the versions of the worker; no rows if they are not those wanted."""
    rows: list[Row] = []
    if tuple(versions) == VERSIONS:
        fingerprint, players, options, seats, first, many, watched, seldom = rest
        choices, watchers = tuple(map(tuple, options)), tuple(watched)
        job = Job(rules, fingerprint, players, choices, tuple(seats), first, many, watchers, seldom)
        with _ONE_AT_A_TIME:
            rows = list(play_chunk(job))
    return json_text({"versions": VERSIONS, "rows": rows})


@dataclass(slots=True)
class _Flying:
    """A chunk that is under way."""

    token: Token
    job: Job
    future: Any


class FarCrew:
    """Plays jobs on the workers of a dask scheduler, as a `Crew` does in processes of this machine."""

    def __init__(self, address: str, tell: Callable[[str], None]) -> None:
        """Join a cluster; CrewLost says why not. `tell` gets what somebody who waits should know."""
        self._address, self._tell = address, tell
        self._waiting: deque[tuple[Token, Job]] = deque()
        self._flying: list[_Flying] = []
        self._rules: dict[str, Any] = {}  # texts of rules by their hash, as futures: each is sent once
        self._tries: dict[str, int] = {}
        self._workers: set[str] = set()
        self._told = False  # that there are no workers
        self._counted = monotonic()
        self._client = _joined(address)
        try:
            self._check_scheduler()
            self._count()
        except BaseException:
            self.close()
            raise

    @property
    def wanted(self) -> int:
        """How many more jobs it needs so that no worker waits."""
        return AHEAD * max(1, len(self._workers)) - len(self._waiting) - len(self._flying)

    def add(self, token: Token, job: Job) -> None:
        """Take a job; `token` is returned with its rows."""
        self._waiting.append((token, job))

    def forget(self) -> None:
        """Drop the jobs that were not sent. Those that were are finished, and kept."""
        self._waiting.clear()

    def results(self, seconds: float | None) -> list[tuple[Token, Job, GameColumns]]:
        """Return what was finished, after waiting for something no longer than that."""
        begin = monotonic()
        while True:
            if monotonic() - self._counted > COUNT:
                self._count()
            if not self._workers and not self._told:
                self._tell(texts.NO_WORKERS.format(address=self._address))
            self._told = not self._workers
            self._send()
            found = self._finished()
            nothing = not self._flying and not self._waiting
            if found or nothing or (seconds is not None and monotonic() - begin > seconds):
                return found
            sleep(PAUSE)

    def close(self) -> None:
        """Leave the cluster: chunks that are not finished are lost, and played again the next time."""
        self._waiting.clear()
        self._flying.clear()
        self._rules.clear()
        try:
            self._client.close(timeout=CLOSE)
        except OSError:
            return  # it is gone already, or too slow

    # Who is there -----------------------------------------------------------------------------------------

    def _count(self) -> None:
        """Look who works now, and refuse those with whom nothing can be played."""
        scheduler = self._client.scheduler
        if self._client.status != "running" or scheduler is None:
            raise self._gone()
        try:
            threads: dict[str, int] = self._client.sync(scheduler.ncores, callback_timeout=ANSWER)
            there = set(threads)
            if new := sorted(there - self._workers):
                there -= self._check_workers(new)
        except OSError:
            raise self._gone() from None
        for worker in new:
            if threads[worker] > 1:
                self._tell(texts.THREADS.format(worker=worker, threads=threads[worker]))
        self._workers, self._counted = there, monotonic()

    def _gone(self) -> CrewLost:
        return CrewLost(texts.SCHEDULER_GONE.format(address=self._address))

    def _check_workers(self, workers: list[str]) -> set[str]:
        """Refuse workers with another version of the program, or none; return those that are gone again."""
        found = self._client.run(resolve_name, VERSION_NAME, workers=workers, on_error="return")
        gone = {worker for worker, version in found.items() if isinstance(version, OSError)}
        for worker in workers:
            if worker not in gone:
                _check_version(texts.A_WORKER.format(worker=worker), found.get(worker))
        return gone

    def _check_scheduler(self) -> None:
        """Refuse a scheduler that cannot read what is asked of it."""
        found: object
        try:
            found = self._client.run_on_scheduler(resolve_name, VERSION_NAME)
        except (ImportError, AttributeError) as error:  # of the Python there
            found = error
        except OSError:
            raise self._gone() from None
        _check_version(texts.THE_SCHEDULER.format(address=self._address), found)

    # Chunks -----------------------------------------------------------------------------------------------

    def _send(self) -> None:
        while self._workers and self._waiting and len(self._flying) < AHEAD * len(self._workers):
            token, job = self._waiting.popleft()
            self._flying.append(_Flying(token, job, self._sent(job)))

    def _sent(self, job: Job) -> Any:
        """Return the future of a chunk. Its key is that of the chunk: asked for twice, it is played once."""
        rest = (job.fingerprint, job.players, job.options, job.seats, job.first, job.many, job.watched, job.seldom)
        options = {"key": f"rulespec-{job.key}", "pure": True, "retries": RETRIES}
        return self._client.submit(play_there, VERSIONS, self._text(job.rules), *rest, **options)

    def _text(self, rules: str) -> Any:
        """Return rules as a future, which are sent once.

        They are a task and not scattered data: what is scattered is lost with the worker that has it.
        """
        mark = sha256(rules.encode()).hexdigest()[:32]
        if mark not in self._rules:
            self._rules[mark] = self._client.submit(
                str, rules, key=f"rulespec-rules-{mark}", pure=True, retries=RETRIES
            )
        return self._rules[mark]

    def _finished(self) -> list[tuple[Token, Job, GameColumns]]:
        """Return what is finished; trouble with a chunk is raised when all before it are handed over."""
        found: list[tuple[Token, Job, GameColumns]] = []
        flying, self._flying = self._flying, []
        for number, one in enumerate(flying):
            try:
                rows = self._rows(one)
            except CrewLost:
                self._flying += flying[number:]
                if found:
                    return found
                raise
            if rows is not None:
                found.append((one.token, one.job, rows))
        return found

    def _rows(self, one: _Flying) -> GameColumns | None:
        """Return the rows of a chunk; None if it is still to come."""
        match one.future.status:
            case "finished":
                rows = self._believed(one)
            case "error":
                raise self._trouble(one.future)
            case "cancelled" | "lost":
                self._again(one)
                return None
            case _:
                rows = None
        if rows is None:
            self._flying.append(one)
        return rows

    def _believed(self, one: _Flying) -> GameColumns | None:
        """Return the rows of a finished chunk, checked; None if they were lost on their way and are played again."""
        try:
            answer = one.future.result(timeout=ANSWER)
        except OSError:
            if self._client.status != "running":
                raise self._gone() from None
            return None
        try:
            return GameColumns.of(read_rows(answer, one.job), shape_of(one.job).heads)
        except OtherVersions as other:
            who, ours = self._who(one.future), json_text(VERSIONS)
            raise CrewLost(texts.OTHER_VERSION.format(who=who, theirs=other, ours=ours)) from None
        except BadRows as bad:
            raise CrewLost(texts.BAD_ROWS.format(who=self._who(one.future), why=bad)) from None

    def _who(self, future: Any) -> str:
        """Return who played a chunk, in words."""
        try:
            workers = next(iter(self._client.who_has([future]).values()), ())
        except OSError:
            workers = ()
        return listed(texts.A_WORKER.format(worker=worker) for worker in workers) or texts.SOME_WORKER

    def _again(self, one: _Flying) -> None:
        """Put a chunk back that the cluster has dropped: played once more it gives the same rows."""
        if self._client.status != "running":
            raise self._gone()
        key = one.job.key
        self._tries[key] = self._tries.get(key, 0) + 1
        if self._tries[key] >= MOST_TRIES:
            raise CrewLost(texts.DROPPED.format(address=self._address))
        self._rules.clear()  # they may be lost with it
        self._waiting.appendleft((one.token, one.job))

    def _trouble(self, future: Any) -> CrewLost:
        """Return why a chunk could not be played."""
        from distributed import KilledWorker

        error = future.exception(timeout=ANSWER)
        if isinstance(error, KilledWorker):
            return CrewLost(texts.WORKERS_LOST.format(address=self._address))
        said = f"{type(error).__name__}: {error}".partition("\n")[0]
        return CrewLost(texts.NOT_PLAYED.format(address=self._address, why=said[:MOST_SHOWN]))


def _check_version(who: str, found: object) -> None:
    if not isinstance(found, str):
        raise CrewLost(texts.NOT_INSTALLED.format(who=who, version=__version__))
    if found != __version__:
        raise CrewLost(texts.OTHER_VERSION.format(who=who, theirs=found[:MOST_SHOWN], ours=__version__))


def _joined(address: str) -> Any:
    """Return a client of the scheduler at an address; the security of `tls://` is in dask's own configuration."""
    from distributed import Client
    from distributed.security import Security

    for name in ("asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):  # what matters is said by us, and once
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        security = Security()
        if address.startswith("tls:") and security.get_connection_args("client")["ssl_context"] is None:
            raise CrewLost(texts.NO_CERTIFICATE.format(address=address))
    except OSError as error:  # of the files that the configuration names
        raise CrewLost(texts.CANNOT_JOIN.format(address=address, why=error.strerror or error)) from None
    try:
        is_scheduler = asyncio.run(_is_scheduler(address, security.get_connection_args("client")))
        if is_scheduler:
            return Client(address, timeout=CONNECT, set_as_default=False, security=security)
    except OSError:
        raise CrewLost(texts.NO_SCHEDULER.format(address=address)) from None
    raise CrewLost(texts.NOT_A_SCHEDULER.format(address=address))


async def _is_scheduler(address: str, arguments: dict[str, Any]) -> bool:
    """Return whether a scheduler is at an address; OSError if nobody answers there."""
    from distributed.core import rpc

    try:
        async with asyncio.timeout(CONNECT), rpc(address, timeout=CONNECT, connection_args=arguments) as there:
            return bool((await there.identity())["type"] == "Scheduler")
    except OSError:
        raise
    except Exception:  # whatever a program can fall over that reads what is not meant for it
        return False
