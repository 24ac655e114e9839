"""What the judge may not do on this system, and giving up those liberties.

Several layers promise the same on purpose: a promise holds as soon as one of its layers is on. A
layer that the system refuses is passed over and reported, never fatal: most answers come from
honest peers, and the verifiers are written to need none of this.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NewType

MEMORY_BYTES = 1 << 30  # the judge needs about 160 MB of address space
PROCESSOR_S = 600

Promise = NewType("Promise", str)

NETWORK = Promise("no network")
FILES = Promise("no access to files")
PROGRAMS = Promise("cannot start programs")
PROCESSES = Promise("cannot multiply")
OPENING = Promise("cannot open anything new")
WRITING = Promise("cannot write files")
MEMORY = Promise(f"memory limit {MEMORY_BYTES >> 30} GB")
PROCESSOR = Promise(f"processor time limit {PROCESSOR_S // 60} minutes")
DUMPS = Promise("leaves no memory dumps")
LEASH = Promise("ends with Waggle")

PROMISES = (
    NETWORK, FILES, PROGRAMS, PROCESSES, OPENING, WRITING, MEMORY, PROCESSOR, DUMPS, LEASH,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Layer:
    """One way to keep promises; ``put_on`` raises OSError or ValueError where it cannot be had."""

    promises: tuple[Promise, ...]
    put_on: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Confinement:
    """Which promises hold, and which do not and why; both in words for a person."""

    active: tuple[str, ...]
    missing: tuple[str, ...]  # such as "no network (Operation not permitted)"


def confine(layers: Sequence[Layer]) -> Confinement:
    """Put on as many of ``layers`` as the system allows, in order; there is no way back."""
    kept: set[Promise] = set()
    reasons: dict[Promise, str] = {}
    for layer in layers:
        try:
            layer.put_on()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            reasons |= dict.fromkeys(layer.promises, reason)
        else:
            kept.update(layer.promises)
    return Confinement(
        active=tuple(promise for promise in PROMISES if promise in kept),
        missing=tuple(
            f"{promise} ({reasons.get(promise, 'not available on this system')})"
            for promise in PROMISES
            if promise not in kept
        ),
    )


def layers_here() -> tuple[Layer, ...]:
    """All layers of this system; the one that forbids putting on others comes last."""
    if sys.platform == "win32":
        from core.tasks.windows_job import enter_job

        return (Layer((MEMORY, PROCESSOR, PROGRAMS, PROCESSES), enter_job),)
    from core.tasks import resource_limits

    limits = (
        Layer((MEMORY,), lambda: resource_limits.memory(MEMORY_BYTES)),
        Layer((PROCESSOR,), lambda: resource_limits.processor(PROCESSOR_S)),
        Layer((WRITING,), resource_limits.no_writing),
        Layer((PROCESSES,), resource_limits.no_processes),
        Layer((DUMPS,), resource_limits.no_dumps),
        Layer((OPENING,), resource_limits.no_opening),
    )
    if sys.platform != "linux":
        return limits
    from core.tasks import linux_sandbox

    return (
        Layer((NETWORK,), linux_sandbox.leave_network),
        Layer((LEASH,), linux_sandbox.end_with_parent),
        *limits,
        Layer(
            (NETWORK, FILES, PROGRAMS, PROCESSES, OPENING, WRITING),
            linux_sandbox.allow_only_computing,
        ),
    )
