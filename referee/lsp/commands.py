"""The commands of code lenses: each shows its result as a message, and returns it as data."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from referee.lsp import analysis, jobs, texts
from referee.lsp.checking import RuleServer, refusal
from referee.lsp.offsets import path_of
from referee.lsp.pool import Died, TooSlow
from rulespec import listed, number_of, visible

SEED = 1  # of the random game: the same rules show the same game


async def play(server: RuleServer, uri: str) -> jobs.Data:
    """Return how a random game of an open document ended, and how to play it oneself."""
    path = _document(server, uri)
    try:
        found = await server.pool.run(f"examples of {uri}", jobs.play_once, path, _files(server), SEED, apart=True)
    except (TooSlow, Died):
        raise refusal(texts.STOPPED.format(seconds=f"{server.pool.seconds:g}")) from None
    if "error" in found:
        _show(server, texts.NOT_PLAYED.format(reason=found["error"]), bad=True)
    else:
        winners = listed([f"player {player}" for player in found["winners"]])
        scores, decisions = listed(found["scores"], "to"), number_of(found["decisions"], "decision")
        _show(server, texts.PLAYED.format(reason=found["reason"], winners=winners, scores=scores, decisions=decisions))
    answer: jobs.Data = _clean({**found, "command": ["rulespec", "play", path]})
    return answer


async def run_examples(server: RuleServer, uri: str, name: str | None = None) -> jobs.Data:
    """Return what came of the examples of an open document, or of one of them."""
    path = _document(server, uri)
    own = analysis.own_examples(await server.whole(uri))
    if name is not None and name not in own:
        raise refusal(texts.NO_EXAMPLE.format(name=visible(name)))
    names = own if name is None else [name]
    try:
        results = await server.pool.run(
            f"examples of {uri}", jobs.try_examples, path, _files(server), names, apart=True
        )
    except (TooSlow, Died):
        raise refusal(texts.STOPPED.format(seconds=f"{server.pool.seconds:g}")) from None
    failed = [result for result in results if not result["passed"]]
    examples = number_of(len(results), "example")
    if not results:
        _show(server, texts.NOT_PLAYED.format(reason=texts.SEE_MISTAKES), bad=True)
    elif failed:
        first = f"`{failed[0]['name']}`: {failed[0]['problems'][0]['message']}"
        _show(server, texts.EXAMPLES_BAD.format(bad=len(failed), examples=examples, first=first), bad=True)
    else:
        _show(server, texts.EXAMPLES_GOOD.format(examples=examples))
    answer: jobs.Data = _clean({"examples": results, "passed": bool(results) and not failed})
    return answer


def _document(server: RuleServer, uri: object) -> str:
    if not isinstance(uri, str) or not server.is_rules(uri):
        raise refusal(texts.NOT_RULES.format(found=visible(str(uri))))
    return str(path_of(uri))


def _files(server: RuleServer) -> jobs.Data:
    return jobs.files_data(server.files())


def _clean(value: Any) -> Any:
    """Return data with every text of it clean."""
    match value:
        case str():
            return visible(value)
        case list():
            return [_clean(item) for item in value]
        case dict():
            return {key: _clean(item) for key, item in value.items()}
        case _:
            return value


def _show(server: RuleServer, message: str, bad: bool = False) -> None:
    kind = lsp.MessageType.Warning if bad else lsp.MessageType.Info
    server.window_show_message(lsp.ShowMessageParams(kind, visible(message)))
