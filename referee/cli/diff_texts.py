"""The texts about the command `rulespec diff` itself: help reads them without the comparison."""

from __future__ import annotations

DIFF = (
    "Compare two rule sets: which rules differ, in what, and where each is written. Then play both with the same decisions, "
    "and show the first position in which they differ.\n\n"
    "A and B are shipped names or paths of rule files. --house puts house rules on top of B.\n\n"
    "\b\n    rulespec diff base house/free_token\n"
)
OPTION_GAMES = "Random games to look for a position in which they differ, for each number of players."
OPTION_BRIEF = "One line for each difference, and the shortest way to one in play, without the boards."
OPTION_NO_PLAY = "Compare the rules only, play nothing."
OPTION_EXIT_CODE = "Exit with 1 if anything differs."
