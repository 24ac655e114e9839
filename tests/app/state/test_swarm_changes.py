"""What the page changes in the settings, and that it changes nothing else."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.state.intents import Change
from app.state.swarm_changes import blocking, going_to, hosting, leaving_out, meeting_at, moving_to
from core.net.addresses import parse_hub_url
from core.settings import (
    HostingSettings,
    Settings,
    SwarmSettings,
    WindowSettings,
    load_settings,
    plain_address,
    save_settings,
)
from tests.app.pages.swarm.samples import ANNE, BOB, CLASS, HUB, MEADOW

BEFORE = Settings(
    swarm=SwarmSettings(hubs=(HUB,), blocked=(BOB,)), window=WindowSettings(consent=True)
)


def swarm_after(change: Change) -> SwarmSettings:
    """The section of the swarm; all others are as they were."""
    after = change(BEFORE)
    assert replace(after, swarm=BEFORE.swarm) == BEFORE
    return after.swarm


def test_blocking_adds_once_and_unblocking_removes() -> None:
    """Whoever else is blocked stays so."""
    assert swarm_after(blocking(ANNE, on=True)).blocked == (BOB, ANNE)
    assert swarm_after(blocking(BOB, on=True)).blocked == (BOB,)
    assert swarm_after(blocking(BOB, on=False)).blocked == ()
    assert swarm_after(blocking(ANNE, on=False)).blocked == (BOB,)


def test_a_meeting_point_is_named_once_and_left_out() -> None:
    """However its address is spelt at the end."""
    assert swarm_after(meeting_at("http://127.0.0.1:1")).hubs == (HUB, "http://127.0.0.1:1")
    assert swarm_after(meeting_at(f"{HUB}/")).hubs == (f"{HUB}/",)
    assert swarm_after(leaving_out(HUB)).hubs == ()


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("HTTPS://Hub.Example.org:443/Aa/", "https://hub.example.org/Aa"),
        ("http://[::1]:80", "http://[::1]"),
        ("https://hub.example.org:80", "https://hub.example.org:80"),
    ],
)
def test_one_meeting_point_is_the_same_in_other_letters(written: str, plain: str) -> None:
    """As the engine spells it; the path is of the server, which may tell letters apart."""
    assert plain_address(written) == parse_hub_url(written).url == plain
    before = replace(BEFORE, swarm=SwarmSettings(hubs=(written,)))
    assert meeting_at(plain)(before).swarm.hubs == (plain,)
    assert leaving_out(plain)(before).swarm.hubs == ()


def test_moving_keeps_what_is_needed_to_get_there() -> None:
    """A link where there is a secret or a meeting point, else the name."""
    assert swarm_after(moving_to(CLASS, "waggle://join/abc")).name == "waggle://join/abc"
    open_one = replace(MEADOW, hubs=(HUB,))
    assert swarm_after(moving_to(open_one, "waggle://join/xyz")).name == "waggle://join/xyz"
    assert swarm_after(moving_to(MEADOW, "waggle://join/xyz")).name == "meadow"
    assert swarm_after(going_to("pond")).name == "pond"


def test_what_was_hosted_last_is_remembered(tmp_path: Path) -> None:
    """It survives the file."""
    chosen = HostingSettings(port=9_000, url=HUB)
    path = tmp_path / "settings.toml"
    save_settings(hosting(chosen)(BEFORE), path)
    assert load_settings(path).hosting == chosen
