"""What connections that say nothing cost a node: ``python3 dev.py bench half_open`` (Linux).

A node's server with its usual limits in a process that holds torch, as a practising node's does.
A hundred addresses of the loopback network connect to it as fast as they can and keep the newest
1,500 connections open, while honest strangers pull from it, each from an address of its own.
"""
# ruff: noqa: T201 - a script talks to the person who runs it

import argparse
import asyncio
import os
import ssl
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import aiohttp
import psutil

from core.net.tls import stranger_context
from core.swarm.exchange.direct_server import DirectServer, ServerOptions
from core.swarm.exchange.served import ServedItems
from core.wire.codec import PROTOCOL
from core.wire.identity import Identity
from core.wire.pull import MEDIA_TYPE, Pull, decode_pull_reply, seal_pull
from tests.companions import real_letter
from tests.envelopes import ANNE, SWARM

SERVE: Final = "serve"
HOST: Final = "127.0.0.1"
SITES: Final = 100
KEPT_OPEN: Final = 1_500
PULLS: Final = 60
TIMEOUT_S: Final = 8.0
ITEMS: Final = 8
MB: Final = 1e6


def _client_hello() -> bytes:
    outgoing = ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        stranger_context().wrap_bio(ssl.MemoryBIO(), outgoing).do_handshake()
    return outgoing.read()


SAID: Final = {  # by the name of the attack: what every connection says before it is silent
    "nothing": b"",
    "one byte": b"\x16",
    "a beginning": b"\x16\x03\x01\x02\x00\x01\x00\x01",
    "a whole ClientHello": _client_hello(),
}


async def serve() -> None:
    """Be the node; prints its port and ends with its standard input."""
    import torch  # noqa: F401 - what a node has in memory, and what makes its collector lazy

    shelf = ServedItems()
    shelf.put([real_letter(ANNE, number, SWARM) for number in range(1, ITEMS + 1)])
    server = DirectServer(ANNE, SWARM, shelf, lambda _: None, ServerOptions())
    async with server.serving(HOST) as port:
        print(port, flush=True)
        await asyncio.to_thread(sys.stdin.read)


@dataclass(frozen=True, slots=True)
class Node:
    """The server's process."""

    port: int
    process: psutil.Process

    @property
    def memory(self) -> float:
        """Resident megabytes."""
        return float(self.process.memory_info().rss) / MB

    async def pull(self, number: int) -> tuple[bool, float]:
        """Pull as a stranger from an address of its own: whether all came, and after how long."""
        who, started = Identity.generate(), time.perf_counter()
        asker, server = bytes.fromhex(who.peer_id), bytes.fromhex(ANNE.peer_id)
        now, nonce = int(time.time()), os.urandom(16)
        body = seal_pull(who, Pull(PROTOCOL, SWARM, asker, server, now, nonce, ITEMS))
        url = f"https://{HOST}:{self.port}/v1/swarms/{SWARM}/pull"
        here = aiohttp.TCPConnector(
            local_addr=(f"127.0.250.{number % 250 + 1}", 0), ssl=stranger_context()
        )
        try:
            async with (
                asyncio.timeout(TIMEOUT_S),
                aiohttp.ClientSession(connector=here) as session,
                session.post(url, data=body, headers={"Content-Type": MEDIA_TYPE}) as reply,
            ):
                came = len(decode_pull_reply(await reply.read()).envelopes) == ITEMS
        except (aiohttp.ClientError, OSError):
            came = False
        return came, time.perf_counter() - started


@asynccontextmanager
async def node() -> AsyncIterator[Node]:
    """A fresh one."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __spec__.name, SERVE),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        if process.stdout is None:
            raise RuntimeError("the node's output is a pipe")
        yield Node(int(await process.stdout.readline()), psutil.Process(process.pid))
    finally:
        process.kill()
        await process.wait()


async def attack(target: Node, said: bytes, connections: int) -> str:
    """A row of the table."""
    before = most = target.memory
    held: deque[asyncio.StreamWriter] = deque()
    pulls: list[asyncio.Task[tuple[bool, float]]] = []
    started = time.perf_counter()
    async with asyncio.TaskGroup() as pulling:
        for number in range(connections):
            site = f"127.0.{number % SITES + 1}.1"
            with suppress(OSError):
                here = (site, 0)
                _, writer = await asyncio.open_connection(HOST, target.port, local_addr=here)
                writer.write(said)
                held.append(writer)
            if len(held) > KEPT_OPEN:
                held.popleft().transport.abort()
            if number % (connections // PULLS) == 0:
                pulls.append(pulling.create_task(target.pull(number)))
                most = max(most, target.memory)
        rate = connections / (time.perf_counter() - started)
    done = [pull.result() for pull in pulls]
    most = max(most, target.memory)
    for writer in held:
        writer.transport.abort()
    served, slowest = sum(came for came, _ in done), max(took for _, took in done)
    return (
        f"{rate:,.0f} | {before:.0f}, {most:.0f} MB | "
        f"{served} of {len(done)}, {1_000 * slowest:.0f} ms |"
    )


async def measure(connections: int) -> None:
    """Print a row per attack."""
    print(
        "| connections that say | a second | memory before, most | honest pulls served, slowest |"
    )
    print("|---|---|---|---|")
    for name, said in SAID.items():
        async with node() as target:
            row = await attack(target, said, connections)
        print(f"| {connections:,}: {name} | {row}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, or be the node."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("role", nargs="?", choices=[SERVE])
    parser.add_argument("--connections", type=int, default=20_000)
    chosen = parser.parse_args(arguments)
    if chosen.role == SERVE:
        asyncio.run(serve())
        return
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4 * KEPT_OPEN), hard))
    asyncio.run(measure(chosen.connections))


if __name__ == "__main__":
    main()
