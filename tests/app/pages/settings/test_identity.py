"""Who this computer is to others, and what is kept on it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.settings.identity import (
    DataCard,
    IdentitySection,
    RemoveEverythingDialog,
    part_in_words,
    total_in_words,
)
from app.state.intents import Quit, Reveal
from app.style.theme import LIGHT
from app.widgets.file_dialogs import FileDialogs, NewFile, Then
from core.api.maintenance import (
    BackUpIdentity,
    DiskUsage,
    FoldersMeasured,
    MakeSupportFile,
    MeasureFolders,
    Part,
    RemoveEverything,
    RestoreIdentity,
)
from core.api.requests import Done, Refused
from tests.app.reading import text
from tests.fake_actions import FakeActions, state_of


@dataclass
class HandDialogs(FileDialogs):
    """Answers with ``path``; keeps what was proposed."""

    path: str = "/media/stick/file"
    proposed: list[str] = field(default_factory=list)

    def to_write(self, _parent: QWidget, wanted: NewFile, then: Then) -> None:
        self.proposed.append(wanted.name)
        self._answer(then)

    def to_read(self, _parent: QWidget, _title: str, then: Then) -> None:
        self._answer(then)

    def _answer(self, then: Then) -> None:
        if self.path:  # or the person thought better of it
            then(Path(self.path))


class Played:
    """The section, with a person before it."""

    def __init__(self, actions: FakeActions, qtbot: QtBot) -> None:
        self.actions = actions
        self.dialogs = HandDialogs()
        self.section = IdentitySection(LIGHT, actions, self.dialogs)
        qtbot.addWidget(self.section)
        self.section.show_state(state_of())
        self.section.opened()

    def button(self, text: str) -> QPushButton:
        (found,) = (b for b in self.section.findChildren(QPushButton) if b.text() == text)
        return found

    def measured(self, name: str) -> None:
        parts = (DiskUsage("models", 1_000),)
        self.actions.reply(FoldersMeasured(root="/data", name=name, parts=parts))


@pytest.fixture
def played(actions: FakeActions, qtbot: QtBot) -> Played:
    made = Played(actions, qtbot)
    made.measured("amber-otter-27")
    return made


def test_the_name_is_shown(played: Played) -> None:
    """With what is kept."""
    assert "amber-otter-27" in text(played.section)
    assert "1\u00a0kB in all: /data" in text(played.section)


def test_before_the_first_start_there_is_no_name(played: Played) -> None:
    """And nothing to back up."""
    played.measured("")
    assert "You get a name when you first join." in text(played.section)
    assert not played.button("Back up…").isEnabled()


def test_nobody_is_taken_for_new_before_it_is_known(actions: FakeActions, qtbot: QtBot) -> None:
    """Nor where the helper refuses to say who this is."""
    played = Played(actions, qtbot)
    actions.reply(Refused(id=actions.last(MeasureFolders).id, words="It cannot be read."))
    assert "You get a name" not in text(played.section)
    assert not played.button("Back up…").isEnabled()


def test_backing_up_and_restoring(played: Played) -> None:
    """Each asks for a file; after it, name and sizes are asked for anew."""
    played.button("Back up…").click()
    backup = played.actions.last(BackUpIdentity)
    assert backup.path == str(Path("/media/stick/file"))
    assert played.dialogs.proposed == ["waggle-identity.txt"]
    before = len(played.actions.of(MeasureFolders))
    played.actions.reply(Done(id=backup.id, words="It is backed up."))
    assert "It is backed up." in text(played.section)
    played.button("Restore…").click()
    restore = played.actions.last(RestoreIdentity)
    played.actions.reply(Refused(id=restore.id, words="That is no backup."))
    assert "That is no backup." in text(played.section)
    assert len(played.actions.of(MeasureFolders)) == before + 2


def test_without_a_file_nothing_is_asked(played: Played) -> None:
    """The person thought better of it."""
    played.dialogs.path = ""
    for words in ("Back up…", "Restore…", "Make a support file…"):
        played.button(words).click()
    assert played.actions.of(BackUpIdentity) == []
    assert played.actions.of(RestoreIdentity) == []
    assert played.actions.of(MakeSupportFile) == []


def test_a_support_file_is_made(played: Played) -> None:
    """And what is inside is told."""
    played.button("Make a support file…").click()
    request = played.actions.last(MakeSupportFile)
    played.actions.reply(Done(id=request.id, words="It holds findings."))
    assert "It holds findings." in text(played.section)


def test_what_runs_keeps_its_identity_and_its_home(played: Played) -> None:
    """Practice has to be stopped first, and that is said beside either button."""
    why = "Finish or stop practising first."
    played.section.show_state(state_of(runs=True))
    for words in ("Restore…", "Remove everything…"):
        assert not played.button(words).isEnabled()
        assert played.button(words).accessibleDescription() == why
    assert text(played.section).count(why) == 2
    assert played.button("Back up…").isEnabled()
    played.section.show_state(state_of())
    assert played.button("Restore…").isEnabled()
    assert why not in text(played.section)


def test_removing_asks_first_and_ends_with_a_way_out(played: Played) -> None:
    """What was removed cannot be removed again; a refusal leaves the way open."""
    played.button("Remove everything…").click()
    (dialog,) = played.section.findChildren(RemoveEverythingDialog)
    assert dialog.isVisible()
    assert played.actions.of(RemoveEverything) == []
    dialog.findChildren(QLineEdit)[0].setText("remove")
    dialog.agreed.emit()  # how that is done is tested below
    request = played.actions.last(RemoveEverything)
    played.actions.reply(Refused(id=request.id, words="It is in use."))
    assert not played.button("Remove everything…").isHidden()
    played.button("Remove everything…").click()
    dialog = played.section.findChildren(RemoveEverythingDialog)[-1]
    dialog.agreed.emit()
    played.actions.reply(Done(id=played.actions.last(RemoveEverything).id, words="Gone."))
    assert played.button("Remove everything…").isHidden()
    played.button("Quit Waggle").click()
    assert played.actions.of(Quit) == [Quit()]


class Asked:
    """The dialog, and whether it was agreed to."""

    def __init__(self, qtbot: QtBot) -> None:
        self.parent = QWidget()
        qtbot.addWidget(self.parent)
        self.now = 100.0  # seconds
        self.dialog = RemoveEverythingDialog(self.parent, lambda: self.now)
        self.agreed: list[bool] = []
        self.dialog.agreed.connect(lambda: self.agreed.append(True))
        self.dialog.show()
        self.go, self.keep = self.dialog.findChildren(QPushButton)
        (self.field,) = self.dialog.findChildren(QLineEdit)


@pytest.fixture
def asked(qtbot: QtBot) -> Asked:
    return Asked(qtbot)


def test_it_takes_the_word_and_two_clicks(asked: Asked) -> None:
    """The second click is asked for in words."""
    assert not asked.go.isEnabled()
    QTest.keyClicks(asked.field, " Remove")
    asked.go.click()
    assert asked.go.text() == "Really remove everything?"
    assert asked.agreed == []
    asked.now += 2.0
    asked.go.click()
    assert asked.agreed == [True]
    assert not asked.dialog.isVisible()


def test_a_double_click_removes_nothing(asked: Asked) -> None:
    """Its second half comes before anybody has read the question."""
    QTest.keyClicks(asked.field, "remove")
    QApplication.processEvents()  # the dialog is laid out
    window, none = asked.dialog.windowHandle(), Qt.KeyboardModifier.NoModifier
    assert window is not None
    QTest.mouseDClick(window, Qt.MouseButton.LeftButton, none, asked.go.geometry().center())
    assert asked.go.text() == "Really remove everything?"
    assert asked.agreed == []


def test_another_word_takes_it_back(asked: Asked) -> None:
    """Also after the first click."""
    QTest.keyClicks(asked.field, "remove")
    asked.go.click()
    QTest.keyClicks(asked.field, "d")
    assert not asked.go.isEnabled()
    QTest.keyClick(asked.field, Qt.Key.Key_Backspace)
    assert asked.go.text() == "Remove everything"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_no_key_removes_anything(asked: Asked, key: Qt.Key) -> None:
    """Enter in the field and Escape least of all."""
    QTest.keyClicks(asked.field, "remove")
    for _ in range(3):
        QTest.keyClick(asked.field, key)
    assert asked.agreed == []


def test_it_names_all_that_goes(asked: Asked) -> None:
    """What lies outside the folder, too."""
    for words in (
        "puzzles of your own",
        "access token for Hugging Face",
        "start with the computer",
    ):
        assert words in text(asked.dialog)


def test_one_can_think_better_of_it(asked: Asked) -> None:
    """A button that says so."""
    asked.keep.click()
    assert asked.agreed == []
    assert not asked.dialog.isVisible()


def measured(models: int) -> FoldersMeasured:
    parts = (DiskUsage("models", models), DiskUsage("logs", 0))
    return FoldersMeasured(root="/data/waggle", name="", parts=parts)


def test_why_sizes_are_not_known_is_said(actions: FakeActions, qtbot: QtBot) -> None:
    """Instead of looking for ever."""
    section = IdentitySection(LIGHT, actions)
    qtbot.addWidget(section)
    section.opened()
    actions.reply(Refused(id=actions.last(MeasureFolders).id, words="The helper ended."))
    assert "The helper ended." in [one.text() for one in section.findChildren(QLabel)]


def test_sizes_follow_what_was_measured(actions: FakeActions, qtbot: QtBot) -> None:
    """The folder can be opened once it is known."""
    card = DataCard(actions)
    qtbot.addWidget(card)
    (way,) = card.findChildren(QPushButton)
    assert not way.isEnabled()
    for models in (1_000, 7_000_000):
        card.show_sizes(measured(models))
    texts = [one.text() for one in card.findChildren(QLabel)]
    assert "7\u00a0MB" in texts
    assert not any("1 kB" in text for text in texts)
    assert "7\u00a0MB in all: /data/waggle" in texts
    way.click()
    assert actions.last(Reveal) == Reveal(Path("/data/waggle"))


def test_every_part_has_words_of_its_own() -> None:
    """A new one is not forgotten."""
    parts: tuple[Part, ...] = get_args(Part)
    assert len({part_in_words(part) for part in parts}) == len(parts)


def test_all_of_it_is_summed_up() -> None:
    """In words."""
    measured = FoldersMeasured(
        root="x", name="", parts=(DiskUsage("models", 2_000_000), DiskUsage("logs", 5_000_000))
    )
    assert total_in_words(measured) == "7\u00a0MB in all"
