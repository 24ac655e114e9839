"""Home is a function of its state, readable at every size and for everybody."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from app.backend.new_day import NewDay, local_now
from app.pages.home.chart import ScoreChart
from app.pages.home.page import HomePage, TroubleNotice
from app.pages.home.plot_field import Plot
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.intents import JoinChosen, Open, Reveal
from app.state.model_choices import load_choices
from app.style import theme
from app.style.appearance import Appearance
from app.style.theme import DARK, LIGHT
from app.text import moments
from app.text.moments import lately
from app.widgets.file_dialogs import FileDialogs
from core.api.events import Event, Failed, Finish, Pause, Paused, Point, Resume, Stopped
from core.api.maintenance import MakeSupportFile
from core.api.practice import HistoryShown, ShowHistory
from core.api.requests import Done, Refused
from core.api.state import NodeState, apply
from core.api.updates import UpdatesShown
from core.settings import Settings, UpdatesSettings
from tests.app.hearing import listen
from tests.app.pages.home.states import STATES
from tests.app.reading import button, clipped, text
from tests.fake_actions import FakeActions
from tests.fakes import finished
from tests.hand_alarm import HandAlarm

SMALLEST = QSize(900 - theme.RAIL_WIDTH, 600)  # what the rail leaves of 900 x 600
SPANS = {"Hour", "Day", "All"}
IDLE = AppState(choices=load_choices(), chosen="spark")


@pytest.fixture
def page(actions: FakeActions, appearance: Appearance, qtbot: QtBot) -> HomePage:
    made = HomePage(appearance.palette, actions)
    appearance.dress(made)
    qtbot.addWidget(made)
    made.resize(SMALLEST)
    made.show()
    made.show_state(IDLE)
    return made


def state_called(name: str) -> AppState:
    return state_after("5-training", Paused(reason="hot")) if name == "held" else state_after(name)


def state_after(name: str, *more: Event) -> AppState:
    """The state called ``name``, and what the engine says from there on."""
    node, events = NodeState(), (*STATES[name], *more)
    for event in events:
        node = apply(node, event)
    return replace(IDLE, node=node, link=EngineStatus("up") if events else EngineStatus())


@pytest.mark.parametrize("name", STATES)
def test_nothing_is_clipped_in_the_smallest_window(page: HomePage, name: str) -> None:
    """Every text has the room that it needs at 900 x 600, in every state."""
    page.show_state(state_called(name))
    QApplication.processEvents()
    assert page.size() == SMALLEST
    assert clipped(page) == []


@pytest.mark.parametrize(
    "link", [EngineStatus("waiting", "it crashed", 4), EngineStatus("gave_up", "x " * 40)]
)
def test_trouble_is_not_clipped_either(page: HomePage, link: EngineStatus) -> None:
    """The longest notice fits, too, and leaves the chart some room."""
    page.show_state(replace(state_called("5-training"), link=link))
    QApplication.processEvents()
    assert clipped(page) == []


@pytest.mark.parametrize("name", STATES)
def test_every_control_has_a_name_and_can_be_reached(page: HomePage, name: str) -> None:
    """A screen reader can say what each is; Tab gets there, arrow keys from choice to choice."""
    page.show_state(state_called(name))
    for control in (*page.findChildren(QPushButton), *page.findChildren(QRadioButton)):
        if control.isVisible():
            assert control.accessibleName()
            is_other = isinstance(control, QRadioButton) and not control.isChecked()
            assert is_other or control.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_the_column_shows_what_can_be_done(page: HomePage) -> None:
    """Join while nothing runs; pause, finish and stop while something does."""

    def shown() -> set[str]:
        return {b.text() for b in page.findChildren(QPushButton) if b.isVisible()}

    assert shown() == {"More models…", "Join swarm"}
    page.show_state(state_called("5-training"))
    assert shown() == {"Pause", "", "Finish round and stop", "Stop"} | SPANS


def test_the_focus_moves_on_with_the_column(page: HomePage) -> None:
    """Who joined by keyboard can pause by it, and who stopped can join."""
    page.activateWindow()
    join, pause, stop = (button(page, words) for words in ("Join swarm", "Pause", "Stop"))
    join.setFocus()
    page.show_state(state_called("5-training"))
    assert page.focusWidget() is pause
    stop.setFocus()
    page.show_state(IDLE)
    assert page.focusWidget() is join


@pytest.mark.parametrize(
    ("state", "text", "wish"),
    [
        ("1-idle", "Join swarm", JoinChosen()),
        ("5-training", "Pause", Pause()),
        ("8-paused", "Go on", Resume()),
        ("held", "Go on anyway", Resume()),
        ("5-training", "Finish round and stop", Finish()),
        ("9-warning", "Open the log folder", Reveal()),
    ],
)
def test_every_wish_comes_out(
    page: HomePage, actions: FakeActions, state: str, text: str, wish: object
) -> None:
    """The page asks for what its buttons say, once a click."""
    page.show_state(state_called(state))
    (found,) = (b for b in page.findChildren(QPushButton) if b.isVisible() and b.text() == text)
    found.click()
    assert actions.all == [wish]


def test_what_earlier_sessions_left_is_shown(
    page: HomePage, actions: FakeActions, qtbot: QtBot
) -> None:
    """Number and chart as the helper knows them, of the model that is chosen; else the welcome."""
    practised = replace(IDLE, has_practised=True)
    page.show_state(practised)
    qtbot.waitUntil(lambda: bool(actions.all))
    asked = actions.last(ShowHistory)
    history = tuple(Point(round=n, skill=0.31, swarm_skill=None) for n in range(1, 91))
    actions.reply(HistoryShown(model=asked.model, history=history, round=90))
    assert "31\u00a0%" in text(page)
    (chart,) = page.findChildren(ScoreChart)
    assert chart.accessibleDescription() == "Rounds 1 to 90 are shown."
    assert clipped(page) == []
    page.show_state(replace(practised, chosen="ember"))
    assert "%" not in text(page)
    actions.reply(Refused(words="The record of rounds is damaged."))
    assert "Train a small language model, together." in text(page)
    assert "damaged" not in text(page)


def test_what_was_today_is_yesterday_after_midnight(
    actions: FakeActions, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it last practised is told anew, though nothing else happens on Home."""
    ended = datetime(2026, 11, 27, 22, 5, tzinfo=local_now().tzinfo)
    now, alarm = [ended], HandAlarm()
    monkeypatch.setattr(moments, "time", SimpleNamespace(time=lambda: datetime.timestamp(now[0])))
    page = HomePage(LIGHT, actions, lambda act: NewDay(act, alarm, lambda: now[0]))
    qtbot.addWidget(page)
    points = tuple(
        Point(round=n, skill=0.31, swarm_skill=None, at=ended.timestamp()) for n in range(1, 31)
    )
    node = NodeState(activity="stopped", model="spark", round=30, points=points)
    page.show_state(replace(IDLE, node=node))
    page.show()
    today = f"Last practised: {lately(ended.timestamp())}."
    assert today in text(page)
    now[0] += timedelta(hours=3)
    alarm.ring()
    assert today not in text(page)
    assert f"Last practised: {lately(ended.timestamp())}." in text(page)


