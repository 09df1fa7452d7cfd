"""The texts of the lab: measures, sentences, tables, messages. Help is with the commands."""

from __future__ import annotations

TOO_HEAVY = "a decision under these rules may take too much work to play many games"
TOO_HEAVY_WHY = "a study plays hundreds of games, each of many decisions"
TOO_HEAVY_FIX = "loop over shorter lists in what moves and steps do, and in the conditions of moves"

# Measures ---------------------------------------------------------------------------------------------------

ROUNDS = "deals or rolls between decisions"
DECISIONS = "decisions of players"
CHOICE = "moves to choose from"
SINGLE = "decisions with one move only"
SCORE = "points of a player"
LEAD = "winner's lead"
LEAD_PART = "winner's lead as part of their points"
FIRST = "won by who begins"
TIES = "shared victories"
CHANGES = "changes of the lead"
LEADER_WINS = "half-time leader wins"
SETTLED = "game is settled after"
CATCH_UP = "points caught up after half-time"
DRAMA = "drama (how far behind the winner was)"
KINGS = "games in which who can hardly win decides"
SWING = "leader's chance changed by such a decision"
WON_BY = "won by {bot}"

# How a change is described: measure → what it is if there is more, and less, of it; and what is counted
PHRASES = {
    "rounds": ("chance comes more often", "chance comes less often", "times a game"),
    "decisions": ("there is more to decide", "there is less to decide", "decisions a game"),
    "choice": ("there are more moves to choose from", "there are fewer moves to choose from", ""),
    "single": ("more decisions leave no choice", "fewer decisions leave no choice", ""),
    "score": ("players score more", "players score less", "points"),
    "lead": ("the winner is further ahead", "games end closer", "points between first and second"),
    "lead_part": (
        "the winner is further ahead for the points that are made",
        "games end closer for the points that are made",
        "of the winner's points",
    ),
    "first": ("whoever begins wins more often", "whoever begins wins less often", "of games"),
    "ties": ("more victories are shared", "fewer victories are shared", ""),
    "changes": ("the lead changes more often", "the lead changes less often", "times a game"),
    "leader_wins": ("who leads at half-time wins more often", "who leads at half-time wins less often", "of games"),
    "settled": ("games are settled later", "games are settled earlier", "of the game"),
    "kings": (
        "who can hardly win decides in more games",
        "who can hardly win decides in fewer games",
        "of games",
    ),
    "swing": (
        "who can hardly win changes more of the leader's chance",
        "who can hardly win changes less of the leader's chance",
        "",
    ),
    "drama": ("winners come from further behind", "winners come from less far behind", ""),
    "catch_up": ("whoever is behind catches up more", "whoever is behind catches up less", "points after half-time"),
}
OTHER_PHRASE = ("{label}: more", "{label}: less", "")
SENTENCE = "{phrase}: {b}{counted} instead of {a}."
IN_BRACKETS = "{phrase} ({a} → {b}{counted})"
MOST_SENTENCES = 3
ALSO = "Also: {list}."
LITTLE = "Sure, but perhaps too little to notice: {list}."
NOTHING_SURE = "No change of the game as a whole is sure."
ALIKE = "No real difference: {list}."
OPEN = "Not clear yet: {list}."
DIFFER_SELDOM = "Too few pairs differ to tell: {list}."
NEVER = "Both were the same game in all {n} pairs: the change never mattered. It matters in at most {most} games."
SELDOM = "The two games of a pair differ in {k} of {n} pairs ({low} to {high} in 100)."

# Tables -----------------------------------------------------------------------------------------------------

