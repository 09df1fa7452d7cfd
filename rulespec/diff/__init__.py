"""Differences between two rule sets."""
