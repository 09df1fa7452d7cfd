"""Guesses at the meaning of a text that cannot be read: the first that makes sense where it stands.

A guess is the text with the change that its complaint proposes, or in other words. Several rewordings may be needed for one text, so
they are tried together, the fewest first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.english import listed_names
from rulespec.expr.hints.sentences import LIKE_SENTENCES, SENTENCES, TURNED
from rulespec.expr.names import HABITS
from rulespec.expr.parse import KEYWORDS, Fragment, Syntax, parse_text, tree_of
from rulespec.model.repair import OF_THE_LANGUAGE, Repair, lost_words, repairs
from rulespec.yaml.nodes import Scalar

Judge = Callable[[Fragment], list[Diagnostic]]  # what is said about a text that can be read: nothing if it makes sense

MOST_TRIED = 120  # texts
MOST_TOGETHER = 4  # rewordings of one step
_LIMITS = {"until", "unless", "except", "without", "but", "if", "when", "while", "not"}  # words that no step may lose
MOST_FOLLOWED = 6  # changes, one after another
MOST_OFFERED = 2  # texts that are equally likely meant
LONGEST = 160  # characters of a text that is reworded

_GERMAN = {
    "und": "and",
    "oder": "or",
    "nicht": "not",
    "wenn": "if",
    "falls": "if",
    "dann": "then",
    "sonst": "else",
    "ist": "=",
    "für": "for",
    "jeder": "each",
    "jeden": "each",
    "keiner": "none",
    "niemand": "none",
    "von": "from",
    "nach": "to",
    "alle": "all",
    "mal": "*",
    "minus": "-",
    "setze": "set",
    "ziehe": "draw",
}
_NUMBERS = {word: n for word, n in HABITS.items() if n.isdecimal()}
_PLAIN = r"[a-z]\w*(?:\[[^\[\]]*\])?"  # a name, with indexes or not
_MOVES = r"(?P<k>move|draw) "

_OF_STEPS: tuple[tuple[str, str], ...] = (  # pattern and replacement, wherever it occurs
    # small words
    (r"[.;,!]+$", ""),
    (r"\b(?:the|an?) (?=[a-z])", ""),
    (r"\b(?:randomly|random|any|some|other|exactly|each|more|of them)\b ?", ""),
    (r" (?:at random|again|now|there|too|instead)$", ""),
    # amounts
    (rf"^{_MOVES}(?:an?|single) (?:(?P<w>\w+) )?from\b", r"\g<k> 1 from"),
    (r"\b(?:at most|no more than|not more than|maximum|max|0 ?\.\.|0 to|0-) ?(?=\w)", "up to "),
    (rf"^{_MOVES}\d+ ?(?:\.\.|-|to|or) ?(?P<n>\d+) ", r"\g<k> up to \g<n> "),
    (rf"^{_MOVES}(?P<n>(?:up to )?\S+) (?!of\b)(?P<w>\w+) from\b", r"\g<k> \g<n> of \g<w> from"),
    (rf"^{_MOVES}(?P<n>(?:up to )?\S+) (?:of )?(?P<w>\w+) from\b", r"\g<k> \g<n> from"),
    (rf"^{_MOVES}all (?P<w>\w+) from\b", r"\g<k> all from"),
    (rf"^{_MOVES}(?P<w>\w+) from\b", r"\g<k> 1 of \g<w> from"),
    (rf"^{_MOVES}from (?P<rest>.+?):? (?P<n>\d+|all)$", r"\g<k> \g<n> from \g<rest>"),
    (rf"^{_MOVES}(?:everything|every piece|whatever is|it|them) (?:from|on|in) ", r"\g<k> all from "),
    (rf"^{_MOVES}(?P<a>{_PLAIN}) (?P<to>to|into|onto) (?P<b>.+)$", r"\g<k> all from \g<a> to \g<b>"),
    (rf"^(?:refill|fill|replenish|restock)(?: up)? (?P<a>{_PLAIN}) (?:from|with|out of) (?P<b>{_PLAIN})$", r"draw up to free(\g<a>) from \g<b> to \g<a>"),
    (r"\bas many as\b", "up to"),
    (r"^roll (?:an? |one )?(?:die|dice|d6) (?:for|as|into|to) (?P<n>[a-z]\w*)", r"roll \g<n> from 1..6"),
    (r"^(?P<v>[a-z]\w*) (?:moves|passes|goes|turns)(?: on)? to (?:the )?next(?: \w+)?$", r"set \g<v> to next(\g<v>)"),
    # places
    (r"\bmy (?P<w>\w+)", r"\g<w>[me]"),
    (r"\b(?P<p>\w+)'s (?P<w>\w+)", r"\g<w>[\g<p>]"),
    (r"\b(?P<w>[a-z]\w*) of (?P<p>[a-z]\w*)\b", r"\g<w>[\g<p>]"),
    (r"\b(?:into|onto|on|in|towards?|under)\b|->|→", "to"),
    (r"\bout of\b|\boff\b|\bin\b", "from"),
    (rf"^{_MOVES}(?P<a>.+ to \S+?),? (?:or else|or|and then|then|otherwise|else|and) (?:to )?(?P<b>\S.*)$", r"\g<k> \g<a>, then \g<b>"),
    (rf"^{_MOVES}(?P<a>.+ to [^,\[]+(?:\[[^\]]*\])?), (?!then\b)(?P<b>.+)$", r"\g<k> \g<a>, then \g<b>"),
    (r", (?:and )?(?:the )?(?:rest|others|remaining|remainder)(?: \w+)? (?=to )", ", then "),
    (r", then to ", ", then "),
    (rf"^{_MOVES}(?P<n>.+?) to (?P<b>{_PLAIN}) from (?P<a>.+)$", r"\g<k> \g<n> from \g<a> to \g<b>"),
    (rf"^{_MOVES}from (?P<a>{_PLAIN}) to (?P<b>{_PLAIN}) (?P<n>.+)$", r"\g<k> \g<n> from \g<a> to \g<b>"),
    # rolls, values, numbers
    (r"\b(?:with weights?|weighted with|weighted(?! by)|weights?|weighting)\b", "weighted by"),
    (r"^roll (?P<n>\w+) (?:in|of|between|as|=|on) (?P<s>.+)$", r"roll \g<n> from \g<s>"),
    (r"^(?P<n>\w+) (?:=|is|be) roll (?P<s>.+)$", r"roll \g<n> from \g<s>"),
    (rf"^set (?P<v>{_PLAIN}) (?:(?:as|equal to|equals|be|is|into|at|:=|=|:) ?)?(?!to\b)(?P<e>\S.*)$", r"set \g<v> to \g<e>"),
    (r"^set (?P<v>\w+) to (?:the )?player with (?:the )?(?:highest|most|largest|biggest|best) (?P<w>\w+)$", r"set \g<v> to first(p for p in player where \g<w>[p] = max(\g<w>[q] for q in player)) default \g<v>"),
    (r"^set (?P<v>\w+) to (?:the )?player with (?:the )?(?:lowest|fewest|least|smallest) (?P<w>\w+)$", r"set \g<v> to first(p for p in player where \g<w>[p] = min(\g<w>[q] for q in player)) default \g<v>"),
    (rf"^set (?P<v>{_PLAIN}) to be (?P<e>\S.*)$", r"set \g<v> to \g<e>"),
    (r"^let (?P<e>.+) (?:be|=|is|as) (?P<n>[a-z]\w*)$", r"let \g<n> be \g<e>"),
    (r"^let (?P<n>[a-z]\w*) (?:equals?|as|is|:=|=|to|stand for) (?P<e>.+)$", r"let \g<n> be \g<e>"),
    (r"^add (?P<n>.+) (?:into|on|onto|for|at) (?P<v>\S+)$", r"add \g<n> to \g<v>"),
    # scores
    (r"^score (?P<a>.+?) ?(?:\+|&|\band\b|\bplus\b) ?(?P<b>.+ for .+)$", r"score \g<a>, \g<b>"),
    (r"^score for (?P<p>\S+?):? (?P<r>.+)$", r"score \g<r> for \g<p>"),
    (r"^score (?P<r>\w+)(?: (?:with|by|of|using))? (?!for\b)(?P<a>[^,]+) for (?P<p>\S+)$", r"score \g<r>(\g<a>) for \g<p>"),
    (r"^score (?P<a>\S+)(?: points?)? (?:for|from|of|as) (?P<r>\w+) for (?P<p>\S+)$", r"score \g<r>(\g<a>) for \g<p>"),
    (r"^(?P<p>\w+) (?:scores?|gets?|gains?|earns?) (?P<r>.+)$", r"score \g<r> for \g<p>"),
    (r"^(?:give|award) (?P<p>\w+) (?P<r>.+)$", r"score \g<r> for \g<p>"),
    (r"^(?:give|award|score) (?P<r>.+) to (?P<p>\S+)$", r"score \g<r> for \g<p>"),
    (r"^score (?P<p>\w+) (?P<r>[a-z]\w*)$", r"score \g<r> for \g<p>"),
    # named steps, what is seen, what is remembered
    (r"^do (?P<n>\w+)(?: (?:with|for|on|of|using|to))? (?P<a>[^()]+)$", r"do \g<n>(\g<a>)"),
    (r"^(?P<b>do \w+\([^()]*?\w) (?:and |for |with |on |of )?(?P<c>\w[^()]*\))$", r"\g<b>, \g<c>"),
    (r"^show (?P<p>\w+) (?P<a>\S+)$", r"show \g<a> to \g<p>"),
    (r"^show (?P<a>.+) (?:for|at|with) (?P<p>\w+)$", r"show \g<a> to \g<p>"),
    (r"^set (?P<v>\w+) to (?:the )?(?P<p>\w+) where (?P<c>.+)$", r"set \g<v> to first(\g<p> for \g<p> in player where \g<c>) default \g<v>"),
    (r"^(?P<a>set (?P<v>\w+) to first\(.+\))$", r"\g<a> default \g<v>"),
    (r"^remember \[(?P<a>.+)\]$", r"remember \g<a>"),
    (r"^remember (?P<a>.+) and (?P<b>\w+)$", r"remember \g<a>, \g<b>"),
)  # fmt: skip

_COMPARED = (
    (r"at least|no fewer than|no less than|not less than|greater than or equal to|more than or equal to", ">="),
    (r"at most|no more than|not more than|less than or equal to|up to", "<="),
    (r"more than|greater than|bigger than|larger than|higher than|above|over", ">"),
    (r"less than|fewer than|smaller than|lower than|below|under", "<"),
    (r"exactly|equal to|the same as|equals", "="),
    (r"different from|other than|not equal to|unlike", "!="),
)
_SAID = "|".join(f"(?:{words})" for words, _ in _COMPARED)
_VALUE = r"[\w.]+(?:\[[^\[\]]*\]|\([^()]*\))?"  # a name or a number, with indexes or arguments or not
_GATHERS = "sum|count|any|all|max|min|first|list"
_OF_EXPRESSIONS: tuple[tuple[str, str], ...] = (
    (r"(?<!\.)\.$|[;,!]+$", ""),
    (r"\b(?:the|an?) (?=[a-z])", ""),
    (r"\b(?:either|both|really|already|still|now|currently|exactly|also|just|only|yet) ?", ""),
    (r"(?<=[\w)\]]) ?:[0-9.,]*[a-z%]?$", ""),
    (r" ?\?$", ""),
    (r"^(?:is|are|does|do|has|can) (?=\S+ (?:not )?(?:in|=|!=|<|>|<=|>=) )", ""),
    (r" rounded (?:down|off)$| \(rounded down\)$", ""),
    (r"(?<!\w)[\"'`“”‘’]|[\"'`“”‘’](?!s\b)", ""),
    (r"^when(?:ever)? (?=.+ then )", "if "),
    (r"\bfor (?P<a>\w+), ?(?P<b>\w+) in (?P<d>\w+|\[[^\[\]]*\])", r"for \g<a> in \g<d>, \g<b> in \g<d>"),
    (rf"(?P<a>{_VALUE}) (?:is |are )?(?:the )?same (?:piece |colour |kind )?as (?P<b>{_VALUE})", r"piece(\g<a>) = piece(\g<b>)"),
    (r"\b(?P<g>sum|max|min|list|first)\((?P<t>\w+)\[(?P<a>\d*) ?: ?(?P<b>[^\[\]]*(?:\[[^\[\]]*\])?[^\[\]]*)\]\)", r"\g<g>(\g<t>[i] for i in 1..\g<b>)"),
    (r", ?default ?= ?(?P<v>\w+)\)", r") default \g<v>"),
    (r" ?\?\? ?", " default "),
    (rf"\b(?P<v>{_VALUE}) (?:is |are )?neither (?P<f>\w+) nor (?P<g>\w+)", r"not \g<f>(\g<v>) and not \g<g>(\g<v>)"),
    (r"\b(?P<g>sum|max|min|list|any|all|count)\((?:list\()?(?:map|filter)\(lambda (?P<x>\w+) ?: ?(?P<e>.+), ?(?P<d>\w+)\)?\)$", r"\g<g>(\g<e> for \g<x> in \g<d>)"),
    (r"\brange\((?P<a>\w+), ?(?P<b>\w+)\)", r"\g<a>..\g<b> - 1"),
    (r"\brange\((?P<b>\w+)\)", r"0..\g<b> - 1"),
    (r"\botherwise\b", "else"),
    (r"\bif (?P<c>[^:]+): ?(?P<a>[^:]+?) else ?: ?", r"if \g<c> then \g<a> else "),
    (r"^(?P<a>.+) unless (?P<c>.+)$", r"\g<c> or \g<a>"),
    (r"\bin (?P<a>\w+(?:, ?\w+)+)(?![\w(\[])", r"in [\g<a>]"),
    # conditions
    (rf"\b(?:I|i|you|me|he|she|they|we) (?:have|has|had|own|owns) (?P<o>{_SAID}) (?P<n>{_VALUE}) (?:of )?(?P<w>[a-z]\w*)", r"\g<w>[me] \g<o> \g<n>"),
    (rf"\b(?:I|i|you|me|he|she|they|we) (?:have|has|had|own|owns) (?P<n>{_VALUE}) (?:of )?(?P<w>[a-z]\w*)", r"\g<w>[me] >= \g<n>"),
    (rf"\bthere (?:is|are) (?P<o>{_SAID}) (?P<n>{_VALUE}) (?:of )?(?P<k>\w+) (?:left )?(?:in|on|at) (?P<a>{_PLAIN})", r"count(\g<a>, \g<k>) \g<o> \g<n>"),
    (rf"\bthere (?:is|are) (?:no|not any) (?P<k>\w+) (?:left )?(?:in|on|at) (?P<a>{_PLAIN})", r"\g<k> not in \g<a>"),
    (rf"\bthere (?:is|are) (?:an?|some|any)? ?(?P<k>\w+) (?:left )?(?:in|on|at) (?P<a>{_PLAIN})", r"\g<k> in \g<a>"),
    (rf"\b(?P<a>{_PLAIN}) (?:has|have|contains|holds) (?P<o>{_SAID}) (?P<n>{_VALUE}) (?P<k>\w+)", r"count(\g<a>, \g<k>) \g<o> \g<n>"),
    (rf"\b(?P<a>{_PLAIN}) (?:has|have|contains|holds) (?P<k>[a-z]\w*)\b", r"\g<k> in \g<a>"),
    (rf"\b(?P<v>{_VALUE}) (?:is|are) not (?P<f>[a-z]\w*)$", r"not \g<f>(\g<v>)"),
    (rf"\b(?P<v>{_VALUE}) (?:is|are) (?P<f>[a-z]\w*)$", r"\g<f>(\g<v>)"),
    (rf"\b(?P<v>{_VALUE}) (?:is|are) not (?P<f>[a-z]\w*) ", r"not \g<f>(\g<v>) "),
    (rf"\b(?P<v>{_VALUE}) (?:is|are) (?P<f>[a-z]\w*) ", r"\g<f>(\g<v>) "),
    (rf"\b(?:is|are) (?={_SAID})", ""),
    *((rf"\b(?:{words})\b", sign) for words, sign in _COMPARED),
    (rf"(?P<v>{_VALUE}) (?P<o>!=|<=|>=|=|<|>|in) (?P<a>.+?) (?P<j>and|or) (?P<p>!=|<=|>=|=|<|>|not in|in) ?", r"\g<v> \g<o> \g<a> \g<j> \g<v> \g<p> "),
    (r"\b(?:but|while|plus also|as well as)\b|&&?| , ", "and"),
    (r", ", " and "),
    (r"\bis not\b|\bisn't\b|\bare not\b|\bdoes not equal\b", "!="),
    (r"\b(?:is|are|equals)\b", "="),
    (r"\b(?:must|should|has to|have to|needs to) be\b ?", ""),
    (r"\bno (?=[a-z])", "not "),
    (r"(?P<a>[^()?]+) ?\? ?(?P<b>[^:()]+) ?: ?(?P<c>[^()]+)", r"if \g<a> then \g<b> else \g<c>"),
    (rf"(?P<a>{_VALUE}) (?:when|if|whenever|in case) (?P<c>[^()]+)", r"if \g<c> then \g<a> else 0"),
    (r"^for (?:all|every|each|any) (?P<n>\w+) in (?P<s>\w+) ?[,:]? (?P<b>.+)$", r"all(\g<b> for \g<n> in \g<s>)"),
    (r"^(?:there is|there are|exists|some) (?:an? |any )?(?P<n>\w+) in (?P<s>\w+) (?:where|with|so that|such that|for which|whose) (?P<b>.+)$", r"any(\g<b> for \g<n> in \g<s>)"),
    (r"\b(?P<g>max|min|sum)\((?P<w>\w+)(?:\[(?:all|every|each)(?: players?)?\]| of (?:all|every|each) players?)\)", r"\g<g>(\g<w>[x] for x in player)"),
    (r"\b(?P<w>\w+)(?:\[(?:all|every|each)(?: players?)?\]| of (?:all|every|each|any) players?)", r"max(\g<w>[x] for x in player)"),
    (r"\b(?:highest|largest|biggest|best|most) (?P<w>\w+)", r"max(\g<w>[x] for x in player)"),
    (r"\b(?:lowest|smallest|fewest|least) (?P<w>\w+)", r"min(\g<w>[x] for x in player)"),
    # calls
    (r"\b(?P<p>\w+)\.(?P<f>[a-z]\w*)\(\)", r"\g<f>(\g<p>)"),
    (r"\b(?:next )?(?:player|one) (?:after|left of|following) (?P<p>\w+)", r"next(\g<p>)"),
    (r"\b(?:player|one) before (?P<p>\w+)", r"previous(\g<p>)"),
    (r"\b(?P<f>[a-z]\w*) (?:from|of|after|for|to) (?P<p>[a-z]\w*)", r"\g<f>(\g<p>)"),
    (r"\b(?P<a>\w+) (?P<f>[a-z]\w*) (?P<b>\w+)\b", r"\g<f>(\g<a>, \g<b>)"),
    (r"\bplayer (?P<p>[a-z]\w*)", r"\g<p>"),
    (rf"(?P<a>{_VALUE}) up to (?P<b>{_VALUE})", r"min(\g<a>, \g<b>)"),
    (rf"\b1 (?:per|for every|for each|every|each) (?P<n>\d+) (?:of )?(?P<v>{_VALUE})", r"\g<v> / \g<n>"),
    # gathering
    (r"\bfor (?:each |every |all |any )?(?P<s>[a-z]\w*) (?P<n>[a-z]\w*)(?= ?(?:\)|where|while|,))", r"for \g<n> in \g<s>"),
    (r"\bfor (?:each|every|all|any) ", "for "),
    (r"^\[(?P<b>.+ for .+)\]$", r"list(\g<b>)"),
    (r"(?P<a>\bfor \w+ in [^()]+?) if ", r"\g<a> where "),
    (rf"\b(?P<g>{_GATHERS})\((?P<n>\w+) in (?P<s>[a-z]\w*)", r"\g<g>(\g<n> for \g<n> in \g<s>"),
    (rf"\b(?P<g>{_GATHERS}) (?P<b>[^()]+? for .+)$", r"\g<g>(\g<b>)"),
    (r"\b(?:number|count|amount|total) of (?P<k>\w+) (?:in|on|at) (?P<a>[a-z]\w*(?:\[[^\[\]]*\])?)", r"count(\g<a>, \g<k>)"),
    (r"\b(?:number|count|amount|total) of (?:\w+ (?:in|on|at) )?(?P<a>[a-z]\w*(?:\[[^\[\]]*\])?)", r"count(\g<a>)"),
    (rf"\b(?P<g>max|min)(?:imum)? of (?P<a>{_VALUE}) and (?P<b>{_VALUE})", r"\g<g>(\g<a>, \g<b>)"),
    (rf"(?P<a>{_VALUE}) (?P<g>max|min) (?P<b>{_VALUE})", r"\g<g>(\g<a>, \g<b>)"),
    (r"\bplayers? (?:starting|beginning) (?:with|from|at) (?P<p>\w+)|\bplayers? from (?P<q>\w+)(?: on)?", r"clockwise(\g<p>\g<q>)"),
    (r"\b(?:from )?(?P<a>\d+) (?:to|until|through) (?P<b>\d+)", r"\g<a>..\g<b>"),
    (r"^(?P<n>[a-z]\w*) (?:from|of|over|through) ", r"\g<n> in "),
    (r"^(?P<n>[a-z]\w*) (?P<a>\d+\.\.)", r"\g<n> in \g<a>"),
    # values
    (r"\bmy (?P<w>\w+)", r"\g<w>[me]"),
    (r"\b(?P<p>\w+)'s (?P<w>\w+)", r"\g<w>[\g<p>]"),
    (r"\b(?:the player|player|owner|your|his|her|their)(?:'s)? (?P<w>\w+)", r"\g<w>[me]"),
    (r"\b(?P<w>[a-z]\w*) of (?P<p>[a-z]\w*)\b", r"\g<w>[\g<p>]"),
    (r", ?(?:\*|:|all|any|each|every|_|-)? ?\]", "]"),
    (r" ?\* ?0?\.5\b", " / 2"),
    (r"\b0?\.5 ?\* ?(?P<v>\S+)", r"\g<v> / 2"),
    (r"\bhalf (?:of )?(?P<v>\S+)", r"\g<v> / 2"),
    (r" ?\* ?1\.5\b", " * 3 / 2"),
    (r"\btwice (?:of )?(?P<v>\S+)|\bdouble (?:of )?(?P<w>\S+)", r"2 * \g<v>\g<w>"),
    (r"\b(?:times|multiplied by|x)\b", "*"),
    (r"\b(?:plus|added to)\b", "+"),
    (r"\b(?:minus|less)\b", "-"),
    (r"\bdivided by\b", "/"),
    (r"\b(?P<w>[a-z]\w*) (?P<p>me|\d+)\b", r"\g<w>[\g<p>]"),
)  # fmt: skip

_OF_CHOICES: tuple[tuple[str, str], ...] = (
    (r"^(?P<n>(?:up to )?\d\w*) (?:of )?\w+ from\b", r"\g<n> from"),
    (r"^(?:at most|max|maximum|0 ?\.\.|0 to|1 ?\.\.|1 to|1 or|\d+ ?- ?|\d+ ?\.\.|\d+ to) ?(?P<n>\d+) ", r"up to \g<n> "),
    (r"^(?P<s>[a-z]\w*) (?:where|if|when|with|such that|that|which|in|on|from|of) .+$", r"\g<s>"),
)  # fmt: skip

_OF_ENTRIES = {"step": _OF_STEPS, "choice": _OF_CHOICES}


def rewordings(text: str, entry: str = "step", is_value: Callable[[str], bool] = lambda name: False) -> Iterator[str]:
    """Yield what a text may have been meant for: with one rewording first, then with two, and so on.

    A word behind a value that is no value itself may be its unit: `2 points`.
    """
    plain = " ".join(text.split())
    if len(plain) > LONGEST:
        return
    limits = _LIMITS & {*plain.split()}
    known, latest = {plain}, [plain]
    unit = re.fullmatch(r"(.*[\w)\]]) ([a-z]\w*)", plain) if entry != "step" else None
    if unit and not is_value(unit[2]):
        yield unit[1]
    for _ in range(MOST_TOGETHER):
        found = []
        for other in (new for before in latest for new in _once(before, entry)):
            if other in known or len(known) > MOST_TRIED:
                continue
            known.add(other)
            found.append(other)
            if entry != "step" or limits <= {*other.split()}:
                yield other
        latest = found


def _once(text: str, entry: str) -> Iterator[str]:
    if entry == "step":
        yield from _step(text)
    for word in text.split():
        if word in _NUMBERS:
            yield re.sub(rf"\b{word}\b", _NUMBERS[word], text)
    english = re.sub(r"\b[a-zäöüß]+\b", lambda m: _GERMAN.get(m[0], m[0]), text)
    if english != text:
        yield english
    for pattern, new in (*_OF_ENTRIES.get(entry, ()), *_OF_EXPRESSIONS):
        changed = " ".join(re.sub(pattern, new, text).split())
        if changed and changed != text:
            yield changed


def _step(text: str) -> Iterator[str]:
    """Yield a step that begins with another word, or that is said in another order."""
    first, _, rest = text.partition(" ")
    meant = LIKE_SENTENCES.get(first.lower())
    if meant and rest:
        yield f"{meant} {rest}"
    if first != first.lower():
        yield f"{first.lower()} {rest}"
    for pattern, form in TURNED:
        if m := re.fullmatch(pattern, text):
            yield form.format(**{**m.groupdict(), "b": m.groupdict().get("b") or "6"})


def two_steps(text: str, is_step: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return the two steps that are written on one line; None if there are not two."""
    for m in re.finditer(r"\s*(?:[,;.]\s*(?:and\s+|then\s+|and then\s+)?|\s(?:and|then|and then)\s)\s*", text):
        left, right = text[: m.start()].strip(), text[m.end() :].strip(" ;,.")
        begins = right.split(" ")[0] in SENTENCES
        if begins and all(half == "ask again" or half.startswith("tell ") or is_step(half) for half in (left, right)):
            return left, right
    return None


