"""What the window knows when it opens."""

from app.state.app_state import AppState
from app.state.model_choices import load_choices, pick
from core.paths import Home
from core.settings import load_settings


def first_state(home: Home) -> AppState:
    """What is known before anything runs; folders of ``home`` that are missing are made.

    Raises:
        WaggleError: ``home`` or the settings in it cannot be used; in words for a person.
    """
    home.prepare()
    settings = load_settings(home.settings)
    choices = load_choices(home.models)
    return AppState(
        choices=choices,
        chosen=pick(choices, settings.window.model),
        settings=settings,
        has_practised=home.ledger.exists(),
    )
