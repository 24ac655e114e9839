"""A model as a card."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.card import ModelCard, ProgressLine
from app.pages.models.details import details
from app.pages.models.progress import ProgressViewModel
from app.pages.models.store import Job, WorkOutcome, apply_reply, begin
from app.pages.models.view_model import RowAction, card_view_model
from app.style.appearance import Appearance
from core.api.models import ModelDone
from core.api.requests import Refused
from tests.app.focus_chain import stops
from tests.app.focus_rings import bad_rings
from tests.app.pages.models.samples import LARGE, SMOL, SPARK, listing, state
from tests.app.reading import press, texts


@pytest.fixture
def acts() -> list[RowAction]:
    return []


@pytest.fixture
def smol(acts: list[RowAction], qtbot: QtBot) -> ModelCard:
    made = ModelCard("Smol", acts.append)
    qtbot.addWidget(made)
    made.show_card(card_view_model(SMOL, listing(), state()), None)
    made.show()
    return made


def test_the_ring_around_details_is_whole(
    smol: ModelCard, appearance: Appearance, qtbot: QtBot
) -> None:
    """They stand in line with the words above, and the ring around them in the card's margin."""
    appearance.dress(smol)
    with qtbot.waitActive(smol):
        smol.activateWindow()
    assert bad_rings(smol, appearance.palette.focus) == []
    press(smol, "Details")
    assert bad_rings(smol, appearance.palette.focus) == []


def test_it_shows_what_there_is_to_know(smol: ModelCard) -> None:
    """Title, sentence, figures and fit; it is named for a screen reader."""
    assert {"Smol", "It speaks.", "Fits"} <= set(texts(smol))
    assert any("to download" in text for text in texts(smol))
    assert any("Needs about" in text for text in texts(smol))
    assert smol.accessibleName() == "Smol"


def test_the_next_step_is_one_press_away(acts: list[RowAction], smol: ModelCard) -> None:
    """Without a question where none is due."""
    press(smol, "Download")
    assert acts[-1].verb == "fetch"


def test_one_that_is_too_large_asks_first(acts: list[RowAction], qtbot: QtBot) -> None:
    """In plain words, with the figures."""
    made = ModelCard("Large", acts.append)
    qtbot.addWidget(made)
    made.show_card(card_view_model(LARGE, listing(), state()), None)
    made.show()
    press(made, "Download")
    assert acts == []
    assert any("could probably not train it" in text for text in texts(made))
    press(made, "Download anyway")
    assert acts[-1].verb == "fetch_anyway"


def test_the_tab_key_goes_from_top_to_bottom(smol: ModelCard) -> None:
    """Through what was made late, too."""
    going = begin(listing(), 7, Job("fetch", "smol"))
    smol.show_card(card_view_model(SMOL, going, state()), None)
    ended, _ = apply_reply(going, Refused(id=7, words="No network."))
    smol.show_card(card_view_model(SMOL, ended, state()), None)
    press(smol, "Details")
    order = [one.mapTo(smol, one.rect().topLeft()).y() for one in stops(smol) if one.isVisible()]
    assert order == sorted(order)


def test_progress_takes_the_place_of_the_next_step(acts: list[RowAction], smol: ModelCard) -> None:
    """With the ways to hold it; what became of it is said, and can be put away."""
    going = begin(listing(), 7, Job("fetch", "smol"))
    smol.show_card(card_view_model(SMOL, going, state()), None)
    assert "Starting…" in texts(smol)
    press(smol, "Pause")
    assert acts[-1].verb == "pause"
    ended, _ = apply_reply(going, Refused(id=7, words="The line broke."))
    smol.show_card(card_view_model(SMOL, ended, state()), None)
    assert "The line broke." in texts(smol)
    press(smol, "Close")
    assert acts[-1] == RowAction("Close", "dismiss")


def test_what_was_written_can_be_shown(acts: list[RowAction], smol: ModelCard) -> None:
    """With the folder that it is in."""
    path = "/there/smol.gguf"
    going = begin(listing(), 7, Job("export", "smol"))
    ended, _ = apply_reply(going, ModelDone(id=7, size=5_000_000, path=path))
    assert ended.said["smol"] == WorkOutcome(f"Saved: {path} (5\u00a0MB)", path=path)
    smol.show_card(card_view_model(SMOL, ended, state()), None)
    press(smol, "Show the folder")
    assert acts[-1] == RowAction("Show the folder", "reveal", path)


def test_details_are_made_when_they_are_looked_at(qtbot: QtBot) -> None:
    """Their button says which way it goes, and of which model."""
    made = ModelCard("Spark", lambda _act: None)
    qtbot.addWidget(made)
    made.show_card(card_view_model(SPARK, listing(), state()), None)
    made.show()
    assert not made.is_unfolded
    with qtbot.waitSignal(made.unfolded):
        press(made, "Details")
    made.show_card(card_view_model(SPARK, listing(), state()), details(SPARK, listing(), state()))
    assert "Apache-2.0" in texts(made)
    (fold,) = (b for b in made.findChildren(QPushButton) if b.text() == "Fewer details")
    assert fold.accessibleName() == "Fewer details: Spark"
    press(made, "Fewer details")
    assert not made.is_unfolded
    assert "Apache-2.0" not in texts(made)


def test_the_news_are_where_it_is_told(smol: ModelCard) -> None:
    """Progress, and then what became of it."""
    going = begin(listing(), 7, Job("fetch", "smol"))
    smol.show_card(card_view_model(SMOL, going, state()), None)
    before = smol.news
    ended, _ = apply_reply(going, Refused(id=7, words="No."))
    smol.show_card(card_view_model(SMOL, ended, state()), None)
    assert smol.news is not before


def test_a_chosen_card_is_framed(smol: ModelCard) -> None:
    """And says so in words, too."""
    here = replace(SMOL, presence="installed")
    smol.show_card(card_view_model(here, listing(), state("smol")), None)
    assert smol.property("chosen")
    assert "Chosen" in texts(smol)


def test_it_draws_a_share_and_says_it(qtbot: QtBot) -> None:
    """Also to who cannot see the bar."""
    acts: list[RowAction] = []
    line = ProgressLine(acts.append)
    qtbot.addWidget(line)
    assert line.isHidden()
    line.show_progress(ProgressViewModel("4 of 10 MB", 0.4), (RowAction("Pause", "pause"),))
    (bar,) = line.findChildren(QProgressBar)
    assert bar.value() == 400
    assert bar.accessibleName() == "4 of 10 MB"
    (pause,) = (b for b in line.findChildren(QPushButton) if not b.isHidden())
    pause.click()
    assert acts == [RowAction("Pause", "pause")]


def test_without_a_measure_there_is_no_bar(qtbot: QtBot) -> None:
    """Nothing moves for the sake of moving."""
    line = ProgressLine(lambda _act: None)
    qtbot.addWidget(line)
    line.show_progress(ProgressViewModel("Removing…", None), ())
    (bar,) = line.findChildren(QProgressBar)
    assert bar.isHidden()
    line.show_progress(None, ())
    assert line.isHidden()
