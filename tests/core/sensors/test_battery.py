"""The battery of this machine, whatever it is."""

from core.sensors.battery import read_power


def test_this_machine_tells_where_its_power_comes_from() -> None:
    """Battery, mains, or that it does not tell; always in words."""
    reading = read_power()
    assert reading.words
    if reading.value is not None:
        assert reading.value.on_battery is not None
        assert ("battery" if reading.value.on_battery else "mains") in reading.words
