"""Scenes as SVG. A picture is drawn for light and dark screens, and for print; every kind has a colour, a letter and a pattern.

The shapes are those that the browser draws, from the same scene: coordinates are in units of one piece.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import Any

from referee.picture import texts
from referee.picture.figures import LETTER

Data = dict[str, Any]

UNIT = 40  # pixels of one piece
MARGIN = 0.35
SHAPE = 1.5  # how wide a picture is for its height, if that can be
GAP = 0.45  # between blocks
NARROW = 10.0  # an area is no wider, unless one of its blocks is
HEAD = 0.95  # the height of an area's head
CHIP = 0.75

STYLE = """
.scene text { font-family: system-ui, "DejaVu Sans", sans-serif; fill: #22252c; text-anchor: middle; }
.scene .ground { fill: #efe7d6; }
.scene .area { fill: #fffaf0; stroke: #c9bda3; stroke-width: .03; }
.scene .place { fill: #e6dcc6; stroke: #c9bda3; stroke-width: .04; }
.scene .cell { fill: #faf5ea; stroke: #c9bda3; stroke-width: .04; }
.scene .piece { stroke: #000; stroke-opacity: .4; stroke-width: .03; }
.scene .letter { font-weight: bold; }
.scene .pale { opacity: .45; }
.scene .under { font-weight: bold; opacity: .7; }
.scene .title { font-weight: bold; fill: #6d6454; }
.scene .name { fill: #6d6454; }
.scene .front { fill: #f1ead9; stroke: #8a7f68; stroke-width: .05; }
.scene .back { fill: #66758c; stroke: #000; stroke-opacity: .4; stroke-width: .03; }
.scene .rim { fill: none; stroke: #fff; stroke-opacity: .6; stroke-width: .03; stroke-dasharray: .1 .06; }
.scene .marker { fill: none; stroke: #22252c; stroke-width: .08; }
.scene .pawn { fill: #22252c; }
.scene .mark { fill: #e6dcc6; stroke: #6d6454; stroke-width: .03; }
.scene .weave { stroke: #22252c; }
.scene .lit { fill: #22252c; }
.scene .lit + text { fill: #fff; }
.scene .head { font-weight: bold; }
.scene .pill { fill: #22252c; }
.scene .pill + text { fill: #fffaf0; font-weight: bold; }
.scene .tag { fill: #e6dcc6; }
.scene .turn { fill: #f2c14a; }
.scene .turn + text { font-weight: bold; }
@media screen and (prefers-color-scheme: dark) {
  .scene text, .scene .pawn, .scene .pill { fill: #ece7dc; }
.scene .ground { fill: #16181d; }
.scene .area { fill: #22252c; stroke: #565c68; }
.scene .place, .scene .tag, .scene .mark { fill: #353a45; }
.scene .cell { fill: #2b2f38; stroke: #565c68; }
.scene .front { fill: #3a3f4a; stroke: #7b8290; }
.scene .title, .scene .name { fill: #aaa394; }
.scene .pill + text { fill: #22252c; }
.scene .marker { stroke: #ece7dc; }
.scene .turn + text, .scene .lit + text { fill: #22252c; }
.scene .weave { stroke: #ece7dc; }
.scene .mark.lit { fill: #ece7dc; }
.scene .back { fill: #7d8ca3; }
}
@media print {
  .scene .ground, .scene .area { fill: #fff; }
}
"""


def draw(scene: Data) -> str:
    """Return a scene as the text of an SVG file."""
    areas = [drawn for area in scene["areas"] if (drawn := _area(scene, area)) is not None]
    least = max((wide for _, wide, _ in areas), default=1.0)
    sizes = [(wide, high) for _, wide, high in areas]
    tries = [_rows_of(sizes, least + extra, 0.3) for extra in range(0, 61, 3)]
    placed, w, h = min(tries, key=lambda t: abs(math.log(t[1] / t[2] / SHAPE)))
    body = [f'<rect class="ground" width="{_n(w + 0.6)}" height="{_n(h + 0.6)}"/>']
    for (parts, wide, high), (x, y) in zip(areas, placed, strict=True):
        body.append(f'<g transform="translate({_n(x + 0.3)} {_n(y + 0.3)})">')
        body.append(f'<rect class="area" width="{_n(wide)}" height="{_n(high)}" rx=".25"/>')
        body += [*parts, "</g>"]
    return _svg(w + 0.6, h + 0.6, scene, body)


def draw_part(scene: Data, style: bool = False) -> str:
    """Return the blocks of a scene without heads and frames, to be put on a page that has `STYLE`, or with it."""
    rows: list[str] = []
    y = w = 0.0
    for area in scene["areas"]:
        least = max((b["w"] for b in area["blocks"]), default=0.0)
        placed, wide, high = _rows_of([(b["w"], b["h"]) for b in area["blocks"]], max(NARROW, least), GAP)
        if area["blocks"] and area["player"] is not None:
            rows.append(_text(texts.PLAYER.format(number=area["player"]), 0, y + 0.3, 0.5, "head", "start"))
            y += 0.7
        for block, (left, top) in zip(area["blocks"], placed, strict=True):
            rows += [f'<g transform="translate({_n(left)} {_n(y + top)})">', *_block(scene, block), "</g>"]
        w, y = max(w, wide), y + high + (GAP if area["blocks"] else 0)
    return _svg(w, max(0.1, y - GAP), scene, rows, style)


def shared_patterns() -> str:
    """Return what pictures without a style of their own need once on their page."""
    every = " ".join(f"#p{number}{ink}" for number in range(8) for ink in "ld")
    return f'<svg class="scene" width="0" height="0" style="position: absolute" aria-hidden="true">{"".join(_patterns(every))}</svg>'


def page(scene: Data) -> str:
    """Return a scene as an HTML page that needs nothing else."""
    title = escape(scene["game"])
    style = (
        "body { margin: 0; background: #efe7d6; } svg { display: block; max-width: 100%; height: auto; margin: auto; }"
    )
    dark = "@media (prefers-color-scheme: dark) { body { background: #16181d; } }"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style} {dark}</style></head>\n'
        f"<body>\n{draw(scene)}</body>\n</html>\n"
    )


def _svg(w: float, h: float, scene: Data, body: list[str], style: bool = True) -> str:
    size = f'width="{round(w * UNIT)}" height="{round(h * UNIT)}" viewBox="0 0 {_n(w)} {_n(h)}"'
    title = escape(scene["game"])
    space = ' xmlns="http://www.w3.org/2000/svg"' if style else ""  # a file needs it, a page does not
    head = f'<svg{space} class="scene" {size} role="img" aria-label="{title}" font-size=".42">'
    style_ = [f"<style>{STYLE}</style>"] if style else []
    return "\n".join(
        [head, f"<title>{title}</title>", *style_, *(_patterns("".join(body)) if style else ()), *body, "</svg>", ""]
    )


def _rows_of(
    sizes: list[tuple[float, float]], widest: float, gap: float
) -> tuple[list[tuple[float, float]], float, float]:
    """Return where boxes go that fill rows from the left, and how much room they take."""
    placed = []
    x = y = high = w = 0.0
    for wide, tall in sizes:
        if x and x + wide > widest + 0.001:
            x, y, high = 0.0, y + high + gap, 0.0
        placed.append((x, y))
        x += wide + gap
        w, high = max(w, x - gap), max(high, tall)
    return placed, w, y + high


def _area(scene: Data, area: Data) -> tuple[list[str], float, float] | None:
    """Return the drawing of an area, with how wide and high it is; None: there is nothing in it."""
    if area["player"] is None and not (area["blocks"] or area["chips"] or area["empty"]):
        return None
    head = list(_head(area))
    top = HEAD if head else 0.2
    least = max((b["w"] for b in area["blocks"]), default=0.0)
    placed, w, h = _rows_of([(b["w"], b["h"]) for b in area["blocks"]], max(NARROW, least), GAP)
    w = max(w, least, _head_width(area))
    parts = [part for part, _ in head]
    for block, (x, y) in zip(area["blocks"], placed, strict=True):
        parts += [f'<g transform="translate({_n(x + MARGIN)} {_n(y + top)})">', *_block(scene, block), "</g>"]
    y = top + h + (0.25 if area["blocks"] else 0)
    x = 0.0
    for chip in area["chips"]:
        wide = _chip_width(scene, chip)
        if x and x + wide > max(w, 8):
            x, y = 0.0, y + CHIP
        parts += _chip(scene, chip, x + MARGIN, y + CHIP / 2, wide)
        x += wide + 0.2
        w = max(w, x - 0.2)
    y += CHIP if area["chips"] else 0
    if area["empty"]:
        line = texts.EMPTY.format(names=", ".join(e["title"] for e in area["empty"]))
        for row in _broken(line, max(w, 8.0)):
            parts.append(_text(row, MARGIN, y + 0.3, 0.36, "name", "start"))
            w = max(w, len(row) * 0.36 * LETTER)
            y += 0.5
    return parts, w + 2 * MARGIN, y + 0.25


def _broken(text: str, wide: float) -> list[str]:
    """Return a text in lines of about this width."""
    lines = [""]
    for word in text.split():
        if lines[-1] and (len(lines[-1]) + 1 + len(word)) * 0.36 * LETTER > wide:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _head(area: Data) -> Iterator[tuple[str, float]]:
    """Yield the head of a player's area: name, score, whose turn it is, and tags; each with where it ends."""
    if area["player"] is None:
        return
    name = texts.PLAYER.format(number=area["player"])
    name = texts.YOU.format(name=name) if area["you"] else name
    x = MARGIN
    end = x + len(name) * 0.5 * 0.6
    yield _text(name, x, HEAD / 2, 0.5, "head", "start"), end
    x = end + 0.2
    pills = [("pill", str(area["score"]))] if area["score"] is not None else []
    pills += [("turn", texts.TO_MOVE)] if area["to_move"] else []
    for style, text in [*pills, *(("tag", tag) for tag in area["tags"])]:
        wide = len(text) * 0.4 * 0.6 + 0.4
        yield f'<rect class="{style}" x="{_n(x)}" y="{_n(HEAD / 2 - 0.3)}" width="{_n(wide)}" height=".6" rx=".3"/>', x
        x += wide
        yield _text(text, x - wide / 2, HEAD / 2, 0.38, "", "middle"), x
        x += 0.15


def _head_width(area: Data) -> float:
    return max((x for _, x in _head(area)), default=0.0) - MARGIN


def _chip_width(scene: Data, chip: Data) -> float:
    return 0.4 + (len(chip["title"]) + 2) * 0.36 * LETTER + sum(_value_width(v) for v in chip["values"])


def _value_width(value: Data) -> float:
    return (len(value.get("of", "")) + len(value.get("text", "")) + 2) * 0.36 * LETTER + (0.6 if "kind" in value else 0)


def _chip(scene: Data, chip: Data, x: float, y: float, wide: float) -> Iterator[str]:
    yield f'<rect class="tag" x="{_n(x)}" y="{_n(y - 0.3)}" width="{_n(wide)}" height=".6" rx=".3"/>'
    x += 0.2
    yield _text(f"{chip['title']}:", x, y, 0.36, "", "start")
    x += (len(chip["title"]) + 2) * 0.36 * LETTER
    for value in chip["values"]:
        words = " ".join(filter(None, (value.get("of", ""), value.get("text", ""))))
        yield _text(words, x, y, 0.36, "", "start")
        x += len(words) * 0.36 * LETTER + 0.1
        if "kind" in value:
            yield from _piece(scene, {"kind": value["kind"], "x": x + 0.25, "y": y, "w": 0.5, "h": 0.5}, True, "square")
        x += _value_width(value) - len(words) * 0.36 * LETTER - 0.1


# Blocks ---------------------------------------------------------------------------------------------------------


def _block(scene: Data, block: Data) -> Iterator[str]:
    for word in block["words"]:
        style = "title" if word["title"] else "name"
        yield _text(word["text"], word["x"], word["y"], word["size"], style, word["anchor"])
    for thing in block["things"]:
        yield from _thing(scene, thing)
    for mark in block["marks"]:
        yield from _mark(scene, mark)


def _thing(scene: Data, thing: Data) -> Iterator[str]:
    yield f"<g><title>{escape(thing['label'])}</title>"
    tint = f' style="fill: {thing["tint"]}"' if thing["tint"] else ""
    single = thing["as"] == "cell" and len(thing["spaces"]) == 1
    if thing["shape"] != "none" or "poly" in thing:
        faint = " pale" if tint and single and not thing["pieces"] else ""
        style = "cell" if single or thing["as"] == "stack" else "place"
        yield _shape(thing["shape"], thing, f'class="{style}{faint}"{tint}', "poly" in thing)
        if thing["pattern"] is not None and not thing["pieces"]:
            yield _shape(thing["shape"], thing, f'fill="url(#p{thing["pattern"]}t)"', "poly" in thing)
    for i, space in enumerate(thing["spaces"]):
        if not single:
            yield _shape("square", {**space, "w": space["w"] * 0.96, "h": space["h"] * 0.96}, 'class="cell"')
        if i >= len(thing["pieces"]) and space["under"]:
            yield from _under(scene, space, thing)
    for piece in thing["pieces"]:
        if thing["behind"] and not _face_of(scene, piece):
            yield _shape("square", piece, 'class="front"')
        else:
            yield from _piece(scene, piece, "count" not in thing)
    if thing.get("marker"):
        yield _shape("circle", thing["marker"], 'class="marker"')
    if "count" in thing:
        yield _text(str(thing["count"]), thing["x"], thing["y"] + thing["h"] / 2 - 0.2, 0.34, "letter")
    yield "</g>"


def _under(scene: Data, space: Data, thing: Data) -> Iterator[str]:
    """Yield what an empty space shows: a pale piece, or a text."""
    under = space["under"]
    if "kind" in under:
        kind = scene["kinds"].get(under["kind"])
        if kind is not None:
            inside = {**space, "w": space["w"] * 0.86, "h": space["h"] * 0.86}
            yield _shape("square", inside, f'class="pale" style="fill: {kind["colour"]}"')
            size = min(inside["w"] * 0.5, inside["w"] * 0.9 / max(1, len(kind["symbol"]) * 0.6))
            yield _text(kind["symbol"], space["x"], space["y"], size, "under")
        return
    size = min(
        0.42 if "poly" not in thing else 0.5, space["w"] * 0.9 / max(1.2, len(under["text"]) * 0.62), space["h"] * 0.5
    )
    yield _text(under["text"], space["x"], space["y"], size, "name")


def _mark(scene: Data, mark: Data) -> Iterator[str]:
    yield f"<g><title>{escape(mark['label'])}</title>"
    match mark["mark"]:
        case "pawn":
            x, y, h = mark["x"], mark["y"], mark["h"]
            yield f'<circle class="pawn" cx="{_n(x)}" cy="{_n(y - h * 0.22)}" r="{_n(h * 0.22)}"/>'
            points = [
                (x - h * 0.36, y + h * 0.5),
                (x - h * 0.12, y - h * 0.05),
                (x + h * 0.12, y - h * 0.05),
                (x + h * 0.36, y + h * 0.5),
            ]
            yield f'<polygon class="pawn" points="{_points(points)}"/>'
        case "ring":
            yield _shape("circle", {**mark, "w": mark["w"] * 0.98, "h": mark["h"] * 0.98}, 'class="marker"')
        case "back":
            yield _shape("circle", mark, 'class="back"')
            yield _shape("circle", {**mark, "w": mark["w"] * 0.76, "h": mark["h"] * 0.76}, 'class="rim"')
        case shape:
            yield _shape(shape, mark, f'class="mark{" lit" if mark["lit"] else ""}"')
            if mark["under"] and "text" in mark["under"]:
                yield _text(mark["under"]["text"], mark["x"], mark["y"], 0.28, "")
    yield "</g>"


def _piece(scene: Data, piece: Data, letter: bool, shape: str = "") -> Iterator[str]:
    """Yield a piece: its colour, its pattern, and its letter or the marks on its face."""
    name, x, y, w, h = piece["kind"], piece["x"], piece["y"], piece["w"], piece["h"]
    kind = scene["kinds"].get(name) if name is not None else None
    shape = shape or (kind["shape"] if kind else "square")
    if piece.get("back"):
        fill = f' style="fill: {kind["colour"]}"' if kind else ""
        yield _shape(shape, piece, f'class="back"{fill}')
        yield _shape(shape, {**piece, "w": w * 0.78, "h": h * 0.78}, 'class="rim"')
        for text, up in _printed_on_back(kind, piece.get("n")):
            yield _text(text, x, y - up * h, min(0.42, w * 0.5), "letter", "middle", "#ffffff")
        return
    if kind is None:
        return
    face = piece.get("face", kind["face"])
    if face:
        yield from _face(scene, piece, kind, face, piece.get("across", kind["across"]) or len(face), shape)
    else:
        outline = "poly" in piece
        yield _shape(shape, piece, f'class="piece" style="fill: {kind["colour"]}"', outline)
        ink = "d" if kind["ink"] != "#ffffff" else "l"
        if letter:
            yield _shape(shape, piece, f'fill="url(#p{kind["pattern"]}{ink})"', outline)
            size = min(min(w, h) * (0.72 if outline else 0.58), w * 0.9 / max(1, len(kind["symbol"]) * 0.6))
            yield _text(kind["symbol"], x, y, size, "letter", "middle", kind["ink"])
    if piece.get("n"):
        yield _text(f"×{piece['n']}", x + w / 2 + 0.05, y, 0.34, "", "start")


def _printed_on_back(kind: Data | None, number: int | None) -> list[tuple[str, float]]:
    """Return the letter of a back that shows something, and how many lie there; each with how far up it stands."""
    letter = kind["symbol"] if kind else ""
    texts = [text for text in (letter, str(number) if number else "") if text]
    return [(text, 0.0 if len(texts) == 1 else up) for text, up in zip(texts, (0.18, -0.18), strict=False)]


def _face_of(scene: Data, piece: Data) -> bool:
    """Return whether something is printed on a piece."""
    kind = scene["kinds"].get(piece["kind"]) if piece["kind"] is not None else None
    return bool(piece.get("face") or (kind and kind["face"]))


def _face(scene: Data, piece: Data, kind: Data, face: list[str], across: int, shape: str) -> Iterator[str]:
    """Yield a piece with marks on it: on a round one the colours side by side, else a small sign for each."""
    x, y, w, h = piece["x"], piece["y"], piece["w"], piece["h"]
    marks = [scene["kinds"].get(mark) for mark in face]
    if shape == "card":
        yield _shape("card", piece, 'class="piece" style="fill: #fffdf6"')
        colour = next((m["colour"] for m in reversed(marks) if m), "#22252c")
        for i, mark in enumerate(marks):
            if mark is not None:
                at = y + h * ((i + 0.5) / len(marks) - 0.5) * 0.8
                yield _text(mark["symbol"], x, at, min(w * 0.55, h * 0.8 / len(marks)), "letter", "middle", colour)
        return
    if shape == "circle":
        r = min(w, h) / 2
        for i, mark in enumerate(marks):
            fill = mark["colour"] if mark else "#888888"
            if len(marks) == 1:
                yield f'<circle class="piece" cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" style="fill: {fill}"/>'
            else:
                start, end = 2 * math.pi * i / len(marks), 2 * math.pi * (i + 1) / len(marks)
                a, b = (
                    (x - r * math.sin(start), y - r * math.cos(start)),
                    (x - r * math.sin(end), y - r * math.cos(end)),
                )
                yield (
                    f'<path class="piece" style="fill: {fill}" d="M{_n(x)} {_n(y)}L{_n(a[0])} {_n(a[1])}'
                    f'A{_n(r)} {_n(r)} 0 0 0 {_n(b[0])} {_n(b[1])}Z"/>'
                )
            if mark:
                half = 2 * math.pi * (i + 0.5) / len(marks)
                away = 0 if len(marks) == 1 else r * 0.5
                at = x - away * math.sin(half), y - away * math.cos(half)
                yield _text(
                    mark["symbol"], *at, r * (0.9 if len(marks) == 1 else 0.62), "letter", "middle", mark["ink"]
                )
        return
    yield _shape("square", piece, 'class="cell"')
    rows = -(-len(face) // across)
    side = min(w / across, h / rows)
    for i, name in enumerate(face):
        at_x = x + (i % across - (across - 1) / 2) * w / across
        at_y = y + (i // across - (rows - 1) / 2) * h / rows
        yield '<g class="pale">'
        mark = {"kind": name, "x": at_x, "y": at_y, "w": side * 0.86, "h": side * 0.86}
        yield from _piece(scene, {**mark, "face": None}, True, "square")  # its own sign: it may be printed on itself
        yield "</g>"


# Shapes ---------------------------------------------------------------------------------------------------------


def _shape(shape: str, box: Data, style: str, poly: bool = False) -> str:
    """Return an outline around a middle; one with corners of its own is drawn by these."""
    x, y, w, h = box["x"], box["y"], box["w"], box["h"]
    if poly:
        return f'<polygon {style} points="{_points(box["poly"])}" stroke-linejoin="round"/>'
    if shape == "rhombus":
        return (
            f'<polygon {style} points="{_points([(x, y - h / 2), (x + w / 2, y), (x, y + h / 2), (x - w / 2, y)])}"/>'
        )
    if shape == "hexagon":
        corners = [(x + w / 2 * math.sin(i * math.pi / 3), y - h / 2 * math.cos(i * math.pi / 3)) for i in range(6)]
        return f'<polygon {style} points="{_points(corners)}"/>'
    radius = min(w, h) / 2 if shape == "circle" else min(0.12, min(w, h) * 0.15)
    return f'<rect {style} x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(radius)}"/>'


def _text(text: str, x: float, y: float, size: float, style: str, anchor: str = "middle", fill: str = "") -> str:
    given = f' class="{style}"' if style else ""
    look = "" if anchor == "middle" else f"text-anchor: {anchor};"
    look += f"fill: {fill};" if fill else ""
    look = f' style="{look}"' if look else ""
    return f'<text{given} x="{_n(x)}" y="{_n(y + size * 0.35)}" font-size="{_n(size)}"{look}>{escape(text)}</text>'


def _points(points: Any) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _patterns(body: str) -> Iterator[str]:
    """Yield the patterns that a drawing uses, of eight for light pieces, eight for dark ones, and eight for places."""
    lines = (
        "",
        "M0 .06H.24M0 .18H.24",
        "M.06 0V.24M.18 0V.24",
        "M0 .24L.24 0",
        "M0 0L.24 .24",
        "M0 .12H.24M.12 0V.24",
        "M0 0L.24 .24M0 .24L.24 0",
        "M.1 .12H.14",
    )
    yield "<defs>"
    for ink, stroke in (("l", 'stroke="#ffffff"'), ("d", 'stroke="#000000"'), ("t", 'class="weave"')):
        for number, line in enumerate(lines):
            if f"#p{number}{ink}" in body:
                yield (
                    f'<pattern id="p{number}{ink}" width=".24" height=".24" patternUnits="userSpaceOnUse">'
                    f'<path d="{line}" {stroke} stroke-opacity=".16" stroke-width=".035"/></pattern>'
                )
    yield "</defs>"


def _n(number: float) -> str:
    """Return a number as SVG writes it, without what cannot be seen."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
