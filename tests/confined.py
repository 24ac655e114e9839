"""Throw-away processes that say what no process of ours would."""

import sys


def saying(reply: bytes) -> list[str]:
    """The command of one that answers every request so."""
    script = f"import sys; sys.stdin.buffer.read(); sys.stdout.buffer.write({reply!r})"
    return [sys.executable, "-c", script]
