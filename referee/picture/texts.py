"""The texts of pictures, and of the command that draws them."""

PICTURE = """Draw a position of a game as SVG.

Without `--seed` and `--after` it is the start of the game.

\b
    rulespec picture base --seed 7 --after 25 --viewer 1 --out base.svg
    rulespec picture my_game.yaml --players 3 --out my_game.html
"""
OPTION_SEED = "The random game that the position is from."
OPTION_AFTER = "Show the position after N random decisions of the players."
OPTION_POSITION = "The position at the beginning of this worked example."
OPTION_VIEWER = "Draw what this player sees; without it, what everybody sees."
OPTION_OUT = "The file to write, .svg or .html; without it the SVG is printed."
NO_EXAMPLE = "no worked example called `{name}` with a position{hint}"
NO_VIEWER = "there is no player {viewer}: players are 1 to {players}"
ENDING = "expected a file that ends in .svg or .html, found `{name}`"

NOTHING = "nothing"
HIDDEN = "{n} face down"
EMPTY = "empty: {names}"
YES, NO = "yes", "no"
TO_MOVE = "to move"
YOU = "{name} (you)"
PLAYER = "Player {number}"
