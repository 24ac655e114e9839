"""How a smoke test tells what it does: a line per step with its seconds, and why it failed."""

import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

Seen = TypeVar("Seen")

_GLANCE_S: Final = 0.1
_MOST_SHOWN: Final = 10


class SmokeError(Exception):
    """Something is not as it should be; the text says what."""


@contextmanager
def step(name: str) -> Iterator[None]:
    """Say how long what is inside took, and whether it failed."""
    began = time.monotonic()
    outcome = "FAILED"
    try:
        yield
        outcome = "ok"
    finally:
        say(f"{name:<36} {time.monotonic() - began:6.1f} s  {outcome}")


def say(text: str) -> None:
    """A line for the person who runs it."""
    sys.stdout.write(f"smoke: {text}\n")
    sys.stdout.flush()


def verdict(test: Callable[[], None]) -> int:
    """Run a whole ``test``; returns 1 if it fails, and says why."""
    try:
        test()
    except (SmokeError, OSError) as error:
        say(f"FAILED: {error}")
    except subprocess.SubprocessError as error:
        said = (getattr(error, name, None) for name in ("stdout", "stderr"))
        say("\n".join([f"FAILED: {error}", *(str(words) for words in said if words)]))
    else:
        say("passed")
        return 0
    return 1


def until(look: Callable[[], Seen | None], otherwise: str, seconds: float) -> Seen:
    """What ``look`` returns once it is true.

    Raises:
        SmokeError: it was not within ``seconds``; the text says ``otherwise``.
    """
    deadline = time.monotonic() + seconds
    while not (seen := look()):
        if time.monotonic() > deadline:
            raise SmokeError(f"{otherwise} within {seconds:.0f} s")
        time.sleep(_GLANCE_S)
    return seen


def refuse(what: str, found: Collection[str]) -> None:
    """Fail where anything was ``found``.

    Raises:
        SmokeError: names ``what`` it is, and the first of them.
    """
    if found:
        shown = "\n    ".join(sorted(found)[:_MOST_SHOWN])
        raise SmokeError(f"{len(found)} {what}:\n    {shown}")
