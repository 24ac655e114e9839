"""What poisoning strangers cost real nodes: ``python3 dev.py bench poison``.

Real programs and one hub, all at one address: honest nodes practise while hostile identities post
groups that are judged fairly (``core/lab/learning/poison.py``). Then every honest node takes the
exam. Beside it the same swarm with nobody hostile, and a node alone.
"""
# ruff: noqa: T201 - a script talks to the person who runs it

import argparse
import asyncio
import json
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Final

from core.lab.learning.hostile import Claims, Effort, HostileNode, Target
from core.lab.learning.memory_swarm import SharedRollouts
from core.lab.learning.plans import HostileKind
from core.lab.learning.poison import FAMILIES
from core.net.asking import BoundedQuery, ask, open_session
from core.rollouts.types import PeerId
from core.swarm.backoff import Timing
from core.swarm.exchange.sealing import Sealer
from core.swarm.exchange.validation import Self
from core.tasks.catalog import PracticeMix, load_catalog
from core.wire.codec import MAX_EXCHANGE_BYTES, encode
from core.wire.exchange import MEDIA_TYPE, ExchangeRequest
from core.wire.identity import Identity
from tests.waggle_process import hub, rounds, waggle

SWARM = "meadow"  # that nodes join by default
GROUPS = 8
PERIOD_S = 1.0  # a hub takes eight envelopes a second of an author


KINDS: Final[tuple[HostileKind, ...]] = (*FAMILIES, "mixture")
"""Who write by themselves. The others copy or search, and would send nothing from here."""


class Poisoner:
    """One hostile identity at a hub."""

    def __init__(self, url: str, kind: HostileKind, seed: int) -> None:
        catalog = load_catalog()
        self._identity = Identity.generate()
        own = Self(self._identity.peer_id, SWARM, catalog.ruleset)
        self._sealer = Sealer(self._identity, own, Timing())
        target = Target(catalog, PracticeMix(catalog, 1))
        self._node = HostileNode(PeerId(own.peer), kind, target, Effort(GROUPS, 8), (), seed)
        self._url = f"{url}/v1/swarms/{SWARM}/exchange"

    async def post(self, number: int) -> None:
        """Put one round's groups up."""
        rollouts = SharedRollouts()
        self._node.attack(number, rollouts, Claims())
        groups = [replace(g, author=self._node.name) for g in rollouts.newest[self._node.name]]
        envelopes = tuple(letter.data for letter in self._sealer.seal_all(groups))
        request = ExchangeRequest(bytes.fromhex(self._node.name), 0, envelopes)
        async with open_session() as session:
            body = encode(request)
            await ask(session, self._url, BoundedQuery(body, MEDIA_TYPE, MAX_EXCHANGE_BYTES))


@contextmanager
def poisoned(url: str, kind: HostileKind, identities: int, seed: int) -> Iterator[None]:
    """Let ``identities`` post every second while the block runs."""
    over = threading.Event()

    async def attack() -> None:
        nodes = [Poisoner(url, kind, seed * 100 + number) for number in range(identities)]
        number = 0
        while not over.wait(PERIOD_S):
            number += 1
            for node in nodes:
                await node.post(number)

    with ThreadPoolExecutor(1) as thread:
        attacking = thread.submit(asyncio.run, attack())
        try:
            yield
        finally:
            over.set()
            attacking.result()


def exam(home: Path) -> tuple[float, float]:
    """Mean and standard error of today's exam of the node in ``home``."""
    with waggle(home, "exam", "--model", "spark", "--json") as process:
        today = json.loads(process.out.read())["today"]["solved"]
    return today["mean"], today["standard_error"]


def practise(
    folder: Path, honest: int, count: int, seed: int, hostile: tuple[HostileKind, int] | None
) -> list[tuple[float, float]]:
    """Exams of ``honest`` nodes after ``count`` rounds together."""
    homes = [folder / f"node{number}" for number in range(honest)]
    with ExitStack() as stack:
        _, url = stack.enter_context(hub(folder / "hub"))
        common = ("--model", "spark", "--hub", url, "--no-lan", "--rounds", str(count), "--json")
        if hostile:
            stack.enter_context(poisoned(url, *hostile, seed))
        nodes = [
            stack.enter_context(
                waggle(home, "join", *common, "--threads", "1", "--seed", str(seed * 10 + number))
            )
            for number, home in enumerate(homes)
        ]
        with ThreadPoolExecutor(honest) as readers:
            played = list(readers.map(rounds, nodes))
    heard = fmean(r.useful_swarm for one in played for r in one)
    print(f"  {heard:.1f} groups of others were learnt from in a round", flush=True)
    return [exam(home) for home in homes]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row per swarm and seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="mixture")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=110)
    parser.add_argument("--swarms", nargs="+", default=["2+0", "2+3", "1+0", "1+6"])
    chosen = parser.parse_args(arguments)
    print("| honest + hostile | kind | seed | exams, each ± its SE | mean |")
    print("|---|---|---|---|---|")
    for seed in range(1, chosen.seeds + 1):
        for swarm in chosen.swarms:
            honest, hostile = map(int, swarm.split("+"))
            with tempfile.TemporaryDirectory() as folder:
                attack = (chosen.kind, hostile) if hostile else None
                found = practise(Path(folder), honest, chosen.rounds, seed, attack)
            told = ", ".join(f"{100 * mean:.1f} ± {100 * error:.1f}" for mean, error in found)
            mean = 100 * fmean(mean for mean, _ in found)
            kind = chosen.kind if hostile else "nobody"
            print(f"| {swarm} | {kind} | {seed} | {told} | {mean:.1f} |", flush=True)


if __name__ == "__main__":
    main()
