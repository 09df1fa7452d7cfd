"""The files that a rule file builds on: those `extends` names, down to the game, and house rules side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.english import closest, suggestion
from rulespec.files.merge import shape_problem
from rulespec.files.sources import Files, RefusedName
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence
from rulespec.yaml.source import begins_as_rules, read_source

MOST_FILES = 16
LAYER_KEYS = ("extends", "with", "change", "options")  # these say how files are put together: no part of the game
REPLACED = ("rulespec", "game", "text", "players", "view")  # an extending file says these itself; `view` merges
EXTENDS = "extends"
_EXTENDS_HABITS = frozenset(
    ("based on", "base", "builds on", "parent", "inherits", "variant of", "house rule of", "from", "of")
)
_SECTIONS = frozenset(
    ("places", "tables", "pieces", "sets", "variables", "define", "steps", "moves", "scoring", "view")
)
EXTENDING_KEYS = (*LAYER_KEYS, *REPLACED, "examples")


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One file of the stack."""

    path: Path
    text: str
    tree: Mapping
    identity: str
    change: Mapping | None = None
    fixes: Node | None = None  # the value of `with:`
    extends: tuple[str, ...] = ()  # the identities of the files it names
    links: tuple[tuple[str, str], ...] = ()  # what it calls them → their identities
    beside: bool = False  # it does not extend the layer below it


Chain = list[Layer]  # the bottom one first
Pair = tuple[Chain, Chain]  # two chains side by side: the layers only the first has, those only the second has


def open_chains(paths: list[Path], files: Files, problems: list[Diagnostic]) -> tuple[Chain, list[Pair]]:
    """Return the stack of the first file with the others on top, and the pairs of chains that are side by side in it.

    Raises RuleFileError where files cannot be read or found; other complaints go to `problems`.
    """
    reader = _ChainReader(files, problems)
    chains = [reader.open(path) for path in paths]
    where = [_where_extended(chain[-1]) for chain in chains]
    stack = reader.stacked(chains, where)
    if len(stack) > MOST_FILES:
        problems.append(_too_deep(where[-1]))
    return stack, reader.pairs


def _where_extended(layer: Layer) -> Span:
    extends = layer.tree.get("extends")
    return extends.span if extends else replace(layer.tree.span, end_line=layer.tree.span.line)


@dataclass
class _ChainReader:
    files: Files
    problems: list[Diagnostic]
    pairs: list[Pair] = field(default_factory=list)
    _read: dict[str, Layer] = field(default_factory=dict)
    _opened: dict[str, Chain] = field(default_factory=dict)

    def open(self, path: Path, above: tuple[Path, ...] = ()) -> Chain:
        """Return the chain of a file; `above` are the files on the way to it."""
        identity = self.files.identity(path)
        if identity not in self._opened:
            self._opened[identity] = self._open_anew(path, above)
        return self._opened[identity]

    def _open_anew(self, path: Path, above: tuple[Path, ...]) -> Chain:
        layer = self._layer(path)
        extends = layer.tree.get("extends")
        if extends is None:
            self.problems += _bottom_keys(layer.tree)
            return [layer]
        self.problems += _extra_keys(layer.tree)
        named = [(node, self._follow(node, path, (*above, path))) for node in _names(extends, self.problems)]
        chains, links, failed = [], [], not named
        for node, following in named:
            if following is None or not self._read_extended(node, following):
                failed = True
                continue
            chains.append(self.open(following, (*above, path)))
            links.append((node.text, chains[-1][-1].identity))
        if failed:
            raise RuleFileError(self.problems)
        spans = [node.span for node, _ in named]
        return [*self.stacked(chains, spans), replace(layer, extends=tuple(i for _, i in links), links=tuple(links))]

    def stacked(self, chains: list[Chain], where: list[Span]) -> Chain:
        """Return all the files of the chains, each once; complaints about chains of different games."""
        stack = list(chains[0])
        for chain, span in zip(chains[1:], where[1:], strict=True):
            if chain[0].identity != stack[0].identity:
                self.problems.append(_other_game(chain, stack[0], span))
                raise RuleFileError(self.problems)
            there = {layer.identity for layer in stack}
            for layer in chain:
                if layer.identity not in there:
                    beside = stack[-1].identity not in layer.extends
                    stack.append(replace(layer, beside=beside))
        self.pairs += ((_only(a, b), _only(b, a)) for a, b in combinations(chains, 2))
        return stack

    def _layer(self, path: Path) -> Layer:
        identity = self.files.identity(path)
        if identity not in self._read:
            try:
                text = self.files.read(path)
                self._keep(path, text, self._tree(path, text))
            except RuleFileError as error:
                raise RuleFileError([*self.problems, *error.diagnostics]) from None
        return self._read[identity]

    def _tree(self, path: Path, text: str) -> Mapping:
        return read_source(path, text, by_sections=path in self.files.texts)

    def _keep(self, path: Path, text: str, tree: Mapping) -> None:
        identity = self.files.identity(path)
        change = read_change(tree.get("change"), self.problems)
        self._read[identity] = Layer(path, text, tree, identity, change, tree.get("with"))

    def _read_extended(self, node: Scalar, path: Path) -> bool:
        """Read the file that `extends` names; none, with a complaint at the name, if that is not a rule file.

        INVARIANT: a file that is not a rule file is private, and nothing in it is ever shown.
        """
        if self.files.identity(path) in self._read:
            return True
        try:
            text = self.files.read(path)
        except RuleFileError as error:
            problem = error.diagnostics[0]
            self.problems.append(Diagnostic(node.span, "extends-unreadable", problem.message, problem.why))
            return False
        try:
            tree = self._tree(path, text)
        except RuleFileError as error:
            if begins_as_rules(text):
                raise RuleFileError([*self.problems, *error.diagnostics]) from None
            tree = None
        if tree is None or tree.get("rulespec") is None:
            self.problems.append(_not_rules(node, path))
            return False
        self._keep(path, text, tree)
        return True

    def _follow(self, node: Scalar, path: Path, way: tuple[Path, ...]) -> Path | None:
        """Return the file that `extends` names, or none with a complaint."""
        following = self.files.follow(node.text, path)
        if isinstance(following, RefusedName):
            self.problems.append(following.at(node))
            return None
        identities = [self.files.identity(p) for p in way]
        if self.files.identity(following) in identities:
            names = " → ".join(f"`{p}`" for p in (*way, following))
            self.problems.append(
                Diagnostic(
                    node.span,
                    "extends-cycle",
                    f"these files extend one another: {names}",
                    fix="take `extends` out of the one that is the game itself",
                )
            )
            return None
        if len(way) == MOST_FILES:
            self.problems.append(_too_deep(node.span))
            return None
        return following


