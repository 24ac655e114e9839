"""Settings are written one after another, aside, and never lost without a word."""

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.backend.settings_writer import SettingsWriter
from app.state.fields import Field
from core.errors import WaggleError
from core.settings import PracticeSettings, Settings, load_settings, save_settings

MODEL = Field("window", "model")


@pytest.fixture
def keeper(tmp_path: Path, parent: QObject) -> SettingsWriter:
    return SettingsWriter(parent, tmp_path / "settings.toml", Settings())


@pytest.fixture
def parent() -> QObject:
    return QObject()


def test_changes_are_made_in_turn_and_the_last_is_told(
    keeper: SettingsWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    """Each builds on the one before; who listens does not fall back to a state in between."""
    told: list[Settings] = []
    keeper.kept.connect(lambda settings, _problem: told.append(settings))
    keeper.keep(MODEL.keep("ember").change)
    keeper.keep(Field("window", "theme").keep("dark").change)
    keeper.finish()
    qtbot.waitUntil(lambda: bool(told))
    (kept,) = told
    assert (kept.window.model, kept.window.theme) == ("ember", "dark")
    assert kept == load_settings(tmp_path / "settings.toml") == keeper.settings


def test_what_others_wrote_meanwhile_stays(
    keeper: SettingsWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    """A change is made to what the file holds, not to what the window has read once."""
    save_settings(Settings(practice=PracticeSettings(level=2)), tmp_path / "settings.toml")
    with qtbot.waitSignal(keeper.kept):
        keeper.keep(MODEL.keep("ember").change)
    assert (keeper.settings.practice.level, keeper.settings.window.model) == (2, "ember")


def test_a_slow_disk_holds_nobody_up(keeper: SettingsWriter, qtbot: QtBot) -> None:
    """The change is asked for and the turn goes on, while the disk has not answered yet."""
    answers = threading.Event()

    def slowly(settings: Settings) -> Settings:
        answers.wait()
        return MODEL.set(settings, "ember")

    keeper.keep(slowly)
    assert keeper.settings == Settings()
    with qtbot.waitSignal(keeper.kept):
        answers.set()
    assert keeper.settings.window.model == "ember"


def test_a_failure_is_told_though_the_next_change_is_made(
    keeper: SettingsWriter, qtbot: QtBot
) -> None:
    """Or a switch would jump back without a word."""

    def refuse(_settings: Settings) -> Settings:
        raise WaggleError("the disk is full")

    told: list[str] = []
    keeper.kept.connect(lambda _settings, problem: told.append(problem))
    with qtbot.waitSignal(keeper.kept):
        keeper.keep(refuse)
        keeper.keep(MODEL.keep("ember").change)
    (problem,) = told
    assert "the disk is full" in problem
    assert keeper.settings.window.model == "ember"


def test_a_change_that_fails_is_told_and_the_next_is_made(
    keeper: SettingsWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    """What the file holds stays known, so that the window can go back to it."""
    path = tmp_path / "settings.toml"
    path.mkdir()
    told: list[str] = []
    keeper.kept.connect(lambda _settings, problem: told.append(problem))
    with qtbot.waitSignal(keeper.kept):
        keeper.keep(MODEL.keep("ember").change)
    assert told[0]
    assert keeper.settings == Settings()
    path.rmdir()
    with qtbot.waitSignal(keeper.kept):
        keeper.keep(lambda settings: replace(settings, practice=PracticeSettings(level=2)))
    assert told[1:] == [""]
    assert load_settings(path).practice.level == 2
