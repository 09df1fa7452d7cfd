"""Rulebooks of games, each made once in a test process."""

from __future__ import annotations

from functools import cache

from referee.rulebook.make import make_book

book_of = cache(make_book)
