"""A browser and a server for the tests of the pages: found, started and stopped here."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest

from tests.debian import find_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome")
DESKTOP, PHONE = (1280, 800), (390, 844)


def find_chromium() -> str:
    """Return the path of a Chromium. Debian's is installed where that is allowed; else the test is skipped, with the reason."""
    return find_program("Chromium", _chromium, ("chromium",))


def _chromium() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@contextlib.contextmanager
def running_browser() -> Iterator[Browser]:
    """Yield a browser without a screen."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: `pip install playwright`"
    )
    path = find_chromium()
    with playwright.sync_playwright() as driver:
        sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=path, args=sandbox)
        yield browser
        browser.close()


@dataclass(slots=True)
class Site:
    """`rulespec serve` on a port of its own, and its tables."""

    data: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        """Start the server, on the same port as before if it ran already."""
        command = [sys.executable, "-m", "rulespec", "serve", "--port", str(self.port), "--data", str(self.data)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)", line)
        assert found, f"the server did not start: {line!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        """End the server at once, by its id."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        self._wait()

    def stop(self) -> None:
        """End the server, by its id."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self._wait()

    def _wait(self) -> None:
        assert self.process is not None
        self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def post(self, path: str, body: object) -> Any:
        request = Request(self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def table(self, game: str, **fields: object) -> Tabled:
        """Make a table of a shipped game."""
        answer = self.post("/api/tables", {"game": game, **fields})
        keys = [seat["key"] for seat in answer["seats"]]
        return Tabled(f"{self.address}/table/{answer['table']}", answer["host"], keys, answer["onlooker"])


@dataclass(frozen=True, slots=True)
class Tabled:
    """A table that was made: its address and keys."""

    address: str
    host: str
    keys: list[str]
    onlooker: str

    def link(self, *keys: str) -> str:
        return f"{self.address}#{'+'.join(keys)}"

    @property
    def everybody(self) -> str:
        return self.link(self.host, *self.keys)


def open_page(
    browser: Browser, size: tuple[int, int], touch: bool = False, scheme: str = "light", reduced: bool = True
) -> Page:
    """Return a page in a context of its own; motion is off unless wanted."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        has_touch=touch,
        is_mobile=touch,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce" if reduced else "no-preference",
    )
    context.set_default_timeout(20_000)
    return context.new_page()


