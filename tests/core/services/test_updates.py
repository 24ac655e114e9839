"""Updates, as the helper does it."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.api.requests import Reply
from core.api.updates import GetUpdate, LookForUpdate, ShowUpdates, UpdateProgress, UpdatesShown
from core.errors import UpdateError
from core.services.service import ServiceContext
from core.services.updates import UpdateServices, show_updates
from core.settings import Settings, UpdatesSettings, save_settings
from tests.update_source import UpdateSource, app_files, install

NAME = "waggle-0.2.0-linux-x86_64.tar.xz"


@dataclass
class Desk:
    """Where updates are asked for, and what was told."""

    services: UpdateServices
    place: ServiceContext
    told: list[Reply]

    async def look(self, *, only_if_due: bool = False) -> None:
        await self.services.look(
            LookForUpdate(only_if_due=only_if_due), self.place, self.told.append
        )

    async def get(self) -> None:
        await self.services.get(GetUpdate(), self.place, self.told.append)

    def shown(self) -> UpdatesShown:
        return shown(self.told)


@pytest.fixture
def desk(source: UpdateSource, place: ServiceContext, told: list[Reply], tmp_path: Path) -> Desk:
    here = install(tmp_path / "apps" / "waggle", app_files("0.1.0"))
    return Desk(UpdateServices(source.means(here)), place, told)


def shown(told: list[Reply]) -> UpdatesShown:
    assert isinstance(told[-1], UpdatesShown)
    return told[-1]


async def test_this_checkout_is_nobodys_to_update(place: ServiceContext, told: list[Reply]) -> None:
    """As the real helper answers here."""
    await show_updates(ShowUpdates(), place, told.append)
    assert shown(told).obstacle == "source"


async def test_showing_asks_nobody(source: UpdateSource, desk: Desk) -> None:
    """Only a look does."""
    source.release("0.2.0")
    await desk.services.show(ShowUpdates(), desk.place, desk.told.append)
    assert (desk.shown().newest, source.served.total()) == ("", 0)
    await desk.look()
    assert desk.shown().newest == "0.2.0"
    assert desk.shown().looked_at == pytest.approx(time.time(), abs=60)


async def test_off_means_that_the_window_never_asks(source: UpdateSource, desk: Desk) -> None:
    """By itself; a person may."""
    source.release("0.2.0")
    save_settings(Settings(updates=UpdatesSettings(when="off")), desk.place.home.settings)
    await desk.look(only_if_due=True)
    assert source.served.total() == 0
    await desk.look()
    assert desk.shown().newest == "0.2.0"


async def test_the_window_asks_now_and_then(source: UpdateSource, desk: Desk) -> None:
    """Not at every start."""
    await desk.look(only_if_due=True)
    served = source.served.total()
    assert served
    await desk.look(only_if_due=True)
    assert source.served.total() == served


async def test_progress_is_told_calmly(source: UpdateSource, desk: Desk) -> None:
    """At most once a percent, and the command at the end."""
    source.release("0.2.0", app_files("0.2.0") | {"more": "x" * 2_000_000})
    await desk.get()
    progress = [answer for answer in desk.told if isinstance(answer, UpdateProgress)]
    assert progress[0].stage == "looking"
    assert progress[-1].stage == "unpacking"
    assert 3 <= len(progress) <= 110
    assert desk.shown().command


async def test_trouble_is_told_in_words(source: UpdateSource, desk: Desk) -> None:
    """By the error that the helper answers with."""
    source.trouble.errors["/"] = 503
    with pytest.raises(UpdateError, match="cannot be reached"):
        await desk.look()


async def test_a_cancelled_download_goes_on_later(source: UpdateSource, desk: Desk) -> None:
    """What came is kept, and the next one waits until the first has really ended."""
    source.release("0.2.0", app_files("0.2.0") | {"more": "x" * 4_000_000})
    some = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(answer: Reply) -> None:
        if isinstance(answer, UpdateProgress) and answer.done:
            loop.call_soon_threadsafe(some.set)

    async with asyncio.TaskGroup() as group:
        getting = group.create_task(desk.services.get(GetUpdate(), desk.place, tell))
        await some.wait()
        getting.cancel()
        with suppress(asyncio.CancelledError):
            await getting
    await desk.get()
    assert desk.shown().command
