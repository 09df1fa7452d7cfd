"""The words of the environments for learning programs."""

from __future__ import annotations

from typing import Final

PACKAGES: Final = {  # module → the package that has it
    "gymnasium": "gymnasium",
    "numpy": "numpy",
    "open_spiel": "open_spiel",
    "pettingzoo": "pettingzoo",
    "pyspiel": "open_spiel",
}
MISSING: Final = "`{name}` needs the Python package `{package}`, which is not installed: pip install 'rulespec[rl]'"
NO_NUMBERS: Final = "the moves of `{title}` cannot be numbered: there are more of them than 32 bits can count"
TOO_MANY: Final = "`{title}` has {many:,} different moves, and a mask holds at most {most:,}"
TOO_LARGE: Final = "a position of `{title}` has more than {most:,} numbers"
NO_REWARD: Final = "expected a reward of {known}, found `{found}`"
NO_SCORES: Final = "`{title}` has no scores: the reward can only be `rank`"
ONE_PLAYER: Final = "`{title}` is played by one player, who has no rank: choose the reward `score`"
NO_ACTION: Final = "expected an action from 0 to {last}, found {found}"
NO_COMPILER: Final = "games side by side need a C compiler: {reason}"
NO_TRUNCATION: Final = "expected `truncate` to be at least 1 decision, found {found}"
NO_SEED: Final = "expected a seed of 0 or more, found {found}"
NO_SEEDS: Final = "expected {many} seeds, found {found}"
NO_ENVS: Final = "expected at least 1 game, found {found}"
NO_ACTIONS: Final = "expected {many} actions, found {found}"
NO_RENDER_MODE: Final = "expected a render mode of {known}, found `{found}`"
NO_SEAT: Final = "expected a seat of {known}, found `{found}`"
NOT_STARTED: Final = "call `reset` first"
OVER: Final = "game {number} is over: reset it first, with `options={{'reset_mask': …}}`"
NO_MASK: Final = "expected `reset_mask` to say yes or no for each of {many} games, and yes for one of them at least"
NO_OPTION: Final = "expected options as `name:choice;name:choice`, found `{found}`"
LOADED: Final = "a game that is loaded already has its players, options and house rules"
NO_RULES: Final = "expected the parameter `rules`: a shipped game or the path of a rule file"
NO_PARAMETERS: Final = "an observer has no parameters, found {found}"
NO_TENSOR: Final = "this observation is a text only: numbers are there for what one player sees of a position"
MANY_CHANCES: Final = "`{title}` rolls among more than {most:,} numbers"
NO_CHANCE: Final = "the outcome {found} of chance cannot happen here"
