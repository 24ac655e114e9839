"""One model is chosen, by clicking anywhere on its card."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QRadioButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.pages.home.model_cards import ModelCards
from app.state.intents import Choose, Open
from app.state.model_choices import ModelChoice
from tests.fake_actions import FakeActions

CHOICES = tuple(
    ModelChoice(id=name, title=name.title(), sentence=f"About {name}.", parameters=2_000_000)
    for name in ("spark", "ember")
)


@pytest.fixture
def cards(actions: FakeActions, qtbot: QtBot) -> ModelCards:
    made = ModelCards(actions)
    qtbot.addWidget(made)
    made.show_choices(CHOICES, "spark")
    made.resize(240, 300)
    made.show()
    return made


def radios(cards: ModelCards) -> list[QRadioButton]:
    return cards.findChildren(QRadioButton)


def test_the_tab_key_goes_through_them_in_the_order_of_the_page(qtbot: QtBot) -> None:
    """Also after they changed, with whatever stands above and below."""
    page = QWidget()
    qtbot.addWidget(page)
    above, cards, below = QPushButton("above"), ModelCards(FakeActions()), QPushButton("below")
    column = QVBoxLayout(page)
    for part in (above, cards, below):
        column.addWidget(part)
    for chosen in ("spark", "ember"):
        cards.show_choices(CHOICES if chosen == "spark" else CHOICES[::-1], chosen)
    order, one = list[str](), above.nextInFocusChain()
    while one is not None and one is not above:
        if isinstance(one, QRadioButton | QPushButton) and one.isVisibleTo(page):
            order.append(one.text())
        one = one.nextInFocusChain()
    assert order == ["Ember", "Spark", "More models…", "below"]


def test_showing_is_not_choosing(cards: ModelCards, actions: FakeActions) -> None:
    """What the state says is marked, and nobody is told that a person chose it."""
    cards.show_choices(CHOICES, "ember")
    assert actions.all == []
    assert [radio.isChecked() for radio in radios(cards)] == [False, True]


def test_the_whole_card_can_be_clicked(cards: ModelCards, actions: FakeActions) -> None:
    """The corner of a card is as good as its small circle."""
    ember = radios(cards)[1].parentWidget()
    assert ember is not None
    corner = ember.rect().bottomRight() - QPoint(9, 9)
    QTest.mouseClick(ember, Qt.MouseButton.LeftButton, pos=corner)
    assert actions.all == [Choose("ember")]


def test_the_arrow_keys_choose(cards: ModelCards, actions: FakeActions) -> None:
    """As everywhere with radio buttons."""
    radios(cards)[0].setFocus()
    QTest.keyClick(radios(cards)[0], Qt.Key.Key_Down)
    assert actions.all == [Choose("ember")]


def test_other_choices_replace_the_cards(cards: ModelCards) -> None:
    """The catalogue may change while the window is open."""
    cards.show_choices(CHOICES[:1], "spark")
    QApplication.processEvents()
    assert [radio.text() for radio in radios(cards) if radio.isVisible()] == ["Spark"]


def test_a_screen_reader_hears_title_and_sentence(cards: ModelCards) -> None:
    """All that the card shows is said, too."""
    spark = radios(cards)[0]
    assert spark.accessibleName() == "Spark"
    assert spark.accessibleDescription() == "About spark."


def test_other_models_are_offered_elsewhere(cards: ModelCards, actions: FakeActions) -> None:
    """There may be many, and their sizes have to be told."""
    more = [button for button in cards.findChildren(QPushButton) if "More models" in button.text()]
    more[0].click()
    assert actions.all == [Open("models")]


def test_a_fetched_model_is_offered_once_it_is_chosen(cards: ModelCards) -> None:
    """It stays, so that one can go back to it; what is not known of it is left out."""
    guest = ModelChoice(id="smol", title="someone/Smol", repo="someone/Smol")
    other = ModelChoice(id="other", title="someone/Other", repo="someone/Other")
    everything = (*CHOICES, guest, other)

    def shown() -> list[str]:
        QApplication.processEvents()
        return [radio.text() for radio in radios(cards) if radio.isVisible()]

    cards.show_choices(everything, "spark")
    assert shown() == ["Spark", "Ember"]
    cards.show_choices(everything, "smol")
    assert shown() == ["Spark", "Ember", "someone/Smol"]
    cards.show_choices(everything, "spark")
    assert shown() == ["Spark", "Ember", "someone/Smol"]
    assert radios(cards)[-1].accessibleName() == "someone/Smol"
    assert radios(cards)[0].isChecked()


def test_a_card_says_how_long_a_round_takes_here(actions: FakeActions, qtbot: QtBot) -> None:
    """Before anybody joins, where that is known."""
    cards = ModelCards(actions)
    qtbot.addWidget(cards)
    timed = msgspec.structs.replace(CHOICES[0], round_s=2.0)
    cards.show_choices((timed, CHOICES[1]), "spark")
    texts = {label.text() for label in cards.findChildren(QLabel)}
    assert {"About spark. Here a round takes about 2 seconds.", "About ember."} <= texts
