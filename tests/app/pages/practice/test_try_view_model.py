"""What is said about a question that was asked."""

import pytest
from msgspec.structs import replace

from app.pages.practice.try_view_model import hint, try_view_model
from tests.app.pages.practice.samples import EMBER, SPARK, tried


@pytest.mark.parametrize(
    ("rounds", "words"),
    [
        (0, "Today, not practised yet"),
        (1, "Today, after 1 round"),
        (1_812, "Today, after 1,812 rounds"),
    ],
)
def test_how_much_it_has_practised(rounds: int, words: str) -> None:
    """Before and after are named over their answers."""
    looks = try_view_model(tried(1, rounds))
    assert (looks.before, looks.now) == ("Before any practice", words)


def test_what_the_comparison_means() -> None:
    """One puzzle proves little, equal answers nothing, and without practice both are one."""
    answer = tried(1)
    assert "proves little" in try_view_model(answer).note
    assert "no difference" in try_view_model(replace(answer, now=answer.before)).note
    assert "not judged" in try_view_model(replace(answer, title="")).note
    assert "same model" in try_view_model(replace(answer, round=0)).note


def test_a_text_is_called_what_it_is() -> None:
    """The kind of a puzzle, or one's own words."""
    assert try_view_model(tried(1)).heading == "Find the greatest common divisor"
    assert try_view_model(replace(tried(1), title="")).heading == "Your own words"


def test_nobody_takes_a_starter_for_a_chat_model() -> None:
    """The starters know puzzles alone; larger ones talk, and make things up."""
    assert hint(SPARK).startswith("Spark has never read anything but puzzles.")
    assert hint(EMBER).startswith("Ember")
    assert "make things up" in hint(replace(SPARK, repo="Qwen/Qwen2.5-0.5B-Instruct"))
