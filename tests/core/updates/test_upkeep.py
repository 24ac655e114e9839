"""Upkeep of an installation, from the first look to the command that installs."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from core.errors import UpdateError
from core.paths import Home
from core.updates.installation import Installation
from core.updates.memory import Known, recall, remember, switch_lock
from core.updates.places import Places
from core.updates.upkeep import EVERY_S, Upkeep
from tests.update_source import UpdateSource, answering, app_files, install

NOW = 1_000_000.0
ABOVE_EVERY_PROCESS = str(2**22 + 1)

Make = Callable[..., Upkeep]


@pytest.fixture
def here(tmp_path: Path) -> Installation:
    return install(tmp_path / "apps" / "waggle", app_files("0.1.0"))


@pytest.fixture
def upkeep(source: UpdateSource, home: Home, here: Installation) -> Make:
    """On a tarball, or whatever ``changes`` say."""

    def make(**changes: object) -> Upkeep:
        return Upkeep(home, replace(source.means(here), **changes))  # type: ignore[arg-type]  # a test knows its fields

    return make


def silent(*_: object) -> None:
    """Nobody wants to know."""


def test_a_newer_release_is_news_once(source: UpdateSource, upkeep: Make) -> None:
    """It is shown until it is installed; the notice comes once."""
    archive = source.release("0.2.0")
    first = upkeep().look(NOW, Event())
    assert (first.newest, first.size, first.is_news) == ("0.2.0", archive.stat().st_size, True)
    assert (first.installed, first.obstacle, first.looked_at) == ("0.1.0", "none", NOW)
    assert not upkeep().look(NOW, Event()).is_news
    assert upkeep().show().newest == "0.2.0"
    assert upkeep(version="0.2.0").show().newest == ""


@pytest.mark.parametrize("offered", ["0.1.0", "0.0.9"])
def test_an_older_release_is_no_update(source: UpdateSource, upkeep: Make, offered: str) -> None:
    """Although it is signed as it should be: there is no way back."""
    source.release(offered)
    assert upkeep().look(NOW, Event()).newest == ""
    with pytest.raises(UpdateError, match="is the newest"):
        upkeep().get(NOW, Event(), silent)


def test_a_look_is_due_now_and_then(upkeep: Make) -> None:
    """Also where the clock was set back."""
    assert upkeep().is_due(NOW)
    upkeep().look(NOW, Event())
    assert not upkeep().is_due(NOW + EVERY_S - 1)
    assert upkeep().is_due(NOW + EVERY_S)
    assert upkeep().is_due(NOW - 1)


@pytest.mark.parametrize(("kind", "obstacle"), [("deb", "system"), ("source", "source")])
def test_what_others_update_is_left_alone(
    source: UpdateSource, upkeep: Make, here: Installation, kind: str, obstacle: str
) -> None:
    """Nobody is asked, and nothing is written beside it."""
    source.release("0.2.0")
    other = replace(here, kind=kind)  # type: ignore[arg-type]  # one of the kinds
    made = upkeep(installation=lambda: other)
    assert made.look(NOW, Event()).obstacle == obstacle
    assert made.show().newest == ""
    with pytest.raises(UpdateError, match="does not update itself"):
        made.get(NOW, Event(), silent)
    assert source.served.total() == 0
    assert [path.name for path in here.place.parent.iterdir()] == ["waggle"]


def test_without_a_source_it_is_said(upkeep: Make) -> None:
    """As in every Waggle that somebody built without one."""
    assert upkeep(source=lambda: None).look(NOW, Event()).obstacle == "unbuilt"


def test_the_newest_is_made_ready_and_its_command_installs_it(
    source: UpdateSource, upkeep: Make, here: Installation, home: Home
) -> None:
    """From asking to the new one in place, with real processes."""
    source.release("0.2.0")
    told: list[str] = []
    answer = upkeep().get(NOW, Event(), lambda stage, *_: told.append(stage))
    assert list(dict.fromkeys(told)) == ["looking", "downloading", "unpacking"]
    assert answer.starting == ("--start",)
    assert here.console().read_text() == answering("0.1.0")
    assert list((home.updates / "packages").iterdir()) == []
    after = answer.command.index("--after") + 1
    command = (*answer.command[:after], ABOVE_EVERY_PROCESS, *answer.command[after + 1 :])
    assert subprocess.run(command, check=False).returncode == 0  # noqa: S603 - our own part
    assert here.console().read_text() == answering("0.2.0")
    done = upkeep(version="0.2.0").show()
    assert (done.newest, done.failed) == ("", "")


def test_what_is_ready_needs_nobody(source: UpdateSource, upkeep: Make) -> None:
    """It may be installed without a network, however often the window was opened meanwhile."""
    source.release("0.2.0")
    upkeep().get(NOW, Event(), silent)
    source.trouble.errors["/"] = 500
    upkeep().show()
    assert upkeep().get(NOW, Event(), silent).command


def test_what_was_ready_makes_way_for_something_newer(source: UpdateSource, upkeep: Make) -> None:
    """A look found it; it is fetched, and the older one is not installed."""
    source.release("0.2.0")
    upkeep().get(NOW, Event(), silent)
    source.release("0.3.0")
    upkeep().look(NOW, Event())
    assert "0.3.0" in upkeep().get(NOW, Event(), silent).command


def test_leftovers_are_put_right(upkeep: Make, here: Installation, home: Home) -> None:
    """Of a switch that was cut off, of what was put in place otherwise, and of unpacking."""
    home.updates.mkdir()
    remember(home.updates, Known(newest="0.1.0", staged="0.1.0"))
    for name in ("waggle.old", "waggle.new", ".waggle.part-x"):
        install(here.place.with_name(name), app_files("0.2.0"))
    here.place.with_name(".waggle.lock").touch()
    os.utime(here.place.with_name(".waggle.part-x"), (1.0, 1.0))
    upkeep().show()
    assert [path.name for path in here.place.parent.iterdir()] == ["waggle"]
    assert recall(home.updates).staged == ""


def test_a_window_on_another_home_leaves_what_it_did_not_stage(
    source: UpdateSource, upkeep: Make, here: Installation, tmp_path: Path
) -> None:
    """Neither what is ready nor what is being unpacked, nor the way back while one is tried out."""
    source.release("0.2.0")
    upkeep().get(NOW, Event(), silent)
    here.place.with_name(".waggle.part-x").mkdir()
    names = sorted(path.name for path in here.place.parent.iterdir())
    other = Upkeep(Home(tmp_path / "other"), source.means(here))
    other.show()
    assert sorted(path.name for path in here.place.parent.iterdir()) == names
    first = Home(tmp_path / "first")
    first.updates.mkdir(parents=True)
    places = Places(here.place)
    places.swap()
    with switch_lock(first, places.lock):
        other.show()
        places.put_back()
    assert here.console().read_text() == answering("0.1.0")


def test_a_release_that_did_not_start_here_is_left_out(
    source: UpdateSource, upkeep: Make, home: Home
) -> None:
    """Until there is another one."""
    home.updates.mkdir()
    remember(home.updates, Known(failed="0.2.0"))
    source.release("0.2.0")
    assert upkeep().look(NOW, Event()).newest == ""
    assert upkeep().show().failed == "0.2.0"
    source.release("0.2.1")
    assert upkeep().look(NOW, Event()).newest == "0.2.1"


def test_two_releases_that_do_not_start_here_do_not_take_turns(
    source: UpdateSource, upkeep: Make, home: Home
) -> None:
    """What failed rules out what is older, too: only that one would be remembered otherwise."""
    home.updates.mkdir()
    source.release("0.2.0")
    source.release("0.3.0")
    remember(home.updates, Known(failed="0.3.0"))
    assert upkeep().look(NOW, Event()).newest == ""
    remember(home.updates, Known(newest="0.2.0", failed="0.3.0"))
    assert upkeep().show().newest == ""


def test_a_release_that_fails_its_trial_is_not_fetched_again(
    source: UpdateSource, upkeep: Make, here: Installation, home: Home
) -> None:
    """Nor unpacked at each look; its package goes, and the next release is tried."""
    source.release("0.2.0", app_files("0.2.0", window="#!/bin/sh\nexit 127\n"))
    with pytest.raises(UpdateError, match="does not run"):
        upkeep().get(NOW, Event(), silent)
    shown = upkeep().look(NOW, Event())
    assert (shown.newest, shown.failed) == ("", "0.2.0")
    assert list((home.updates / "packages").iterdir()) == []
    assert [path.name for path in here.place.parent.iterdir()] == ["waggle"]
    source.release("0.2.1")
    assert upkeep().get(NOW, Event(), silent).newest == "0.2.1"


def test_a_release_that_could_not_be_unpacked_is_tried_again(
    source: UpdateSource, upkeep: Make, here: Installation, home: Home
) -> None:
    """What is in the way, or a full disk, says nothing about the release; its package is kept."""
    source.release("0.2.0")
    own = here.place.with_name("waggle.new")
    own.mkdir()
    with pytest.raises(UpdateError, match="in the way"):
        upkeep().get(NOW, Event(), silent)
    assert recall(home.updates).failed == ""
    assert len(list((home.updates / "packages").iterdir())) == 1
    own.rmdir()
    assert upkeep().get(NOW, Event(), silent).command


def test_a_release_that_has_just_failed_is_not_offered_again(upkeep: Make, home: Home) -> None:
    """Already before the next look, which would not find it either."""
    home.updates.mkdir()
    remember(home.updates, Known(newest="0.2.0", size=5, failed="0.2.0"))
    shown = upkeep().show()
    assert (shown.newest, shown.size, shown.failed) == ("", 0, "0.2.0")


def test_what_was_held_up_is_told_of_that_release_only(
    source: UpdateSource, upkeep: Make, home: Home
) -> None:
    """Nobody has tried to install the next one yet."""
    home.updates.mkdir()
    remember(home.updates, Known(newest="0.2.0", held_up=True))
    source.release("0.2.0")
    assert upkeep().look(NOW, Event()).held_up
    source.release("0.3.0")
    assert not upkeep().look(NOW, Event()).held_up


def test_windows_gets_its_setup(
    source: UpdateSource, upkeep: Make, here: Installation, home: Home, tmp_path: Path
) -> None:
    """Proven each time before it is run."""
    setup = tmp_path / "waggle-0.2.0-windows-x86_64.exe"
    setup.write_bytes(b"MZ")
    source.repository.add([setup])
    windows = replace(here, kind="inno")
    made = upkeep(installation=lambda: windows, platform="windows-x86_64")
    answer = made.get(NOW, Event(), silent)
    fetched = home.updates / "packages" / setup.name
    assert answer.command[-2:] == ("--setup", str(fetched))
    assert answer.starting == ("--start",)
    fetched.write_bytes(b"XX")
    made.get(NOW, Event(), silent)
    assert fetched.read_bytes() == b"MZ"


def test_a_setup_that_was_installed_is_removed(upkeep: Make, home: Home) -> None:
    """By the version that it put in place; a newer one, and what is half here, are kept."""
    packages = home.updates / "packages"
    packages.mkdir(parents=True)
    for name in ("waggle-0.2.0-windows-x86_64.exe", "waggle-0.3.0-windows-x86_64.exe", "ab.part"):
        (packages / name).touch()
    upkeep(version="0.2.0").show()
    left = sorted(path.name for path in packages.iterdir())
    assert left == ["ab.part", "waggle-0.3.0-windows-x86_64.exe"]


def test_tuf_is_loaded_when_it_is_needed() -> None:
    """The window asks the helper what is known a moment after its start."""
    code = "import sys, core.services.updates; sys.exit('tuf' in sys.modules)"
    asked = [sys.executable, "-c", code]
    assert subprocess.run(asked, check=False).returncode == 0  # noqa: S603 - our own code


def test_a_failed_look_is_no_look(source: UpdateSource, upkeep: Make, home: Home) -> None:
    """It is tried again before long."""
    source.trouble.errors["timestamp"] = 500
    with pytest.raises(UpdateError):
        upkeep().look(NOW, Event())
    assert recall(home.updates).looked_at == 0
