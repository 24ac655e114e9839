"""Questions of a deck: the same everywhere, some held out, none that gives its answer away."""

import hashlib
from collections import Counter

import msgspec
import pytest

from core.decks.deck import Deck, Flashcard, digest_of, encode_deck
from core.decks.questions import DeckQuestion, DeckQuestions
from core.decks.templates import NumberVariable, Template, WordVariable

SUMS = Deck(
    format=1,
    name="Sums",
    matcher="integer",
    templates=(
        Template(
            "{name} has {a} and {b}. How many?",
            "{a + b}",
            {
                "a": NumberVariable(2, 99),
                "b": NumberVariable(3, 60, 3),
                "name": WordVariable(("Ada", "Bo")),
            },
            where="gcd(a, b) == 1",
            solution="{a} + {b} = {a + b}",
        ),
        Template("What is {a} squared?", "{a ** 2}", {"a": NumberVariable(-9, 9)}),
    ),
)


def questions_of(deck: Deck) -> DeckQuestions:
    return DeckQuestions(deck, digest_of(encode_deck(deck)))


def first(deck: Deck, count: int, level: int = 1) -> list[DeckQuestion]:
    asked = questions_of(deck)
    return [one for at in range(1, count + 1) if (one := asked.question(level, at))]


def cards(count: int) -> tuple[Flashcard, ...]:
    return tuple(Flashcard(f"What is {n}?", (str(n),)) for n in range(count))


def test_a_deck_asks_the_same_in_every_python() -> None:
    """The digest of its first 50 questions: nodes judge each other by them."""
    told = msgspec.json.encode([msgspec.to_builtins(one) for one in first(SUMS, 50)])
    golden = "524ae8363a0b3ec8021d8d5e3f4bfe2d0b6e934309347f9be100fc43254b84b2"
    assert hashlib.sha256(told).hexdigest() == golden


def test_a_question_does_not_depend_on_those_before() -> None:
    """Positions can be asked in any order."""
    asked = questions_of(SUMS)
    forwards = [asked.question(1, at) for at in range(1, 20)]
    assert [asked.question(1, at) for at in reversed(range(1, 20))] == forwards[::-1]


def test_the_first_ones_take_levels_in_turn() -> None:
    """So that a person sees some of each; positions without a question are passed over."""
    hard = tuple(Flashcard(f"Hard {n}?", ("1",), level=2) for n in range(9))
    two = Deck(format=1, name="a", matcher="integer", cards=(*cards(9), *hard))
    asked = questions_of(two)
    assert list(asked.first(6)) == [(1 + n % 2, asked.question(1 + n % 2, n)) for n in range(6)]


def test_rows_are_all_as_likely() -> None:
    """A template is a row like a card, however many values it has."""
    deck = msgspec.structs.replace(SUMS, cards=cards(2))
    kinds = Counter(one.prompt.split()[0] + one.prompt[-9:-1] for one in first(deck, 400))
    template_share = sum(n for kind, n in kinds.items() if "squared" in kind) / 400
    assert 0.18 < template_share < 0.32


@pytest.mark.parametrize(("count", "share"), [(100, 1 / 5), (400, 1 / 5), (1_600, 1 / 16)])
def test_a_share_of_the_cards_is_held_out(count: int, share: float) -> None:
    """One in five of a small deck, one in sixteen of a large one."""
    deck = Deck(format=1, name="a", matcher="integer", cards=cards(count))
    asked = {one.prompt: one.held_out for one in first(deck, count * 12)}
    assert len(asked) > count * 0.99
    deviation = (share * (1 - share) / count) ** 0.5
    assert abs(sum(asked.values()) / len(asked) - share) < 3 * deviation


def test_values_of_templates_count_as_questions() -> None:
    """A template of a thousand values makes a large deck of one with few cards."""
    deck = Deck(format=1, name="a", matcher="integer", cards=cards(200))
    large = msgspec.structs.replace(
        deck, templates=(Template("{a}?", "{a}", {"a": NumberVariable(1, 1_000)}, level=2),)
    )
    held_out = [sum(one.held_out for one in first(each, 1_000)) for each in (deck, large)]
    assert held_out[0] > 2 * held_out[1]


def levels_of(one: Flashcard, *others: Flashcard | Template) -> Deck:
    rows = (one, *others)
    return Deck(
        format=1,
        name="a",
        matcher="integer",
        cards=tuple(row for row in rows if isinstance(row, Flashcard)),
        templates=tuple(row for row in rows if isinstance(row, Template)),
    )


HELD_OUT = [
    one.prompt
    for one in first(Deck(format=1, name="a", matcher="integer", cards=cards(100)), 500)
    if one.held_out
]
"""Prompts whose text would have them held out in a small deck."""


@pytest.mark.parametrize("count", [1, 3])
def test_a_level_whose_prompts_would_all_be_held_out_can_be_practised(count: int) -> None:
    """Be it a single card or a template with a single value."""
    rows = [Flashcard(prompt, ("1",)) for prompt in dict.fromkeys(HELD_OUT)][:count]
    template = Template(rows[0].question.replace("?", "{a}"), "1", {"a": WordVariable(("?",))})
    for deck in (levels_of(*rows), Deck(format=1, name="a", matcher="text", templates=(template,))):
        asked = first(deck, 100)
        assert {one.prompt for one in asked} <= set(HELD_OUT)
        assert not any(one.held_out for one in asked)


