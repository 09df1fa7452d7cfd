"""The C that every program begins and ends with: numbers, lists, random numbers, and the calls from outside.

PRELUDE, then what is printed of a program, then RECORDS, FACTS, CALLS, SEARCH, HALVING and KEYED.
"""

# The status of a game after a call, as in `interpreter/run/library.py`: WAITS for a decision or is over; GOING, as the call
# had enough work; FULL, as the memory for lists is used up; FAULT + n, at fault number n, whose value is beside it.
PRELUDE = r"""
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t I;
typedef struct { I *p; I n, cap; } L;  /* rows of numbers; cap: rows there is room for, -1 where none may be added */
typedef struct { I move, n, width, first[MOST_FIRST]; I *rows; } G;
typedef struct chunk { struct chunk *before; size_t size; } chunk;
typedef struct keyed keyed;
#define MOST_SEEN 16
typedef struct { chunk *chunk; size_t used; } mark;
typedef struct {
    jmp_buf out;
    uint64_t state;                      /* of random numbers */
    const uint32_t *luck;                /* numbers for chance, if they are given; */
    int64_t *trail, luck_at, luck_end;   /* what chance decided by each; the next one, and the end */
    keyed *keys;                         /* numbers for chance and players by key, if they come from there; `counts`: moves are counted */
    int64_t steps, rounds, more, fuel;   /* decisions of players to make, rounds to play, decisions allowed, work to do */
    I idle, scored, open, acts, counts, status, value, who, total, ngroups, groups_size;
    G *groups, chosen;                   /* legal moves; the one to make if `acts`, */
    I last[MOST_LAST];                   /* with the last value chosen */
    int64_t *points;                     /* what rules gave, POINTS each, if somebody wants to know */
    chunk *chunk;
    char *heap;
    size_t used, size, taken;
} run;

struct keyed {  /* random games by keyed luck: see KEYED */
    int64_t fuel, limit, room, space;   /* work a call may do; decisions of a game; room for those of one, for standings of all */
    int64_t n, next, width;             /* games; the first one not done; numbers that are noted of each */
    int64_t streams, rules, words;      /* how many there are of each; places for words, a power of 2 */
    int64_t score, leads, most;         /* where the first score lies, -1: there are none; standings are wanted, of a game at most */
    int64_t going, late, made, told;    /* see `rulespec_keyed`; a player has decided in this round; decisions; those in the mark */
    int64_t decisions, rounds, legal, single, first;  /* of players; so far; moves, over all decisions; with one move; who began */
    int64_t changes, stood;             /* standings of this game, and of those before it */
    int64_t unknown, status, value, winners;  /* the decision without words; how the game ended */
    uint64_t seed, luck, mark;          /* of the first game, and of this one */
    const uint64_t *seeds;              /* the luck of all games, or null: of the seeds from the first one on */
    const uint8_t *counted;             /* of games: whether legal moves are counted in it */
    const I *from;                      /* the position that games start from */
    const I *source;                    /* of blocks: the stream from which chance decides, */
    const uint64_t *stream;             /* those of players first; */
    int64_t *asked;                     /* numbers taken from each in this round, */
    uint64_t *here;                     /* and what they are made of */
    const int64_t *known;               /* decisions whose words are known, */
    const uint64_t *word;               /* and what their words give to the mark; 0: nothing is there */
    int64_t *points, *trail;            /* POINTS each; decisions as they were made */
    int64_t *rows, *standings;          /* `width` of each game; PLAYERS each */
    uint64_t *marks;                    /* of games */
    I *state;                           /* SIZE */
    run *work;
    I seen[MOST_SEEN];                  /* the numbers on which the last standing depended */
};

enum { WAITS, GOING, FULL, FAULT = 8 };
#define UNKNOWN INT32_MIN  /* a number that was not worked out yet */
#define MOST_MEMORY ((size_t)1 << 28)
#define RARE(x) __builtin_expect(!!(x), 0)
#define INLINE static inline __attribute__((always_inline, unused))
#define APART static __attribute__((noinline, unused))
#define COLD static __attribute__((cold, noinline, unused))

COLD _Noreturn void leave(run *X, int status) { _longjmp(X->out, status); }
COLD _Noreturn void fail(run *X, int fault, I value) { X->value = value; leave(X, FAULT + fault); }

INLINE I min_(I a, I b) { return a < b ? a : b; }
INLINE I max_(I a, I b) { return a > b ? a : b; }
INLINE int64_t wide_min_(int64_t a, int64_t b) { return a < b ? a : b; }
INLINE int64_t wide_max_(int64_t a, int64_t b) { return a > b ? a : b; }
INLINE int64_t wide_divided(int64_t a, int64_t b) { int64_t q = a / b; return q * b != a && (a < 0) != (b < 0) ? q - 1 : q; }
INLINE int64_t wide_modulo(int64_t a, int64_t b) { int64_t r = a % b; return r && (r < 0) != (b < 0) ? r + b : r; }
INLINE I pick(I test, I a, I b) { return test ? a : b; }
INLINE I divided(I a, I b) { I q = a / b; return q * b != a && (a < 0) != (b < 0) ? q - 1 : q; }
INLINE I modulo(I a, I b) { I r = a % b; return r && (r < 0) != (b < 0) ? r + b : r; }

/* random numbers: a congruential generator, 64 bits of state, both halves of it together out, as in interpreter/seeds.py */
INLINE uint64_t mixed(uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
INLINE uint32_t bits(uint64_t *state) {
    uint64_t s = *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((s >> 32) ^ s);
}
INLINE I share(uint32_t r, I n) { return (I)(((uint64_t)r * (uint32_t)n) >> 32); }
INLINE I below(uint64_t *state, I n) { return share(bits(state), n); }
INLINE int64_t share_many(uint32_t r, int64_t n) {  /* n may be more than 32 bits hold */
    uint64_t high = (uint64_t)n >> 32, low = (uint32_t)n;
    return (int64_t)(r * high + ((r * low) >> 32));
}

/* chance: by random numbers of the game's own, or by those it is given, one for each decision, or by key: see KEYED */
INLINE int has_room(const keyed *k);            /* whether there is room for one more decision */
INLINE int ready_for_lot(keyed *k);             /* the same, and what came of the last one is noted */
INLINE uint32_t next_lot(keyed *k, I block);
INLINE void by_lot(keyed *k, I block, I code);  /* notes what was decided */
INLINE uint64_t next_turn(keyed *k, I who);         /* by which a player decides */
static void unturn(keyed *k, I who);                /* gives that back: there was nothing to decide */
static const G *by_key(keyed *k, I who, I r, I **last);  /* move number r of those that are listed, which is noted too */
static void by_turn(keyed *k, I who, I total, const G *g, const I *last);  /* notes what a player decided, of so many moves */
#define NO_LUCK(ready) ((X->luck && X->luck_at == X->luck_end) || (X->keys && !(ready)))
#define OUT_OF_LUCK NO_LUCK(ready_for_lot(X->keys))
#define PLAIN_CHANCE (!X->open && !X->luck && !X->rounds && !X->keys)
#define GIVEN_LUCK RARE(X->luck || X->keys)
INLINE uint32_t lucky(run *X, I block) { return X->keys ? next_lot(X->keys, block) : X->luck[X->luck_at]; }
INLINE uint32_t chance(run *X, I block) { return GIVEN_LUCK ? lucky(X, block) : bits(&X->state); }
/* chance decides so many times by numbers of one place, which are `mixed` of those from `begin_lots` on */
static uint64_t begin_lots(keyed *k, I block);
INLINE int64_t lots_at_once(run *X, I left, I total) {
    return min_(left, total) <= wide_min_(X->more, X->keys->room - X->keys->made) ? min_(left, total) : 0;
}
INLINE void end_lots(run *X, I block, I many) {
    X->keys->asked[X->keys->source[block]] += many, X->keys->made += many, X->more -= many, X->idle = 0;
}
INLINE int64_t lot(I block, I code) { return -((int64_t)block << 32 | (uint32_t)code); }
INLINE void by_chance(run *X, I block, I code, I rolled) {
    if (RARE(X->luck)) X->trail[X->luck_at++] = (int64_t)code * 2 + rolled;
    if (X->keys) by_lot(X->keys, block, code);
}

/* memory: taken from chunks, given back at the next block or decision */
COLD void more_memory(run *X, size_t bytes) {
    size_t size = X->size;
    do size *= 4; while (size < bytes && size < MOST_MEMORY);
    chunk *c = size < bytes || X->taken + size > MOST_MEMORY ? 0 : malloc(sizeof(chunk) + size);
    if (!c) leave(X, FULL);
    c->before = X->chunk, c->size = size;
    X->chunk = c, X->heap = (char *)(c + 1), X->size = size, X->used = 0, X->taken += size;
}
COLD void less_memory(run *X) {
    for (chunk *c = X->chunk->before, *b; c; c = b) b = c->before, free(c);
    X->chunk->before = 0, X->taken = X->size;
}
INLINE void fresh(run *X) { X->used = 0; if (RARE(X->chunk->before)) less_memory(X); }
INLINE mark marked(run *X) { return (mark){X->chunk, X->used}; }
INLINE void back(run *X, mark m) { X->used = X->chunk == m.chunk ? m.used : X->used; }
INLINE I *cells(run *X, size_t n) {
    size_t bytes = (n * sizeof(I) + 15) & ~(size_t)15;
    if (RARE(bytes > X->size - X->used)) more_memory(X, bytes);
    void *q = X->heap + X->used;
    X->used += bytes;
    return q;
}

/* what is tried on a copy of a state: a fault of it is none of the game's */
typedef struct { jmp_buf out; I idle, value; } trial;
INLINE trial begin_trial(run *X, I *copy, const I *S, I size, I idle) {
    trial t;
    memcpy(&t.out, &X->out, sizeof t.out), t.idle = X->idle, t.value = X->value;
    memcpy(copy, S, (size_t)size * sizeof(I));
    X->idle = idle;
    return t;
}
INLINE void end_trial(run *X, const trial *t, int left) {
    memcpy(&X->out, &t->out, sizeof t->out), X->idle = t->idle;
    if (RARE(left == FULL)) leave(X, FULL);
    X->value = t->value;
}

/* lists */
INLINE L room(run *X, I n, I width) { return (L){cells(X, (size_t)n * (size_t)width), 0, n}; }
INLINE L zeros(run *X, I n) {
    L l = {cells(X, (size_t)n), n, -1};
    memset(l.p, 0, (size_t)n * sizeof(I));
    return l;
}
APART L grown(run *X, L l, I width) {
    I cap = l.cap > 0 ? l.cap * 4 : 16;
    I *q = cells(X, (size_t)cap * (size_t)width);
    if (l.n) memcpy(q, l.p, (size_t)l.n * (size_t)width * sizeof(I));
    return (L){q, l.n, cap};
}
APART L copied(run *X, L l) {
    L m = {cells(X, (size_t)l.n), l.n, -1};
    if (l.n) memcpy(m.p, l.p, (size_t)l.n * sizeof(I));
    return m;
}
INLINE L row(const I *table, const I *offsets, I i) {
    return (L){(I *)table + offsets[i], offsets[i + 1] - offsets[i], -1};
}
INLINE I in_list(I v, L l) {
    for (I i = 0; i < l.n; i++) if (l.p[i] == v) return 1;
    return 0;
}

/* stretches of the state */
INLINE I sum_range(const I *q, I many, I step) {
    I n = 0;
    for (I i = 0; i < many; i++) n += q[i * step];
    return n;
}
INLINE I count_range(const I *q, I many, I v) {
    I n = 0;
    for (I i = 0; i < many; i++) n += q[i] == v;
    return n;
}
INLINE I any_range(const I *q, I many, I step, I width) {
    I some = 0;
    for (I i = 0; i < many; i++, q += step) {
        for (I k = 0; k < width; k++) some |= q[k];
        if (many * width > 64 && some) return 1;  /* few are looked at without asking in between */
    }
    return some != 0;
}
INLINE void keep(I *q, L l, I framed) {
    if (framed) *q++ = l.n;
    if (l.n) memmove(q, l.p, (size_t)l.n * sizeof(I));
}
INLINE void shift(I *S, I first, I last, I by) {
    if (first <= last) memmove(S + first + by, S + first, (size_t)(last - first + 1) * sizeof(I));
}

/* all ways to take least..most pieces, most of the first kind first */
APART L ways(run *X, const I *counts, I kinds, I least, I most) {
    L l = {0};
    I taken[kinds ? kinds : 1], left[kinds + 1], k = 0;
    if (most < 0) most = 0;
    left[0] = most;
    for (I i = 0; i < kinds; i++) taken[i] = min_(counts[i], left[i]), left[i + 1] = left[i] - taken[i];
    for (;;) {
        if (most - left[kinds] >= least) {
            if (RARE(l.n >= l.cap)) l = grown(X, l, kinds);
            memcpy(l.p + kinds * l.n++, taken, (size_t)kinds * sizeof(I));
        }
        for (k = kinds - 1; k >= 0 && !taken[k]; k--) {}
        if (k < 0) return l;
        taken[k]--, left[k + 1]++;
        for (I i = k + 1; i < kinds; i++) taken[i] = min_(counts[i], left[i]), left[i + 1] = left[i] - taken[i];
    }
}

/* legal moves */
COLD void more_groups(run *X) {
    I size = X->groups_size * 2;
    G *groups = realloc(X->groups, (size_t)size * sizeof(G));
    if (!groups) leave(X, FULL);
    X->groups = groups, X->groups_size = size;
}
INLINE G *group(run *X, I move, L rows, I width) {
    if (RARE(X->ngroups == X->groups_size)) more_groups(X);
    G *g = X->groups + X->ngroups++;
    g->move = move, g->n = rows.n, g->width = width, g->rows = rows.p;
    X->total += rows.n;
    return g;
}

/* the lines of one sum of points, by rule; if the score was held at a bound, the last lines absorb the difference: the same
   as record_points of interpreter/run/runtime.py */
enum { LINES, GIVEN, GAINED, POINTS };  /* of one rule: lines, their points, what scores really changed by */
COLD void note_points(run *X, const I *rules, const int64_t *points, I n, int64_t gained) {
    int64_t held = gained;
    for (I i = 0; i < n; i++) held -= points[i];
    for (I i = n; i-- > 0;) {
        int64_t give = 0, *noted = X->points + POINTS * rules[i];
        if (held > 0 && points[i] < 0) give = wide_min_(held, -points[i]);
        if (held < 0 && points[i] > 0) give = wide_max_(held, -points[i]);
        held -= give;
        if (points[i]) noted[LINES]++, noted[GIVEN] += points[i], noted[GAINED] += points[i] + give;
    }
}

/* numbers of moves whose pieces are chosen together: see interpreter/compile/actions.py */
APART I rank_together(const I *ways, const I *each, I kinds, I most, const I *row) {
    I found = 0, left = most;
    for (I k = 0; k < kinds; k++) {
        for (I d = row[k] + 1; d <= min_(each[k], left); d++) found += ways[(k + 1) * (most + 1) + left - d];
        left -= row[k];
    }
    return found;
}
APART void together(const I *ways, const I *each, I kinds, I most, I rank, I *row) {
    for (I k = 0, left = most; k < kinds; k++) {
        I n = min_(each[k], left), w;
        while (rank >= (w = ways[(k + 1) * (most + 1) + left - n])) rank -= w, n--;
        row[k] = n, left -= n;
    }
}
"""

