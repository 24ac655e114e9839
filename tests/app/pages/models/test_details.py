"""What a card shows when it is unfolded."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from app.pages.models.details import DetailRow, Token, details
from app.pages.models.store import ACCESS, Job, WorkOutcome, apply_reply, begin
from core.api.models import ListedModel
from core.api.requests import Refused
from core.models.catalog.inspection import LICENCE
from core.paths import HOW_TO_START_OVER
from tests.app.languages import speaking
from tests.app.pages.models.samples import (
    BACKUP,
    LARGE,
    MB,
    SIZES,
    SMOL,
    SPARK,
    listing,
    state,
)

HERE = replace(
    SMOL,
    presence="installed",
    on_disk=271 * MB,
    learnt=58 * MB,
    rounds=120,
    exports=SIZES,
    backups=(BACKUP,),
)


def rows(model: ListedModel, running: str = "") -> dict[str, DetailRow]:
    found = details(model, listing(), state(running=running)).rows
    return {f"{row.act.verb} {row.act.argument}".strip(): row for row in found}


def test_facts_are_told_in_words() -> None:
    """What was practised, what is on the disk, where it comes from, and its licence."""
    facts = dict(details(HERE, listing(), state()).facts)
    assert facts["Practised here"] == "120 rounds"
    assert facts["On the disk"].replace("\u00a0", " ") == "the model 271 MB, what it learnt 58 MB"
    assert facts["Comes from"] == "huggingface.co/someone/Smol"
    assert facts["Licence"] == "Apache-2.0"
    untouched = dict(details(SPARK, listing(), state()).facts)
    assert untouched["Practised here"] == "none so far"
    assert "Comes from" not in untouched
    assert dict(details(LARGE, listing(), state()).facts)["Licence"].endswith("accept it.")


def test_the_licence_of_a_model_chosen_by_its_name_is_said_in_german(qapp: QApplication) -> None:
    """No list of ours has it; the others' names are the same everywhere."""
    chosen = replace(HERE, licence=LICENCE)
    with speaking(qapp, "de"):
        facts = [dict(details(one, listing(), state()).facts) for one in (chosen, HERE)]
    assert [one["Lizenz"] for one in facts] == ["siehe seine Seite auf Hugging Face", "Apache-2.0"]


def test_each_form_says_what_it_is_for_and_how_large_it_gets() -> None:
    """Before anything is loaded."""
    found = rows(HERE)
    assert "LM Studio" in found["export gguf f16"].note
    assert found["export gguf f16"].note.endswith("about 270\u00a0MB.")
    assert found["export gguf q8_0"].note.endswith("about 143\u00a0MB.")
    assert found["export peft f16"].title.startswith("The learnt part only")
    assert found["export merged f16"].title == "Whole model"
    assert all(found[name].act.name.endswith(found[name].title) for name in found if "exp" in name)


def test_what_an_error_advises_is_there_under_its_name() -> None:
    """Whoever is told to start over finds these very words on a button."""
    assert f" {rows(HERE)['reset'].act.text} " in HOW_TO_START_OVER


@pytest.mark.parametrize(
    ("model", "verbs"),
    [
        (SPARK, {"export", "measure"}),
        (replace(SPARK, exports=SIZES, rounds=3), {"export", "reset"}),
        (SMOL, {"measure"}),
        (HERE, {"export", "verify", "remove", "reset", "restore"}),
        (replace(SMOL, presence="damaged"), {"verify", "remove", "measure"}),
        (replace(SMOL, rounds=3, backups=(BACKUP,)), {"reset", "restore"}),
    ],
)
def test_only_what_makes_sense_is_offered(model: ListedModel, verbs: set[str]) -> None:
    """What is not here cannot be taken away, what ships cannot be removed."""
    assert {name.split()[0] for name in rows(model)} == verbs


def test_what_cannot_be_taken_back_at_once_is_asked_first() -> None:
    """To bring a backup back loses nothing, so it is not."""
    found = rows(HERE)
    assert "Remove Smol" in found["remove"].act.asks
    assert "A backup is kept" in found["reset"].act.asks
    assert not found["verify"].act.asks
    assert not found[f"restore {BACKUP.name}"].act.asks


def test_a_backup_can_be_deleted_beside_being_brought_back() -> None:
    """With a question that has its date and its size; also while a model practises."""
    for running in ("", "spark"):
        delete = rows(HERE, running=running)[f"restore {BACKUP.name}"].other
        assert delete is not None
        assert (delete.verb, delete.argument, delete.enabled) == ("delete", BACKUP.name, True)
        assert "2026" in delete.asks
        assert "19\u00a0MB" in delete.asks
        assert delete.name.startswith("Delete…: Backup of")
    busy = begin(listing(), 3, Job("verify", "smol"))
    (row,) = (row for row in details(HERE, busy, state()).rows if row.other is not None)
    assert not any(act.enabled for act in row.acts)


def test_files_are_left_alone_while_anything_practises() -> None:
    """It says what to do; exporting and checking only read."""
    found = rows(HERE, running="spark")
    for name in ("remove", "reset", f"restore {BACKUP.name}"):
        assert not found[name].act.enabled
        assert found[name].note == "Finish or stop practising first."
    assert found["export gguf f16"].act.enabled
    assert found["verify"].act.enabled


def test_a_model_is_worked_on_by_one_thing_at_a_time() -> None:
    """The others wait."""
    busy = begin(listing(), 3, Job("verify", "smol"))
    assert not any(row.act.enabled for row in details(HERE, busy, state()).rows)


def test_a_token_is_asked_for_where_it_is_needed() -> None:
    """Until the model is here; trouble with it is told."""
    assert details(SMOL, listing(), state()).token is None
    assert details(replace(LARGE, presence="installed"), listing(), state()).token is None
    asked = details(LARGE, listing(), state()).token
    assert asked is not None
    assert asked == Token(is_kept=False)
    told, _ = apply_reply(
        begin(listing(), 3, Job("ask", ACCESS)), Refused(id=3, words="No keyring.")
    )
    troubled = details(LARGE, told, state()).token
    assert troubled == Token(is_kept=False, said=WorkOutcome("No keyring.", is_trouble=True))


def test_groups_have_headings() -> None:
    """One each."""
    found = details(HERE, listing(), state()).rows
    assert [row.heading for row in found if row.heading] == [
        "Take it away",
        "Look after it",
        "What it had learnt before",
    ]


def test_before_it_practised_its_rounds_can_be_measured() -> None:
    """Beside another one it would seem slower; afterwards its rounds tell."""
    assert rows(SMOL)["measure"].act.enabled
    assert not rows(SMOL, running="spark")["measure"].act.enabled
    assert "measure" not in rows(HERE)
    assert "measure" not in rows(LARGE)
