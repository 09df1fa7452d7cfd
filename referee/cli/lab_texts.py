"""The texts of the commands of the lab: help, and messages about wrong usage."""

from __future__ import annotations

MEASURE = """Play many games and report what kind of game it is: length, choice, points, leads, who wins.

Every number comes with its interval of confidence. Games that were played before are not played again. docs/lab.md explains the measures.

\b
    rulespec measure base
    rulespec measure my.yaml --players 3 --games 1000
    rulespec measure base --seats quick:400,quick:40
    rulespec measure classics/nim --without take.n=1
"""
COMPARE = """Play two rule sets with the same luck, and report what the second one changes.

B may be left out if there are house rules: then it is A with them. Verdicts are more, less, a little more or less, no real
difference, or not clear yet. docs/lab.md explains measures and verdicts.

\b
    rulespec compare base two_rows
    rulespec compare base --house corners --games 1000
    rulespec compare base my.yaml --time 2m --json
"""
SWEEP = """Play a game with several values of a number or an option, all with the same luck, and compare each with the rules as they are.

`tables.NAME=0..4` and `tables.NAME=1,2,5` vary a number, or all numbers of a list; `tables.NAME[3]=…` the third of a list; `option.NAME=*`
all choices of an option. Two of them make a grid. All values get 200 games, and those that are not clear get more, at most 1,000.

\b
    rulespec sweep classics/pig --vary tables.enough=60,80,120
    rulespec sweep my.yaml --vary tables.prices[3]=1..4 --games 200
    rulespec sweep my.yaml --vary option.size=*
"""
OPTION_VARY = "What to vary and its values; two make a grid."
TWO_VARIED = "at most two things are varied at a time"
NO_UNTIL = "`--until` is for `measure` and `compare`"
SWEEPING = "{games} games of {values} values"
OPTION_SEATS = (
    "Who plays, from player 1 on, the last one repeated: random, greedy, quick:PLAYS, search:PASSESp or far:PASSES."
)
OPTION_GAMES = "Play exactly N games, or pairs of games."
OPTION_TIME = "Stop after a time such as 90s, 2m or 1h."
OPTION_UNTIL = "Stop when this measure is settled; can be repeated."
OPTION_NOTICE = "The smallest change of a measure worth a word; can be repeated."
OPTION_SEED = "The seed of the first game."
OPTION_WORKERS = "Play in N processes; results are the same for any number."
OPTION_CLUSTER = "Play on the workers of the dask scheduler at this address; results are the same."
TWO_CREWS = "`--workers` is for processes of this machine, and `--cluster` for those of others: name one of them"
NO_DISTRIBUTED = (
    "`--cluster` needs the Python package `distributed`, which is not installed: pip install 'rulespec[cluster]'"
)
BAD_ADDRESS = "expected the address of a dask scheduler such as `tcp://192.168.1.5:8786` or `tls://lab.example:8786`, found `{found}`"
LOST = "error: {why}"
OPTION_HTML = "Also write the report with its pictures as one HTML file."
OPTION_HTML_ALONE = "Also write the report as one HTML file."
OPTION_PLOTS = "Also write the pictures into this folder: SVG and PNG, light and dark."
NO_MATPLOTLIB = "pictures need matplotlib: `pip install 'rulespec[lab]'`"
CANNOT_WRITE = "cannot write `{path}`: {reason}"
OPTION_CHECK = "Also play 36 pairs with another player, search:300p unless another one is named."
OPTION_WITHOUT = "Let one player go without a move, or a value of a choice, unless it must: is that ever needed?"
WITHOUT_QUICK = "`--without` is for players that are all `quick`, and at least two of them"
OPTION_FAR = "Also play 36 pairs with players who look ahead to the end of the game, far:1000."
OPTION_FAR_TOO = "Also play 60 games with players who look ahead to the end of the game, far:1000."
OPTION_SKILL = "Also play 60 deals, or as many as `--games` says, twice with seats exchanged: how much of the result is skill? quick:400 against quick:40 unless others are named."
SKILL_TWO = "`--skill` is for two kinds of player, a strong and a weak one: `--skill quick:400,quick:40`"
SKILL_ALONE = "`--skill` is for games of 2 and more players"
EXCHANGING = "{strong} against {weak}, with seats exchanged"
OPTION_DRAMA = "Also see how far behind winners were, by random play from positions of every game."
OPTION_KINGS = "Also see what those who can hardly win do to the leader's chance, by random play after their moves."
TOO_FEW_PLAYERS = "`--{name}` is for games of {least} and more players"
LOOKING_FAR = "does {bot} play for {name}?"
LOOKING_AT = "does anybody play for {name}?"
CHECKING = "checking with {bot}"
PLAYING = "playing {names}"
NO_PLAYER = "no player called `{found}`; the lab has {known}"
TIMED_PLAYER = "`{found}` thinks by the clock and plays other games on another machine: name one with a count, as `quick:400` or `search:300p`"
NO_PEOPLE = "people cannot play that many games; the lab has {known}"
SEATS_MANY = "{found} players were named for a game of {players}"
BAD_NOTICE = "expected `--notice measure=number`, found `{found}`"
NO_MEASURE = "no measure called `{found}` here; there are {known}"
BAD_TIME = "expected a time such as `90s`, `2m` or `1h`, found `{found}`"
NO_COMMON_PLAYERS = "{a} is for {players_a} and {b} for {players_b}: no number of players can play both"
NO_B = "name a second game, or house rules with `--house`"
