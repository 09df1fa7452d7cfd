"""What pictures say in words."""

NOTHING = "nothing"
HIDDEN = "{n} face down"
EMPTY = "empty: {names}"
YES, NO = "yes", "no"
TO_MOVE = "to move"
YOU = "{name} (you)"
PLAYER = "Player {number}"
