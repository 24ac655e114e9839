"""Bytes as they arrive -> whole lines; pure and bounded."""


class LineBuffer:
    """Collects chunks of a stream and hands out the lines that are complete.

    A line longer than ``limit`` is dropped up to its newline: an endless line costs ``limit``
    bytes, not all memory.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""
        self._dropping = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that ``chunk`` completes, without their newlines."""
        *complete, self._rest = (self._rest + chunk).split(b"\n")
        if complete and self._dropping:
            complete.pop(0)
            self._dropping = False
        if self._dropping:
            self._rest = b""
        elif len(self._rest) > self._limit:
            self._rest, self._dropping = b"", True
        return [line for line in complete if len(line) <= self._limit]
