"""What is told of a deck."""

from core.api.decks import SAMPLES
from core.decks.deck import Deck, Flashcard, digest_of, encode_deck
from core.decks.library import InstalledDeck
from core.services.deck_words import samples_of, told_of


def installed(*cards: Flashcard) -> InstalledDeck:
    deck = Deck(format=1, name="Words", author="Ada", matcher="text", cards=cards)
    return InstalledDeck(deck, digest_of(encode_deck(deck)))


def test_all_that_it_says_of_itself_is_told() -> None:
    """And what the model solves of it, where anybody knows."""
    made = installed(Flashcard("a?", ("a",)), Flashcard("b?", ("b",), level=2))
    told = told_of(made, 0.5)
    assert (told.name, told.author, told.cards, told.levels) == ("Words", "Ada", 2, 2)
    assert (told.task, told.digest, told.solved) == (made.task, made.digest, 0.5)


def test_some_questions_of_all_levels_are_told_with_their_answers() -> None:
    """No more than are looked at, each once, the easy ones first."""
    easy = [Flashcard(f"{n}?", (str(n), f"number {n}")) for n in range(40)]
    hard = [Flashcard(f"hard {n}?", (str(n),), level=2) for n in range(40)]
    samples = samples_of(installed(*easy, *hard))
    assert len({one.question for one in samples}) == SAMPLES
    assert [one.level for one in samples] == sorted(one.level for one in samples)
    assert {one.level for one in samples} == {1, 2}
    assert " | number " in samples[0].answers
