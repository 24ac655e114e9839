"""The page Models, from what a person does to what the helper is asked."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.models.page import ModelsPage, ask_place, free_place, proposed_name
from app.state.intents import Choose, Keep, Reveal
from app.style.theme import LIGHT
from core.api.events import Finish, Join
from core.api.models import (
    ExportModel,
    FetchModel,
    Form,
    HubTokenShown,
    ListModels,
    LookUpModel,
    MeasureRound,
    ModelDone,
    ModelFound,
    ModelProgress,
    ModelsListed,
    RemoveBackup,
    RemovePart,
    ResetModel,
    SetHubToken,
    ShowHubToken,
)
from core.api.requests import Cancel, Cancelled, Refused, Reply, Request
from core.settings import Settings
from tests.app.pages.models.samples import BACKUP, GB, LARGE, LISTED, MB, SIZES, SMOL, SPARK, state
from tests.app.reading import text
from tests.fake_actions import FakeActions

HERE = msgspec.structs.replace(SMOL, presence="installed", exports=SIZES, rounds=7)


class Visit:
    """A page with somebody before it, and everything that it asked for."""

    def __init__(self, qtbot: QtBot, place: Path) -> None:
        self.actions = FakeActions()
        self.asked = self.actions.all
        self._place = place
        self.page = ModelsPage(LIGHT, self.actions, self._ask_place)
        qtbot.addWidget(self.page)
        self.page.resize(732, 600)
        self.page.show_state(state())
        self.page.show()

    def _ask_place(
        self, _parent: QWidget, _form: Form, name: str, then: Callable[[Path], None]
    ) -> None:
        then(self._place / name)

    def reply(self, answer: Reply) -> None:
        self.actions.reply(answer)
        for _ in LISTED.models:  # a card a turn
            QApplication.processEvents()

    def press(self, name: str) -> None:
        buttons = self.page.findChildren(QPushButton)
        (found,) = (b for b in buttons if b.isVisible() and b.accessibleName() == name)
        found.click()

    @property
    def number(self) -> int:
        """Of the last request."""
        return next(one.id for one in reversed(self.asked) if isinstance(one, Request) and one.id)

    def take(self) -> list[object]:
        """What was asked since the last time, without its numbers."""
        taken = [
            msgspec.structs.replace(one, id=0) if isinstance(one, Request) else one
            for one in self.asked
        ]
        self.asked.clear()
        return taken


@pytest.fixture
def visit(qtbot: QtBot, tmp_path: Path) -> Visit:
    made = Visit(qtbot, tmp_path)
    made.reply(LISTED)
    made.asked.clear()
    return made


def with_models(*models: object) -> ModelsListed:
    return ModelsListed(models=models, disk_free=50 * GB)  # type: ignore[arg-type]  # of the samples


def test_each_visit_asks_what_is_here(qtbot: QtBot, tmp_path: Path) -> None:
    """What was fetched elsewhere, and the memory that is free now."""
    visit = Visit(qtbot, tmp_path)
    assert visit.take() == [ListModels()]
    visit.page.hide()
    visit.page.show()
    assert visit.take() == [ListModels()]


def test_a_download_from_press_to_done(visit: Visit) -> None:
    """It is asked for by the name on its hub, moves, and is listed anew at the end."""
    visit.press("Download: Smol")
    number = visit.number
    assert visit.take() == [FetchModel(model="someone/Smol")]
    visit.reply(ModelProgress(id=number, stage="downloading", done=108 * MB, total=271 * MB))
    assert "108\u00a0MB of 271\u00a0MB" in text(visit.page)
    visit.reply(ModelDone(id=number, size=271 * MB))
    assert "complete and checked" in text(visit.page)
    assert visit.take() == [ListModels()]


def test_pausing_cancels_the_request_and_keeps_its_part(visit: Visit) -> None:
    """Nothing is thrown away."""
    visit.press("Download: Smol")
    number = visit.number
    visit.take()
    visit.press("Pause")
    assert visit.take() == [Cancel(request=number)]
    visit.reply(Cancelled(id=number))
    assert visit.take() == [ListModels()]


def test_cancelling_throws_the_part_away_after_a_yes(visit: Visit) -> None:
    """First the request ends, then its part goes."""
    visit.press("Download: Smol")
    number = visit.number
    visit.take()
    visit.press("Cancel")
    assert visit.take() == []
    visit.press("Throw it away")
    assert visit.take() == [Cancel(request=number)]
    visit.reply(Cancelled(id=number))
    assert visit.take() == [RemovePart(model="smol")]


def test_a_failed_download_says_why(visit: Visit) -> None:
    """On its card."""
    visit.press("Download: Smol")
    visit.reply(Refused(words="The disk is full."))
    assert "The disk is full." in text(visit.page)


def test_too_large_is_downloaded_after_a_warning(visit: Visit) -> None:
    """The helper is told that it is meant."""
    visit.press("Download: Large")
    assert visit.take() == []
    visit.press("Download anyway")
    assert visit.take() == [FetchModel(model="someone/Large", anyway=True)]


def test_choosing_tells_the_window(visit: Visit) -> None:
    """It joins with that one from then on."""
    visit.reply(with_models(SPARK, HERE))
    visit.press("Choose: Smol")
    assert visit.take() == [Choose("smol")]


def test_choosing_one_that_never_practised_measures_its_rounds(visit: Visit) -> None:
    """So that Home says before the first round how long it will take."""
    visit.reply(with_models(SPARK, msgspec.structs.replace(HERE, rounds=0)))
    visit.press("Choose: Smol")
    assert visit.take() == [Choose("smol"), MeasureRound(model="smol")]


def test_a_measurement_ends_before_anything_else_computes(visit: Visit) -> None:
    """When another is to be measured, and when practice begins; each is asked once to end."""
    fresh = msgspec.structs.replace(HERE, rounds=0)
    other = msgspec.structs.replace(fresh, id="other", title="Other")
    visit.reply(with_models(SPARK, fresh, other))
    visit.press("Choose: Smol")
    first = visit.number
    visit.press("Choose: Other")
    second = visit.number
    assert visit.take()[-3:] == [
        Choose("other"),
        Cancel(request=first),
        MeasureRound(model="other"),
    ]
    visit.reply(Cancelled(id=first))
    visit.take()
    visit.page.show_state(state("other", running="spark"))
    visit.page.show_state(state("other", running="spark"))
    assert visit.take() == [Cancel(request=second)]


def test_a_measurement_can_be_stopped(visit: Visit) -> None:
    """It takes minutes of a large model, beside whatever the person does."""
    visit.reply(with_models(SPARK, msgspec.structs.replace(HERE, rounds=0)))
    visit.press("Choose: Smol")
    number = visit.number
    visit.press("Stop")
    assert visit.take()[-1] == Cancel(request=number)


def test_choosing_anyway_is_remembered(visit: Visit) -> None:
    """In the settings, for that very model."""
    visit.reply(with_models(SPARK, msgspec.structs.replace(LARGE, presence="installed")))
    visit.press("Choose anyway: Large")
    visit.press("Choose anyway")
    choose, keep = visit.take()
    assert choose == Choose("large")
    assert isinstance(keep, Keep)
    assert keep.change(Settings()).window.anyway == "large"


def test_the_chosen_model_takes_over_when_the_round_is_done(visit: Visit) -> None:
    """Without a way over Home: its card asks for the end of the run, and for the next one."""
    visit.reply(with_models(SPARK, HERE))
    running = state("smol", running="spark")
    visit.page.show_state(running)
    visit.take()
    visit.press("Change over now: Smol")
    assert visit.take() == [Finish()]
    (waiting,) = (
        b for b in visit.page.findChildren(QPushButton) if b.text() == "Finishing the round…"
    )
    assert not waiting.isEnabled()
    stopped = dataclasses.replace(running.node, activity="stopped")
    visit.page.show_state(dataclasses.replace(running, node=stopped))
    QApplication.processEvents()
    assert visit.take() == [Join(model="smol")]


def test_a_backup_is_deleted_after_a_yes(visit: Visit) -> None:
    """The question has its size; the list that follows shows what is left."""
    visit.reply(with_models(SPARK, msgspec.structs.replace(HERE, backups=(BACKUP,))))
    visit.press("Details: Smol")
    (delete,) = (b for b in visit.page.findChildren(QPushButton) if b.text() == "Delete…")
    delete.click()
    assert visit.take() == []
    assert "19\u00a0MB" in text(visit.page)
    visit.press("Delete")
    number = visit.number
    assert visit.take() == [RemoveBackup(model="smol", backup=BACKUP.name)]
    visit.reply(ModelDone(id=number, size=19 * MB))
    assert "19\u00a0MB are free again" in text(visit.page)
    assert visit.take() == [ListModels()]


def test_an_export_goes_where_the_person_says(visit: Visit, tmp_path: Path) -> None:
    """Under the name that was proposed; afterwards the folder can be shown."""
    visit.reply(with_models(SPARK, HERE))
    visit.press("Details: Smol")
    visit.press("Save…: For other apps (GGUF)")
    path = tmp_path / "Smol.gguf"
    number = visit.number
    assert visit.take() == [
        ExportModel(model="smol", form="gguf", quant="f16", path=str(path), replace=True)
    ]
    visit.reply(ModelDone(id=number, size=270 * MB, path=str(path)))
    visit.take()
    visit.press("Show the folder")
    assert visit.take() == [Reveal(tmp_path)]
    visit.press("Close")
    assert "Saved" not in text(visit.page)


def test_starting_over_is_asked_and_then_told(visit: Visit) -> None:
    """With what is kept."""
    visit.reply(with_models(SPARK, HERE))
    visit.press("Details: Smol")
    visit.press("Start over…")
    visit.press("Start over")
    number = visit.number
    assert visit.take() == [ResetModel(model="smol")]
    visit.reply(ModelDone(id=number))
    assert "in 7 rounds is kept as a backup" in text(visit.page)


def test_a_name_is_looked_up_before_anything_is_fetched(visit: Visit) -> None:
    """What was found gets a card, what was not is told."""
    (field,) = (f for f in visit.page.findChildren(QLineEdit) if f.isVisible())
    field.setText("someone/Other")
    visit.press("Look it up")
    number = visit.number
    assert visit.take() == [LookUpModel(name="someone/Other")]
    other = msgspec.structs.replace(SMOL, id="other", title="someone/Other")
    visit.reply(ModelFound(id=number, model=other))
    visit.press("Download: someone/Other")
    visit.take()
    field.setText("someone/Nobody")
    visit.press("Look it up")
    visit.reply(Refused(words="Hugging Face knows no such model."))
    assert "knows no such model" in text(visit.page)


def test_the_token_is_kept_by_the_helper(visit: Visit) -> None:
    """Whether there is one is asked when the card is unfolded that needs it."""
    visit.press("Details: Large")
    number = visit.number
    assert visit.take() == [ShowHubToken()]
    visit.reply(HubTokenShown(id=number, is_kept=False))
    fields = [f for f in visit.page.findChildren(QLineEdit) if f.isVisible()]
    token = next(f for f in fields if f.echoMode() is QLineEdit.EchoMode.Password)
    token.setText("hf_x")
    visit.press("Keep")
    visit.reply(Refused(words="This computer has no keyring."))
    assert "no keyring" in text(visit.page)
    visit.asked.clear()
    visit.press("Keep")
    number = visit.number
    assert visit.take() == [SetHubToken(token="hf_x")]  # noqa: S106 - a made-up one
    visit.reply(HubTokenShown(id=number, is_kept=True))
    assert token.text() == ""
    assert "The token is kept" in text(visit.page)


def test_a_token_in_place_of_another_is_said_to_be_kept(visit: Visit) -> None:
    """Each time, though there was one before; what is on its way stays in the field."""
    visit.press("Details: Large")
    visit.reply(HubTokenShown(id=visit.number, is_kept=True))
    fields = [f for f in visit.page.findChildren(QLineEdit) if f.isVisible()]
    token = next(f for f in fields if f.echoMode() is QLineEdit.EchoMode.Password)
    for typed in ("hf_a", "hf_b"):
        token.setText(typed)
        assert "The token is kept" not in text(visit.page) or typed == "hf_b"
        visit.press("Keep")
        assert token.text() == typed
        assert "The token is kept" not in text(visit.page)
        visit.reply(HubTokenShown(id=visit.number, is_kept=True))
        assert token.text() == ""
        assert "The token is kept" in text(visit.page)


def test_a_list_that_failed_can_be_asked_for_again(visit: Visit) -> None:
    """By its button."""
    visit.page.hide()
    visit.page.show()
    visit.reply(Refused(words="The helper of this window ended."))
    assert "The helper of this window ended." in text(visit.page)
    visit.take()
    visit.press("Try again")
    assert visit.take() == [ListModels()]
    assert "The helper of this window ended." not in text(visit.page)


def test_unseen_it_listens_and_does_not_draw(visit: Visit) -> None:
    """A round a second would otherwise be spent on cards that nobody sees."""
    cards = visit.page.parts
    visit.page.hide()
    visit.reply(with_models(SPARK, HERE))
    visit.page.show_state(state("smol"))
    assert visit.page.parts == cards
    visit.page.show()
    assert visit.page.parts != cards
    assert "Chosen" in text(visit.page)


def test_a_model_that_was_chosen_elsewhere_is_fetched(qtbot: QtBot, tmp_path: Path) -> None:
    """Once, however often somebody is sent for it."""
    visit = Visit(qtbot, tmp_path)
    visit.take()
    visit.page.take("smollm2-135m")
    visit.page.take("smollm2-135m")
    assert visit.take() == [FetchModel(model="smollm2-135m")]


@pytest.mark.parametrize(
    ("title", "form", "name"),
    [
        ("SmolLM2 135M", "gguf", "SmolLM2-135M.gguf"),
        ("someone/Tiny-Model", "peft", "someone-Tiny-Model-adapter"),
        ("..", "merged", "model-model"),
    ],
)
def test_a_name_is_proposed_that_every_system_can_write(title: str, form: Form, name: str) -> None:
    """No slashes, no blanks, never a hidden file."""
    assert proposed_name(title, form) == name


def test_a_folder_is_never_one_that_is_there(tmp_path: Path) -> None:
    """The next free name is taken."""
    assert free_place(tmp_path, "x") == tmp_path / "x"
    (tmp_path / "x").mkdir()
    (tmp_path / "x-2").mkdir()
    assert free_place(tmp_path, "x") == tmp_path / "x-3"


@pytest.mark.parametrize(("form", "ending"), [("gguf", "a.gguf"), ("merged", "proposed")])
def test_the_dialog_does_not_hold_the_window(
    qtbot: QtBot, tmp_path: Path, form: Form, ending: str
) -> None:
    """It opens and returns; a file is named, of a folder only the place."""
    parent = QWidget()
    qtbot.addWidget(parent)
    places: list[Path] = []
    ask_place(parent, form, "proposed", places.append)
    (dialog,) = parent.findChildren(QFileDialog)
    assert places == []
    dialog.fileSelected.emit(str(tmp_path / "a.gguf" if form == "gguf" else tmp_path))
    assert places == [tmp_path / ending]
    dialog.close()
    QApplication.processEvents()
