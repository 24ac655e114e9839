"""Two computers on one cable: Linux network namespaces joined by a veth pair.

    with two_hosts() as (a, b):
        server = b.popen([sys.executable, "-m", "core.cli.main", "hub"])
        print(a.run(["ip", "address"]), b.address)
        a.link.down()

Each host has its own interfaces, addresses, routes and port numbers, and shares the file system.
Namespaces are named after this process, so that runs side by side do not meet, and go at the end
together with what was started in them. Where they cannot be made, the test is skipped.
"""

import itertools
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from tests.posix import is_root_of_linux

ROOT: Final = Path(__file__).resolve().parent.parent
DEVICE: Final = "lan0"
_TIMEOUT_S: Final = 20.0
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Link:
    """The cable between two hosts."""

    ends: tuple[str, str]  # the namespaces; it is pulled out at the first one

    def down(self) -> None:
        """Pull the cable out: the first host sees its interface go down, the other one nothing."""
        _ip("-n", self.ends[0], "link", "set", DEVICE, "down")

    def up(self) -> None:
        """Plug it in again, until it carries; the addresses of IPv4 are as they were."""
        _ip("-n", self.ends[0], "link", "set", DEVICE, "up")
        self.wait()

    def wait(self) -> None:
        """Until both ends carry packets: the kernel takes up to a second to notice a cable."""
        deadline = time.monotonic() + _TIMEOUT_S
        for namespace in self.ends:
            while " state UP " not in _ip("-n", namespace, "-o", "link", "show", DEVICE):
                assert time.monotonic() < deadline, f"{namespace} never came up"


@dataclass
class Host:
    """One computer."""

    namespace: str
    address: str
    link: Link
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def command(self, arguments: Sequence[str]) -> list[str]:
        """What runs ``arguments`` on this host; the process is the command itself, no shell."""
        return [_tool(), "netns", "exec", self.namespace, *arguments]

    def run(self, arguments: Sequence[str]) -> str:
        """Run a command to its end; what it printed.

        Raises:
            subprocess.CalledProcessError: it failed.
        """
        return subprocess.run(  # noqa: S603 - our own command
            self.command(arguments),
            check=True,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            cwd=ROOT,
        ).stdout

    def popen(self, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a command with pipes to its stdin and stdout; it does not outlive the hosts."""
        process = subprocess.Popen(  # noqa: S603 - our own command
            self.command(arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        )
        self.started.append(process)
        return process

    def move(self, address: str) -> None:
        """Take ``address`` instead of the present one, as after a new lease."""
        _ip("-n", self.namespace, "address", "del", f"{self.address}/24", "dev", DEVICE)
        _ip("-n", self.namespace, "address", "add", f"{address}/24", "dev", DEVICE)
        self.address = address

    def end(self) -> None:
        """Kill what still runs here, and let go of its pipes."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait(_TIMEOUT_S)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # a last word that nobody reads any more
                        pipe.close()


@contextmanager
def two_hosts() -> Iterator[tuple[Host, Host]]:
    """Two hosts on one network, 10.77.0.1 and 10.77.0.2, both with IPv4 and link-local IPv6."""
    label = f"waggle-{os.getpid()}-{next(_numbers)}"
    first, second = f"{label}-a", f"{label}-b"
    link = Link((first, second))
    hosts = Host(first, "10.77.0.1", link), Host(second, "10.77.0.2", link)
    try:
        _make(hosts)
        yield hosts
    finally:
        for host in hosts:
            host.end()
        for host in hosts:  # the cable goes with its ends
            with suppress(subprocess.CalledProcessError):  # it was never made
                _ip("netns", "del", host.namespace)


def _make(hosts: tuple[Host, Host]) -> None:
    if not is_root_of_linux():
        pytest.skip("network namespaces need Linux and its root user")
    try:
        for host in hosts:
            _ip("netns", "add", host.namespace)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here: {error.stderr.strip()}")
    ends = ["netns", hosts[0].namespace, "type", "veth", "peer", "name", DEVICE]
    _ip("link", "add", "name", DEVICE, *ends, "netns", hosts[1].namespace)
    for host in hosts:
        _ip("-n", host.namespace, "address", "add", f"{host.address}/24", "dev", DEVICE)
        _ip("-n", host.namespace, "link", "set", "lo", "up")
        _ip("-n", host.namespace, "link", "set", DEVICE, "up")
    hosts[0].link.wait()


def _tool() -> str:
    tool = shutil.which("ip")
    if tool is None:
        pytest.skip("network namespaces need the command ip (iproute2)")
    return tool


def _ip(*arguments: str) -> str:
    return subprocess.run(  # noqa: S603 - ip, found on PATH
        [_tool(), *arguments], check=True, capture_output=True, text=True, timeout=_TIMEOUT_S
    ).stdout
