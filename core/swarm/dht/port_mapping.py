"""Asking the router at home, by UPnP or NAT-PMP, to let others in.

A router's word is no proof that anybody gets through: an address counts as reachable once another
node has dialled it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.swarm.dht.alerts import Event, PortOpened, PortRefused, SeenFrom
from core.swarm.dht.finds import Endpoint, checked_address
from core.swarm.dht.session import DhtSession


@dataclass(frozen=True, slots=True)
class Answers:
    """Replies of routers about one port so far."""

    mappings: frozenset[int] = frozenset()  # the numbers that belong to the port
    opened: Mapping[str, int] = field(default_factory=dict)  # the router's port, by way
    host: str = ""  # our address as seen from outside


def apply(answers: Answers, event: Event) -> Answers:
    """``answers`` after ``event``; those about other ports, or about no port, change nothing."""
    match event:
        case SeenFrom(host) if ":" not in host:  # ports are mapped for IPv4 only
            return replace(answers, host=host)
        case PortOpened(mapping, way, port) if mapping in answers.mappings:
            return replace(answers, opened={**answers.opened, way: port})
        case PortRefused(mapping, way) if mapping in answers.mappings:
            opened = {name: port for name, port in answers.opened.items() if name != way}
            return replace(answers, opened=opened)
    return answers


def outside(answers: Answers) -> Endpoint | None:
    """Where others would have to dial, if the router is right; None if it is not known."""
    for port in answers.opened.values():
        address = checked_address(answers.host, port)
        if isinstance(address, Endpoint):
            return address
    return None


class PortMapping:
    """Keeps one TCP port forwarded while it is attached to an open session.

    Until a port is wanted, no router is asked anything. libtorrent also has the ports of its DHT
    forwarded then, and renews every mapping in good time.
    """

    def __init__(self) -> None:
        self._session: DhtSession | None = None
        self._wanted = 0
        self._answers = Answers()

    @property
    def external(self) -> Endpoint | None:
        """Where others would have to dial, as the router says; None if no port is open."""
        return outside(self._answers)

    def map(self, port: int) -> None:
        """Have TCP ``port`` forwarded from now on, in place of any other; 0: none any more."""
        if port == self._wanted:
            return
        self._withdraw()
        self._wanted = port
        self._ask()

    def attach(self, session: DhtSession) -> None:
        """The session is open: ask for the port that is wanted."""
        self._session = session
        self._ask()

    def detach(self) -> None:
        """The session is about to close: take the port back. It is still wanted afterwards."""
        self._withdraw()
        self._session = None

    def on_event(self, event: Event) -> None:
        """Take note of what the session said."""
        self._answers = apply(self._answers, event)

    def _ask(self) -> None:
        if self._session is None or not self._wanted:
            return
        mappings = frozenset(self._session.map_port(self._wanted))
        self._answers = replace(self._answers, mappings=mappings)

    def _withdraw(self) -> None:
        if self._session is not None and self._answers.mappings:
            self._session.unmap(tuple(self._answers.mappings))
        self._answers = Answers(host=self._answers.host)
