"""Real Redis servers for tests: nothing on disk, each in a temporary folder, gone afterwards."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from redis import Redis

READY = b"eady to accept connections"  # "Ready" on a port, "now ready" on a socket
DEADLINE_S = 30.0
SLOTS = 16_384
PLAIN = ("--save", "", "--appendonly", "no")


@dataclass(frozen=True)
class Server:
    """Where it is, and a second way to it that the store under test does not use."""

    url: str
    clients: tuple[Redis, ...]  # one per node

    def flush(self) -> None:
        """Forget all."""
        for client in self.clients:
            client.flushall()

    def all_keys(self) -> list[bytes]:
        found = (cast("list[bytes]", client.keys("*")) for client in self.clients)
        return sorted(chain.from_iterable(found))


@contextmanager
def redis_server(folder: Path | None = None, options: Sequence[str] = ()) -> Iterator[Server]:
    """One server on a unix socket in ``folder``; a second one after it is found at the same place.

    Windows, and whoever has no redis-server, skips the test.
    """
    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(TemporaryDirectory(prefix="waggle-")))
        path = place / "redis.sock"
        arguments = ("--port", "0", "--unixsocket", str(path), *PLAIN, *options)
        stack.enter_context(_process(place, arguments))
        client = stack.enter_context(Redis(unix_socket_path=str(path)))
        client.config_set("loglevel", "warning")
        yield Server(f"unix://{path}", (client,))


@contextmanager
def redis_cluster(nodes: int) -> Iterator[Server]:
    """A Cluster of ``nodes`` without replicas, on free ports."""
    with ExitStack() as stack:
        ports = _free_ports(2 * nodes)
        clients = []
        for port, bus in zip(ports[:nodes], ports[nodes:], strict=True):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="waggle-")))
            place = ("--bind", "127.0.0.1", "--port", str(port), "--cluster-port", str(bus))
            stack.enter_context(_process(folder, (*place, "--cluster-enabled", "yes", *PLAIN)))
            clients.append(stack.enter_context(Redis(port=port)))
        for number, client in enumerate(clients):
            first, end = number * SLOTS // nodes, (number + 1) * SLOTS // nodes
            ask(client, "CLUSTER", "ADDSLOTSRANGE", first, end - 1)
            ask(client, "CLUSTER", "MEET", "127.0.0.1", ports[0], ports[nodes])
        _wait_until_whole(clients)
        yield Server(f"redis+cluster://127.0.0.1:{ports[0]}", tuple(clients))


@contextmanager
def _process(folder: Path, arguments: Sequence[str]) -> Iterator[None]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server on this machine")
    with subprocess.Popen(  # noqa: S603 - redis-server, found on PATH
        [program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            assert process.stdout is not None
            said: list[bytes] = []
            while not said or READY not in said[-1]:
                said.append(process.stdout.readline())
                assert said[-1], b"".join(said).decode()
            yield
        finally:
            process.kill()


def ask(client: Redis, *command: str | float) -> Any:  # noqa: ANN401 - whatever Redis says
    """Any command at all, as it stands."""
    return client.execute_command(*command)  # type: ignore[no-untyped-call]  # redis-py leaves it so


def _wait_until_whole(clients: Sequence[Redis]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    whole = {b"cluster_state:ok", b"cluster_known_nodes:%d" % len(clients)}
    for client in clients:
        while not whole <= set(ask(client, "CLUSTER", "INFO").split()):
            assert time.monotonic() < deadline, "the Cluster did not come together"
            time.sleep(0.02)  # between two looks; it tells nobody when it is ready
        client.config_set("loglevel", "warning")


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        bound = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in bound:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in bound]
