"""The texts of the lab: measures, sentences, tables, messages. Help is with the commands."""

from __future__ import annotations

# Measures ---------------------------------------------------------------------------------------------------

ROUNDS = "rounds"
DECISIONS = "decisions of players"
CHOICE = "moves to choose from"
SINGLE = "decisions with one move only"
SCORE = "points of a player"
LEAD = "winner's lead"
LEAD_PART = "winner's lead, of their points"
FIRST = "won by who begins"
TIES = "shared victories"
CHANGES = "changes of the lead"
LEADER_WINS = "half-time leader wins"
SETTLED = "played before the winner led for good"
CATCH_UP = "caught up after half-time"
WON_BY = "won by {bot}"

# How a change is told: measure → (more, less). `{a}` and `{b}` are the values.
SENTENCES = {
    "rounds": ("Games are longer: {b} rounds instead of {a}.", "Games are shorter: {b} rounds instead of {a}."),
    "decisions": (
        "There is more to decide: {b} decisions a game instead of {a}.",
        "There is less to decide: {b} decisions a game instead of {a}.",
    ),
    "choice": (
        "There are more moves to choose from: {b} instead of {a}.",
        "There are fewer moves to choose from: {b} instead of {a}.",
    ),
    "single": (
        "More decisions are none, with one legal move only: {b} instead of {a}.",
        "Fewer decisions are none, with one legal move only: {b} instead of {a}.",
    ),
    "score": ("Players score more: {b} points instead of {a}.", "Players score less: {b} points instead of {a}."),
    "lead": (
        "The winner is further ahead: by {b} points instead of {a}.",
        "Games end closer: the winner is {b} points ahead instead of {a}.",
    ),
    "lead_part": (
        "The winner's lead is a larger part of their points: {b} instead of {a}.",
        "The winner's lead is a smaller part of their points: {b} instead of {a}.",
    ),
    "first": (
        "Whoever begins wins more often: {b} instead of {a}.",
        "Whoever begins wins less often: {b} instead of {a}.",
    ),
    "ties": ("More victories are shared: {b} instead of {a}.", "Fewer victories are shared: {b} instead of {a}."),
    "changes": (
        "The lead changes more often: {b} times a game instead of {a}.",
        "The lead changes less often: {b} times a game instead of {a}.",
    ),
    "leader_wins": (
        "Who leads at half-time wins more often: {b} instead of {a}.",
        "Who leads at half-time wins less often: {b} instead of {a}.",
    ),
    "settled": (
        "Games are settled later: after {b} instead of {a}.",
        "Games are settled earlier: after {b} instead of {a}.",
    ),
    "catch_up": (
        "Whoever is behind at half-time catches up more: by {b} points instead of {a}.",
        "Whoever is behind at half-time catches up less: by {b} points instead of {a}.",
    ),
}
OTHER_SENTENCE = ("{label}: more, {b} instead of {a}.", "{label}: less, {b} instead of {a}.")
MOST_SENTENCES = 3
LITTLE = "A little: {list}."
LITTLE_MORE = "more {label} ({a} → {b})"
LITTLE_LESS = "less {label} ({a} → {b})"
NOTHING_SURE = "No change of the game as a whole that is sure and large enough to notice."
ALIKE = "No real difference in: {list}."
OPEN = "Not clear yet: {list}."
NEVER = "The two played the same game in all {n} pairs: the change never mattered. It would in at most {most} games."
SELDOM = "It mattered in {k} of {n} pairs: in {share} games ({interval})."

# Tables -----------------------------------------------------------------------------------------------------

HEAD = "{title} · {games} · {players} · {seats} · seed {seed}"
PAIRS = "pair of games"
GAME = "game"
COLUMN_DIFFERENCE = "difference"
COLUMN_VERDICT = "verdict"
COLUMN_VALUE = "value"
COLUMN_INTERVAL = "sure to"
MORE_PAIRS = "{verdict}: about {pairs} more pairs{time}"
NEVER_SETTLED = "{verdict}: as large as what is noticed"
RARE = "differs in {k} of {n} pairs"
TOO_FEW = "too few games to tell"
POINTS = "Points of a player by rule: {list}."
POINTS_BOTH = "{rule} {a} → {b} ({change})"
POINTS_SAME = "the same as far as it is sure: {list}"
POINTS_ONE = "{rule} {value} ({interval})"
CUT_POINTS = "`{rule}` says {points} points a player, and scores change by {gained}: some of them end at a limit."
MOVES_NEVER = "Never chosen: {list}."
MOVES_SELDOM = "Chosen less than half as often as by drawing lots: {list}."
MOVES_OFTEN = "Chosen more than twice as often as by drawing lots: {list}."
MOVES_CHANGED = "Moves: {list}."
MOVE_MORE = "`{move}` is chosen {times} times as often as before"
MOVE_LITTLE = "`{move}` is chosen a little {how} often"
MOVE_ONE = "`{move}` ({times}×)"
FAULTS = "{n} of {games} games of {name} came to a fault ({codes}): they are not in these numbers."
PARTNERED_FAULTS = "{n} pairs are left out: one of their games came to a fault."
LOOKED = "Intervals are 95 % sure however often one looks; `--games N` plays a fixed number and gives narrower ones."
FIXED = "Intervals are 95 % sure for this fixed number of games; playing more after a look makes them less so."
FEW_LOOKS = "Fewer than {least} pairs are too few for intervals that may be looked at while games are played: `--games N` gives others from {fewest} on."
FEW_GAMES = "Fewer than {fewest} games are too few for the interval of a mean."
PROGRAMS = "These are programs ({seats}): believe signs and order before sizes."
RANDOM_PLAYERS = "These players play at random: believe what is said about length and choice, and nothing else."
STOPPED = "Stopped after {n} of {planned} {what}."
CLOCK = "The time was up after {n} of {planned} {what}."
SETTLED_EARLY = "Enough after {n} of {planned} {what}: {list} settled."
NO_GAMES = "No game was finished in this time."
SAME_RULES = "The rules of both are the same: with the same luck every game would be."
TAKES = ", {time}"

# Messages ---------------------------------------------------------------------------------------------------

LOST = "a worker process ended three times over the same games: they may take too much memory"