# What is printed between: `play` (runs blocks from one on), `rank_of` (a rule
# of the winner for a player), `first_rank`, `last_rank` and `choose` (numbers of moves), `widths_of` (how many numbers each
# chosen value of a move has, but the last), `endless_at` (faults by block).
RECORDS = r"""
enum { RANDOM, DECISIONS, STEPS, ROUNDS, SCORED, STATUS, VALUE, PLAYER, IDLE, FIELDS };  /* of one game */
enum { DONE, AGAIN, ROOM, ILLEGAL, WORDS, SPOILT };  /* what a call returns */

typedef struct {
    int64_t n, next, fuel, room;      /* games; the first one not done; work a call may do; room for legal moves */
    int64_t steps, rounds, scored;    /* how far to play at random */
    int64_t limit, open, halt, stage; /* decisions of a game; chance is left open; stop at a fault; see `step` */
    int64_t bad;                      /* the first game of this call with a fault; -1: none */
    I *states;                        /* SIZE each */
    int64_t *games;                   /* FIELDS each */
    const I *from;                    /* the position that games start from */
    const I *actions;                 /* one each */
    int64_t *offsets;                 /* where the legal moves of each game begin, and the end */
    I *moves, *weights;
    uint8_t *mask;                    /* ACTIONS each, or null */
    I *places, *reasons;              /* PLAYERS each; one each */
    run *work;
    const uint32_t *luck;             /* for one game: numbers for chance, or null, */
    int64_t *trail, luck_at, luck_end;
} batch;

typedef struct {
    int64_t passes, fuel;               /* passes to make; work a call may do */
    int64_t room, used, slots, counted; /* nodes there is room for, and there are; size of `child`, a power of 2; of `wide` */
    int64_t rounds, least, steps, tries;  /* of a pass: rounds, decisions of players before it ends with one, and at most; see `usual_move` */
    int64_t limit, decisions;           /* of a game, and made before the root */
    int64_t known;                      /* whether all passes start from the same position */
    int64_t going, node, made, deep, noted, inside, certain, ended;  /* of the pass that is not over: see `walk` */
    int64_t seen, status, value;        /* passes that came to an end; the fault of the last one */
    int64_t player, settled;            /* who decides at the root, and how the game is sure to end */
    uint64_t random;
    double explore, habit, doubt, share, fresh, later, win, envy, spread;
    const I *root;                      /* the position that passes start from, SIZE */
    I *state;                           /* that of the pass, SIZE */
    I *parent, *action, *visits, *open; /* of nodes: number 0 is the root */
    I *sure;                            /* who is sure to win after it, NOBODY if no one alone; 0: that is not known */
    double *sum;                        /* of the values for who decided, by node */
    I *child;                           /* nodes by parent and action, 0 where there is none */
    double *taste;                      /* of habits: the mean value of passes in which it was chosen, */
    I *tasted;                          /* and in how many it was */
    double *mean, *usual, *soon;        /* values with the prize of winning, and without; those after the first round, PLAYERS each */
    I *path, *notes;                    /* of decisions in the tree, STEP each; habits and who has them, 2 each */
    const double *wide, *near;          /* how much it counts that a move could often be tried, and was */
    run *work;
} tree;

typedef struct {
    int64_t fuel, limit, decisions;     /* work a call may do; decisions of a game, and made before the root */
    int64_t steps, rounds, me, score;   /* of one play; who decides; where the first score lies, -1: there are none */
    int64_t phases, phase, left;        /* how often some are tried; those left, of which half are kept after each phase */
    int64_t place, at, going;           /* the move and the play of this phase that are next; it has begun */
    int64_t status, value;
    const I *root, *actions;            /* SIZE; the moves to try */
    const int64_t *each;                /* plays of each move, by phase */
    const uint64_t *random;             /* the beginning of each play, phase by phase */
    I *order;                           /* moves by their places in `actions`, the best ones first in the end */
    I *after, *known;                   /* SIZE each; 0: not there; else 1, 2 if somebody scored, 3 if the round is over */
    I *state;                           /* SIZE */
    int64_t *sums, *counts;             /* of what was won, by move */
    run *work;
} halving;
"""

