"""A checked model becomes a typed, immutable program, printed as Python and as C.

    checked model ─► lower ─► Program ─► hoist, tabulate ─► unfold ─► to_python | straighten ─► to_c

No decision is taken by looking at text that we made, and no text of an author's is in a program.
"""
