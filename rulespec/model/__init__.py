"""A merged tree becomes the checked, typed model of a game."""
