"""Where the answer stands."""

import timeit
from functools import partial
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.rollouts.answers import CLOSING, OPENING, final_answer, read_answer, shows_work

PIECES = st.sampled_from(
    [OPENING, CLOSING, "<ANSWER>", "</Answer>", "7", " ", "<", "answer", ">", "</", "\n", "and"]
)


@pytest.mark.parametrize(
    ("completion", "answer"),
    [
        ("7", "7"),
        ("", ""),
        ("First 3, then 4.\n<answer>7</answer>", "7"),
        ("<answer> 7\n</answer> I am sure.", "7"),
        ("<answer>\u00a07\v</answer>", "\u00a07\v"),
        ("<answer>6</answer> or rather <answer>7</answer>", "7"),
        ("<answer><answer>7</answer>", "7"),
        ("<answer>7</answer></answer>", "7"),
        ("<answer></answer>", ""),
        ("So <answer> 7\n", "7"),
        ("<answer>6 <answer>7", "7"),
        ("<answer>7<answer>", "7"),
        ("<answer>7</answer> or <answer>8", "7"),
        ("7</answer>", "7</answer>"),
        ("</answer>7<answer>", ""),
        ("<ANSWER>7</ANSWER>", "7"),
        ("<answer>6</answer> <Answer>7</ANSWER>", "7"),
        ("<an\u017fwer>7</an\u017fwer>", "<an\u017fwer>7</an\u017fwer>"),
        ("\u0130\u0130 <answer>7</answer>", "7"),
        ("<answer>7</answer> It stands between <answer> and </answer>.", "7"),
        ("<answer>7</answer> It stands between `<answer>` and `</answer>`.", "7"),
        ("<answer>7</answer> It stands in <answer>...</answer> tags.", "7"),
        ("<answer>7</answer> It stands in <answer></answer>.", "7"),
        ("<answer>7</answer> It stands behind <answer>.", "7"),
        ("Between <answer> and </answer>: <answer>7</answer>", "7"),
        ("7 stands between <answer> and </answer>.", "and"),
        ("<answer>7</answer> <answer>and 8</answer>", "and 8"),
        ("< answer>7</ answer>", "< answer>7</ answer>"),
    ],
)
def test_the_last_pair_of_tags_holds_the_answer(completion: str, answer: str) -> None:
    """What only speaks of tags is passed over; without any tag, the text is taken as it is."""
    assert final_answer(completion) == answer
    assert read_answer(completion).text == answer


@pytest.mark.parametrize(
    ("completion", "as_asked"),
    [
        ("7", True),
        (" 7 and so on", True),
        ("<answer>7</answer>", True),
        ("First 3.\n<answer>\n7 </answer>\n", True),
        ("Not <answer>6</answer> but <answer>7</answer>", True),
        ("<answer>\n\n 7\n</answer>", False),
        ("<answer>7</answer>!", False),
        ("<answer>7</answer> It stands between <answer> and </answer>", False),
        ("<answer>7</answer></answer>", False),
        ("<answer>7", False),
        ("<answer>7<answer>", False),
        ("<Answer>7</answer>", False),
        ("<answer>7</ANSWER>", False),
    ],
)
def test_only_what_the_prompt_asks_for_is_as_asked(completion: str, *, as_asked: bool) -> None:
    """The answer alone, or between the prompt's own tags at the end of the text."""
    assert read_answer(completion).as_asked is as_asked


@pytest.mark.parametrize(
    ("completion", "shown"),
    [
        ("12", False),
        ("<answer>12</answer> since 7+5=12", False),
        (" \n<answer>12", False),
        ("<answer></answer><answer>12</answer>", False),
        ("7+5=12 <answer>12</answer>", True),
        ("<answer></answer>7+5=12<answer>12</answer>", True),
        ("7+5=12 <answer>", True),
    ],
)
def test_work_is_what_stands_before_the_answer(completion: str, *, shown: bool) -> None:
    """Whichever tags come first."""
    assert shows_work(completion) == shown


@pytest.mark.parametrize(
    "filler", [OPENING, CLOSING, OPENING + CLOSING, "<answer>and</answer>", "<", "<answer", " \n"]
)
def test_long_texts_are_read_in_one_pass(filler: str) -> None:
    """A megabyte, whatever it repeats, takes about as long as sixteen times a sixteenth of it."""

    def seconds(times: int) -> float:
        read = partial(final_answer, filler * (2**20 // times // len(filler)))
        return min(timeit.repeat(read, timer=process_time, number=times, repeat=3))

    assert seconds(1) < 4 * max(seconds(16), 0.1), "or less than the clock can tell"


@given(st.lists(PIECES, max_size=12).map("".join))
@settings(deadline=None)
def test_an_answer_is_a_part_of_its_completion(completion: str) -> None:
    """Nothing is invented, whatever tags a stranger writes, and no tag is left in it."""
    answer = final_answer(completion)
    assert answer in completion
    if answer != completion:
        assert OPENING not in answer.lower()
        assert CLOSING not in answer.lower()