FACTS = r"""
const I rulespec_facts[] = {SIZE, PLAYERS, SCORE, ACTIONS, FIELDS, sizeof(batch), sizeof(tree), sizeof(keyed), sizeof(halving)};
const I rulespec_begin[SIZE] = START;
"""

CALLS = r"""
void rulespec_close(run *X) {
    if (!X) return;
    for (chunk *c = X->chunk, *b; c; c = b) b = c->before, free(c);
    free(X->groups);
    free(X);
}
run *rulespec_open(void) {
    run *X = calloc(1, sizeof *X);
    if (!X) return 0;
    X->size = X->taken = (size_t)1 << 16, X->groups_size = 64;
    X->groups = malloc((size_t)X->groups_size * sizeof(G));
    X->chunk = malloc(sizeof(chunk) + X->size);
    if (!X->groups || !X->chunk) { rulespec_close(X); return 0; }
    X->chunk->before = 0, X->chunk->size = X->size, X->heap = (char *)(X->chunk + 1);
    return X;
}
void rulespec_seeds(int64_t *games, uint64_t first, int64_t n) {
    for (int64_t i = 0; i < n; i++) games[i * FIELDS + RANDOM] = (int64_t)mixed(first + (uint64_t)i);
}

static void spoilt(batch *b, int64_t *game) { if (b->bad < 0) b->bad = (game - b->games) / FIELDS; }

/* one game from a block on to its next decision, or as far as it is to play by itself */
static void go(batch *b, I *S, int64_t *game, I block) {
    run *X = b->work;
    X->state = (uint64_t)game[RANDOM], X->scored = (I)game[SCORED], X->rounds = game[ROUNDS], X->steps = game[STEPS];
    X->luck = b->luck, X->trail = b->trail, X->luck_at = b->luck_at, X->luck_end = b->luck_end;
    X->more = b->limit - game[DECISIONS], X->idle = game[STATUS] == GOING ? (I)game[IDLE] : 0;
    X->status = WAITS, X->who = -1, X->value = 0;
    X->ngroups = X->total = 0;
    int left = _setjmp(X->out);
    if (!left) {
        play(X, S, block);
        left = X->status;
    }
    X->acts = 0;
    b->luck_at = X->luck_at;
    game[RANDOM] = (int64_t)X->state, game[SCORED] = X->scored, game[ROUNDS] = X->rounds, game[STEPS] = X->steps;
    game[DECISIONS] = b->limit - X->more, game[STATUS] = left, game[VALUE] = X->value, game[PLAYER] = X->who;
    game[IDLE] = X->idle;
    if (RARE(left > GOING)) spoilt(b, game);
}
static void limited(batch *b, const I *S, int64_t *game) {  /* the next decision is one too many */
    if (RARE(game[STATUS] == WAITS && *S && game[DECISIONS] >= b->limit)) {
        game[STATUS] = FAULT + endless_at(*S);
        spoilt(b, game);
    }
}
static int done(batch *b) { b->next = b->stage = 0; return DONE; }  /* ready for the next call */

/* writes the legal moves that the last run found; 0 if there is no room */
static int listed(batch *b, int64_t i) {
    run *X = b->work;
    int64_t at = b->offsets[i];
    int chance = b->games[i * FIELDS + PLAYER] == 0;
    I total = b->games[i * FIELDS + STATUS] == WAITS && b->states[i * SIZE] ? X->total : 0;
    uint8_t *mask = ACTIONS > 0 && b->mask ? b->mask + i * ACTIONS : 0;
    if (mask) memset(mask, 0, ACTIONS > 0 ? ACTIONS : 0);
    if (at + total > b->room) return 0;
    b->offsets[i + 1] = at + total;
    if (!total) return 1;
    I *out = b->moves + at;
    for (const G *g = X->groups, *end = g + X->ngroups; g < end; g++) {
        if (chance) {
            for (I k = 0; k < g->n; k++) {
                *out++ = g->rows[2 * k];
                if (b->weights) b->weights[at + k] = g->rows[2 * k + 1];
            }
        } else if (ACTIONS >= 0) {
            I first = first_rank(g);
            for (I k = 0; k < g->n; k++) {
                I id = first + last_rank(g->move, g->rows + k * g->width);
                *out++ = id;
                if (mask) mask[id] = 1;
            }
        }
    }
    if (!chance && ACTIONS < 0) for (I k = 0; k < total; k++) out[k] = k;
    return 1;
}

/* n new games up to their first decision.
   Stage 0: the next game is new; 1: it has begun; 2: it is there, its moves are not written. */
int rulespec_start(batch *b) {
    run *X = b->work;
    X->open = (I)b->open, X->fuel = b->fuel;
    for (; b->next < b->n; b->next++, b->stage = 0) {
        int64_t *game = b->games + b->next * FIELDS;
        I *S = b->states + b->next * SIZE;
        if (b->stage < 2) {
            if (X->fuel <= 0) return AGAIN;
            if (!b->stage) {
                memcpy(S, b->from, SIZE * sizeof(I));
                game[DECISIONS] = game[STEPS] = game[ROUNDS] = game[SCORED] = 0, game[STATUS] = WAITS;
            }
            go(b, S, game, b->stage ? *S : BEGIN);
            b->stage = 1;
            if (game[STATUS] == GOING) return AGAIN;
            limited(b, S, game);
            b->stage = 2;
        }
        if (b->moves && !listed(b, b->next)) return ROOM;
    }
    return done(b);
}

/* finds the legal moves of a position again; 0 if there was too much to do before */
static int look(batch *b, I *S, int64_t *game) {
    int64_t kept[FIELDS];
    I open = b->work->open;
    memcpy(kept, game, sizeof kept);
    game[STEPS] = game[ROUNDS] = game[SCORED] = 0;
    b->work->open = 1;
    go(b, S, game, *S);
    b->work->open = open;
    kept[STATUS] = game[STATUS], kept[VALUE] = game[VALUE], kept[PLAYER] = game[PLAYER];
    memcpy(game, kept, sizeof kept);
    if (game[STATUS] != GOING) return 1;
    game[STATUS] = WAITS;
    return 0;
}

/* the legal moves of n positions. Stage 1: those of the next one are found and not written. */
int rulespec_legal(batch *b) {
    run *X = b->work;
    X->fuel = b->fuel;
    for (; b->next < b->n; b->next++, b->stage = 0) {
        int64_t *game = b->games + b->next * FIELDS;
        I *S = b->states + b->next * SIZE;
        if (!b->stage) {
            X->ngroups = X->total = 0;
            if (game[STATUS] == WAITS && *S) {
                if (!look(b, S, game)) return AGAIN;
                limited(b, S, game);
            }
            b->stage = 1;
        }
        if (!listed(b, b->next)) return ROOM;
    }
    return done(b);
}

/* whether the action of game i is one of its legal moves, as they were written before */
static int is_legal(const batch *b, int64_t i) {
    int found = 0;
    for (int64_t k = b->offsets[i]; k < b->offsets[i + 1]; k++) found |= b->moves[k] == b->actions[i];
    return found;
}

/* makes ready to decide; 0 if there was too much to do before */
static int act(batch *b, I *S, int64_t *game, I action) {
    run *X = b->work;
    if (game[PLAYER] == 0) {
        X->chosen.first[0] = action;
    } else if (ACTIONS >= 0 && !TWICE) {
        choose(X, action);
    } else {  /* an index, or a move that an ask may name twice: it is found again */
        if (!look(b, S, game)) return 0;
        const G *g = X->groups, *end = g + X->ngroups;
        I k = action;
        for (; g < end; g++) {
            I rest = ACTIONS < 0 ? 0 : action - first_rank(g);
            if (ACTIONS >= 0) for (k = 0; k < g->n && last_rank(g->move, g->rows + k * g->width) != rest; k++) {}
            if (k < g->n) break;
            if (ACTIONS < 0) k -= g->n;
        }
        if (game[STATUS] != WAITS || g == end) return 1;  /* it has a fault: nothing is decided */
        X->chosen = *g, X->chosen.rows = X->last;
        if (g->width) memcpy(X->last, g->rows + k * g->width, (size_t)g->width * sizeof(I));
    }
    game[DECISIONS]++, X->acts = 1;
    return 1;
}

/* one decision in each of n games that are not over; a negative action leaves a game as it is.
   Stage 0: nothing is done yet; 1: all actions are legal; 2: that of the next game is made, and it goes on; 3: it is there,
   its moves are not written. */
int rulespec_step(batch *b) {
    run *X = b->work;
    if (!b->stage) {
        for (; b->next < b->n; b->next++) {
            const int64_t *game = b->games + b->next * FIELDS;
            if (game[STATUS] == WAITS && b->states[b->next * SIZE] && b->actions[b->next] >= 0 && !is_legal(b, b->next))
                return ILLEGAL;
        }
        b->next = 0, b->stage = 1;
    }
    X->open = (I)b->open, X->fuel = b->fuel;
    for (; b->next < b->n; b->next++, b->stage = 1) {
        int64_t *game = b->games + b->next * FIELDS;
        I *S = b->states + b->next * SIZE;
        if (b->stage < 3) {
            X->ngroups = X->total = 0;
            if (X->fuel <= 0) return AGAIN;
            if (game[STATUS] == GOING || (game[STATUS] == WAITS && *S)) {
                if (b->stage == 1) {
                    if (b->actions[b->next] < 0 ? !look(b, S, game) : !act(b, S, game, b->actions[b->next])) return AGAIN;
                    game[STEPS] = game[ROUNDS] = game[SCORED] = 0;
                    b->stage = 2;
                }
                if (X->acts || game[STATUS] == GOING) go(b, S, game, *S);
                if (game[STATUS] == GOING) return AGAIN;
                limited(b, S, game);
            }
            b->stage = 3;
        }
        if (b->moves && !listed(b, b->next)) return ROOM;
    }
    return done(b);
}

/* n games continue at random: to their end, or for a number of decisions of players or rounds */
int rulespec_random(batch *b) {
    run *X = b->work;
    X->open = 0, X->fuel = b->fuel;
    for (; b->next < b->n; b->next++) {
        int64_t *game = b->games + b->next * FIELDS;
        I *S = b->states + b->next * SIZE;
        if (game[STATUS] > GOING) continue;
        if (game[STATUS] == WAITS) {
            if (!*S) continue;
            game[STEPS] = b->steps, game[ROUNDS] = b->rounds, game[SCORED] = b->scored;
        }
        go(b, S, game, *S);
        if (game[STATUS] == GOING) return AGAIN;
        if (game[STATUS] != WAITS && b->halt) return done(b);
    }
    return done(b);
}

/* n new games at random: `start` and `random` in one, without a stop between them */
int rulespec_games(batch *b) {
    run *X = b->work;
    X->open = 0, X->fuel = b->fuel;
    for (; b->next < b->n; b->next++, b->stage = 0) {
        int64_t *game = b->games + b->next * FIELDS;
        I *S = b->states + b->next * SIZE, block = BEGIN;
        if (b->stage) {
            block = *S;
        } else {
            memcpy(S, b->from, SIZE * sizeof(I));
            game[DECISIONS] = 0, game[STEPS] = b->steps, game[ROUNDS] = b->rounds, game[SCORED] = b->scored;
        }
        go(b, S, game, block);
        b->stage = game[STATUS] == GOING;
        if (b->stage) return AGAIN;
        if (game[STATUS] != WAITS && b->halt) return done(b);
    }
    return done(b);
}

/* the places of all players in n finished games, the best 1, and the rule that separated the winners from the others */
int rulespec_outcome(batch *b) {
    run *X = b->work;
    X->fuel = b->fuel;
    for (; b->next < b->n; b->next++) {
        int64_t i = b->next, *game = b->games + i * FIELDS;
        I *S = b->states + i * SIZE, *places = b->places + i * PLAYERS, found[PLAYERS][RANKS];
        for (I p = 0; p < PLAYERS; p++) places[p] = 0;
        b->reasons[i] = -1;
        if (game[STATUS] != WAITS || *S) continue;
        if (X->fuel-- <= 0) return AGAIN;
        int left = _setjmp(X->out);
        if (left) { game[STATUS] = left, game[VALUE] = X->value; spoilt(b, game); continue; }
        for (I p = 0; p < PLAYERS; p++) for (I k = 0; k < RANKS; k++) { fresh(X); found[p][k] = rank_of(X, S, k, p + 1); }
        for (I p = 0; p < PLAYERS; p++) {  /* its place: how many different results are better */
            I better = 0;
            for (I q = 0; q < PLAYERS; q++) {
                I k = 0, counted = 0;
                while (k < RANKS && found[q][k] == found[p][k]) k++;
                if (k == RANKS || found[q][k] < found[p][k]) continue;
                for (I r = 0; r < q; r++) counted |= !memcmp(found[r], found[q], sizeof found[q]);
                better += !counted;
            }
            places[p] = better + 1;
        }
        I winner = 0, reason = 0;
        while (places[winner] != 1) winner++;
        for (I p = 0; p < PLAYERS; p++) {
            I k = 0;
            if (places[p] == 1) continue;
            while (found[p][k] == found[winner][k]) k++;
            reason = max_(reason, k);
        }
        b->reasons[i] = reason;
    }
    return done(b);
}
"""

