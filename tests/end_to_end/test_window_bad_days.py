"""Bad days at a real window: the person is told in words, and finds a way on in the window."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.ledger.history import History
from core.paths import RESOURCES, Home
from tests.fake_model_hub import REPO, FakeModelHub, files_of
from tests.person import Person, SitDown
from tests.small_disk import fill, small_disk

GARBAGE = b"\xff\x00\xfe" + bytes(range(256)) * 40
MODEL = "spark"
HOME, CONTRIBUTION, MODELS = 1, 3, 5
pytestmark = pytest.mark.timeout(900)


def practise(person: Person) -> None:
    """Until there are two more rounds on the chart."""
    before = person.rounds()
    person.click("Join swarm")
    person.until(lambda: person.rounds() >= before + 2, "rounds")


def recorded(home: Home) -> list[int]:
    with History(home.ledger, MODEL) as history:
        return [one.round for one in history.history()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a tmpfs")
def test_a_full_disk_holds_practice_until_there_is_room(sit_down: SitDown, tmp_path: Path) -> None:
    """It is told, nothing is lost, and Try again goes on."""
    home = tmp_path / "disk"
    with small_disk(home, 24):
        person = sit_down(home, consents=True)
        practise(person)
        fill(home / "holiday-film")
        person.reads("is full")
        held = person.rounds()
        (home / "holiday-film").unlink()
        person.click("Try again")
        person.until(lambda: person.rounds() > held, "more rounds")
        person.leave()
        rounds = recorded(Home(home))
        assert rounds == list(range(1, len(rounds) + 1))


def test_settings_of_garbage_are_told(sit_down: SitDown, tmp_path: Path) -> None:
    """And without them the window begins."""
    person = sit_down(tmp_path, consents=True)
    person.close()
    Home(tmp_path).settings.write_bytes(GARBAGE)
    again = sit_down(tmp_path)
    again.reads("cannot be read", str(Home(tmp_path).settings))
    Home(tmp_path).settings.unlink()
    again.click("Try again")
    again.reads("Train a small model, together.")


@pytest.mark.slow
def test_a_record_of_garbage_is_told(sit_down: SitDown, tmp_path: Path) -> None:
    """On Home and where it is counted; once it is out of the way, practice begins."""
    home = Home(tmp_path / "home")
    person = sit_down(home.root, consents=True)
    home.ledger.write_bytes(GARBAGE)
    person.open(CONTRIBUTION)
    person.reads(str(home.ledger))
    person.open(HOME)
    person.click("Join swarm")
    person.reads(str(home.ledger))
    home.ledger.rename(tmp_path / "garbage")
    person.click("Try again")
    person.until(lambda: person.rounds() > 0, "rounds")


@pytest.mark.endurance
def test_progress_of_garbage_can_be_put_aside_in_the_window(
    sit_down: SitDown, tmp_path: Path
) -> None:
    """With all checkpoints damaged, starting over is offered where the models are."""
    home = Home(tmp_path / "home")
    person = sit_down(home.root, consents=True)
    practise(person)
    person.click("Finish round and stop")
    person.reads("Stopped.")
    for path in (home.checkpoints / MODEL).iterdir():
        path.write_bytes(GARBAGE)
    person.click("Join swarm")
    person.reads("are damaged")
    person.open(MODELS)
    person.click("Details: Spark")
    person.click("Start over…")
    person.click("Start over")
    person.reads("It starts over from its base.")
    person.open(HOME)
    person.click("Join swarm")
    person.until(lambda: person.rounds() == 0, "an empty chart")
    person.until(lambda: person.rounds() > 0, "a first round")


@pytest.mark.endurance
def test_the_end_of_a_session_amid_a_round_loses_nothing(sit_down: SitDown, tmp_path: Path) -> None:
    """What was finished is recorded once, and the next window goes on from there."""
    person = sit_down(tmp_path / "home", consents=True)
    practise(person)
    person.window.quit_in_haste()
    person.leave()
    rounds = recorded(Home(tmp_path / "home"))
    assert rounds == list(range(1, len(rounds) + 1))
    again = sit_down(tmp_path / "home")
    again.click("Join swarm")
    again.until(lambda: again.rounds() > len(rounds), "more rounds")


@contextmanager
def model_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModelHub]:
    """A hub in a thread of its own, which whatever is started now asks."""
    hub = FakeModelHub(files_of(RESOURCES / "models" / MODEL))
    is_up, is_over = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with hub.running():
            is_up.set()
            await is_over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    is_up.wait()
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    try:
        yield hub
    finally:
        loop.call_soon_threadsafe(is_over.set)
        thread.join()
        loop.close()


def test_a_window_closed_amid_a_download_keeps_what_came_in(
    sit_down: SitDown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one shows how much is here, and fetches only the rest."""
    with model_hub(monkeypatch) as hub:
        hub.trouble.stall = "model.safetensors"
        person = sit_down(tmp_path / "home", consents=True)
        person.open(MODELS)
        person.fill_in("Name of a model on Hugging Face", REPO)
        person.click("Look it up")
        person.click(f"Download: {REPO}")
        person.until(hub.stalled.is_set, "half of the model")
        person.close()
        hub.trouble.stall = None
        before = hub.served["model.safetensors"]
        again = sit_down(tmp_path / "home")
        again.open(MODELS)
        again.reads("are here. The rest can come any time.")
        again.click(f"Go on: {REPO}")
        again.reads("It is here, complete and checked.")
        whole = len(hub.files["model.safetensors"])
        assert hub.served["model.safetensors"] - before < whole
        again.leave()
