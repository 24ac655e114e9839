"""From an order to a folder of results."""

import asyncio
from pathlib import Path

import pytest

from core.errors import LabError
from core.lab.learning import experiments
from core.lab.learning.campaign import CampaignProgress
from core.lab.learning.laboratory import SUMMARY, TOOK, LearningFindings, StudyOrder, investigate
from core.lab.learning.plans import Setting
from core.lab.learning.records import DONE, ROUNDS
from tests.core.lab.learning.invented import leave

SETTING = Setting(("spark", "ember"), rounds=5, learning_rate=4e-5, exam_every=2, exam_puzzles=9)
MIXED = experiments.mixed(SETTING)


def order(out: Path, experiment: experiments.Experiment = MIXED) -> StudyOrder:
    return StudyOrder(experiment, (1, 2), workers=1, out=out, command="waggle lab mixed --rounds 5")


def carried_out(what: StudyOrder) -> LearningFindings:
    return asyncio.run(investigate(what, lambda _: None))


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder in which all runs are finished."""
    leave(MIXED.runs((1, 2)), tmp_path / "out")
    return tmp_path / "out"


def test_a_folder_of_results_tells_what_came_out(played: Path) -> None:
    """A page with the command, pictures beside it, and the arms compared, the baseline first."""
    told: list[CampaignProgress] = []
    findings = asyncio.run(investigate(order(played), told.append))
    page = (played / MIXED.name / SUMMARY).read_text("utf-8")
    assert page == findings.summary
    assert "waggle lab mixed --rounds 5" in page
    assert MIXED.title in page
    pictures = {path.name for path in (played / MIXED.name).glob("*.png")}
    assert len(pictures) == 4
    assert all(f"]({name})" in page for name in pictures)
    assert [arm.name for arm in findings.arms] == ["alone", "4/4", "adaptive"]
    assert (told[-1].finished, told[-1].rounds, told[-1].played) == (30, 30, 0)


def test_time_is_counted_over_all_the_times_that_it_was_tried(played: Path) -> None:
    """Whoever draws the pictures again does not make the experiment shorter."""
    (played / MIXED.name).mkdir()
    (played / MIXED.name / TOOK).write_text("7200.0\n")
    assert "took 2.0 hours" in carried_out(order(played)).summary
    assert 7200 <= float((played / MIXED.name / TOOK).read_text()) < 7300


def test_an_unreadable_time_is_told(played: Path) -> None:
    """With what to do; nothing else is lost."""
    (played / MIXED.name).mkdir()
    (played / MIXED.name / TOOK).write_text("a while")
    with pytest.raises(LabError, match=f"{TOOK}.*Delete it"):
        carried_out(order(played))


def test_a_run_that_is_damaged_spoils_no_page(played: Path) -> None:
    """There is none rather than one of guesses."""
    folder = played / MIXED.runs((1,))[0].name
    (folder / ROUNDS).write_text("round,node\n")
    assert (folder / DONE).exists()
    with pytest.raises(LabError, match=f"{ROUNDS} is damaged"):
        carried_out(order(played))
    assert not (played / MIXED.name / SUMMARY).exists()


@pytest.mark.slow
def test_a_run_that_fails_is_told(tmp_path: Path) -> None:
    """In its own words: the real process, with a model that nobody made."""
    nameless = experiments.mixed(Setting(("sparc",), rounds=1, learning_rate=4e-5))
    said = r"alone-seed1 failed: There is no model called 'sparc'. Did you mean spark\? All"
    with pytest.raises(LabError, match=said):
        carried_out(order(tmp_path / "out", nameless))
    assert float((tmp_path / "out" / MIXED.name / TOOK).read_text()) > 0