# The tree search of `interpreter/run/tree.py`, which has the same in Python: each decides as the other does, number by number.
SEARCH = r"""
enum { VALUES = 6, HABITS = VALUES * (VALUES + 1) / 2, SHIFT = 64 - 14 };  /* chosen values that count; bits of a habit */
enum { NODE, WHO, UNSURE, SHARED, STEP };  /* a decision: its node; who decides, among how many moves with open ends */
#define SURELY 1e300            /* the hope of a move that wins */
#define NOBODY (PLAYERS + 1)

/* the habits that a move belongs to: each of its values alone, and every two of them together */
typedef struct { uint64_t move, value[VALUES]; I values, many, habit[HABITS]; } habits;

static void add_value(habits *h, I place, const I *numbers, I width) {
    uint64_t v = h->move + ((uint64_t)place << 32);
    for (I i = 0; i < width; i++) v = mixed(v + (uint32_t)numbers[i]);
    for (I i = 0; i < h->values; i++) h->habit[h->many++] = (I)(((h->value[i] + v) * 6364136223846793005u) >> SHIFT);
    h->habit[h->many++] = (I)(v >> SHIFT);
    h->value[h->values++] = v;
}
static void begin_habits(habits *h, const G *g, I who) {  /* those of all values but the last */
    I widths[MOST_FIRST], many = min_(widths_of(g->move, widths), VALUES - 1), at = 0;
    h->move = mixed(((uint64_t)who << 32) + (uint32_t)g->move), h->values = h->many = 0;
    for (I i = 0; i < many; at += widths[i++]) add_value(h, i + 1, g->first + at, widths[i]);
}
static void end_habits(habits *h, const G *g, const I *last) {
    if (g->width) add_value(h, VALUES, last, g->width);
    else h->habit[h->many++] = (I)(h->move >> SHIFT);
}
/* what each of its habits made a pass better than others, the less the less often that was seen */
static double liking(const tree *t, const habits *h, I who) {
    const double mean = t->mean[who - 1];
    double sum = 0;
    for (I i = 0; i < h->many; i++) {
        const double times = t->tasted[h->habit[i]];
        sum += (t->taste[h->habit[i]] - mean) * times / (times + t->doubt);
    }
    return mean + t->share * sum;
}

/* where the number of a node is found by its parent and action: one of 2 * room places, so that some are always free */
static I *child_of(const tree *t, I parent, I action) {
    uint64_t at = mixed(((uint64_t)(uint32_t)parent << 32) + (uint32_t)action), last = (uint64_t)t->slots - 1;
    for (;; at++) {
        I *child = t->child + (at & last);
        if (!*child || (t->parent[*child] == parent && t->action[*child] == action)) return child;
    }
}
static double spread_of(const tree *t) { return t->seen > 1 && t->spread > 0 ? t->spread / (double)(t->seen - 1) : 1; }

/* in the tree: the move that looks best, by what came of it so far, and the better the less it was tried */
static const G *best_move(tree *t, I who, const I **last) {
    run *X = t->work;
    const G *best = 0;
    const double spread = spread_of(t);
    double most = 0;
    I ties = 0, action = 0, unsure = 0, shared = 0;
    for (const G *g = X->groups, *end = g + X->ngroups; g < end; g++) {
        habits h;
        begin_habits(&h, g, who);
        const I rank = first_rank(g), values = h.values, many = h.many;
        for (I k = 0; k < g->n; k++) {
            const I *row = g->rows + k * g->width, number = rank + last_rank(g->move, row);
            const I node = *child_of(t, (I)t->node, number), sure = node ? t->sure[node] : 0;
            h.values = values, h.many = many;
            end_habits(&h, g, row);
            double hope = liking(t, &h, who);
            if (node) {
                const I tried = t->visits[node], most_counted = (I)t->counted - 1;
                hope = (t->sum[node] + t->habit * hope) / (tried + t->habit);
                t->open[node] = min_(t->open[node] + 1, most_counted);
                hope += t->explore * spread * t->wide[t->open[node]] * t->near[min_(tried, most_counted)];
            } else hope += t->fresh * spread;
            unsure += !sure, shared |= sure == NOBODY;
            if (sure && sure != NOBODY) hope = sure == who ? SURELY : -SURELY;
            if (best && hope < most) continue;
            if (best && hope == most) { if (below(&X->state, ++ties)) continue; }
            else ties = 1;
            best = g, *last = row, most = hope, action = number;
        }
    }
    I *child = child_of(t, (I)t->node, action);
    if (!*child) {
        t->inside = 0;
        if (t->used == t->room) return best;
        *child = (I)t->used++;
        t->parent[*child] = (I)t->node, t->action[*child] = action;
    }
    I *step = t->path + STEP * t->deep++;
    if (!t->node) t->player = who;
    t->node = *child;
    step[NODE] = *child, step[WHO] = who, step[UNSURE] = unsure, step[SHARED] = shared;
    return best;
}
/* below it: the best liked of a few random moves */
static const G *usual_move(tree *t, I who, const I **last) {
    run *X = t->work;
    const G *best = 0;
    double most = 0;
    for (int64_t k = 0; k < t->tries; k++) {
        I r = below(&X->state, X->total);
        const G *g = X->groups;
        while (r >= g->n) r -= g++->n;
        habits h;
        begin_habits(&h, g, who);
        end_habits(&h, g, g->rows + r * g->width);
        const double hope = liking(t, &h, who);
        if (!best || hope > most) best = g, *last = g->rows + r * g->width, most = hope;
    }
    return best;
}

/* the value of a position for each player: how they stand, less what they grudge the best of the others.
   Prizes are 1 for the winner, -1 for those who lost, 0 for those who share the victory and while the game goes on. */
static void worth(tree *t, double *values, I *prizes) {
    run *X = t->work;
    I *S = t->state, found[PLAYERS][RANKS];
    const I over = !*S;
    for (I p = 0; p < PLAYERS; p++)
        for (I k = 0; k < (over ? RANKS : 1); k++) { fresh(X); found[p][k] = rank_of(X, S, k, p + 1); }
    for (I p = 0; p < PLAYERS; p++) {
        I other = INT32_MIN, worse = 0, equal = 0;
        for (I q = 0; q < PLAYERS; q++) {
            I k = 0;
            if (q == p) continue;
            other = max_(other, found[q][0]);
            while (over && k < RANKS && found[q][k] == found[p][k]) k++;
            if (over && k == RANKS) equal = 1;
            else worse |= found[q][k] > found[p][k];
        }
        values[p] = (double)found[p][0];
        if (PLAYERS > 1) values[p] -= t->envy * (double)other;
        prizes[p] = PLAYERS == 1 || !over ? 0 : worse ? -1 : !equal;
    }
}

/* goes on with a pass to its end: the game is over, or rounds have `ended` after enough decisions, or there were many.
   A round ends where chance follows scoring. The pass is `made` decisions long, `deep` of them by nodes, the last of these
   `node`; `inside`: the next one is in the tree; `certain`: chance decided nothing, so the same decisions lead to the same position. */
static int walk(tree *t) {
    run *X = t->work;
    I *S = t->state;
    for (;;) {
        X->status = WAITS, X->who = -1, X->ngroups = X->total = 0;
        X->rounds = 1;
        const uint64_t random = X->state;
        play(X, S, *S);
        t->certain &= X->state == random;
        if (X->status != WAITS) return X->status;
        if (*S && X->who <= 0) {
            I prizes[PLAYERS];
            if (!t->ended++) worth(t, t->soon, prizes);
            if (t->ended < t->rounds || t->made < t->least) continue;
        }
        if (!*S || X->who <= 0 || t->made == t->steps) return WAITS;
        if (X->more <= 0) fail(X, endless_at(*S), 0);
        const I who = X->who, *last = 0;
        const G *g = t->inside ? best_move(t, who, &last) : usual_move(t, who, &last);
        habits h;
        begin_habits(&h, g, who);
        end_habits(&h, g, last);
        for (I i = 0; i < h.many; i++) t->notes[2 * t->noted] = h.habit[i], t->notes[2 * t->noted++ + 1] = who;
        X->chosen = *g, X->chosen.rows = X->last;
        if (g->width) memcpy(X->last, last, (size_t)g->width * sizeof(I));
        X->more--, X->acts = 1, X->fuel -= X->total / 16, t->made++;
    }
}
static void learn(tree *t, double *values, const I *prizes) {
    const double prize = t->win * spread_of(t);
    double apart = 0;
    t->seen++;
    for (I p = 0; p < PLAYERS; p++) {
        if (t->ended) values[p] = t->soon[p] + t->later * (values[p] - t->soon[p]);
        const double more = values[p] - t->usual[p];
        apart += more < 0 ? -more : more;
        t->usual[p] += more / (double)t->seen;
        values[p] += prizes[p] * prize;
        t->mean[p] += (values[p] - t->mean[p]) / (double)t->seen;
    }
    if (t->seen > 1) t->spread += apart / PLAYERS;
    for (int64_t i = 0; i < t->noted; i++) {
        const I habit = t->notes[2 * i];
        t->taste[habit] += (values[t->notes[2 * i + 1] - 1] - t->taste[habit]) / ++t->tasted[habit];
    }
}

/* marks decisions after which it is sure how the game ends: that is now, or a player can choose it, or nothing else */
static void settle(tree *t, const I *prizes) {
    if (!t->certain || *t->state || t->made != t->deep || PLAYERS == 1) return;
    I sure = NOBODY;
    for (I p = 0; p < PLAYERS; p++) if (prizes[p] > 0) sure = p + 1;
    for (int64_t i = t->deep; i-- > 0;) {
        const I *step = t->path + STEP * i, unsure = step[UNSURE] - !t->sure[step[NODE]];
        t->sure[step[NODE]] = sure;
        if (sure == step[WHO]) continue;
        if (PLAYERS > 2 || unsure) return;
        if (step[SHARED]) sure = NOBODY;
    }
    t->settled = sure;
}

/* makes passes; the first one with a fault ends the call, and counts for nobody */
int rulespec_search(tree *t) {
    run *X = t->work;
    double values[PLAYERS];
    I prizes[PLAYERS];
    X->fuel = t->fuel, X->luck = 0, X->open = 0, X->steps = 0;
    t->status = WAITS;
    while (t->passes > 0 && t->status == WAITS) {
        if (!t->going) {
            if (X->fuel <= 0) return AGAIN;
            memcpy(t->state, t->root, SIZE * sizeof(I));
            X->state = t->random = mixed(t->random), X->scored = X->idle = X->acts = 0, X->value = 0;
            X->more = t->limit - t->decisions;
            t->node = t->made = t->deep = t->noted = t->ended = 0, t->inside = t->going = 1, t->certain = t->known;
        }
        int left = _setjmp(X->out);
        if (!left) {
            if (walk(t) == GOING) return AGAIN;
            worth(t, values, prizes);
            learn(t, values, prizes);
            settle(t, prizes);
        } else {
            t->status = left, t->value = X->value, X->acts = 0;
            for (I p = 0; p < PLAYERS; p++) values[p] = t->mean[p];
        }
        for (const I *step = t->path, *end = step + STEP * t->deep; step < end; step += STEP)
            t->visits[step[NODE]]++, t->sum[step[NODE]] += values[step[WHO] - 1];
        t->going = 0, t->passes--;
    }
    return DONE;
}
"""

