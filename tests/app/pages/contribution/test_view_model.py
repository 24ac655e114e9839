"""What the page says in words."""

import pytest
from msgspec.structs import replace

from app.pages.contribution.view_model import contribution_view_model
from tests.app.pages.contribution.samples import EVERY, MONTH, NOTHING, OLD, ONE_DAY, YEARS


def test_before_the_first_answer_it_says_that_it_looks() -> None:
    """No figure is shown before one is known."""
    looks = contribution_view_model(None)
    assert looks.detail == "Looking up what was practised here…"
    assert looks.tiles == ()


def test_before_the_first_round_it_says_what_will_be_here() -> None:
    """No row of zeros."""
    looks = contribution_view_model(NOTHING)
    assert looks.headline == "Nothing practised yet."
    assert "From the first round on" in looks.detail
    assert (looks.tiles, looks.reached, looks.ahead) == ((), (), ())


def test_the_headline_says_how_long_and_on_how_many_days() -> None:
    """One day in words, more in figures."""
    assert contribution_view_model(ONE_DAY).headline == "You practised 30 minutes on one day."
    assert contribution_view_model(YEARS).headline == "You practised 1,990 hours on 400 days."


@pytest.mark.parametrize(
    ("learners", "words"),
    [
        (None, ""),
        (0, ""),
        (1, "Your model's tries helped 1 other."),
        (1_234, "Your model's tries helped 1,234 others."),
    ],
)
def test_whom_it_helped_is_told_by_their_own_word(learners: int | None, words: str) -> None:
    """Nothing is said where nobody told."""
    assert contribution_view_model(replace(MONTH, learners=learners)).compared == words


def test_what_came_back_is_told_beside_what_was_given() -> None:
    """One sentence each, and each alone where the other has nothing to say."""
    gave, got = (
        "Your model's tries helped 3 others.",
        "Others' tries taught your model 4 kinds of puzzles at levels that it never solved alone.",
    )
    for learners, taught, words in ((3, 4, f"{gave} {got}"), (None, 4, got), (3, 0, gave)):
        looks = contribution_view_model(replace(MONTH, learners=learners, taught=taught))
        assert looks.compared == words


@pytest.mark.parametrize("name", ["one", "month", "years", "old"])
def test_it_says_that_nothing_is_earned(name: str) -> None:
    """Once, and no figure is named as if it were money."""
    looks = contribution_view_model(EVERY[name])
    assert looks.detail.endswith("Nothing here earns money.")
    words = " ".join((looks.headline, looks.compared, *(t.title + t.note for t in looks.tiles)))
    assert not {"earn", "reward", "score", "credit", "point"} & set(words.lower().split())


def test_the_first_day_is_named() -> None:
    """Since when all this is counted."""
    assert contribution_view_model(OLD).detail.startswith(
        "Counted since 20 Nov 2026, all models together."
    )
