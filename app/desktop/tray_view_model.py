"""What the icon in the tray shows and offers, decided from what is known; pure, no Qt."""

from dataclasses import dataclass
from typing import Literal

from app.state.app_state import AppState
from app.state.run_status import Button, Tone, run_status
from core.api.preview import cut

Shape = Literal["idle", "practising", "paused", "trouble"]

MOST_CHARACTERS = 110  # Windows cuts a tip at 127, title included


@dataclass(frozen=True, slots=True)
class TrayViewModel:
    """All that the icon shows and offers."""

    shape: Shape
    words: str
    can_join: bool  # otherwise it runs, or the window is leaving, or nobody has agreed yet
    is_running: bool
    resumes: bool  # it is held: the same entry goes on
    pause: Button
    finish: Button


def tray_view_model(state: AppState) -> TrayViewModel:
    """Put ``state`` into a shape, a sentence and entries."""
    looks = run_status(state)
    said = looks.trouble if looks.tone == "trouble" and looks.trouble else looks.status
    return TrayViewModel(
        shape=_shape(state, looks.tone),
        words=cut(said, MOST_CHARACTERS),
        can_join=_can_join(state),
        is_running=state.is_running,
        resumes=looks.resumes,
        pause=looks.pause,
        finish=looks.finish,
    )


def _can_join(state: AppState) -> bool:
    return not (state.is_running or state.is_leaving) and state.settings.window.consent


def _shape(state: AppState, tone: Tone) -> Shape:
    if tone == "trouble":
        return "trouble"
    if not state.is_running:
        return "idle"
    return "paused" if state.node.activity == "paused" else "practising"
