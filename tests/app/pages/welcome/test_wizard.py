"""The wizard from the first step to the last, and what comes of it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QPushButton,
    QRadioButton,
)
from pytestqt.qtbot import QtBot

from app.pages.welcome.wizard import Dots, WelcomeWizard
from app.state.intents import Choose, Keep, Open
from app.style.stylesheet import qt_palette
from app.style.theme import LIGHT
from core.api.models import ListedModel, ListModels, ModelsListed
from core.settings import Settings, WindowSettings
from tests.app.focus_chain import stops
from tests.app.reading import press_again
from tests.fake_actions import FakeActions, state_of

AGREED = state_of(Settings(window=WindowSettings(consent=True)))
MODELS = (
    ListedModel(id="spark", title="Spark", sentence="", presence="ships"),
    ListedModel(id="far", title="Far", sentence="", presence="available", download=9),
)


class Walker:
    """The wizard, and a person on it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.actions = FakeActions()
        self.agreed: list[int] = []  # how many wishes came before
        self.left = 0  # times
        self.wizard = WelcomeWizard(self.actions, self._agree, self._leave)
        qtbot.addWidget(self.wizard)
        self.wizard.begin(state_of())
        self.wizard.resize(900, 600)
        self.wizard.show()

    def _agree(self) -> None:
        self.agreed.append(len(self.actions.all))

    def _leave(self) -> None:
        self.left += 1

    def button(self, *texts: str) -> QPushButton:
        shown = (one for one in self.wizard.findChildren(QPushButton) if one.isVisible())
        (found,) = (one for one in shown if one.text() in texts)
        return found

    def go(self, *texts: str) -> None:
        for text in texts:
            self.button(text).click()

    def agree(self) -> None:
        self.wizard.findChildren(QCheckBox)[0].click()

    def at(self) -> str:
        return self.wizard.findChildren(Dots)[0].accessibleName()

    def choose(self, title: str) -> None:
        self.actions.reply(ModelsListed(models=MODELS, disk_free=0))
        shown = (one for one in self.wizard.findChildren(QRadioButton) if one.group() is not None)
        next(one for one in shown if one.text() == title).click()


@pytest.fixture
def walker(qtbot: QtBot) -> Walker:
    return Walker(qtbot)


def test_without_consent_there_is_no_way(walker: Walker) -> None:
    """Nor a way out into the pages."""
    assert not walker.button("Next").isEnabled()
    assert [b.text() for b in walker.wizard.findChildren(QPushButton) if b.isVisible()] == ["Next"]


def test_three_steps_lead_to_the_end(walker: Walker) -> None:
    """Nothing is asked for before the last button but what models there are."""
    walker.agree()
    walker.go("Next")
    assert walker.at() == "Step 2 of 3"
    walker.go("Next")
    assert walker.at() == "Step 3 of 3"
    assert [type(wish) for wish in walker.actions.all] == [ListModels]
    walker.go("Begin")
    assert walker.agreed == [2], "the answers come before the agreement"
    assert walker.actions.kept() == Settings()
    assert walker.actions.of(Choose) == []


def test_one_can_go_back(walker: Walker) -> None:
    """And finds everything as it was left."""
    walker.agree()
    walker.go("Next", "Next", "Back", "Back")
    assert walker.at() == "Step 1 of 3"
    assert walker.button("Next").isEnabled()


def test_the_walk_can_be_done_by_keyboard(walker: Walker) -> None:
    """Space ticks, Enter presses."""
    box = walker.wizard.findChildren(QCheckBox)[0]
    QTest.keyClick(box, Qt.Key.Key_Space)
    for text in ("Next", "Next", "Begin"):
        QTest.keyClick(walker.button(text), Qt.Key.Key_Return)
    assert len(walker.agreed) == 1


def test_a_double_click_goes_one_step_on(walker: Walker) -> None:
    """Its second half agrees to nothing that was not seen."""
    walker.agree()
    for step in ("Step 2 of 3", "Step 3 of 3"):
        QTest.mouseClick(walker.button("Next"), Qt.MouseButton.LeftButton)
        press_again(walker.wizard.next)
        assert walker.at() == step
    assert walker.agreed == []


def test_another_starter_is_chosen_at_the_end(walker: Walker) -> None:
    """With the answers about hours."""
    walker.agree()
    walker.go("Next")
    walker.choose("Spark")
    next(r for r in walker.wizard.findChildren(QRadioButton) if r.text() == "Spark").click()
    walker.go("Next")
    boxes = {box.accessibleName(): box for box in walker.wizard.findChildren(QComboBox)}
    boxes["On battery"].activated.emit(1)
    walker.go("Begin")
    assert walker.actions.kept().rules.on_battery == "run"
    assert len(walker.actions.of(Keep)) == 1


def test_a_model_that_is_not_here_is_fetched_on_its_page(walker: Walker) -> None:
    """After the agreement; until it is here, the starter stays chosen."""
    walker.agree()
    walker.go("Next")
    walker.choose("Far")
    walker.go("Next", "Begin")
    assert walker.actions.of(Choose) == []
    assert walker.actions.last(Open) == Open("models", "far")
    assert walker.agreed[0] < len(walker.actions.all)


def test_who_agreed_before_can_leave_at_any_step(walker: Walker) -> None:
    """Nothing of what was answered is kept."""
    walker.wizard.begin(AGREED)
    for _ in range(2):
        walker.go("Next")
        walker.go("Cancel")
    assert walker.left == 2
    assert walker.button("Done").isEnabled()
    assert walker.actions.of(Keep) == []
    assert walker.agreed == []


def test_models_that_were_found_have_their_turn_before_the_buttons(walker: Walker) -> None:
    """The Tab key goes down the page, whatever came late."""
    walker.agree()
    walker.go("Next")
    walker.button("Next").setFocus()
    walker.choose("Far")
    QApplication.processEvents()  # what is new gets its place
    assert walker.wizard.focusWidget() is walker.button("Next"), "it is taken from nobody"
    shown = [one for one in stops(walker.wizard) if isinstance(one, QAbstractButton)]
    texts = [one.text() for one in shown if one.isVisibleTo(walker.wizard)]
    assert texts == ["Spark", "Far", "Back", "Next"]


def test_the_step_is_told_to_eyes_and_ears(qtbot: QtBot) -> None:
    """The filled dot moves to the right, and the words with it."""
    dots = Dots(3)
    qtbot.addWidget(dots)
    dots.setPalette(qt_palette(LIGHT))  # another test may have left the desktop dark
    dots.setAutoFillBackground(True)
    dots.resize(dots.sizeHint())
    ink = []
    for step in range(3):
        dots.show_step(step)
        assert dots.accessibleName() == f"Step {step + 1} of 3"
        picture = dots.grab().toImage()
        middle = picture.height() // 2
        row = [picture.pixelColor(x, middle).lightness() for x in range(picture.width())]
        dark = [x for x, lightness in enumerate(row) if lightness < min(row) + 40]
        ink.append(sum(dark) / len(dark))
    assert ink == sorted(ink)
