"""The clocks, and names as they are compared."""

from datetime import datetime

import pytest

from core.governor.conditions import DAY_S, WEEK_S, this_moment


def test_a_moment_is_the_same_on_all_clocks() -> None:
    """The second of the week agrees with the wall's clock at that unix time."""
    moment = this_moment()
    local = datetime.fromtimestamp(moment.unix).astimezone()
    assert 0 <= moment.week_s < WEEK_S
    assert int(moment.week_s // DAY_S) == local.weekday()
    assert int(moment.week_s % DAY_S // 3_600) == local.hour
    assert moment.week_s % 1 == pytest.approx(moment.unix % 1, abs=1e-3)
