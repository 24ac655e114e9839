"""All that Waggle made can be measured and taken away, and nothing else is."""

import logging
import os
import sqlite3
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest

from core.errors import HomeInUseError
from core.logs import log_to_file
from core.paths import Home
from core.services.autostart import open_autostart
from core.services.data_folder import BEFORE, measure, remove, remove_home
from core.services.exam import keep_exam
from core.settings import Settings, save_settings
from core.storage.files import draft_beside, size_of
from core.storage.home_lock import hold
from core.wire.identity import Identity, load_or_create_identity, save_identity
from tests.saved_models import invented_exam

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="it would change the real registry"),
    pytest.mark.usefixtures("memory_keyring"),
]


@pytest.fixture(autouse=True)
def own_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The autostart of whoever runs the tests is not touched."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "person"))


@pytest.fixture
def home(home: Home) -> Home:
    """A home as a node leaves it."""
    made = home
    save_settings(Settings(), made.settings)
    load_or_create_identity(made.identity)
    (made.models / "some" / "deep").mkdir(parents=True)
    (made.models / "some" / "deep" / "weights").write_bytes(bytes(5_000))
    (made.checkpoints / "learnt").write_bytes(bytes(300))
    (made.root / f"{BEFORE}2026-01-01").write_text("an older key")
    with sqlite3.connect(made.ledger) as ledger:
        ledger.execute("CREATE TABLE rounds (round)")
    ledger.close()
    (made.root / "ledger.sqlite-wal").write_bytes(b"unfinished")
    (made.root / "settings.draft").write_bytes(b"half a file")
    made.gpu_bench.with_suffix(".md").write_text("a table")
    with draft_beside(made.identity) as draft:
        pass
    draft.parent.mkdir()  # as a process that was killed meanwhile leaves it
    save_identity(Identity.generate(), draft)
    keep_exam(made, invented_exam())
    return made


def test_each_part_is_measured(home: Home) -> None:
    """In bytes of the files in it; what goes missing counts for nothing."""
    sizes = {one.part: one.size for one in measure(home)}
    assert sizes["models"] == 5_000
    assert sizes["learnt"] == 300
    assert sizes["records"] > 0
    assert sizes["logs"] == sizes["copies"] == sizes["decks"] == 0
    assert all(one.size == 0 for one in measure(Home(home.root / "nowhere")))


def test_all_that_would_go_is_measured(home: Home) -> None:
    """A meeting point's store, exams and updates too; what others put into the folder is not."""
    (home.root / "photos").mkdir()
    (home.root / "photos" / "one").write_bytes(bytes(50_000))
    before = sum(one.size for one in measure(home))
    for folder in (home.decks, home.updates, home.root / "hub.sqlite-decks"):
        folder.mkdir()
        (folder / "file").write_bytes(bytes(1_000))
    (home.root / "hub.sqlite").write_bytes(bytes(1_000))
    assert {one.part: one.size for one in measure(home)}["decks"] == 1_000
    assert sum(one.size for one in measure(home)) == before + 4_000
    assert before == size_of(home.root) - 4_000 - 50_000


def test_everything_goes(home: Home) -> None:
    """The folder too, and what starts with the computer."""
    autostart = open_autostart(home)
    autostart.set(on=True)
    assert not remove_home(home)
    assert not home.root.exists()
    assert not autostart.is_on()


def test_what_is_not_ours_stays(home: Home, tmp_path: Path) -> None:
    """Whatever a person put there, and what a link leads to."""
    (home.root / "thesis.odt").write_text("years of work")
    elsewhere = tmp_path / "big-disk"
    elsewhere.mkdir()
    (elsewhere / "film").write_text("")
    home.cache.rmdir()
    home.cache.symlink_to(elsewhere)
    assert remove_home(home)
    assert [path.name for path in home.root.iterdir()] == ["thesis.odt"]
    assert (elsewhere / "film").exists()


def test_a_running_node_keeps_its_home(home: Home) -> None:
    """It would write on, and lose what it learns."""
    with hold(home), pytest.raises(HomeInUseError, match="Stop practice"):
        remove_home(home)
    assert home.settings.exists()


def test_the_own_log_is_let_go_of(home: Home) -> None:
    """Later words do not bring the folder back."""
    before = logging.getLogger().handlers[:]
    log_to_file(home, "helper")
    try:
        remove_home(home)
        logging.getLogger().info("one more word")
        logs = [h for h in logging.getLogger().handlers if isinstance(h, RotatingFileHandler)]
        assert logs == []
        assert not home.logs.exists()
    finally:
        logging.getLogger().handlers[:] = before


def test_removing_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    """Files, folders and links alike; a link that leads nowhere is cut, too."""
    remove(tmp_path / "nothing")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    remove(tmp_path / "dangling")
    assert list(tmp_path.iterdir()) == []
