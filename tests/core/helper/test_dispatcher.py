"""Services side by side: what each says, and how it ends."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace

from core.api.requests import Cancel, Cancelled, Done, Reply, Request, refused
from core.errors import DiskFullError, WaggleError
from core.helper.dispatcher import UNEXPECTED, UNKNOWN, Dispatcher
from core.i18n import translatable
from core.paths import Home
from core.services.service import SendReply, Service, ServiceContext

FULL = refused(DiskFullError(translatable("The disk is full.")))


class Work(Request, frozen=True, tag="work"):
    """Dig until the gate opens."""


class Fail(Request, frozen=True, tag="fail"):
    """Fail, with a reason for the person or by mistake."""

    by_mistake: bool = False


class Tidy(Request, frozen=True, tag="tidy"):
    """Take a while to put away."""


class Hurry(Request, frozen=True, tag="hurry"):
    """Run out of time, and take long to put away."""


class Chatter(Request, frozen=True, tag="chatter"):
    """Say more than there is to say, from another thread."""


class Dug(Reply, frozen=True, tag="dug"):
    """Progress."""

    is_last: ClassVar[bool] = False

    metres: int


class Office:
    """A helper with five services, and a window that waits for what they say."""

    def __init__(self, folder: Path) -> None:
        self.heard: list[Reply] = []
        self.gate = asyncio.Event()
        self.put_away: list[int] = []
        self._news = asyncio.Event()
        self._asked: asyncio.Queue[Request | None] = asyncio.Queue()
        routes: dict[type[Request], Service[Any]] = {
            Work: self.work,
            Fail: self.fail,
            Tidy: self.tidy,
            Hurry: self.hurry,
            Chatter: self.chatter,
        }
        self._helper = Dispatcher(ServiceContext(Home(folder)), routes, self._hear)

    def ask(self, *requests: Request) -> None:
        """Say ``requests`` in one breath."""
        for request in requests:
            self._asked.put_nowait(request)

    def leave(self) -> None:
        """The window dies."""
        self._asked.put_nowait(None)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve until the end of the block, when the window leaves."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._helper.serve(self._requests()))
            yield
            self.leave()

    async def hear(self, answer: Reply) -> None:
        """Wait until ``answer`` was given."""
        while answer not in self.heard:
            self._news.clear()
            await self._news.wait()

    def last_words(self) -> dict[int, list[Reply]]:
        words: dict[int, list[Reply]] = {}
        for answer in self.heard:
            if answer.is_last:
                words.setdefault(answer.id, []).append(answer)
        return words

    async def work(self, request: Work, place: ServiceContext, tell: SendReply) -> None:
        del place
        tell(Dug(metres=1))
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.put_away.append(request.id)
            raise
        tell(Dug(metres=2))

    async def tidy(self, request: Tidy, place: ServiceContext, tell: SendReply) -> None:
        del place
        try:
            tell(Dug(metres=1))
            await asyncio.Event().wait()
        finally:
            tell(Dug(metres=0))
            await self.gate.wait()
            self.put_away.append(request.id)

    async def hurry(self, request: Hurry, place: ServiceContext, tell: SendReply) -> None:
        del request, place
        async with asyncio.timeout(0):
            try:
                await asyncio.Event().wait()
            finally:
                tell(Dug(metres=1))
                await self.gate.wait()

    async def fail(self, request: Fail, place: ServiceContext, tell: SendReply) -> None:
        del place, tell
        if request.by_mistake:
            raise RuntimeError("a made-up mistake")
        raise DiskFullError(translatable("The disk is full."))

    async def chatter(self, request: Chatter, place: ServiceContext, tell: SendReply) -> None:
        del request, place

        def talk() -> None:
            tell(Dug(metres=1))
            tell(Done(words="enough"))
            tell(Dug(metres=2))
            tell(Done(words="more than enough"))

        talker = threading.Thread(target=talk)
        talker.start()
        await asyncio.to_thread(talker.join)

    def _hear(self, answer: Reply) -> None:
        self.heard.append(answer)
        self._news.set()

    async def _requests(self) -> AsyncIterator[Request]:
        while (request := await self._asked.get()) is not None:
            yield request


async def test_services_run_side_by_side(tmp_path: Path) -> None:
    """The second is heard before the first is done, and each answer has its request's number."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Work(id=1), Work(id=2))
        await office.hear(Dug(id=1, metres=1))
        await office.hear(Dug(id=2, metres=1))
        office.gate.set()
        await office.hear(Done(id=1))
        await office.hear(Done(id=2))
    assert office.heard.index(Dug(id=2, metres=1)) < office.heard.index(Dug(id=1, metres=2))


