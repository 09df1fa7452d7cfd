"""Simulations at native speed, where a C compiler is there: the generated program once more, as C.

    simulation source → translate (shapes, tables, expressions) → C text → build (compiler, cache) → Native

INVARIANT: a native game is the game Python would have played from the same seed, vector for vector and fault for
fault. Whatever C cannot do, Python does.
"""
