"""Choosing what is practised, as a person does it."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QWidget
from pytestqt.qtbot import QtBot

from app.pages.practice.deck_card import DeckCard
from app.pages.practice.puzzle_list import PuzzleList
from app.state.intents import Keep, Open, Reveal, SharedDeck
from app.widgets.file_dialogs import FileDialogs, NewFile, Then
from app.widgets.notice_bar import NoticeBar
from core.api.decks import (
    DeckOpened,
    ExportDeck,
    LookAtDeck,
    RemoveDeck,
    SampleQuestion,
    ShowDecks,
    TryDeck,
)
from core.api.requests import Cancel, Cancelled, Done, Refused
from core.settings import PracticeSettings, Settings, SwarmSettings
from tests.app.focus_chain import stops
from tests.app.pages.practice.deck_samples import SUMS, WORDS, decks
from tests.app.pages.practice.samples import IDLE
from tests.app.reading import button, press, text
from tests.fake_actions import FakeActions

LOOKED = DeckOpened(digest=WORDS.digest, questions=())


@pytest.fixture
def page(actions: FakeActions, qtbot: QtBot) -> PuzzleList:
    made = PuzzleList(actions)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    made.show_state(IDLE)
    return made


def settle(page: PuzzleList, actions: FakeActions, qtbot: QtBot) -> None:
    """Both decks are there, and the three kinds."""
    actions.reply(decks(SUMS, WORDS))
    qtbot.waitUntil(lambda: len(page.findChildren(QCheckBox)) == 5)


def switch(page: PuzzleList, name: str) -> QCheckBox:
    (found,) = (one for one in page.findChildren(QCheckBox) if one.accessibleName() == name)
    return found


def test_it_says_that_it_looks_and_then_what_there_is(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Decks first; where there are none, how one comes to be."""
    assert "Looking it up…" in text(page)
    actions.reply(decks())
    assert "a table with a question and an answer" in text(page)
    settle(page, actions, qtbot)
    assert "a table with a question and an answer" not in text(page)
    assert [card.switch.accessibleName() for card in page.findChildren(DeckCard)] == [
        "Practise Sums",
        "Practise German words",
    ]


