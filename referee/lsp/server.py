"""The language server: the list of the requests it answers."""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from referee.lsp import analysis, commands, jobs, texts
from referee.lsp.analysis import Analysis
from referee.lsp.begun import is_begun
from referee.lsp.below import named_entry
from referee.lsp.checking import RuleServer, as_lsp, refusal, text_edits
from referee.lsp.completion import Suggestion, suggestions
from referee.lsp.folding import folds
from referee.lsp.lenses import PLAY, RUN_EXAMPLE, RUN_EXAMPLES, Lens, lenses
from referee.lsp.neighbours import RuleFile
from referee.lsp.offsets import column, location_of, locations_of, range_of
from referee.lsp.paths import split
from referee.lsp.pool import Died, Pool, TooSlow
from referee.lsp.quick_fixes import QuickFix, quick_fixes
from referee.lsp.rename import NotRenamed, edits_of, refuse_read_only
from referee.lsp.sections import OutlineEntry, sections
from referee.lsp.signatures import CallSite, call_at
from referee.lsp.symbols import Name
from referee.lsp.tokens import MODIFIERS, TYPES, encoded, tokens
from referee.lsp.uses import NamedThing, declared, target_at, uses, uses_everywhere
from rulespec import Files, Span, is_clean, visible

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
    "scoring": lsp.SymbolKind.Property,
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

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: RuleServer, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        found, target, _ = await _target(ls, params)
        if target is None:
            return None
        known, with_declaration = await ls.reach(), params.context.include_declaration
        places = await asyncio.to_thread(uses_everywhere, target, found.path, known)
        there = [use.span for some in places.values() for use in some if with_declaration or not use.declares]
        return await asyncio.to_thread(locations_of, there, _as_read(known, ls.files()))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(ls: RuleServer, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
        found, target, _ = await _target(ls, params)
        if target is None or found.tree is None:
            return None
        kinds = {True: lsp.DocumentHighlightKind.Write, False: lsp.DocumentHighlightKind.Read}
        lines = found.lines
        there = await asyncio.to_thread(lambda tree: list(uses(tree, target)), found.tree)
        return [lsp.DocumentHighlight(range_of(use.span, lines), kinds[use.declares]) for use in there]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(ls: RuleServer, params: lsp.PrepareRenameParams) -> lsp.Range:
        found, target, span = await _target(ls, params)
        if target is None or span is None:
            raise refusal(texts.NOTHING_HERE)
        places = await asyncio.to_thread(uses_everywhere, target, found.path, await ls.reach())
        try:
            refuse_read_only(places, ls.files())
        except NotRenamed as reason:
            raise refusal(str(reason)) from None
        return range_of(span, found.lines)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(ls: RuleServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        found, target, _ = await _target(ls, params)
        if target is None:
            raise refusal(texts.NOTHING_HERE)
        try:
            return await renamed(ls, found, target, params.new_name)
        except NotRenamed as reason:
            raise refusal(str(reason)) from None

    # writing -----------------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "(", "[", "{"]))
    async def completion(ls: RuleServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        uri = params.text_document.uri
        text, offered = ls.text_of(uri), list[Suggestion]()
        if ls.is_rules(uri):
            offered = suggestions(*await _place(ls, params))
        elif text is not None and is_begun(text) and params.position.character <= len(FIRST.insert):
            offered = [FIRST]
        items = [_completion(number, one) for number, one in enumerate(offered) if is_clean(one.label)]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(ls: RuleServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        uri = params.text_document.uri
        text = ls.text_of(uri)
        if text is None or not ls.is_rules(uri):
            return None
        try:
            new = await ls.pool.run(f"layout of {uri}", jobs.reformat, text, urgent=True)
        except (TooSlow, Died):
            return None
        if new is None:
            return None
        lines = split(text)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))
        return [lsp.TextEdit(whole, new)] if new != text else []

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", "[", ","]))
    async def signature_help(ls: RuleServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        call = call_at(*await _place(ls, params)) if ls.is_rules(params.text_document.uri) else None
        return _signature(call) if call else None

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    async def code_action(ls: RuleServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        if not ls.is_rules(uri):
            return []
        found = await ls.now(uri)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        there = [d for d in found.diagnostics if d.span.line <= last and first <= d.span.end_line]
        return [_action(uri, fix, found, ls.files()) for fix in quick_fixes(replace(found, diagnostics=there))]

    # the whole document ------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: RuleServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        if not ls.is_rules(params.text_document.uri):
            return []
        found = await ls.whole(params.text_document.uri)
        lines = found.lines
        return [_symbol(section, lines) for section in await asyncio.to_thread(sections, found)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(ls: RuleServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        if not ls.is_rules(params.text_document.uri):
            return []
        found = await ls.whole(params.text_document.uri)
        kinds = {True: lsp.FoldingRangeKind.Comment, False: lsp.FoldingRangeKind.Region}
        there = await asyncio.to_thread(folds, found.tree, found.lines)
        return [lsp.FoldingRange(first - 1, last - 1, kind=kinds[comment]) for first, last, comment in there]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend([*TYPES], [*MODIFIERS]))
    async def semantic_tokens(ls: RuleServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        if not ls.is_rules(params.text_document.uri):
            return lsp.SemanticTokens([])
        found = await ls.whole(params.text_document.uri)
        return lsp.SemanticTokens(await asyncio.to_thread(_token_data, found))

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(ls: RuleServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        if not ls.is_rules(uri):
            return []
        found = await ls.whole(uri)
        return [_lens(uri, one) for one in lenses(found)]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def workspace_symbols(ls: RuleServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        known = await ls.reach()
        there = await asyncio.to_thread(declared, known, params.query)
        places = await asyncio.to_thread(locations_of, [d.span for d in there], _as_read(known, ls.files()))
        return [
            lsp.WorkspaceSymbol(place, visible(d.name), ENTRIES[d.section], container_name=d.section)
            for d, place in zip(there, places, strict=True)
        ]

    # commands ----------------------------------------------------------------------------------------------

    @server.command(PLAY)
    async def play(ls: RuleServer, uri: str) -> jobs.Data:
        return await commands.play(ls, uri)

    @server.command(RUN_EXAMPLES)
    async def run_examples(ls: RuleServer, uri: str) -> jobs.Data:
        return await commands.run_examples(ls, uri)

    @server.command(RUN_EXAMPLE)
    async def run_example(ls: RuleServer, uri: str, name: str) -> jobs.Data:
        return await commands.run_examples(ls, uri, name)

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


async def _target(ls: RuleServer, params: Placed) -> tuple[Analysis, NamedThing | None, Span | None]:
    """Return the document as it is this moment, what the word asked about names, and where the word is."""
    uri = params.text_document.uri
    found = await ls.whole(uri)
    if not ls.is_rules(uri) or found.tree is None:
        return found, None, None
    line = params.position.line + 1
    lines = found.lines
    col = column(lines[line - 1] if line <= len(lines) else "", params.position.character)
    return found, *(target_at(found, line, col) or (None, None))


async def renamed(ls: RuleServer, found: Analysis, target: NamedThing, new: str) -> lsp.WorkspaceEdit:
    """Return the edits of a rename. Raise NotRenamed for one that cannot be done, or after which a file would be wrong."""
    known, files = await ls.reach(), ls.files()
    if found.path not in known:
        raise NotRenamed(texts.UNREADABLE)
    places = await asyncio.to_thread(uses_everywhere, target, found.path, known)
    refuse_read_only(places, files)
    edits = await asyncio.to_thread(edits_of, target, new, places, known)
    await ls.refuse_broken([*places], edits.texts, files)
    changes = {}
    for path, spans in edits.spans.items():
        lines = split(known[path].text)
        changes[ls.address_of(path)] = [lsp.TextEdit(range_of(span, lines), new) for span in spans]
    return lsp.WorkspaceEdit(changes=changes)


def _as_read(known: dict[Path, RuleFile], files: Files) -> Files:
    """Return a source with the texts that are known, which are not read again."""
    return files.having({path: one.text for path, one in known.items()})


def _name(found: Analysis, line: int, col: int) -> Name | None:
    """Return what a name at a position means, or the entry of another file that is named there."""
    entry = named_entry(found, line, col)
    if entry is not None and not any(name == entry.name for _, name in found.names):
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


def _signature(call: CallSite) -> lsp.SignatureHelp:
    parameters = [lsp.ParameterInformation(visible(text)) for text in call.parameters]
    active = min(call.active, len(parameters) - 1)
    text = lsp.MarkupContent(lsp.MarkupKind.Markdown, call.name.as_markdown())
    return lsp.SignatureHelp([lsp.SignatureInformation(visible(call.name.written), text, parameters)], 0, active)


def _action(uri: str, fix: QuickFix, found: Analysis, files: Files) -> lsp.CodeAction:
    return lsp.CodeAction(
        fix.title,
        lsp.CodeActionKind.QuickFix,
        diagnostics=[as_lsp(fix.diagnostic, found, files)],
        is_preferred=fix.is_whole,
        edit=lsp.WorkspaceEdit(changes={uri: text_edits(fix.edits, found.lines)}),
    )


def _token_data(found: Analysis) -> list[int]:
    there, lines = tokens(found), found.lines
    ranges = [range_of(token.span, lines) for token in there]
    return encoded(there, [(r.start.character, r.end.character - r.start.character) for r in ranges])


def _lens(uri: str, lens: Lens) -> lsp.CodeLens:
    start = lsp.Position(lens.line - 1, 0)
    return lsp.CodeLens(lsp.Range(start, start), lsp.Command(lens.title, lens.command, arguments=[uri, *lens.names]))


def _symbol(section: OutlineEntry, lines: list[str]) -> lsp.DocumentSymbol:
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


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether something went wrong: a refusal is an answer, and no traceback of it is logged."""
    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))


def serve(files: Files, pool: Pool) -> None:
    """Answer on standard output what comes in on standard input, until the editor ends the session."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")  # the server closes its streams
    create_server(files, pool).start_io(inward, outward)
