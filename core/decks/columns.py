"""Which column of a table holds what, told by the words above them in four languages."""

import re
from collections import Counter
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


_CERTAIN: Final[Mapping[Part, frozenset[str]]] = {
    "question": _names("question, questions, frage, fragen, pregunta, preguntas, 问题, 提问"),
    "answer": _names(
        "answer, answers, correct answer, antwort, antworten, richtige antwort, "
        "respuesta, respuestas, respuesta correcta, 答案, 正确答案, 回答"
    ),
}
"""Nothing else is called so; all other names may well mean something else beside these."""

_NAMES: Final[Mapping[Part, frozenset[str]]] = {
    "question": _CERTAIN["question"]
    | _names(
        "prompt, problem, front, aufgabe, aufgabenstellung, enunciado, problema, 题目",
    ),
    "answer": _CERTAIN["answer"]
    | _names(
        "solution key, answer key, key, target, expected, correct, back, lösungsschlüssel",
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
_PARTS: Final = dict.fromkeys(_EITHER, "solution") | {
    name: part for part, names in _NAMES.items() for name in names
}

_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")


def is_header(cells: Iterable[str]) -> bool:
    """Whether these are names of columns: of questions or answers, and of something else as well.

    One that nothing else is called will do alone. Half a name would be too little, and so would
    two that say the same: the first row of a table may well ask for an answer, or translate it.
    """
    names = [name for name in map(_plain, cells) if name in _PARTS]
    if len(names) == 1:
        return any(names[0] in certain for certain in _CERTAIN.values())
    parts = {_PARTS[name] for name in names}
    return len(parts) > 1 and not parts.isdisjoint(_CERTAIN)


def header_at(rows: Sequence[Sequence[str]]) -> int | None:
    """Which of ``rows`` is a header: the first, or the second below a title; None for neither."""
    for at, cells in enumerate(rows[:2]):
        if is_header(cells):
            return at
        if sum(bool(cell.strip()) for cell in cells) > 1:
            return None
    return None


def usual_width(rows: Sequence[Sequence[str]]) -> int:
    """How many cells a row has, of at least one: as the header of ``rows``, or as most of them."""
    header = header_at(rows)
    if header is not None:
        return len(rows[header])
    return Counter(map(len, rows)).most_common(1)[0][0]


def named_columns(header: Sequence[str]) -> Columns:
    """The columns that ``header`` names: by certain names first; of two of those the first."""
    plain = [_plain(cell) for cell in header]
    found: dict[Part, int] = {}
    for part, names in (*_CERTAIN.items(), *_NAMES.items()):
        _take(found, part, [name in names for name in plain])
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
