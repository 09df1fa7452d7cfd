"""A small game into which a test puts what it is about."""

from __future__ import annotations


def sticks(
    sets: str = "{size: 1..3}",
    tables: str = "3",
    pieces: str = "stick: 10 in heap",
    places: str = "",
    variables: str = "",
    define: str = "",
    play: str = "",
    steps: str = "",
    choose: str = "n: 1..most",
    that: str = "n <= count(heap)",
    moves: str = "",
    players: str = "2",
) -> str:
    """Return the text of the game; what is given stands in its section."""
    return f"""\
rulespec: 1
game: Sticks
players: {players}
sets: {sets}
tables: {{most: {tables}}}
pieces: {{{pieces}}}
places:
  heap: {{pile: stick}}
  taken[player]: {{pile: stick}}
{places}
variables:
  turn: player
{variables}
define:
  left: count(heap)
{define}
play:
  - while: left > 0
    do: [do one]
{play}
steps:
  one:
    - ask: turn
      to: take
    - set turn to next(turn)
{steps}
moves:
  take:
    text: take {{n}}
    choose: {{{choose}}}
    needs:
      enough:
        that: {that}
        else: there are only {{left}}
    does:
      - move n of stick from heap to taken[me]
{moves}
winner:
  took the last stick: turn != me
"""
