"""The swarm in one sentence."""

import pytest

from core.swarm.words import Meeting, describe

ONE = ("example.org",)


@pytest.mark.parametrize(
    ("meeting", "words"),
    [
        (Meeting(ONE, 1, 0), "Nobody else is here yet."),
        (Meeting(ONE, 1, 1), "Practising with 1 other."),
        (Meeting((*ONE, "b"), 1, 3), "Practising with 3 others."),
        (
            Meeting(ONE, 0, 0),
            (
                "The meeting point at example.org cannot be reached; "
                "practising alone and trying again."
            ),
        ),
        (
            Meeting((*ONE, "b", "c"), 0, 0),
            "None of the 3 meeting points can be reached; practising alone and trying again.",
        ),
    ],
)
def test_the_state_in_words(meeting: Meeting, words: str) -> None:
    """Plain words, right also in the singular."""
    assert describe(meeting) == words


def test_what_the_person_can_mend_is_said() -> None:
    """A wrong clock and an old release come before the number of others."""
    assert "Set the clock" in describe(Meeting(ONE, 1, 3, clock_is_wrong=True))
    assert "Update Waggle" in describe(Meeting(ONE, 1, 3, other_release=True))
