"""What runs."""

import psutil

from core.sensors.programs import read_programs


def test_this_very_program_is_among_those_that_run() -> None:
    """By the name that the system gives it."""
    reading = read_programs()
    assert reading.value is not None
    assert psutil.Process().name() in reading.value
    assert reading.words == f"{len(reading.value)} programs run"
