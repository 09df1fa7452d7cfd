"""Runs the server on a port until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import uvicorn

from interpreter import Game, State
from referee.picture.scene import Painter
from referee.picture.scene_change import change, for_viewer, write
from referee.web.app import create_app
from referee.web.browser import MOST_RULES
from referee.web.guard import HostNames
from referee.web.hall import Hall, Limits
from referee.web.messages import Pictures, Scene, Shared
from referee.web.store import TableStore

ANYWHERE, HERE = "0.0.0.0", "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Listening:
    """A port that is listened on, and by which names."""

    socket: socket.socket
    lan: bool
    hosts: tuple[str, ...] = ()

    @property
    def port(self) -> int:
        found: int = self.socket.getsockname()[1]
        return found

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses at which browsers find the server; the first one works on this machine."""
        hosts = ["localhost", *(own_numbers() if self.lan else ())]
        return tuple(f"http://{host}:{self.port}" for host in hosts)

    @property
    def names(self) -> HostNames:
        own = (socket.gethostname(), f"{socket.gethostname()}.local") if self.lan else ()
        return HostNames.of((*self.hosts, *own), self.lan)


def listen(port: int, lan: bool) -> socket.socket:
    """Return a socket that listens on a port. Raises OSError, for example if the port is taken."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((ANYWHERE if lan else HERE, port))
        found.listen(512)
        found.setblocking(False)
    except OSError:
        found.close()
        raise
    return found


def own_numbers() -> list[str]:
    """Return the numbers of this machine in its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only says which way packets would leave
            found = probe.getsockname()[0]
        except OSError:
            return []
    return [] if found.startswith(("127.", "0.")) else [found]


@lru_cache(maxsize=32)
def _painter(game: Game) -> Painter:
    return Painter(game)


def _scene(game: Game, state: State, viewer: int | None) -> Scene:
    return _painter(game).scene(state, viewer)


def _common(game: Game, state: State, viewer: int | None) -> Scene:
    return _painter(game).common(state, viewer)


PICTURES = Pictures(_scene, change, write, Shared(_common, for_viewer))


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def run_server(listening: Listening, folder: Path, most_tables: int, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C. Raises StoreError if the tables in the folder cannot be opened."""
    store = TableStore(folder)
    hall = Hall(store, PICTURES, Limits(tables=most_tables))
    app = create_app(hall, listening.names, listening.addresses)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="websockets-sansio",
        ws_max_size=4 * MOST_RULES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
        lifespan="on",
    )
    _Server(config, ready).run([listening.socket])
