"""The rulebook of a game, written from its rules."""

from referee.rulebook.book import Book
from referee.rulebook.html import write_html
from referee.rulebook.make import make_book
from referee.rulebook.markdown import write_markdown

__all__ = ["Book", "make_book", "write_html", "write_markdown"]
