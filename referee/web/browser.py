"""One socket: a browser at a table. It is told things through a queue with a bound, and never waited for."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from referee.engine.stream import Refusal
from referee.web import texts
from referee.web.guard import Rate
from referee.web.hall import Hall, OpenTable
from referee.web.questions import BadMessage, Question, read_question
from referee.web.sitting import Guest

LOG = logging.getLogger("rulespec.web")
PROTOCOL = "rulespec.1"
JOIN_WITHIN = 10.0  # seconds
CLOSE_WITHIN = 5.0
MOST_LETTERS = 65_536  # of a message
MOST_RULES = 1_000_000  # of one with rules
MOST_QUEUED = 200  # messages that wait to be sent
MOST_QUEUED_LETTERS = 8_000_000
EACH_SECOND, AT_ONCE = 20.0, 40.0
MOST_REFUSED = 200  # messages in a row that came too fast

CLOSING = {"wrong-key": 4401, "no-table": 4404, "too-many": 4429, "too-many-clients": 4429, "late": 4408}


class BrowserSocket:
    """A client of the hall."""

    def __init__(self, hall: Hall, socket: WebSocket, join_within: float = JOIN_WITHIN) -> None:
        self.hall = hall
        self.guest = Guest(frozenset(), False, None)
        self.table: OpenTable | None = None
        self._socket = socket
        self._join_within = join_within
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._queued = 0
        self._end: tuple[int, str] | None = None
        self._rate = Rate(EACH_SECOND, AT_ONCE)
        self._refused = 0

    # telling ---------------------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Put a message into the queue; a browser that does not read is sent away."""
        if self._end is not None:
            return
        if self._queue.qsize() >= MOST_QUEUED or self._queued + len(text) > MOST_QUEUED_LETTERS:
            self._end = (4408, texts.SLOW)
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(None)
            return
        self._queued += len(text)
        self._queue.put_nowait(text)

    def drop(self, code: int, reason: str, message: str) -> None:
        """Say why, and close."""
        if self._end is None:
            self.send(json.dumps({"tell": "bye", "code": reason, "message": message}))
            self._end = self._end or (code, reason)
            self._queue.put_nowait(None)

    async def _send_all(self) -> None:
        while (text := await self._queue.get()) is not None:
            self._queued -= len(text)
            if not await self._sent(self._socket.send_text(text)):
                return
        code, reason = self._end or (1000, "")
        await self._sent(self._socket.close(code, reason[:120]))

    async def _sent(self, sending: Awaitable[None]) -> bool:
        """Wait until a message was sent; return whether the browser is still there."""
        try:
            await sending
        except (WebSocketDisconnect, RuntimeError, OSError):  # it has closed the socket meanwhile
            return False
        return True

    # listening -------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the browser until it or the server leaves."""
        offered = self._socket.scope.get("subprotocols") or []
        await self._socket.accept(PROTOCOL if PROTOCOL in offered else None)
        tasks = [asyncio.create_task(self._send_all()), asyncio.create_task(self._listen())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._end is not None:
                await asyncio.wait(tasks[:1], timeout=CLOSE_WITHIN)
            for task in tasks:
                if task.done():
                    task.result()  # our own fault is raised
        finally:
            if self.table is not None:
                self.hall.leave(self.table, self)
            for task in tasks:
                task.cancel()

    async def _listen(self) -> None:
        while self._end is None and self._socket.client_state == WebSocketState.CONNECTED:
            late = None if self.table is not None else self._join_within
            try:
                message = await asyncio.wait_for(self._socket.receive(), late)
            except TimeoutError:
                self.drop(4408, "late", texts.LATE.format(seconds=self._join_within))
                return
            if message["type"] != "websocket.receive":
                return
            await self._hear(message)

    async def _hear(self, message: Any) -> None:
        text = message.get("text")
        fast = not self._rate.allows()
        self._refused = self._refused + 1 if fast else 0
        if self._refused > MOST_REFUSED:
            self.drop(4429, "too-fast", texts.TOO_FAST.format(most=int(EACH_SECOND)))
            return
        if not isinstance(text, str):
            self._answer(None, error=Refusal("bad-message", texts.NOT_TEXT))
            return
        if len(text) > MOST_RULES:
            self.drop(4400, "too-large", texts.TOO_LARGE.format(most=MOST_RULES))
            return
        try:
            question = read_question(text)
        except BadMessage as bad:
            self._answer(bad.id, error=bad.refusal)
            return
        if fast:
            self._answer(question.id, error=Refusal("too-fast", texts.TOO_FAST.format(most=int(EACH_SECOND))))
        elif len(text) > MOST_LETTERS and question.do != "rules":
            self._answer(question.id, error=Refusal("too-large", texts.TOO_LARGE.format(most=MOST_LETTERS)))
        else:
            await self._do(question)

    async def _do(self, question: Question) -> None:
        try:
            if question.do == "join":
                await self._join(question)
            elif self.table is None:
                raise Refusal("not-joined", texts.NOT_JOINED)
            else:
                found = await self.hall.ask(self.table, self, question)
                self._answer(question.id, found)
                if question.do in ("look", "whole"):
                    await self.hall.whole(self.table, self)
                elif question.do == "close":
                    self.drop(4410, "closed", texts.TABLE_CLOSED)
        except Refusal as refusal:
            self._answer(question.id, error=refusal)
            if question.do == "join" and refusal.code in CLOSING:
                self.drop(CLOSING[refusal.code], refusal.code, refusal.message)
        except Exception as error:  # our own fault: the table goes on, and the browser is told
            LOG.exception("a request failed")
            message = texts.INTERNAL.format(name=type(error).__name__)
            self._answer(question.id, error=Refusal("internal", message))

    async def _join(self, question: Question) -> None:
        if self.table is not None:
            raise Refusal("bad-field", texts.JOINED)
        fields = question.fields
        table = await self.hall.find(fields["table"], fields["keys"])
        default = fields["look"] is ...
        async with table.lock:
            self.guest = table.sitting.admit(fields["keys"], None if default else fields["look"], default)
            same = fields["version"] is not None and fields["version"] == table.sitting.version
            self.hall.enter(table, self)
            self.table = table
            self._answer(question.id, {"same": same, "you": table.messages.you(self.guest)})
        if not same:
            await self.hall.whole(table, self)

    def _answer(self, id: int | None, ok: Any = None, error: Refusal | None = None) -> None:
        data = {"re": id, "ok": ok} if error is None else {"re": id, "error": error.as_data()}
        self.send(json.dumps(data, separators=(",", ":")))
