"""The pages of the window and how they are made, each when it is first shown.

Together they take longer to load than the window takes to paint, so none but Home comes with it;
the others are loaded one by one when the window is there.
"""

from collections.abc import Callable, Mapping
from typing import get_args

from app.backend.actions import Actions
from app.pages.home.page import HomePage
from app.pages.page import Page
from app.state.intents import PageName
from app.style.theme import Palette


def _practice(palette: Palette, actions: Actions) -> Page:
    from app.pages.practice.page import PracticePage

    return PracticePage(palette, actions)


def _contribution(palette: Palette, actions: Actions) -> Page:
    from app.pages.contribution.page import ContributionPage

    return ContributionPage(palette, actions)


def _swarm(palette: Palette, actions: Actions) -> Page:
    from app.pages.swarm.page import SwarmPage

    return SwarmPage(palette, actions)


def _models(palette: Palette, actions: Actions) -> Page:
    from app.pages.models.page import ModelsPage

    return ModelsPage(palette, actions)


def _settings(palette: Palette, actions: Actions) -> Page:
    from app.pages.settings.page import SettingsPage

    return SettingsPage(palette, actions)


MODULES = tuple(f"app.pages.{name}.page" for name in get_args(PageName) if name != "home")
"""What the pages come from that do not come with the window."""

PAGES: Mapping[PageName, Callable[[Palette, Actions], Page]] = {
    "home": HomePage,
    "practice": _practice,
    "contribution": _contribution,
    "swarm": _swarm,
    "models": _models,
    "settings": _settings,
}