def explained(problem: Diagnostic, scalar: Scalar, entry: str, judge: Judge, known: frozenset[str]) -> Diagnostic:
    """Return the complaint with a guess that makes sense: its own, or else what comes of other words."""

    def fits(text: str) -> bool:
        return said_of(text, scalar, entry, judge) == []

    mended = _mended(problem, scalar)
    if problem.code == "line-joined" or (mended is not None and fits(mended.text)):
        return problem
    if entry == "step":
        both = two_steps(scalar.text, lambda half: tree_of(half, "step") is not None)
        if both is not None:
            fix = f"write two steps: `- {both[0]}`, and below it `- {both[1]}`"
            return replace(problem, why="each step is a line of its own", fix=fix, edits=())

    def is_value(name: str) -> bool:
        return entry == "expr" and said_of(name, scalar, entry, judge) == []

    others = (text for text in rewordings(scalar.text, entry, is_value) if fits(text))
    meant = next((t for t in others if entry == "choice" or lost_words(scalar.text, t, known) is not None), None)
    if meant is None:
        return _repaired(problem, scalar, entry, judge, known, mended)
    why = problem.why if problem.code not in ("expr-syntax", "name-shape") else ""
    if entry == "choice" and meant.isidentifier():
        why = "all of a set is offered; what cannot be chosen is refused by a condition under `needs:`"
    return replace(problem, why=why, fix=f"write `{meant}`", edits=scalar.edit(0, len(scalar.text), meant, sure=False))


