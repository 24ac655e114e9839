"""Until tomorrow."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.events import Snooze
from core.engine.pipe import decode_command, encode
from core.engine.snoozing import seconds_till_tomorrow


@pytest.mark.parametrize(
    ("now", "hours"),
    [
        (datetime(2026, 3, 2, 20), 10),  # noqa: DTZ001 - the wall's clock
        (datetime(2026, 3, 2, 2), 4),  # noqa: DTZ001 - the same
        (datetime(2026, 12, 31, 6), 24),  # noqa: DTZ001 - the same
    ],
)
def test_tomorrow_begins_in_the_morning(now: datetime, hours: int) -> None:
    """Whoever is up late means the day that comes after sleep."""
    assert seconds_till_tomorrow(now) == hours * 3_600


@given(st.datetimes())
def test_it_is_always_a_snooze_that_the_engine_takes(now: datetime) -> None:
    """Never nothing, never more than a day."""
    if now.year < 9999:
        snooze = Snooze(seconds=seconds_till_tomorrow(now))
        assert decode_command(encode(snooze)) == snooze
        assert snooze.seconds <= 86_400
