"""What an answer earns, by own rules; nothing here runs, evaluates or imports what it reads.

Answers are text of strangers. They are capped at ``MAX_ANSWER`` characters before anything looks at
them, must match a strict ASCII pattern (texts excepted), and are compared by value. One point for a
right answer, none for all others: a nearly right form earns nothing, or it would be farmed.
Of a completion that thinks aloud only the final answer comes here; see ``core.rollouts.answers``.

What is forgiven, besides white space around the answer:

    text      nothing: "mat", "3 days, 04:05"
    caseless  upper and lower case: "monday" for "Monday"
    integer   a plus sign, leading zeros: "+07" for "7"
    decimal   the same, and trailing zeros: "3.50" for "3.5"
    fraction  plain or LaTeX, whichever was asked; it must be in lowest terms
    numeral   leading zeros, upper-case digits: "0FF" for "ff"
    factors   order, and white space around the multiplication signs
    complex   white space, trailing zeros, a part that is zero: "3+2i" for "3.0 + 2.0i"
    words     white space around the commas
    grid      white space between the cells and around the rows
    logic     every conclusion that is as good; see ``core.tasks.logic``

What is forgiven is right, but not *canonical*: the form of the puzzle's own answer is. Learners do
not imitate other forms of strangers, who could otherwise teach every node to write leading zeros.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import NamedTuple

from core.tasks.catalog import Task, VerifierName
from core.tasks.reasoning_tasks import Puzzle

MAX_ANSWER = 1024
"""Characters; the longest right answer, a matrix of 10 by 10, has 199."""

_TIMES = "\u00d7"
_INTEGER = re.compile(r"[+-]?[0-9]{1,64}", re.ASCII)
_DECIMAL = re.compile(r"[+-]?[0-9]{1,64}(?:\.[0-9]{1,64})?", re.ASCII)
_NUMERAL = re.compile(r"[0-9a-zA-Z]{1,64}", re.ASCII)
_FRACTION = re.compile(
    r"(\$?)(?:\\d?frac\{([0-9]{1,16})\}\{([0-9]{1,16})\}|([0-9]{1,16}) ?/ ?([0-9]{1,16}))\1",
    re.ASCII,
)
_COMPLEX = re.compile(
    r"(?P<real>[+-]?[0-9]{1,16}(?:\.[0-9]{1,16})?)"
    r"(?: *(?P<imag>[+-] *[0-9]{1,16}(?:\.[0-9]{1,16})?)i)?"
    r"|(?P<only>[+-]?[0-9]{1,16}(?:\.[0-9]{1,16})?)i",
    re.ASCII,
)


def verify(task: Task, puzzle: Puzzle, answer: str) -> float:
    """Judge ``answer``: 1.0 where it is right, else 0.0; never raises, whatever it is."""
    if type(answer) is not str or len(answer) > MAX_ANSWER:
        return 0.0
    return 1.0 if _RULES[task.verifier].is_right(answer.strip(), puzzle) else 0.0


def is_canonical(task: Task, puzzle: Puzzle, answer: str) -> bool:
    """Whether ``answer``, which is right, stands in the form of the puzzle's own answer.

    Letter for letter, white space included; where several answers are equally good, it is written
    as the puzzle writes such answers.
    """
    return _RULES[task.verifier].is_canonical(answer, puzzle)


def _text(answer: str, puzzle: Puzzle) -> bool:
    return answer == puzzle.answer


def _caseless(answer: str, puzzle: Puzzle) -> bool:
    return answer.isascii() and answer.lower() == puzzle.answer.lower()


def _integer(answer: str, puzzle: Puzzle) -> bool:
    return _INTEGER.fullmatch(answer) is not None and int(answer) == int(puzzle.answer)


def _decimal(answer: str, puzzle: Puzzle) -> bool:
    return _DECIMAL.fullmatch(answer) is not None and Decimal(answer) == Decimal(puzzle.answer)


def _numeral(answer: str, puzzle: Puzzle) -> bool:
    return _NUMERAL.fullmatch(answer) is not None and answer.lower().lstrip(
        "0"
    ) == puzzle.answer.lstrip("0")


def _fraction(answer: str, puzzle: Puzzle) -> bool:
    parts = _fraction_parts(answer)
    return parts is not None and parts == _fraction_parts(puzzle.answer)


def _fraction_parts(text: str) -> tuple[int, int] | None:
    found = _FRACTION.fullmatch(text)
    if found is None:
        return None
    top, bottom = (part for part in found.groups()[1:] if part is not None)
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
    imag = found["only"] or found["imag"] or "0"
    return Decimal(found["real"] or 0), Decimal(imag.replace(" ", ""))


def _words(answer: str, puzzle: Puzzle) -> bool:
    return _split_words(answer) == _split_words(puzzle.answer)


def _split_words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


def _grid(answer: str, puzzle: Puzzle) -> bool:
    return _cells(answer) == _cells(puzzle.answer)


def _cells(text: str) -> list[list[str]]:
    return [row.split() for row in text.split("\n")]


def _logic(answer: str, puzzle: Puzzle) -> bool:
    return puzzle.entailment is not None and puzzle.entailment.admits(answer)


def _plain_logic(answer: str, puzzle: Puzzle) -> bool:
    return puzzle.entailment is not None and puzzle.entailment.is_plain(answer)


class _Rule(NamedTuple):
    """How the answers to one kind of puzzle are judged."""

    is_right: Callable[[str, Puzzle], bool]  # of an answer without white space around it
    is_canonical: Callable[[str, Puzzle], bool] = _text  # of a right answer as it was written


_RULES: Mapping[VerifierName, _Rule] = {
    "text": _Rule(_text),
    "caseless": _Rule(_caseless),
    "integer": _Rule(_integer),
    "decimal": _Rule(_decimal),
    "numeral": _Rule(_numeral),
    "fraction": _Rule(_fraction),
    "factors": _Rule(_factors, _plain_factors),
    "complex": _Rule(_complex),
    "words": _Rule(_words),
    "grid": _Rule(_grid),
    "logic": _Rule(_logic, _plain_logic),
}
