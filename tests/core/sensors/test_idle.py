"""The idle seconds of this machine."""

from core.sensors.idle import open_idle
from core.sensors.reading import softly


def test_this_machine_tells_when_it_was_touched_or_that_it_does_not() -> None:
    """Seconds or words, the second time as well."""
    read = open_idle()
    for reading in (softly(read), softly(read)):
        assert reading.words
        assert reading.value is None or reading.value >= 0
