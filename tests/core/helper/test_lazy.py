"""A service that is loaded late, and what comes of it."""

from pathlib import Path

import pytest

from core.api.models import HubTokenShown, ShowHubToken
from core.api.requests import Reply
from core.helper.lazy import LazyService
from core.paths import Home
from core.services.service import ServiceContext


async def test_a_late_service_works_as_if_it_had_been_there(tmp_path: Path) -> None:
    """It is given the request and the place, and what it tells is passed on."""
    answers: list[Reply] = []
    await LazyService("hub_token", "show_hub_token")(
        ShowHubToken(), ServiceContext(Home(tmp_path)), answers.append
    )
    assert [type(answer) for answer in answers] == [HubTokenShown]


def test_an_service_that_does_not_exist_is_a_mistake_of_ours() -> None:
    """A slip in the table cannot pass for a service."""
    with pytest.raises(AttributeError):
        LazyService("hub_token", "no_such_errand").load()
