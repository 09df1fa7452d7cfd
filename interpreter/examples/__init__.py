"""Worked examples, and positions as text."""
