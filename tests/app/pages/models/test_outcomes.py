"""What is said when work is done."""

from typing import get_args

import pytest
from msgspec.structs import replace

from app.pages.models.outcomes import Kind, known_already, outcome
from core.api.models import ModelDone
from tests.app.pages.models.samples import SMOL


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_of_work_ends_in_words_or_in_silence(kind: Kind) -> None:
    """Silence where the card itself shows it."""
    words = outcome(kind, SMOL, ModelDone(size=5_000_000, path="out.gguf"))
    assert bool(words) == (kind not in ("ask", "measure", "drop", "token"))
    assert "{" not in words


def test_the_figures_are_those_of_the_work() -> None:
    """What was freed, what was written and where, and how many rounds were put aside."""
    done = ModelDone(size=995_000_000, path="smol.gguf")
    assert "995\u00a0MB are free again" in outcome("remove", SMOL, done)
    assert "backup is deleted; 995\u00a0MB" in outcome("delete", SMOL, done)
    assert outcome("export", SMOL, done) == "Saved: smol.gguf (995\u00a0MB)"
    practised = replace(SMOL, rounds=120)
    assert "in 120 rounds is kept as a backup" in outcome("reset", practised, done)


def test_a_name_that_was_known_is_no_discovery() -> None:
    """It says where to look."""
    assert "list above" in known_already()
