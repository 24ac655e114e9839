"""Our own contestants, each for a lap in this process."""

import io
import sys
from pathlib import Path

import msgspec
import pytest

from core.bench.contest import Lap
from core.bench.job import BenchJob
from core.bench.material import LapWork, questions, real_questions
from core.bench.races import RACES
from core.models.policy.language import read_language
from tests.tiny_models import build_tiny_model, tiny_spec

WORK = LapWork(groups=2, members=2, prompt_tokens=8, completion_tokens=3)


@pytest.mark.parametrize("name", sorted(RACES))
def test_a_lap_is_all_of_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Every token is drawn, and learnt from; with the memory that it took."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    language = read_language(spec.folder, chat=False)
    made_up = questions(lambda text: len(language.encode_prompt(text)), WORK)
    asked = real_questions(WORK.groups) if name == "round" else made_up
    spec = msgspec.structs.replace(spec, context=2_000)
    monkeypatch.setattr(sys, "stdin", io.StringIO("go\n"))
    pipe = io.BytesIO()
    RACES[name](BenchJob(spec, WORK, tuple(asked), threads=1), pipe)
    lap = msgspec.json.decode(pipe.getvalue(), type=Lap)
    assert lap.work == WORK.tokens
    assert lap.seconds > 0
    assert lap.peak_mb is not None
