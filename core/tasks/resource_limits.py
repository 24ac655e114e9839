"""POSIX resource limits, set so low for good that even a taken-over judge cannot lift them.

Each function raises OSError or ValueError where the system does not have or grants the limit.
"""

import errno
import os
import sys

if sys.platform != "win32":
    import resource

    def memory(size: int) -> None:
        """Let every allocation fail that would take the address space over ``size`` bytes."""
        _limit(resource.RLIMIT_AS, size)

    def processor(seconds: int) -> None:
        """End the process after ``seconds`` of processor time, the part before included."""
        _limit(resource.RLIMIT_CPU, seconds)

    def no_writing() -> None:
        """Let every write to a regular file fail; pipes are no files in this sense."""
        _limit(resource.RLIMIT_FSIZE, 0)

    def no_opening() -> None:
        """Hand out no further descriptor: no file, no socket; those already open stay."""
        _limit(resource.RLIMIT_NOFILE, 0)

    def no_dumps() -> None:
        """Leave no core file after a crash."""
        _limit(resource.RLIMIT_CORE, 0)

    def no_processes() -> None:
        """Let every fork fail."""
        _limit(resource.RLIMIT_NPROC, 0)
        if os.geteuid() == 0:
            raise OSError(errno.EPERM, "does not bind the superuser")

    def _limit(kind: int, value: int) -> None:
        resource.setrlimit(kind, (value, value))
