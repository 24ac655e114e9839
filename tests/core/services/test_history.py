"""Earlier rounds, looked up in a real ledger."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from core.api.curves import MAX_POINTS, thin
from core.api.history import HistoryShown, ShowHistory
from core.api.requests import Reply
from core.errors import HomeError
from core.ledger.history import History
from core.paths import Home
from core.services.history import show_history
from core.services.service import ServiceContext
from tests.core.ledger.test_curve import many
from tests.fakes import finished


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.prepare()
    return made


async def shown(home: Home, model: str = "spark") -> HistoryShown:
    told: list[Reply] = []
    await show_history(ShowHistory(model=model), ServiceContext(home), told.append)
    (answer,) = told
    assert isinstance(answer, HistoryShown)
    return answer


async def test_it_is_what_the_engine_would_start_with(home: Home) -> None:
    """The same points, thinned in the same way, so that nothing jumps when it does."""
    many(home.ledger, 5_000)
    with History(home.ledger, "spark") as ledger:
        expected = thin(ledger.points())
    answer = await shown(home)
    assert answer.history == expected
    assert answer.history[-1].round == 5_000
    assert len(answer.history) <= MAX_POINTS


async def test_models_are_told_apart(home: Home) -> None:
    """The rounds of one are not those of another; looking where there are none makes no ledger."""
    assert await shown(home) == HistoryShown(model="spark", history=())
    assert not home.ledger.exists()
    with History(home.ledger, "ember") as ledger:
        ledger.record(replace(finished(4), score=0.5))
    assert (await shown(home)).history == ()
    (point,) = (await shown(home, "ember")).history
    assert (point.round, point.score) == (4, 0.5)


async def test_a_damaged_ledger_is_refused_in_words(home: Home) -> None:
    """Rather than shown as nothing."""
    home.ledger.write_bytes(b"this is no database" * 100)
    with pytest.raises(HomeError, match="Move it away"):
        await shown(home)
