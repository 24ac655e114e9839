"""The screen of this machine."""

from core.sensors.reading import softly
from core.sensors.screen import read_full_screen


def test_this_machine_tells_what_fills_its_screen_or_that_it_does_not() -> None:
    """Yes, no or words."""
    reading = softly(read_full_screen)
    assert reading.words
    assert reading.value in (True, False, None)
