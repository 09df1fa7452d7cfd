"""A game at the keyboard: lines in and out, boards, narration, typed moves, the command loop."""
