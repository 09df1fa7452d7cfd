"""The language server: the list of the requests it answers."""

from __future__ import annotations

import asyncio
import os
from typing import Protocol

from lsprotocol import types as lsp

from referee.lsp import analysis, jobs
from referee.lsp.analysis import Analysis
from referee.lsp.begun import is_begun
from referee.lsp.below import named_entry
from referee.lsp.checking import RuleServer
from referee.lsp.completion import Suggestion, suggestions
from referee.lsp.offsets import column, location_of, range_of
from referee.lsp.paths import split
from referee.lsp.pool import Died, Pool, TooSlow
from referee.lsp.sections import Section, sections
from referee.lsp.symbols import Name
from rulespec import Files, is_clean, visible

KINDS = {
    "key": lsp.CompletionItemKind.Property,
    "name": lsp.CompletionItemKind.Variable,
    "word": lsp.CompletionItemKind.Keyword,
    "built-in": lsp.CompletionItemKind.Function,
    "game": lsp.CompletionItemKind.File,
}
ENTRIES = {  # by the section
    "sets": lsp.SymbolKind.Enum,
    "tables": lsp.SymbolKind.Constant,
    "pieces": lsp.SymbolKind.Object,
    "places": lsp.SymbolKind.Struct,
    "variables": lsp.SymbolKind.Variable,
    "define": lsp.SymbolKind.Function,
    "steps": lsp.SymbolKind.Method,
    "moves": lsp.SymbolKind.Event,
}
FIRST = Suggestion("rulespec", "key", "", "The version of the rule language.", "rulespec: 1")


def create_server(files: Files, pool: Pool) -> RuleServer:
    server = RuleServer(files, pool)

    # documents ---------------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(ls: RuleServer, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(ls: RuleServer, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(ls: RuleServer, params: lsp.DidSaveTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(ls: RuleServer, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.forget(uri)
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    # names -------------------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(ls: RuleServer, params: lsp.HoverParams) -> lsp.Hover | None:
        if not ls.is_rules(params.text_document.uri):
            return None
        found, line, col = await _place(ls, params)
        name = _name(found, line, col)
        text = analysis.key_at(found, line, col) or (name.as_markdown() if name else "")
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: RuleServer, params: lsp.DefinitionParams) -> lsp.Location | None:
        if not ls.is_rules(params.text_document.uri):
            return None
        found, line, col = await _place(ls, params)
        if file := analysis.extended_file(found, line, col, ls.files()):
            start = lsp.Position(0, 0)
            return lsp.Location(file.as_uri(), lsp.Range(start, start))
        name = _name(found, line, col)
        return location_of(name.span, ls.files()) if name and name.span else None

    # writing -----------------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "(", "[", "{"]))
    async def completion(ls: RuleServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        uri = params.text_document.uri
        offered: list[Suggestion] = []
        if ls.is_rules(uri):
            offered = suggestions(*await _place(ls, params))
        elif is_begun(ls.workspace.get_text_document(uri).source) and params.position.character <= len(FIRST.insert):
            offered = [FIRST]
        items = [_completion(number, one) for number, one in enumerate(offered) if is_clean(one.label)]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(ls: RuleServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        uri = params.text_document.uri
        text = ls.workspace.get_text_document(uri).source
        if not ls.is_rules(uri):
            return None
        try:
            new = await ls.pool.run(f"layout of {uri}", jobs.reformat, text)
        except (TooSlow, Died):
            return None
        if new is None:
            return None
        lines = split(text)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))
        return [lsp.TextEdit(whole, new)] if new != text else []

    # the whole document ------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: RuleServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        if not ls.is_rules(params.text_document.uri):
            return []
        found = await ls.whole(params.text_document.uri)
        lines = found.lines
        return [_symbol(section, lines) for section in await asyncio.to_thread(sections, found)]

    return server


# Answers --------------------------------------------------------------------------------------------------


class Placed(Protocol):
    """A question about a position of a document."""

    @property
    def text_document(self) -> lsp.TextDocumentIdentifier: ...

    @property
    def position(self) -> lsp.Position: ...


async def _place(ls: RuleServer, params: Placed) -> tuple[Analysis, int, int]:
    """Return what is known of the document, and the line and column asked about, from 1."""
    found = await ls.now(params.text_document.uri)
    line = params.position.line + 1
    lines = found.lines
    return found, line, column(lines[line - 1] if line <= len(lines) else "", params.position.character)


def _name(found: Analysis, line: int, col: int) -> Name | None:
    """Return what a name at a position means, or the entry of another file that is named there."""
    entry = named_entry(found, line, col)
    if entry is not None and entry.name not in found.names:
        return entry
    return analysis.find_name(found, line, col) or entry


def _completion(number: int, one: Suggestion) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        label=one.label,
        kind=KINDS[one.kind],
        detail=visible(one.detail) or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, one.text) if one.text else None,
        insert_text=one.insert or None,
        sort_text=f"{number:04}",
    )


def _symbol(section: Section, lines: list[str]) -> lsp.DocumentSymbol:
    kind = lsp.SymbolKind.Namespace
    if len(section.path) > 1:
        kind = ENTRIES.get(section.path[0], lsp.SymbolKind.Field) if len(section.path) == 2 else lsp.SymbolKind.Field
    return lsp.DocumentSymbol(
        visible(section.text) or "…",
        kind,
        range_of(section.whole, lines),
        range_of(section.name, lines),
        children=[_symbol(inner, lines) for inner in section.inner],
    )


def serve(files: Files, pool: Pool) -> None:
    """Answer on standard output what comes in on standard input, until the editor ends the session."""
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")  # the server closes its streams
    create_server(files, pool).start_io(inward, outward)
