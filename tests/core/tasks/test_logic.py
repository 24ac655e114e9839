"""Truth tables: formulas are read as the library writes them, and conclusions must be earned."""

from collections.abc import Iterator
from itertools import permutations, product

import pytest

from core.tasks.logic import (
    AND,
    IFF,
    IMPLIES,
    MAX_DEPTH,
    MAX_FORMULA,
    NOT,
    OR,
    Entailment,
    Formula,
    FormulaError,
    entail,
    parse,
)

PQ = ("P", "Q")
PQR = ("P", "Q", "R")


def task(*premises: str, variables: tuple[str, ...] = PQ) -> tuple[Entailment, str]:
    entailed = entail(premises, variables)
    assert entailed is not None
    return entailed


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("P", 0b1010),
        ("Q", 0b1100),
        (f"{NOT}P", 0b0101),
        (f"P {AND} Q", 0b1000),
        (f"(P {OR} Q)", 0b1110),
        (f"P{IMPLIES}Q", 0b1101),
        (f"P {IFF} Q", 0b1001),
        (f"{NOT}{NOT}P", 0b1010),
        (f"{NOT}(P {AND} Q)", 0b0111),
        (f"P {OR} Q {AND} P", 0b1010),
        (f"{NOT}P {AND} Q {IMPLIES} Q {IFF} P", 0b1010),
    ],
)
def test_formulas_mean_what_they_say(text: str, table: int) -> None:
    """Each operator has its truth table, and binds in the usual order."""
    assert parse(text, PQ).table == table


def test_names_are_listed_as_they_occur() -> None:
    """Every occurrence of a variable counts, in order."""
    assert parse(f"(Q {AND} P) {OR} Q", PQ) == Formula(0b1100, ("Q", "P", "Q"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "R",
        "p",
        "P Q",
        f"P {AND}",
        f"{AND} P",
        "(P",
        "P)",
        f"P {IMPLIES} Q {IMPLIES} P",
        "P & Q",
        "P and Q",
        "P\nQ",
        f"P {AND} Q.",
        "P->Q",
        "(" * (MAX_DEPTH + 1) + "P" + ")" * (MAX_DEPTH + 1),
    ],
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    """Other symbols, unknown variables, ambiguous chains and deep nesting are no formulas."""
    with pytest.raises(FormulaError):
        parse(text, PQ)


def test_too_many_variables_are_refused() -> None:
    """Truth tables grow with two to the variables, so there are at most six."""
    with pytest.raises(FormulaError, match="too many"):
        parse("A", "ABCDEFG")


@pytest.mark.parametrize(
    ("premises", "conclusion"),
    [
        (["P", "Q"], f"P {AND} Q"),
        (["P", f"P {IMPLIES} Q"], f"P {AND} Q"),
        ([f"P {OR} Q", f"{NOT}P"], f"{NOT}P {AND} Q"),
        ([f"P {IMPLIES} Q"], f"{NOT}P {OR} Q"),
        ([f"P {IFF} {NOT}Q"], f"P {IFF} {NOT}Q"),
        ([f"P {OR} Q", f"P {OR} {NOT}Q"], "P"),
    ],
)
def test_the_strongest_short_conclusion_is_found(premises: list[str], conclusion: str) -> None:
    """The canonical answer says all that two literals can say, as briefly as it can."""
    entailment, found = task(*premises)
    assert found == conclusion
    assert entailment.admits(found)


@pytest.mark.parametrize("premises", [["P", f"{NOT}P"], [f"P {OR} {NOT}P"]])
def test_premises_that_teach_nothing_set_no_task(premises: list[str]) -> None:
    """From a contradiction anything follows, from a tautology nothing: neither is asked."""
    assert entail(premises, PQ) is None


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (f"P {OR} Q", "weaker than the premises allow"),
        ("P", "weaker than the premises allow"),
        (f"P {OR} {NOT}P", "a tautology"),
        (f"P {AND} {NOT}P", "a contradiction"),
        (f"P {AND} {NOT}Q", "does not follow"),
        (f"P {AND} (P {IMPLIES} Q)", "the premises, copied out"),
        (f"P {AND} Q" + " " * MAX_FORMULA, "too long"),
        (f"P {AND} R", "names a variable that is not there"),
        ("Q, P", "no formula"),
    ],
)
def test_conclusions_that_are_not_earned(answer: str, why: str) -> None:
    """From P and P implies Q, only what says both P and Q earns the point."""
    assert not task("P", f"P {IMPLIES} Q")[0].admits(answer), why


@pytest.mark.parametrize(
    "answer",
    [
        f"P {AND} Q",
        f"Q{AND}P",
        f"(Q {AND} P)",
        f"{NOT}({NOT}P {OR} {NOT}Q)",
        f"{NOT}(P {IMPLIES} {NOT}Q)",
    ],
)
def test_equally_good_conclusions_are_admitted(answer: str) -> None:
    """Order, spacing, parentheses and equivalent forms do not matter."""
    assert task("P", f"P {IMPLIES} Q")[0].admits(answer)


def test_saying_more_than_two_literals_is_welcome() -> None:
    """With three facts at hand, naming all three is as good as naming two."""
    entailment, found = task("P", "Q", "R", variables=PQR)
    assert entailment.admits(found)
    assert entailment.admits(f"P {AND} Q {AND} R")


def test_short_conclusions_are_plain_in_either_order() -> None:
    """With the spaces of the puzzle's own answer or with none; anything else is another form."""
    entailment, _ = task("P", "Q")
    plain = ["P", f"{NOT}Q", f"P {AND} Q", f"Q{AND}P", f"{NOT}Q {OR} P", f"P {IFF} {NOT}Q"]
    other = [
        "(P)",
        f"P  {AND} Q",
        f" P {AND} Q",
        f"P{AND} Q",
        f"{NOT}{NOT}P",
        f"P {IMPLIES} Q",
        "R",
    ]
    assert [text for text in plain if not entailment.is_plain(text)] == []
    assert [text for text in other if entailment.is_plain(text)] == []


def formulas() -> Iterator[str]:
    """All of one to three literals of different variables, joined from the left."""
    for count in range(1, len(PQR) + 1):
        for names in permutations(PQR, count):
            for signs in product(("", NOT), repeat=count):
                first, *others = map("".join, zip(signs, names, strict=True))
                for operators in product((AND, OR, IMPLIES, IFF), repeat=count - 1):
                    text = first
                    for operator, other in zip(operators, others, strict=True):
                        text = f"({text}) {operator} {other}"
                    yield text


def test_any_admitted_text_follows_and_says_something() -> None:
    """Whatever is admitted is true wherever the premises are, and false somewhere."""
    entailment, _ = task(f"P {OR} Q", f"{NOT}P {OR} R", variables=PQR)
    admitted = [parse(text, PQR).table for text in formulas() if entailment.admits(text)]
    assert len(admitted) == 40
    assert [table for table in admitted if entailment.worlds & ~table] == []
    assert {table.bit_count() for table in admitted} <= set(range(1, 8))
