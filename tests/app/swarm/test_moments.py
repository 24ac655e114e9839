"""Moments are said as people say them."""

from datetime import datetime, timedelta

from app.swarm.moments import moment


def test_today_the_time_is_enough() -> None:
    """Hours and minutes."""
    now = datetime.now().astimezone()
    assert f":{now:%M}" in moment(now.timestamp())
    assert "," not in moment(now.timestamp())


def test_another_day_has_its_date() -> None:
    """Before the time."""
    then = datetime.now().astimezone() - timedelta(days=40)
    assert moment(then.timestamp()).startswith(f"{then.day} {then:%b}, ")
