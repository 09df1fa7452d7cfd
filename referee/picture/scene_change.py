"""The difference between two scenes, and scenes as JSON. What they share is the same object, compared and written once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Data = dict[str, Any]

_encode = json.JSONEncoder(separators=(",", ":")).encode


class Fixed(dict[str, Any]):
    """A part of scenes that never changes: many positions share it, and it is written as JSON once."""

    __slots__ = ("_text",)
    _text: str

    @property
    def text(self) -> str:
        """The same as JSON."""
        try:
            return self._text
        except AttributeError:
            self._text = _encode(self)
            return self._text


def change(before: Data, after: Data) -> Data:
    """Return what differs between two scenes of one game for one viewer.

    A key of the scene that is not in it has not changed. `things` has the new things by their ids, and None for those that
    are gone from a block that is still there. `blocks` has new blocks whole, by their ids, and of others what differs
    beside their things. `areas` has what differs of an area beside its blocks, by its id; `order` is the ids of its
    blocks, if they are not those from before.
    """
    found: Data = {
        key: value
        for key, value in after.items()
        if key not in ("areas", "kinds") and value is not before.get(key) and value != before.get(key)
    }
    if after["kinds"] is not before["kinds"]:
        kinds = {name: kind for name, kind in after["kinds"].items() if before["kinds"].get(name) != kind}
        if kinds:
            found["kinds"] = kinds
    things: Data = {}
    blocks: Data = {}
    areas: Data = {}
    for was, area in zip(before["areas"], after["areas"], strict=True):
        fields = {key: value for key, value in area.items() if key != "blocks" and value != was[key]}
        old = {block["id"]: block for block in was["blocks"]}
        order = [block["id"] for block in area["blocks"]]
        if order != [*old]:
            fields["order"] = order
        if fields:
            areas[area["id"]] = fields
        for block in area["blocks"]:
            earlier = old.get(block["id"])
            if earlier is None:
                blocks[block["id"]] = block
            elif earlier is not block:
                if parts := _differing(earlier, block):
                    blocks[block["id"]] = parts
                things.update(_new_things(earlier["things"], block["things"]))
    for key, value in (("things", things), ("blocks", blocks), ("areas", areas)):
        if value:
            found[key] = value
    return found


def _differing(before: Data, after: Data) -> Data:
    return {
        key: value
        for key, value in after.items()
        if key != "things" and value is not before[key] and value != before[key]
    }


def _new_things(before: list[Data], after: list[Data]) -> Iterator[tuple[str, Data | None]]:
    """Yield the things of a block that differ, by their ids, and None for those that are gone."""
    if len(before) == len(after) and all(a["id"] == b["id"] for a, b in zip(before, after, strict=True) if a is not b):
        for was, thing in zip(before, after, strict=True):
            if was is not thing and was != thing:
                yield thing["id"], thing
        return
    old = {thing["id"]: thing for thing in before}
    for thing in after:
        was_there = old.pop(thing["id"], None)
        if was_there is not thing and was_there != thing:
            yield thing["id"], thing
    for name in old:
        yield name, None


def for_viewer(common: Data, viewer: int | None) -> Data:
    """Return a scene of `Painter.common` as a viewer sees it who sees the same of the pieces.

    A block that is a player's own is only on that player's picture; moves are for the player who decides.
    """
    areas = []
    for area in common["areas"]:
        you = area["player"] is not None and area["player"] == viewer
        blocks = [block for block in area["blocks"] if you or not block["own"]]
        areas.append({**area, "you": you, "blocks": blocks})
    moves = common["moves"] if viewer is not None and common["to_move"] == viewer else []
    return {**common, "you": viewer, "areas": areas, "moves": moves}


def write(data: Any) -> str:
    """Return a scene, or a part or change of one, as JSON."""
    if isinstance(data, Fixed):
        return data.text
    if isinstance(data, dict):
        return "{" + ",".join([f"{_encode(key)}:{write(value)}" for key, value in data.items()]) + "}"
    if isinstance(data, list | tuple) and data and isinstance(data[0], dict):
        return "[" + ",".join([write(value) for value in data]) + "]"
    return _encode(data)
