"""Every form of the grammar in words, one row each, for the reference. A test compares it with the grammar."""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    usage: str
    gives: str


EXPRESSIONS: dict[str, Phrase] = {
    "number": Phrase("12", "a whole number"),
    "true": Phrase("true", "yes, of `yes_no`"),
    "false": Phrase("false", "no, of `yes_no`"),
    "none": Phrase("none", "no value: an empty cell, a variable that is not set, a table without that entry"),
    "name": Phrase("colour", "a set, a member, a table, a place, a variable, a defined name, a parameter or a choice"),
    "index": Phrase("line[me, r]", "one entry of a table, one place or one variable of those with indexes"),
    "part": Phrase("it.rank", "one part of a member that is made of several"),
    "call": Phrase("full(r)", "a defined expression or a built-in with its arguments"),
    "list_of": Phrase("[a, b]", "a list; `[]` is empty"),
    "bracket": Phrase("(a + b)", "the same, worked out first"),
    "negative": Phrase("-n", "the number with its sign turned"),
    "arithmetic": Phrase("a + b, a - b, a * b, a / b, a mod b", "whole numbers; `/` rounds down, `mod` is the rest"),
    "range": Phrase("a..b", "all whole numbers from a to b"),
    "default": Phrase("a default b", "a, or b where a is `none`"),
    "compare": Phrase("a = b, a != b, a < b, a <= b, a > b, a >= b", "yes or no"),
    "in": Phrase("a in b", "whether a is a member, an item or a piece there"),
    "not_in": Phrase("a not in b", "whether it is not"),
    "not": Phrase("not a", "yes for no, no for yes"),
    "and": Phrase("a and b", "whether both hold; b is not looked at where a does not"),
    "or": Phrase("a or b", "whether at least one holds; b is not looked at where a does"),
    "if": Phrase("if a then b else c", "b where a holds, else c"),
    "let": Phrase("let x be a in b", "b, in which x stands for a"),
    "aggregate": Phrase("sum(f(x) for x in s)", "a value gathered over all x; several go through every combination"),
    "where": Phrase("sum(f(x) for x in s where c)", "only over those for which c holds"),
    "while": Phrase("sum(f(x) for x in s while c)", "in order, up to the first for which c does not hold"),
    "group": Phrase("group(x from a along w where c)", "all places reached from a by the ways w on which c holds"),
}

STEPS: dict[str, Phrase] = {
    "move": Phrase("move … from a to b", "moves pieces; there must be as many, and room for them"),
    "draw": Phrase("draw … from a to b", "moves pieces that chance picks"),
    "roll": Phrase("roll x from s, roll x from s weighted by w", "lets chance pick one of s; x stands for it below"),
    "set": Phrase("set v to e", "gives a variable a value"),
    "add": Phrase("add e to v", "adds to a variable; it stops at its `never below` and `never above`"),
    "let_step": Phrase("let x be e", "x stands for the value of e in the steps below"),
    "score": Phrase("score a, b for p", "adds the points of scoring rules to the player's score, with their reasons"),
    "do": Phrase("do refill(p)", "does the steps of that name"),
    "remember": Phrase("remember a, v", "notes how places and variables are now, for `repeats(a, v)`"),
    "show": Phrase(
        "show a to p, show a to everyone", "lets players see once what lies on a place, or what a variable is"
    ),
    "again": Phrase("ask again", "ends a move, and asks the question again that the move answered"),
}

AMOUNTS: dict[str, Phrase] = {
    "all": Phrase("all, all of k", "every piece, or every one of those kinds"),
    "some": Phrase("n of k, up to n of k, n", "so many, or as many as there are if those are fewer"),
    "top": Phrase("top, top n", "those on top of a stack, in order"),
    "goals": Phrase("to a, then b, then c", "what has no room in the first goes to the next"),
    "goal": Phrase("to under a", "under the stack, not on it"),
}

OTHERS: dict[str, Phrase] = {
    "binding": Phrase("for each: x in s where c", "goes through s, in order"),
    "ask": Phrase("to: take or pass(r)", "the moves to decide among"),
    "pieces": Phrase("bead: 20 in pot", "how many pieces there are, and where they start"),
    "plain": Phrase("heap:", "a name without parameters"),
    "indexed": Phrase("line[player, row]:", "one for each combination of members"),
    "index_name": Phrase("line[row]:", "an index that goes through a set"),
    "index_range": Phrase("line[1..5]:", "an index that goes through a range"),
    "function": Phrase("full(player p, row r):", "a name with parameters"),
    "param": Phrase("player p", "a parameter: the set it comes from, and its name"),
    "one_of": Phrase("n: 1..3", "the player chooses one of a set, a range or a list"),
    "several": Phrase("keep: up to 4 of colour from pot[me]", "the player chooses several pieces together"),
}
