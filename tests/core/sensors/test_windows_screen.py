"""What fills a screen of Windows."""

import pytest

from core.sensors.windows_screen import filled_by


@pytest.mark.parametrize("state", [2, 3, 4])
def test_films_games_and_talks_fill_the_screen(state: int) -> None:
    """Each with its words."""
    reading = filled_by(state)
    assert reading.value is True
    assert reading.words != filled_by(5).words


@pytest.mark.parametrize("state", [0, 1, 5, 6, 7, 99])
def test_an_open_desktop_does_not(state: int) -> None:
    """Nor does a locked screen, quiet hours, or what is yet to be invented."""
    assert filled_by(state).value is False
