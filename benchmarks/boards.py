"""The base game on larger boards, as a house rule made on the spot: more colours, rows and columns."""

from __future__ import annotations

from pathlib import Path


def larger_board(size: int, folder: Path) -> Path:
    """Return a rule file with a board of size x size in as many colours."""
    colours = [f"c{i}" for i in range(1, size + 1)]
    printed = [[colours[(column - row) % size] for column in range(size)] for row in range(size)]
    rows = "\n".join(f"      - [{', '.join(row)}]" for row in printed)
    path = folder / f"board{size}.yaml"
    path.write_text(
        f"""rulespec: 1
extends: base
game: Base on a board of {size} by {size}
change:
  sets:
    colour: [{", ".join(colours)}]
    row: 1..{size}
    column: 1..{size}
  tables:
    printed[row, column]:
{rows}
  variables:
    score: {{is: 0..20000}}
  view:
    remove: [symbols, colours]
""",
        encoding="utf-8",
    )
    return path
