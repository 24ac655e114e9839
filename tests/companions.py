"""Light company for a real node: others with real puzzles, a hub that remembers all it took."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from core.hub.sqlite_store import MEMORY, SqliteStore
from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, Question, RolloutGroup
from core.swarm.exchange.direct_server import DirectServer
from core.swarm.exchange.outbox import Letter
from core.swarm.exchange.validation import Self
from core.swarm.joining import Ways, joined
from core.swarm.network import NetworkOptions, SwarmNetwork
from core.tasks.catalog import load_catalog
from core.tasks.reasoning_tasks import make_puzzle
from core.wire.envelope import Envelope, Stamp, open_envelope, seal
from core.wire.identity import Identity

CATALOG: Final = load_catalog()
PACE_S: Final = 0.25


def real_question() -> Question:
    """A puzzle of the catalogue that may be practised."""
    task = CATALOG.tasks[0]
    keys = (PuzzleKey(task.id, 1, 7, index) for index in range(100))
    questions = (make_puzzle(CATALOG, key).question for key in keys)
    return next(question for question in questions if not question.is_held_out)


QUESTION: Final = real_question()


def real_group(author: PeerId, number: int) -> RolloutGroup:
    """What ``author`` tried in round ``number``: somebody else can judge it."""
    texts = Completion("1", ended=True), Completion("2", ended=True)
    model = ModelId("spark")
    return RolloutGroup(QUESTION.key, QUESTION.digest, author, model, number, texts)


def real_letter(who: Identity, number: int, swarm: str) -> Letter:
    """The same, sealed now; the number is also its sequence."""
    now = time.time()
    stamp = Stamp(swarm, CATALOG.ruleset, 0, number, now)
    return Letter(number, now, seal(who, real_group(who.peer_id, number), stamp))


class CollectingStore(SqliteStore):
    """Remembers what it ever took as new."""

    def __init__(self) -> None:
        super().__init__(MEMORY)
        self.taken: Counter[tuple[PeerId, int, int]] = Counter()  # author, round, slot
        self.news = asyncio.Event()

    async def append(self, envelopes: Sequence[Envelope], place: str = "") -> list[bool]:
        fresh = await super().append(envelopes, place)
        for envelope, is_new in zip(envelopes, fresh, strict=True):
            header = envelope.header
            self.taken[envelope.author, header.round, header.slot] += is_new
        self.news.set()
        return fresh

    async def until_taken(self, author: str, rounds: range, groups: int, within: float) -> None:
        """Until every group of these ``rounds`` of the author is here."""
        whole = {(PeerId(author), number, slot) for number in rounds for slot in range(groups)}
        try:
            async with asyncio.timeout(within):
                while not whole <= self.taken.keys():
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            missing = sorted(whole - self.taken.keys())
            raise AssertionError(f"{len(missing)} are missing: {missing[:9]}") from None


@asynccontextmanager
async def company(store: SqliteStore, swarm: str, authors: int = 2) -> AsyncIterator[None]:
    """``authors`` of them keep leaving groups in ``store``, four a second each."""

    async def leave() -> None:
        everybody = [Identity.generate() for _ in range(authors)]
        number = 0
        while True:
            number += 1
            for who in everybody:
                letter = real_letter(who, number, swarm)
                await store.append([open_envelope(letter.data, swarm, letter.sealed_at)])
            await asyncio.sleep(PACE_S)

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(leave())
        try:
            yield
        finally:
            task.cancel()


@dataclass
class Friend:
    """A light node that asks another one directly, again and again, and can be asked itself."""

    swarm: str
    who: Identity = field(default_factory=Identity.generate)
    got: Counter[int] = field(default_factory=Counter)  # groups of others, by round
    news: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def awake(self) -> AsyncIterator[tuple[SwarmNetwork, int]]:
        """Its network, and the port of its door."""
        own = Self(self.who.peer_id, self.swarm, CATALOG.ruleset)
        async with joined(self.who, own, Ways(lan=False), NetworkOptions()) as network:
            door = DirectServer(self.who, self.swarm, network.served, network.take_receipt)
            async with door.serving("127.0.0.1") as port, asyncio.TaskGroup() as tasks:
                work = [tasks.create_task(do(network)) for do in (self._try, self._ask)]
                try:
                    yield network, port
                finally:
                    for one in work:
                        one.cancel()

    async def until_got(self, rounds: int, groups: int, within: float) -> None:
        """Until every group of the other's first ``rounds`` rounds is here."""
        wanted = range(1, rounds + 1)
        try:
            async with asyncio.timeout(within):
                while any(self.got[one] < groups for one in wanted):
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            missing = [one for one in wanted if self.got[one] < groups]
            raise AssertionError(f"of these something is missing: {missing}") from None

    async def _try(self, network: SwarmNetwork) -> None:
        """Have something new for others, however long those others take."""
        for number in count(1):
            network.served.put([real_letter(self.who, number, self.swarm)])
            await asyncio.sleep(PACE_S)

    async def _ask(self, network: SwarmNetwork) -> None:
        while True:
            met = await network.exchange([], 64)
            self.got.update(group.round for group in met.groups)
            self.news.set()
            await asyncio.sleep(PACE_S)
