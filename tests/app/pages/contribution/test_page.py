"""The page *Contribution* shows what the helper found, and asks seldom enough."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.backend.new_day import NewDay
from app.pages.contribution.days_card import BarChart
from app.pages.contribution.page import ContributionPage
from app.state.app_state import AppState
from app.state.intents import Open, Reveal
from app.state.model_choices import load_choices
from app.style.theme import DARK, LIGHT
from app.widgets.notice_bar import NoticeBar
from app.widgets.scroll_area import ScrollArea
from core.api.contribution import ContributionExported, ExportContribution, ShowContribution
from core.api.events import Phase
from core.api.requests import Refused
from core.api.state import NodeState
from tests.app.pages.contribution.samples import EVERY, MONTH, NOTHING, YEARS
from tests.app.reading import clipped, press
from tests.fake_actions import FakeActions
from tests.fakes import finished
from tests.hand_alarm import HandAlarm

SMALLEST = QSize(732, 600)  # what the rail leaves of 900 x 600
PHASES: tuple[Phase, ...] = ("asking", "sampling", "judging", "sharing", "learning", "saving")
IDLE = AppState(choices=load_choices(), chosen="spark")


class Night:
    """The clock of this computer, and an alarm for its midnight."""

    def __init__(self) -> None:
        self.now = datetime.combine(MONTH.today, time(23, 55), UTC)
        self.alarm = HandAlarm()

    def make(self, act: Callable[[], None]) -> NewDay:
        return NewDay(act, self.alarm, lambda: self.now)


@pytest.fixture
def night() -> Night:
    return Night()


@pytest.fixture
def page(actions: FakeActions, qtbot: QtBot, alarm: HandAlarm, night: Night) -> ContributionPage:
    made = ContributionPage(LIGHT, actions, alarm, night.make)
    qtbot.addWidget(made)
    made.resize(SMALLEST)
    made.show_state(IDLE)
    made.show()
    return made


def after_round(number: int) -> AppState:
    return replace(IDLE, node=NodeState(round=number, last=finished(number)))


def shown(page: ContributionPage) -> set[str]:
    return {label.text() for label in page.findChildren(QLabel) if label.isVisible()}


def save_table(page: ContributionPage, actions: FakeActions, path: Path) -> None:
    """Ask for a table at ``path``."""
    press(page, "Save as table…")
    page.findChildren(QFileDialog)[-1].fileSelected.emit(str(path))
    assert actions.last(ExportContribution).path == str(path)


def test_it_asks_when_it_is_opened_and_says_so(
    actions: FakeActions, page: ContributionPage
) -> None:
    """Before the first answer no figure is shown."""
    assert len(actions.of(ShowContribution)) == 1
    assert shown(page) == {"Your contribution", "Looking up what was practised here…"}


def test_it_asks_about_the_model_that_is_chosen(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm
) -> None:
    """What others taught another one is not told of this one."""
    assert actions.last(ShowContribution).model == "spark"
    actions.reply(MONTH)
    page.show_state(replace(IDLE, chosen="ember"))
    alarm.ring()
    assert actions.last(ShowContribution).model == "ember"


def test_figures_of_the_model_before_do_not_come_back(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm
) -> None:
    """Whichever answer comes last."""
    before = actions.last(ShowContribution).id
    page.show_state(replace(IDLE, chosen="ember"))
    alarm.ring()
    actions.reply(YEARS)
    actions.reply(msgspec.structs.replace(NOTHING, id=before))
    assert "You practised 1,990 hours on 400 days." in shown(page)


def test_figures_appear_with_the_answer(actions: FakeActions, page: ContributionPage) -> None:
    """The sentence, the totals, the days, the milestones."""
    actions.reply(YEARS)
    assert {
        "You practised 1,990 hours on 400 days.",
        "Your model's tries helped 41 others.",
        "180 million",
        "Practice per day",
        "The first other helped",
    } <= shown(page)


def test_before_the_first_round_there_is_a_way_to_begin(
    actions: FakeActions, page: ContributionPage
) -> None:
    """Words and a button, no row of zeros; they go when there are figures."""
    actions.reply(NOTHING)
    assert "Nothing practised yet." in shown(page)
    assert "0" not in shown(page)
    press(page, "Open Home")
    assert actions.all[-1] == Open("home")
    actions.reply(MONTH)
    assert "Nothing practised yet." not in shown(page)
    assert not any(b.text() == "Open Home" and b.isVisible() for b in _buttons(page))


def _buttons(page: ContributionPage) -> list[QPushButton]:
    return page.findChildren(QPushButton)


def test_a_burst_of_rounds_is_asked_about_once_and_once_more(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm
) -> None:
    """Not for every round, but the last one is not missed."""
    alarm.ring()
    for number in range(1, 30):
        page.show_state(after_round(number))
    assert len(actions.of(ShowContribution)) == 2  # that of opening, and that of the first round
    alarm.ring()
    assert len(actions.of(ShowContribution)) == 3
    alarm.ring()
    assert len(actions.of(ShowContribution)) == 3
    assert alarm.seconds is None


def test_what_is_no_round_is_not_asked_about(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm
) -> None:
    """Phases change nothing here."""
    alarm.ring()
    state = after_round(1)
    for phase in PHASES:
        page.show_state(replace(state, node=replace(state.node, phase=phase)))
    assert len(actions.of(ShowContribution)) == 2
    alarm.ring()
    assert len(actions.of(ShowContribution)) == 2


def test_unseen_it_asks_nothing(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm
) -> None:
    """Rounds that finish meanwhile are asked about when it is opened again."""
    page.show_state(after_round(1))
    page.hide()
    alarm.ring()  # what was due is not done unseen
    alarm.ring()
    page.show_state(after_round(2))
    assert len(actions.of(ShowContribution)) == 1
    page.show()
    assert len(actions.of(ShowContribution)) == 2


def test_at_midnight_it_asks_what_today_is(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm, night: Night
) -> None:
    """Though nothing practises; once, and unseen not at all."""
    actions.reply(MONTH)
    alarm.ring()
    night.now += timedelta(minutes=6)
    night.alarm.ring()
    assert len(actions.of(ShowContribution)) == 2
    actions.reply(msgspec.structs.replace(MONTH, today=night.now.date()))
    alarm.ring()
    night.alarm.ring()
    assert len(actions.of(ShowContribution)) == 2
    page.hide()
    assert night.alarm.seconds is None


def test_who_comes_back_to_the_window_sees_today(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm, night: Night
) -> None:
    """After a night in which the computer slept, and its alarms with it."""
    actions.reply(MONTH)
    alarm.ring()
    night.now += timedelta(days=2)
    QApplication.sendEvent(page, QEvent(QEvent.Type.WindowActivate))
    assert len(actions.of(ShowContribution)) == 2


def test_the_same_day_is_not_asked_for_again(
    actions: FakeActions, page: ContributionPage, alarm: HandAlarm, night: Night
) -> None:
    """However often somebody comes back."""
    actions.reply(MONTH)
    alarm.ring()
    night.now += timedelta(minutes=1)
    QApplication.sendEvent(page, QEvent(QEvent.Type.WindowActivate))
    night.alarm.ring()
    assert len(actions.of(ShowContribution)) == 1


def test_a_look_that_fails_is_told_and_can_be_tried_again(
    actions: FakeActions, page: ContributionPage
) -> None:
    """Figures that are known stay; the words go when new figures come."""
    actions.reply(MONTH)
    actions.reply(Refused(words="The record cannot be used."))
    assert "The record cannot be used." in shown(page)
    assert "Practice per day" in shown(page)
    press(page, "Try again")
    assert len(actions.of(ShowContribution)) == 2
    actions.reply(Refused(words="The record cannot be used."))
    actions.reply(MONTH)
    assert "The record cannot be used." not in shown(page)


def test_a_helper_that_refuses_looks_nothing_up(
    actions: FakeActions, page: ContributionPage
) -> None:
    """Only why it does is said then."""
    actions.reply(Refused(words="The record cannot be used."))
    assert "Looking up what was practised here…" not in shown(page)
    actions.reply(NOTHING)
    assert any("is counted here" in words for words in shown(page))


def test_a_table_is_asked_for_and_its_place_is_told(
    actions: FakeActions, page: ContributionPage, tmp_path: Path
) -> None:
    """The words stay when new figures come, and the folder is one click away."""
    actions.reply(MONTH)
    path = tmp_path / "mine.csv"
    save_table(page, actions, path)
    actions.reply(ContributionExported(path=str(path)))
    actions.reply(MONTH)
    assert f"Saved: {path}" in shown(page)
    press(page, "Show the folder")
    assert actions.all[-1] == Reveal(tmp_path)


def test_a_table_that_fails_is_told_and_can_be_tried_again(
    actions: FakeActions, page: ContributionPage, tmp_path: Path
) -> None:
    """Trying again asks for the place again."""
    actions.reply(MONTH)
    save_table(page, actions, tmp_path / "mine.csv")
    actions.reply(Refused(words="It cannot be written. Choose another place."))
    assert "It cannot be written. Choose another place." in shown(page)
    before = len(page.findChildren(QFileDialog))
    press(page, "Try again")
    assert len(page.findChildren(QFileDialog)) == before + 1


def test_a_picture_that_was_saved_or_not_is_told(
    actions: FakeActions, page: ContributionPage, tmp_path: Path
) -> None:
    """Like a table."""
    actions.reply(MONTH)
    page._export_card.saved.emit(tmp_path / "mine.png")  # noqa: SLF001 - its own test presses the buttons
    assert f"Saved: {tmp_path / 'mine.png'}" in shown(page)
    page._export_card.failed.emit("No.")  # noqa: SLF001 - the same
    assert "No." in shown(page)


@pytest.mark.parametrize("what", ["saved", "failed", "refused"])
def test_what_became_of_it_is_brought_into_view(
    actions: FakeActions, page: ContributionPage, qtbot: QtBot, what: str
) -> None:
    """It is told at the top, and the buttons are at the end."""
    page.resize(SMALLEST.width(), 200)
    actions.reply(MONTH)
    (scroll,), (notice,) = page.findChildren(ScrollArea), page.findChildren(NoticeBar)
    bar = scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > page.height())
    bar.setValue(bar.maximum())
    if what == "saved":
        page._export_card.saved.emit(Path("mine.png"))  # noqa: SLF001 - its own test presses the buttons
    elif what == "failed":
        page._export_card.failed.emit("No.")  # noqa: SLF001 - the same
    else:
        save_table(page, actions, Path("mine.csv"))
        actions.reply(Refused(words="It cannot be written."))
    QApplication.processEvents()
    assert notice.visibleRegion().boundingRect() == notice.rect()


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_clipped_in_the_smallest_window(
    actions: FakeActions, page: ContributionPage, name: str
) -> None:
    """Every text has the room that it needs at 900 x 600, and nothing lies beside the window."""
    actions.reply(EVERY[name])
    QApplication.processEvents()
    assert clipped(page) == []
    (scroll,) = page.findChildren(ScrollArea)
    assert scroll.inside.width() == scroll.viewport().width()
    assert scroll.inside.height() == max(
        scroll.viewport().height(), scroll.inside.heightForWidth(scroll.inside.width())
    )
    for part in scroll.inside.findChildren(QWidget):
        if part.isVisible():
            right = part.mapTo(scroll.inside, part.rect().topRight()).x()
            assert right < scroll.inside.width()


@pytest.mark.parametrize("name", EVERY)
def test_every_control_has_a_name_and_can_be_reached(
    actions: FakeActions, page: ContributionPage, name: str
) -> None:
    """A screen reader can say what each control is; Tab gets there."""
    actions.reply(EVERY[name])
    kinds = (QPushButton, BarChart)
    controls = [found for kind in kinds for found in page.findChildren(kind) if found.isVisible()]
    assert controls
    for control in controls:
        assert control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_both_palettes_can_be_worn(actions: FakeActions, page: ContributionPage) -> None:
    """What is drawn by hand changes with the rest."""
    actions.reply(MONTH)
    light = page.grab().toImage()
    page.show_palette(DARK)
    assert page.grab().toImage() != light


def test_a_long_history_needs_no_more_widgets_than_a_short_one(
    actions: FakeActions, page: ContributionPage
) -> None:
    """Four hundred days are drawn, not built."""
    actions.reply(msgspec.structs.replace(YEARS, days=YEARS.days[-1:]))
    few = len(page.findChildren(QWidget))
    actions.reply(YEARS)
    assert len(page.findChildren(QWidget)) == few
