"""Where the answer stands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.rollouts.answers import CLOSING, OPENING, final_answer

PIECES = st.sampled_from([OPENING, CLOSING, "7", " ", "<", "answer", ">", "</", "\n"])


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
        ("<answer>7", "<answer>7"),
        ("7</answer>", "7</answer>"),
        ("</answer>7<answer>", "</answer>7<answer>"),
        ("<ANSWER>7</ANSWER>", "<ANSWER>7</ANSWER>"),
    ],
)
def test_the_last_pair_of_tags_holds_the_answer(completion: str, answer: str) -> None:
    """Without a whole pair, the text is taken as it is."""
    assert final_answer(completion) == answer


@given(st.lists(PIECES, max_size=12).map("".join))
@settings(deadline=None)
def test_an_answer_is_a_part_of_its_completion(completion: str) -> None:
    """Nothing is invented, whatever tags a stranger writes, and no tag is left in it."""
    answer = final_answer(completion)
    assert answer in completion
    if answer != completion:
        assert OPENING not in answer
        assert CLOSING not in answer