HEAD = "{title} · {games} · {players} · {seats} · seed {seed}"
PAIRS = "pair of games"
GAME = "game"
COLUMN_DIFFERENCE = "difference"
COLUMN_VERDICT = "verdict"
COLUMN_VALUE = "value"
COLUMN_INTERVAL = "sure to"
MORE_PAIRS = "{verdict}: about {pairs} more pairs{time}"
NEVER_SETTLED = "{verdict}: close to what is noticed; more pairs may not settle it"
ALL_SAME = "the same in all pairs"
RARE = "differs in {k} of {n} pairs: too few to tell"
TOO_FEW = "too few games to tell"
POINTS = "Points of a player by rule: {list}."
POINTS_BOTH = "{rule} {a} → {b}, {change}"
POINTS_SAME = "no sure change of {list}"
POINTS_ONE = "{rule} {value} ({interval})"
CUT_POINTS = "In {name}, `{rule}` adds up to {points} points a player, but scores change by only {gained}: they are at a limit, such as zero."
MOVES_NEVER = "Never chosen: {list}."
MOVES_SELDOM = "Chosen less than half as often as by drawing lots: {list}."
MOVES_OFTEN = "Chosen more than twice as often as by drawing lots: {list}."
MOVES_CHANGED = "Moves: {list}."
MOVE_MORE = "`{move}` is chosen {times} times as often as before"
MOVE_LITTLE = "`{move}` is chosen a little {how} often"
MOVE_ONE = "`{move}` ({times}×)"
FAULTS = "{n} of {games} games of {name} ended with a fault ({codes}): they are not in these numbers."
PARTNERED_FAULTS = "{n} pairs are left out: one of their games ended with a fault."
LOOKED = "Intervals are 95 % sure however often you look; `--games N` plays a fixed number and gives narrower ones."
FIXED = "Intervals are 95 % sure for this fixed number of games; playing more after a look makes them less so."
FEW_LOOKS = "Fewer than {least} pairs are too few for intervals that may be looked at while games are played: `--games N` gives others from {fewest} on."
FEW_GAMES = "Fewer than {fewest} games are too few for the interval of a mean."
PROGRAMS = "These are programs ({seats}): believe signs and order before sizes."
RANDOM_PLAYERS = (
    "These players play at random: believe what is said about length and choice, and nothing else. How they use moves is "
    "not counted: they choose each as often as drawing lots would."
)
COUNTED_MOVES = "Legal moves were counted in {counted} of {n} games: what is said about choice rests on these."
STOPPED = "Stopped after {n} of {planned} {what}."
CLOCK = "The time was up after {n} of {planned} {what}."
LOST_AFTER = "Nobody could play on after {n} of {planned} {what}."
NO_GAMES = "No game was finished in this time."
SAME_RULES = "The rules of both are the same: with the same luck every game would be."
TAKES = ", {time}"

# Messages ---------------------------------------------------------------------------------------------------

LOST = "a worker process ended three times over the same games: they may take too much memory"
NO_SCHEDULER = "no dask scheduler answers at {address}: is it running, and may this machine reach it?"
NOT_A_SCHEDULER = (
    "what answers at {address} is no dask scheduler; the address is in the first lines that `dask scheduler` prints"
)
NO_CERTIFICATE = "{address} needs certificates: dask's configuration names none for a client (`distributed.comm.tls`)"
CANNOT_JOIN = "cannot join the cluster at {address}: {why}"
SCHEDULER_GONE = (
    "the scheduler at {address} is gone; finished games are kept, and the same command goes on with the rest"
)
NO_WORKERS = "no worker has joined {address}: waiting for one (`dask worker {address} --nthreads 1`)"
THREADS = "the worker at {worker} has {threads} threads and plays with one: `--nworkers {threads} --nthreads 1` uses all its cores"
THE_SCHEDULER = "the scheduler at {address}"
A_WORKER = "the worker at {worker}"
SOME_WORKER = "a worker"
NOT_INSTALLED = "{who} does not have this program: install rulespec {version} there"
OTHER_VERSION = (
    "{who} has rulespec {theirs}, and this is {ours}: its games would be other games; install the same version on both"
)
BAD_ROWS = "{who} sent rows that cannot be: {why}; none of them is kept"
ROWS_NO_TEXT = "expected a text of a bounded length"
ROWS_NO_JSON = "expected an object with `versions` and `rows` as JSON"
ROWS_NUMBER = "expected the rows of {many} games"
ROWS_PROBLEM = "`{key}` of the game with seed {seed}"
WORKERS_LOST = "workers of {address} ended again and again over the same games: they may take too much memory, or a worker lacks this program"
DROPPED = "the cluster at {address} dropped the same games three times"
NOT_PLAYED = "the workers of {address} cannot play these games: {why}"
BAD_VARY = "expected `tables.NAME=0..4`, `tables.NAME[3]=1,2,5` or `option.NAME=*`, found `{found}`"
MANY_VALUES = "at most {most} values are tried, found `{found}`"
MANY_POINTS = "at most {most} combinations are tried, found {found}"
NO_OPTION = "no option called `{found}`{hint}"
NO_CHOICE = "`{option}` has no choice `{found}`; there are {known}"
NO_TABLE = "no table called `{found}`{hint}"
NOT_VARIED = "`{found}` is not a number or a list of numbers: it cannot be varied"
NO_ENTRY = "there is no `{found}`: expected a list, and an entry from 1 to {many}"
AS_IT_IS = "as it is"

# Restricted play --------------------------------------------------------------------------------------------

NEEDED = "Who goes without `{word}` wins less often: it is needed by these players."
BETTER_WITHOUT = "Who goes without `{word}` wins more often: these players use it badly."
NOT_NEEDED = "In {n} games there is no sign that `{word}` is ever needed, nor that it is not: more games tell."
BAD_WITHOUT = "expected `MOVE` or `MOVE.CHOICE=VALUE`, found `{found}`"
NO_MOVE = "no move called `{found}`{hint}"
NO_SUCH_CHOICE = "the move `{move}` has no choice `{found}`{hint}"
NO_VALUE = "`{found}` is no value of `{choice}`; there are {known}"

