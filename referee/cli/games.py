"""`rulespec games`: the list of games."""

from __future__ import annotations

from referee.cli import texts
from referee.cli.common import cli, print_json, with_json
from referee.shell import out
from rulespec import number_range


@cli.command(help=texts.GAMES)
@with_json
def games(as_json: bool) -> None:
    from referee.cli.catalogue import list_games

    entries = list_games()
    if as_json:
        print_json([entry.as_data() for entry in entries])
        return
    for entry in entries:
        line = texts.GAME_LINE.format(name=entry.name, title=entry.title, players=number_range(entry.players, "player"))
        out.say(line + (texts.HOUSE_RULE.format(game=entry.below) if entry.below else ""))
        if entry.text:
            out.say(texts.GAME_TEXT.format(text=entry.text))
        for option in entry.options:
            if entry.below and option.name not in entry.own:
                continue  # as in the game below
            for name, text in option.choices:
                line = texts.DEFAULT_LINE if name == option.default else texts.CHOICE_LINE
                out.say(line.format(option=option.name, choice=name, text=text).rstrip(": "))
