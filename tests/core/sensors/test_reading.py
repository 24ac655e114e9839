"""What a sensor says, and what is made of one that breaks."""

from core.sensors.reading import Reading, softly


def test_a_sensor_that_breaks_says_so() -> None:
    """Whatever it raises: no value, and words with the reason."""

    def broken() -> Reading[int]:
        raise ZeroDivisionError("a driver's idea of a joke")

    reading = softly(broken)
    assert reading.value is None
    assert "a driver's idea of a joke" in reading.words


def test_a_sensor_that_works_is_left_alone() -> None:
    """Its reading comes through as it is."""
    reading = Reading(0.0, "nothing")
    assert softly(lambda: reading) is reading
