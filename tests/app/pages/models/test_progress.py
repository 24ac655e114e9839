"""How far work has come, in words."""

from typing import get_args

import pytest
from msgspec.structs import replace

from app.pages.models.outcomes import Kind
from app.pages.models.progress import at_rest, under_way
from app.pages.models.store import Job
from core.api.models import ModelProgress, Stage
from tests.app.pages.models.samples import MB, SMOL


def fetch(stage: Stage, done: int = 0, total: int = 0, per_second: int = 0) -> ModelProgress:
    return ModelProgress(stage=stage, done=done, total=total, per_second=per_second)


def words(kind: Kind, progress: ModelProgress | None) -> str:
    return under_way(Job(kind, "smol", progress)).words.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (None, "Starting…"),
        (fetch("waiting"), "Asking Hugging Face…"),
        (
            fetch("downloading", 108 * MB, 271 * MB, 5 * MB),
            "108 MB of 271 MB · 5 MB a second · less than a minute left",
        ),
        (fetch("downloading", 108 * MB, 271 * MB), "108 MB of 271 MB"),
        (
            fetch("waiting", 108 * MB, 271 * MB),
            "The line broke; trying again. What came in is kept.",
        ),
        (fetch("verifying", 271 * MB, 271 * MB), "Checking what came in: 271 MB of 271 MB"),
    ],
)
def test_a_download_says_what_is_going_on(progress: ModelProgress | None, said: str) -> None:
    """Asking, arriving, waiting for the line and checking are told apart."""
    assert words("fetch", progress) == said


def test_checking_and_writing_count_bytes() -> None:
    """Before the first one, what takes the time is said."""
    assert words("verify", fetch("verifying", 1 * MB, 9 * MB)).endswith("1 MB of 9 MB")
    assert words("export", fetch("writing", 0, 9 * MB)) == "Getting the model ready…"
    assert words("export", fetch("writing", 1 * MB, 9 * MB)) == "Writing: 1 MB of 9 MB"


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_of_work_has_words(kind: Kind) -> None:
    """Except questions and the token, of which no card is shown."""
    assert bool(words(kind, None)) == (kind not in ("ask", "token"))


def test_the_bar_is_a_share() -> None:
    """None where there is nothing to measure; never more than the whole."""
    assert under_way(Job("remove", "smol")).share is None
    assert under_way(Job("fetch", "smol", fetch("downloading", 1, 4))).share == 0.25
    assert under_way(Job("export", "smol", fetch("writing", 5, 4))).share == 1.0
    assert under_way(Job("fetch", "smol", fetch("waiting"))).share == 0.0


def test_what_was_asked_to_end_says_so() -> None:
    """A pause is told from a cancel."""
    assert under_way(Job("fetch", "smol", is_ending=True)).words == "Pausing…"
    assert under_way(Job("fetch", "smol", is_ending=True, drops=True)).words == "Stopping…"
    assert under_way(Job("export", "smol", is_ending=True)).words == "Stopping…"


def test_a_download_at_rest_says_what_is_here() -> None:
    """Nothing is said of a model of which no part is here."""
    assert at_rest(SMOL) is None
    part = at_rest(replace(SMOL, presence="partly", came_in=108 * MB))
    assert part is not None
    assert part.words.replace("\u00a0", " ").startswith("108 MB of 271 MB are here.")
    assert part.share == pytest.approx(0.4, abs=0.01)
