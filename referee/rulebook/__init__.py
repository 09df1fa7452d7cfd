"""The rulebook of a game, written from its rules."""
