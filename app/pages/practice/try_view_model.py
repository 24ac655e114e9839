"""What *Try it* says; pure."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.state.model_choices import ModelChoice
from app.text.core_words import listed
from app.text.figures import figure
from core.api.practice import ModelTried

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class TryViewModel:
    """A question that was asked, and who answered."""

    heading: str
    before: str  # over what the base model answered
    now: str
    note: str  # what the comparison means; empty where it speaks for itself


def try_view_model(tried: ModelTried) -> TryViewModel:
    """Put the frame of ``tried`` in words."""
    return TryViewModel(
        heading=listed(tried.title) or translate("Practice", "Your own words"),
        before=translate("Practice", "Before any practice"),
        now=_now(tried.round),
        note=_note(tried),
    )


def hint(model: ModelChoice) -> str:
    """What may be asked of ``model``; the models that ship have seen nothing but puzzles."""
    if model.repo is not None:
        return translate(
            "Practice",
            "It was made for conversation, and practises puzzles here. Small models make "
            "things up: do not rely on what it says.",
        )
    return translate(
        "Practice",
        "{} has never read anything but puzzles. Asked something else, it answers as if that "
        "were a puzzle, or nonsense.",
    ).format(model.title)


def _now(rounds: int) -> str:
    if rounds == 0:
        return translate("Practice", "Today, not practised yet")
    if rounds == 1:
        return translate("Practice", "Today, after 1 round")
    return translate("Practice", "Today, after {} rounds").format(figure(rounds))


def _note(tried: ModelTried) -> str:
    if tried.round == 0:
        return translate("Practice", "It has not practised yet, so both are the same model.")
    if tried.before == tried.now:
        return translate("Practice", "The same answers: practice made no difference here.")
    if not tried.title:
        return translate("Practice", "Answers to your own words are not judged by anybody.")
    return translate("Practice", "One puzzle proves little. The exam asks many.")
