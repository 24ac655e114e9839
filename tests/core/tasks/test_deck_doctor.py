"""What is wrong with a deck, found by trying."""

import msgspec
import pytest

from core.decks.deck import Deck, Flashcard, Matcher, digest_of, encode_deck
from core.decks.importing import guess_columns, import_table
from core.decks.library import InstalledDeck
from core.decks.tables import read_table
from core.decks.templates import NumberVariable, Template, WordVariable
from core.i18n import remarks_of
from core.paths import RESOURCES
from core.tasks.deck_doctor import MOST_NAMED, DeckFinding, examine_deck

SUM = Template(
    "What is {a} + {b}?", "{a + b}", {"a": NumberVariable(1, 9), "b": NumberVariable(1, 9)}
)
CARDS = tuple(Flashcard(f"The word for {n}?", (f"word{n}",)) for n in range(30))


def deck_of(*rows: Flashcard | Template, matcher: Matcher = "caseless") -> Deck:
    return Deck(
        format=1,
        name="a",
        matcher=matcher,
        cards=tuple(row for row in rows if isinstance(row, Flashcard)),
        templates=tuple(row for row in rows if isinstance(row, Template)),
    )


def findings(deck: Deck) -> list[DeckFinding]:
    return examine_deck(InstalledDeck(deck, digest_of(encode_deck(deck))))


@pytest.mark.parametrize(
    "deck",
    [
        deck_of(*CARDS),
        deck_of(SUM, matcher="integer"),
        deck_of(
            *CARDS, msgspec.structs.replace(SUM, level=2), Flashcard("Capital?", ("Rome",), level=1)
        ),
        deck_of(
            *(Flashcard(f"Is {n} even?", ("no" if n % 2 else "yes",)) for n in range(40)),
            matcher="choice",
        ),
    ],
    ids=["cards", "template", "both", "labels"],
)
def test_a_sound_deck_has_no_findings(deck: Deck) -> None:
    """Of cards, of templates, of both, and with labels to choose from."""
    labels = ("yes", "no") if deck.matcher == "choice" else ()
    assert findings(msgspec.structs.replace(deck, labels=labels)) == []


YES = [Flashcard(f"Is {n} a number?", ("yes",)) for n in range(30)]
FAULTY: list[tuple[str, Deck, str, bool, tuple[int, ...]]] = [
    (
        "no number",
        deck_of(*CARDS[:5], *(Flashcard(f"{n}!", (f"{n}",)) for n in range(30)), matcher="integer"),
        "5 of 35 answers can never be right as “integer”",
        True,
        (1, 2, 3, 4, 5),
    ),
    (
        "a template's fraction",
        deck_of(Template("{a} / 3?", "{a / 3}", {"a": NumberVariable(1, 99)}), matcher="decimal"),
        "an answer that a template makes can never be right as “decimal”",
        True,
        (),
    ),
    (
        "a condition that never holds",
        deck_of(msgspec.structs.replace(SUM, where="a > 9"), *CARDS[:5]),
        "hardly ever finds values",
        True,
        (),
    ),
    (
        "another answer",
        deck_of(*CARDS, Flashcard("The  word for 3?", ("other",))),
        "“The word for 3?” stands there with different answers",
        True,
        (4, 31),
    ),
    (
        "always the same",
        deck_of(*YES, *CARDS[:10]),
        "always answering “yes” is right in 7",
        False,
        (),
    ),
    (
        "always the same label",
        deck_of(
            *(
                Flashcard(
                    f"{n}?", ("no" if n % 10 == 0 else "yes",), labels=("yes", "no", "perhaps")
                )
                for n in range(60)
            ),
            matcher="choice",
        ),
        "always answering “yes”",
        False,
        (),
    ),
    (
        "an echo",
        deck_of(*CARDS, *(Flashcard(f"say{n}", (f"say{n}",)) for n in range(3))),
        "repeating the question is right: “say",
        True,
        (),
    ),
    (
        "given away",
        deck_of(*CARDS, *(Flashcard(f"Who wrote book {n}?", (str(n),)) for n in range(9))),
        "In 9 of 39 questions the answer stands in the question",
        False,
        (31, 32, 33, 34, 35),
    ),
    (
        "few cards",
        deck_of(*CARDS[:4]),
        "has only 4 different questions",
        False,
        (),
    ),
    (
        "few values",
        deck_of(
            Template("Double of {a}?", "{2 * a}", {"a": NumberVariable(1, 19)}),
            matcher="integer",
        ),
        "has only 19 different questions",
        False,
        (),
    ),
]


@pytest.mark.parametrize(
    ("deck", "words", "is_error", "rows"),
    [case[1:] for case in FAULTY],
    ids=[case[0] for case in FAULTY],
)
def test_each_fault_is_found_once(
    deck: Deck,
    words: str,
    is_error: bool,  # noqa: FBT001 - a parameter
    rows: tuple[int, ...],
) -> None:
    """And named so that it can be translated, with its rows where there are any."""
    found = [finding for finding in findings(deck) if words in finding.words]
    assert [(one.is_error, one.rows) for one in found] == [(is_error, rows)]
    assert remarks_of(found[0].words)


def test_errors_come_first() -> None:
    """They are what must be mended."""
    deck = deck_of(*YES, Flashcard("Is 1 a number?", ("no",)))
    kinds = [finding.is_error for finding in findings(deck)]
    assert kinds == sorted(kinds, reverse=True)
    assert len(set(kinds)) == 2