def test_the_tab_key_comes_to_a_new_deck_where_it_stands(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Before the kinds, which were there first."""
    actions.reply(decks(WORDS))
    qtbot.waitUntil(lambda: len(page.findChildren(QCheckBox)) == 4)
    settle(page, actions, qtbot)
    switches = [one.accessibleName() for one in stops(page) if isinstance(one, QCheckBox)]
    assert switches[:2] == ["Practise Sums", "Practise German words"]


def test_a_switch_changes_the_settings(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """A deck joins what is built in; a kind may be left out."""
    settle(page, actions, qtbot)
    switch(page, "Practise Sums").click()
    assert actions.kept().practice.kinds == (SUMS.task, "lcm", "gcd", "odd")
    switch(page, "Do something odd").click()
    assert actions.kept().practice.kinds == ("lcm", "gcd")


def test_one_deck_alone_is_one_press(actions: FakeActions, page: PuzzleList, qtbot: QtBot) -> None:
    """And all that is built in another."""
    settle(page, actions, qtbot)
    press(page.findChildren(DeckCard)[1], "Practise only this")
    assert actions.kept().practice.kinds == (WORDS.task,)
    page.show_state(replace(IDLE, settings=actions.kept()))
    assert "Only “German words” is practised" in text(page)
    press(page, "All built-in kinds")
    assert actions.kept().practice.kinds == ()


def test_nothing_at_all_is_refused_in_words(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """The switch goes back, and the settings stay."""
    settle(page, actions, qtbot)
    page.show_state(replace(IDLE, settings=Settings(practice=PracticeSettings(kinds=(SUMS.task,)))))
    switch(page, "Practise Sums").click()
    assert actions.of(Keep) == []
    assert "Something has to be practised" in text(page)
    assert switch(page, "Practise Sums").isChecked()
    press(page, "Close")
    assert "Something has to be practised" not in text(page)


def test_a_deck_is_removed_and_practised_no_more(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Its card goes once the helper says that it is gone."""
    settle(page, actions, qtbot)
    page.remove(SUMS.digest)
    asked = actions.last(RemoveDeck)
    assert asked.digest == SUMS.digest
    assert actions.of(Keep) == []
    actions.reply(Done(id=asked.id, words="It is gone."))
    before = Settings(practice=PracticeSettings(kinds=(SUMS.task, "gcd")))
    assert actions.kept(before).practice.kinds == ("gcd",)
    assert "Sums" not in text(page)


def test_a_removal_that_is_refused_is_said(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Where it can be read, however far down the person is; the deck stays."""
    page.resize(700, 200)
    settle(page, actions, qtbot)
    bar = page.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > page.height())
    bar.setValue(bar.maximum())
    page.remove(SUMS.digest)
    actions.reply(Refused(id=actions.last(RemoveDeck).id, words="It cannot be removed."))
    assert "It cannot be removed." in text(page)
    assert "Sums" in text(page)
    QApplication.processEvents()
    (notice,) = page.findChildren(NoticeBar)
    assert notice.visibleRegion().boundingRect() == notice.rect()


def test_questions_are_shown_in_their_card(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Of the deck that was asked about, wherever it stands by then."""
    settle(page, actions, qtbot)
    words = page.findChildren(DeckCard)[1]
    press(words, "Look at ten questions")
    asked = actions.last(LookAtDeck)
    question = SampleQuestion(level=1, question="dog?", answers="Hund")
    actions.reply(DeckOpened(id=asked.id, digest=asked.digest, questions=(question,)))
    QApplication.processEvents()  # what was laid out just now appears
    assert "dog?" in text(words)


def test_a_new_deck_is_welcomed_and_can_be_practised_at_once(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Its card is there before the helper was asked anew."""
    settle(page, actions, qtbot)
    new = msgspec.structs.replace(SUMS, name="Fresh\n", task="deck_" + "c" * 32, digest="c" * 64)
    page.welcome(new)
    assert "“Fresh” is kept" in text(page)
    cards = [card.switch.accessibleName() for card in page.findChildren(DeckCard)]
    assert "Practise Fresh" in cards
    actions.reply(decks(new, SUMS, WORDS))
    assert "“Fresh” is kept" in text(page)
    notice = next(one for one in page.parts if "Fresh” is kept" in text(one))
    button(notice, "Practise only this").click()
    assert actions.kept().practice.kinds == (new.task,)


def test_a_deck_that_is_gone_can_be_left_out(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Or practice would not begin."""
    settle(page, actions, qtbot)
    kinds = ("deck_gone", "gcd")
    page.show_state(replace(IDLE, settings=Settings(practice=PracticeSettings(kinds=kinds))))
    assert "not on this computer any more" in text(page)
    press(page, "Leave it out")
    assert actions.kept().practice.kinds == ("gcd",)
    page.show_state(replace(IDLE, settings=actions.kept()))
    assert "not on this computer any more" not in text(page)


def test_a_helper_that_fails_is_asked_again(actions: FakeActions, page: PuzzleList) -> None:
    """What went wrong is said."""
    actions.reply(Refused(id=actions.last(ShowDecks).id, words="The list is damaged."))
    assert "The list is damaged." in text(page)
    assert "Looking it up…" not in text(page)
    press(page, "Try again")
    assert len(actions.of(ShowDecks)) == 2
    actions.reply(decks())
    assert "The list is damaged." not in text(page)
    assert "What you choose counts from the next start" in text(page)


def test_another_model_solves_other_things(actions: FakeActions, page: PuzzleList) -> None:
    """What is said of the one before is not taken for it."""
    page.show_state(replace(IDLE, chosen="ember"))
    assert actions.last(ShowDecks).model == "ember"
    actions.reply(decks(SUMS, model="spark"))
    assert page.findChildren(DeckCard) == []


def test_in_a_swarm_on_decks_the_list_follows_the_swarm(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Whatever the settings choose; what can be done with a deck beside that stays."""
    swarm = SwarmSettings(name="pond")
    page.show_state(replace(IDLE, settings=Settings(swarm=swarm)))
    assert len(actions.of(ShowDecks)) == 2, "another swarm may practise something else"
    shown = msgspec.structs.replace(
        decks(SUMS, WORDS), swarm="our-class", swarm_tasks=(WORDS.task,)
    )
    actions.reply(shown)
    qtbot.waitUntil(lambda: len(page.findChildren(QCheckBox)) == 5)
    assert "Only “German words” is practised\nYour swarm, “our-class”, practises" in text(page)
    assert switch(page, "Practise German words").isChecked()
    assert not switch(page, "Practise Sums").isChecked()
    assert not any(one.isEnabled() for one in page.findChildren(QCheckBox))


def test_decks_of_the_swarm_that_are_gone_lead_to_its_page(
    actions: FakeActions, page: PuzzleList
) -> None:
    """They are seen there before they are here again."""
    actions.reply(msgspec.structs.replace(decks(), swarm="our-class", missing=1))
    assert "practice cannot begin" in text(page)
    press(page, "Open Swarm")
    assert actions.of(Open) == [Open("swarm")]


def test_a_deck_is_shared_on_the_page_of_swarms(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Which gets its digest and its name."""
    settle(page, actions, qtbot)
    card = next(one for one in page.findChildren(DeckCard) if "Sums" in text(one))
    press(card, "Share with others…")
    assert actions.of(Open) == [Open("swarm", SharedDeck(SUMS.digest, "Sums"))]


def test_a_deck_is_saved_where_the_person_says(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot, tmp_path: Path
) -> None:
    """Under a name like its own, once more where that failed; then it can be found."""
    asked: list[NewFile] = []

    class Answering(FileDialogs):
        def to_write(self, parent: QWidget, wanted: NewFile, then: Then) -> None:
            assert parent is page
            asked.append(wanted)
            then(tmp_path / wanted.name)

    page.dialogs = Answering()
    settle(page, actions, qtbot)
    card = next(one for one in page.findChildren(DeckCard) if "German" in text(one))
    press(card, "Look at ten questions")
    actions.reply(LOOKED)
    press(page, "Save to a file…")
    assert [one.name for one in asked] == ["german-words.deck"]
    request = actions.last(ExportDeck)
    assert (request.digest, request.path) == (WORDS.digest, str(tmp_path / "german-words.deck"))
    actions.reply(Refused(id=request.id, words="The disk is full."))
    assert "The disk is full." in text(page)
    press(page, "Try again")
    request = actions.last(ExportDeck)
    assert len(actions.of(ExportDeck)) == 2
    path = tmp_path / "german-words.deck"
    actions.reply(Done(id=request.id))
    assert f"Saved: {path}" in text(page)
    press(page, "Show the folder")
    assert actions.last(Reveal).path == tmp_path


def test_of_two_decks_on_their_way_each_is_found_where_it_was_saved(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Whichever was asked for last."""
    settle(page, actions, qtbot)
    for digest, place in ((SUMS.digest, "one"), (WORDS.digest, "two")):
        page._export(digest, Path(place, "deck"))  # noqa: SLF001 - the dialog has its own test
    actions.reply(Done(id=actions.of(ExportDeck)[0].id))
    press(page, "Show the folder")
    assert actions.last(Reveal).path == Path("one")


def test_a_kept_deck_is_tried_by_the_model_in_use(
    actions: FakeActions, page: PuzzleList, qtbot: QtBot
) -> None:
    """Also where another was chosen since."""
    settle(page, actions, qtbot)
    card = next(one for one in page.findChildren(DeckCard) if "German" in text(one))
    press(card, "Look at ten questions")
    actions.reply(LOOKED)
    press(page, "How does my model do?")
    assert (actions.last(TryDeck).model, actions.last(TryDeck).digest) == ("spark", WORDS.digest)
    page.show_state(replace(IDLE, chosen="ember"))
    press(page, "Cancel")
    actions.reply(Cancelled(id=actions.last(TryDeck).id))
    press(page, "How does my model do?")
    trial = actions.last(TryDeck)
    assert trial.model == "ember"
    page.remove(WORDS.digest)
    actions.reply(Done(id=actions.last(RemoveDeck).id, words="It is gone."))
    assert actions.all[-1] == Cancel(request=trial.id), "of a deck that is gone"
