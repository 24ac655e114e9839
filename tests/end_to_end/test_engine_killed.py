"""The engine dies behind a real window: the person is told, and nothing is lost."""

import sqlite3
import zipfile
from pathlib import Path

import psutil
import pytest

from app.backend.engine_client import DELAYS_S
from core.ledger.history import History
from core.paths import Home
from tests.person import Person, SitDown

pytestmark = pytest.mark.timeout(900)
MODEL = "spark"
WHY = "the system ended it, perhaps because memory ran out"


def engines() -> list[psutil.Process]:
    """Those that windows of this test have started."""
    found: list[psutil.Process] = psutil.Process().children()
    return [one for one in found if "core.serve" in " ".join(one.cmdline())]


def kill_engine(person: Person) -> None:
    """Kill -9, as soon as there is one."""
    person.until(lambda: bool(engines()), "engine")
    (engine,) = engines()
    engine.kill()


def recorded(home: Home) -> list[int]:
    """The rounds in the ledger, which has to be whole."""
    with sqlite3.connect(home.ledger) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()
    with History(home.ledger, MODEL) as history:
        return [one.round for one in history.history()]


@pytest.mark.slow
def test_a_killed_engine_is_told_and_started_again(sit_down: SitDown, tmp_path: Path) -> None:
    """In words, by itself; the chart goes on where it was, and every round counts once."""
    person = sit_down(tmp_path / "home", consents=True)
    person.click("Join swarm")
    person.until(lambda: person.rounds() >= 2, "rounds")
    kill_engine(person)
    person.reads(f"Practice was interrupted: {WHY}. Starting again in {DELAYS_S[0]} s.")
    person.until(lambda: "interrupted" not in person.words(), "practice again")
    held = person.rounds()  # now: the chart may have been behind
    person.until(lambda: person.rounds() >= held + 2, "more rounds")
    person.click("Finish round and stop")
    person.reads("Stopped. Everything that was learnt is saved.")
    rounds = recorded(Home(tmp_path / "home"))
    assert rounds == list(range(1, len(rounds) + 1))
    person.until(lambda: person.rounds() == len(rounds), "every round on the chart")


@pytest.mark.endurance
def test_an_engine_that_keeps_dying_is_given_up(sit_down: SitDown, tmp_path: Path) -> None:
    """The window says so and offers a support file, which can be made; then one can go on."""
    person = sit_down(tmp_path / "home", consents=True)
    person.click("Join swarm")
    person.until(lambda: person.rounds() >= 1, "a round")
    for seconds in DELAYS_S:
        kill_engine(person)
        person.reads(f"Starting again in {seconds} s.")
    held = person.rounds()
    kill_engine(person)
    person.reads("Practice stopped by itself several times in a row", "is safe")
    path = tmp_path / "support.zip"
    person.click_and_name("Make a support file…", path)
    person.until(path.exists, "the support file")
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        assert file.read("ends.txt").decode().count("It ended with 9") == 1 + len(DELAYS_S)
    person.click("Try again")
    person.until(lambda: person.rounds() >= held + 1, "more rounds")
    rounds = recorded(Home(tmp_path / "home"))
    assert rounds == list(range(1, len(rounds) + 1))
