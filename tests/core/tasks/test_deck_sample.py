"""Which questions of a deck are tried."""

from core.decks.deck import Deck, Flashcard, digest_of, encode_deck
from core.decks.questions import DeckQuestion, DeckQuestions
from core.decks.templates import NumberVariable, Template
from core.tasks.deck_sample import FEWEST_TRIED, LOOKED_AT, MOST_MISSING, sample


def sampled(*rows: Template | Flashcard) -> dict[int, list[DeckQuestion | None]]:
    deck = Deck(
        format=1,
        name="a",
        matcher="integer",
        cards=tuple(row for row in rows if isinstance(row, Flashcard)),
        templates=tuple(row for row in rows if isinstance(row, Template)),
    )
    return sample(DeckQuestions(deck, digest_of(encode_deck(deck))), sorted(deck.levels))


def rare(one_in: int, level: int) -> Template:
    """A template whose condition is long, and holds for one in so many values."""
    where = f"a % {one_in} == 0" + " and a > 0" * 15
    return Template("{a}?", "{a}", {"a": NumberVariable(1, 20 * one_in)}, where, level)


def test_a_level_that_is_much_work_takes_nothing_from_the_others() -> None:
    """Cards are all tried; of templates as many questions as so many steps make."""
    found = sampled(Flashcard("1?", ("1",)), rare(50, 2), rare(50, 3))
    tried = [len(asked) for asked in found.values()]
    assert tried[0] == LOOKED_AT
    assert all(FEWEST_TRIED < count < LOOKED_AT for count in tried[1:])


def test_a_level_without_questions_is_soon_given_up() -> None:
    """Once its verdict is certain."""
    never = Template("{a}?", "{a}", {"a": NumberVariable(1, 9)}, "a > 9")
    (asked,) = sampled(never).values()
    assert asked == [None] * int(MOST_MISSING * LOOKED_AT + 1)
