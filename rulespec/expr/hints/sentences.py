"""The form of one-line steps, and what the author of a malformed one probably meant."""

from __future__ import annotations

import re

from rulespec.english import closest, suggestion
from rulespec.expr.hints.failure import KEYWORDS, NAME, Failure, TextEdit, TextProblem

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
    "remember": "remember PLACE",
    "tell": "tell TEXT",
    "ask": "ask again",
}
WHY = "a step begins with move, draw, roll, set, add, let, score, do, show, remember, tell or ask again"
LIKE_SENTENCES = {
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
_CONTINUED = {  # the words with which a step goes on
    "move": ("of", "from", "to", "then", "under"),
    "draw": ("of", "from", "to", "then", "under"),
    "roll": ("from", "weighted"),
    "set": ("to",),
    "add": ("to",),
    "let": ("be",),
    "score": ("for",),
    "show": ("to",),
    "ask": ("again",),
}
_OTHERWISE = {  # words of steps that there are not, and how it is done
    "end": "a game ends when the steps under `play:` are done: let the condition of its `while` fail",
    "shuffle": "nothing is shuffled: `draw` takes pieces at random",
    "refuse": "a move is refused by a condition of it, under `needs:`: a name, and below it `that:` and `else:` with the reason",
    "swap": "what lies in two places changes them by three `move` steps, the first into a place between",
    "each": "write `for each: p in player`, and below it `do:` with the steps of each",
    "nothing": "where nothing is to be done, the list of steps is `[]`",
    "break": "a loop is not broken off: a `while` ends when its condition fails, so let a step change what it tests",
    "continue": "nothing is skipped in a loop: put what follows into an `if:`, or leave items out with `where`",
    "return": "nothing is returned: what follows, and is not to be done, belongs into an `if:`",
}
_OTHERWISE |= dict.fromkeys(("none", "pass", "skip", "nop"), _OTHERWISE["nothing"])
_OTHERWISE |= dict.fromkeys(("forbid", "reject", "require", "assert", "raise", "error", "fail"), _OTHERWISE["refuse"])
_OTHERWISE |= dict.fromkeys(("exchange", "switch", "trade"), _OTHERWISE["swap"])
_OTHERWISE |= dict.fromkeys(("every", "everyone", "everybody"), _OTHERWISE["each"])
_OTHERWISE |= dict.fromkeys(("finish", "stop", "quit", "exit"), _OTHERWISE["end"])
STRUCTURE = {
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
    if (turned := step_turned(t)) is not None:
        return turned
    if word in STRUCTURE:
        fix = f"write {STRUCTURE[word]}"
        return t.wrong("step-sentence", f"`{word}` is not written on one line", "what has steps inside is a map", fix)
    alone = len(t.words) == 1 and word in _OTHERWISE
    if pieces := re.fullmatch(r"(\S+)\.(append|add|push|insert|put|remove|pop|take)\((.*)\)", "".join(t.text.split())):
        ends = ("PLACE", pieces[1]) if pieces[2] in ("append", "add", "push", "insert", "put") else (pieces[1], "PLACE")
        fix = f"pieces are moved: `move 1{' of ' * bool(pieces[3])}{pieces[3]} from {ends[0]} to {ends[1]}`"
        return t.wrong("step-sentence", f"`{pieces[1]}` begins no step", WHY, fix)
    meant = None if alone else LIKE_SENTENCES.get(word)
    near = None if meant or word in _OTHERWISE else closest(word, SENTENCES)
    if meant == "move" and (moved := re.fullmatch(r"\w+ (.+?) (?:from|off) (\S+)", " ".join(t.text.split()))):
        fix = f"say where they go: `move {moved[1]} from {moved[2]} to PLACE`, with a number or `all of` before a kind"
        return t.wrong("step-sentence", f"`{word}` begins no step", WHY, fix)
    why = WHY
    fix = f"write `{SENTENCES[meant]}`" if meant else _OTHERWISE.get(word) or suggestion(near)
    first = near if meant in ("add", "set") else meant or near  # `increase x by 1` has another order
    edit = TextEdit(t.found.start, t.found.end, first, sure=False) if first else None
    return t.wrong("step-sentence", f"`{word}` begins no step", why, fix, edit=edit)


TURNED = (  # whole steps in other words: pattern, and how they are written
    (r"(?:reset|clear|zero)\s+(?P<v>[a-z]\w*(?:\[.*\])?)", "set {v} to 0"),
    (r"(?:gain|gains|earn|get|win|receive|score)\s+(?P<n>.+?)\s+(?:points?|score|vp)", "add {n} to score[me]"),
    (r"(?:lose|loses|deduct)\s+(?P<n>.+?)\s+(?:points?|score|vp)", "add -({n}) to score[me]"),
    (r"(?P<n>[a-z]\w*)\s*(?::=|=|is|be)\s*(?:roll|random|choice)\s*\(?\s*(?P<s>[^()]+?)\s*\)?", "roll {n} from {s}"),
    (r"(?:increase|raise|increment)\s+(?P<v>.+?)\s+by\s+(?P<n>.+)", "add {n} to {v}"),
    (r"(?:decrease|reduce|lower|decrement)\s+(?P<v>.+?)\s+by\s+(?P<n>.+)", "add -{n} to {v}"),
    (r"(?:subtract|deduct)\s+(?P<n>[\w.\[\]]+)\s+from\s+(?P<v>.+)", "add -{n} to {v}"),
    (r"(?:remove|take)\s+(?P<n>[0-9]+)\s+from\s+(?P<v>.+)", "add -{n} to {v}"),
    (r"(?:increase|increment)\s+(?P<v>\S+)", "add 1 to {v}"),
    (r"(?:decrease|decrement)\s+(?P<v>\S+)", "add -1 to {v}"),
    (r"(?P<v>[a-z]\w*(?:\[.*\])?)\s*\+\+", "add 1 to {v}"),
    (r"(?P<v>[a-z]\w*(?:\[.*\])?)\s*--", "add -1 to {v}"),
    (r"(?P<k>move|draw)\s+(?P<n>.+?)\s+to\s+(?P<v>.+?)\s+from\s+(?P<s>.+)", "{k} {n} from {s} to {v}"),
    (r"(?P<k>move all of)\s+(?P<a>\w+)\s+and\s+(?P<b>\w+)\s+(?P<s>from\s.+)", "{k} [{a}, {b}] {s}"),
    (r"set\s+(?P<v>\S+)\s+to\s+(?:the\s+)?(?P<k>next|previous)\s+(?:player|one)", "set {v} to {k}({v})"),
    (r"score\s+(?P<n>\w+)\s*\((?P<v>p|q|me|turn|player)\)", "score {n} for {v}"),
    (r"(?P<k>move|draw)\s+(?:an?|one)\s+(?:\w+\s+)?(?P<s>from\s.+)", "{k} 1 {s}"),
    (r"roll\s+(?P<n>[a-z]\w*)\s+from\s+(?P<a>[0-9]+)\s*(?:to|-|until)\s*(?P<b>[0-9]+)", "roll {n} from {a}..{b}"),
    (r"roll\s+(?P<a>[0-9]+\.\.\S+)", "roll n from {a}"),
    (r"roll\s+(?:an?\s+|1)?(?:d|die|dice)\s*(?P<b>[0-9]*)", "roll n from 1..{b}"),
    (r"(?:tell|print|say|announce|log|echo)\s*\(?\s*[\"'](?P<v>[^\"']*)[\"']\s*\)?", "tell {v}"),
    (r"(?P<k>remember|show|do|set|add|move|draw)\((?P<v>[^()]*)\)", "{k} {v}"),
    (r"remember\s+(?P<a>\w+)\s+and\s+(?P<v>\w+)", "remember {a}, {v}"),
    (r"reveal\s+(?P<v>\w+(?:\[[^\]]*\])?)", "show {v} to everyone"),
    (
        r"(?:ask-again|ask_again|askagain|again|(?:repeat|retry|redo)(?:\s+(?:the\s+)?(?:turn|move|question))?)",
        "ask again",
    ),
    (r"(?:play|go|move|act|choose)\s+again", "ask again"),
)


def step_turned(t: Failure) -> TextProblem | None:
    """Explain a step whose words are all there, in another order or in other words."""
    if m := re.fullmatch(r"score\s+(\w+\((\w+)\)(?:\s*,\s*\w+\(\2\))+)", " ".join(t.text.split())):
        new = f"score {m[1].replace(f'({m[2]})', '')} for {m[2]}"
        edit = TextEdit(0, len(t.text.rstrip()), new, sure=False)
        why = f"a step with `score` is written `{SENTENCES['score']}`"
        return t.wrong("step-sentence", "this step is written otherwise", why, f"write `{new}`", edit=edit)
    for pattern, form in TURNED:
        m = re.fullmatch(pattern, " ".join(t.text.split()))
        if m is None:
            continue
        parts = {**m.groupdict(), "b": m.groupdict().get("b") or "6"}
        new, first = form.format(**parts), t.words[0].text
        edit = TextEdit(0, len(t.text.rstrip()), new, sure=False)
        if first in SENTENCES:
            why, message = f"a step with `{first}` is written `{SENTENCES[first]}`", "this step is written otherwise"
        else:
            why, message = WHY, f"`{first}` begins no step"
        return t.wrong("step-sentence", message, why, f"write `{new}`", edit=edit)
    return None


def step_goes_on(t: Failure) -> TextProblem | None:
    """Explain a step that begins well; its pattern is the best help."""
    if t.entry != "step" or not t.here or t.words[0].text not in SENTENCES:
        return None
    first, before = t.words[0].text, t.between(t.words[0], t.words[t.here - 1])
    if (turned := step_turned(t)) is not None:
        return turned
    if first == "ask" and t.here == 1:
        why = "on one line there is only `ask again`, at the end of a move"
        return t.wrong("step-sentence", "an `ask` is not written on one line", why, f"write {STRUCTURE[first]}")
    if (
        first == "roll"
        and t.here == 2
        and (m := re.fullmatch(r"roll (\w+\[[^\]]*\]) (from .+)", " ".join(t.text.split())))
    ):
        why = "what is rolled gets a name, and a variable is set to it in a step of its own"
        fix = f"write `- roll n {m[2]}`, and below it `- set {m[1]} to n`"
        return t.wrong("step-sentence", f"`{m[1]}` is no new name", why, fix, t.last)
    last = t.last_part()
    found = t.found.text if t.found else ""
    if t.found and found in ("into", "onto", "on", "in") and first in ("move", "draw"):
        to = TextEdit(t.found.start, t.found.end, "to")
        return t.wrong("step-sentence", f"`{found}` is not used here", "", "write `to`", edit=to)
    fix = ""
    edit: TextEdit | None = None
    if meant := t.misspelt(_CONTINUED.get(first, ())):
        fix, edit = suggestion(meant[0]), meant[1]
    elif first in ("move", "draw"):
        if t.here <= 2 and "from" in (found, t.word(-1)):
            fix = f"say how many: `{first} N from {t.operand(t.here - (found != 'from'), 1).split()[0]} to …`"
        elif " from " not in before and t.word(1) == "from" and re.search(r"[)\d]$|\w\]$", before):
            fix = f"leave `{found}` out, or write `{before} of {found} from …` if it is a kind or a set"
        elif " from " not in before and found and NAME.match(found) and found not in KEYWORDS:
            fix = f"write `{before} of {found} from …`"
            edit = TextEdit(t.found.start, t.found.start, "of ", sure=False) if t.found else None
        elif " from " not in before and found in ("to", ""):
            fix = f"say where they come from: `{before} from PLACE to …`"
        elif " to " not in before and found in ("", ",", "then"):
            fix = f"say where they go: `{before} to PLACE`"
        elif before.endswith(",") or found == ",":
            fix = "for another place if the first is full write `, then PLACE`"
            if t.found and before.endswith(",") and NAME.match(found) and found not in KEYWORDS:
                edit = TextEdit(t.found.start, t.found.start, "then ")
    elif found in ("if", "when", "unless") and t.found and t.text[t.found.end :].strip():
        condition = " ".join(t.text[t.found.end :].split())
        condition = f"not ({condition})" if found == "unless" else condition
        fix = f"write `if: {condition}`, and below it `then:` with the step `{before}`"
    elif first == "add" and found and t.word(1) == "to":
        fix = f"leave `{found}` out"
        edit = TextEdit(t.words[t.here - 1].end, t.words[t.here].end, "", sure=False)
    elif first == "show" and not found and " to " not in before:
        fix = f"say who sees it: `{before} to PLAYER`, or `to everyone`"
    elif first == "score" and t.here == 1:
        fix = "points need a rule: write it under `scoring:`, with `points:`, and here its name"
    elif first == "score" and found != ",":
        fix = f"say who gets the points: `{before} for PLAYER`"
        if t.found and found == "to":
            edit = TextEdit(t.found.start, t.found.end, "for")
        elif t.found and t.here == 2 and NAME.match(found):
            edit = TextEdit(t.found.start, t.found.start, "for ", sure=False)
    message = f"`{found}` is not expected after `{last}`" if found else f"expected more after `{last}`, found the end"
    return t.wrong("step-sentence", message, f"a step with `{first}` is written `{SENTENCES[first]}`", fix, edit=edit)
