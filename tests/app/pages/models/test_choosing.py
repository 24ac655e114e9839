"""A model that was chosen is the one that the window joins with, on whichever page."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QRadioButton
from pytestqt.qtbot import QtBot

from app.backend.helper_client import HelperClient
from app.shell.main_window import MainWindow
from app.state.intents import Choose, Keep
from core.api.models import ModelsListed
from core.paths import Home
from core.settings import Settings, WindowSettings, load_settings, save_settings
from tests.app.pages.models.samples import LARGE, LISTED, SMOL, SPARK
from tests.app.reading import press
from tests.fake_engine import JOINS_FILE
from tests.hand_alarm import OpenWindow

NOTE = '{"id": "smol", "repo": "someone/Smol"}'
HERE = replace(LISTED, models=(SPARK, replace(SMOL, presence="installed")))


def offered(window: MainWindow) -> list[str]:
    QApplication.processEvents()
    return [radio.text() for radio in window.findChildren(QRadioButton) if radio.isVisible()]


def chosen(window: MainWindow) -> str:
    assert window.state is not None
    return window.state.chosen


def joins(home: Home) -> list[str]:
    return (home.root / JOINS_FILE).read_text(encoding="utf-8").splitlines()


def begin(window: MainWindow, home: Home, qtbot: QtBot) -> None:
    press(window, "Join swarm")
    qtbot.waitUntil((home.root / JOINS_FILE).exists)


def test_a_fetched_model_that_was_chosen_before_still_is(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """From the first moment, before the helper has listed anything; and it is joined with."""
    (home.models / "smol").mkdir()
    (home.models / "smol" / "waggle.json").write_text(NOTE, encoding="utf-8")
    settings = Settings(window=WindowSettings(consent=True, model="smol"))
    save_settings(settings, home.settings)
    window, _client = open_window()
    assert chosen(window) == "smol"
    assert offered(window)[-1] == "someone/Smol"
    begin(window, home, qtbot)
    assert joins(home) == ["smol"]


def test_a_model_that_was_just_fetched_can_be_chosen(
    open_window: OpenWindow, helper: HelperClient, home: Home, qtbot: QtBot
) -> None:
    """Home offers it from then on, and the settings remember it."""
    window, _client = open_window()
    helper.answered.emit(HERE)
    window.dispatch(Choose("smol"))
    assert offered(window)[-1] == "Smol"
    qtbot.waitUntil(lambda: load_settings(home.settings).window.model == "smol")


def test_a_model_that_was_removed_is_no_longer_chosen(
    open_window: OpenWindow, helper: HelperClient
) -> None:
    """The starter takes its place, which is always there."""
    window, _client = open_window()
    helper.answered.emit(HERE)
    window.dispatch(Choose("smol"))
    helper.answered.emit(LISTED)
    assert chosen(window) == "spark"
    helper.answered.emit(ModelsListed(models=(), disk_free=0))
    assert chosen(window) == "spark"


@pytest.mark.parametrize("insisted_on", ["large", "other"])
def test_memory_is_overlooked_only_where_a_person_said_so(
    open_window: OpenWindow, helper: HelperClient, home: Home, qtbot: QtBot, insisted_on: str
) -> None:
    """Of that very model, and as long as the settings say so."""
    window, _client = open_window()
    helper.answered.emit(replace(LISTED, models=(SPARK, replace(LARGE, presence="installed"))))
    window.dispatch(Choose("large"))
    window.dispatch(Keep(lambda s: replace(s, window=replace(s.window, anyway=insisted_on))))
    begin(window, home, qtbot)
    assert joins(home) == ["large anyway" if insisted_on == "large" else "large"]
