"""What is to be said to the DHT, and when it is to be said again."""

from random import Random

MOST_SWARMS = 64


class Announcements:
    """Which swarms are to be announced, and when again."""

    def __init__(self, every_s: float, rng: Random) -> None:
        """``every_s`` is varied by a tenth, so that nodes started together drift apart."""
        self._every_s = every_s
        self._rng = rng
        self._ports: dict[bytes, int] = {}
        self._next: dict[bytes, float] = {}

    def put(self, infohash: bytes, port: int) -> None:
        """Announce ``port`` as soon as possible; 0: no longer.

        Raises:
            ValueError: it is no port, or there are too many swarms.
        """
        others = len(self._ports.keys() - {infohash})
        if not 0 <= port < 1 << 16 or (port and others >= MOST_SWARMS):
            raise ValueError(f"cannot announce port {port} beside {others} other swarms")
        self._next.pop(infohash, None)
        self._ports.pop(infohash, None)
        if port:
            self._ports[infohash] = port

    def due(self, now: float) -> list[tuple[bytes, int]]:
        """What to announce at ``now``; it counts as done."""
        due = [item for item in self._ports.items() if self._next.get(item[0], now) <= now]
        for infohash, _ in due:
            self._next[infohash] = now + self._every_s * self._rng.uniform(0.9, 1.1)
        return due

    def start_over(self) -> None:
        """All are due: those to whom they were said may be gone."""
        self._next.clear()