# Which of some moves is best, by random plays after each: `interpreter/run/halving.py`.
HALVING = r"""
enum { QUIET = 1, NEWS, OVER };  /* what is known after a move: above */

/* what a play was worth: the lead of a player; without scores, whether they won */
static int64_t lead_in(halving *h, I *S) {
    run *X = h->work;
    const I me = (I)h->me;
    I other = 0, worse = 0, equal = PLAYERS > 1;
    if (h->score >= 0) {
        const I *score = S + h->score - 1;
        for (I p = 1, some = 0; p <= PLAYERS; p++) if (p != me) other = some++ ? max_(other, score[p]) : score[p];
        return (int64_t)score[me] - other;
    }
    if (*S) return 0;
    for (I p = 1; p <= PLAYERS && !worse; p++) {
        I k = 0, ours = 0, theirs = 0;
        for (; k < RANKS && ours == theirs; k++) {
            fresh(X);
            ours = rank_of(X, S, k, me), theirs = rank_of(X, S, k, p);
        }
        worse = theirs > ours, equal &= theirs == ours;
    }
    return worse ? -1 : PLAYERS > 1 && !equal;
}

/* the position after a move, with chance left open */
static int try_move(halving *h, I move) {
    run *X = h->work;
    I *S = h->after + SIZE * move;
    if (!h->going) {
        memcpy(S, h->root, SIZE * sizeof(I));
        X->open = X->acts = h->going = 1, X->steps = X->rounds = X->scored = X->idle = 0;
        X->more = h->limit - h->decisions - 1;
        choose(X, h->actions[move]);
    }
    X->status = WAITS, X->who = -1, X->ngroups = X->total = 0;
    play(X, S, *S);
    if (X->status != WAITS) return AGAIN;
    if (*S && X->more <= 0) fail(X, endless_at(*S), 0);
    h->known[move] = !*S || (h->rounds == 1 && X->scored && X->who == 0) ? OVER : X->scored ? NEWS : QUIET;
    h->going = 0;
    return DONE;
}
static int try_play(halving *h, I move) {
    run *X = h->work;
    if (h->known[move] == OVER) {
        memcpy(h->state, h->after + SIZE * move, SIZE * sizeof(I));
    } else {
        if (!h->going) {
            memcpy(h->state, h->after + SIZE * move, SIZE * sizeof(I));
            X->state = h->random[h->at], X->scored = h->known[move] == NEWS, X->idle = 0;
            X->open = 0, X->steps = h->steps, X->rounds = h->rounds, X->more = h->limit - h->decisions - 1;
            h->going = 1;
        }
        X->status = WAITS, X->who = -1, X->ngroups = X->total = 0;
        play(X, h->state, *h->state);
        if (X->status != WAITS) return AGAIN;
        h->going = 0;
    }
    h->sums[move] += lead_in(h, h->state), h->counts[move]++;
    return DONE;
}

/* the better half of those left come first, in their order if they are as good */
static void halve(halving *h) {
    for (int64_t i = 1; i < h->left; i++) {
        const I move = h->order[i];
        const double mean = (double)h->sums[move] / (double)h->counts[move];
        int64_t k = i;
        for (; k > 0 && (double)h->sums[h->order[k - 1]] / (double)h->counts[h->order[k - 1]] < mean; k--) h->order[k] = h->order[k - 1];
        h->order[k] = move;
    }
    h->random += h->each[h->phase++], h->left = (h->left + 1) / 2;
}

/* all phases; the first fault ends the call */
int rulespec_halving(halving *h) {
    run *X = h->work;
    X->fuel = h->fuel, X->luck = 0;
    const int left = _setjmp(X->out);
    if (left) { h->status = left, h->value = X->value, X->acts = 0; return DONE; }
    for (; h->phase < h->phases; halve(h), h->place = 0) {
        for (; h->place < h->left; h->place++, h->at = 0) {
            const I move = h->order[h->place];
            if (!h->known[move] && try_move(h, move) != DONE) return AGAIN;
            for (; h->at < h->each[h->phase]; h->at++) {
                if ((!h->going && X->fuel-- <= 0) || try_play(h, move) != DONE) return AGAIN;
            }
        }
    }
    return DONE;
}
"""