def _repaired(
    problem: Diagnostic, scalar: Scalar, entry: str, judge: Judge, known: frozenset[str], mended: _Mended | None
) -> Diagnostic:
    """Return the complaint with the nearest text that makes sense; with its own guess if there is none and it leads on."""
    is_said = problem.code == "expr-number" or (problem.fix and not problem.edits and "…" not in problem.fix)
    found = [] if is_said else nearest(scalar, entry, judge, known)
    if not found:
        leads_on = mended is None or _leads_on(mended, scalar, entry, judge)
        sound = not _means_nothing(problem.fix, scalar.text, known) and (
            mended is None or _ends_well(mended.text, entry)
        )
        is_form = re.search(r"\b[A-Z]{2,}\b", problem.fix) and not _means_nothing(problem.fix, scalar.text, known)
        return problem if leads_on and sound else replace(problem, fix=problem.fix if is_form else "", edits=())
    return with_repair(problem, scalar, found)


def _means_nothing(fix: str, text: str, known: frozenset[str]) -> bool:
    """Return whether what is to be written repeats a word of the author's that means nothing here."""
    written = {word for code in re.findall(r"write `([^`]*)`", fix) for word in re.findall(r"[a-z]\w*", code)}
    idle = {*re.findall(r"[a-z]\w*", text)} - known - KEYWORDS - OF_THE_LANGUAGE
    return any(len(word) > 2 for word in written & idle)


