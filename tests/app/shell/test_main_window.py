"""The window from first start to close, on a real child process."""

from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSystemTrayIcon,
)
from pytestqt.qtbot import QtBot

from app.backend.helper_client import HelperClient
from app.desktop.single_instance import Opening
from app.pages.home.history_loader import HistoryLoader
from app.pages.home.page import HomePage
from app.pages.settings.page import SettingsPage
from app.pages.swarm.page import SwarmPage
from app.pages.welcome.page import WelcomePage
from app.shell.geometry import FILE
from app.shell.losing_dialog import LosingDialog
from app.shell.main_window import START_SIZE, MainWindow
from app.shell.root_view import SavingPage, TroublePage
from app.state.intents import JoinChosen, Keep, Open, Quit, Reveal
from app.style.appearance import Appearance
from app.style.theme import DARK, LIGHT, Palette
from core.api.practice import TakeExam
from core.api.requests import Done, Reply
from core.api.updates import UpdatesShown
from core.paths import Home
from core.settings import Settings, SwarmSettings, WindowSettings, load_settings, save_settings
from tests.app.reading import press, text
from tests.core.ledger.test_curve import many
from tests.fake_engine import JOINS_FILE, SAVED_FILE
from tests.fake_helper import PUT_AWAY_FILE, STARTS_FILE, Act
from tests.hand_alarm import HandAlarm, OpenWindow


class Opened(QObject):
    """Stands in for the system's file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[Path] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.paths.append(Path(url.toLocalFile()))


def rounds(window: MainWindow) -> int:
    assert window.state is not None
    return window.state.node.round


def test_the_first_start_asks_once(open_first: OpenWindow, home: Home, qtbot: QtBot) -> None:
    """Welcome, agreement, Home; the next window opens on Home."""
    window, _client = open_first()
    assert window.findChildren(WelcomePage)[0].isVisible()
    for box in window.findChildren(QCheckBox):
        box.click()
    for words in ("Next", "Next", "Begin"):
        press(window, words)
    qtbot.waitUntil(lambda: load_settings(home.settings).window.consent)
    assert "Choose your model" in text(window)
    again, _client = open_first()
    assert "Choose your model" in text(again)


def test_the_past_is_shown_before_anything_runs(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """Rounds of earlier sessions, of the model that is chosen; and none where none are known."""
    many(home.ledger, 70)
    window, client = open_window()
    assert "Train a small" not in text(window)
    qtbot.waitUntil(lambda: "of all\u00a0puzzles" in text(window))
    assert "Last practised" in text(window)
    assert not client.link.is_running
    (ember,) = (r for r in window.findChildren(QRadioButton) if r.text() == "Ember")
    ember.click()
    qtbot.waitUntil(lambda: "Train a small" in text(window))


def test_a_home_without_rounds_wakes_no_helper(
    open_window: OpenWindow, helper: HelperClient, qtbot: QtBot
) -> None:
    """The first start has nothing to look up."""
    window, _client = open_window()
    (loader,) = window.findChildren(HistoryLoader)
    timers = loader.findChildren(QTimer)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))
    assert "Train a small" in text(window)
    assert not helper.is_running


def test_a_run_from_join_to_finish(open_window: OpenWindow, qtbot: QtBot) -> None:
    """The sentence and the chart follow the engine; after Finish one can join again."""
    window, client = open_window("train")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 9)
    qtbot.waitUntil(lambda: "of all\u00a0puzzles" in text(window))
    press(window, "Finish round and stop")
    qtbot.waitUntil(lambda: not client.link.is_running)
    assert "Stopped." in text(window)
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: client.link.phase == "up")


def test_pause_and_go_on(open_window: OpenWindow, qtbot: QtBot) -> None:
    """Paused because the person asked, and going on where it was."""
    window, _client = open_window("train")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    press(window, "Pause")
    qtbot.waitUntil(lambda: "Paused because you asked." in text(window))
    held = rounds(window)
    press(window, "Go on")
    qtbot.waitUntil(lambda: rounds(window) > held)


def test_closing_saves_first(open_window: OpenWindow, home: Home, qtbot: QtBot) -> None:
    """The window says that it saves, stays alive meanwhile, and goes when the engine is done."""
    window, client = open_window("train")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    assert not window.close()
    assert window.findChildren(SavingPage)[0].isVisible()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert client.link.phase == "off"
    assert (home.root / SAVED_FILE).exists()


def with_tray(home: Home) -> None:
    settings = load_settings(home.settings)
    save_settings(replace(settings, window=replace(settings.window, tray=True)), home.settings)


@pytest.fixture
def tray(consenting_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the desktop have a tray, and the person want it."""
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    with_tray(consenting_home)


