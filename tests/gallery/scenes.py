"""What pictures are taken of, in an order in which each follows from the one before."""

from collections.abc import Callable
from typing import Final, get_args

from PySide6.QtCore import QProcess
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton, QRadioButton, QTabBar, QWidget

from app.backend.child import reason_of_end
from app.pages.home.history_loader import HistoryLoader
from app.pages.practice.deck_card import DeckCard
from app.pages.practice.exam_chart import ExamChart
from app.pages.practice.exam_view import ExamView
from app.pages.practice.kind_grid import KindGrid
from app.pages.practice.puzzle_card import PuzzleCard
from app.pages.practice.puzzles_view import PuzzlesView
from app.pages.practice.skill_map import SkillMap
from app.pages.practice.try_view import TryView
from app.pages.settings.health import FindingsCard
from app.pages.settings.page import SectionName, SettingsPage
from app.pages.welcome.wizard import WelcomeWizard
from app.state.engine_status import EngineStatus
from app.state.intents import JoinChosen
from app.widgets.selectable_label import SelectableLabel
from core.api.events import Pause, Resume, Stop
from core.paths import RESOURCES
from tests.gallery.stage import Stage
from tests.screen import settle

MOMENT_S: Final = 60.0
"""For what a helper looks up; longer on a busy machine than anywhere else."""

CARDS: Final = 5  # of puzzles that passed by


def take_welcome(stage: Stage, *, is_shown: bool) -> None:
    """Its three steps, as at the first start; agreed to at the end, also where none is shown."""
    if not is_shown:
        stage.the(WelcomeWizard).findChildren(QCheckBox)[0].click()
        for _ in range(3):
            press(stage.the(WelcomeWizard))
        return
    stage.take("welcome-1")
    stage.the(WelcomeWizard).findChildren(QCheckBox)[0].click()
    stage.take("welcome-1-agreed")
    press(stage.the(WelcomeWizard))
    wizard, here = stage.the(WelcomeWizard), len(stage.state.choices)
    stage.wait(lambda: len(wizard.findChildren(QRadioButton)) > here, "other sizes", MOMENT_S)
    stage.take("welcome-2")
    press(stage.the(WelcomeWizard))
    stage.take("welcome-3")
    press(stage.the(WelcomeWizard))


def take_home(stage: Stage, rounds: int) -> None:
    """Before the first round, and when ``rounds`` more are done."""
    stage.open("home")
    (loader,) = stage.window.findChildren(HistoryLoader)
    stage.wait(lambda: not stage.state.has_practised or bool(loader.past.model), "earlier rounds")
    stage.take("home-idle")
    stage.wish(JoinChosen())
    settle(0.3)
    stage.take("home-loading")
    stage.wait(lambda: stage.state.node.round > 0, "the first round")
    wanted = stage.state.node.round + rounds
    stage.wait(lambda: stage.state.node.round >= wanted, f"round {wanted}", 20.0 * rounds)
    stage.take("home-practising")


def take_practice(stage: Stage, _rounds: int) -> None:
    """Puzzles that pass by."""
    stage.open("practice")
    stage.wait(lambda: len(stage.window.findChildren(PuzzleCard)) >= CARDS, "puzzles", MOMENT_S)
    stage.take("practice-live")


def take_trials(stage: Stage, _rounds: int) -> None:
    """The skill map, a puzzle tried, and an exam."""
    stage.open("practice")
    tabs = stage.the(QTabBar)
    tabs.setCurrentIndex(1)
    stage.wait(lambda: stage.the(SkillMap).model.levels > 0, "skills", MOMENT_S)
    stage.take("practice-skills")
    tabs.setCurrentIndex(2)
    stage.take("practice-try")
    trying = stage.the(TryView)
    stage.wait(lambda: primary(trying).isEnabled(), "kinds of puzzles", MOMENT_S)
    press(trying)
    stage.wait(lambda: primary(trying).isEnabled(), "answers")
    stage.take("practice-tried")
    tabs.setCurrentIndex(3)
    if not stage.window.findChildren(ExamChart):
        stage.take("practice-exam-none")
        stage.the(ExamView).findChildren(QComboBox)[0].setCurrentIndex(0)  # the quickest
        press(stage.the(ExamView))
        settle(1.0)
        stage.take("practice-exam-running")
        stage.wait(lambda: bool(stage.window.findChildren(ExamChart)), "a result")
    stage.take("practice-exam")


