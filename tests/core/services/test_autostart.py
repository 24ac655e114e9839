"""What starts with the computer is read from the system, and written where people find it."""

import os
import plistlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HomeError
from core.paths import Home, default_home
from core.services.autostart import (
    BUNDLE,
    NAME,
    RUN,
    RUN_APPROVED,
    Autostart,
    DesktopFile,
    LaunchAgent,
    RunKey,
    explain,
    is_fleeting,
    open_autostart,
    open_registry,
    quoted,
    window_command,
)

ROOT = Path(__file__).resolve().parents[3]
COMMAND = ("/opt/my programs/waggle-app", "--background")


@dataclass
class FakeRegistry:
    """Values in memory, as Windows keeps them."""

    values: dict[tuple[str, str], object] = field(default_factory=dict)

    def read(self, key: str, name: str) -> object | None:
        return self.values.get((key, name))

    def write(self, key: str, name: str, value: str) -> None:
        self.values[key, name] = value

    def delete(self, key: str, name: str) -> None:
        self.values.pop((key, name), None)


@pytest.fixture(params=["linux", "macos", "windows"])
def autostart(request: pytest.FixtureRequest, tmp_path: Path) -> Autostart:
    made: dict[str, Autostart] = {
        "linux": DesktopFile(tmp_path / "config" / "autostart", COMMAND),
        "macos": LaunchAgent(tmp_path / "LaunchAgents", COMMAND),
        "windows": RunKey(FakeRegistry(), COMMAND),
    }
    return made[request.param]


def test_it_goes_on_and_off(autostart: Autostart) -> None:
    """Off at first, on when asked for, off again; each may be asked for twice."""
    assert not autostart.is_on()
    autostart.set(on=False)
    for on in (True, True, False, False, True):
        autostart.set(on=on)
        assert autostart.is_on() is on


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_a_desktop_switched_off_is_off(tmp_path: Path, line: str) -> None:
    """Desktops keep the file and mark it; switching on here makes it whole again."""
    entry = DesktopFile(tmp_path, COMMAND)
    entry.set(on=True)
    text = entry.path.read_text().replace("X-GNOME-Autostart-enabled=true\n", "")
    entry.path.write_text(f"{text}{line}\n")
    assert not entry.is_on()
    entry.set(on=True)
    assert entry.is_on()


def test_what_the_task_manager_switched_off_is_off() -> None:
    """Windows keeps the value and notes an odd byte elsewhere."""
    registry = FakeRegistry()
    entry = RunKey(registry, COMMAND)
    entry.set(on=True)
    assert registry.values[RUN, NAME] == '"/opt/my programs/waggle-app" --background'
    registry.values[RUN_APPROVED, NAME] = b"\x03" + bytes(11)
    assert not entry.is_on()
    registry.values[RUN_APPROVED, NAME] = b"\x02" + bytes(11)
    assert entry.is_on()
    registry.values[RUN_APPROVED, NAME] = b"\x03" + bytes(11)
    entry.set(on=True)
    assert entry.is_on()


def test_a_launch_agent_says_what_is_started(tmp_path: Path) -> None:
    """In macOS' own form; one that is disabled or damaged is off."""
    agent = LaunchAgent(tmp_path, COMMAND)
    agent.set(on=True)
    said = plistlib.loads(agent.path.read_bytes())
    assert said["ProgramArguments"] == list(COMMAND)
    assert said["ProcessType"] == "Interactive"
    assert said["AssociatedBundleIdentifiers"] == [BUNDLE]
    agent.path.write_bytes(plistlib.dumps(said | {"Disabled": True}))
    assert not agent.is_on()
    for damaged in (b"", b"<plist", b"\x00\xff", plistlib.dumps([])):
        agent.path.write_bytes(damaged)
        assert not agent.is_on()


