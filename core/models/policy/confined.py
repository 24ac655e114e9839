"""Runs what a stranger wrote in a throw-away process that can take only so much time and memory.

The limits are those of the system where it has them; besides, the caller looks at the process all
the time, since some systems promise limits and do not keep them. Request and reply are temporary
files: neither side can make the other wait, and a file can be no longer than the system lets it be.
"""

import faulthandler
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final

from core.children import NO_WINDOW, bare_environment, crash_quietly
from core.i18n import translatable

MAX_REPLY: Final = 1 << 20
"""Bytes of a reply, unless the limits say otherwise."""

_LOOK_S: Final = 0.02  # between two looks at the process
_GRACE_S: Final = 5  # after which it ends by itself if nobody has ended it
_NO_MEMORY: Final = 75  # exit code; 1 is an exception's, and 3 a crash's on Windows


class ConfinedError(Exception):
    """No reply; ``words_of(error)`` say what it does, such as "it takes more than 10 seconds"."""


class UntriedError(ConfinedError):
    """No reply, perhaps for a trouble of the moment here: a full disk, a busy processor."""


def may_pass(error: BaseException | None) -> bool:
    """Whether ``error`` was raised from an UntriedError: another time it may go well."""
    while error is not None and not isinstance(error, UntriedError):
        error = error.__cause__
    return error is not None


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Time and memory that the process may take, and how much it may say."""

    seconds: int = 10  # on the clock, and of processor time
    memory: int = 500_000_000  # bytes
    reply: int = MAX_REPLY  # bytes

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the process is told of them."""
        return str(self.seconds), str(self.memory), str(self.reply)

    def too_long(self) -> UntriedError:
        """The error for one that does not end."""
        return UntriedError(translatable("it takes more than {} seconds", self.seconds))

    def too_large(self) -> ConfinedError:
        """The error for one that grows."""
        return ConfinedError(
            translatable("it takes more than {} MB of memory", self.memory // 10**6)
        )


def run_confined(command: Sequence[str], request: bytes, limits: ProcessLimits) -> bytes:
    """Start the process, hand over the request, and return its reply, of whatever bytes.

    Raises:
        UntriedError: it could not be started, or took too long.
        ConfinedError: it ended without one, or was ended.
    """
    try:
        with tempfile.TemporaryFile() as inbox, tempfile.TemporaryFile() as outbox:
            inbox.write(request)
            inbox.seek(0)
            _explain(_run(command, (inbox, outbox), limits), limits)
            outbox.seek(0)
            reply = outbox.read(limits.reply + 1)
    except OSError as error:
        raise UntriedError(
            translatable("it cannot be tried out ({})", error.strerror or error)
        ) from error
    if len(reply) > limits.reply:
        raise ConfinedError(translatable("it says too much"))
    return reply


def serve(answer: Callable[[bytes], bytes]) -> int:
    """In the process: put the limits on, and answer the one request; an exit code."""
    _put_on(ProcessLimits(*map(int, sys.argv[-3:])))
    try:
        sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
    except MemoryError:
        return _NO_MEMORY
    return 0


def _run(command: Sequence[str], files: tuple[IO[bytes], IO[bytes]], limits: ProcessLimits) -> int:
    """The exit code of the process; it is over afterwards, whatever happens."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [*command, *limits.arguments],
        stdin=files[0],
        stdout=files[1],
        stderr=subprocess.DEVNULL,  # a library that panics tells the terminal
        env=bare_environment(RAYON_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false"),
        start_new_session=True,  # Ctrl-C in a terminal is for us alone
        creationflags=NO_WINDOW,
    )
    try:
        return _watch(process, limits)
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the process, and what it may have started although it should not have been able to."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a session of its own
    process.kill()
    process.wait()


def _watch(process: "subprocess.Popen[bytes]", limits: ProcessLimits) -> int:
    """Wait for the end of the process, with an eye on the clock and on its memory."""
    import psutil  # only here: the process itself does without

    deadline = time.monotonic() + limits.seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(_LOOK_S)
        if time.monotonic() > deadline:
            raise limits.too_long()
        with suppress(psutil.Error):  # over in this very moment
            first = psutil.Process(process.pid)
            watched = [first, *first.children(recursive=True)]
            if sum(one.memory_info().rss for one in watched) > limits.memory:
                raise limits.too_large()


def _explain(code: int, limits: ProcessLimits) -> None:
    """Raise for an exit code other than 0."""
    if code == _NO_MEMORY:
        raise limits.too_large()
    if sys.platform != "win32" and code == -signal.SIGXCPU:
        raise limits.too_long()
    if code:
        raise ConfinedError(translatable("it crashes what reads it"))


def _put_on(limits: ProcessLimits) -> None:
    """Take the means away, for good."""
    # A thread of its own, which no loop in C can hold up: the leash, should the caller be gone.
    faulthandler.dump_traceback_later(limits.seconds + _GRACE_S, exit=True, file=sys.stderr)
    crash_quietly()
    if sys.platform == "win32":
        from core.windows_job import enter_job

        with suppress(OSError):  # not to be had here; the caller looks at the process all the time
            enter_job(limits.memory, limits.seconds + 1)  # the clock of the caller knows the words
    else:
        import resource

        wanted = (
            (resource.RLIMIT_AS, limits.memory, limits.memory),
            (resource.RLIMIT_DATA, limits.memory, limits.memory),
            (resource.RLIMIT_CPU, limits.seconds, limits.seconds + 1),  # a signal, then the end
            (resource.RLIMIT_FSIZE, limits.reply, limits.reply),
        )
        for kind, soft, hard in wanted:
            with suppress(OSError, ValueError):  # not to be had here, or lower already
                resource.setrlimit(kind, (soft, hard))
