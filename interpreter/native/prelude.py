"""The C that every translated program starts with and ends with."""

# A run leaves early with a status: LEFT when only Python can tell what happens (an index outside, a number too
# large), FULL when the memory for lists is used up, STOPPED when a signal's handler raised an exception, FAULT + n for
# fault number n.
PRELUDE = r"""
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int64_t I;
typedef struct { I *p, n, cap; } seq;                 /* n items of some cells each; cap < 0: a constant */
typedef struct { seq keys, values; I *slots, size; } map;
typedef struct { I move, width; const I *first; const seq *last; } group;
typedef struct { group *p; I n, cap; } groups;
typedef struct { I move; const I *first, *last; } picked;
typedef struct {                                      /* functions of Python's, what a handler raised, and when to ask */
    int (*enter)(void), (*check)(void);
    void (*fetch)(void **, void **, void **), (*leave)(int);
    void *error[3];
    I fuel, stretch, looked, asked;
} signals;
typedef struct {
    jmp_buf out;
    uint32_t mt[624];
    int at;
    I idle, more, steps, rounds, scored, most, most_steps, most_rounds, had_scored;
    I fuel;
    signals *ask;
    char *heap;
    size_t used, size;
} run;

enum { DONE, LEFT, FULL, STOPPED, FAULT };
#define GLANCE 5                /* milliseconds, about, before the clock is looked at, */
#define PATIENCE 50             /* and before Python is asked for signals */
#define MISSING ((I)INT32_MIN)  /* not in a table of dicts */
#define GAP INT64_MIN           /* the first cell of a tuple that is None */
#define RARE(x) __builtin_expect(!!(x), 0)
#define INLINE static inline __attribute__((always_inline, unused))
#define APART static __attribute__((noinline, unused))

static _Noreturn __attribute__((cold, noinline, unused)) void leave(run *X, int status) { _longjmp(X->out, status); }

/* signals: a loop looks up now and then; in how many passes follows from how long the last ones took */
static __attribute__((cold, noinline, unused)) void look_up(run *X) {
    struct timespec now;
    signals *ask = X->ask;
    X->fuel = INT32_MAX;
    if (!ask) return;
    timespec_get(&now, TIME_UTC);
    I ms = (I)now.tv_sec * 1000 + now.tv_nsec / 1000000, spent = ms - ask->looked;
    if (spent < GLANCE && ask->stretch < 1 << 16) ask->stretch *= 2;
    if (spent > 2 * GLANCE) ask->stretch = ask->stretch / 4 + 1;
    ask->looked = ms;
    X->fuel = ask->stretch;
    if (ms >= ask->asked && ms - ask->asked < PATIENCE) return;
    ask->asked = ms;
    int held = ask->enter(), raised = ask->check() < 0;
    if (raised) ask->fetch(ask->error, ask->error + 1, ask->error + 2);
    ask->leave(held);
    if (raised) leave(X, STOPPED);
}
INLINE void tick(run *X) { if (RARE(--X->fuel < 0)) look_up(X); }

/* numbers */
INLINE I at(run *X, I i) { if (RARE((uint64_t)i >= SIZE)) leave(X, LEFT); return i; }
INLINE I within(run *X, I i, I n) { if (RARE((uint64_t)i >= (uint64_t)n)) leave(X, LEFT); return i; }
INLINE I there(run *X, I v) { if (RARE(v == MISSING)) leave(X, LEFT); return v; }
INLINE int32_t small(run *X, I v) { if (RARE((int32_t)v != v)) leave(X, LEFT); return (int32_t)v; }
INLINE I times(run *X, I a, I b) {  /* results keep to the limits of numbers; addresses of a wrong index may not */
    I r;
    if (RARE(__builtin_mul_overflow(a, b, &r) || r > (I)1 << 40 || r < -((I)1 << 40))) leave(X, LEFT);
    return r;
}
INLINE I divided(run *X, I a, I b) {
    if (RARE(b == 0)) leave(X, LEFT);
    I q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}
INLINE I modulo(run *X, I a, I b) {
    if (RARE(b == 0)) leave(X, LEFT);
    I r = a % b;
    return r && (r < 0) != (b < 0) ? r + b : r;
}

/* random numbers: MT19937 as in Python's random */
static void seed(run *X, const uint32_t *key, I n) {
    uint32_t *mt = X->mt;
    memcpy(mt, MT_START, sizeof MT_START);
    int i = 1;
    I j = 0;
    for (I k = n > 624 ? n : 624; k; k--) {
        mt[i] = (mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1664525U)) + key[j] + (uint32_t)j;
        if (++i == 624) { mt[0] = mt[623]; i = 1; }
        if (++j == n) j = 0;
    }
    for (int k = 623; k; k--) {
        mt[i] = (mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1566083941U)) - (uint32_t)i;
        if (++i == 624) { mt[0] = mt[623]; i = 1; }
    }
    mt[0] = 0x80000000U;
    X->at = 0;
}
INLINE I bits30(run *X) {
    uint32_t *mt = X->mt;
    int i = X->at, next = i == 623 ? 0 : i + 1;
    uint32_t y = (mt[i] & 0x80000000U) | (mt[next] & 0x7fffffffU);
    y = mt[i] = mt[i < 227 ? i + 397 : i - 227] ^ (y >> 1) ^ (-(y & 1) & 0x9908b0dfU);
    X->at = next;
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680U;
    y ^= (y << 15) & 0xefc60000U;
    y ^= y >> 18;
    return y >> 2;
}
INLINE I one_of(run *X, I n) {  /* bits(30) % n */
    if (RARE(n <= 0 || n > INT32_MAX)) leave(X, LEFT);
    return (uint32_t)bits30(X) % (uint32_t)n;
}

/* memory: taken from one heap, given back at the end of a pass or of the game */
INLINE void *take(run *X, size_t bytes) {
    if (RARE(bytes > X->size - X->used)) leave(X, FULL);
    void *p = X->heap + X->used;
    X->used += (bytes + 15) & ~(size_t)15;
    return p;
}
INLINE I *cells(run *X, I n) {
    if (RARE(n < 0 || n > (I)1 << 40)) leave(X, FULL);
    return take(X, (size_t)n * sizeof(I));
}
INLINE seq *new_seq(run *X) {
    seq *s = take(X, sizeof(seq));
    s->p = 0, s->n = s->cap = 0;
    return s;
}
APART void grow(run *X, seq *s, I width) {
    if (s->cap < 0) leave(X, LEFT);
    I cap = s->cap ? s->cap * 4 : 8;
    I *p = cells(X, cap * width);
    if (s->n) memcpy(p, s->p, (size_t)(s->n * width) * sizeof(I));
    s->p = p, s->cap = cap;
}
INLINE I *added(run *X, seq *s, I width) {  /* the cells of one more item */
    if (RARE(!s)) leave(X, LEFT);
    if (RARE(s->n >= s->cap)) grow(X, s, width);
    return s->p + width * s->n++;
}
INLINE I size(run *X, const seq *s) { if (RARE(!s)) leave(X, LEFT); return s->n; }
INLINE seq *as_seq(run *X, const I *p, I n) {
    seq *s = take(X, sizeof(seq));
    s->p = (I *)p, s->n = n, s->cap = -1;
    return s;
}
APART seq *copied(run *X, const seq *s, I width) {
    seq *t = new_seq(X);
    t->n = t->cap = size(X, s);
    t->p = cells(X, t->n * width);
    if (t->n) memcpy(t->p, s->p, (size_t)(t->n * width) * sizeof(I));
    return t;
}
INLINE I holds(const I *p, I n, I v) {
    for (I i = 0; i < n; i++) if (p[i] == v) return 1;
    return 0;
}
INLINE I total(const I *p, I n) {
    I sum = 0;
    for (I i = 0; i < n; i++) sum += p[i];
    return sum;
}

/* slices of the vector */
INLINE void span(run *X, I a, I b) { if (RARE(a < 0 || b < 0 || a > SIZE || b > SIZE)) leave(X, LEFT); }
INLINE I slice_count(run *X, const int32_t *S, I a, I b, I v) {
    I n = 0;
    span(X, a, b);
    for (I i = a; i < b; i++) n += S[i] == v;
    return n;
}
INLINE I slice_sum(run *X, const int32_t *S, I a, I b, I step) {
    I n = 0;
    span(X, a, b);
    for (I i = a; i < b; i += step) n += S[i];
    return n;
}
INLINE void slice_set(run *X, int32_t *S, I a, I b, const seq *s) {
    span(X, a, b);
    if (RARE((b > a ? b - a : 0) != s->n)) leave(X, LEFT);
    for (I i = 0; i < s->n; i++) S[a + i] = small(X, s->p[i]);
}
INLINE void list_set(run *X, int32_t *S, I a, const seq *s) {
    S[at(X, a)] = small(X, size(X, s));
    slice_set(X, S, a + 1, a + 1 + s->n, s);
}

/* dicts made in play */
INLINE uint64_t hashed(const I *key, I width) {
    uint64_t h = 0;
    for (I i = 0; i < width; i++) h = (h ^ (uint64_t)key[i]) * 0x9e3779b97f4a7c15U, h ^= h >> 29;
    return h;
}
INLINE map *new_map(run *X) {
    map *m = take(X, sizeof(map));
    memset(m, 0, sizeof *m);
    return m;
}
APART seq *map_get(run *X, const map *m, const I *key, I width) {
    if (!m->size) return 0;
    for (uint64_t h = hashed(key, width);; h++) {
        I i = m->slots[h & (uint64_t)(m->size - 1)];
        if (i < 0) return 0;
        if (!memcmp(m->keys.p + i * width, key, (size_t)width * sizeof(I))) return (seq *)(intptr_t)m->values.p[i];
    }
}
APART void map_slot(map *m, I number, I width) {
    uint64_t h = hashed(m->keys.p + number * width, width);
    while (m->slots[h & (uint64_t)(m->size - 1)] >= 0) h++;
    m->slots[h & (uint64_t)(m->size - 1)] = number;
}
APART void map_set(run *X, map *m, const I *key, I width, seq *value) {  /* a key that is not there yet */
    if (map_get(X, m, key, width)) leave(X, LEFT);
    if (m->values.n * 2 >= m->size) {
        m->size = m->size ? m->size * 4 : 16;
        m->slots = cells(X, m->size);
        memset(m->slots, 0xff, (size_t)m->size * sizeof(I));
        for (I i = 0; i < m->values.n; i++) map_slot(m, i, width);
    }
    memcpy(added(X, &m->keys, width), key, (size_t)width * sizeof(I));
    *added(X, &m->values, 1) = (I)(intptr_t)value;
    map_slot(m, m->values.n - 1, width);
}

/* legal moves */
INLINE groups *new_groups(run *X) {
    groups *g = take(X, sizeof(groups));
    g->p = 0, g->n = g->cap = 0;
    return g;
}
APART void add_group(run *X, groups *g, I move, const I *first, const seq *last, I width) {
    if (g->n == g->cap) {
        I cap = g->cap ? g->cap * 4 : 8;
        group *p = take(X, (size_t)cap * sizeof(group));
        if (g->n) memcpy(p, g->p, (size_t)g->n * sizeof(group));
        g->p = p, g->cap = cap;
    }
    if (!last) leave(X, LEFT);
    g->p[g->n++] = (group){move, width, first, last};
}
INLINE I many(const groups *g) {
    I n = 0;
    for (I i = 0; i < g->n; i++) n += g->p[i].last->n;
    return n;
}
APART picked pick(run *X, const groups *g) {
    I r = one_of(X, many(g));
    for (I i = 0; i < g->n; i++) {
        const group *x = g->p + i;
        if (r < x->last->n) return (picked){x->move, x->first, x->last->p + r * x->width};
        r -= x->last->n;
    }
    leave(X, LEFT);
}
APART seq *several(run *X, const I *counts, I kinds, I least, I most) {
    /* all ways to take least..most pieces from these counts, most of the first kind first */
    seq *s = new_seq(X);
    I left = most > 0 ? most : 0, bound = left, *taken = cells(X, kinds);
    for (I i = 0; i < kinds; i++) {
        taken[i] = counts[i] < left ? counts[i] : left;
        if (taken[i] < 0) return s;  /* no way */
        left -= taken[i];
    }
    for (;;) {
        if (most - left >= least) memcpy(added(X, s, kinds), taken, (size_t)kinds * sizeof(I));
        I i = kinds - 1;
        while (i >= 0 && !taken[i]) i--;
        if (i < 0) return s;
        taken[i]--, left++;
        for (i++; i < kinds; i++) {
            taken[i] = counts[i] < left ? counts[i] : left;
            left -= taken[i];
        }
        if (left > bound) leave(X, LEFT);
    }
}
"""