@pytest.mark.parametrize("end", [Stopped(round=206), Failed(words="It broke.", fatal=True)])
def test_the_curve_ends_where_the_number_was_counted(page: HomePage, end: Event) -> None:
    """However seldom a long curve is drawn: once no more rounds come, all of them are in it."""
    page.show_state(state_called("5-training"))
    (plot,) = page.findChildren(Plot)
    plot.cost_s = 1.0  # as on a slow computer, where it is drawn every ten seconds
    page.show_state(state_after("5-training", *map(finished, range(181, 183))))
    page.show_state(state_after("5-training", *map(finished, range(181, 207)), end))
    (chart,) = page.findChildren(ScoreChart)
    assert chart.accessibleDescription() == "Rounds 1 to 206 are shown."


def test_a_setting_that_was_not_saved_does_not_offer_practice(page: HomePage) -> None:
    """Trying again would join the swarm."""
    page.show_state(replace(IDLE, problem="The settings cannot be written."))
    assert "The settings cannot be written." in text(page)
    shown = {b.text() for b in page.findChildren(QPushButton) if b.isVisible()}
    assert "Try again" not in shown
    assert "Open the log folder" in shown


def test_both_palettes_can_be_worn(page: HomePage) -> None:
    """What is drawn by hand changes with the rest."""
    page.show_state(state_called("5-training"))
    light = page.grab().toImage()
    page.show_palette(DARK)
    assert page.grab().toImage() != light


