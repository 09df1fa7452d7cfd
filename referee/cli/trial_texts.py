"""The texts of `rulespec validate --play`."""

PLAY_OPTION = (
    "Also play N random games, over all players and options, and report faults with the shortest way to each, "
    "games that do not end, and what never happens."
)
LIMIT_OPTION = "Decisions after which a game counts as endless."
PROGRESS = "playing"
STOPPED = "{file}: {asked} were asked for; no more were played, as their decisions take too much work, and what never happens is not reported"
PLAYED = "{file}: {games}, {settings} of {all_settings} combinations of players and options, {reached} of {points} points of the rules reached"
NOT_REACHED = "{file}: not reached: {points}"
POINT = "{what} ({span})"