async def test_a_failing_service_harms_no_other(tmp_path: Path) -> None:
    """What it explains is refused in its words, a mistake in ours; the others go on."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Work(id=1), Fail(id=2), Fail(id=3, by_mistake=True))
        await office.hear(replace(FULL, id=2))
        await office.hear(replace(refused(WaggleError(UNEXPECTED)), id=3))
        office.gate.set()
        await office.hear(Done(id=1))


async def test_an_unknown_request_is_refused(tmp_path: Path) -> None:
    """A request without a service is answered, too."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Request(id=7))
        await office.hear(replace(refused(WaggleError(UNKNOWN)), id=7))


async def test_cancelling_ends_one_service(tmp_path: Path) -> None:
    """It puts away what it holds and is answered by Cancelled; the other one works on."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Work(id=1), Work(id=2))
        await office.hear(Dug(id=2, metres=1))
        office.ask(Cancel(id=3, request=1))
        await office.hear(Cancelled(id=1))
        assert office.put_away == [1]
        office.gate.set()
        await office.hear(Done(id=2))


async def test_putting_away_is_not_interrupted(tmp_path: Path) -> None:
    """Neither by a second Cancel nor by the end of the window."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Tidy(id=1))
        await office.hear(Dug(id=1, metres=1))
        office.ask(Cancel(id=2, request=1), Cancel(id=3, request=1))
        await office.hear(Dug(id=1, metres=0))
        office.ask(Fail(id=4))
        await office.hear(replace(FULL, id=4))
        office.leave()
        asyncio.get_running_loop().call_soon(office.gate.set)
    assert office.put_away == [1]
    assert office.heard[-1] == Cancelled(id=1)


async def test_what_ran_out_of_time_can_be_cancelled(tmp_path: Path) -> None:
    """Its own end by the clock, as it puts away, is not taken for an earlier Cancel."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Hurry(id=1))
        await office.hear(Dug(id=1, metres=1))
        office.ask(Cancel(id=2, request=1))
        await office.hear(Cancelled(id=1))
    assert office.heard[-1] == Cancelled(id=1)


async def test_an_service_can_be_cancelled_before_it_began(tmp_path: Path) -> None:
    """Request and Cancel in one breath: nothing is begun, and it is answered all the same."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Work(id=1), Cancel(id=2, request=1))
        await office.hear(Cancelled(id=1))
    assert office.heard == [Cancelled(id=1)]


async def test_cancelling_what_is_over_does_nothing(tmp_path: Path) -> None:
    """The window's wish and the service's end may cross."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Fail(id=1))
        await office.hear(replace(FULL, id=1))
        office.ask(Cancel(id=2, request=1), Cancel(id=3, request=99), Request(id=4))
        await office.hear(replace(refused(WaggleError(UNKNOWN)), id=4))
    assert len(office.heard) == 2


async def test_every_request_gets_one_last_word(tmp_path: Path) -> None:
    """A service that ends without one is Done; after the last, it is not heard any more."""
    office = Office(tmp_path)
    office.gate.set()
    async with office.open():
        office.ask(Work(id=1), Chatter(id=2))
        await office.hear(Done(id=1))
        await office.hear(Done(id=2, words="enough"))
    assert office.last_words() == {1: [Done(id=1)], 2: [Done(id=2, words="enough")]}
    assert office.heard[-1].is_last


async def test_the_end_of_the_window_ends_all_services(tmp_path: Path) -> None:
    """Each puts away what it holds before the helper closes."""
    office = Office(tmp_path)
    async with office.open():
        office.ask(Work(id=1), Work(id=2))
        await office.hear(Dug(id=2, metres=1))
    assert sorted(office.put_away) == [1, 2]
    assert office.heard[-2:] == [Cancelled(id=1), Cancelled(id=2)]