@dataclass(slots=True)
class Watched:
    """The doings of a page: its errors, and what went over its sockets."""

    page: Page
    errors: list[str] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    legal: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if self._is_error(said) else None)
        self.page.on("websocket", lambda socket: self._listen(socket))
        self.page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith(("http://localhost:", "data:", "blob:")):
            self.errors.append(f"a request went to {url}")

    def _is_error(self, said: Any) -> bool:
        return (
            said.type == "error"
            and "ERR_CONNECTION_REFUSED" not in said.text
            and "WebSocket connection" not in said.text
            and "409 (Conflict)" not in said.text  # a question was overtaken by the next one
        )

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", lambda text: self._sent(text))
        socket.on("framereceived", lambda text: self._received(text))

    def _sent(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["do"] == "play":
            assert message["move"] in self.legal, f"`{message['move']}` was sent and is no legal move"
            self.sent.append(message)

    def _received(self, text: str | bytes) -> None:
        message = json.loads(text)
        scene = message.get("scene") or message.get("change") or {}
        if "moves" in scene:
            self.legal = {move["do"] for move in scene["moves"]}
        if "error" in message:
            self.refused.append(message["error"])


STATE = """() => {
  const text = (where) => document.querySelector(where)?.innerText ?? "";
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  return {
    says: text(".bar .says"),
    live: [...document.querySelectorAll(".target:not(.picked), [data-empty].live[aria-pressed=false]")].map((one) => one.dataset.id ?? one.dataset.empty),
    picked: document.querySelectorAll(".target[aria-pressed=true]").length,
    buttons: [...document.querySelectorAll(".bar .move")].map((one) => one.dataset.move),
    over: document.querySelector(".bar .over") !== null,
    ended: text(".bar .says").startsWith("The game is over"),
    yours: document.querySelector(".bar .move, .target") !== null || text(".bar").includes("All moves"),
  };
}"""

# a point of a thing at which a click means this thing and no other
POINT = """async (id) => {
  const { targetAt } = await import("/static/board.js");
  const main = document.querySelector("main");
  const named = document.querySelector(`[data-empty="${CSS.escape(id)}"]`);
  const shapes = named ? [named] : [...document.querySelectorAll(`.target[data-id="${CSS.escape(id)}"] > .hit`)];
  for (const shape of shapes) {
    shape.scrollIntoView({ block: "center", inline: "center" });
    const box = shape.getBoundingClientRect();
    for (const [a, b] of [[0.5, 0.5], [0.5, 0.2], [0.5, 0.8], [0.2, 0.5], [0.8, 0.5], [0.15, 0.15], [0.85, 0.85], [0.05, 0.5], [0.95, 0.5], [0.5, 0.05], [0.5, 0.95]]) {
      const [x, y] = [box.x + a * box.width, box.y + b * box.height];
      if (named || targetAt(main, x, y) === id) return [x, y];
    }
  }
  return null;
}"""


@dataclass(slots=True)
class Hand:
    """Somebody at a page who makes random moves by clicks or touches alone."""

    watched: Watched
    chance: random.Random
    touch: bool = False
    clicks: int = 0

    @property
    def page(self) -> Page:
        return self.watched.page

    def at(self, x: float, y: float) -> None:
        self.clicks += 1
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def click(self, where: str) -> None:
        element = self.page.locator(where).first
        element.evaluate("(one) => one.scrollIntoView({ block: 'nearest', inline: 'center' })")
        box = element.bounding_box()
        assert box is not None
        # the bar may be wider than the screen: click what is seen of it
        width = (self.page.viewport_size or {"width": DESKTOP[0]})["width"]
        left, right = max(box["x"], 0.0), min(box["x"] + box["width"], float(width))
        self.at((left + right) / 2, box["y"] + box["height"] / 2)

    def state(self) -> Any:
        return self.page.evaluate(STATE)

    def move(self, most: int = 30) -> None:
        """Make one move: pick things until a button is there, and press it."""
        sent = len(self.watched.sent)
        for _ in range(most):
            state = self.state()
            if state["buttons"] and (not state["live"] or self.chance.random() < 0.4):
                self.click(f".bar .move >> nth={self.chance.randrange(len(state['buttons']))}")
                self.page.wait_for_function(
                    "() => !document.querySelector('.bar .says').innerText.startsWith('Sending')"
                )
                assert len(self.watched.sent) == sent + 1, "a button was pressed and nothing was sent"
                return
            assert state["live"], f"nothing can be clicked: {state}"
            thing = self.chance.choice(state["live"])
            point = self.page.evaluate(POINT, thing)
            assert point is not None, f"`{thing}` is live and cannot be clicked"
            self.at(*point)
        raise AssertionError(f"no move after {most} clicks: {self.state()}")

    def whole_game(self, most: int = 600) -> int:
        """Play all seats of this page until the game is over; return how many moves were made."""
        for made in range(most):
            self.page.wait_for_function(
                "() => document.querySelector('.bar .over, .bar .move, .target') || document.querySelector('.bar .says')?.innerText.startsWith('The game is over')",
                timeout=30_000,
            )
            state = self.state()
            if state["ended"]:
                return made
            if state["over"]:
                self.click(".bar .over")
                self.page.wait_for_selector(".veil button")
                self.click(".veil button")
                self.page.wait_for_selector(".bar .move, .target")
                continue
            before = self.page.evaluate("() => document.querySelector('main').dataset.version")
            self.move()
            self.page.wait_for_function(
                "(before) => document.querySelector('main').dataset.version !== before", arg=before, timeout=30_000
            )
        raise AssertionError("the game does not end")
