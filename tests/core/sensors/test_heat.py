"""The heat of this machine."""

from core.sensors.heat import read_heat


def test_this_machine_tells_its_heat_or_that_it_does_not() -> None:
    """Degrees or whether it is throttled, never neither of the two without words."""
    reading = read_heat()
    assert reading.words
    if reading.value is not None:
        assert (reading.value.degrees_c is None) != (reading.value.throttled is None)
