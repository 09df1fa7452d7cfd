"""The texts of `rulespec diff`: the names of entries of a rule file, how they differ, where two games differ in play."""

from __future__ import annotations

from rulespec import Change, ChangeKind, EntryPath, listed, ordinal, quoted

SAME = "{a} and {b}: the same rules"
DIFFER = "{a} and {b}: {counts} differ"
DIFFERS = "{a} and {b}: {counts} differs"
AS_CHOSEN = "compared with {choices}"
COUNTED = {"rule": "rule", "words": "text", "view": "line of the view"}
FROM = "    from {text} ({at})"
TO = "    to {text} ({at})"
NEW_AT = "    {text} ({at})"
GONE_AT = "    {text} ({at}); removed at {other}"
ALSO = "    and in {others}, which copies it"
IN_WORDS = "    {line}"
IN_WORDS_AT = "    ({at})"
GONE_IN_WORDS_AT = "    ({at}; removed at {other})"
BRIEFLY = "{headline} ({at})"

NO_COMMON_PLAYERS = "they cannot be played side by side: {a} is for {players_a}, {b} for {players_b}"
NOT_ALL_PLAYED = "the games are long, or their decisions take much work: not all {asked} were played; --players N plays only those with N players"
NOT_PARTED = "played with the same decisions, they never differed ({games}, {players})"
PARTED_AT_START = "played with the same decisions ({players}), they differ at once"
PARTED = "played with the same decisions ({players}), they differ after {decisions}"
FEWEST = ", the fewest that lead to a difference"
IN_EXAMPLE = "in the position of the worked example `{name}` ({players}), they differ at once"
IN_EXAMPLE_AFTER = "in the position of the worked example `{name}` ({players}), they differ after {decisions}"
CHANCE_DECIDES = "  chance: {outcomes}"
PLAYER_DECIDES = "  player {player}: {text}"
POSITION = "the position, with the rules of {name}:"
ONLY = "  only {name}: {move}"
REFUSED = "    {name}: {reason}"
MORE_ONLY = "  only {name}: {more} more"
TO_MOVE = "  {name}: {who} next"
OVER = "  {name}: {over}"
HAS = "  {name}: {scores}"
LEDGER = "    player {player}: {points} {text} ({rule}, {file}:{line})"
ODDS = "  {name}: {odds}"
FAULT = "  {name}: fault: {message} ({at})"
GOES_ON = "  {name}: continues"
CHANCE = "chance is"
PLAYER = "player {player} is"
POINTS_OF = "player {player} has {points}"


def entry_name(path: EntryPath) -> str:
    """Return an entry in plain words, by the author's names."""
    head, rest = path[0], path[1:]
    if head == "players":
        return "the number of players"
    if head in ("setup", "play"):
        return ("the set-up" if head == "setup" else "the course of play") + _inside(rest, "step")
    if not rest:
        return f"`{head}`"
    name, inner = rest[0], rest[1:]
    match head:
        case "sets":
            return f"the set `{name}`" + _inside(inner, "member")
        case "tables":
            return f"the table `{name}`" + _entry(inner)
        case "pieces":
            return f"the pieces `{name}`"
        case "places":
            return _place(str(name), inner)
        case "variables":
            words = {"is": "what the variable `{}` can be", "start": "the start of the variable `{}`"}
            bound = "the bound `{}` of the variable `{{}}`"
            return (
                (words.get(str(inner[0])) or bound.format(inner[0])).format(name) if inner else f"the variable `{name}`"
            )
        case "define":
            return f"the definition `{name}`"
        case "steps":
            return f"the steps `{name}`" + _inside(inner, "step")
        case "moves":
            return _move(str(name), inner)
        case "scoring":
            return (f"the {inner[0]} of " if inner else "") + f"the scoring rule `{name}`"
        case "winner":
            return f"the line `{name}` of the winner"
        case "options":
            return _option(str(name), inner)
        case _:
            return f"`{head}`: " + ", ".join(
                f"`{part}`" if isinstance(part, str) else ordinal(part + 1) for part in rest
            )


def _entry(path: EntryPath) -> str:
    if not path:
        return ""
    if len(path) == 1 and isinstance(path[0], int):
        return f", {ordinal(path[0] + 1)} entry"
    return ", entry " + ", ".join(f"`{part + 1 if isinstance(part, int) else part}`" for part in path)