@pytest.mark.parametrize("wanted", range(1, 41))
def test_one_question_that_is_hard_to_find_can_be_practised(wanted: int) -> None:
    """Though some draws find none: a round would look for another for ever."""
    template = Template(
        "What is {a}?", "{a}", {"a": NumberVariable(1, 400)}, where=f"a == {wanted}"
    )
    asked = questions_of(Deck(format=1, name="a", matcher="integer", templates=(template,)))
    found = [one for n in range(40) if (one := asked.question(1, n)) is not None]
    assert found
    assert not any(one.held_out for one in found)


def test_what_to_practise_is_not_sought_without_end() -> None:
    """Levels whose only question is hard to find are given up after a fixed number of steps."""
    many = Deck(format=1, name="a", matcher="integer", cards=cards(1_600))
    prompts = dict.fromkeys(one.prompt for one in first(many, 900) if one.held_out)
    hard = "a % 50 == 7" + " and a > 0" * 15
    templates = tuple(
        Template(prompt, "1", {"a": NumberVariable(1, 1_000)}, hard, level)
        for level, prompt in enumerate(list(prompts)[:5], start=1)
    )
    few, all_five = (
        questions_of(msgspec.structs.replace(many, cards=(), templates=some))
        for some in (templates[:2], templates)
    )
    assert few.endless is None
    assert all_five.endless == 3
    assert 500_000 < all_five.steps < 550_000


def test_what_a_large_deck_holds_out_a_small_one_held_out_too() -> None:
    """A deck that grows past 500 questions is not examined on what was practised."""

    def held_out(count: int) -> set[str]:
        cards = tuple(Flashcard(f"{n}?", ("1",)) for n in range(count))
        asked = questions_of(Deck(format=1, name="a", matcher="integer", cards=cards))
        drawn = (asked.question(1, n) for n in range(12_000))
        return {one.prompt for one in drawn if one is not None and one.held_out}

    few = {f"{n}?" for n in range(400)}
    assert held_out(600) & few <= held_out(400)


def test_a_prompt_is_held_out_at_all_levels_or_at_none() -> None:
    """What is the exam at one level is not practised at another, nor the other way round."""
    prompt, *_ = HELD_OUT
    one = Flashcard(prompt, ("1",))
    many = [Flashcard(card.question, card.answers, level=2) for card in cards(100)]
    both = levels_of(one, *many)  # at the first level there is no other
    apart = levels_of(one, *cards(100), *many)
    for deck, expected in ((both, False), (apart, True)):
        found = {
            level: {asked.held_out for asked in first(deck, 900, level) if asked.prompt == prompt}
            for level in (1, 2)
        }
        assert found == {1: {expected}, 2: {expected}}


def test_a_card_and_a_template_with_the_same_prompt_agree() -> None:
    """It is the text that decides, and not where it comes from."""
    template = Template("What is {a}?", "{a}", {"a": NumberVariable(0, 99)}, level=2)
    deck = levels_of(*cards(100), template)
    told = {(one.prompt, one.held_out) for level in (1, 2) for one in first(deck, 900, level)}
    assert len(told) == len({prompt for prompt, _ in told}) == 100


def test_of_templates_one_puzzle_in_sixteen_is_held_out() -> None:
    """Told by what it asks, so the same puzzle is always held out or never."""
    deck = msgspec.structs.replace(SUMS, templates=SUMS.templates[:1])
    asked = first(deck, 2_000)
    assert 0.04 < sum(one.held_out for one in asked) / len(asked) < 0.09
    assert len({(one.prompt, one.held_out) for one in asked}) == len({o.prompt for o in asked})


def test_the_order_of_labels_says_nothing() -> None:
    """However they were written down, each place is as often right as the others."""
    labels = ("right", "wrong", "odd", "late")
    deck = Deck(
        format=1,
        name="a",
        matcher="choice",
        cards=tuple(Flashcard(f"{n}?", ("right",), labels=labels) for n in range(400)),
    )
    shown = {one.prompt: one.prompt.split("\n")[1].split(" / ") for one in first(deck, 3_000)}
    places = Counter(order.index("right") for order in shown.values())
    assert all(sorted(order) == sorted(labels) for order in shown.values())
    assert all(70 < places[place] < 130 for place in range(4))


def test_what_a_template_makes_too_long_is_not_asked() -> None:
    """Blanks can swell a text beyond the limits of a card."""
    long = Template("{name}" * 32 + "x" * 1_000, "1", {"name": WordVariable(("y" * 120,))})
    deck = Deck(format=1, name="a", matcher="text", templates=(long,))
    assert questions_of(deck).question(1, 1) is None


def test_a_solution_that_swells_is_not_asked_either() -> None:
    """It becomes a lesson, and the judge may not say more than so much."""
    long = Template("{a}?", "1", {"a": WordVariable(("y" * 120,))}, solution="{a}" * 32 + "x" * 999)
    deck = Deck(format=1, name="a", matcher="text", templates=(long,))
    assert questions_of(deck).question(1, 1) is None


def test_it_tells_how_much_work_templates_were() -> None:
    """A condition that never holds is a thousand times the work of it and its variables."""
    hopeless = Template("{a}?", "1", {"a": NumberVariable(1, 9)}, where="a > 9")
    asked = questions_of(Deck(format=1, name="a", matcher="text", templates=(hopeless,)))
    before = asked.steps
    assert asked.question(1, 1) is None
    assert asked.steps - before == 1_000 * 4
