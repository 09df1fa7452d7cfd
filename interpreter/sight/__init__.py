"""Sight: who may see what of a position and of a decision."""
