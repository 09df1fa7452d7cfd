"""The corpus of wrong files: what is changed in a good one, and all that is then said.

Cases are in `tests/wrong/*.txt`:

    === what is wrong
    games/classics/nim.yaml
     lines that stay, to say where
    -lines that are taken out
    +lines that are put in
    ---
    everything that is reported, as people see it

Lines are whole lines of that file, and stand there only once together. A file that does not exist is made of the lines put in.

Lines of a shipped file are counted from the section they stand in: `games/base.yaml:tables+3:5` is the third line below
`tables:`. So a comment at the top of a file changes nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "wrong"
BEGIN, SAID = "=== ", "---"
POSITION = re.compile(r"(?P<file>games/[\w/]+\.yaml):(?P<line>\d+)(?=:\d)|(?P<words>(?:at|before) line )(?P<at>\d+)|^ +(?P<beside>\d+) \|", re.MULTILINE)  # fmt: skip


@dataclass(frozen=True)
class Case:
    name: str
    file: str
    patch: tuple[str, ...]
    said: str

    def patched(self, folder: Path) -> str:
        """Return the text of the file with the mistake in it."""
        old = "".join(f"{line[1:]}\n" for line in self.patch if line[:1] != "+")
        new = "".join(f"{line[1:]}\n" for line in self.patch if line[:1] != "-")
        path = folder / self.file
        if not path.exists():
            assert not old, f"{self.name}: there is no {self.file}"
            return new
        text = "\n" + path.read_text(encoding="utf-8")
        assert text.count("\n" + old) == 1, f"{self.name}: these lines stand {text.count(old)} times in {self.file}"
        return text.replace("\n" + old, "\n" + new)[1:]

    def written(self) -> str:
        return "\n".join([BEGIN + self.name, self.file, *self.patch, SAID, self.said]) + "\n"


def read_cases(path: Path) -> Iterator[Case]:
    for part in path.read_text(encoding="utf-8").split(f"\n{BEGIN}"):
        lines = part.removeprefix(BEGIN).rstrip("\n").split("\n")
        end = lines.index(SAID)
        yield Case(lines[0], lines[1], tuple(lines[2:end]), "\n".join(lines[end + 1 :]))


def write_cases(path: Path, cases: list[Case]) -> None:
    path.write_text("\n".join(case.written() for case in cases), encoding="utf-8")


def counted_from_sections(said: str, text_of: Callable[[str], str | None]) -> str:
    """Return what is reported, lines of shipped files counted from their sections.

    The number beside a line that is shown is that of a position named above it, and left out.
    """
    file, lines = "", set[int]()

    def replaced(m: re.Match[str]) -> str:
        nonlocal file
        text = text_of(m["file"] or file)
        if m["file"]:
            file, line = m["file"], int(m["line"])
            lines.add(line)
            return f"{file}:{line if text is None else below_section(text, line)}"
        if text is None:
            return m[0]
        if m["words"]:
            return m["words"] + below_section(text, int(m["at"]))
        assert int(m["beside"]) in lines, "the line shown is not that of a position"
        return " " * (len(m[0]) - 1) + "|"

    return POSITION.sub(replaced, said)


def below_section(text: str, line: int) -> str:
    """Return where a line stands: `tables`, or `tables+3` for the third line below it; above all sections `rulespec-2`."""
    sections = [(number, m[1]) for number, row in enumerate(text.split("\n"), 1) if (m := re.match(r"([a-z]+):", row))]
    number, name = next(((n, s) for n, s in reversed(sections) if n <= line), sections[0])
    return f"{name}{line - number:+}" if line != number else name
