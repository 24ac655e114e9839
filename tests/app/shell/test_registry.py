"""Every page that has a name can be made."""

from typing import get_args

from pytestqt.qtbot import QtBot

from app.pages.page import Page
from app.shell.registry import MODULES, PAGES
from app.state.intents import PageName
from app.style.theme import LIGHT
from tests.fake_actions import FakeActions


def test_every_name_has_its_page(actions: FakeActions, qtbot: QtBot) -> None:
    """One each, in the order of the rail, and each of its own kind."""
    assert tuple(PAGES) == get_args(PageName)
    pages = [make(LIGHT, actions) for make in PAGES.values()]
    for page in pages:
        qtbot.addWidget(page)
        assert isinstance(page, Page)
    assert len({type(page) for page in pages}) == len(pages)


def test_each_page_but_home_has_a_module_to_be_loaded_early(
    actions: FakeActions, qtbot: QtBot
) -> None:
    """The one that its class comes from."""
    pages = {name: make(LIGHT, actions) for name, make in PAGES.items() if name != "home"}
    for page in pages.values():
        qtbot.addWidget(page)
    assert tuple(type(page).__module__ for page in pages.values()) == MODULES
