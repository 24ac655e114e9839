r"""What an answer earns, by own rules; nothing here runs, evaluates or imports what it reads.

Answers are text of strangers. They are capped at ``MAX_ANSWER`` characters before anything looks at
them, must match a strict ASCII pattern (texts excepted), and are compared by value. One point for a
right answer, none for all others: a nearly right form earns nothing, or it would be farmed.
Of a completion that thinks aloud only the final answer comes here; see ``core.rollouts.answers``.

What is forgiven, besides white space around the answer: in every answer what ``core.tasks.markup``
takes off, such as "42.", "**42**", "$42$" and "\boxed{42}"; in numbers, "x = 42", too. Besides that

    text      nothing: "mat", "3 days, 04:05"
    caseless  upper and lower case: "monday" for "Monday"
    integer   a plus sign, leading zeros, commas between thousands: "+07" for "7", "1,234"
    decimal   the same, and trailing zeros: "3.50" for "3.5"
    fraction  plain or LaTeX, whichever was asked; it must be in lowest terms
    numeral   leading zeros, upper-case digits: "0FF" for "ff"
    factors   order, and white space around the multiplication signs
    complex   white space, trailing zeros, a part that is zero, no one before the i: "3+i"
    words     white space around the commas
    grid      white space between the cells and around the rows
    numbers   which quotes or none, white space, and in each number what decimals are forgiven
    groups    white space; the order of the groups, and of the words in each
    splits    white space; the order of the ways to split, not of the parts in each
    sum       white space, the order of the terms, a plus sign in front
    palindrome any order of the letters that reads the same backward
    scientific what decimals are forgiven, with an exponent or without: "1.20e3" for "1200"
    logic     every conclusion that is as good; see ``core.tasks.logic``

Decks have rules of their own, ``core.tasks.deck_rules``, and may accept several answers.

What is forgiven is right, but not *canonical*: the form of the puzzle's own answer is. Learners do
not imitate other forms of strangers, who could otherwise teach every node to write leading zeros.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from core.decks.spelling import INTEGER
from core.tasks import deck_rules
from core.tasks.catalog import Task, VerifierName
from core.tasks.deck_rules import DECIMAL
from core.tasks.markup import without_markup
from core.tasks.reasoning_tasks import Puzzle

MAX_ANSWER = 1024
"""Characters; the longest right answer, a matrix of 10 by 10, has 199."""

_TIMES = "\u00d7"
_NUMERAL = re.compile(r"[0-9a-zA-Z]{1,64}", re.ASCII)
_FRACTION = re.compile(
    r"\\d?frac\{([0-9]{1,16})\}\{([0-9]{1,16})\}|([0-9]{1,16}) ?/ ?([0-9]{1,16})",
    re.ASCII,
)
_COMPLEX = re.compile(
    r"(?P<real>[+-]?[0-9]{1,16}(?:\.[0-9]{1,16})?)"
    r"(?: *(?P<imag>[+-] *(?:[0-9]{1,16}(?:\.[0-9]{1,16})?)?)i)?"
    r"|(?P<only>[+-]?(?:[0-9]{1,16}(?:\.[0-9]{1,16})?)?)i",
    re.ASCII,
)
_SCIENTIFIC = re.compile(DECIMAL.pattern + r"(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_NUMBER = r"(?P<quote>['\"]?)(?P<number>-?[0-9]{1,16}(?:\.[0-9]{1,16})?)(?P=quote)"
_LISTED = re.compile(r"\s*" + _NUMBER + r"\s*", re.ASCII)
_WORD = r'\s*"[a-z]{1,32}"\s*'
_GROUP = rf"\s*\[{_WORD}(?:,{_WORD})*\]\s*"
_GROUPS = re.compile(rf"\[{_GROUP}(?:,{_GROUP})*\]", re.ASCII)
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
_TERM = re.compile(r"[+-]?[0-9A-Za-z*/]{1,64}", re.ASCII)


def verify(task: Task, puzzle: Puzzle, answer: str) -> float:
    """Judge ``answer``: 1.0 where it is right, else 0.0; never raises, whatever it is."""
    if type(answer) is not str or len(answer) > MAX_ANSWER:
        return 0.0
    rule, whole = _RULES[task.verifier], answer.strip()
    accepted = _accepted(puzzle)
    if any(rule.is_right(whole, one) for one in accepted):
        return 1.0
    bare = without_markup(whole, names=rule.of_numbers)
    return float(bare != whole and any(rule.is_right(bare, one) for one in accepted))


def is_canonical(task: Task, puzzle: Puzzle, answer: str) -> bool:
    """Whether ``answer``, which is right, stands in the form of the puzzle's own answer.

    Letter for letter, white space included; where several answers are equally good, it is written
    as the puzzle writes such answers.
    """
    return any(_RULES[task.verifier].is_canonical(answer, one) for one in _accepted(puzzle))


def _accepted(puzzle: Puzzle) -> list[Puzzle]:
    """``puzzle`` as if each of its accepted answers were the only one."""
    return [puzzle, *(replace(puzzle, answer=other, others=()) for other in puzzle.others)]


def _text(answer: str, puzzle: Puzzle) -> bool:
    return answer == puzzle.answer


def _caseless(answer: str, puzzle: Puzzle) -> bool:
    return answer.isascii() and answer.lower() == puzzle.answer.lower()


def _integer(answer: str, puzzle: Puzzle) -> bool:
    if INTEGER.fullmatch(answer) is None or INTEGER.fullmatch(puzzle.answer) is None:
        return False
    return int(answer.replace(",", "")) == int(puzzle.answer.replace(",", ""))


def _decimal(answer: str, puzzle: Puzzle) -> bool:
    if DECIMAL.fullmatch(answer) is None:
        return False
    return Decimal(answer.replace(",", "")) == Decimal(puzzle.answer)


def _numeral(answer: str, puzzle: Puzzle) -> bool:
    return _NUMERAL.fullmatch(answer) is not None and answer.lower().lstrip(
        "0"
    ) == puzzle.answer.lstrip("0")


def _fraction(answer: str, puzzle: Puzzle) -> bool:
    parts = _fraction_parts(answer)
    own = without_markup(puzzle.answer, names=False)  # some stand between dollar signs
    return parts is not None and parts == _fraction_parts(own)


def _fraction_parts(text: str) -> tuple[int, int] | None:
    found = _FRACTION.fullmatch(text)
    if found is None:
        return None
    top, bottom = (part for part in found.groups() if part is not None)
    return int(top), int(bottom)


def _factors(answer: str, puzzle: Puzzle) -> bool:
    return _sorted_factors(answer) == _sorted_factors(puzzle.answer)


def _sorted_factors(text: str) -> list[str]:
    return sorted(factor.strip() for factor in text.split(_TIMES))


def _plain_factors(answer: str, puzzle: Puzzle) -> bool:
    sign = f" {_TIMES} "
    return sorted(answer.split(sign)) == sorted(puzzle.answer.split(sign))


def _complex(answer: str, puzzle: Puzzle) -> bool:
    parts = _complex_parts(answer)
    return parts is not None and parts == _complex_parts(puzzle.answer)


def _complex_parts(text: str) -> tuple[Decimal, Decimal] | None:
    found = _COMPLEX.fullmatch(text)
    if found is None:
        return None
    imag = found["imag"] if found["only"] is None else found["only"]
    return Decimal(found["real"] or 0), Decimal(0) if imag is None else _coefficient(imag)


def _coefficient(text: str) -> Decimal:
    """What stands before the i: a number, or nothing but a sign for one."""
    text = text.replace(" ", "")
    return Decimal(f"{text}1" if text in ("", "+", "-") else text)


def _words(answer: str, puzzle: Puzzle) -> bool:
    return _split_words(answer) == _split_words(puzzle.answer)


def _split_words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


def _grid(answer: str, puzzle: Puzzle) -> bool:
    return _cells(answer) == _cells(puzzle.answer)


def _cells(text: str) -> list[list[str]]:
    return [row.split() for row in text.split("\n")]


def _numbers(answer: str, puzzle: Puzzle) -> bool:
    values = _listed_numbers(answer)
    return values is not None and values == _listed_numbers(puzzle.answer)


def _listed_numbers(text: str) -> list[Decimal] | None:
    if not (text.startswith("[") and text.endswith("]")):
        return None
    inner = text[1:-1]
    found = [_LISTED.fullmatch(part) for part in inner.split(",")] if inner.strip() else []
    values = [Decimal(one["number"]) for one in found if one is not None]
    return values if len(values) == len(found) else None


def _groups(answer: str, puzzle: Puzzle) -> bool:
    groups = _listed_words(answer)
    return groups is not None and _unordered(groups) == _unordered(_listed_words(puzzle.answer))


def _unordered(groups: list[list[str]] | None) -> list[list[str]]:
    return sorted(sorted(group) for group in groups or [])


def _splits(answer: str, puzzle: Puzzle) -> bool:
    ways = _listed_words(answer)
    return ways is not None and sorted(ways) == sorted(_listed_words(puzzle.answer) or [])


def _listed_words(text: str) -> list[list[str]] | None:
    """The words of a list of lists, such as ``[["a", "b"], ["c"]]``; None where it is none."""
    if _GROUPS.fullmatch(text) is None:
        return None
    return [re.findall("[a-z]+", group, re.ASCII) for group in _BRACKETED.findall(text[1:-1])]


def _sum(answer: str, puzzle: Puzzle) -> bool:
    terms = _signed_terms(answer)
    return terms is not None and terms == _signed_terms(puzzle.answer)


def _signed_terms(text: str) -> list[str] | None:
    """The terms of a sum in a fixed order, each with its sign; None where one has no such form."""
    bare = "".join(text.split())
    terms = _TERM.findall(bare)
    if "".join(terms) != bare:
        return None
    return sorted(term if term[0] in "+-" else f"+{term}" for term in terms)


def _palindrome(answer: str, puzzle: Puzzle) -> bool:
    return answer == answer[::-1] and sorted(answer) == sorted(puzzle.answer)


def _scientific(answer: str, puzzle: Puzzle) -> bool:
    if _SCIENTIFIC.fullmatch(answer) is None:
        return False
    return Decimal(answer.replace(",", "")) == Decimal(puzzle.answer)


def _logic(answer: str, puzzle: Puzzle) -> bool:
    return puzzle.entailment is not None and puzzle.entailment.admits(answer)


def _plain_logic(answer: str, puzzle: Puzzle) -> bool:
    return puzzle.entailment is not None and puzzle.entailment.is_plain(answer)


class _Rule(NamedTuple):
    """How the answers to one kind of puzzle are judged."""

    is_right: Callable[[str, Puzzle], bool]  # of an answer without white space around it
    is_canonical: Callable[[str, Puzzle], bool] = _text  # of a right answer as it was written
    of_numbers: bool = False  # so that "x =" in front says nothing


_RULES: Mapping[VerifierName, _Rule] = {
    "text": _Rule(_text),
    "caseless": _Rule(_caseless),
    "integer": _Rule(_integer, of_numbers=True),
    "decimal": _Rule(_decimal, of_numbers=True),
    "numeral": _Rule(_numeral),  # a name in front could be one: "ff = 220"
    "fraction": _Rule(_fraction, of_numbers=True),
    "factors": _Rule(_factors, _plain_factors),
    "complex": _Rule(_complex, of_numbers=True),
    "words": _Rule(_words),
    "grid": _Rule(_grid),
    "numbers": _Rule(_numbers),
    "groups": _Rule(_groups),
    "splits": _Rule(_splits),
    "sum": _Rule(_sum),
    "palindrome": _Rule(_palindrome, _palindrome),
    "scientific": _Rule(_scientific, of_numbers=True),
    "logic": _Rule(_logic, _plain_logic),
    "folded": _Rule(deck_rules.folded),
    "near": _Rule(deck_rules.near, of_numbers=True),
    "label": _Rule(deck_rules.folded),
    "ratio": _Rule(deck_rules.ratio, of_numbers=True),
    "set": _Rule(deck_rules.same_words),
}
