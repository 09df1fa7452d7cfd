"""The rule language: a text becomes a checked model, or diagnostics.

This is the whole public interface: `from rulespec import open_rules`. A name is loaded from its module when it is first asked
for, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespec import syntax as syntax
    from rulespec.align import likeness as likeness
    from rulespec.align import opcodes as opcodes
    from rulespec.checks.secrecy import Secrecy as Secrecy
    from rulespec.diagnostics.diagnostic import GAMES_FOLDER as GAMES_FOLDER
    from rulespec.diagnostics.diagnostic import Diagnostic as Diagnostic
    from rulespec.diagnostics.diagnostic import Edit as Edit
    from rulespec.diagnostics.diagnostic import RuleFileError as RuleFileError
    from rulespec.diagnostics.diagnostic import Run as Run
    from rulespec.diagnostics.diagnostic import Span as Span
    from rulespec.diagnostics.diagnostic import has_errors as has_errors
    from rulespec.diagnostics.diagnostic import render as render
    from rulespec.diagnostics.diagnostic import rendered as rendered
    from rulespec.diagnostics.diagnostic import shown_file as shown_file
    from rulespec.diagnostics.mending import Examination as Examination
    from rulespec.diagnostics.mending import Mended as Mended
    from rulespec.diagnostics.mending import mend as mend
    from rulespec.diagnostics.pages import as_terminal_text as as_terminal_text
    from rulespec.diagnostics.pages import known_codes as known_codes
    from rulespec.diagnostics.pages import page_of as page_of
    from rulespec.diagnostics.sarif import github as github
    from rulespec.diagnostics.sarif import sarif as sarif
    from rulespec.diagnostics.visible import document as document
    from rulespec.diagnostics.visible import is_clean as is_clean
    from rulespec.diagnostics.visible import json_escaped as json_escaped
    from rulespec.diagnostics.visible import json_text as json_text
    from rulespec.diagnostics.visible import visible as visible
    from rulespec.diff.compare import Difference as Difference
    from rulespec.diff.compare import compare_rules as compare_rules
    from rulespec.diff.trees import Change as Change
    from rulespec.diff.trees import ChangeKind as ChangeKind
    from rulespec.diff.trees import EntryPath as EntryPath
    from rulespec.english import closest as closest
    from rulespec.english import did_you_mean as did_you_mean
    from rulespec.english import first_few as first_few
    from rulespec.english import folded_names as folded_names
    from rulespec.english import listed as listed
    from rulespec.english import listed_names as listed_names
    from rulespec.english import listed_some as listed_some
    from rulespec.english import number_of as number_of
    from rulespec.english import number_range as number_range
    from rulespec.english import ordinal as ordinal
    from rulespec.english import quoted as quoted
    from rulespec.english import signed as signed
    from rulespec.english import suggest as suggest
    from rulespec.expr.builtins import AGGREGATES as AGGREGATES
    from rulespec.expr.builtins import BUILTINS as BUILTINS
    from rulespec.expr.parse import KEYWORDS as KEYWORDS
    from rulespec.files.addresses import is_block_name as is_block_name
    from rulespec.files.bundle import BundleError as BundleError
    from rulespec.files.sources import DISK as DISK
    from rulespec.files.sources import Disk as Disk
    from rulespec.files.sources import Files as Files
    from rulespec.files.sources import NoDisk as NoDisk
    from rulespec.files.sources import RefusedName as RefusedName
    from rulespec.files.sources import find_game as find_game
    from rulespec.files.sources import shipped_games as shipped_games
    from rulespec.format.formatter import format_text as format_text
    from rulespec.model.declared_names import DeclaredName as DeclaredName
    from rulespec.options.layers import Option as Option
    from rulespec.options.layers import OptionError as OptionError
    from rulespec.rules import GameNotFound as GameNotFound
    from rulespec.rules import PlayersError as PlayersError
    from rulespec.rules import Rules as Rules
    from rulespec.rules import bundle_rules as bundle_rules
    from rulespec.rules import open_bundle as open_bundle
    from rulespec.rules import open_rules as open_rules
    from rulespec.schema.shape import schema_text as schema_text
    from rulespec.syntax import Model as Model
    from rulespec.yaml import nodes as nodes
    from rulespec.yaml.source import read_source as read_source
    from rulespec.yaml.source import read_text as read_text


__version__ = "0.1.0"
LANGUAGE = 1  # the version of the rule language, which every rule file states

_NAMES = {  # module → its public names
    "rulespec.rules": (
        "open_rules", "Rules", "GameNotFound", "PlayersError", "bundle_rules", "open_bundle",
    ),
    "rulespec.options.layers": ("Option", "OptionError"),
    "rulespec.files.sources": (
        "DISK",
        "Disk",
        "Files",
        "NoDisk",
        "RefusedName",
        "find_game",
        "shipped_games",
    ),
    "rulespec.files.addresses": ("is_block_name",),
    "rulespec.files.bundle": ("BundleError",),
    "rulespec.syntax": ("Model",),
    "rulespec.model.declared_names": ("DeclaredName",),
    "rulespec.checks.secrecy": ("Secrecy",),
    "rulespec.diagnostics.diagnostic": (
        "Diagnostic", "Edit", "RuleFileError", "Run", "Span", "GAMES_FOLDER", "has_errors", "render", "rendered", "shown_file",
    ),
    "rulespec.diagnostics.mending": ("Examination", "Mended", "mend"),
    "rulespec.diagnostics.pages": ("as_terminal_text", "known_codes", "page_of"),
    "rulespec.diagnostics.sarif": ("github", "sarif"),
    "rulespec.diagnostics.visible": ("document", "is_clean", "json_escaped", "json_text", "visible"),
    "rulespec.diff.compare": ("Difference", "compare_rules"),
    "rulespec.diff.trees": ("Change", "ChangeKind", "EntryPath"),
    "rulespec.align": ("likeness", "opcodes"),
    "rulespec.english": (
        "closest", "did_you_mean", "first_few", "folded_names", "listed", "listed_names", "listed_some", "number_of", "number_range", "ordinal", "quoted",
        "signed", "suggest",
    ),
    "rulespec.format.formatter": ("format_text",),
    "rulespec.schema.shape": ("schema_text",),
    "rulespec.expr.builtins": ("AGGREGATES", "BUILTINS"),
    "rulespec.expr.parse": ("KEYWORDS",),
    "rulespec.yaml.source": ("read_source", "read_text"),
}  # fmt: skip
_MODULES = {
    "nodes": "rulespec.yaml.nodes",
    "syntax": "rulespec.syntax",
}  # whole modules: `nodes.Scalar`, `syntax.Place`
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = ["LANGUAGE", *sorted([*_HOMES, *_MODULES])]


if not TYPE_CHECKING:  # mypy sees the imports above, and no other name

    def __getattr__(name):
        if name in _HOMES:
            return getattr(import_module(_HOMES[name]), name)
        if name in _MODULES:
            return import_module(_MODULES[name])
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