def _place(name: str, path: EntryPath) -> str:
    if not path:
        return f"the place `{name}`"
    match path[0]:
        case "pile" | "stack" | "cell":
            return f"what can lie on the place `{name}`"
        case "ways" if len(path) > 1:
            return f"the way `{path[1]}` of the place `{name}`"
        case "room":
            return f"the room of the place `{name}`"
        case _:
            return f"the `{path[0]}` of the place `{name}`"


def _inside(path: EntryPath, item: str) -> str:
    """Return `, 2nd step, 1st step under `then``: numbers are items, words are keys of steps or of a change."""
    text = ""
    for i, part in enumerate(path):
        if isinstance(part, int):
            under = f" under `{path[i - 1]}`" if i else ""
            text += f", {ordinal(part + 1)} {item}{under}"
        elif i == len(path) - 1:
            text += f", its `{part}`"
    return text


def _move(name: str, path: EntryPath) -> str:
    move = f"the move `{name}`"
    match path:
        case ():
            return move
        case ("choose", choice):
            return f"the choice `{choice}` of {move}"
        case ("choose",):
            return f"the choices of {move}"
        case ("needs", condition, *more):
            what = f"the condition `{condition}` of {move}"
            return f"the refusal of {what}" if more == ["else"] else what
        case ("does", *more):
            return f"what {move} does{_inside(tuple(more), 'step')}"
        case _:
            return f"the `{path[0]}` of {move}"


def _option(name: str, path: EntryPath) -> str:
    option = f"the option `{name}`"
    match path:
        case ():
            return option
        case ("default",):
            return f"the default of {option}"
        case (choice,):
            return f"the choice `{choice}` of {option}"
        case (choice, "change", changed, *more):
            return f"in the choice `{choice}` of {option}: {entry_name((changed, *more))}"
        case (choice, *more):
            return f"the `{more[0]}` of the choice `{choice}` of {option}"
    return option


def headline(change: Change) -> str:
    """Return what differs, in one line."""
    name = entry_name(change.path)
    match change.how:
        case ChangeKind.ADDED:
            return f"{name} is new"
        case ChangeKind.REMOVED:
            return f"{name} is gone"
        case ChangeKind.RENAMED:
            return f"{name} was called `{change.text_before}`"
        case ChangeKind.ORDER:
            return f"the order of {name}"
        case ChangeKind.PARAMETERS:
            return f"the parameters of {name}"
        case ChangeKind.FIXED:
            if change.after is None:
                return f"{name} is no longer fixed"
            return f"{name} is fixed to `{change.text_after}`"
        case _:
            return name


def brief(change: Change) -> str:
    """Return what differs and where to look for it, in one line."""
    at = change.before_at if change.how is ChangeKind.REMOVED else change.after_at
    return BRIEFLY.format(headline=headline(change), at=at)


def details(change: Change, sentences: tuple[str, ...] = ()) -> list[str]:
    """Return the old and the new value, and where each is; `sentences` say what is new or gone in the words of the rulebook."""
    before, after = _shown(change.text_before), _shown(change.text_after)
    at, other = change.before_at, change.after_at
    match change.how:
        case ChangeKind.ADDED | ChangeKind.REMOVED if sentences:
            where = IN_WORDS_AT.format(at=other)
            if change.how is ChangeKind.REMOVED:
                where = GONE_IN_WORDS_AT.format(at=at, other=other)
            lines = [*(IN_WORDS.format(line=line) for line in sentences), where]
        case ChangeKind.ADDED:
            lines = [NEW_AT.format(text=after, at=other)]
        case ChangeKind.REMOVED:
            lines = [GONE_AT.format(text=before, at=at, other=other)]
        case ChangeKind.FIXED if change.before is None or change.after is None:
            open_choice = "open"
            lines = [FROM.format(text=before or open_choice, at=at), TO.format(text=after or open_choice, at=other)]
        case _:
            lines = [FROM.format(text=before, at=at), TO.format(text=after, at=other)]
    if change.also:
        others = quoted(path[1] for path in change.also)
        lines.append(ALSO.format(others=listed(others)))
    return lines


def _shown(text: str | None) -> str:
    return "" if text is None else f"`{text}`"
