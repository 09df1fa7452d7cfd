"""Native games read and write nothing outside of their memory, and do nothing that C leaves open.

A program of its own makes every call of the library, compiled so that any such access or operation ends it. Signed numbers may
not wrap there: the ranges of all numbers are known, and none passes what C holds.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from interpreter import load
from interpreter.compile.actions import number_actions
from interpreter.compile.to_c import to_c_part
from rulespec.files.sources import shipped_games
from tests.bundle import APART, COMPILER, bundled, prefix
from tests.compiled import Compiled
from tests.generated.finding import checked
from tests.generated.rulefiles import rule_file
from tests.sizes import SOAK, size

FOLDER = Path(__file__).parent / "native"
SMALL = ["every_step", "faults", "kalah", "names", "nim", "tictactoe"]
FLAGS = ("-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

# Games at random in one go; a tree; moves tried by halves; games by keyed luck; then the same number step by step, chance left open in half of the runs.
MAIN = """
#include <stdio.h>
enum {{ MANY = {many}, ROOM_FOR = 4096 }};
static I *states, *places, *moves, *weights;
static int64_t *games;

static int all(int (*call)(batch *), batch *b) {{
    int code;
    while ((code = call(b)) != DONE) {{
        if (code == ROOM) {{
            b->room *= 2;
            moves = b->moves = realloc(moves, (size_t)b->room * sizeof(I));
            weights = b->weights = realloc(weights, (size_t)b->room * sizeof(I));
        }} else if (code != AGAIN) return 1;
    }}
    return 0;
}}
static int64_t going(I size) {{
    int64_t n = 0;
    for (int64_t i = 0; i < MANY; i++) n += games[i * FIELDS + STATUS] == WAITS && states[i * size];
    return n;
}}
/* a tree from a position, with room for fewer nodes than there are passes, a little at a time */
static int searched(const program *p, const I *root) {{
    enum {{ NODES = 30, TABLE = 64, LONGEST = 20, TASTES = 1 << 14 }};
    double wide[TABLE], near[TABLE];
    for (int i = 0; i < TABLE; i++) wide[i] = 1 + i / 8.0, near[i] = 1.0 / (1 + i);
    tree t = {{.passes = 100, .room = NODES, .used = 1, .slots = TABLE, .counted = TABLE, .rounds = 2, .least = 5, .steps = LONGEST,
              .tries = 3, .limit = 3000, .known = 1, .random = 7, .explore = 0.5, .habit = 5, .fresh = 1, .later = 0.35, .win = 1,
              .envy = 0.5, .fuel = 50, .root = root, .wide = wide, .near = near, .work = rulespec_open()}};
    I **numbers[] = {{&t.parent, &t.action, &t.visits, &t.open, &t.sure}};
    double **values[] = {{&t.mean, &t.usual, &t.soon}};
    for (int i = 0; i < 5; i++) *numbers[i] = calloc(NODES, sizeof(I));
    for (int i = 0; i < 3; i++) *values[i] = calloc((size_t)p->PLAYERS, sizeof(double));
    t.sum = calloc(NODES, sizeof(double)), t.child = calloc(TABLE, sizeof(I)), t.state = malloc((size_t)p->SIZE * sizeof(I));
    t.taste = calloc(TASTES, sizeof(double)), t.tasted = calloc(TASTES, sizeof(I));
    t.path = malloc(STEP * LONGEST * sizeof(I)), t.notes = malloc(2 * HABITS * LONGEST * sizeof(I));
    while (t.passes > 0) if (rulespec_search(&t) > AGAIN) return 7;
    for (int i = 0; i < 5; i++) free(*numbers[i]);
    for (int i = 0; i < 3; i++) free(*values[i]);
    free(t.sum), free(t.child), free(t.state), free(t.taste), free(t.tasted), free(t.path), free(t.notes);
    rulespec_close(t.work);
    return 0;
}}
/* up to eight moves of a position, tried in three phases, a little at a time */
static int halved(const program *p, const I *root, const I *actions, I n, I me, I score) {{
    if (p->TWICE) return 0;
    int64_t each[] = {{2, 1, 3}}, sums[8] = {{0}}, counts[8] = {{0}};
    uint64_t random[] = {{1, 2, 3, 4, 5, 6}};
    I order[8], known[8] = {{0}};
    n = min_(n, 8);
    for (I i = 0; i < n; i++) order[i] = n - 1 - i;
    halving h = {{.fuel = 20, .limit = 3000, .steps = 50, .rounds = 1, .me = me, .score = score, .phases = 3, .left = n, .root = root,
                 .actions = actions, .each = each, .random = random, .order = order, .known = known, .sums = sums, .counts = counts,
                 .work = rulespec_open()}};
    h.after = malloc((size_t)(p->SIZE * n) * sizeof(I)), h.state = malloc((size_t)p->SIZE * sizeof(I));
    while (rulespec_halving(&h) == AGAIN) {{}}
    int bad = !h.status && (h.phase != 3 || counts[order[0]] != 6);
    free(h.after), free(h.state);
    rulespec_close(h.work);
    return bad ? 9 : 0;
}}
/* games by keyed luck, a little at a time, with more and more room; all decisions have the same words */
static int by_keys(const program *p, const I *begin, I score) {{
    enum {{ BLOCKS = {blocks}, RULES = {rules}, STREAMS = 16, GAMES = 4, PLACES = 1 << 14 }};
    I source[BLOCKS];
    uint64_t stream[STREAMS], here[STREAMS], marks[GAMES];
    int64_t asked[STREAMS], points[RULES * POINTS];
    if (p->ACTIONS < 0 || p->TWICE) return 0;
    for (I i = 0; i < STREAMS; i++) stream[i] = mixed((uint64_t)i);
    for (I i = 0; i < BLOCKS; i++) source[i] = i % STREAMS;
    uint8_t counted[GAMES];
    for (I i = 0; i < GAMES; i++) counted[i] = i % 2;
    keyed k = {{.fuel = 20, .limit = 3000, .room = 1, .space = 1, .n = GAMES, .width = 7 + (score < 0 ? 0 : p->PLAYERS) + POINTS * RULES,
               .streams = STREAMS, .rules = RULES, .words = PLACES, .score = score, .leads = p->RANKS > 0, .most = 16, .seed = 7,
               .from = begin, .source = source, .stream = stream, .counted = counted, .asked = asked, .here = here, .points = points, .marks = marks,
               .work = rulespec_open()}};
    int64_t *known = calloc(PLACES, sizeof *known), learned = 0, spoilt = 0;
    uint64_t *word = calloc(PLACES, sizeof *word);
    k.known = known, k.word = word;
    k.rows = malloc((size_t)(k.width * GAMES) * sizeof(int64_t));
    k.state = malloc((size_t)p->SIZE * sizeof(I));
    k.trail = malloc(sizeof(int64_t)), k.standings = malloc((size_t)p->PLAYERS * sizeof(int64_t));
    int code, bad = 0;
    while (!bad && (code = rulespec_keyed(&k)) != DONE) {{
        if (code == ROOM && k.made == k.room) {{
            k.trail = realloc(k.trail, (size_t)(k.room *= 2) * sizeof(int64_t));
        }} else if (code == ROOM) {{
            k.standings = realloc(k.standings, (size_t)((k.space *= 2) * p->PLAYERS) * sizeof(int64_t));
        }} else if (code == WORDS) {{
            uint64_t at = ((uint64_t)k.unknown * 6364136223846793005u >> 32) & (PLACES - 1);
            while (word[at]) at = (at + 1) & (PLACES - 1);
            known[at] = k.unknown, word[at] = 1;
            bad = 2 * ++learned == PLACES;
        }} else if (code == SPOILT) {{
            spoilt++;
        }} else {{
            bad = code != AGAIN;
        }}
        bad |= k.made > k.limit || k.made > k.room || k.stood > k.space;
    }}
    bad |= k.next != GAMES || spoilt > GAMES;
    free(k.rows), free(k.state), free(k.trail), free(k.standings), free(known), free(word);
    rulespec_close(k.work);
    return bad ? 8 : 0;
}}
static int played(const program *p, const I *begin, int open, I score) {{
    I actions[MANY], reasons[MANY], size = p->SIZE, players = p->PLAYERS;
    int64_t offsets[MANY + 1] = {{0}};
    uint8_t *mask = p->ACTIONS > 0 ? malloc((size_t)p->ACTIONS * MANY) : 0;
    states = malloc((size_t)size * MANY * sizeof(I)), places = malloc((size_t)players * MANY * sizeof(I));
    games = calloc(MANY * FIELDS, sizeof(int64_t));
    moves = malloc(ROOM_FOR * sizeof(I)), weights = malloc(ROOM_FOR * sizeof(I));
    batch b = {{.n = MANY, .fuel = 100, .room = ROOM_FOR, .steps = (int64_t)1 << 62, .limit = 3000, .open = open,
               .bad = -1, .states = states, .games = games, .from = begin, .actions = actions, .offsets = offsets,
               .moves = moves, .weights = weights, .mask = mask, .places = places, .reasons = reasons,
               .work = rulespec_open()}};
    the_program = p;
    rulespec_seeds(games, 0, MANY);
    if (all(rulespec_games, &b) || all(rulespec_outcome, &b) || going(size)) return 1;
    for (int64_t i = 0; i < MANY; i++) if (games[i * FIELDS + STATUS] < FAULT && places[i * players] < 1) return 2;
    if (all(rulespec_start, &b)) return 3;
    if (p->ACTIONS >= 0 && games[STATUS] == WAITS && *states && games[PLAYER] > 0 && searched(p, states)) return 7;
    if (p->ACTIONS >= 0 && games[STATUS] == WAITS && *states && games[PLAYER] > 0)
        for (I k = 0; k < 2; k++) if (halved(p, states, moves, (I)offsets[1], (I)games[PLAYER], k ? score : -1)) return 9;
    for (uint64_t turn = 0; going(size) && turn < {turns}; turn++) {{
        if (turn % 5 == 0 && all(rulespec_legal, &b)) return 4;
        for (int64_t i = 0; i < MANY; i++) {{
            int64_t n = offsets[i + 1] - offsets[i];
            actions[i] = n ? moves[offsets[i] + (int64_t)(mixed(turn * MANY + (uint64_t)i) % (uint64_t)n)] : -1;
        }}
        if (all(rulespec_step, &b)) return 5;
    }}
    if (all(rulespec_random, &b) || all(rulespec_outcome, &b) || going(size)) return 6;
    rulespec_close(b.work);
    free(moves), free(weights), free(states), free(places), free(games), free(mask);
    return 0;
}}
static int tried(int number, const program *p, const I *begin, I score) {{
    for (int open = 0; open < 2; open++) {{
        fprintf(stderr, "program %d\\n", number);
        int code = played(p, begin, open, score);
        if (code) return code;
    }}
    return by_keys(p, begin, score);
}}
"""


def run_checked(programs: Sequence[Compiled], folder: Path, many: int, turns: int, *flags: str) -> None:
    """Play games of all programs in one process that ends at the first access or operation that is wrong."""
    source, made = folder / "games.c", folder / "games"
    text = [bundled([to_c_part(c.program, number_actions(c.model, c.layout)) for c in programs])]
    most = {
        "blocks": max(len(c.program.blocks) for c in programs),
        "rules": max(1, *(len(c.model.rules) for c in programs)),
    }
    text += [MAIN.format(many=many, turns=turns, **most), "int main(void) {", "int code = 0;"]
    text += [
        f"code = code ? code : tried({i}, &{prefix(i)}, {prefix(i)}_begin, {prefix(i)}_facts[2]);"
        for i in range(len(programs))
    ]
    source.write_text("\n".join([*text, "return code;", "}"]))
    subprocess.run([str(COMPILER), *FLAGS, *flags, "-o", str(made), str(source)], check=True, timeout=1200)
    done = subprocess.run([str(made)], capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, f"ended with {done.returncode}\n{done.stderr[-4000:]}"


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize("name", ["every_step", *[*SMALL[1:], *sorted(shipped_games())] * size(0, 1)])
def test_memory__nothing_read_or_written_outside(name: str, tmp_path: Path) -> None:
    compiled = Compiled.of(load(FOLDER / f"{name}.yaml" if name in SMALL else name))
    flags = ("-O1",) if SOAK else ("-O0", *APART)  # optimizing takes longer than all the games of the check
    run_checked([compiled], tmp_path, size(20, 100), size(100, 3000), *flags)


CHUNK = size(4, 50)


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize("first", range(0, size(4, 1000), CHUNK))
def test_memory__of_generated_files(first: int, tmp_path: Path) -> None:
    """Many programs are compiled together: the compiler takes longer than the games."""
    good = [
        Compiled(found[1])
        for seed in range(first, first + CHUNK)
        if (found := checked(rule_file(seed, small=not SOAK))) is not None
    ]
    in_c = [compiled for compiled in good if not compiled.program.remembers]
    run_checked(in_c, tmp_path, 10, 100, "-O0", *APART)
