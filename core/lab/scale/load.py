"""Many light clients in one process, at their own pace, against hubs that are measured."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from core.lab.scale.hub_children import HubChild, ProcessUsage, hub_children
from core.lab.scale.light_client import ClientOptions, ClientStats, LightClient

_JITTER: Final = 0.1  # of a period, to either side
SWARM: Final = "lab-scale"


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """What is to be measured."""

    clients: int = 1_000
    period_s: float = 60.0  # between two rounds of a client
    seconds: float = 120.0  # measured, after one period in which everybody comes once
    groups: int = 8  # that a client leaves in a round
    want: int = 16  # that it draws
    hub: str | None = None  # URL; None: hubs of the lab's own
    store: str | None = None  # of these; None: SQLite in a folder that goes
    front_ends: int = 1  # of these
    seed: int = 1  # of the pace; identities are new every time


@dataclass(slots=True)
class LoadResult:
    """What came of a plan."""

    plan: LoadPlan
    stats: ClientStats = field(default_factory=ClientStats)
    seconds: float = 0.0
    costs: list[ProcessUsage] = field(default_factory=list)  # of the lab's own hubs, meanwhile
    driver_cpu_s: float = 0.0  # of this process: near ``seconds``, it is the bottleneck


@dataclass(frozen=True, slots=True)
class _Course:
    """When what is noted; seconds of the loop's clock."""

    begin: float
    measured: float
    end: float
    warming_up: ClientStats
    noted: ClientStats

    def stats(self, now: float) -> ClientStats:
        return self.noted if now >= self.measured else self.warming_up


async def measure_load(plan: LoadPlan) -> LoadResult:
    """Drive the clients; takes a period and ``plan.seconds``.

    Raises:
        SwarmError: a hub of the lab's own does not start, or dies.
    """
    if plan.hub is not None:
        return await _drive(plan, [plan.hub], [])
    async with hub_children(plan.store, plan.front_ends) as hubs:
        return await _drive(plan, [hub.url for hub in hubs], hubs)


async def _drive(plan: LoadPlan, urls: Sequence[str], hubs: Sequence[HubChild]) -> LoadResult:
    options = ClientOptions(SWARM, plan.groups, plan.want)
    clients = [LightClient(n, options, urls[n % len(urls)]) for n in range(plan.clients)]
    measured = LoadResult(plan)
    loop = asyncio.get_running_loop()
    begin = loop.time()
    start = begin + plan.period_s * (1 + _JITTER)
    course = _Course(begin, start, start + plan.seconds, ClientStats(), measured.stats)
    rng = Random(plan.seed)  # noqa: S311 - a pace is no secret
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(_live(client, course, plan.period_s, Random(rng.random())))  # noqa: S311 - the same
        await asyncio.sleep(start - loop.time())
        before, cpu, wall = [hub.usage() for hub in hubs], time.process_time(), loop.time()
        await asyncio.sleep(course.end - loop.time())
        measured.costs = [_cost(hub, then) for hub, then in zip(hubs, before, strict=True)]
        measured.driver_cpu_s = time.process_time() - cpu
        measured.seconds = loop.time() - wall
    return measured


def _cost(hub: HubChild, then: ProcessUsage) -> ProcessUsage:
    now = hub.usage()
    return ProcessUsage(now.cpu_s - then.cpu_s, now.rss_bytes)


async def _live(client: LightClient, course: _Course, period_s: float, rng: Random) -> None:
    """Play a round each period until the end, and never two at once."""
    loop = asyncio.get_running_loop()
    due = course.begin + rng.uniform(0, period_s)
    while due < course.end:
        await asyncio.sleep(due - loop.time())
        stats = course.stats(due)
        stats.late_s.append(loop.time() - due)
        await client.play(stats)
        due = max(loop.time(), due + period_s * rng.uniform(1 - _JITTER, 1 + _JITTER))
