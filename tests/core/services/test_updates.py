"""Updates, as the helper does it."""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.api.requests import Reply
from core.api.updates import GetUpdate, LookForUpdate, ShowUpdates, UpdateProgress, UpdatesShown
from core.errors import UpdateError
from core.paths import Home
from core.services.service import ServiceContext
from core.services.updates import UpdateServices, show_updates
from core.settings import Settings, UpdatesSettings, save_settings
from tests.update_source import UpdateSource, app_files, install

NAME = "waggle-0.2.0-linux-x86_64.tar.xz"


@pytest.fixture
def source(tmp_path: Path) -> Iterator[UpdateSource]:
    if sys.platform == "win32":
        pytest.skip("the tiny Waggles are shell scripts")
    (tmp_path / "source").mkdir()
    with UpdateSource(tmp_path / "source").running() as running:
        yield running


@pytest.fixture
def place(tmp_path: Path) -> ServiceContext:
    home = Home(tmp_path / "home")
    home.prepare()
    return ServiceContext(home)


@pytest.fixture
def services(source: UpdateSource, tmp_path: Path) -> UpdateServices:
    here = install(tmp_path / "apps" / "waggle", app_files("0.1.0"))
    return UpdateServices(source.means(here))


@pytest.fixture
def told() -> list[Reply]:
    return []


def shown(told: list[Reply]) -> UpdatesShown:
    assert isinstance(told[-1], UpdatesShown)
    return told[-1]


async def test_this_checkout_is_nobodys_to_update(place: ServiceContext, told: list[Reply]) -> None:
    """As the real helper answers here."""
    await show_updates(ShowUpdates(), place, told.append)
    assert (shown(told).kind, shown(told).obstacle) == ("source", "source")


async def test_showing_asks_nobody(
    source: UpdateSource, services: UpdateServices, place: ServiceContext, told: list[Reply]
) -> None:
    """Only a look does."""
    source.release("0.2.0")
    await services.show(ShowUpdates(), place, told.append)
    assert (shown(told).newest, source.served.total()) == ("", 0)
    await services.look(LookForUpdate(), place, told.append)
    assert shown(told).newest == "0.2.0"
    assert shown(told).looked_at == pytest.approx(time.time(), abs=60)


async def test_off_means_that_the_window_never_asks(
    source: UpdateSource, services: UpdateServices, place: ServiceContext, told: list[Reply]
) -> None:
    """By itself; a person may."""
    source.release("0.2.0")
    save_settings(Settings(updates=UpdatesSettings(when="off")), place.home.settings)
    await services.look(LookForUpdate(only_if_due=True), place, told.append)
    assert source.served.total() == 0
    await services.look(LookForUpdate(), place, told.append)
    assert shown(told).newest == "0.2.0"


async def test_the_window_asks_now_and_then(
    source: UpdateSource, services: UpdateServices, place: ServiceContext, told: list[Reply]
) -> None:
    """Not at every start."""
    await services.look(LookForUpdate(only_if_due=True), place, told.append)
    served = source.served.total()
    assert served
    await services.look(LookForUpdate(only_if_due=True), place, told.append)
    assert source.served.total() == served


async def test_progress_is_told_calmly(
    source: UpdateSource, services: UpdateServices, place: ServiceContext, told: list[Reply]
) -> None:
    """At most once a percent, and the command at the end."""
    source.release("0.2.0", app_files("0.2.0") | {"more": "x" * 2_000_000})
    await services.get(GetUpdate(), place, told.append)
    progress = [answer for answer in told if isinstance(answer, UpdateProgress)]
    assert progress[0].stage == "looking"
    assert progress[-1].stage == "unpacking"
    assert 3 <= len(progress) <= 110
    assert shown(told).command


async def test_trouble_is_told_in_words(
    source: UpdateSource, services: UpdateServices, place: ServiceContext, told: list[Reply]
) -> None:
    """By the error that the helper answers with."""
    source.trouble.errors["/"] = 503
    with pytest.raises(UpdateError, match="cannot be reached"):
        await services.look(LookForUpdate(), place, told.append)


async def test_a_cancelled_download_goes_on_later(
    source: UpdateSource, services: UpdateServices, place: ServiceContext, told: list[Reply]
) -> None:
    """What came is kept, and the next one waits until the first has really ended."""
    source.release("0.2.0", app_files("0.2.0") | {"more": "x" * 4_000_000})
    some = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(answer: Reply) -> None:
        if isinstance(answer, UpdateProgress) and answer.done:
            loop.call_soon_threadsafe(some.set)

    async with asyncio.TaskGroup() as group:
        getting = group.create_task(services.get(GetUpdate(), place, tell))
        await some.wait()
        getting.cancel()
        with suppress(asyncio.CancelledError):
            await getting
    await services.get(GetUpdate(), place, told.append)
    assert shown(told).command