def _ends_well(text: str, entry: str) -> bool:
    """Return whether a text can be read, or can be after following what is proposed for it."""
    for _ in range(MOST_FOLLOWED):
        found = parse_text(text, entry)
        if isinstance(found, Syntax):
            return True
        if found.edit is None:
            return False
        text = f"{text[: found.edit.start]}{found.edit.new}{text[found.edit.end :]}"
    return False


def nearest(scalar: Scalar, entry: str, judge: Judge, known: frozenset[str]) -> list[Repair]:
    """Return the good texts that are nearest to a text: one, or two if it is not clear which is meant."""
    plain = " ".join(scalar.text.split())
    if len(plain) > LONGEST:
        return []

    def said(text: str) -> list[Diagnostic] | None:
        return said_of(text, scalar, entry, judge)

    found = repairs(plain, entry, known, said, lambda text: _once(text, entry))
    return found if len(found) <= MOST_OFFERED else []


def with_repair(problem: Diagnostic, scalar: Scalar, found: list[Repair]) -> Diagnostic:
    """Return the complaint with a good text as its fix; of two texts, both are named and none is written."""
    only = found[0]
    without = f", without {listed_names(only.without)}" if only.without else ""
    fix = f"write {listed_names([r.text for r in found], 'or')}{without}"
    edits = scalar.edit(0, len(scalar.text), only.text, sure=False) if len(found) == 1 else ()
    return replace(problem, fix=fix, edits=edits)


