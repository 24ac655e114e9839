"""What a card shows when it is unfolded; pure, draws nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.pages.models.requests import FORMS
from app.pages.models.store import ACCESS, ModelListing, WorkOutcome
from app.pages.models.view_model import RowAction, Verb
from app.state.app_state import AppState
from app.text.core_words import listed
from app.text.figures import size
from app.text.model_words import rounds
from app.text.moments import moment
from app.text.phrases import at_rest_only, labelled, series
from core.api.models import Form, ListedModel, Quant

translate = QCoreApplication.translate

_AT_REST: Final[frozenset[Verb]] = frozenset({"remove", "reset", "restore", "measure"})
"""What would move files that a node reads or writes, or measure beside it."""


@dataclass(frozen=True, slots=True)
class DetailRow:
    """Something that can be done, what it means, and its button; in a few cases a second one."""

    title: str
    note: str
    act: RowAction
    heading: str = ""  # of it and those that follow
    other: RowAction | None = None  # before ``act``

    @property
    def acts(self) -> tuple[RowAction, ...]:
        """All that can be done, from left to right."""
        return (self.act,) if self.other is None else (self.other, self.act)


@dataclass(frozen=True, slots=True)
class Token:
    """How it stands with the access token."""

    is_kept: bool
    said: WorkOutcome | None = None  # what became of the last thing that was done about it


@dataclass(frozen=True, slots=True)
class Details:
    """All that is unfolded."""

    facts: tuple[tuple[str, str], ...]  # names and values
    rows: tuple[DetailRow, ...]
    token: Token | None  # None: it can be fetched without one


def details(model: ListedModel, listing: ModelListing, state: AppState) -> Details:
    """What there is to know and to do about ``model``."""
    is_free = listing.job_on(model.id) is None
    rows = tuple(
        _allowed(row, is_free=is_free, is_running=state.is_running)
        for row in (
            *_headed(translate("Models", "Take it away"), _exports(model)),
            *_headed(translate("Models", "Look after it"), _care(model)),
            *_headed(translate("Models", "What it had learnt before"), _backups(model)),
        )
    )
    token = _token(listing) if model.gated and not model.is_here else None
    return Details(tuple(_facts(model)), rows, token)


def _token(listing: ModelListing) -> Token:
    return Token(bool(listing.has_token), listing.said.get(ACCESS))


def _headed(heading: str, rows: Iterator[DetailRow]) -> Iterator[DetailRow]:
    for number, row in enumerate(rows):
        yield row if number else replace(row, heading=heading)


def _allowed(row: DetailRow, *, is_free: bool, is_running: bool) -> DetailRow:
    """``row`` as it can be used now: one thing at a time, some only while nothing practises."""
    other = None if row.other is None else replace(row.other, enabled=is_free)
    if row.act.verb in _AT_REST and is_running:
        act = replace(row.act, enabled=False)
        return replace(row, note=at_rest_only(), act=act, other=other)
    return replace(row, act=replace(row.act, enabled=is_free), other=other)


def _facts(model: ListedModel) -> Iterator[tuple[str, str]]:
    practised = translate("Models", "none so far") if not model.rounds else rounds(model.rounds)
    yield translate("Models", "Practised here"), practised
    if model.on_disk or model.learnt:
        files = translate("Models", "the model {}").format(size(model.on_disk))
        learnt = translate("Models", "what it learnt {}").format(size(model.learnt))
        parts = (files if model.on_disk else "", learnt if model.learnt else "")
        yield translate("Models", "On the disk"), series(parts)
    if model.repo:
        yield translate("Models", "Comes from"), f"huggingface.co/{model.repo}"
    if model.licence:
        licence = listed(model.licence)
        terms = f"{licence}. {listed(model.terms)}" if model.terms else licence
        yield translate("Models", "Licence"), terms


def _exports(model: ListedModel) -> Iterator[DetailRow]:
    sizes = model.exports
    if sizes is None:
        return
    save = translate("Models", "Save…")
    told: dict[tuple[Form, Quant], tuple[str, str, int]] = {
        ("gguf", "f16"): (
            translate("Models", "For other apps (GGUF)"),
            translate("Models", "One file for LM Studio, llama.cpp and the like; about {}."),
            sizes.gguf,
        ),
        ("gguf", "q8_0"): (
            translate("Models", "For other apps, half the size (GGUF, 8 bit)"),
            translate("Models", "Answers nearly the same; about {}."),
            sizes.gguf_q8_0,
        ),
        ("peft", "f16"): (
            translate("Models", "The learnt part only (adapter)"),
            translate("Models", "A folder for PEFT, used with the base model; about {}."),
            sizes.peft,
        ),
        ("merged", "f16"): (
            translate("Models", "Whole model"),
            translate("Models", "A folder for programs that use transformers; about {}."),
            sizes.merged,
        ),
    }
    for name, form in FORMS.items():
        title, note, number = told[form]
        act = RowAction(save, "export", name, name=labelled(save, title))
        yield DetailRow(title, note.format(size(number)), act)


def _care(model: ListedModel) -> Iterator[DetailRow]:
    if not model.rounds and model.fit is not None and model.fit.verdict != "too_large":
        yield DetailRow(
            translate("Models", "How long a round will take here"),
            translate(
                "Models",
                "Measured with random numbers in its place, in a minute or two. Once it "
                "practises, its rounds tell.",
            ),
            RowAction(translate("Models", "Measure"), "measure"),
        )
    if model.presence in ("installed", "damaged"):
        yield DetailRow(
            translate("Models", "Check its files"),
            translate("Models", "Compares every file with what Hugging Face announced."),
            RowAction(translate("Models", "Check"), "verify"),
        )
        note = translate("Models", "Sets {} free. What it learnt is kept, for when it comes back.")
        asks = translate("Models", "Remove {} from this computer?").format(model.title)
        yield DetailRow(
            translate("Models", "Remove it from this computer"),
            note.format(size(model.on_disk)),
            RowAction(translate("Models", "Remove…"), "remove", asks=asks),
        )
    if model.rounds:
        note = translate("Models", "What it learnt in {} is put aside as a backup.")
        asks = translate(
            "Models",
            "Start {} over? It forgets what it learnt here. A backup is kept, and you can bring "
            "it back.",
        )
        yield DetailRow(
            translate("Models", "Start over from the base"),
            note.format(rounds(model.rounds)),
            RowAction(translate("Models", "Start over…"), "reset", asks=asks.format(model.title)),
        )


def _backups(model: ListedModel) -> Iterator[DetailRow]:
    for backup in model.backups:
        title = translate("Models", "Backup of {}").format(moment(backup.at))
        note = translate("Models", "{rounds}; {size}. What it learnt since is put aside.")
        back, delete = translate("Models", "Bring back"), translate("Models", "Delete…")
        asks = translate(
            "Models",
            "Delete the backup of {when} ({size})? What it had learnt by then is gone for good. "
            "Its rounds still count as your contribution.",
        ).format(when=moment(backup.at), size=size(backup.size))
        yield DetailRow(
            title,
            note.format(rounds=rounds(backup.rounds), size=size(backup.size)),
            RowAction(back, "restore", backup.name, name=labelled(back, title)),
            other=RowAction(delete, "delete", backup.name, asks=asks, name=labelled(delete, title)),
        )
