"""Who this computer is to others, and what is kept on it."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.settings.farewell import Farewell
from app.pages.settings.identity import IdentitySection
from app.state.intents import Quit
from app.style.theme import LIGHT
from app.widgets.file_dialogs import FileDialogs, NewFile, Then
from core.api.maintenance import (
    BackUpIdentity,
    DiskUsage,
    FoldersMeasured,
    MakeSupportFile,
    MeasureFolders,
    RemoveEverything,
    RestoreIdentity,
)
from core.api.requests import Done, Refused
from tests.wishes import Wishes, state_of


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

    def __init__(self, qtbot: QtBot) -> None:
        self.dialogs = HandDialogs()
        self.section = IdentitySection(LIGHT, self.dialogs)
        qtbot.addWidget(self.section)
        self.wishes = Wishes(self.section.asked)
        self.section.show_state(state_of())
        self.section.opened()

    def button(self, text: str) -> QPushButton:
        (found,) = (b for b in self.section.findChildren(QPushButton) if b.text() == text)
        return found

    def measured(self, name: str) -> None:
        parts = (DiskUsage("models", 1_000),)
        number = self.wishes.last(MeasureFolders).id
        self.section.hear(FoldersMeasured(id=number, root="/data", name=name, parts=parts))

    def texts(self) -> str:
        return "\n".join(one.text() for one in self.section.findChildren(QLabel))


@pytest.fixture
def played(qtbot: QtBot) -> Played:
    made = Played(qtbot)
    made.measured("amber-otter-27")
    return made


def test_the_name_is_shown(played: Played) -> None:
    """With what is kept; somebody else's answer is not taken."""
    assert "amber-otter-27" in played.texts()
    assert "1\u00a0kB in all: /data" in played.texts()
    number = played.wishes.last(MeasureFolders).id + 1
    played.section.hear(FoldersMeasured(id=number, root="/x", name="other", parts=()))
    assert "amber-otter-27" in played.texts()


def test_before_the_first_start_there_is_no_name(played: Played) -> None:
    """And nothing to back up."""
    played.measured("")
    assert "You get a name when you first join." in played.texts()
    assert not played.button("Back up…").isEnabled()


def test_backing_up_and_restoring(played: Played) -> None:
    """Each asks for a file; after it, name and sizes are asked for anew."""
    played.button("Back up…").click()
    backup = played.wishes.last(BackUpIdentity)
    assert backup.path == str(Path("/media/stick/file"))
    assert played.dialogs.proposed == ["waggle-identity.txt"]
    before = len(played.wishes.of(MeasureFolders))
    played.section.hear(Done(id=backup.id, words="It is backed up."))
    assert "It is backed up." in played.texts()
    played.button("Restore…").click()
    restore = played.wishes.last(RestoreIdentity)
    played.section.hear(Refused(id=restore.id, words="That is no backup."))
    assert "That is no backup." in played.texts()
    assert len(played.wishes.of(MeasureFolders)) == before + 2


def test_without_a_file_nothing_is_asked(played: Played) -> None:
    """The person thought better of it."""
    played.dialogs.path = ""
    for text in ("Back up…", "Restore…", "Make a support file…"):
        played.button(text).click()
    assert played.wishes.of(BackUpIdentity) == []
    assert played.wishes.of(RestoreIdentity) == []
    assert played.wishes.of(MakeSupportFile) == []


def test_a_support_file_is_made(played: Played) -> None:
    """And what is inside is told."""
    played.button("Make a support file…").click()
    request = played.wishes.last(MakeSupportFile)
    played.section.hear(Done(id=request.id, words="It holds findings."))
    assert "It holds findings." in played.texts()


def test_what_runs_keeps_its_identity_and_its_home(played: Played) -> None:
    """Practice has to be stopped first, and that is said."""
    played.section.show_state(state_of(runs=True))
    for text in ("Restore…", "Remove everything…"):
        assert not played.button(text).isEnabled()
        assert played.button(text).toolTip() == "Stop practice first."
    assert played.button("Back up…").isEnabled()
    played.section.show_state(state_of())
    assert played.button("Restore…").isEnabled()


def test_removing_asks_first_and_ends_with_a_way_out(played: Played) -> None:
    """What was removed cannot be removed again; a refusal leaves the way open."""
    played.button("Remove everything…").click()
    (farewell,) = played.section.findChildren(Farewell)
    assert farewell.isVisible()
    assert played.wishes.of(RemoveEverything) == []
    farewell.findChildren(QLineEdit)[0].setText("remove")
    farewell.agreed.emit()  # test_farewell.py sees to how that is done
    request = played.wishes.last(RemoveEverything)
    played.section.hear(Refused(id=request.id, words="It is in use."))
    assert not played.button("Remove everything…").isHidden()
    played.button("Remove everything…").click()
    farewell = played.section.findChildren(Farewell)[-1]
    farewell.agreed.emit()
    played.section.hear(Done(id=played.wishes.last(RemoveEverything).id, words="Gone."))
    assert played.button("Remove everything…").isHidden()
    played.button("Quit Waggle").click()
    assert played.wishes.of(Quit) == [Quit()]
