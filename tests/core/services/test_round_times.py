"""How long a round takes here: as it did, or as it was measured."""

import sys

import pytest
from msgspec.structs import replace

from core.api.models import ListModels, MeasureRound, ModelDone, ModelsListed
from core.errors import ModelError, UnknownModelError
from core.ledger.history import History
from core.paths import Home
from core.services.round_times import round_seconds, situation_of
from core.services.service import ServiceContext
from core.settings import ComputeSettings, Settings
from tests.asking_services import answer_to
from tests.fakes import finished

HERE = situation_of(Settings())


def measuring(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let another program measure."""
    monkeypatch.setattr(
        "core.services.round_times.python_command", lambda _: (sys.executable, "-c", code)
    )


async def test_what_was_measured_is_listed_until_rounds_tell(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the list of models, of a model that is not here."""
    measuring(monkeypatch, "print(42.5)")
    context = ServiceContext(home)
    assert round_seconds(home, "smollm2-135m", HERE) is None
    await answer_to(MeasureRound(model="smollm2-135m"), context, ModelDone)
    listed = await answer_to(ListModels(), context, ModelsListed)
    times = {model.id: model.round_s for model in listed.models}
    assert (times["smollm2-135m"], times["smollm2-360m"]) == (42.5, None)
    with History(home.ledger, "smollm2-135m") as ledger:
        ledger.record(replace(finished(1), sample_s=9.0))
    assert round_seconds(home, "smollm2-135m", HERE) == pytest.approx(9.31)


async def test_other_settings_ask_for_another_measurement(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As do other versions and another machine."""
    measuring(monkeypatch, "print(42.5)")
    await answer_to(MeasureRound(model="smollm2-135m"), ServiceContext(home), ModelDone)
    assert round_seconds(home, "smollm2-135m", HERE) == 42.5
    other = situation_of(Settings(compute=ComputeSettings(threads=7)))
    assert round_seconds(home, "smollm2-135m", other) is None


async def test_a_measurement_that_fails_is_told_in_words(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where memory ran out; and a model that nobody knows is none."""
    measuring(monkeypatch, "raise SystemExit(1)")
    with pytest.raises(ModelError, match="could not be measured"):
        await answer_to(MeasureRound(model="smollm2-135m"), ServiceContext(home), ModelDone)
    with pytest.raises(UnknownModelError):
        await answer_to(MeasureRound(model="nobody"), ServiceContext(home), ModelDone)


@pytest.mark.parametrize("data", [b'{"spark": {"situation": 1}}', b'{"\xff": {}}'])
def test_a_damaged_file_only_costs_another_measurement(home: Home, data: bytes) -> None:
    """Nothing that stands in it can stop the list."""
    home.round_times.write_bytes(data)
    assert round_seconds(home, "spark", HERE) is None
