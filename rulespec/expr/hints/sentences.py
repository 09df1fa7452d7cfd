"""The form of one-line steps, and what the author of a malformed one probably meant."""

from __future__ import annotations

from rulespec.expr.hints.failure import KEYWORDS, NAME, Failure, TextProblem

SENTENCES = {
    "move": "move N of KIND from PLACE to PLACE",
    "draw": "draw N from PLACE to PLACE",
    "roll": "roll NAME from SET",
    "set": "set VARIABLE to VALUE",
    "add": "add NUMBER to VARIABLE",
    "let": "let NAME be VALUE",
    "score": "score RULE for PLAYER",
    "do": "do NAME",
    "show": "show PLACE to PLAYER",
    "tell": "tell TEXT",
    "ask": "ask again",
}
_LIKE_SENTENCES = {
    "take": "move",
    "put": "move",
    "place": "move",
    "give": "move",
    "discard": "move",
    "return": "move",
    "deal": "draw",
    "pick": "draw",
    "throw": "roll",
    "increase": "add",
    "subtract": "add",
    "change": "set",
    "run": "do",
    "call": "do",
    "goto": "do",
    "say": "tell",
    "announce": "tell",
    "print": "tell",
    "reveal": "show",
}
_STRUCTURE = {
    "if": "`if: CONDITION`, and below it `then:` with its steps",
    "while": "`while: CONDITION`, and below it `do:` with its steps",
    "for": "`for each: x in SET`, and below it `do:` with its steps",
    "repeat": "`for each: n in 1..3`, and below it `do:` with its steps",
    "ask": "`ask: PLAYER`, and below it `to: MOVE`",
}


def step_begins(t: Failure) -> TextProblem | None:
    """Explain a step that begins with another word."""
    if t.entry != "step" or t.here or not t.found:
        return None
    word = t.found.text
    if word in _STRUCTURE:
        fix = f"write {_STRUCTURE[word]}"
        return t.wrong("step-sentence", f"`{word}` is not written on one line", "what has steps inside is a map", fix)
    meant = _LIKE_SENTENCES.get(word)
    why = "a step begins with move, draw, roll, set, add, let, score, do, show, tell or ask again"
    fix = f"write `{SENTENCES[meant]}`" if meant else ""
    return t.wrong("step-sentence", f"`{word}` begins no step", why, fix)


def step_goes_on(t: Failure) -> TextProblem | None:
    """Explain a step that begins well; its pattern is the best help."""
    if t.entry != "step" or not t.here or t.words[0].text not in SENTENCES:
        return None
    first, before = t.words[0].text, t.between(t.words[0], t.words[t.here - 1])
    if first == "ask" and t.here == 1:
        why = "on one line there is only `ask again`, at the end of a move"
        return t.wrong("step-sentence", "an `ask` is not written on one line", why, f"write {_STRUCTURE[first]}")
    last = t.last_part()
    found = t.found.text if t.found else ""
    if found in ("into", "onto", "on", "in") and first in ("move", "draw"):
        return t.wrong("step-sentence", f"`{found}` is not used here", "", "write `to`")
    fix = ""
    if first in ("move", "draw"):
        if " from " not in before and found and NAME.match(found) and found not in KEYWORDS:
            fix = f"write `{before} of {found} from …`"
        elif " from " not in before and found in ("to", ""):
            fix = f"say where they come from: `{before} from PLACE to …`"
        elif " to " not in before and found in ("", ",", "then"):
            fix = f"say where they go: `{before} to PLACE`"
        elif before.endswith(",") or found == ",":
            fix = "for another place if the first is full write `, then PLACE`"
    elif first == "add" and found and t.word(1) == "to":
        fix = f"leave `{found}` out"
    elif first == "show" and not found and " to " not in before:
        fix = f"say who sees it: `{before} to PLAYER`, or `to everyone`"
    elif first == "score" and found != ",":
        fix = f"say who gets the points: `{before} for PLAYER`"
    message = f"`{found}` is not expected after `{last}`" if found else f"expected more after `{last}`, found the end"
    return t.wrong("step-sentence", message, f"a step with `{first}` is written `{SENTENCES[first]}`", fix)
