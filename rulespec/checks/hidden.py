"""What a view shows to everybody must not depend on what lies hidden."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checks.secrecy import Secrecy
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.syntax import Model


def check_view(model: Model) -> Iterator[Diagnostic]:
    """Empty spaces that show what lies on a place that not everybody sees."""
    secrecy = Secrecy(model)
    for name, shown in model.view.layout.items():
        hidden = secrecy.reads(shown.under) if shown.under is not None else None
        if hidden is None:
            continue
        place = model.places[hidden]
        who = "nobody sees" if place.seen_by == "nobody" else "only its owner sees"
        yield Diagnostic(
            shown.span,
            "view-hidden",
            f"empty spaces of `{name}` show what lies on `{hidden}`, which {who}",
            "the board is for everybody; how many pieces lie on a place is no secret, what they are is one",
            also=((f"`{hidden}` is hidden", place.span),),
        )
