"""What *Updates* says; pure."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.text.figures import size
from app.text.moments import moment
from core.api.updates import UpdateProgress, UpdatesShown

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class UpdatesViewModel:
    """The card as a person sees it."""

    sentence: str
    details: str = ""
    can_look: bool = False
    can_install: bool = False


def updates_view_model(shown: UpdatesShown) -> UpdatesViewModel:
    """What is known, in words, and what can be done about it."""
    if shown.obstacle != "none":
        here = translate("Updates", "This is Waggle {}.").format(shown.installed)
        return UpdatesViewModel(here, _why_not(shown))
    if not shown.newest:
        newest = translate("Updates", "Waggle {} is the newest.")
        unknown = translate("Updates", "This is Waggle {}.")
        sentence = (newest if shown.looked_at else unknown).format(shown.installed)
        return UpdatesViewModel(sentence, _details(shown), can_look=True)
    sentence = translate("Updates", "Waggle {newest} is there. You have {installed}.").format(
        newest=shown.newest, installed=shown.installed
    )
    return UpdatesViewModel(sentence, _details(shown), can_look=True, can_install=True)


def progress_in_words(progress: UpdateProgress) -> str:
    """What is being done."""
    match progress.stage:
        case "looking":
            return translate("Updates", "Looking for the newest…")
        case "downloading":
            words = translate("Updates", "Downloading: {done} of {total}")
            return words.format(done=size(progress.done), total=size(progress.total))
        case "unpacking" | "trying":
            return translate("Updates", "Unpacking it and trying it out…")


def share_of(progress: UpdateProgress) -> float | None:
    """How much of the download is there, 0 to 1; None where that is not known."""
    if progress.stage != "downloading" or not progress.total:
        return None
    return progress.done / progress.total


def _why_not(shown: UpdatesShown) -> str:
    match shown.obstacle:
        case "system":
            return translate(
                "Updates",
                "It came as a package of your system. Your system's package manager updates "
                "Waggle, and Waggle leaves that alone.",
            )
        case "source":
            return translate(
                "Updates",
                "It runs from its source. Update it the way you got it; Waggle leaves that alone.",
            )
        case "locked":
            words = translate(
                "Updates",
                "It lies in {place}, which you may not change. Ask whoever put it there, or move "
                "it to a folder of your own.",
            )
            return words.format(place=shown.place)
        case "unbuilt":
            return translate(
                "Updates",
                "No update source is built into it. Get newer ones from where you got this one.",
            )
        case "none":
            return ""


def _details(shown: UpdatesShown) -> str:
    parts = []
    if shown.failed:
        words = translate("Updates", "Waggle {} did not start here, so the one before came back.")
        parts.append(words.format(shown.failed))
    if shown.held_up and shown.newest:
        parts.append(
            translate(
                "Updates",
                "It could not be put in place, since something of Waggle ran on without the "
                "window, such as practice in a terminal. End that, then install it again.",
            )
        )
    if shown.newest:
        words = translate("Updates", "{} to download.")
        parts.append(words.format(size(shown.size)))
    if shown.looked_at:
        words = translate("Updates", "Last looked: {}.")
        parts.append(words.format(moment(shown.looked_at)))
    return " ".join(parts)