# Random games by keyed luck, for `interpreter/run/keyed.py`: what is drawn depends on the seed, the place, the round and the
# number of the draw, not on what was decided before.
KEYED = r"""
enum { NEW, PLAYING, TELLING };  /* a game that has not begun; is played; is over, and its mark is made */
#define UNCOUNTED (-1)           /* in place of numbers of legal moves, in games where these are not counted */

COLD void new_stream(keyed *k, int64_t stream) {
    k->here[stream] = mixed(mixed(k->luck + k->stream[stream]) + (uint64_t)k->rounds);
}
INLINE uint64_t next_of(keyed *k, int64_t stream) {
    const uint64_t number = (uint64_t)k->asked[stream]++;
    if (RARE(!number)) new_stream(k, stream);
    return mixed(k->here[stream] + number);
}

/* before each decision: what came of the last one is noted; 0 if there is no room for another one */
INLINE int has_room(const keyed *k) { return k->made != k->room && k->stood + k->changes != k->space; }
APART void note_standing(keyed *k) {
    run *X = k->work;
    int64_t *now = k->standings + PLAYERS * (k->stood + k->changes);
    const int64_t *before = k->changes ? now - PLAYERS : now;
    const mark begun = marked(X);
    I other = !k->changes;
    for (I p = 0; p < PLAYERS; p++) {
        const I rank = rank_of(X, k->state, 0, p + 1);
        other |= rank != before[p], now[p] = rank;
        back(X, begun);
    }
    k->changes += other;
    memcpy(k->seen, k->state + STANDING_AT, STANDING_MANY * sizeof(I));
}
/* whether a number has changed on which standings depend, if it is known which these are */
INLINE int has_moved(const keyed *k) {
    I moved = 0;
    for (I i = 0; i < STANDING_MANY; i++) moved |= k->state[STANDING_AT + i] != k->seen[i];
    return moved;
}
INLINE int ready_for_lot(keyed *k) {
    if (RARE(!has_room(k))) return 0;
    if (k->made && k->leads && (!STANDING_MANY || !k->changes || has_moved(k))) note_standing(k);
    return 1;
}

/* chance decides: a round ends where it comes after a player */
COLD void new_round(keyed *k) {
    k->rounds++, k->late = 0;
    memset(k->asked, 0, (size_t)k->streams * sizeof *k->asked);
}
INLINE uint32_t next_lot(keyed *k, I block) {
    if (RARE(k->late)) new_round(k);
    return (uint32_t)(next_of(k, k->source[block]) >> 32);
}
INLINE void by_lot(keyed *k, I block, I code) { k->trail[k->made++] = lot(block, code); }
static uint64_t begin_lots(keyed *k, I block) {
    const int64_t stream = k->source[block];
    if (k->late) new_round(k);
    if (!k->asked[stream]) new_stream(k, stream);
    return k->here[stream] + (uint64_t)k->asked[stream];
}

static void unturn(keyed *k, I who) { k->asked[who - 1]--; }
INLINE uint64_t next_turn(keyed *k, I who) { return next_of(k, who - 1); }
static void by_turn(keyed *k, I who, I total, const G *g, const I *last) {
    if (!k->first) k->first = who;
    k->decisions++, k->late = 1, k->trail[k->made++] = first_rank(g) + last_rank(g->move, last);
    if (k->work->counts) k->legal += total, k->single += total == 1;
}
static const G *by_key(keyed *k, I who, I r, I **last) {
    run *X = k->work;
    const G *g = X->groups;
    while (r >= g->n) r -= g++->n;
    *last = g->rows + r * g->width;
    by_turn(k, who, X->total, g, *last);
    X->fuel -= X->total / 16;
    return g;
}
static int play_keyed(keyed *k) {
    run *X = k->work;
    I *S = k->state;
    X->status = WAITS, X->who = -1, X->ngroups = X->total = 0;
    const I block = k->going == NEW ? BEGIN : *S;
    k->going = PLAYING;
    play(X, S, block);
    if (X->status != WAITS) return has_room(k) ? AGAIN : ROOM;
    return ready_for_lot(k) ? DONE : ROOM;
}

static void begin_keyed(keyed *k) {
    run *X = k->work;
    k->luck = k->seeds ? k->seeds[k->next] : mixed(k->seed + (uint64_t)k->next);
    memcpy(k->state, k->from, SIZE * sizeof(I));
    memset(k->asked, 0, (size_t)k->streams * sizeof *k->asked);
    memset(k->points, 0, (size_t)k->rules * POINTS * sizeof *k->points);
    X->scored = X->idle = X->acts = 0, X->value = 0, X->more = k->limit, X->counts = k->counted[k->next];
    k->late = k->made = k->told = k->decisions = k->rounds = k->first = k->changes = 0, k->mark = 0;
    k->legal = k->single = X->counts ? 0 : UNCOUNTED;
}

/* as `mark_of` of interpreter/seeds.py */
INLINE uint64_t marked_by(uint64_t mark, uint64_t part) { return mark * 6364136223846793005u + part; }

/* adds what was decided to the mark, each word by its place; 0 if there is one that is not known */
static int tell(keyed *k) {
    const uint64_t last = (uint64_t)k->words - 1;
    for (; k->told < k->made; k->told++) {
        const int64_t entry = k->trail[k->told];
        uint64_t at = ((uint64_t)entry * 6364136223846793005u >> 32) & last;
        while (k->word[at] && k->known[at] != entry) at = (at + 1) & last;
        if (!k->word[at]) { k->unknown = entry; return 0; }
        k->mark += k->word[at] * (2 * (uint64_t)k->told + 1);
    }
    return 1;
}

/* who is best by the first rule of the winner by which players differ: one bit each */
static int64_t winners_in(keyed *k) {
    run *X = k->work;
    I best[RANKS];
    int64_t found = 0;
    for (I p = 0; p < PLAYERS; p++) {
        I order = !p;
        for (I i = 0; i < RANKS; i++) {
            fresh(X);
            const I rank = rank_of(X, k->state, i, p + 1);
            if (!order) order = (rank > best[i]) - (rank < best[i]);
            if (order > 0) best[i] = rank;
        }
        if (order >= 0) found = (order ? 0 : found) | (int64_t)1 << p;
    }
    return found;
}

/* of many standings, evenly some; the first one says nothing, as nothing had happened */
static int64_t standings_kept(keyed *k) {
    if (!k->changes) return 0;
    const int64_t later = k->changes - 1, kept = wide_min_(later, k->most);
    int64_t *to = k->standings + PLAYERS * k->stood;
    for (int64_t i = 0; i < kept; i++) {
        const int64_t at = later <= k->most ? i + 1 : (i + 1) * later / k->most;
        memmove(to + PLAYERS * i, to + PLAYERS * at, PLAYERS * sizeof *to);
    }
    return kept;
}
static void note_game(keyed *k) {
    int64_t *row = k->rows + k->width * k->next;
    const int64_t kept = standings_kept(k);
    const int64_t plain[] = {k->decisions, k->rounds + k->late, k->legal, k->single, k->first, k->winners, kept};
    memcpy(row, plain, sizeof plain), row += sizeof plain / sizeof *plain;
    for (I p = 0; k->score >= 0 && p < PLAYERS; p++) {
        *row = k->state[k->score + p];
        k->mark = marked_by(k->mark, (uint64_t)*row++);
    }
    memcpy(row, k->points, (size_t)k->rules * POINTS * sizeof *row);
    k->marks[k->next] = mixed(marked_by(k->mark, (uint64_t)k->winners));
    k->stood += kept;
}
static void note_fault(keyed *k) {
    int64_t *row = k->rows + k->width * k->next;
    memset(row, 0, (size_t)k->width * sizeof *row);
    *row = k->decisions, k->marks[k->next] = 0;
}

/* the next game, from the beginning or from where the last call stopped */
static int keyed_game(keyed *k) {
    run *X = k->work;
    if (k->going != TELLING) {
        const int left = _setjmp(X->out);
        if (!left) {
            const int code = play_keyed(k);
            if (code != DONE) return code;
            k->winners = winners_in(k);
        }
        k->status = left, k->value = X->value, X->acts = 0, k->going = TELLING;
    }
    if (k->status != WAITS) {
        note_fault(k);
    } else {
        if (!tell(k)) return WORDS;
        note_game(k);
    }
    k->going = NEW, k->next++;
    return k->status == WAITS ? DONE : SPOILT;
}

/* n games; a call stops after one that has a fault */
int rulespec_keyed(keyed *k) {
    run *X = k->work;
    X->fuel = k->fuel, X->luck = 0, X->open = 0, X->steps = X->rounds = 0, X->points = k->points, X->keys = k;
    while (k->next < k->n) {
        if (k->going == NEW) {
            if (X->fuel <= 0) return AGAIN;
            begin_keyed(k);
        }
        const int code = keyed_game(k);
        if (code != DONE) return code;
    }
    return DONE;
}
"""
