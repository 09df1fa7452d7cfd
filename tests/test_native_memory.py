"""Native games read and write nothing outside of their memory, and do nothing that C leaves open.

A program of its own makes every call of the library, compiled so that any such access or operation ends it. Signed numbers may
not wrap there: the ranges of all numbers are known, and none passes what C holds.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from interpreter import load
from interpreter.compile.to_c import to_c
from rulespec.files.shipped import shipped_games
from tests.bundle import COMPILER
from tests.sizes import size

FOLDER = Path(__file__).parent / "native"
SMALL = ["every_step", "faults", "kalah", "names", "nim", "tictactoe"]
FLAGS = ("-O1", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

# Games at random in one go; then the same number step by step, chance left open in half of the runs.
MAIN = """
enum { MANY = %d, ROOM_FOR = 4096, MASK = ACTIONS > 0 ? ACTIONS : 1 };
static I states[MANY * SIZE], places[MANY * PLAYERS], reasons[MANY], actions[MANY];
static int64_t games[MANY * FIELDS], offsets[MANY + 1];
static uint8_t mask[MANY * MASK];
static I *moves, *weights;

static int all(int (*call)(batch *), batch *b) {
    int code;
    while ((code = call(b)) != DONE) {
        if (code == ROOM) {
            b->room *= 2;
            moves = b->moves = realloc(moves, (size_t)b->room * sizeof(I));
            weights = b->weights = realloc(weights, (size_t)b->room * sizeof(I));
        } else if (code != AGAIN) return 1;
    }
    return 0;
}
static int64_t going(void) {
    int64_t n = 0;
    for (int64_t i = 0; i < MANY; i++) n += games[i * FIELDS + STATUS] == WAITS && states[i * SIZE];
    return n;
}
int main(void) {
    for (int open = 0; open < 2; open++) {
        moves = malloc(ROOM_FOR * sizeof(I)), weights = malloc(ROOM_FOR * sizeof(I));
        batch b = {.n = MANY, .fuel = 100, .room = ROOM_FOR, .steps = (int64_t)1 << 62, .limit = 3000, .open = open,
                   .bad = -1, .states = states, .games = games, .from = rulespec_begin, .actions = actions,
                   .offsets = offsets, .moves = moves, .weights = weights, .mask = ACTIONS > 0 ? mask : 0,
                   .places = places, .reasons = reasons, .work = rulespec_open()};
        rulespec_seeds(games, 0, MANY);
        if (all(rulespec_games, &b) || all(rulespec_outcome, &b) || going()) return 1;
        for (int64_t i = 0; i < MANY; i++) if (games[i * FIELDS + STATUS] < FAULT && places[i * PLAYERS] < 1) return 2;
        if (all(rulespec_start, &b)) return 3;
        for (uint64_t turn = 0; going() && turn < %d; turn++) {
            if (turn %% 5 == 0 && all(rulespec_legal, &b)) return 4;
            for (int64_t i = 0; i < MANY; i++) {
                int64_t n = offsets[i + 1] - offsets[i];
                actions[i] = n ? moves[offsets[i] + (int64_t)(mixed(turn * MANY + (uint64_t)i) %% (uint64_t)n)] : -1;
            }
            if (all(rulespec_step, &b)) return 5;
        }
        if (all(rulespec_random, &b) || all(rulespec_outcome, &b) || going()) return 6;
        rulespec_close(b.work);
        free(moves), free(weights);
    }
    return 0;
}
"""


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize("name", ["every_step", *[*SMALL[1:], *sorted(shipped_games())] * size(0, 1)])
def test_memory__nothing_read_or_written_outside(name: str, tmp_path: Path) -> None:
    rules = load(FOLDER / f"{name}.yaml" if name in SMALL else name).compiled
    source, made = tmp_path / "games.c", tmp_path / "games"
    source.write_text(to_c(rules.program, rules.actions) + MAIN % (size(20, 100), size(100, 3000)))
    subprocess.run([str(COMPILER), *FLAGS, "-o", str(made), str(source)], check=True, timeout=600)
    done = subprocess.run([str(made)], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{name}: ended with {done.returncode}\n{done.stderr[:4000]}"
