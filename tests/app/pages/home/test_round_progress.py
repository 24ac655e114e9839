"""The running round as people see it."""

from dataclasses import replace
from typing import get_args

import pytest
from msgspec.structs import replace as changed
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from app.pages.home.round_progress import RoundProgress
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import load_choices
from app.state.round_pace import Step
from app.style.appearance import Appearance
from app.style.theme import SIDE_WIDTH, SPACE_L
from app.text.translation import LANGUAGES
from core.api.state import NodeState
from core.settings import Language
from tests.app.languages import speaking
from tests.fakes import finished

SLOW = changed(finished(1), sample_s=4.0, judge_s=1.0, share_s=1.0, train_s=4.0)
RUNNING = AppState(
    choices=load_choices(),
    chosen="spark",
    link=EngineStatus("up"),
    node=NodeState(activity="practising", round=1, phase="judging", recent=(SLOW,)),
)


def shown(progress: RoundProgress) -> set[str]:
    return {words.text() for words in progress.findChildren(QLabel) if not words.isHidden()}


def test_steps_and_time_left_are_shown(qtbot: QtBot) -> None:
    """Where it is, for eyes and screen readers."""
    progress = RoundProgress(clock=lambda: 0.0)
    qtbot.addWidget(progress)
    progress.show_state(RUNNING)
    left = "about 6\u00a0s left"
    assert {"This round", "Try", "Check", "Share", "Learn", left} == shown(progress)
    (bar,) = progress.findChildren(QProgressBar)
    assert bar.value() == 400
    assert bar.accessibleDescription() == "Check, about 6\u00a0s left"


def test_a_rest_is_told_and_nothing_jumps(qtbot: QtBot) -> None:
    """No bar that stands still at its end; how long it takes runs down; the room is kept."""
    now = [0.0]
    progress = RoundProgress(clock=lambda: now[0])
    qtbot.addWidget(progress)
    rounds = (changed(SLOW, at=100.0), changed(SLOW, round=2, at=120.0))  # 10 s of work, 10 s rest
    learning = replace(RUNNING, node=replace(RUNNING.node, phase="learning", recent=rounds))
    progress.show_state(learning)
    progress.show()
    height = progress.sizeHint().height()
    resting = replace(RUNNING, node=replace(learning.node, phase="resting"))
    progress.show_state(resting)
    assert shown(progress) == {"Resting", "about 10\u00a0s left"}
    (bar,) = progress.findChildren(QProgressBar)
    assert not bar.isVisible()
    assert progress.sizeHint().height() == height
    now[0] = 4.0
    (tick,) = progress.findChildren(QTimer)
    assert tick.isActive()
    tick.timeout.emit()
    progress.show_state(resting)  # something else was told meanwhile
    assert shown(progress) == {"Resting", "about 6\u00a0s left"}
    now[0] = 12.0
    tick.timeout.emit()
    assert shown(progress) == {"Resting", ""}
    progress.show_state(replace(RUNNING, node=replace(learning.node, phase="asking")))
    assert bar.isVisible()
    assert "This round" in shown(progress)


def test_a_round_that_is_over_leaves_no_bar_at_its_end(qtbot: QtBot) -> None:
    """What is said beside it is of the next round, before the engine tells its first step."""
    progress = RoundProgress(clock=lambda: 0.0)
    qtbot.addWidget(progress)
    progress.show_state(replace(RUNNING, node=replace(RUNNING.node, phase="learning")))
    progress.show_state(replace(RUNNING, node=replace(RUNNING.node, round=2, phase=None)))
    (bar,) = progress.findChildren(QProgressBar)
    assert bar.accessibleDescription().startswith("Try,")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_steps_fit_beside_each_other(
    qapp: QApplication, appearance: Appearance, qtbot: QtBot, language: Language
) -> None:
    """In every language, whichever of them is the bold one."""
    with speaking(qapp, language):
        progress = RoundProgress(clock=lambda: 0.0)
        qtbot.addWidget(progress)
        appearance.dress(progress)
        progress.setFixedWidth(SIDE_WIDTH - 2 * SPACE_L)
        progress.show()
        for phase in get_args(Step):
            progress.show_state(replace(RUNNING, node=replace(RUNNING.node, phase=phase)))
            QApplication.processEvents()
            cut = [
                step.text()
                for step in progress.findChildren(QLabel)
                if step.width() < step.sizeHint().width()
            ]
            assert cut == []


def test_a_long_rest_ends_when_the_engine_says(qtbot: QtBot) -> None:
    """Whatever the rests before were like; when that is over, no time is promised."""
    now = [1_000.0]
    progress = RoundProgress(clock=lambda: 0.0, now=lambda: now[0])
    qtbot.addWidget(progress)
    resting = replace(RUNNING.node, phase="resting", rest_until=1_600)
    progress.show_state(replace(RUNNING, node=resting))
    assert shown(progress) == {"Resting", "about 10 min left"}
    now[0] = 1_600.0
    progress.show_state(replace(RUNNING, node=resting))
    assert shown(progress) == {"Resting", ""}


def test_quick_rounds_show_their_pace_instead(qtbot: QtBot) -> None:
    """Nothing that would flicker."""
    rounds = tuple(changed(finished(n), at=100.0 + n) for n in range(1, 4))
    progress = RoundProgress(clock=lambda: 0.0)
    qtbot.addWidget(progress)
    progress.show_state(replace(RUNNING, node=replace(RUNNING.node, recent=rounds)))
    assert shown(progress) == {"Rounds", "about 60 a minute"}


def test_its_clock_stands_still_where_nothing_moves_with_time(qtbot: QtBot) -> None:
    """Quick rounds tell their pace when they end; the steps of slow ones go on in between."""
    progress = RoundProgress(clock=lambda: 0.0)
    qtbot.addWidget(progress)
    (clock,) = progress.findChildren(QTimer)
    progress.show_state(RUNNING)
    assert clock.isActive()
    progress.show_state(replace(RUNNING, node=replace(RUNNING.node, recent=(finished(1),))))
    assert not clock.isActive()
    progress.show_state(RUNNING)
    assert clock.isActive()


def test_without_a_round_there_is_nothing(qtbot: QtBot) -> None:
    """While paused, loading or away."""
    progress = RoundProgress(clock=lambda: 0.0)
    qtbot.addWidget(progress)
    progress.show_state(RUNNING)
    progress.show_state(replace(RUNNING, node=replace(RUNNING.node, activity="paused")))
    assert progress.isHidden()
