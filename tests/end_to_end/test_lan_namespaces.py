"""Nodes on one network find each other: two computers on a cable, real multicast between them."""

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
import psutil
import pytest

from core.rollouts.types import PeerId
from core.swarm.lan.neighbours import MOST_AT_ONE_HOST, Neighbour
from tests.lan_child import Sight
from tests.netns import Host, two_hosts

ANNE, BOB = "a" * 64, "b" * 64
PORT = 4_242
TIMEOUT_S = 10.0  # what a person is promised

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's")


class Node:
    """A node on a host, and what it said so far."""

    def __init__(self, host: Host, peer: str, swarm: str = "meadow") -> None:
        self.host = host
        arguments = [sys.executable, "-m", "tests.lan_child", peer, swarm, str(PORT)]
        self._process = host.popen(arguments)
        self._sights: queue.SimpleQueue[Sight] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        self.sees(lambda sight: sight.after == "opened")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._sights.put(msgspec.json.decode(line, type=Sight))

    def sees(self, is_so: Callable[[Sight], bool]) -> Sight:
        """The first sight from here on that fits; it fails after ``TIMEOUT_S``."""
        deadline = time.monotonic() + TIMEOUT_S
        seen: list[Sight] = []
        while (left := deadline - time.monotonic()) > 0:
            with suppress(queue.Empty):
                seen.append(self._sights.get(timeout=left))
                if is_so(seen[-1]):
                    return seen[-1]
        raise AssertionError(f"it saw other things: {seen[-3:]}")

    @property
    def memory(self) -> int:
        """Bytes that it occupies."""
        occupied: int = psutil.Process(self._process.pid).memory_info().rss
        return occupied

    def refresh(self) -> Sight:
        """Have it look around."""
        self._say(b"refresh\n")
        return self.sees(lambda sight: sight.after == "refreshed")

    def leave(self) -> int:
        """Have it say goodbye; its exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait(TIMEOUT_S)

    def _say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()


def sees_only(peer: str, host: Host) -> Callable[[Sight], bool]:
    """Exactly this one neighbour, at the address that its host has now."""
    address = host.address

    def is_so(sight: Sight) -> bool:
        return [(n.peer, n.hosts, n.port) for n in sight.neighbours] == [(peer, (address,), PORT)]

    return is_so


def nobody(sight: Sight) -> bool:
    return sight.neighbours == ()


@contextmanager
def anne_and_bob() -> Iterator[tuple[Node, Node]]:
    """Two nodes that know each other."""
    with two_hosts() as (a, b):
        anne, bob = Node(a, ANNE), Node(b, BOB)
        anne.sees(sees_only(BOB, b))
        bob.sees(sees_only(ANNE, a))
        yield anne, bob


def test_one_joins_later_and_leaves() -> None:
    """Whoever was there first sees the other one come, and go at once when it says goodbye."""
    with two_hosts() as (a, b):
        anne = Node(a, ANNE)
        assert nobody(anne.refresh())
        bob = Node(b, BOB)
        anne.sees(sees_only(BOB, b))
        bob.sees(sees_only(ANNE, a))
        assert bob.leave() == 0
        anne.sees(nobody)
        assert nobody(anne.refresh())


def test_other_swarms_stay_among_themselves() -> None:
    """A node of another swarm on the same network is no neighbour; one of the own swarm is."""
    with two_hosts() as (a, b):
        anne = Node(a, ANNE)
        Node(b, "c" * 64, swarm="orchard")
        Node(b, BOB)
        assert anne.sees(lambda sight: bool(sight.neighbours)).neighbours == (
            Neighbour(PeerId(BOB), (b.address,), PORT),
        )
        assert len(anne.refresh().neighbours) == 1


def test_a_new_address_is_learnt() -> None:
    """A node whose address changes stays in sight; the others knock at the new address only."""
    with anne_and_bob() as (anne, bob):
        bob.host.move("10.77.0.9")
        bob.refresh()
        moved = anne.sees(lambda sight: sight.neighbours[0].hosts != ("10.77.0.2",))
        assert sees_only(BOB, bob.host)(moved)
        assert sees_only(ANNE, anne.host)(bob.refresh())


def test_a_cable_pulled_and_plugged_in_again() -> None:
    """Without a network the node says so; with it back it finds the others without a restart."""
    with anne_and_bob() as (anne, bob):
        anne.host.link.down()
        alone = anne.refresh()
        assert alone.neighbours == ()
        assert "no local network" in (alone.trouble or "")
        anne.host.link.up()
        assert anne.refresh().trouble is None
        anne.sees(sees_only(BOB, bob.host))


def test_an_outage_between_two_looks_does_no_harm() -> None:
    """A cable that was out while nobody looked: announcements are still heard afterwards."""
    with anne_and_bob() as (anne, bob):
        anne.host.link.down()
        anne.host.link.up()
        assert bob.leave() == 0
        anne.sees(nobody)
        Node(bob.host, BOB)
        anne.sees(sees_only(BOB, bob.host))


KEEPER = """
import socket
port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
port.bind(("", 5353))
print("kept", flush=True)
input()
"""


def test_a_port_that_is_kept_by_another_is_told() -> None:
    """With nothing but a sentence; once it is free, others are found."""
    with two_hosts() as (a, b):
        keeper = a.popen([sys.executable, "-c", KEEPER])
        assert keeper.stdout is not None
        assert keeper.stdin is not None
        assert keeper.stdout.readline() == b"kept\n"
        Node(b, BOB)
        anne = Node(a, ANNE)
        assert "5353" in (anne.refresh().trouble or "")
        keeper.stdin.close()
        keeper.wait(TIMEOUT_S)
        deadline = time.monotonic() + TIMEOUT_S
        while anne.refresh().trouble is not None:  # it is tried again every few seconds
            assert time.monotonic() < deadline
        anne.sees(sees_only(BOB, b))


FLOOD = 100_000
HEARD = 30_000


@pytest.mark.endurance
def test_a_flood_of_services_does_no_harm() -> None:
    """A host that announces 100,000 nodes occupies no memory, and an honest one is found.

    It shouts faster than anybody can hear, so it repeats itself until much was heard.
    """
    with two_hosts() as (a, b):
        anne = Node(a, ANNE)
        before = anne.memory
        while True:
            b.run([sys.executable, "-m", "tests.lan_flood", "meadow", b.address, str(FLOOD)])
            after = anne.refresh()
            assert len(after.neighbours) == MOST_AT_ONE_HOST
            if after.refused["crowd"] > HEARD:
                break
        assert anne.memory - before < 40 << 20
        b.move("10.77.0.9")
        Node(b, BOB)
        anne.sees(lambda sight: sight.neighbours[0].peer == BOB)
