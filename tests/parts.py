"""The parts of the soak run: which files of tests belong to each, and what it shows. Imports nothing: `run.py` reads it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SoakPart:
    shows: str
    files: tuple[str, ...]  # without `tests/test_` and `.py`


PARTS = {
    "hostile": SoakPart(
        "rule files, records and input of somebody who means harm: nothing runs, hangs, leaks or reaches the screen raw",
        ("cache", "clean_text", "engine_fuzz", "hostile", "interrupt", "limit", "payloads", "secrets"),
    ),
    "generated": SoakPart(
        "rule files that nobody wrote: reference, Python and C agree, and planted mistakes are found",
        ("expressions", "generated", "mutants", "names", "numbers", "planted"),
    ),
    "engine": SoakPart(
        "all shipped games natively, optimized and with sanitizers: the same games as in Python",
        ("agreement", "batch", "compile", "flow", "library", "native", "native_memory", "rollouts", "tree"),
    ),
    "games": SoakPart(
        "the shipped games at random: what holds in every position, and what second implementations say",
        (
            "beacons", "bots", "caravans", "classics", "coverage", "dominoes", "draughts", "every_game", "examples", "go", "gullies", "hex", "house",
            "masquerade", "movements", "reference", "reversi", "sense", "several", "sight", "stale",
            "trial", "view",
        ),
    ),
    "lab": SoakPart(
        "statistics of the lab: intervals cover and claims are held to what is promised, on real games too; several machines; "
        "environments for programs that learn",
        ("cluster", "estimates", "keyed", "lab", "lab_again", "lab_kings", "lab_pictures", "lab_skill", "lab_statistics", "lab_watchers", "learn"),
    ),
    "table": SoakPart(
        "whole games typed at a terminal and at a table with real pieces, killed and resumed; their records",
        ("keystrokes", "play", "positions", "record", "screens", "table", "table_session", "verify"),
    ),
    "web": SoakPart(
        "pictures of many positions, whole games in a browser, a server under load and under attack",
        ("geometry", "pages", "render", "scene", "touch", "web_hostile", "web_process", "web_secrets", "web_sitting"),
    ),
    "editors": SoakPart(
        "the extension for VS Code, tested and packed; Neovim and Emacs without a screen, with the settings of the docs",
        ("editors",),
    ),
    "texts": SoakPart(
        "rulebooks, comparisons, templates and every page of the docs; wrong files; a comment in every shipped file; every name renamed",
        (
            "comment", "conflicts", "diff", "docs", "explain", "fixes", "language_used", "lsp", "lsp_house", "lsp_more", "lsp_typing", "new",
            "newcomers", "rereading", "rulebook", "rulebook_sentences", "wrong",
        ),
    ),
}  # fmt: skip
