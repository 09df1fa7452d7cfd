"""The corpus of wrong files: what is changed in a good one, and all that is then said.

A case stands in `tests/wrong/*.txt`:

    === what is wrong
    games/classics/nim.yaml
     lines that stay, to say where
    -lines that are taken out
    +lines that are put in
    ---
    everything that is reported, as people see it

Lines are whole lines of that file, and stand there only once together. A file that does not exist is made of the lines put in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "wrong"
BEGIN, SAID = "=== ", "---"


@dataclass(frozen=True)
class Case:
    name: str
    file: str
    patch: tuple[str, ...]
    said: str

    def patched(self, folder: Path) -> str:
        """The text of the file with the mistake in it."""
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