def without_bad_guess(problem: Diagnostic, scalar: Scalar, entry: str, judge: Judge) -> Diagnostic:
    """Return the complaint about a text that can be read, without a guess at another name that does not fit there either."""
    mended = _mended(problem, scalar) if not problem.edits[0].sure else None
    if mended is None or _leads_on(mended, scalar, entry, judge):
        return problem
    return replace(problem, fix="", edits=())


def said_of(text: str, scalar: Scalar, entry: str, judge: Judge) -> list[Diagnostic] | None:
    """Return what would be said about another text in the place of this one, at offsets for columns; None if it cannot be read."""
    if entry == "step" and text.startswith("tell "):
        return []  # a text for people
    root = tree_of(text, entry)
    at = replace(scalar.span, line=1, col=1, end_line=1, end_col=len(text) + 1)
    return None if root is None else judge(Fragment(replace(scalar, span=at, text=text, starts=()), root))


def _leads_on(mended: _Mended, scalar: Scalar, entry: str, judge: Judge) -> bool:
    """Return whether a change leads to a good text, or to a complaint about something else than what was written anew."""
    said = said_of(mended.text, scalar, entry, judge)
    if said is None:  # it can be read beyond the change, or it would not have been proposed
        is_name = mended.new.isidentifier() and mended.new not in KEYWORDS
        return entry != "expr" or not is_name or _is_known(mended, scalar, judge)
    return not any(d.code in SENSELESS and mended.covers(d.span) for d in said)


