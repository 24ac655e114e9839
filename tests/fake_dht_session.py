"""A libtorrent session without libtorrent."""

from dataclasses import dataclass, field

from core.swarm.dht.alerts import DhtStats, Event


@dataclass
class FakeSession:
    """A session without a network: notes what it is told to do, says what a test has it say."""

    done: list[tuple[object, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    saved: bytes = b"table"
    nodes: int = 5
    walks: int = 0

    def say(self, *events: Event) -> None:
        self.events += events

    def take(self) -> list[Event]:
        taken, self.events = self.events, []
        return taken

    def get_peers(self, infohash: bytes) -> None:
        self.done.append(("get_peers", infohash))

    def announce(self, infohash: bytes, port: int) -> None:
        self.done.append(("announce", infohash, port))

    def post_dht_stats(self) -> None:
        self.events.append(DhtStats(self.nodes, self.walks))

    def map_port(self, port: int) -> tuple[int, ...]:
        self.done.append(("map", port))
        return (2,)

    def unmap(self, mappings: tuple[int, ...]) -> None:
        self.done.append(("unmap", mappings))

    def state(self) -> bytes:
        return self.saved

    def end(self) -> None:
        self.done.append(("end",))