def _names(node: Node, problems: list[Diagnostic]) -> list[Scalar]:
    """Return the names after `extends`: one, or a list of them."""
    items = node.items if isinstance(node, Sequence) and node.items else (node,)
    if len(items) > MOST_FILES:
        problems.append(_too_deep(items[MOST_FILES].span))
        return []
    found = []
    for item in items:
        if isinstance(item, Scalar) and item.text:
            found.append(item)
        else:
            values = [v.text for _, v in item if isinstance(v, Scalar)] if isinstance(item, Mapping) else []
            fix = f"write `extends: {values[0]}`" if len(values) == 1 and values[0] else ""
            problems.append(shape_problem("the name of a rule file after `extends:`", item, fix))
    return found if len(found) == len(items) else []


def read_change(node: Node | None, problems: list[Diagnostic]) -> Mapping | None:
    """Return a `change` node, which has the shape of a file; none if there is none, or a wrong one."""
    if node is None:
        return None
    if not isinstance(node, Mapping):
        problems.append(shape_problem("a map in the shape of a rule file after `change:`", node))
        return None
    for key, _ in node:
        if key.text in LAYER_KEYS:
            message = f"`{key.text}` cannot be changed"
            why = "files are put together before anything in them is changed"
            fix = f"write `{key.text}:` beside `change:`"
            fix += ", with a `change:` under the choice" if key.text == "options" else ""
            problems.append(Diagnostic(key.span, "overlay-shape", message, why, fix))
    return node


def _only(chain: Chain, other: Chain) -> Chain:
    there = {layer.identity for layer in other}
    return [layer for layer in chain if layer.identity not in there]


def _too_deep(span: Span) -> Diagnostic:
    return Diagnostic(span, "extends-too-deep", f"more than {MOST_FILES} files, each extending the next")


def _other_game(chain: Chain, game: Layer, span: Span) -> Diagnostic:
    why = "only rules of the same game can be combined"
    if len(chain) == 1:
        message = f"`{chain[0].path}` is not a house rule: it does not extend another file"
        return Diagnostic(span, "house-other-game", message, why, f"a house rule says `extends: {game.path.stem}`")
    message = f"`{chain[-1].path}` changes `{chain[0].path}`, not `{game.path}`"
    return Diagnostic(span, "house-other-game", message, why)


def _not_rules(node: Scalar, path: Path) -> Diagnostic:
    message = f"`{path}` is not a rule file"
    why = "a rule file has the key `rulespec:`; the text of other files is not shown"
    return Diagnostic(node.span, "extends-not-rules", message, why)


def _bottom_keys(tree: Mapping) -> Iterator[Diagnostic]:
    fix = "name the other file, such as `extends: base.yaml`, or write the keys themselves"
    misspelt = next((key for key, value in tree if _means_extends(key, value)), None)
    if misspelt is not None:
        message, why = (
            f"a rule file has no key `{misspelt.text}`",
            "a file that changes another names it with `extends:`",
        )
        edits = misspelt.respelled(EXTENDS)
        yield Diagnostic(misspelt.span, "shape-unknown-key", message, why, suggestion(EXTENDS), edits=edits)
        return
    for key, _ in tree:
        if key.text in ("with", "change"):
            message = f"`{key.text}` is in a file that does not extend another"
            yield Diagnostic(key.span, "overlay-shape", message, fix=fix)


def _means_extends(key: Scalar, value: Node) -> bool:
    """Return whether a key means `extends`: it is misspelt, or in other words."""
    if key.text == EXTENDS or key.text in EXTENDING_KEYS:
        return False
    return closest(key.text, (EXTENDS,)) is not None or (isinstance(value, Scalar) and key.text in _EXTENDS_HABITS)


def _extra_keys(tree: Mapping) -> Iterator[Diagnostic]:
    why = "a file that extends another says under `change:` what is different"
    for key, _ in tree:
        if key.text not in EXTENDING_KEYS:
            near = None if key.text in _SECTIONS else closest(key.text, EXTENDING_KEYS)
            message, fix = f"`{key.text}` cannot be used with `extends`", suggestion(near) or "put it under `change:`"
            yield Diagnostic(key.span, "extends-extra-key", message, why, fix, edits=key.respelled(near))
