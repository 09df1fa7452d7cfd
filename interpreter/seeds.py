"""Seeds of chance: where they come from, how one follows another, and how they are written.

INVARIANT: a seed that the program picks has 128 bits from the system, and every seed derived from it keeps them: whoever
knows all draws but one cannot find that one by trying seeds.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, count
from struct import Struct
from typing import Any, NamedTuple

BITS = 128
LARGEST_SEED = 2**BITS - 1
WORDS = 16  # numbers for chance in one block
_WORDS = Struct(f"<{WORDS}I").unpack
LANES = 64  # random numbers that are worked out together
_LANES = Struct("<" + "I4x" * LANES).unpack
FACTOR, TERM = 6364136223846793005, 1442695040888963407  # of the random numbers
MASK = 2**64 - 1  # of numbers of 64 bits
LARGEST_NUMBER = 2**53 - 1  # JSON numbers beyond it are rounded by JavaScript and others


def new_seed() -> int:
    """Return a seed that nobody can guess."""
    return secrets.randbits(BITS)


def next_seed(seed: int) -> int:
    """Return the seed of a position that chance led to from one with this seed.

    It is a hash and no random number drawn from the seed: what was drawn from it, and seen, says nothing about it.
    """
    return int.from_bytes(hashlib.sha256(f"rulespec next {seed}".encode()).digest()[: BITS // 8])


def chance_words(seed: int) -> Callable[[], int]:
    """Return a function that gives chance's numbers of 32 bits in a game that is played with this seed.

    They come from a hash: whoever has seen some of them cannot work out the others.
    """
    return chain.from_iterable(chance_block(seed, block) for block in count()).__next__


def chance_block(seed: int, block: int) -> tuple[int, ...]:
    """Return a block of the numbers that `chance_words` gives, one after the other: WORDS of them."""
    return _WORDS(hashlib.sha512(f"rulespec chance {seed} {block}".encode()).digest())


def random_state(seed: int) -> int:
    """Return the first state of the random numbers of a simulated game: 64 bits, each of which depends on all of the seed."""
    if not 0 <= seed < 2**64:
        return int.from_bytes(hashlib.sha256(f"rulespec random {seed}".encode()).digest()[:8])
    z = (seed + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def stream_of(name: str) -> int:
    """Return what tells apart the numbers of one place drawn from, or of one player, from all others: 64 bits."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())


def keyed_number(luck: int, stream: int, turn: int, number: int) -> int:
    """Return the n-th number of a stream in a round, 64 bits.

    Its upper half is what decides, or all of it is the first state of the random numbers by which a move is drawn.

    `luck` is the `random_state` of a seed. Nothing depends on what was asked for before.
    """
    for part in (stream, turn, number):
        luck = random_state(luck + part & MASK)
    return luck


def word_mark(words: str) -> int:
    """Return what the words of one decision give to the mark of a game."""
    return stream_of(words) or 1


def mark_of(words: Sequence[int], scores: Sequence[int], winners: int) -> int:
    """Return what tells games apart: from the `word_mark` of each decision, and how it ended; 64 bits."""
    mark = sum(word * (2 * place + 1) for place, word in enumerate(words)) & MASK
    for part in (*scores, winners):
        mark = mark * FACTOR + part & MASK
    return random_state(mark)


def random_words(state: int) -> Callable[[], int]:
    """Return a function that gives random numbers of 32 bits: a congruential generator of 64, as the native library has it."""
    return chain.from_iterable(_random_blocks(state)).__next__


def _random_blocks(state: int) -> Iterator[tuple[int, ...]]:
    """Yield random numbers, LANES at a time.

    The states are lanes of 64 bits in one large number, in which Python multiplies and shifts them all at once. One
    state s alone would give `(s >> 32 ^ s) & 0xFFFFFFFF`, and be followed by `s * FACTOR + TERM`.
    """
    lanes = _lanes()
    while True:
        states = state * lanes.factors + lanes.terms & lanes.every_other  # the first, the third, …
        states |= (states * FACTOR + lanes.term & lanes.every_other) << 64  # and those that follow them
        state = states >> 64 * (LANES - 1)
        yield _LANES((states ^ states >> 32).to_bytes(8 * LANES, "little"))


class _Lanes(NamedTuple):
    """Numbers as wide as all lanes, with a lane of 64 bits in every 128."""

    factors: int  # by which a state is multiplied to give all the states after it,
    terms: int  # and what is added then
    term: int
    every_other: int


@cache
def _lanes() -> _Lanes:
    factor, term, factors, terms = FACTOR, TERM, 0, 0
    for i in range(LANES // 2):
        factors |= factor << 128 * i
        terms |= term << 128 * i
        factor, term = factor * FACTOR**2 & MASK, (term * FACTOR + TERM) * FACTOR + TERM & MASK
    halves = sum(1 << 128 * i for i in range(LANES // 2))
    return _Lanes(factors, terms, halves * TERM, halves * MASK)


def seed_to_data(seed: int | None) -> int | str | None:
    """Return a seed as JSON holds it without loss: a number, or beyond 2^53 its decimal digits as a string.

    >>> seed_to_data(7), seed_to_data(2**53)
    (7, '9007199254740992')
    """
    return seed if seed is None or -LARGEST_NUMBER <= seed <= LARGEST_NUMBER else str(seed)


def seed_from_data(data: Any) -> int | None:
    """Return the seed of a number or of decimal digits, `None` for none. ValueError if it is no seed.

    >>> seed_from_data("9007199254740992") == 2**53
    True
    """
    if data is None:
        return None
    if type(data) is int:
        seed = data
    elif isinstance(data, str) and data.isascii() and data.isdecimal() and len(data) <= len(str(LARGEST_SEED)):
        seed = int(data)
    else:
        raise ValueError(f"expected a seed, found {data!r}")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"expected a seed from 0 to 2^{BITS} - 1, found {data!r}")
    return seed
