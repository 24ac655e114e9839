"""A person's whole way through Waggle: real windows, real engines, real helpers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.desktop.single_instance import Opening, SingleInstance
from core.paths import Home
from tests.person import Person, SitDown
from tests.waggle_process import ROOT, free_port
from tests.x_server import x_server

AGREE = "I have read this, and I agree to share these things."
TOTALS = ("Rounds", "Puzzle tries", "Right answers", "Tokens written")
HOME, CONTRIBUTION, SWARM, MODELS = 1, 3, 4, 5
"""Places in the rail."""

pytestmark = pytest.mark.timeout(900)


def agree(person: Person) -> None:
    """Go through the welcome by keyboard."""
    person.reads("Train a small model, together.")
    assert not person.offered("Next")
    person.tab_to(AGREE)
    person.press(Qt.Key.Key_Space)
    for _ in range(2):
        person.tab_to("Next")
        person.press(Qt.Key.Key_Return)
    person.tab_to("Begin")
    person.press(Qt.Key.Key_Return)


def join(person: Person) -> None:
    """Practise until the first rounds are on the chart."""
    person.open(HOME)
    person.reads("Ready when you are.")
    person.click("Join swarm")
    until_rounds(person, 2)


def until_rounds(person: Person, least: int) -> None:
    """Wait until so many are on the chart."""
    person.until(lambda: person.rounds() >= least, f"{least} rounds on the chart")


def finish(person: Person) -> None:
    person.click("Finish round and stop")
    person.reads("Stopped. Everything that was learnt is saved.")


def totals(person: Person) -> dict[str, str]:
    """What the page Contribution counts."""
    person.open(CONTRIBUTION)
    person.reads(*TOTALS)
    return {name: person.beside(name) for name in TOTALS}


@pytest.mark.slow
def test_from_the_welcome_to_the_next_start(sit_down: SitDown, tmp_path: Path) -> None:
    """Agree, join, pause, go on, finish, close: what was practised is still there."""
    person = sit_down(tmp_path / "home")
    agree(person)
    join(person)
    person.click("Pause")
    person.reads("Paused because you asked.")
    held = person.rounds()
    person.click("Go on")
    until_rounds(person, held + 1)
    finish(person)
    counted = totals(person)
    done = int(counted["Rounds"])
    person.open(HOME)
    person.until(lambda: person.rounds() == done, "every round on the chart")
    person.close()
    again = sit_down(tmp_path / "home")
    assert totals(again) == counted
    join(again)
    until_rounds(again, done + 1)


@pytest.mark.endurance
def test_the_same_on_a_real_screen(tmp_path: Path) -> None:
    """Under X11, where the windows of other tests are only pretended."""
    me = f"{__file__}::{test_from_the_welcome_to_the_next_start.__name__}"
    pytest_again = (sys.executable, "-m", "pytest", "-m", "slow", me, f"--basetemp={tmp_path}/walk")
    with x_server("1400x900x24") as display:
        screen = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        done = subprocess.run(  # noqa: S603 - our own command
            pytest_again, cwd=ROOT, env={**os.environ, **screen}, capture_output=True, check=False
        )
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.endurance
def test_another_model_is_chosen_and_the_first_one_taken_away(
    sit_down: SitDown, tmp_path: Path
) -> None:
    """Each model has its own curve; the file is one that other programs can read."""
    person = sit_down(tmp_path / "home")
    agree(person)
    join(person)
    finish(person)
    person.open(MODELS)
    person.click("Choose: Ember")
    person.open(HOME)
    person.click("Join swarm")
    person.until(lambda: person.beside("Model") == "Ember" and person.rounds() == 1, "Ember's own")
    finish(person)
    person.open(MODELS)
    person.click("Details: Spark")
    path = tmp_path / "spark.gguf"
    person.click_and_name("Save… For other apps (GGUF)", path)
    person.reads("Saved:")
    with path.open("rb") as file:
        assert file.read(4) == b"GGUF"


@pytest.mark.endurance
def test_an_invite_leads_another_person_into_the_same_swarm(
    sit_down: SitDown, tmp_path: Path
) -> None:
    """A meeting point opened by a switch, a private swarm, and a link: both see each other."""
    host = sit_down(tmp_path / "host")
    agree(host)
    link = invite(host)
    guest = sit_down(tmp_path / "guest")
    follow(link, guest, tmp_path / "guest")
    agree(guest)
    guest.reads("our-class")
    guest.click("Join this swarm")
    guest.click("Connect")  # whoever invites from this computer is asked about
    for person in (host, guest):
        person.open(HOME)
        until_rounds(person, 2)
        person.reads("1 other is here.")
        assert person.beside("Others see you as") != "not yet"
    for person, other in ((host, guest), (guest, host)):
        other.open(HOME)
        name = other.beside("Others see you as")
        person.open(SWARM)
        person.reads(name, "our-class")


def invite(person: Person) -> str:
    """Open a meeting point and a swarm of one's own, and make an invite to it."""
    person.open(SWARM)
    person.fill_in("Port", str(free_port()))
    person.click("Open one on this computer")
    person.reads("Others find it at")
    person.click("Meet others there, too")
    person.fill_in("Its name", "our-class")
    person.click("Make the invite")
    person.click("Join it yourself")
    person.click("Invite others to it")
    person.reads("Its members meet at http://")
    return person.line("The link of the invite").text()


def follow(link: str, person: Person, root: Path) -> None:
    """Click ``link`` somewhere, while the window of ``person`` is open."""
    instance = SingleInstance(Home(root))
    assert instance.claim(Opening())
    instance.asked.connect(person.window.open_with)
    command = (sys.executable, "-m", "app.main", "--home", str(root), link)
    with subprocess.Popen(command, cwd=ROOT) as second:  # noqa: S603 - our own command
        person.until(lambda: second.poll() is not None, "end of the second start")
    assert second.returncode == 0
