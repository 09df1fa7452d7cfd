"""Hints: what the author of an expression that cannot be read probably meant."""