# Luck and skill ---------------------------------------------------------------------------------------------

SKILL_HEAD = "Luck and skill, {strong} against {weak} ({deals}, each played twice with seats exchanged):"
SKILL_STOPPED = "Stopped after {n} of {planned} deals."
SKILL_FEW = "Fewer than {fewest} deals are too few to tell luck and skill apart."
SKILL_NOTHING = "Every deal ended alike, whoever played better: nobody was ahead."
SKILL_PARTS = {"skill": "skill", "deal": "the deal", "rest": "what neither foresees"}
SKILL_COLUMN = "part"
DEAL = "deal"

# Sweeps -----------------------------------------------------------------------------------------------------

SWEEP_GAMES = "games"
SWEEP_BASE = "{value} (now)"
SWEEP_WORDS = {
    "more": "more",
    "less": "less",
    "a little more": "(more)",
    "a little less": "(less)",
    "no real difference": "same",
    "not clear yet": "?",
    "seldom different": "seldom",
}
SWEEP_KEY = "Compared with {base} (now): more, less; (more), (less): perhaps too little to notice; same: no real difference; ?: not clear yet."
SWEEP_CAPPED = (
    "Still open after {n} games: {list}. A value whose effect is as large as what is noticed is never settled."
)

# Checks -----------------------------------------------------------------------------------------------------

ATTENTION_NONE = (
    "These players do not play for `{name}`: with {factor} times as much they play the same ({pairs} pairs). The numbers show what it pays by "
    "accident, not how people would use it."
)
ATTENTION_NOBODY = (
    "These players do not play for `{name}`: with {factor} times as much they play the same ({pairs} pairs), and so do players who look ahead to "
    "the end of the game ({bot}). The numbers show what it pays by accident, not how people would use it."
)
ATTENTION_UNSEEN = "These players do not play for `{name}`: with {factor} times as much they play the same ({pairs} pairs). The numbers show what it pays by accident."
ATTENTION_FAR = "Players who look ahead to the end of the game ({bot}) do play for `{name}`{uses}. `--seats {bot}` plays all games with them."
FAR_HEAD = "The same with players who look ahead to the end of the game ({bot}, {games}):"
FAR_USES = ": {list}"
FAR_SHARE = "`{rule}` comes up in {usual} of games with {who}, in {far} with {bot}, and in {larger} with {bot} and {factor} times as much"
FAR_COUNT = "`{rule}` comes up {usual} times a game with {who}, {far} with {bot}, and {larger} with {bot} and {factor} times as much"
FAR_MOVES = "with {factor} times as much they choose {list}"
FAR_MORE, FAR_LESS = "{list} more often", "{list} less often"
FAR_VALUE = "{value} ({span})"
MOST_USES = 2  # rules, and moves of each kind, that are named
ATTENTION = "These players play for `{name}`: with {factor} times as much they play differently ({pairs} pairs)."
ATTENTION_FAILED = (
    "Whether these players play for `{name}` is not known: with {factor} times as much the rules cannot be played."
)
SECOND_AGREES = "agrees on {list}"
SECOND_DISAGREES = "disagrees on {list}"
SECOND_FEW = "too few games to tell: {list}"
SECOND_ALONE = "alone shows a change of {list}"
SECOND = "Checked with {bot} ({pairs} pairs): {parts}."
SECOND_NOTHING = "Checked with {bot} ({pairs} pairs): there is no change to check."

# Pictures and pages -----------------------------------------------------------------------------------------

NO_MATPLOTLIB = "pictures need matplotlib: `pip install 'rulespec[lab]'`"
PLOT_CHANGES = "What “{b}” does to “{a}”"
PLOT_LESS, PLOT_SAME, PLOT_MORE = "← less", "the same", "more →"
PLOT_KEY = "Grey band: changes too small to notice at the table. Bars: where the true change lies, 95 % sure or more."
PLOT_RARE = "Not drawn, since too few pairs differ to tell: {list}."
PLOT_STORY = "{a} and {b}: how the game goes"
PLOT_LEADER = "How often the current leader wins in the end"
PLOT_POINTS = "Where a player's points come from"
PLOT_FIRST_FIFTH, PLOT_END = "first fifth", "end"
PLOT_STORY_KEY = "Shaded and thin lines: 95 % intervals."
PLOT_SWEEP_UNDER = "{n} games of the rules as they are, the same luck for all values, {seats}"
PLOT_SWEEP_KEY = "Grey band: too close to {now} (now) to notice. Bars: intervals of the difference to it."
PAGE_NUMBERS = "All numbers"
PAGE_DOUBTS = "What to believe"
PAGE_SKILL = "Luck and skill"
PAGE_PICTURE = "Picture of the changes; the table below has the same numbers."
PAGE_STORY = "Picture of how often the current leader wins, and of points by rule; the table below has the points."
PAGE_SWEEP = "Picture of each measure for each value; the table below has the same numbers."