ENDING = r"""
static __attribute__((noinline)) int one_game(run *X, const int32_t *start, int32_t *S, const uint32_t *key, I words) {
    int status = _setjmp(X->out);
    if (status) return status;
    memcpy(S, start, SIZE * sizeof(int32_t));
    X->idle = 0;
    X->more = X->most;
    X->scored = X->had_scored;
    X->steps = X->most_steps, X->rounds = X->most_rounds;
    X->used = 0;
    seed(X, key, words);
    PLAY(X, S);
    return DONE;
}

/* A game that needs more memory is played again with more. */
static int sure_game(run *X, const int32_t *start, int32_t *S, const uint32_t *key, I words) {
    for (;;) {
        if (!X->heap) return LEFT;
        int status = one_game(X, start, S, key, words);
        if (status != FULL) return status;
        if (X->size >= (size_t)1 << 28) return LEFT;
        X->size *= 8;
        free(X->heap);
        X->heap = malloc(X->size);
    }
}

int rulespec_play(const int32_t *start, int32_t *S, const uint32_t *key, int64_t words, int64_t most, signals *ask) {
    run X;
    X.most = most, X.ask = ask, X.fuel = ask ? ask->fuel : INT32_MAX;
    X.most_steps = X.most_rounds = X.had_scored = 0;
    X.size = 1 << 15;
    X.heap = malloc(X.size);
    int status = sure_game(&X, start, S, key, words);
    if (ask) ask->fuel = X.fuel;
    free(X.heap);
    return status;
}

/* Games with the seeds first, first + 1, …; how many were played before one did not end well, and how that ended. */
int64_t rulespec_games(const int32_t *start, int32_t *out, uint64_t first, int64_t games, int32_t *status,
                       int64_t steps, int64_t rounds, int64_t scored, int64_t most, signals *ask) {
    run X;
    X.most = most, X.ask = ask, X.fuel = ask ? ask->fuel : INT32_MAX;
    int64_t n = 0;
    X.most_steps = steps, X.most_rounds = rounds, X.had_scored = scored;
    X.size = 1 << 15;
    X.heap = malloc(X.size);
    *status = DONE;
    for (; n < games; n++) {
        uint64_t s = first + (uint64_t)n;
        uint32_t key[2] = {(uint32_t)s, (uint32_t)(s >> 32)};
        *status = sure_game(&X, start, out + n * SIZE, key, key[1] ? 2 : 1);
        if (*status != DONE) break;
    }
    if (ask) ask->fuel = X.fuel;
    free(X.heap);
    return n;
}
"""


def mt_start() -> list[int]:
    """The state of MT19937 that seeding by numbers begins with."""
    state = [19650218]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
    return state
