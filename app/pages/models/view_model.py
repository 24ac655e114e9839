"""What the page *Models* shows of a model, decided from what is known; pure, draws nothing."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.pages.models.progress import ProgressViewModel, at_rest, under_way
from app.pages.models.store import ModelListing, WorkOutcome
from app.state.app_state import AppState
from app.text.core_words import listed
from app.text.figures import size
from app.text.model_words import fit, parameters, round_time
from app.text.phrases import dotted, labelled
from core.api.models import ListedModel

translate = QCoreApplication.translate

Verb = Literal[
    "choose",
    "choose_anyway",
    "change_over",
    "fetch",
    "fetch_anyway",
    "pause",
    "cancel",
    "stop",
    "drop",
    "verify",
    "measure",
    "remove",
    "export",
    "reset",
    "restore",
    "delete",
    "reveal",
    "dismiss",
    "list",
    "show_token",
    "keep_token",
    "forget_token",
]
Tone = Literal["", "good", "mine", "trouble"]


@dataclass(frozen=True, slots=True)
class RowAction:
    """A button and what it wants."""

    text: str
    verb: Verb
    argument: str = ""
    asks: str = ""  # the question that comes first; empty: none does
    sure: str = ""  # what its yes is called; empty: as the button
    enabled: bool = True
    name: str = ""  # for a screen reader, where the text alone says too little


@dataclass(frozen=True, slots=True)
class Pill:
    """A word in a frame."""

    text: str
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class CardViewModel:
    """All that a card shows, folded."""

    sentence: str
    facts: str
    fit: str  # empty where nothing is known
    pills: tuple[Pill, ...]
    is_chosen: bool
    main: RowAction | None
    progress: ProgressViewModel | None
    ways: tuple[RowAction, ...]  # with the progress
    said: WorkOutcome | None


def card_view_model(model: ListedModel, listing: ModelListing, state: AppState) -> CardViewModel:
    """The card of ``model``."""
    job = listing.job_on(model.id)
    return CardViewModel(
        sentence=listed(model.sentence),
        facts=_facts(model),
        fit=_fit(model, listing, state),
        pills=_pills(model, state),
        is_chosen=model.id == state.chosen,
        main=_main(model, listing, state),
        progress=at_rest(model) if job is None else under_way(job[1]),
        ways=_ways(model, listing),
        said=listing.said.get(model.id),
    )


def means(listing: ModelListing, state: AppState) -> str:
    """What there is for models on this computer."""
    disk = translate("Models", "{} are free on the disk that holds them.")
    said = disk.format(size(listing.disk_free))
    if not state.is_running:
        return said
    memory = translate("Models", "Memory is measured while {} practises: without it, more is free.")
    return f"{said} {memory.format(state.model.title)}"


def order(listing: ModelListing, chosen: str) -> tuple[str, ...]:
    """The ids of the listed models: the chosen one, those that are here, then by fit."""

    def rank(model: ListedModel) -> int:
        if model.id == chosen:
            return 0
        if model.is_here:
            return 1
        if model.presence in ("partly", "damaged") or listing.job_on(model.id):
            return 2
        verdicts = ("fits", "tight", "too_large")
        return 3 + verdicts.index(model.fit.verdict if model.fit else "too_large")

    return tuple(model.id for model in sorted(listing.models, key=rank))


def wants_measuring(model: ListedModel, listing: ModelListing, state: AppState) -> bool:
    """Whether to find out how long a round of ``model`` takes as soon as it is chosen.

    Not beside a model that practises: both would be slower than they are.
    """
    is_unknown = model.round_s is None and not model.rounds
    may_fit = model.fit is not None and not _is_too_large(model)
    return is_unknown and may_fit and not state.is_running and listing.job_on(model.id) is None


def _is_too_large(model: ListedModel) -> bool:
    return model.fit is not None and model.fit.verdict == "too_large"


def _is_practising(model: ListedModel, state: AppState) -> bool:
    return state.is_running and state.node.model == model.id


def _is_next(model: ListedModel, state: AppState) -> bool:
    return model.id == state.chosen and state.is_running and not _is_practising(model, state)


def _facts(model: ListedModel) -> str:
    match model.presence:
        case "ships":
            where = translate("Models", "comes with Waggle")
        case "installed":
            where = translate("Models", "on this computer, {}").format(size(model.on_disk))
        case "available":
            where = translate("Models", "{} to download").format(size(model.download))
        case "partly":
            where = translate("Models", "a part is on this computer")
        case "damaged":
            where = translate("Models", "files of it are missing")
    count = parameters(model.parameters) if model.parameters else ""
    time = ""
    if model.round_s is not None:
        time = translate("Models", "a round takes {}").format(round_time(model.round_s))
    return dotted((count, where, time))


def _fit(model: ListedModel, listing: ModelListing, state: AppState) -> str:
    if _is_practising(model, state) or model.fit is None:
        return ""
    instead = listing.model(model.fit.instead)
    said = fit(model.fit, "" if instead is None else instead.title)
    return said if _has_room(model, listing, state) else f"{said} {_no_room(model, listing, state)}"


def _has_room(model: ListedModel, listing: ModelListing, state: AppState) -> bool:
    is_fetched = model.presence in ("available", "partly")
    return not is_fetched or _room(model, state) <= listing.disk_free


def _room(model: ListedModel, state: AppState) -> int:
    return model.download - model.came_in + state.settings.rules.disk_spare


def _no_room(model: ListedModel, listing: ModelListing, state: AppState) -> str:
    said = translate("Models", "The download needs {need} on the disk, and {free} are free there.")
    return said.format(need=size(_room(model, state)), free=size(listing.disk_free))


def _pills(model: ListedModel, state: AppState) -> tuple[Pill, ...]:
    pills = []
    if _is_practising(model, state):
        pills.append(Pill(translate("Models", "Practising now"), "good"))
    if model.id == state.chosen:
        is_next = _is_next(model, state)
        word = translate("Models", "Chosen next") if is_next else translate("Models", "Chosen")
        pills.append(Pill(word, "mine"))
    if model.fit is not None and not _is_practising(model, state):
        match model.fit.verdict:
            case "fits":
                pills.append(Pill(translate("Models", "Fits"), "good"))
            case "tight":
                pills.append(Pill(translate("Models", "Tight")))
            case "too_large":
                pills.append(Pill(translate("Models", "Too large"), "trouble"))
    return tuple(pills)


def _main(model: ListedModel, listing: ModelListing, state: AppState) -> RowAction | None:
    job = listing.job_on(model.id)
    if job is not None and not (job[1].kind == "measure" and model.is_here):
        return None  # one job at a time; only choosing is none
    if model.is_here:
        return _choosing(model, listing, state)
    text = {
        "available": translate("Models", "Download"),
        "partly": translate("Models", "Go on"),
        "damaged": translate("Models", "Download again"),
    }.get(model.presence, "")
    name = labelled(text, model.title)
    has_room = _has_room(model, listing, state)
    if not _is_too_large(model):
        return RowAction(text, "fetch", enabled=has_room, name=name)
    warning = translate(
        "Models",
        "This computer could probably not train it. {} Download it all the same?",
    ).format(_fit(model, listing, state))
    sure = translate("Models", "Download anyway")
    return RowAction(text, "fetch_anyway", asks=warning, sure=sure, enabled=has_room, name=name)


def _choosing(model: ListedModel, listing: ModelListing, state: AppState) -> RowAction | None:
    is_insisted_on = state.settings.window.anyway == model.id
    if _is_too_large(model) and not _is_practising(model, state) and not is_insisted_on:
        text = translate("Models", "Choose anyway")
        warning = translate(
            "Models",
            "It seems to need more memory than there is. The computer may become slow, and "
            "practice may end when the memory runs out; what it learnt until its last round is "
            "safe. Choose it all the same?",
        )
        return RowAction(text, "choose_anyway", asks=warning, name=labelled(text, model.title))
    if model.id == state.chosen:
        return _changing_over(model, listing, state) if _is_next(model, state) else None
    text = translate("Models", "Choose")
    return RowAction(text, "choose", name=labelled(text, model.title))


def _changing_over(model: ListedModel, listing: ModelListing, state: AppState) -> RowAction:
    """The chosen model in place of the one that practises, now and not with the next start."""
    if listing.is_changing:
        text = translate("Models", "Finishing the round…")
    else:
        text = translate("Models", "Change over now")
    is_free = not listing.is_changing and state.node.wish != "stop"
    return RowAction(text, "change_over", enabled=is_free, name=labelled(text, model.title))


def _ways(model: ListedModel, listing: ModelListing) -> tuple[RowAction, ...]:
    found = listing.job_on(model.id)
    discard = translate("Models", "Throw away what came in of {}?").format(model.title)
    sure = translate("Models", "Throw it away")
    if found is None:
        if model.presence != "partly":
            return ()
        return (RowAction(translate("Models", "Throw away"), "drop", asks=discard, sure=sure),)
    _, job = found
    free = not job.is_ending
    if job.kind == "fetch":
        keeps = translate("Models", "Pause would keep it.")
        asks = f"{discard} {keeps}"
        return (
            RowAction(translate("Models", "Pause"), "pause", enabled=free),
            RowAction(translate("Models", "Cancel"), "cancel", asks=asks, sure=sure, enabled=free),
        )
    if job.kind in ("verify", "export", "measure"):
        return (RowAction(translate("Models", "Stop"), "stop", enabled=free),)
    return ()
