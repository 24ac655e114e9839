"""Findings in words for a person."""

import pytest

from app.pages.settings.findings import (
    area_in_words,
    in_words,
    mark_in_words,
    mark_of,
    shown,
    sum_up,
)
from core.api.maintenance import Finding

WELL = Finding("disk", ok=True, words="fine")
NOTE = Finding("door", ok=False, words="closed", needed=False)
BAD = Finding("memory", ok=False, words="little")


def test_trouble_comes_first() -> None:
    """What is of no interest here is left out; the rest keeps its order."""
    redis = Finding("redis", ok=False, words="not installed", needed=False)
    assert shown((WELL, NOTE, redis, BAD)) == [BAD, WELL, NOTE]


def test_each_mark_has_words() -> None:
    """A sign alone says nothing to a screen reader."""
    marks = [mark_of(one) for one in (WELL, NOTE, BAD)]
    assert marks == ["well", "note", "trouble"]
    assert len({mark_in_words(mark) for mark in marks}) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [("runs on mains", "Runs on mains"), ("http://hub answers", "http://hub answers")],
)
def test_what_was_found_begins_as_a_sentence_does(words: str, said: str) -> None:
    """An address stays as it is typed."""
    assert in_words(Finding("hub", ok=True, words=words)) == said


def test_areas_have_names_of_their_own() -> None:
    """A new one is called as it is."""
    assert area_in_words("judge") == "Checking answers safely"
    assert area_in_words("moon phase") == "Moon phase"


@pytest.mark.parametrize(
    ("findings", "words"),
    [
        ((WELL, NOTE), "This computer can practise."),
        ((WELL, BAD), "One thing keeps this computer from practising."),
        ((BAD, BAD), "2 things keep this computer from practising."),
    ],
)
def test_the_sum_is_one_sentence(findings: tuple[Finding, ...], words: str) -> None:
    """Only what is needed counts."""
    assert sum_up(findings) == words