def take_puzzles(stage: Stage, _rounds: int) -> None:
    """What is practised, a table on its way to a deck, and a deck."""
    stage.open("practice")
    stage.the(QTabBar).setCurrentIndex(4)
    view, grid = stage.the(PuzzlesView), stage.the(KindGrid)
    stage.wait(lambda: grid.is_whole and grid.isVisible(), "kinds of puzzles", MOMENT_S)
    stage.take("practice-puzzles")
    view.read(RESOURCES / "decks" / "vocabulary.csv")
    keep = primary(view.form)
    stage.wait(keep.isEnabled, "a preview", MOMENT_S)
    stage.take("practice-deck")
    keep.click()
    stage.wait(lambda: bool(stage.window.findChildren(DeckCard)), "a deck", MOMENT_S)
    stage.take("practice-decks")


def take_contribution(stage: Stage, _rounds: int) -> None:
    stage.open("contribution")
    settle(3.0)
    stage.take("contribution")


def take_swarm(stage: Stage, _rounds: int) -> None:
    stage.open("swarm")
    settle(5.0)
    stage.take("swarm")


def take_models(stage: Stage, _rounds: int) -> None:
    stage.open("models")
    settle(5.0)
    stage.take("models")


def has_rows(card: FindingsCard) -> bool:
    """Each has words to copy, beside those of the line that says how the look went."""
    return len(card.findChildren(SelectableLabel)) > 1


def take_settings(stage: Stage, _rounds: int) -> None:
    """Every section."""
    stage.open("settings")
    page = stage.the(SettingsPage)
    for section in get_args(SectionName):
        page.open_section(section)
        settle(1.0)
        if section == "health":
            stage.wait(lambda: has_rows(stage.the(FindingsCard)), "findings", MOMENT_S)
            settle(2.0)  # until all that was found has its place
        stage.take(f"settings-{section}")


def take_pause(stage: Stage, _rounds: int) -> None:
    """Home, held by the person."""
    stage.open("home")
    stage.wish(Pause())
    stage.wait(lambda: stage.state.node.activity == "paused", "the pause", MOMENT_S)
    stage.take("home-paused")
    stage.wish(Resume())


def take_troubles(stage: Stage, _rounds: int) -> None:
    """Home, while the engine does not get up; played, since it gets up too well."""
    reason = reason_of_end(QProcess.ExitStatus.CrashExit, 0)
    stage.open("home")
    stage.engine.link_changed.emit(EngineStatus("waiting", reason, 4))
    stage.take("home-restarting")
    stage.engine.link_changed.emit(EngineStatus("gave_up", reason))
    stage.take("home-gave-up")
    stage.engine.link_changed.emit(EngineStatus("up"))
    stage.wish(Stop())
    stage.wait(lambda: stage.state.link.phase == "off", "the end of the engine", MOMENT_S)
    stage.take("home-stopped")


SCENES: Final[dict[str, Callable[[Stage, int], None]]] = {
    "home": take_home,
    "practice": take_practice,
    "trials": take_trials,
    "puzzles": take_puzzles,
    "contribution": take_contribution,
    "swarm": take_swarm,
    "models": take_models,
    "settings": take_settings,
    "pause": take_pause,
    "troubles": take_troubles,
}
"""After the welcome; all but ``home`` need what it began."""


def primary(inside: QWidget) -> QPushButton:
    """The one button that matters in ``inside``."""
    buttons = inside.findChildren(QPushButton)
    return next(b for b in buttons if b.property("kind") == "primary")


def press(inside: QWidget) -> None:
    """Click it, and let what follows happen."""
    primary(inside).click()
    settle(0.3)
