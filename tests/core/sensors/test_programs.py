"""What runs."""

import psutil
import pytest

from core.sensors.programs import read_programs


def test_this_very_program_is_among_those_that_run() -> None:
    """By the name that the system gives it."""
    reading = read_programs()
    assert reading.value is not None
    assert psutil.Process().name() in reading.value
    assert reading.words == f"{len(reading.value)} programs run"


def test_one_that_cannot_be_asked_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows answers for some with an error that psutil has no word for."""
    asked = list[int]()

    def name_but_of_the_first(process: psutil.Process) -> str:
        asked.append(process.pid)
        if len(asked) == 1:
            raise OSError(22, "Invalid parameter")
        return f"program {process.pid}"

    monkeypatch.setattr(psutil.Process, "name", name_but_of_the_first)
    reading = read_programs()
    assert len(asked) > 1
    assert reading.value == frozenset(f"program {pid}" for pid in asked[1:])
