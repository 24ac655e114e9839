"""The decks that come with Waggle can be learnt, each by itself, by the smallest model."""

from pathlib import Path

import msgspec
import pytest

from core.decks.library import DeckLibrary
from core.lab.learning import experiments
from core.lab.learning.plans import EVERY_LEVEL, PLAN, Setting, plan_of
from core.lab.learning.results import RunResult, read_runs
from core.lab.learning.run import play
from core.paths import RESOURCES, Home
from core.services.decks import DeckWish, draft_of_file, install

ERRORS = 3
"""Standard errors by which a score has to rise: chance does so once in 700 times."""

EXAM = 64
"""Puzzles; of a small deck fewer are held out."""


def practised(
    folder: Path, name: str, rounds: int, arm: str, rate: float | None = None
) -> RunResult:
    """What came of the deck ``name`` after so many ``rounds`` of one seed, in one thread."""
    draft = draft_of_file(RESOURCES / "decks" / f"{name}.csv", DeckWish(name=name))
    deck = install(draft, DeckLibrary(Home(folder).decks))
    setting = Setting(
        ("spark",),
        rounds,
        rate,
        levels=EVERY_LEVEL,
        practice="everything",
        kinds=(deck.task,),
        exam_every=rounds,
        exam_puzzles=EXAM,
    )
    (run,) = (one for one in experiments.decks(setting).runs((1,)) if one.arm.name == arm)
    (folder / run.name).mkdir()
    (folder / run.name / PLAN).write_bytes(msgspec.json.encode(plan_of(run)))
    play(run, folder / run.name, lambda _: None)
    (result,) = read_runs(folder, [run])
    return result


def in_the_exam(result: RunResult) -> float:
    """By how many of its standard errors the held-out score rose, puzzle by puzzle."""
    return float(result.gains[-1, 0] / max(result.gain_errors[-1, 0], 1e-9))


def in_practice(result: RunResult) -> float:
    """The same of the mean share solved in the last third of the rounds over the first third."""
    third = len(result.rewards) // 3
    first, last = result.rewards[:third, 0], result.rewards[-third:, 0]
    error = ((first.var(ddof=1) + last.var(ddof=1)) / third) ** 0.5
    return float((last.mean() - first.mean()) / max(error, 1e-9))


@pytest.mark.slow
@pytest.mark.timeout(900)  # a minute where nothing else runs
def test_sums_are_learnt_alone_and_hold_for_those_never_practised(tmp_path: Path) -> None:
    """From own tries, half of which are right at the first level."""
    assert in_the_exam(practised(tmp_path, "arithmetic", 50, "alone")) > ERRORS


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "rounds"), [("tickets", 90), ("vocabulary", 240)])
def test_labels_and_words_are_taken_up_from_the_teacher(
    name: str, rounds: int, tmp_path: Path
) -> None:
    """The base is hardly ever right here, so that next to nothing would be learnt alone."""
    result = practised(tmp_path, name, rounds, "teacher")
    assert result.scores[0, 0] < 0.1
    assert in_practice(result) > ERRORS


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_model_that_hardly_moves_is_not_said_to_learn(tmp_path: Path) -> None:
    """The same measures, with a learning rate of next to nothing: so the claims above can fail."""
    result = practised(tmp_path, "arithmetic", 50, "alone", rate=1e-9)
    assert result.trained.sum() > 0
    assert in_the_exam(result) < ERRORS
    assert in_practice(result) < ERRORS
