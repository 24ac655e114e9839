"""How far work on a model has come, in words and as a share."""

from dataclasses import dataclass
from typing import Literal, assert_never

from PySide6.QtCore import QCoreApplication

from app.pages.models.store import Job
from app.text.figures import size
from app.text.model_words import time_left
from app.text.phrases import dotted, labelled
from core.api.models import ListedModel, ModelProgress

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ProgressViewModel:
    """A bar and the words below it."""

    words: str
    share: float | None  # in [0, 1]; None: there is nothing to measure


def at_rest(model: ListedModel) -> ProgressViewModel | None:
    """What came in of a download that does not go on now; None where there is none."""
    if model.presence != "partly":
        return None
    words = translate("Models", "{done} of {total} are here. The rest can come any time.")
    return ProgressViewModel(
        words.format(done=size(model.came_in), total=size(model.download)),
        _share(model.came_in, model.download),
    )


def under_way(job: Job) -> ProgressViewModel:
    """How far ``job`` has come."""
    progress = job.progress
    share = None if progress is None else _share(progress.done, progress.total)
    return ProgressViewModel(_ending(job) if job.is_ending else _doing(job), share)


def _ending(job: Job) -> str:
    if job.kind == "fetch" and not job.drops:
        return translate("Models", "Pausing…")
    return translate("Models", "Stopping…")


def _doing(job: Job) -> str:
    match job.kind:
        case "fetch":
            words = _fetching(job.progress)
        case "verify":
            words = _counted(translate("Models", "Reading every file"), job.progress)
        case "export":
            words = _writing(job.progress)
        case "remove" | "drop" | "delete":
            words = translate("Models", "Removing…")
        case "reset" | "restore" | "measure":
            words = _waiting(job.kind)
        case "ask" | "token":
            words = ""
        case _:
            assert_never(job.kind)
    return words


def _waiting(kind: Literal["reset", "restore", "measure"]) -> str:
    """What is not counted while it goes on."""
    match kind:
        case "reset":
            return translate("Models", "Putting aside what it learnt…")
        case "restore":
            return translate("Models", "Bringing it back…")
        case "measure":
            return translate("Models", "Measuring how long a round will take…")


def _fetching(progress: ModelProgress | None) -> str:
    if progress is None:
        return translate("Models", "Starting…")
    match progress.stage:
        case "waiting" if progress.total == 0:
            return translate("Models", "Asking Hugging Face…")
        case "waiting":
            return translate("Models", "The line broke; trying again. What came in is kept.")
        case "verifying":
            return _counted(translate("Models", "Checking what came in"), progress)
        case "downloading" | "writing":
            return _arriving(progress)
        case _:
            assert_never(progress.stage)


def _arriving(progress: ModelProgress) -> str:
    parts = [_counted("", progress)]
    if progress.per_second > 0:
        parts.append(translate("Models", "{} a second").format(size(progress.per_second)))
        parts.append(time_left((progress.total - progress.done) / progress.per_second))
    return dotted(parts)


def _writing(progress: ModelProgress | None) -> str:
    if progress is None or progress.done == 0:
        return translate("Models", "Getting the model ready…")
    return _counted(translate("Models", "Writing"), progress)


def _counted(doing: str, progress: ModelProgress | None) -> str:
    if progress is None or progress.total == 0:
        return f"{doing}…"
    words = translate("Models", "{done} of {total}")
    counted = words.format(done=size(progress.done), total=size(progress.total))
    return labelled(doing, counted) if doing else counted


def _share(done: int, total: int) -> float:
    return min(1.0, done / total) if total else 0.0