@pytest.mark.usefixtures("tray")
def test_with_a_tray_closing_only_hides(open_window: OpenWindow, qtbot: QtBot) -> None:
    """Practice goes on; the icon leads back, and Quit ends it all."""
    window, client = open_window()
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    assert not window.close()
    assert not window.isVisible()
    assert client.link.is_running
    window.open_with(Opening())
    assert window.isVisible()
    with qtbot.waitSignal(window.left, timeout=30_000):
        window.quit()
    assert not client.link.is_running


@pytest.mark.usefixtures("tray")
def test_what_is_asked_while_it_saves_is_not_begun(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """Such as joining once more, by the icon: the window would stay for ever."""
    window, client = open_window()
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    window.quit()
    assert client.link.phase == "closing"
    window.dispatch(JoinChosen())
    qtbot.waitUntil(lambda: not window.isVisible())
    assert (home.root / JOINS_FILE).read_text(encoding="utf-8").split() == ["spark"]


@pytest.mark.usefixtures("tray")
def test_the_icon_is_there_from_the_beginning(open_window: OpenWindow) -> None:
    """Or closing a window in which nothing happened yet would be the end."""
    window, _client = open_window()
    assert not window.close()
    assert window.background.keeps


def test_the_end_of_a_session_waits_for_what_is_saved(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """When the call is over, all is on disk."""
    window, client = open_window()
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    window.quit_in_haste()
    assert client.link.phase == "off"
    assert (home.root / SAVED_FILE).exists()


def test_an_update_is_installed_after_all_is_saved(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """The window ends as it always does; what installs it is started last."""
    window, client = open_window()
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    window.dispatch(Quit(then=("switch", "--start")))
    qtbot.waitUntil(lambda: not window.isVisible())
    assert client.link.phase == "off"
    assert (home.root / SAVED_FILE).exists()
    started: list[tuple[str, ...]] = []
    window.updating.depart(started.append)
    assert started == [("switch", "--start")]


def test_an_update_that_was_asked_for_is_installed_though_somebody_closes(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """The page asks for it as soon as nothing runs, when the window is about to go already."""
    window, _client = open_window()
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    window.close()
    window.dispatch(Quit(then=("switch", "--start")))
    assert window.isVisible()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert (home.root / SAVED_FILE).exists()
    started: list[tuple[str, ...]] = []
    window.updating.depart(started.append)
    assert started == [("switch", "--start")]


@pytest.mark.usefixtures("tray")
def test_a_start_in_the_background_practises_unseen(open_window: OpenWindow, qtbot: QtBot) -> None:
    """With the computer, for who has agreed; the icon says that it is there."""
    window, client = open_window()
    window.hide()
    window.open_with(Opening(background=True))
    window.start_hidden()
    qtbot.waitUntil(lambda: client.link.phase == "up")
    assert not window.isVisible()
    assert window.background.keeps


def test_without_a_tray_the_background_is_the_task_bar(open_window: OpenWindow) -> None:
    """A window that nothing leads back to would be lost."""
    window, _client = open_window()
    window.start_hidden()
    assert window.isMinimized()


def test_an_invite_opens_on_its_page(open_window: OpenWindow) -> None:
    """Whatever was open before, the welcome included."""
    window, _client = open_window()
    press(window, "What is Waggle?")
    window.open_with(Opening(link="waggle://join/abc"))
    (page,) = window.findChildren(SwarmPage)
    assert page.isVisible()
    assert "waggle://join/abc" in [field.text() for field in page.findChildren(QLineEdit)]


def test_a_hung_engine_does_not_hold_the_window(
    open_window: OpenWindow, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """When the time for saving is over, the window closes all the same."""
    window, _client = open_window("mute")
    press(window, "Join swarm")
    window.close()
    alarm.ring()
    qtbot.waitUntil(lambda: not window.isVisible())


def test_an_idle_window_closes_at_once(open_window: OpenWindow) -> None:
    """Nothing runs, nothing to save."""
    window, _client = open_window("train")
    assert window.close()


def test_a_window_that_waits_for_a_restart_closes_at_once(
    open_window: OpenWindow, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """There is nobody to wait for, and nothing is started again."""
    window, client = open_window("die-at-once")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: client.link.phase == "waiting")
    assert window.close()
    assert alarm.seconds is None


def test_requests_are_put_away_before_the_window_goes(
    open_window: OpenWindow, helper: HelperClient, home: Home, qtbot: QtBot
) -> None:
    """What a page asked the helper for ends in good order, too."""
    window, _client = open_window()
    heard: list[Reply] = []
    helper.answered.connect(heard.append)
    window.call(Act(deed="work"))
    qtbot.waitUntil(lambda: any(not answer.is_last for answer in heard))
    assert not window.close()
    assert window.findChildren(SavingPage)[0].isVisible()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert (home.root / PUT_AWAY_FILE).exists()


def test_nobody_loses_an_exam_without_being_asked(open_window: OpenWindow, qtbot: QtBot) -> None:
    """Who thinks better of it goes on; who is asked by the system to end is not asked back."""
    window, _client = open_window()
    window.call(TakeExam(model="spark", puzzles=100))

    def answer(words: str) -> None:
        (dialog,) = (one for one in window.findChildren(LosingDialog) if one.isVisible())
        press(dialog, words)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    window.updating.leave_for(("switch", "--start"))
    assert not window.close()
    assert not window.close()  # asked again while the question stands
    answer("Let it end first")
    assert window.isVisible()
    started: list[tuple[str, ...]] = []
    window.updating.depart(started.append)
    assert started == []  # nobody leaves after all
    assert not window.findChildren(SavingPage)[0].isVisible()
    assert not window.close()
    answer("Close all the same")
    qtbot.waitUntil(lambda: not window.isVisible())


def test_the_end_of_a_session_asks_nobody(open_window: OpenWindow, qtbot: QtBot) -> None:
    """Though an exam is lost: the computer is about to be switched off."""
    window, _client = open_window()
    window.call(TakeExam(model="spark", puzzles=100))
    assert not window.close()
    (question,) = window.findChildren(LosingDialog)
    window.quit_in_haste()
    question.reject()  # too late
    qtbot.waitUntil(lambda: not window.isVisible())


def test_a_page_that_asks_again_does_not_hold_the_window(
    open_window: OpenWindow, helper: HelperClient, helper_alarm: HandAlarm, home: Home, qtbot: QtBot
) -> None:
    """As one does that hears of a request's end: it would have a new helper start meanwhile."""
    window, _client = open_window()
    heard: list[Reply] = []
    helper.answered.connect(heard.append)
    hanging = window.call(Act(deed="hang"))
    qtbot.waitUntil(lambda: bool(heard))
    hanging.refused.connect(lambda: window.call(Act(deed="greet")))
    assert not window.close()
    helper_alarm.ring()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert len((home.root / STARTS_FILE).read_text(encoding="utf-8").splitlines()) == 1


def test_a_newer_release_is_told_on_home(
    open_window: OpenWindow, helper: HelperClient, home: Home, qtbot: QtBot
) -> None:
    """Also where the notice was lost on who sat before the window; until the card was seen."""
    window, _client = open_window()
    newer = UpdatesShown(
        installed="0.1.0", place="/x", obstacle="none", newest="0.2.0", is_news=True
    )
    helper.answered.emit(newer)
    assert "There is a newer Waggle: 0.2.0." in text(window)
    press(window, "Open Updates")
    helper.answered.emit(newer)
    qtbot.waitUntil(lambda: load_settings(home.settings).updates.seen == "0.2.0")
    window.dispatch(Open("home"))
    assert "There is a newer Waggle: 0.2.0." not in text(window)


def test_a_second_close_does_not_wait(open_window: OpenWindow, qtbot: QtBot) -> None:
    """Who closes again means it."""
    window, _client = open_window("mute")
    press(window, "Join swarm")
    assert not window.close()
    assert window.close()
    qtbot.waitUntil(lambda: not window.isVisible())


def test_ctrl_q_quits_like_closing(open_window: OpenWindow, home: Home, qtbot: QtBot) -> None:
    """The engine saves first."""
    window, _client = open_window()
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert (home.root / SAVED_FILE).exists()


def test_an_engine_that_keeps_dying_is_told_in_words(
    open_window: OpenWindow, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """While it is restarted the window says so; then it offers ways out, and they work."""
    window, client = open_window("die-at-once")
    press(window, "Join swarm")
    for seconds in (1, 4, 15):
        qtbot.waitUntil(lambda s=seconds: f"again in {s}\u00a0s" in text(window))  # type: ignore[misc]  # default binds the loop's value
        alarm.ring()
    qtbot.waitUntil(lambda: "several times in a row" in text(window))
    assert "made-up traceback" not in text(window)
    press(window, "Try again")
    qtbot.waitUntil(lambda: client.link.phase == "waiting")


def test_an_engine_that_dies_while_finishing_ends_the_run(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    """It was to end anyhow: no restart, and the person can join again."""
    window, client = open_window("die-after-2")
    press(window, "Join swarm")
    press(window, "Finish round and stop")
    qtbot.waitUntil(lambda: not client.link.is_running)
    assert "Stopped." in text(window)
    assert "Choose your model" in text(window)


def test_another_running_waggle_is_told_in_words(open_window: OpenWindow, qtbot: QtBot) -> None:
    """What the engine cannot get over is shown as it says it."""
    window, _client = open_window("fatal")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: "Another Waggle is already running on" in text(window))
    press(window, "Try again")


def test_the_chosen_model_is_remembered_and_joined(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """The choice goes to the settings file, and to the engine."""
    window, _client = open_window("train")
    (ember,) = (r for r in window.findChildren(QRadioButton) if r.text() == "Ember")
    ember.click()
    qtbot.waitUntil(lambda: load_settings(home.settings).window.model == "ember")
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    assert (home.root / JOINS_FILE).read_text(encoding="utf-8").split() == ["ember"]


def test_settings_changed_meanwhile_are_kept(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """The window writes its own keys, leaves the others as the file has them, and takes them on."""
    window, _client = open_window("train")
    edited = load_settings(home.settings)
    edited = Settings(practice=type(edited.practice)(level=2), window=edited.window)
    save_settings(edited, home.settings)
    (ember,) = (r for r in window.findChildren(QRadioButton) if r.text() == "Ember")
    ember.click()
    qtbot.waitUntil(lambda: window.state is not None and window.state.settings.practice.level == 2)
    kept = load_settings(home.settings)
    assert (kept.practice.level, kept.window.model) == (2, "ember")


def test_settings_that_cannot_be_written_are_told(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """A choice that cannot be kept still counts, and the person knows."""
    window, _client = open_window("train")
    home.settings.unlink()
    home.settings.mkdir()
    (ember,) = (r for r in window.findChildren(QRadioButton) if r.text() == "Ember")
    ember.click()
    qtbot.waitUntil(lambda: "Waggle cannot use" in text(window))
    assert ember.isChecked()


def test_a_broken_settings_file_is_told_and_can_be_mended(
    open_first: OpenWindow, home: Home
) -> None:
    """The window opens all the same, names the place, and goes on after the mending."""
    home.settings.write_text("[window]\ntheme = 3\n", encoding="utf-8")
    window, _client = open_first()
    assert window.findChildren(TroublePage)[0].isVisible()
    assert "window.theme" in text(window)
    assert window.state is None
    window.open_with(Opening(link="waggle://join/abc"))
    assert window.findChildren(TroublePage)[0].isVisible()
    save_settings(Settings(window=WindowSettings(consent=True)), home.settings)
    press(window, "Try again")
    (page,) = window.findChildren(SwarmPage)
    assert page.isVisible(), "the invite that was opened meanwhile"
    assert "waggle://join/abc" in [field.text() for field in page.findChildren(QLineEdit)]


@pytest.mark.parametrize(("theme", "palette"), [("light", LIGHT), ("dark", DARK)])
def test_the_theme_of_the_settings_is_worn(
    open_first: OpenWindow,
    home: Home,
    appearance: Appearance,
    theme: Literal["light", "dark"],
    palette: Palette,
) -> None:
    """Whatever the desktop says."""
    save_settings(Settings(window=WindowSettings(theme=theme)), home.settings)
    open_first()
    assert appearance.palette is palette


def test_every_control_of_every_page_has_a_name(open_window: OpenWindow) -> None:
    """Buttons, boxes and radio buttons speak, also on pages that are not shown.

    One that is hidden by itself may have no name yet: that of a notice with nothing to do.
    """
    window, _client = open_window("train")
    kinds = (QPushButton, QCheckBox, QRadioButton)
    controls = [control for kind in kinds for control in window.findChildren(kind)]
    assert len(controls) >= 9
    assert all(control.accessibleName() or control.isHidden() for control in controls)


def test_a_named_hub_is_where_others_are_met(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """What ``waggle-app --hub`` was given reaches the engine with every join."""
    hub = "http://127.0.0.1:8765"
    window, _client = open_window("train", hub)
    press(window, "Join swarm")
    qtbot.waitUntil(lambda: rounds(window) >= 1)
    joined = (home.root / JOINS_FILE).read_text(encoding="utf-8").split()
    assert joined == ["spark", hub]


def test_a_window_opens_where_the_last_one_was(open_window: OpenWindow) -> None:
    """In its place and size, and on its page."""
    window, _client = open_window()
    window.move(-40, 50)
    window.resize(900, 640)
    window.dispatch(Open("settings"))
    window.close()
    again, _client = open_window()
    assert (again.pos(), again.size()) == (QPoint(-40, 50), QSize(900, 640))
    assert again.findChildren(SettingsPage)[0].isVisible()


def test_a_broken_memory_of_the_window_is_forgotten(open_window: OpenWindow, home: Home) -> None:
    """It opens as the first time."""
    (home.root / FILE).write_text('{"x": "left"}', encoding="utf-8")
    window, _client = open_window()
    assert window.size() == START_SIZE
    assert window.findChildren(HomePage)[0].isVisible()


def test_the_welcome_can_be_read_again(open_window: OpenWindow) -> None:
    """While practice goes on behind it; what was agreed to stays so."""
    window, _client = open_window()
    press(window, "What is Waggle?")
    assert window.findChildren(WelcomePage)[0].isVisible()
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert window.findChildren(HomePage)[0].isVisible()


def test_a_page_is_answered_by_the_helper(open_window: OpenWindow, qtbot: QtBot) -> None:
    """The request goes out; what comes back reaches whoever called."""
    window, _client = open_window()
    replies: list[Done] = []
    window.call(Act(deed="greet")).done.connect(replies.append)
    qtbot.waitUntil(lambda: bool(replies))
    assert replies[0].words == "hello"


def test_a_page_can_change_the_settings(open_window: OpenWindow, home: Home, qtbot: QtBot) -> None:
    """On the screen at once, on disk soon."""
    window, _client = open_window()
    window.dispatch(Keep(lambda s: replace(s, swarm=SwarmSettings(lan=False))))
    assert window.state is not None
    assert not window.state.settings.swarm.lan
    qtbot.waitUntil(lambda: not load_settings(home.settings).swarm.lan)


def test_what_was_chosen_is_on_disk_before_the_engine_is_asked(
    open_window: OpenWindow, home: Home
) -> None:
    """It reads the file when it starts: who joins has just forbidden it to be seen nearby."""
    window, _client = open_window("train")
    window.dispatch(Keep(lambda s: replace(s, swarm=SwarmSettings(lan=False))))
    window.dispatch(JoinChosen())
    assert not load_settings(home.settings).swarm.lan


def test_what_was_chosen_is_on_disk_before_the_helper_is_asked_about_it(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    """A page that hears of another swarm has the helper read the file at once."""
    window, _client = open_window()
    window.dispatch(Open("swarm"))
    (page,) = window.findChildren(SwarmPage)
    qtbot.waitUntil(page.isVisible)
    window.dispatch(Keep(lambda s: replace(s, swarm=SwarmSettings(lan=False))))
    assert not load_settings(home.settings).swarm.lan


def test_what_was_chosen_last_survives_the_end(open_window: OpenWindow, home: Home) -> None:
    """Closing the window right after a click waits for the disk."""
    window, _client = open_window()
    window.dispatch(Keep(lambda s: replace(s, swarm=SwarmSettings(lan=False))))
    window.close()
    assert not load_settings(home.settings).swarm.lan


def test_folders_are_opened_by_the_system(open_window: OpenWindow, home: Home) -> None:
    """The log folder, or whatever a page points to."""
    window, _client = open_window()
    opened = Opened()
    QDesktopServices.setUrlHandler("file", opened, "take")  # type: ignore[arg-type]  # the stub is wrong
    try:
        window.dispatch(Reveal())
        window.dispatch(Reveal(home.models))
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert opened.paths == [home.logs, home.models]