def test_several_forms_of_one_answer_are_no_constant() -> None:
    """An answer counts once a question, however many forms of it are accepted."""
    deck = deck_of(*(Flashcard(f"{n}?", (f"w{n}", f"W{n}", f"W{n} ".strip())) for n in range(30)))
    assert findings(deck) == []


ODD = [("table", "dog", "cat"), ("cow", "red", "blue"), ("Rome", "one", "two")]


@pytest.mark.parametrize(
    "deck",
    [
        deck_of(
            *(Flashcard("Which word is odd?", (one[0],), labels=one) for one in ODD),
            matcher="choice",
        ),
        deck_of(
            Flashcard("What is Co?", ("cobalt",)), Flashcard("What is CO?", ("carbon monoxide",))
        ),
    ],
    ids=["other labels", "other letters"],
)
def test_what_is_asked_differently_is_no_contradiction(deck: Deck) -> None:
    """The labels are part of the question, and so are capital letters."""
    assert [one.words for one in findings(deck) if one.is_error] == []


def test_labels_in_another_order_are_the_same_question() -> None:
    """They are shown in the same."""
    deck = deck_of(
        Flashcard("Which?", ("a",), labels=("a", "b")),
        Flashcard("Which?", ("b",), labels=("b", "a")),
        matcher="choice",
    )
    assert any("different answers" in one.words for one in findings(deck))


ALIKE: list[tuple[Matcher, str, list[str], str]] = [
    ("integer", "0", [str(n % 5).zfill(1 + n // 5) for n in range(40)], "20%"),
    ("integer", "0", ["0" * (n % 10) + "1" for n in range(40)], "100%"),
    ("words", "0", ["red, blue" if n % 2 else "blue, red" for n in range(40)], "100%"),
    ("text", "0", ["one" if n % 2 else "One" for n in range(40)], "50%"),
    ("caseless", "0", ["one" if n % 2 else "One" for n in range(40)], "100%"),
    ("decimal", "10", [f"{10 + n}.5" for n in range(40)], "56%"),
]


@pytest.mark.parametrize(("matcher", "tolerance", "answers", "share"), ALIKE)
def test_what_one_answer_earns_is_told_by_the_matcher(
    matcher: Matcher, tolerance: str, answers: list[str], share: str
) -> None:
    """Not by how right answers are spelt, and a number may be near to many."""
    cards = (Flashcard(f"Case {chr(65 + n)}?", (one,)) for n, one in enumerate(answers))
    deck = msgspec.structs.replace(deck_of(*cards, matcher=matcher), tolerance=tolerance)
    told = [one.words for one in findings(deck) if "always answering" in one.words]
    assert [words for words in told if share in words] == told
    assert len(told) == (share != "20%")


def test_contradictions_without_end_are_named_a_few_times() -> None:
    """Nobody reads a thousand of them."""
    twins = [Flashcard(f"{n}?", (answer,)) for n in range(100) for answer in ("one", "two")]
    found = [one for one in findings(deck_of(*twins)) if "different answers" in one.words]
    assert len(found) == MOST_NAMED


def test_what_is_quoted_is_one_short_line() -> None:
    """A question may have many, and a terminal or a window has one for it."""
    long = "\n\n".join(f"line {n}" for n in range(99))
    found = findings(deck_of(Flashcard(long, ("one",)), Flashcard(long, ("two",))))
    assert found
    assert all("\n" not in one.words and len(one.words) < 250 for one in found)


def rare(one_in: int) -> Deck:
    """A deck whose condition is long, and holds for one in so many values."""
    template = Template(
        "{a} and {w}?",
        "{a}",
        {"a": NumberVariable(1, 20 * one_in), "w": WordVariable(("x", "y"))},
        where=f"a % {one_in} == 0" + " and a > 0" * 15,
    )
    return deck_of(template, matcher="integer")


def test_templates_that_are_much_work_are_tried_less() -> None:
    """Of a condition that holds now and then some puzzles are enough."""
    assert findings(rare(50)) == []


def test_without_enough_tries_there_is_no_verdict() -> None:
    """Else a deck could be made of which the first few questions alone are to be found."""
    (found,) = findings(rare(500))
    assert found.is_error
    assert "hardly ever finds values" in found.words


def test_every_level_is_tried_at_length() -> None:
    """However much work the others are."""
    template = rare(50).templates[0]
    levels = [msgspec.structs.replace(template, level=n) for n in range(1, 10)]
    assert findings(deck_of(*levels, matcher="integer")) == []


def test_levels_of_one_question_each_that_is_hard_to_find_are_an_error() -> None:
    """Every start would look at length for what of them may be practised."""
    template = rare(50).templates[0]
    held_out = ["What is 0?", "What is 5?", "What is 37?", "What is 43?"]
    levels = [
        msgspec.structs.replace(template, question=question, answer="1", level=level)
        for level, question in enumerate(held_out, start=1)
    ]
    found = [one.words for one in findings(deck_of(*levels)) if one.is_error]
    assert len(found) == 1
    assert found[0].startswith("At level 3, a template hardly ever finds values")


@pytest.mark.parametrize(
    "name", ["arithmetic.csv", "operation.csv", "tickets.csv", "vocabulary.csv"]
)
def test_the_decks_that_come_along_are_sound(name: str) -> None:
    """No row is left out, and nothing is wrong with the rest."""
    table = read_table(name, (RESOURCES / "decks" / name).read_bytes())
    made = import_table(table, guess_columns(table))
    assert made.problems == ()
    deck = msgspec.structs.replace(
        deck_of(*made.cards, *made.templates, matcher=made.matcher), name=name
    )
    assert [finding.words for finding in findings(deck) if finding.is_error] == []
