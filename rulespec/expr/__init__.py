"""Expressions: grammar, names, types, ranges and values known at load."""
