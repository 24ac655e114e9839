"""A pipe that nobody reads, as one system or another has it."""

import os
from io import RawIOBase


class UnreadPipe(RawIOBase):
    """Whose every write fails with ``number``: EPIPE on POSIX, EINVAL on Windows."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        reader, self._descriptor = os.pipe()
        os.close(reader)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: object, /) -> int:
        assert isinstance(data, bytes | memoryview)
        try:
            return os.write(self._descriptor, data)
        except OSError as error:
            raise OSError(self._number, os.strerror(self._number)) from error

    def close(self) -> None:
        if not self.closed:
            super().close()
            os.close(self._descriptor)
