"""When open documents are checked, and what is published about them. Other processes do the work."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from urllib.parse import unquote

import attrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcParseError
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from referee.lsp import analysis, jobs, texts
from referee.lsp.analysis import Analysis
from referee.lsp.begun import is_rules
from referee.lsp.below import read_below
from referee.lsp.neighbours import FileReading, RuleFile, all_known
from referee.lsp.offsets import location_of, path_of, range_of
from referee.lsp.paths import absolute, split
from referee.lsp.pool import Died, Pool, TooSlow
from referee.lsp.protocol import RuleProtocol
from referee.lsp.quick_fixes import own_edits
from referee.lsp.rename import NotRenamed
from rulespec import Diagnostic, Edit, Files, Span, has_errors, visible

PAUSE = 0.15  # seconds without a keystroke before a document is checked: the most,
LEAST = 0.03  # and the least, of one that is checked quickly
LATEST = 0.7  # seconds after the first unseen keystroke at which it is checked, whatever is typed
REST = 1.5  # seconds without a keystroke before worked examples are tried
OTHERS = (
    2  # documents that are checked at a time because one that they extend has changed: the others are for who types
)
FIRST = 2.0  # seconds that a request waits for the first check of its document
CHECKED = "$/rulespec/checked"  # tells the client that what is published about a document is all there is to say now
SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


class RuleServer(LanguageServer):
    """Keeps what is known of each open document. Other processes do the work: it only waits and answers."""

    protocol: RuleProtocol

    def __init__(self, files: Files, pool: Pool) -> None:
        kind = lsp.TextDocumentSyncKind.Full
        super().__init__("rulespec", "1", text_document_sync_kind=kind, protocol_cls=RuleProtocol)
        self.pool = pool
        self.known: dict[str, Analysis] = {}  # by address
        self._files = files
        self._unseen: dict[str, float] = {}  # when the first keystroke came that no check has seen
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._trying: dict[str, asyncio.Task[None]] = {}  # worked examples
        self._one_trial = asyncio.Lock()
        self._others = asyncio.Semaphore(OTHERS)
        self._again: set[str] = set()  # documents that are to be checked once more
        self._checked: dict[str, asyncio.Event] = {}
        self._early: dict[str, list[lsp.Diagnostic]] = {}  # published by the check that is running, which goes on
        self._late: dict[str, Late] = {}  # what the last check found only later
        self._took: dict[str, float] = {}  # seconds from the beginning of the last check to its first diagnostics
        self._recent: dict[str, None] = {}  # the documents that were changed, the last one at the end
        self._for_others: set[str] = set()  # documents that are checked because one that they extend has changed
        self._readings: dict[Path, FileReading] = {}  # of the files within reach
        self._one_reach = asyncio.Lock()

    def report_server_error(self, error: Exception, source: object) -> None:
        """Tell the client of a message that is no JSON. Requests have their answers, and what else fails is in the log."""
        if source is JsonRpcException and isinstance(error, ValueError | RecursionError):
            self.protocol.refuse(None, JsonRpcParseError(texts.NO_JSON))

    def files(self) -> Files:
        """Return the source of rule files; open documents replace theirs."""
        return self._files.having({path_of(uri): text for uri, text in self._open().items()})

    def _open(self) -> dict[str, str]:
        """Return the texts of all open documents, by their addresses as the editor writes them."""
        return {document.uri: document.source for document in self.workspace.text_documents.values()}

    def document(self, uri: str) -> TextDocument | None:
        """Return an open document.

        INVARIANT: nothing else asks the workspace for a document: it would read one that is not open from the disk.
        """
        documents: dict[str, TextDocument] = self.workspace.text_documents
        return documents.get(unquote(uri))

    def text_of(self, uri: str) -> str | None:
        """Return the text of an open document."""
        document = self.document(uri)
        return document.source if document else None

    def is_rules(self, uri: str) -> bool:
        """Return whether a document is open and a rule file."""
        return is_rules(self.text_of(uri) or "")

    # when ------------------------------------------------------------------------------------------------------

    def check_soon(self, uri: str, pause: float | None = None) -> None:
        """Check an open document when nothing was typed for a while, but not too late, and then those that extend it.

        Work whose result nobody would see is given up at once.
        """
        if self.document(uri) is None:
            return
        if pause is None:
            pause = min(PAUSE, max(LEAST, self._took.get(uri, PAUSE) / 2))
        self._recent.pop(uri, None)
        self._recent[uri] = None
        if uri in self._early:
            self._cancel(uri)
        path = path_of(uri)
        for other in [o for o in self._for_others if o in self.known and path in self.known[o].files]:
            self._cancel(other)  # it is checked again after this document
        loop = asyncio.get_running_loop()
        self._checked.setdefault(uri, asyncio.Event())
        left = self._unseen.setdefault(uri, loop.time()) + LATEST - loop.time()
        self._stop_timer(uri)
        self._stop_trying(uri)
        self._timers[uri] = loop.call_later(max(0, min(pause, left)), self._begin, uri, pause <= left)

    def _cancel(self, uri: str) -> None:
        if task := self._running.get(uri):  # none if the document was closed this moment
            task.cancel()

    def forget(self, uri: str) -> None:
        """Stop all work on a document that was closed."""
        self._stop_timer(uri)
        self._stop_trying(uri)
        self.known.pop(uri, None)
        self._unseen.pop(uri, None)
        self._checked.pop(uri, None)
        self._late.pop(uri, None)
        self._took.pop(uri, None)
        self._recent.pop(uri, None)
        if task := self._running.pop(uri, None):
            task.cancel()
        self._check_above(uri)  # what is on disk may be different

    def _stop_timer(self, uri: str) -> None:
        if timer := self._timers.pop(uri, None):
            timer.cancel()

    def _stop_trying(self, uri: str) -> None:
        if task := self._trying.pop(uri, None):
            task.cancel()

    def _begin(self, uri: str, at_rest: bool, spread: bool = True) -> None:
        """Begin a check. Somebody who goes on typing gets the end of the one that is running, for an older text."""
        self._stop_timer(uri)
        running = self._running.get(uri)
        if running is not None and not running.done():
            if not at_rest:
                running.add_done_callback(lambda task: self._begin_again(uri, task))
                return
            running.cancel()
        self._unseen.pop(uri, None)
        self._running[uri] = asyncio.ensure_future(self._check(uri, spread))

    def _check_too(self, uri: str) -> None:
        """Check a document because one that it extends has changed, after the check of it that may be running."""
        running = self._running.get(uri)
        if running is None or running.done():
            self._running[uri] = asyncio.ensure_future(self._check(uri, spread=False))
        elif uri not in self._again:
            self._again.add(uri)
            running.add_done_callback(lambda task: self._check_again(uri, task))

    def _check_again(self, uri: str, ended: asyncio.Task[None]) -> None:
        self._again.discard(uri)
        if uri in self.known and uri not in self._unseen and not ended.cancelled():
            self._check_too(uri)

    def _begin_again(self, uri: str, ended: asyncio.Task[None]) -> None:
        if uri in self._unseen and not ended.cancelled():
            self._begin(uri, at_rest=False)

    # what ------------------------------------------------------------------------------------------------------

    async def _check(self, uri: str, spread: bool) -> None:
        document = self.document(uri)
        if document is None:
            return
        version, text, files = document.version, document.source, self.files()
        items: list[lsp.Diagnostic] = []
        found: Analysis | None = None
        if is_rules(text) and spread:
            found, items = await self._examined(uri, version, text, files)
        elif is_rules(text):
            self._for_others.add(uri)
            try:
                async with self._others:
                    if self._is_outdated(uri):
                        return  # what it extends is being typed, and it will be checked after that
                    files = self.files()
                    found, items = await self._examined(uri, None, text, files)
            finally:
                self._for_others.discard(uri)
        document = self.document(uri)
        if document is None:
            return
        self._publish(uri, version, found, items)
        if document.version != version:
            return  # it has changed meanwhile: another check is coming
        self.protocol.notify(CHECKED, {"uri": uri, "version": version})
        if spread:
            self._check_above(uri)
        if spread and found is not None and not has_errors(found.diagnostics):  # others are tried when they are changed
            self._stop_trying(uri)
            self._trying[uri] = asyncio.ensure_future(self._try_examples(uri, version, found, items, files))

    def _publish(self, uri: str, version: int | None, found: Analysis | None, items: list[lsp.Diagnostic]) -> None:
        if found is not None:
            self.known[uri] = found
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, items, version))
        if event := self._checked.get(uri):
            event.set()

    def _check_above(self, uri: str) -> None:
        """Check the open documents that extend one, those first that were changed last."""
        path = path_of(uri)
        above = [o for o, known in self.known.items() if path in known.files and o != uri and o not in self._unseen]
        recent = [*self._recent]
        for other in sorted(above, key=lambda o: recent.index(o) if o in recent else -1, reverse=True):
            self._stop_trying(other)
            self._check_too(other)

    def _is_outdated(self, uri: str) -> bool:
        known = self.known.get(uri)
        return known is not None and any(path_of(other) in known.files for other in self._unseen)

    async def _examined(
        self, uri: str, version: int | None, text: str, files: Files
    ) -> tuple[Analysis | None, list[lsp.Diagnostic]]:
        """Return the analysis of a rule file, if there is one, and what to publish.

        With a version, what is known earlier is published meanwhile.
        """
        path, before = path_of(uri), self.known.get(uri)
        remembered = jobs.analysis_data(replace(before, diagnostics=[])) if before else None
        begun = asyncio.get_running_loop().time()
        showing: list[asyncio.Task[None]] = []

        def show(data: jobs.Data) -> None:
            if version is not None:
                self._took[uri] = asyncio.get_running_loop().time() - begun
                showing.append(asyncio.ensure_future(self._show_early(uri, version, text, data, before, files)))

        try:
            arguments = (str(path), jobs.files_data(files), remembered)
            data = await self.pool.run_in_parts(uri, show, jobs.check, *arguments)
            if showing:
                await showing[0]
            else:
                self._took[uri] = asyncio.get_running_loop().time() - begun
            found, items = await asyncio.to_thread(_read, path, text, data, before, files)
            early = self._early.get(uri, items)
            self._late[uri] = Late(text, [item for item in items if item not in early])
            return found, items
        except TooSlow:
            return before, [_unfinished(texts.TOO_SLOW.format(seconds=f"{self.pool.seconds:g}"))]
        except Died:
            return before, [_unfinished(texts.DIED)]
        finally:
            for task in showing:
                task.cancel()
            self._early.pop(uri, None)

    async def _show_early(
        self, uri: str, version: int, text: str, data: jobs.Data, before: Analysis | None, files: Files
    ) -> None:
        """Publish what is found first, with what the last check found later: that is most probably found again."""
        found, items = await asyncio.to_thread(_read, path_of(uri), text, data, before, files)
        document = self.document(uri)
        if document is None or document.version != version:
            return
        late = self._late.get(uri)
        again = late.in_text(text) if late else []
        self._early[uri] = items
        self._publish(uri, version, found, [*items, *(item for item in again if item not in items)])

    async def _try_examples(
        self, uri: str, version: int | None, found: Analysis, items: list[lsp.Diagnostic], files: Files
    ) -> None:
        """Publish the examples of a document that do not come out right, some time after its last change."""
        names = analysis.own_examples(found)
        if not names:
            return
        await asyncio.sleep(REST)
        arguments = (str(found.path), jobs.files_data(files), names)
        async with self._one_trial:  # checks have the other processes
            results = []
            with suppress(TooSlow, Died):
                results = await self.pool.run(f"examples of {uri}", jobs.try_examples, *arguments, apart=True)
        failed = [_failed(result, found) for result in results if not result["passed"]]
        document = self.document(uri)
        if failed and document is not None and document.version == version:
            more = [item for group in failed for item in group]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, [*items, *more], version))

    async def now(self, uri: str) -> Analysis:
        """Return what is known of a document, with its text as it is this moment; before its first check, only its outline."""
        if uri not in self.known and (event := self._checked.get(uri)):
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), FIRST)
        text = self.text_of(uri) or ""
        found = self.known.get(uri)
        if found is None:
            return await asyncio.to_thread(analysis.outline, path_of(uri), text)
        return replace(found, text=text)

    async def whole(self, uri: str) -> Analysis:
        """Return the same with the tree of the text as it is this moment, if that can be read."""
        found = await self.now(uri)
        tree = (await asyncio.to_thread(analysis.outline, found.path, found.text)).tree
        return replace(found, tree=tree or found.tree)

    # all files -------------------------------------------------------------------------------------------------

    async def reach(self) -> dict[Path, RuleFile]:
        """Return all rule files within reach, by their paths."""
        folders = [path_of(folder.uri) for folder in self.workspace.folders.values()]
        given_up = Event()
        async with self._one_reach:  # who comes second finds everything read
            try:
                readings = self._readings
                known, self._readings = await asyncio.to_thread(all_known, self.files(), folders, readings, given_up)
            finally:
                given_up.set()  # a thread cannot be cancelled
        return known

    def address_of(self, path: Path) -> str:
        """Return the address of a file, as the editor calls it if it is open there."""
        return next((uri for uri in self._open() if path_of(uri) == path), path.as_uri())

    async def refuse_broken(self, paths: list[Path], changed: dict[Path, str], files: Files) -> None:
        """Raise NotRenamed if one of some files has errors with the changed texts that it does not have now."""
        data = (jobs.files_data(files), jobs.files_data(files.having(changed)))
        asked = [
            self.pool.run(self.address_of(path), jobs.errors, str(path), source, urgent=True)
            for path in paths
            for source in data
        ]
        try:
            found = await asyncio.gather(*asked)
        except (TooSlow, Died):
            raise NotRenamed(texts.UNCHECKED) from None
        for old, new in zip(found[::2], found[1::2], strict=True):
            codes = [code for code, _, _ in old]
            for code, where, message in new:
                if code not in codes:
                    raise NotRenamed(texts.WOULD_BREAK.format(where=visible(where), message=visible(message)))
                codes.remove(code)


@dataclass(frozen=True, slots=True)
class Late:
    """Diagnostics of a text that only show with other players or options than the default ones."""

    text: str
    items: list[lsp.Diagnostic]

    def in_text(self, text: str) -> list[lsp.Diagnostic]:
        """Return them where they are in a text that was made of theirs; those whose lines are gone are left out."""
        if not self.items:
            return []
        old, new = split(self.text), split(text)
        shorter = min(len(old), len(new))
        above = next((n for n in range(shorter) if old[n] != new[n]), shorter)
        below = next((n for n in range(shorter - above) if old[-1 - n] != new[-1 - n]), shorter - above)
        lines = len(new) - len(old)

        def moved(item: lsp.Diagnostic) -> lsp.Diagnostic | None:
            there = item.range
            if there.end.line < above or not lines:
                return item
            if there.start.line < len(old) - below:
                return None
            ends = [lsp.Position(end.line + lines, end.character) for end in (there.start, there.end)]
            return attrs.evolve(item, range=lsp.Range(*ends))

        return [item for one in self.items if (item := moved(one)) is not None]


def refusal(message: str) -> JsonRpcException:
    """Return the error of a request that is refused, with the reason, which editors show."""
    return JsonRpcException(message, int(lsp.LSPErrorCodes.RequestFailed))


def _read(
    path: Path, text: str, data: jobs.Data, before: Analysis | None, files: Files
) -> tuple[Analysis, list[lsp.Diagnostic]]:
    found = jobs.read_analysis(path, text, data, before)
    found.below = read_below(found.files, found.path, files)
    return found, [as_lsp(d, found, files) for d in found.diagnostics]


def _unfinished(message: str) -> lsp.Diagnostic:
    """Return a note at the top of a document that could not be checked."""
    top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    return lsp.Diagnostic(top, message, lsp.DiagnosticSeverity.Warning, "check-unfinished", source="rulespec")


def _failed(result: jobs.Data, found: Analysis) -> list[lsp.Diagnostic]:
    """Return what is wrong with an example, where it says so; where that is another file, at its name."""
    lines, out = found.lines, []
    for problem in result["problems"]:
        span = Span(**problem["span"])
        if absolute(span.file) != found.path:
            span = Span(**result["span"])
        message = texts.EXAMPLE_FAILED.format(name=visible(result["name"]), message=visible(problem["message"]))
        severity = lsp.DiagnosticSeverity.Error
        out.append(lsp.Diagnostic(range_of(span, lines), message, severity, "example-failed", source="rulespec"))
    return out


def as_lsp(d: Diagnostic, found: Analysis, files: Files) -> lsp.Diagnostic:
    """Return a diagnostic as editors show it; one about an extended file is shown at `extends`."""
    lines = [d.message]
    related = [lsp.DiagnosticRelatedInformation(location_of(span, files), visible(what)) for what, span in d.related]
    span = d.span
    if absolute(span.file) != found.path:
        lines = [f"{span}: {d.message}"]
        related.insert(0, lsp.DiagnosticRelatedInformation(location_of(span, files), visible(d.message)))
        span = analysis.extends_span(found)
    lines += [f"{word}: {text}" for word, text in (("why", d.why), ("fix", d.fix)) if text]
    written = found.lines
    edits = text_edits(own_edits(d, found, written), written)
    return lsp.Diagnostic(
        range=range_of(span, written),
        message="\n".join(map(visible, lines)),
        severity=SEVERITIES[d.level],
        code=d.code,
        source="rulespec",
        related_information=related or None,
        data={"edits": [{"range": _range_data(edit.range), "newText": edit.new_text} for edit in edits]}
        if edits
        else None,
    )


def text_edits(edits: tuple[Edit, ...], lines: list[str]) -> list[lsp.TextEdit]:
    """Return changes of a document as editors make them."""
    return [lsp.TextEdit(range_of(edit.span, lines), edit.new) for edit in edits]


def _range_data(there: lsp.Range) -> dict[str, dict[str, int]]:
    ends = (("start", there.start), ("end", there.end))
    return {name: {"line": end.line, "character": end.character} for name, end in ends}
