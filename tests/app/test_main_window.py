"""The window from first start to close, on a real child process."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from app.appearance import Appearance
from app.engine_client import EngineClient
from app.main_window import MainWindow
from app.messages import SavingPage, TroublePage
from app.welcome.page import WelcomePage
from core.paths import Home
from core.settings import Settings, WindowSettings, load_settings, save_settings
from tests.fake_engine import JOINS_FILE, SAVED_FILE, Script
from tests.hand_alarm import Connect, HandAlarm

Open = Callable[[Script], tuple[MainWindow, EngineClient]]


def press(window: MainWindow, text: str) -> None:
    (found,) = (b for b in window.findChildren(QPushButton) if b.isVisible() and b.text() == text)
    found.click()


def text_of(window: MainWindow) -> str:
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def rounds(window: MainWindow) -> int:
    assert window.state is not None
    return window.state.node.round


def test_the_first_start_asks_once(
    connect: Connect, home: Home, appearance: Appearance, qtbot: QtBot
) -> None:
    """Welcome, agreement, Home; the next window opens on Home."""

    def open_one() -> MainWindow:
        window = MainWindow(home, lambda _home: connect("train"), appearance)
        qtbot.addWidget(window)
        window.show()
        return window

    window = open_one()
    assert window.findChildren(WelcomePage)[0].isVisible()
    for box in window.findChildren(QCheckBox):
        box.click()
    press(window, "Continue")
    assert load_settings(home.settings).window.consent
    assert "Choose your model" in text_of(window)
    assert "Choose your model" in text_of(open_one())


def test_a_run_from_join_to_finish(open_window: Open, qtbot: QtBot) -> None:
    """The sentence and the chart follow the engine; after Finish one can join again."""
    window, client = open_window("train")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 61)
    qtbot.waitUntil(lambda: "when you joined" in text_of(window))
    press(window, "Finish round and stop")
    qtbot.waitUntil(lambda: not client.link.is_running)
    assert "Stopped." in text_of(window)
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: client.link.phase == "up")


def test_pause_and_go_on(open_window: Open, qtbot: QtBot) -> None:
    """Paused because the person asked, and going on where it was."""
    window, _client = open_window("train")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    press(window, "Pause")
    qtbot.waitUntil(lambda: "Paused because you asked." in text_of(window))
    held = rounds(window)
    press(window, "Go on")
    qtbot.waitUntil(lambda: rounds(window) > held)


def test_closing_saves_first(open_window: Open, home: Home, qtbot: QtBot) -> None:
    """The window says that it saves, stays alive meanwhile, and goes when the engine is done."""
    window, client = open_window("train")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    assert not window.close()
    assert window.findChildren(SavingPage)[0].isVisible()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert client.link.phase == "off"
    assert (home.root / SAVED_FILE).exists()


def test_a_hung_engine_does_not_hold_the_window(
    open_window: Open, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """When the time for saving is over, the window closes all the same."""
    window, _client = open_window("mute")
    press(window, "Join swarm")
    window.close()
    alarm.ring()
    qtbot.waitUntil(lambda: not window.isVisible())


def test_an_idle_window_closes_at_once(open_window: Open) -> None:
    """Nothing runs, nothing to save."""
    window, _client = open_window("train")
    assert window.close()


def test_an_engine_that_keeps_dying_is_told_in_words(
    open_window: Open, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """While it is restarted the window says so; then it offers ways out, and they work."""
    window, client = open_window("die-at-once")
    press(window, "Join swarm")
    for seconds in (1, 4, 15):
        qtbot.waitUntil(lambda s=seconds: f"again in {s} s" in text_of(window))  # type: ignore[misc]  # default binds the loop's value
        alarm.ring()
    qtbot.waitUntil(lambda: "several times in a row" in text_of(window))
    assert "made-up traceback" not in text_of(window)
    press(window, "Try again")
    qtbot.waitUntil(lambda: client.link.phase == "waiting")


def test_an_engine_that_dies_while_finishing_ends_the_run(open_window: Open, qtbot: QtBot) -> None:
    """It was to end anyhow: no restart, and the person can join again."""
    window, client = open_window("die-after-2")
    press(window, "Join swarm")
    press(window, "Finish round and stop")
    qtbot.waitUntil(lambda: not client.link.is_running)
    assert "Stopped." in text_of(window)
    assert "Choose your model" in text_of(window)


def test_another_running_waggle_is_told_in_words(open_window: Open, qtbot: QtBot) -> None:
    """What the engine cannot get over is shown as it says it."""
    window, _client = open_window("fatal")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: "Another Waggle uses this folder." in text_of(window))
    press(window, "Try again")


def test_the_chosen_model_is_remembered_and_joined(
    open_window: Open, home: Home, qtbot: QtBot
) -> None:
    """The choice goes to the settings file, and to the engine."""
    window, _client = open_window("train")
    (ember,) = (r for r in window.findChildren(QRadioButton) if r.text() == "Ember")
    ember.click()
    assert load_settings(home.settings).window.model == "ember"
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    assert (home.root / JOINS_FILE).read_text(encoding="utf-8").split() == ["ember"]


def test_settings_changed_meanwhile_are_kept(open_window: Open, home: Home) -> None:
    """The window writes its own keys and leaves the others as the file has them by now."""
    window, _client = open_window("train")
    edited = load_settings(home.settings)
    edited = Settings(practice=type(edited.practice)(level=2), window=edited.window)
    save_settings(edited, home.settings)
    (ember,) = (r for r in window.findChildren(QRadioButton) if r.text() == "Ember")
    ember.click()
    assert load_settings(home.settings).practice.level == 2


def test_settings_that_cannot_be_written_are_told(open_window: Open, home: Home) -> None:
    """A choice that cannot be kept still counts, and the person knows."""
    window, _client = open_window("train")
    home.settings.unlink()
    home.settings.mkdir()
    (ember,) = (r for r in window.findChildren(QRadioButton) if r.text() == "Ember")
    ember.click()
    assert ember.isChecked()
    assert "Waggle cannot use" in text_of(window)


def test_a_broken_settings_file_is_told_and_can_be_mended(
    connect: Connect, home: Home, appearance: Appearance, qtbot: QtBot
) -> None:
    """The window opens all the same, names the place, and goes on after the mending."""
    home.settings.write_text("[window]\ntheme = 3\n", encoding="utf-8")
    window = MainWindow(home, lambda _home: connect("train"), appearance)
    qtbot.addWidget(window)
    window.show()
    assert window.findChildren(TroublePage)[0].isVisible()
    assert "window.theme" in text_of(window)
    assert window.state is None
    home.settings.unlink()
    press(window, "Try again")
    assert window.findChildren(WelcomePage)[0].isVisible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_of_the_settings_is_worn(
    connect: Connect, home: Home, appearance: Appearance, qtbot: QtBot, theme: str
) -> None:
    """Whatever the desktop says."""
    settings = Settings(window=WindowSettings(theme="dark" if theme == "dark" else "light"))
    save_settings(settings, home.settings)
    window = MainWindow(home, lambda _home: connect("train"), appearance)
    qtbot.addWidget(window)
    assert appearance.palette.scheme == theme


def test_every_control_of_every_page_has_a_name(open_window: Open) -> None:
    """Buttons, boxes and radio buttons speak, also on pages that are not shown."""
    window, _client = open_window("train")
    kinds = (QPushButton, QCheckBox, QRadioButton)
    controls = [control for kind in kinds for control in window.findChildren(kind)]
    assert len(controls) >= 9
    assert all(control.accessibleName() for control in controls)


def test_a_named_hub_is_where_others_are_met(
    connect: Connect, consenting_home: Home, appearance: Appearance, qtbot: QtBot
) -> None:
    """What ``waggle-app --hub`` was given reaches the engine with every join."""
    hub = "http://127.0.0.1:8765"
    window = MainWindow(consenting_home, lambda _home: connect("train"), appearance, (hub,))
    qtbot.addWidget(window)
    window.show()
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    joined = (consenting_home.root / JOINS_FILE).read_text(encoding="utf-8").split()
    assert joined == ["spark", hub]
