"""The language server: answers the protocol's requests from the analysis of the open documents."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from referee.lsp import analysis, jobs, texts
from referee.lsp.analysis import Analysis
from referee.lsp.offsets import column, location_of, path_of, range_of
from referee.lsp.paths import absolute, split
from referee.lsp.pool import Died, Pool, TooSlow
from rulespec import Diagnostic, Files, is_clean, visible

PAUSE = 0.3  # seconds without a keystroke before a document is checked
FIRST = 2.0  # seconds that a request waits for the first check of its document
SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
KINDS = {
    "key": lsp.CompletionItemKind.Property,
    "name": lsp.CompletionItemKind.Variable,
    "word": lsp.CompletionItemKind.Keyword,
    "built-in": lsp.CompletionItemKind.Function,
    "game": lsp.CompletionItemKind.File,
}


class RuleServer(LanguageServer):
    """Keeps what is known of each open document. Other processes do the work: it only waits and answers."""

    def __init__(self, files: Files, pool: Pool) -> None:
        super().__init__("rulespec", "1", text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.pool = pool
        self.known: dict[str, Analysis] = {}  # by address
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self._files = files

    def files(self) -> Files:
        """Return the source of rule files; open documents replace theirs."""
        documents = self.workspace.text_documents.items()
        return self._files.having({path_of(uri): document.source for uri, document in documents})

    def check_soon(self, uri: str, pause: float) -> None:
        """Check a document when nothing was typed for a while, and then those that extend it."""
        above = [other for other, found in self.known.items() if path_of(uri) in found.files and other != uri]
        for number, each in enumerate([uri, *above]):
            if task := self.waiting.get(each):
                task.cancel()
            self.waiting[each] = asyncio.ensure_future(self._check(each, pause * (1 + number)))

    async def _check(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        document = self.workspace.text_documents.get(uri)
        if document is None:
            return
        path, version, text, files = path_of(uri), document.version, document.source, self.files()
        found = before = self.known.get(uri)
        remembered = jobs.analysis_data(replace(before, diagnostics=[])) if before else None
        try:
            data = await self.pool.run(uri, jobs.check, str(path), jobs.files_data(files), remembered)
            found = await asyncio.to_thread(jobs.read_analysis, path, text, data, before)
            items = [_as_lsp(d, found, files) for d in found.diagnostics]
        except TooSlow:
            items = [_unfinished(texts.TOO_SLOW.format(seconds=f"{self.pool.seconds:g}"))]
        except Died:
            items = [_unfinished(texts.DIED)]
        document = self.workspace.text_documents.get(uri)
        if document is None or document.version != version:
            return  # it has changed meanwhile: another check is coming
        if found is not None:
            self.known[uri] = found
        self.waiting.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, items, version))

    async def now(self, uri: str) -> Analysis:
        """Return what is known of a document, with its text as it is this moment; before its first check, only its outline."""
        if uri not in self.known and (first := self.waiting.get(uri)):
            await asyncio.wait([first], timeout=FIRST)
        text = self.workspace.get_text_document(uri).source
        found = self.known.get(uri)
        return replace(found, text=text) if found else analysis.outline(path_of(uri), text)


def _unfinished(message: str) -> lsp.Diagnostic:
    """Return a note at the top of a document that could not be checked."""
    top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    return lsp.Diagnostic(top, message, lsp.DiagnosticSeverity.Warning, "check-unfinished", source="rulespec")


def _as_lsp(d: Diagnostic, found: Analysis, files: Files) -> lsp.Diagnostic:
    """Return a diagnostic as editors show it; one about an extended file is shown at `extends`."""
    lines = [d.message]
    related = [lsp.DiagnosticRelatedInformation(location_of(span, files), visible(what)) for what, span in d.related]
    span = d.span
    if absolute(span.file) != found.path:
        lines = [f"{span}: {d.message}"]
        related.insert(0, lsp.DiagnosticRelatedInformation(location_of(span, files), visible(d.message)))
        span = analysis.extends_span(found)
    lines += [f"{word}: {text}" for word, text in (("why", d.why), ("fix", d.fix)) if text]
    return lsp.Diagnostic(
        range=range_of(span, found.lines),
        message="\n".join(map(visible, lines)),
        severity=SEVERITIES[d.level],
        code=d.code,
        source="rulespec",
        related_information=related or None,
    )


def create_server(files: Files, pool: Pool) -> RuleServer:
    server = RuleServer(files, pool)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(ls: RuleServer, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(ls: RuleServer, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(ls: RuleServer, params: lsp.DidSaveTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(ls: RuleServer, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.known.pop(uri, None)
        if task := ls.waiting.pop(uri, None):
            task.cancel()
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(ls: RuleServer, params: lsp.HoverParams) -> lsp.Hover | None:
        found, line, col = await _place(ls, params)
        if text := analysis.key_at(found, line, col):
            return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text))
        name = analysis.find_name(found, line, col)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, name.as_markdown())) if name else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: RuleServer, params: lsp.DefinitionParams) -> lsp.Location | None:
        found, line, col = await _place(ls, params)
        if file := analysis.extended_file(found, line, col, ls.files()):
            start = lsp.Position(0, 0)
            return lsp.Location(file.as_uri(), lsp.Range(start, start))
        name = analysis.find_name(found, line, col)
        return location_of(name.span, ls.files()) if name and name.span else None

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "(", "[", "{"]))
    async def completion(ls: RuleServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        found, line, col = await _place(ls, params)
        items = [
            lsp.CompletionItem(
                label=one.label,
                kind=KINDS[one.kind],
                detail=visible(one.detail) or None,
                documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, one.text) if one.text else None,
                insert_text=one.insert or None,
                sort_text=f"{number:04}",
            )
            for number, one in enumerate(analysis.suggestions(found, line, col))
            if is_clean(one.label)
        ]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: RuleServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        found = await ls.now(params.text_document.uri)
        lines = found.lines
        return [
            lsp.DocumentSymbol(
                visible(text),
                lsp.SymbolKind.Namespace,
                range_of(whole, lines),
                range_of(name, lines),
                children=[
                    lsp.DocumentSymbol(visible(t), lsp.SymbolKind.Field, range_of(w, lines), range_of(n, lines))
                    for w, n, t in inner
                ],
            )
            for whole, name, text, inner in analysis.sections(found)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(ls: RuleServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        uri = params.text_document.uri
        text = ls.workspace.get_text_document(uri).source
        try:
            new = await ls.pool.run(f"layout of {uri}", jobs.reformat, text)
        except (TooSlow, Died):
            return None
        if new is None:
            return None
        lines = split(text)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))
        return [lsp.TextEdit(whole, new)] if new != text else []

    return server


async def _place(
    ls: RuleServer, params: lsp.HoverParams | lsp.DefinitionParams | lsp.CompletionParams
) -> tuple[Analysis, int, int]:
    """Return what is known of the document, and the line and column asked about, from 1."""
    found = await ls.now(params.text_document.uri)
    line = params.position.line + 1
    lines = found.lines
    return found, line, column(lines[line - 1] if line <= len(lines) else "", params.position.character)


def serve(files: Files, pool: Pool) -> None:
    """Answer on standard output what comes in on standard input, until the editor ends the session."""
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")  # the server closes its streams
    create_server(files, pool).start_io(inward, outward)
