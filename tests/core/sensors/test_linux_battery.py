"""Batteries and mains, from folders as the kernel makes them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sensors.linux_battery import Power, read_supplies

MAINS_ON = {"type": "Mains", "online": "1"}
MAINS_OFF = {"type": "Mains", "online": "0"}
MOUSE = {"type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "12"}


def battery(status: str, capacity: str = "80") -> dict[str, str]:
    return {"type": "Battery", "status": status, "capacity": capacity}


def supplies(folder: Path, *listed: dict[str, str]) -> Path:
    for number, facts in enumerate(listed):
        supply = folder / f"supply{number}"
        supply.mkdir()
        for name, value in facts.items():
            (supply / name).write_text(f"{value}\n")
    return folder


@pytest.mark.parametrize(
    ("listed", "power"),
    [
        ([MAINS_OFF, battery("Discharging")], Power(on_battery=True, percent=80.0)),
        ([MAINS_ON, battery("Charging")], Power(on_battery=False, percent=80.0)),
        ([MAINS_ON, battery("Discharging")], Power(on_battery=False, percent=80.0)),
        ([battery("Discharging")], Power(on_battery=True, percent=80.0)),
        ([battery("Full", "100")], Power(on_battery=False, percent=100.0)),
        ([battery("Unknown")], Power(on_battery=None, percent=80.0)),
        (
            [{"type": "USB", "online": "1"}, battery("Not charging")],
            Power(on_battery=False, percent=80.0),
        ),
        (
            [{"type": "USB", "online": "0"}, battery("Charging")],
            Power(on_battery=False, percent=80.0),
        ),
        (
            [MAINS_OFF, battery("Discharging", "20"), battery("Unknown", "100")],
            Power(on_battery=True, percent=60.0),
        ),
        (
            [{"type": "USB", "online": "2"}, MAINS_OFF, battery("Not charging")],
            Power(on_battery=False, percent=80.0),
        ),
        (
            [MAINS_ON | {"scope": "Device"}, battery("Discharging")],
            Power(on_battery=True, percent=80.0),
        ),
        ([MAINS_ON], Power(on_battery=False, percent=None)),
        ([MOUSE], Power(on_battery=False, percent=None)),
        ([], Power(on_battery=False, percent=None)),
    ],
)
def test_mains_and_batteries_are_told_apart(
    listed: list[dict[str, str]], power: Power, tmp_path: Path
) -> None:
    """Neither battery nor plug of a mouse is the computer's, and a plug that is in counts."""
    assert read_supplies(supplies(tmp_path, *listed)) == power


def test_a_computer_without_such_a_folder_runs_on_mains(tmp_path: Path) -> None:
    """As a server and most containers do."""
    assert read_supplies(tmp_path / "nowhere") == Power(on_battery=False, percent=None)


@given(
    st.dictionaries(st.sampled_from(["type", "scope", "status", "online", "capacity"]), st.binary())
)
def test_any_nonsense_of_a_driver_is_read_without_harm(
    tmp_path_factory: pytest.TempPathFactory, facts: dict[str, bytes]
) -> None:
    """Bytes of whatever kind: something comes out, and a level is a number."""
    folder = tmp_path_factory.mktemp("supplies")
    supply = folder / "BAT0"
    supply.mkdir()
    (supply / "type").write_text("Battery")
    for name, value in facts.items():
        (supply / name).write_bytes(value)
    power = read_supplies(folder)
    assert power.percent is None or power.percent >= 0


@pytest.mark.parametrize(
    ("facts", "watts", "hours"),
    [
        ({"power_now": "12000000", "energy_now": "36000000"}, 12.0, 3.0),
        ({"power_now": "-12000000", "energy_now": "36000000"}, 12.0, 3.0),
        (
            {"current_now": "1000000", "voltage_now": "12000000", "charge_now": "3000000"},
            12.0,
            3.0,
        ),
        ({"power_now": "12000000"}, 12.0, None),
        ({"power_now": "0", "energy_now": "36000000"}, None, None),
        ({"power_now": "?", "current_now": "1"}, None, None),
    ],
)
def test_watts_and_hours_are_told_while_it_discharges(
    facts: dict[str, str], watts: float | None, hours: float | None, tmp_path: Path
) -> None:
    """By power or by current and voltage, as the driver has it; nothing where it tells nothing."""
    power = read_supplies(supplies(tmp_path, battery("Discharging") | facts))
    assert (power.watts, power.hours) == (watts, hours)


def test_what_charges_is_not_drawn(tmp_path: Path) -> None:
    """The same figure means the opposite with the plug in."""
    facts = battery("Charging") | {"power_now": "12000000", "energy_now": "36000000"}
    assert read_supplies(supplies(tmp_path, MAINS_ON, facts)).watts is None


def test_two_batteries_last_together(tmp_path: Path) -> None:
    """One is drained after the other, so the watts of one go with the energy of both."""
    first = battery("Discharging") | {"power_now": "10000000", "energy_now": "10000000"}
    second = battery("Not charging") | {"power_now": "0", "energy_now": "20000000"}
    power = read_supplies(supplies(tmp_path, MAINS_OFF, first, second))
    assert (power.watts, power.hours) == (10.0, 3.0)
