"""The skill map as a person finds it."""

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QScrollArea
from pytestqt.qtbot import QtBot

from app.pages.practice.skill_map import SkillMap
from app.pages.practice.skills_view import ASK_S, SkillsView
from app.state.app_state import AppState
from app.state.intents import Open, Reveal
from app.style.theme import DARK, LIGHT
from app.widgets.share_dialog import ShareDialog
from core.api.requests import Refused
from core.api.skills import ShowSkills
from core.api.state import NodeState, apply
from tests.app.pages.practice.samples import NO_SKILLS, RUNNING, skills
from tests.app.reading import press, text
from tests.fake_actions import FakeActions
from tests.fakes import finished
from tests.hand_alarm import HandAlarm


@pytest.fixture
def view(actions: FakeActions, qtbot: QtBot, alarm: HandAlarm) -> SkillsView:
    made = SkillsView(LIGHT, actions, alarm)
    qtbot.addWidget(made)
    made.resize(QSize(684, 400))
    made.show_state(RUNNING)
    made.show()
    return made


def after(state: AppState, rounds: int) -> AppState:
    return replace(state, node=apply(state.node, finished(rounds)))


def the_map(view: SkillsView) -> SkillMap:
    (found,) = view.findChildren(SkillMap)
    return found


def test_from_looking_up_to_the_map(actions: FakeActions, view: SkillsView) -> None:
    """There are words before the first reply."""
    assert "Looking it up" in text(view)
    assert not the_map(view).isVisible()
    actions.reply(skills())
    assert "Spark solves 23\u00a0% of all puzzles" in text(view)
    assert the_map(view).isVisible()


def test_where_nothing_is_known_home_is_one_click_away(
    actions: FakeActions, view: SkillsView
) -> None:
    """And there is no picture of nothing."""
    actions.reply(NO_SKILLS)
    assert "Nothing is known of it yet" in text(view)
    press(view, "Open Home")
    assert actions.all[-1] == Open("home")
    assert not the_map(view).isVisible()


def test_it_is_asked_for_when_rounds_finish_and_seldom_enough(
    actions: FakeActions, view: SkillsView, alarm: HandAlarm
) -> None:
    """However many: once in ``ASK_S`` seconds, and not while nobody looks."""
    for number in range(1, 5):
        view.show_state(after(RUNNING, number))
    assert len(actions.of(ShowSkills)) == 1
    assert alarm.seconds == ASK_S
    alarm.ring()
    assert len(actions.of(ShowSkills)) == 2
    alarm.ring()
    view.hide()
    view.show_state(after(RUNNING, 9))
    assert len(actions.of(ShowSkills)) == 2
    view.show()
    assert len(actions.of(ShowSkills)) == 3


def test_rows_keep_their_places_until_it_is_opened_anew(
    actions: FakeActions, view: SkillsView
) -> None:
    """Nothing jumps away from who looks at it."""
    actions.reply(skills())
    mastered = changed(skills().kinds[2].cells[0], now=1.0)
    better = changed(skills().kinds[0], cells=(mastered,) * 4)
    actions.reply(changed(skills(), kinds=(better, *skills().kinds[1:])))
    tasks = [[row.task for row in the_map(view).model.rows]]
    view.hide()
    view.show()
    tasks.append([row.task for row in the_map(view).model.rows])
    assert tasks == [["gcd", "lcm", "odd"], ["odd", "gcd", "lcm"]]


def test_another_model_is_another_map(actions: FakeActions, view: SkillsView) -> None:
    """Nothing of the one before stays, or comes late."""
    actions.reply(skills())
    view.show_state(replace(RUNNING, node=changed_model("ember")))
    assert actions.last(ShowSkills).model == "ember"
    actions.reply(skills())
    assert "What can Ember do?" in text(view)
    assert not the_map(view).isVisible()


def changed_model(model: str) -> NodeState:
    return replace(RUNNING.node, model=model)


def test_a_refusal_is_said_and_can_be_tried_again(actions: FakeActions, view: SkillsView) -> None:
    """In its own words; what was known stays."""
    actions.reply(skills())
    actions.reply(Refused(id=1, words="All checkpoints are damaged."))
    assert "All checkpoints are damaged." in text(view)
    assert the_map(view).isVisible()
    press(view, "Try again")
    assert len(actions.of(ShowSkills)) == 2
    actions.reply(skills())
    assert "damaged" not in text(view)


def test_a_picture_is_seen_and_saved(
    actions: FakeActions, view: SkillsView, tmp_path: Path
) -> None:
    """In the colours of the window, and its folder is one click away."""
    view.show_palette(DARK)
    actions.reply(skills())
    press(view, "Make a picture…")
    (dialog,) = view.findChildren(ShareDialog)
    press(dialog, "Save picture…")
    (asked,) = dialog.findChildren(QFileDialog)
    asked.fileSelected.emit(str(tmp_path / "mine.png"))
    picture = QImage(str(tmp_path / "mine.png"))
    assert picture.pixelColor(2, 2).name() == DARK.surface.lower()
    press(view, "Show the folder")
    assert actions.all[-1] == Reveal(tmp_path)


def test_a_picture_that_cannot_be_saved_is_explained(
    actions: FakeActions, view: SkillsView, tmp_path: Path
) -> None:
    """With what to do."""
    actions.reply(skills())
    press(view, "Make a picture…")
    (dialog,) = view.findChildren(ShareDialog)
    press(dialog, "Save picture…")
    (asked,) = dialog.findChildren(QFileDialog)
    asked.fileSelected.emit(str(tmp_path / "nowhere" / "mine.png"))
    assert "Choose another place" in text(view)


def test_it_scrolls_to_where_the_keyboard_goes(actions: FakeActions, view: SkillsView) -> None:
    """A cell below the edge comes into view."""
    kinds = [changed(skills().kinds[1], task=f"kind{number}") for number in range(60)]
    actions.reply(changed(skills(), kinds=tuple(kinds)))
    (area,) = view.findChildren(QScrollArea)
    QApplication.processEvents()  # it gets its height
    for _ in range(40):
        QTest.keyClick(the_map(view), Qt.Key.Key_Down)
    assert area.verticalScrollBar().value() > 0
