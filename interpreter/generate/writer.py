"""Lines of generated Python: indentation, values worth computing once, constants shared by the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from interpreter.generate.key import Key

WORD = re.compile(r"[A-Za-z_]\w*")


class Constants:
    """Tables that the program reads, each written once at its top."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.key = Key()
        self._known: dict[str, str] = {}

    def name(self, prefix: str, value: Any) -> str:
        text = repr(value)
        if text not in self._known:
            self._known[text] = f"{prefix.upper()}_{len(self._known)}"
            self.lines.append(f"{self._known[text]} = {text}")
        return self._known[text]


@dataclass(slots=True)
class Scope:
    """A block of code. `names` are bound in it, `temps` are values already computed in it."""

    names: set[str]
    depth: int
    mark: int  # the line before which a value for the inner blocks can still be computed
    temps: dict[str, str] = field(default_factory=dict)


class Writer:
    """Writes one generated function after the other."""

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.lines: list[str] = []
        self.pure = False  # nothing that is written changes the state, so it may be read early
        self._scopes: list[Scope] = []
        self._count = 0
        self._function = ""  # the name of the function that is being written

    @property
    def depth(self) -> int:
        return self._scopes[-1].depth if self._scopes else 0

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def temp(self, prefix: str = "v") -> str:
        """A new name, bound here."""
        name = self._new_name(prefix)
        self.bind(name)
        return name

    def local(self, name: str) -> str:
        """A new name for what the author calls `name`, bound here."""
        made = self.temp("i")
        self.constants.key.note(self._function, made, name)
        return made

    def _new_name(self, prefix: str) -> str:
        """A name that nothing here has; parameters of a function may be temporary names of its caller."""
        taken = self.names()
        while True:
            self._count += 1
            if (name := f"{prefix}{self._count}") not in taken:
                return name

    def bind(self, name: str) -> None:
        """`name` gets its value here, so nothing that uses it may be computed earlier."""
        if self._scopes:
            self._scopes[-1].names.add(name)

    @contextmanager
    def block(self, head: str, *names: str) -> Iterator[None]:
        """An indented block in which `names` are bound."""
        # what an `else` needs must be computed before its `if`
        if self._scopes and not head.startswith(("else", "elif")):
            self._scopes[-1].mark = len(self.lines)
        depth = self.depth + 1
        self.line(head)
        self._scopes.append(Scope(set(names), depth, len(self.lines)))
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._scopes.pop()

    @contextmanager
    def function(self, head: str, *names: str) -> Iterator[None]:
        self._count = 0
        self._function = head[len("def ") : head.index("(")]
        with self.block(head, *names):
            yield
        self.line("")

    def once(self, text: str) -> str:
        """A name for the value of `text`, computed once, as far out as its names are known."""
        if not re.search(r"[*(\[ ]", text):
            return text
        for scope in self._scopes:
            if text in scope.temps:
                return scope.temps[text]
        level = self._outermost(text)
        scope = self._scopes[level]
        name = self._new_name("a")
        written = "    " * scope.depth + f"{name} = {text}"
        if level == len(self._scopes) - 1:
            self.lines.append(written)
        else:
            self.lines.insert(scope.mark, written)
            for later in self._scopes[level:]:
                later.mark += 1
        scope.temps[text] = name
        scope.names.add(name)
        return name

    def first(self, text: str) -> None:
        """A line in the function's outermost block, before the inner blocks that are open."""
        with self.ahead():
            self.line(text)

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """What is written in here goes before the inner blocks that are open, into the outermost one."""
        inner, self._scopes = self._scopes[1:], self._scopes[:1]
        if not inner:
            yield
            self._scopes += inner
            return
        at = self._scopes[0].mark
        later, self.lines = self.lines[at:], self.lines[:at]
        yield
        added = len(self.lines) - at
        self.lines += later
        self._scopes[0].mark = at + added
        for scope in inner:
            scope.mark += added
        self._scopes += inner

    def _outermost(self, text: str) -> int:
        """The outermost scope in which all the names of `text` are bound; reading the state stays where it is."""
        words = set(WORD.findall(text))
        innermost = len(self._scopes) - 1
        if "S" in words and not self.pure:
            return innermost
        for level in range(innermost, 0, -1):
            if words & self._scopes[level].names:
                return level
        return 0

    def names(self) -> set[str]:
        """All names bound here."""
        return set().union(*(scope.names for scope in self._scopes))

    def forget(self) -> None:
        """The state changed: values read from it must be read anew."""
        for scope in self._scopes:
            for text in [t for t in scope.temps if "S[" in t]:
                del scope.temps[text]
