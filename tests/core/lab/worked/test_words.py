"""Worked answers to questions in words, on examples worked out by hand."""

import pytest

from core.lab.worked import words
from core.lab.worked.answers import Steps

LEGS = "Now, how many legs are there in total if you have {}?\n"
LONG = "A flight departed at {} and arrived at {}. How long was the flight? Answer in {}."
ELAPSED = "How much time elapsed from {} to {}? Give your answer in D days."


@pytest.mark.parametrize(
    ("write", "prompt", "answer", "steps"),
    [
        (words.legs, LEGS.format("2 horses, 1 sea slug"), "8", "2*4=8,1*0=0+8=8"),
        (
            words.weekday,
            "Starting from Saturday, December 31, 2022, which weekday was it 72 days before?",
            "Thursday",
            "72-70=2,Saturday 6-2=4",
        ),
        (
            words.weekday,
            "If today is Friday, April 1, 2022, what day of the week will it be in 4 days?",
            "Tuesday",
            "4-0=4,Friday 5+4=9-7=2",
        ),
        (words.weekday, "What day of the week was April 28, 2022?", "Thursday", None),
        (
            words.interval,
            LONG.format("06:55", "07:33", "HH:MM"),
            "00:38",
            "93-55=8b:3=38,6-6=0",
        ),
        (words.interval, LONG.format("06:55:00.1", "07:33:01.2", "HH"), "00:38:01.100", None),
        (
            words.interval,
            ELAPSED.format("2024-01-30 (Tuesday)", "2024-03-02 (Saturday)"),
            "32 days",
            "31-30=1:0=1+29=10:3=30+2=2:3=32",
        ),
        (words.interval, ELAPSED.format("03 May 2020", "09 May 2020"), "6 days", "9-3=6"),
    ],
)
def test_steps(write: Steps, prompt: str, answer: str, steps: str | None) -> None:
    """The steps are those that a person would write down; None where there are none."""
    assert write(prompt, answer) == steps


def test_another_prompt_is_refused() -> None:
    """A prompt that names no interval is an error of the program."""
    with pytest.raises(ValueError, match="long"):
        words.interval("How long?", "3 days")
