"""Words about decks cross the pipe unharmed, and no farther than their bounds."""

import pytest
from msgspec.structs import replace

from core.api.decks import (
    BAD_ROWS,
    FIRST_ROWS,
    MOST_DECKS,
    SHOWN_ANSWER,
    SHOWN_QUESTION,
    BuiltInKind,
    DeckPlan,
    DeckPreviewed,
    DecksShown,
    DeckTried,
    KeptDeck,
    LookAtDeck,
    PreviewDeck,
    PreviewRow,
    TryDeck,
)
from core.api.pipe import MAX_LINE, encode
from core.api.practice import MOST_KINDS
from core.api.protocol import AnyAnswer, AnyRequest, decode_answer, decode_request
from core.errors import WireError
from core.i18n import Remark, remarks_of, translatable
from core.tasks.catalog import load_catalog

PLAN = DeckPlan(path="/tables/words.csv", name="Words", columns={"answer": 1, "level": None})
DECK = KeptDeck(
    task="deck_" + "a" * 32, digest="a" * 64, name="Words", levels=1, cards=1, templates=0
)
ROW = PreviewRow(number=1, question="dog?", answer="Hund", level=1)


def previewed(*rows: PreviewRow) -> DeckPreviewed:
    return DeckPreviewed(name="Words", matcher="text", parts={}, rows=rows, total=len(rows))


def test_a_plan_comes_back_equal() -> None:
    """A column that a person does not want is something else than one that nobody spoke of."""
    asked = PreviewDeck(plan=PLAN)
    assert decode_request(encode(asked)) == asked


def test_levels_come_back_as_numbers() -> None:
    """Though JSON knows no keys but texts."""
    tried = DeckTried(words="Fine.", levels={1: 0.5, 9: 1.0})
    assert decode_answer(encode(tried)) == tried


@pytest.mark.parametrize(
    "wrong",
    [
        PreviewDeck(plan=replace(PLAN, path="")),
        PreviewDeck(plan=replace(PLAN, name="x" * 81)),
        PreviewDeck(plan=replace(PLAN, columns={"answer": 64})),
        TryDeck(model="", plan=PLAN),
        LookAtDeck(digest="../settings"),
    ],
)
def test_what_is_out_of_bounds_is_no_request(wrong: AnyRequest) -> None:
    """The helper reads no file that is no deck's, whoever asks."""
    with pytest.raises(WireError):
        decode_request(encode(wrong))


@pytest.mark.parametrize(
    "wrong",
    [
        previewed(*[ROW] * (FIRST_ROWS + BAD_ROWS + 1)),
        previewed(replace(ROW, question="x" * (SHOWN_QUESTION + 1))),
        DecksShown(model="spark", decks=(DECK,) * (MOST_DECKS + 1), built_in=()),
        DecksShown(
            model="spark",
            decks=(),
            built_in=(BuiltInKind(task="gcd", title="Find it", levels=1, solved=1.5),),
        ),
    ],
)
def test_what_is_out_of_bounds_is_no_answer(wrong: AnyAnswer) -> None:
    """The page never has to shorten anything."""
    with pytest.raises(WireError):
        decode_answer(encode(wrong))


def test_a_table_of_long_rows_fits_into_a_line() -> None:
    """In letters that take most room, all of them with a problem."""
    words = translatable("{} is no level. Write a whole number from 1 to {}.", "\U0001f600" * 40, 9)
    longest = replace(
        ROW,
        question="\U0001f600" * SHOWN_QUESTION,
        answer="\U0001f600" * SHOWN_ANSWER,
        problem=str(words),
        remarks=remarks_of(words),
    )
    assert len(encode(previewed(*[longest] * (FIRST_ROWS + BAD_ROWS)))) < MAX_LINE


def test_all_decks_with_all_kinds_are_fewer_than_a_reply_holds() -> None:
    """Whatever is practised, the other tabs can be told of it."""
    assert len(load_catalog().tasks) + MOST_DECKS <= MOST_KINDS


def test_reasons_travel_as_what_they_were_made_from() -> None:
    """So that the window says them in the person's language."""
    row = replace(ROW, problem="It is bad.", remarks=(Remark("It is {}.", ("bad",)),))
    sent = previewed(row)
    assert decode_answer(encode(sent)) == sent
