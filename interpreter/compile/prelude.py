"""The C that every program begins and ends with: numbers, lists, random numbers, and the calls from outside."""

# A game leaves early with a status: FULL when the memory for lists is used up, FAULT + n for fault number n.
PRELUDE = r"""
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t I;
typedef struct { I *p; I n, cap; } L;  /* rows of numbers; cap: rows there is room for, -1 where none may be added */
typedef struct { I move, n, width, first[MOST_FIRST]; I *rows; } G;
typedef struct {
    jmp_buf out;
    uint64_t state;
    int64_t steps, rounds, decisions, limit;
    I idle, scored, total, ngroups, groups_size;
    G *groups;
    char *heap;
    size_t used, size;
} run;

enum { DONE, FULL, LIMIT, FAULT };
#define UNKNOWN INT32_MIN  /* a number that was not worked out yet */
#define RARE(x) __builtin_expect(!!(x), 0)
#define INLINE static inline __attribute__((always_inline, unused))
#define APART static __attribute__((noinline, unused))

static _Noreturn __attribute__((cold, noinline, unused)) void leave(run *X, int status) { _longjmp(X->out, status); }

INLINE I min_(I a, I b) { return a < b ? a : b; }
INLINE I max_(I a, I b) { return a > b ? a : b; }
INLINE I divided(I a, I b) { I q = a / b; return q * b != a && (a < 0) != (b < 0) ? q - 1 : q; }
INLINE I modulo(I a, I b) { I r = a % b; return r && (r < 0) != (b < 0) ? r + b : r; }

/* random numbers: PCG XSH-RS, 64 bits of state, 32 bits out */
INLINE uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
INLINE uint32_t bits(run *X) {
    uint64_t s = X->state = X->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((s >> 22) ^ s) >> ((s >> 61) + 22));
}
INLINE I below(run *X, I n) { return (I)(((uint64_t)bits(X) * (uint32_t)n) >> 32); }
INLINE void decided(run *X) { if (RARE(++X->decisions > X->limit)) leave(X, LIMIT); }

/* memory: taken from one heap, given back at the next decision */
INLINE I *cells(run *X, size_t n) {
    size_t bytes = (n * sizeof(I) + 15) & ~(size_t)15;
    if (RARE(bytes > X->size - X->used)) leave(X, FULL);
    void *q = X->heap + X->used;
    X->used += bytes;
    return q;
}
INLINE L room(run *X, I n, I width) { return (L){cells(X, (size_t)n * (size_t)width), 0, n}; }
APART L zeros(run *X, I n) {
    L l = {cells(X, (size_t)n), n, -1};
    memset(l.p, 0, (size_t)n * sizeof(I));
    return l;
}
APART void grow(run *X, L *l, I width) {
    I cap = l->cap > 0 ? l->cap * 4 : 16;
    I *q = cells(X, (size_t)cap * (size_t)width);
    if (l->n) memcpy(q, l->p, (size_t)l->n * (size_t)width * sizeof(I));
    l->p = q, l->cap = cap;
}
INLINE I *added(run *X, L *l, I width) {
    if (RARE(l->n >= l->cap)) grow(X, l, width);
    return l->p + width * l->n++;
}
INLINE I *spare(run *X, L *l, I width) {
    if (RARE(l->n >= l->cap)) grow(X, l, width);
    return l->p + width * l->n;
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
    for (I i = 0; i < many; i++, q += step) {
        I some = 0;
        for (I k = 0; k < width; k++) some |= q[k];
        if (some) return 1;
    }
    return 0;
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
            I *q = added(X, &l, kinds);
            memcpy(q, taken, (size_t)kinds * sizeof(I));
        }
        for (k = kinds - 1; k >= 0 && !taken[k]; k--) {}
        if (k < 0) return l;
        taken[k]--, left[k + 1]++;
        for (I i = k + 1; i < kinds; i++) taken[i] = min_(counts[i], left[i]), left[i + 1] = left[i] - taken[i];
    }
}

/* legal moves */
INLINE G *group(run *X, I move, L rows, I width) {
    if (RARE(X->ngroups == X->groups_size)) {
        I size = X->groups_size * 2;
        G *groups = realloc(X->groups, (size_t)size * sizeof(G));
        if (!groups) leave(X, FULL);
        X->groups = groups, X->groups_size = size;
    }
    G *g = X->groups + X->ngroups++;
    g->move = move, g->n = rows.n, g->width = width, g->rows = rows.p;
    X->total += rows.n;
    return g;
}
"""

EPILOGUE = r"""
static int begin(run *X) {
    memset(X, 0, sizeof *X);
    X->size = (size_t)1 << 16;
    X->heap = malloc(X->size);
    X->groups_size = 64;
    X->groups = malloc((size_t)X->groups_size * sizeof(G));
    return X->heap && X->groups;
}
static void end(run *X) { free(X->heap); free(X->groups); }

static int one(run *X, const I *from, I *S, uint64_t state, int64_t steps, int64_t rounds, int64_t scored, int64_t limit) {
    for (;;) {
        X->state = state, X->steps = steps, X->rounds = rounds, X->scored = (I)scored, X->limit = limit;
        X->idle = 0, X->decisions = 0, X->used = 0;
        memcpy(S, from, SIZE * sizeof(I));
        int status = _setjmp(X->out);
        if (!status) { play(X, S, S[0]); return DONE; }
        if (status != FULL) return status;
        if (X->size > (size_t)1 << 28) return FULL;
        free(X->heap);
        X->heap = malloc(X->size *= 8);
        if (!X->heap) { X->size = 0; return FULL; }
    }
}

/* n games from one position; each ends where it is over, or after so many decisions or rounds */
int64_t rulespec_games(const I *from, I *out, const uint64_t *states, int64_t n, int32_t *status,
                       int64_t steps, int64_t rounds, int64_t scored, int64_t limit) {
    run X;
    int64_t done = 0;
    if (!begin(&X)) { *status = FULL; return 0; }
    for (*status = DONE; done < n && *status == DONE; done++) {
        *status = one(&X, from, out + done * SIZE, states[done], steps, rounds, scored, limit);
        if (*status != DONE) break;
    }
    end(&X);
    return done;
}
"""
