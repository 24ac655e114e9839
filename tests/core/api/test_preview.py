"""What is shown of the puzzles, and how often."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.pipe import MAX_LINE, decode_event, encode
from core.api.preview import (
    ANSWER_LENGTH,
    MOST_ANSWERS,
    PAUSE_S,
    QUESTION_LENGTH,
    Attempt,
    Preview,
    PuzzleTried,
    WatchPuzzles,
    attempts_of,
    cut,
)
from core.rollouts.types import Completion, Question, ScoredGroup
from tests.fakes import OTHER, OWN, peer_group, question


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def scored(index: int, right: int, wrong: int, *, own: bool = True) -> ScoredGroup:
    group = replace(peer_group(index, right, wrong), author=OWN if own else OTHER)
    return ScoredGroup(question(index), group, (1.0,) * right + (0.0,) * wrong)


def showcase(clock: Clock | None = None) -> Preview:
    return Preview(lambda task: f"All about {task}", lambda _: "amber-otter-27", clock or Clock())


def test_one_of_each_side_is_shown_and_rather_one_that_teaches() -> None:
    """Of own groups and of peers' the first that is not flat, else the first."""
    own = [scored(1, 8, 0), scored(2, 3, 5), scored(3, 4, 4)]
    heard = [scored(4, 0, 8, own=False), scored(5, 0, 8, own=False)]
    mine, theirs = showcase().choose(7, own, heard)
    assert (mine.round, mine.title) == (7, "All about adding")
    assert (mine.question, mine.peer, mine.theirs) == (question(2).prompt, "", ())
    assert [a.reward for a in mine.own] == [1.0] * 3 + [0.0] * 5
    assert (theirs.question, theirs.own) == (question(4).prompt, ())
    assert (theirs.peer, theirs.name, len(theirs.theirs)) == (OTHER, "amber-otter-27", 8)


def test_a_question_that_both_tried_is_shown_once_with_both() -> None:
    """Answers to the same question stand side by side, whatever else would teach."""
    own = [scored(1, 3, 5), scored(2, 8, 0)]
    (both,) = showcase().choose(1, own, [scored(4, 3, 5, own=False), scored(2, 1, 1, own=False)])
    assert both.question == question(2).prompt
    assert (len(both.own), len(both.theirs), both.peer) == (8, 2, OTHER)


def at_level(scored: ScoredGroup, level: int) -> ScoredGroup:
    asked = scored.question
    return replace(scored, question=replace(asked, key=replace(asked.key, level=level)))


@pytest.mark.parametrize(
    ("task", "level", "shown"),
    [("", 0, [1]), ("adding", 0, [1]), ("adding", 3, [3]), ("adding", 2, []), ("lcm", 0, [])],
)
def test_whoever_looks_at_one_cell_sees_no_other(task: str, level: int, shown: list[int]) -> None:
    """Own groups and peers' alike; the level is told."""
    groups = [at_level(scored(1, 1, 1), 1), at_level(scored(2, 1, 1), 3)]
    watched = Preview(str, str, Clock(), WatchPuzzles(on=True, task=task, level=level))
    assert [puzzle.level for puzzle in watched.choose(1, groups, [])] == shown
    heard = Preview(str, str, Clock(), WatchPuzzles(on=True, task=task, level=level))
    assert [puzzle.level for puzzle in heard.choose(1, [], groups)] == shown


def test_nothing_tried_is_nothing_shown_and_does_not_count() -> None:
    """A round without groups leaves the next one its turn."""
    shown = showcase()
    assert shown.choose(1, [], []) == []
    assert shown.choose(2, [scored(1, 1, 1)], []) != []


def test_a_fast_model_does_not_flood_the_window() -> None:
    """However many rounds a second: something new every ``PAUSE_S`` seconds at most."""
    clock = Clock()
    shown = showcase(clock)
    told = 0
    for number in range(512):
        told += len(shown.choose(number, [scored(1, 1, 1)], [scored(2, 1, 1, own=False)]))
        clock.now += PAUSE_S / 8
    assert told == 2 * 64


def test_of_a_completion_the_final_answer_is_shown() -> None:
    """What a larger model thinks before would fill the page."""
    group = scored(1, 1, 0)
    thinking = Completion("Let me see. <answer>42</answer>", ended=True)
    judged = replace(group, group=replace(group.group, completions=(thinking,)))
    assert attempts_of(judged) == (Attempt("42", 1.0),)


@given(st.text(), st.lists(st.text(max_size=900), min_size=1, max_size=32))
def test_whatever_was_written_fits_the_pipe(prompt: str, answers: list[str]) -> None:
    """Every text is cut to its bound, and the window can read what is sent."""
    asked = Question(question(1).key, prompt * 100)
    completions = tuple(Completion(text, ended=True) for text in answers)
    group = replace(peer_group(1, 1, 0), completions=completions)
    judged = ScoredGroup(asked, group, (0.0,) * len(answers))
    (puzzle,) = showcase().choose(1, [], [judged])
    assert len(puzzle.question) <= QUESTION_LENGTH
    assert len(puzzle.theirs) == min(len(answers), MOST_ANSWERS)
    assert all(len(attempt.text) <= ANSWER_LENGTH for attempt in puzzle.theirs)
    line = encode(puzzle)
    assert len(line) < MAX_LINE
    assert decode_event(line) == puzzle
    assert isinstance(puzzle, PuzzleTried)


def test_a_cut_is_seen() -> None:
    """What is left out is marked; what fits is left alone."""
    assert cut("12345", 5) == "12345"
    assert cut("123456", 5) == "1234…"
