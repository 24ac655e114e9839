"""Which column of a table holds what, told by the words above them in four languages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Final, Literal, TypeAlias, get_args

Part: TypeAlias = Literal["question", "answer", "level", "labels", "solution", "variables", "where"]


@dataclass(frozen=True, slots=True)
class Columns:
    """Positions of a table's columns, from 0; None where there is no such column."""

    question: int | None = None
    answer: int | None = None
    level: int | None = None
    labels: int | None = None
    solution: int | None = None
    variables: int | None = None
    where: int | None = None

    @property
    def positions(self) -> tuple[int, ...]:
        """Of all columns that there are."""
        return tuple(at for at in astuple(self) if at is not None)


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(","))


_NAMES: Final[Mapping[Part, frozenset[str]]] = {
    "question": _names(
        "question, questions, prompt, problem, front, frage, fragen, aufgabe, aufgabenstellung, "
        "pregunta, preguntas, enunciado, problema, 问题, 题目, 提问"
    ),
    "answer": _names(
        "answer, answers, solution key, answer key, key, target, expected, correct, "
        "correct answer, back, antwort, antworten, lösungsschlüssel, richtige antwort, "
        "respuesta, respuestas, respuesta correcta, 答案, 正确答案, 回答"
    ),
    "level": _names(
        "level, difficulty, stufe, niveau, schwierigkeit, nivel, dificultad, 级别, 难度"
    ),
    "labels": _names(
        "choices, options, labels, answer choices, answer options, auswahl, auswahlmöglichkeiten, "
        "antwortmöglichkeiten, optionen, opciones, alternativas, 选项"
    ),
    "solution": _names(
        "explanation, worked, worked solution, steps, reasoning, rationale, rechenweg, lösungsweg, "
        "erklärung, explicación, pasos, 步骤, 解析, 解释"
    ),
    "variables": _names("variables, variable, variablen, 变量"),
    "where": _names("where, condition, wobei, bedingung, condición, donde, 条件"),
}
_EITHER: Final = _names("solution, solutions, lösung, lösungen, solución, soluciones, 解答")
"""An answer where there is no other column for it, and else how one gets there."""

_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")


def is_header(cells: Iterable[str]) -> bool:
    """Whether these are names of columns: one says, in so many words, question or answer.

    Half a name would be too little: the first row of a table may well ask for an answer.
    """
    names = _NAMES["question"] | _NAMES["answer"]
    return any(_plain(cell) in names for cell in cells)


def named_columns(header: Sequence[str]) -> Columns:
    """The columns that ``header`` names; of two with the same name the first."""
    plain = [_plain(cell) for cell in header]
    found: dict[Part, int] = {}
    for part in get_args(Part):
        _take(found, part, [name in _NAMES[part] for name in plain])
    either: Part = "solution" if "answer" in found else "answer"
    _take(found, either, [name in _EITHER for name in plain])
    for part in get_args(Part):  # such as "Question (EN)"
        _take(found, part, [not _NAMES[part].isdisjoint(name.split()) for name in plain])
    return Columns(**found)


def _take(found: dict[Part, int], part: Part, fits: Sequence[bool]) -> None:
    """Give ``part`` the first column that fits and is nobody's yet, unless it has one."""
    free = [at for at, is_fit in enumerate(fits) if is_fit and at not in found.values()]
    if free:
        found.setdefault(part, free[0])


def _plain(cell: str) -> str:
    """The words of a column's name, in lower case."""
    return _BETWEEN_WORDS.sub(" ", cell.casefold()).strip()