def test_the_app_is_known_by_the_name_that_it_is_packaged_with() -> None:
    """Or System Settings would show a program that nobody knows."""
    plan = (ROOT / "packaging" / "waggle.spec").read_text("utf-8")
    assert f'bundle_identifier="{BUNDLE}"' in plan


TRANSLOCATED = "/private/var/folders/x7/T/AppTranslocation/8B1D-42/d/Waggle.app/Contents/MacOS/w"


@pytest.mark.parametrize(
    ("program", "read_only", "fleeting"),
    [
        (TRANSLOCATED, True, True),
        (TRANSLOCATED, False, True),
        ("/Volumes/Waggle/Waggle.app/Contents/MacOS/waggle-app", True, True),
        ("/Volumes/My disk/Waggle.app/Contents/MacOS/waggle-app", False, False),
        ("/Applications/Waggle.app/Contents/MacOS/waggle-app", False, False),
        ("/Applications/Waggle.app/Contents/MacOS/waggle-app", True, False),
    ],
)
def test_places_that_are_gone_after_the_next_start(
    program: str, *, read_only: bool, fleeting: bool
) -> None:
    """A translocated app and one in an image; a disk of one's own is none."""
    assert is_fleeting(Path(program), lambda _: read_only) is fleeting


def test_a_fleeting_place_is_told_and_never_written(tmp_path: Path) -> None:
    """It can be switched off from there all the same."""
    LaunchAgent(tmp_path, COMMAND).set(on=True)
    agent = LaunchAgent(tmp_path, (TRANSLOCATED, "--background"))
    before = agent.path.read_bytes()
    with pytest.raises(HomeError, match="Drag it into Applications"):
        agent.set(on=True)
    assert agent.path.read_bytes() == before
    agent.set(on=False)
    assert not agent.is_on()


def test_a_disk_that_takes_what_is_written_is_no_image(tmp_path: Path) -> None:
    """Asked of the real system; a place that is not there is none either."""
    assert not is_fleeting(Path("/Volumes/nowhere/waggle-app"))
    assert not is_fleeting(tmp_path)


def unquoted(line: str) -> list[str]:
    """What a desktop makes of the value of ``Exec``: first the string, then the arguments."""
    said = re.sub(r"\\\\", r"\\", line)
    quoted = re.findall(r'"((?:[^"\\]|\\.)*)"', said)
    return [re.sub(r"\\(.)", r"\1", part).replace("%%", "%") for part in quoted]


@given(st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF)), min_size=1))
def test_any_path_survives_the_desktop_file(command: list[str]) -> None:
    """Blanks, quotes, dollars, backslashes and percent signs reach the program as they were."""
    line = " ".join(map(quoted, command))
    assert "\n" not in line
    assert unquoted(line) == command


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folder of XDG")
def test_the_system_is_asked_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder that XDG names."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    here = open_autostart(default_home())
    here.set(on=True)
    text = (tmp_path / "autostart" / "waggle.desktop").read_text()
    assert "--background" in text
    assert "--home" not in text
    assert here.is_on()


def test_another_home_is_named(tmp_path: Path) -> None:
    """The window that starts is the one on this folder."""
    command = window_command(Home(tmp_path / "mine"))
    assert command[-3:] == ("--background", "--home", str(tmp_path / "mine"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such bits")
def test_what_the_system_does_not_allow_is_told(tmp_path: Path) -> None:
    """With where to look."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError) as caught:  # noqa: PT011 - whatever it is, it is told
        DesktopFile(tmp_path / "file" / "autostart", COMMAND).set(on=True)
    assert "does not let Waggle" in str(explain(caught.value))


def test_only_windows_has_one() -> None:
    """Elsewhere there is none; there, a value that nobody made is not there."""
    registry = open_registry()
    assert (registry is None) == (sys.platform != "win32")
    if registry is not None:
        assert registry.read(RUN, "waggle-test-of-nothing") is None
        registry.delete(RUN, "waggle-test-of-nothing")
