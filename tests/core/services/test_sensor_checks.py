"""What the doctor says of the sensors."""

from pathlib import Path

from core.sensors.senses import Senses
from core.services.sensor_checks import check_sensors


def test_every_sensor_is_told_and_none_is_needed(tmp_path: Path) -> None:
    """A node practises without; a rule that cannot work here is a note."""
    findings = check_sensors(Senses(tmp_path))
    assert {"battery", "idle", "heat"} < {one.area for one in findings}
    assert {one.mark for one in findings} <= {"ok  ", "note"}
    assert all(one.words for one in findings)
