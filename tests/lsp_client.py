"""A small client of language servers, for tests: one process over standard input and output."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PATIENCE = 60.0  # seconds until an answer is said not to come; machines that test are busy


def started(folder: Path, *options: str) -> Client:
    """Return a client of `rulespec lsp` in a folder."""
    return Client([sys.executable, "-m", "rulespec", "lsp", *options], folder, tells=True)


def at(text: str, words: str, skip: int = 0) -> tuple[int, int]:
    """Line and column of the first of these words, from 1."""
    offset = text.index(words) + skip
    before = text[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")


class Client:
    """Speaks with a language server; answers its questions, keeps what it publishes."""

    def __init__(
        self, command: Sequence[str], folder: Path, settings: dict[str, Any] | None = None, tells: bool = False
    ) -> None:
        self.folder = folder
        self.settings = settings or {}
        self.tells = tells  # when all is said about a text, as our own server does
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.published: dict[str, list[dict[str, Any]]] = {}  # the last diagnostics, by address
        self.times: dict[str, int] = {}  # how often they were published
        self.checked: dict[str, int | None] = {}  # the version of which there is no more to say, by address
        self.shown: list[str] = []  # messages to the user
        self.unasked: list[dict[str, Any]] = []  # answers without a number
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._answers: dict[int, dict[str, Any]] = {}
        self._number = 0
        self._versions: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        threading.Thread(target=self._read, daemon=True).start()
        root = folder.as_uri()
        wanted = {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "publishDiagnostics": {}}}
        self.capabilities = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": "rules"}],
                "capabilities": {**wanted, "workspace": {"configuration": True}},
            },
        )["capabilities"]
        self.tell("initialized", {})

    # messages ----------------------------------------------------------------------------------------------

    def ask(self, method: str, params: Any) -> Any:
        """Return the result of a request."""
        answer = self._answer(method, params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def refusal(self, method: str, params: Any) -> str:
        """Return the reason why a request is refused."""
        return str(self._answer(method, params)["error"]["message"])

    def _answer(self, method: str, params: Any) -> dict[str, Any]:
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        self.wait(lambda: number in self._answers, method)
        return self._answers.pop(number)

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                self._inbox.put(None)
                return
            self._inbox.put(json.loads(out.read(length)))

    def wait(self, done: Any, what: str) -> None:
        """Take what comes until something is so."""
        end = time.monotonic() + PATIENCE
        while not done():
            try:
                message = self._inbox.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no answer: {what}") from None
            assert message is not None, f"the server ended: {what}"
            self._take(message)

    def take_all(self) -> None:
        """Take what has come, and wait for nothing."""
        while not self._inbox.empty():
            message = self._inbox.get()
            assert message is not None, "the server ended"
            self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message and message.get("id") is None:
            self.unasked.append(message)
        elif "method" not in message:
            self._answers[message["id"]] = message
        elif "id" in message:  # the server asks us
            items = message.get("params", {}).get("items", [])
            result = [self.settings.get(item.get("section", "")) for item in items] if items else None
            self._send({"id": message["id"], "result": result})
        elif message["method"] == "window/showMessage":
            self.shown.append(message["params"]["message"])
        elif message["method"] == "$/rulespec/checked":
            self.checked[message["params"]["uri"]] = message["params"]["version"]
        elif message["method"] == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = params["diagnostics"]
            self.times[params["uri"]] = self.times.get(params["uri"], 0) + 1

    # documents ---------------------------------------------------------------------------------------------

    def open(self, path: Path, text: str | None = None) -> list[dict[str, Any]]:
        """Opens a document; all diagnostics that come."""
        return self.open_all([path], text)[0]

    def open_all(self, paths: Sequence[Path], text: str | None = None) -> list[list[dict[str, Any]]]:
        """Opens documents one right after another; all diagnostics that come for each."""
        before = {path.as_uri(): self.times.get(path.as_uri(), 0) for path in paths}
        for path in paths:
            self.tell("textDocument/didOpen", self._document(path, text))
        self.wait(lambda: all(self._is_checked(uri, times) for uri, times in before.items()), "diagnostics of all")
        return [self.published[path.as_uri()] for path in paths]

    def _document(self, path: Path, text: str | None) -> dict[str, Any]:
        uri = path.as_uri()
        self._versions[uri] = 1
        self.checked.pop(uri, None)
        text = self._texts[uri] = path.read_text(encoding="utf-8") if text is None else text
        return {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}}

    def change(self, path: Path, text: str) -> list[dict[str, Any]]:
        """Replace the text of an open document; all diagnostics that come."""
        uri = path.as_uri()
        before = self.times.get(uri, 0)
        self.type(path, text)
        self.wait(lambda: self._is_checked(uri, before), "all diagnostics after a change")
        return self.published[uri]

    def _is_checked(self, uri: str, times: int) -> bool:
        """Return whether all is said about a document as it is; from other servers, something new is expected."""
        return self.checked.get(uri) == self._versions[uri] if self.tells else self.times.get(uri, 0) > times

    def type(self, path: Path, text: str) -> None:
        """Replace the text of an open document, and wait for nothing."""
        uri = path.as_uri()
        self._versions[uri] += 1
        self._texts[uri] = text
        document = {"uri": uri, "version": self._versions[uri]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def change_and_see(self, path: Path, text: str) -> list[dict[str, Any]]:
        """Replace the text of an open document; the first diagnostics of the new text, which may not be all."""
        self.take_all()
        uri = path.as_uri()
        before = self.times.get(uri, 0)
        self.type(path, text)
        self.wait(lambda: self.times.get(uri, 0) > before, "the first diagnostics after a change")
        return self.published[uri]

    def text_of(self, path: Path) -> str:
        """Return the text of an open document, as it is now."""
        return self._texts[path.as_uri()]

    def close(self, path: Path) -> None:
        """Closes a document; its diagnostics are taken back."""
        uri = path.as_uri()
        assert self._with_diagnostics(uri, "textDocument/didClose", {"textDocument": {"uri": uri}}) == []

    def _with_diagnostics(self, uri: str, method: str, params: Any) -> list[dict[str, Any]]:
        before = self.times.get(uri, 0)
        self.tell(method, params)
        self.wait(lambda: self.times.get(uri, 0) > before, f"diagnostics after {method}")
        return self.published[uri]

    def at(self, what: str, path: Path, line: int, column: int) -> Any:
        """Return the answer to a question about a place, line and column counted from 1."""
        place = {"line": line - 1, "character": column - 1}
        return self.ask(f"textDocument/{what}", {"textDocument": {"uri": path.as_uri()}, "position": place})

    def stop(self) -> int:
        """Ends the server in the orderly way; its exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(PATIENCE)