def _is_known(mended: _Mended, scalar: Scalar, judge: Judge) -> bool:
    """Return whether a name that was written anew is one here."""
    is_called = mended.text[mended.end :].lstrip().startswith("(")
    said = said_of(f"{mended.new}(0)" if is_called else mended.new, scalar, "expr", judge)
    return not said or all(d.code not in ("name-unknown", "call-not-function") for d in said)


SENSELESS = frozenset(  # what is said of names and calls that are not what is wanted there
    [
        "",
        "call-not-function",
        "expr-not-fixed",
        "name-unknown",
        "part-of-no-pair",
        "part-unknown",
        "type-mismatch",
        "type-never-equal",
        "type-never-in",
    ]
)


@dataclass(frozen=True, slots=True)
class _Mended:
    """A text after a change, and the stretch of it that was written anew."""

    text: str
    start: int
    end: int

    @property
    def new(self) -> str:
        return self.text[self.start : self.end]

    def covers(self, span: Span) -> bool:
        """Return whether a stretch, given by columns from 1, has nothing but what was written anew, or is a call of it."""
        inside = self.start <= span.col - 1 and span.end_col - 1 <= self.end
        return inside or span.col - 1 == self.start


def _mended(problem: Diagnostic, scalar: Scalar) -> _Mended | None:
    """Return the text after the one change that the complaint proposes; None if it does not change this text alone."""
    if len(problem.edits) != 1:
        return None
    only = problem.edits[0]
    begins = only.span.line, only.span.col
    offsets = (n for n in range(len(scalar.text) + 1) if ((at := scalar.at(n, n)).line, at.col) == begins)
    start = next(offsets, None)
    if start is None or not scalar.text.startswith(only.old, start):
        return None
    text = f"{scalar.text[:start]}{only.new}{scalar.text[start + len(only.old) :]}"
    return _Mended(text, start, start + len(only.new))