def test_a_newer_release_is_told_until_it_was_looked_at(
    page: HomePage, actions: FakeActions
) -> None:
    """In a quiet line that leads to it."""
    newer = replace(
        IDLE,
        updates=UpdatesShown(installed="0.1.0", place="/x", obstacle="none", newest="0.2.0"),
    )
    page.show_state(newer)
    assert "There is a newer Waggle: 0.2.0." in text(page)
    button(page, "Open Updates").click()
    assert actions.of(Open) == [Open("settings", "updates")]
    seen = Settings(updates=UpdatesSettings(seen="0.2.0"))
    page.show_state(replace(newer, settings=seen))
    assert "0.2.0" not in text(page)


def test_advice_leads_to_where_it_is_followed(page: HomePage, actions: FakeActions) -> None:
    """One button, whatever it is that helps."""
    flat = tuple(Point(n, 0.4, None, at=20.0 * n) for n in range(10, 6_001, 10))
    node = NodeState(activity="practising", model=IDLE.chosen, points=flat)
    page.show_state(replace(IDLE, node=node, link=EngineStatus("up")))
    assert "has not got better for 3,000 rounds" in text(page)
    button(page, "See the models").click()
    assert actions.of(Open) == [Open("models")]


def test_whoever_needs_help_gets_a_file_for_it(
    page: HomePage, actions: FakeActions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below the trouble stands what became of it."""
    path = Path("/there/waggle-support.zip")
    monkeypatch.setattr(FileDialogs, "to_write", lambda *asked: asked[-1](path))
    page.show_state(replace(IDLE, link=EngineStatus("gave_up", "it crashed")))
    button(page, "Make a support file…").click()
    assert actions.of(MakeSupportFile)
    assert "Looking at everything…" in text(page)
    actions.reply(Done(words="It holds findings."))
    assert "It holds findings." in text(page)
    page.show_state(IDLE)
    assert "It holds findings." not in text(page)


def test_no_words_no_notice(actions: FakeActions, qtbot: QtBot) -> None:
    """An empty notice takes no room."""
    notice = TroubleNotice(actions)
    qtbot.addWidget(notice)
    notice.show_words("", is_grave=True, can_retry=True)
    assert notice.isHidden()


def test_trouble_is_said_aloud_once(page: HomePage, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is drawn."""
    heard = listen(monkeypatch)
    for _ in range(2):
        page.show_state(replace(IDLE, link=EngineStatus("gave_up", "it crashed")))
    assert [words in text(page) for words in heard] == [True]


def test_the_ways_out_work(actions: FakeActions, qtbot: QtBot) -> None:
    """Trying again is offered only where it makes sense; the log always."""
    notice = TroubleNotice(actions)
    qtbot.addWidget(notice)
    notice.show_words("It crashed.", is_grave=False, can_retry=False)
    retry, logs, support = notice.findChildren(QPushButton)
    assert retry.isHidden()
    assert support.isHidden()
    logs.click()
    notice.show_words("A setting was not saved.", is_grave=True, can_retry=False)
    assert retry.isHidden()
    notice.show_words("It crashed.", is_grave=True, can_retry=True)
    retry.click()
    assert actions.all == [Reveal(), JoinChosen()]


def test_the_ways_out_stand_in_one_row_where_they_fit(actions: FakeActions, qtbot: QtBot) -> None:
    """In a narrow notice the last one has a row of its own."""
    notice = TroubleNotice(actions)
    qtbot.addWidget(notice)
    notice.resize(900, 120)
    notice.show_words("It crashed.", is_grave=True, can_retry=True)
    retry, logs, support = notice.findChildren(QPushButton)
    qtbot.waitUntil(lambda: support.y() == logs.y() == retry.y())
    notice.resize(320, 160)
    qtbot.waitUntil(lambda: support.y() > logs.y() == retry.y())
