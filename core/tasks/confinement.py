"""What the judge may not do on this system, and giving up those liberties.

Several layers promise the same on purpose: a promise holds as soon as one of its layers is on. A
layer that the system refuses is passed over and reported, never fatal: most answers come from
honest peers, and the verifiers are written to need none of this.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.i18n import TranslatableText, enumerated, together, translatable

MEMORY_BYTES = 1_000_000_000  # the judge needs about 160 MB of address space
PROCESSOR_S = 600


class Promise(StrEnum):
    """What the judge cannot do to anybody."""

    NETWORK = auto()
    FILES = auto()
    PROGRAMS = auto()
    PROCESSES = auto()
    OPENING = auto()
    WRITING = auto()
    MEMORY = auto()
    PROCESSOR = auto()
    DUMPS = auto()
    LEASH = auto()


PROMISES: Final[dict[Promise, TranslatableText]] = {
    Promise.NETWORK: translatable("no network"),
    Promise.FILES: translatable("no access to files"),
    Promise.PROGRAMS: translatable("cannot start programs"),
    Promise.PROCESSES: translatable("cannot multiply"),
    Promise.OPENING: translatable("cannot open anything new"),
    Promise.WRITING: translatable("cannot write files"),
    Promise.MEMORY: translatable("memory limit {} GB", MEMORY_BYTES // 10**9),
    Promise.PROCESSOR: translatable("processor time limit {} minutes", PROCESSOR_S // 60),
    Promise.DUMPS: translatable("leaves no memory dumps"),
    Promise.LEASH: translatable("ends with Waggle"),
}
"""What each of them means, in the order in which they are told."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One way to keep promises; ``put_on`` raises OSError or ValueError where it cannot be had."""

    promises: tuple[Promise, ...]
    put_on: Callable[[], None]


class Missing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A promise that does not hold."""

    promise: Promise
    reason: Annotated[str, Meta(max_length=1_000)] = ""
    """The system's own words; none where it has no such layer."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """Which promises hold, and which do not and why."""

    active: tuple[Promise, ...]
    missing: tuple[Missing, ...]

    def in_words(self) -> TranslatableText:
        """For a person."""
        active = enumerated([PROMISES[one] for one in self.active] or [translatable("none")])
        return together(
            translatable("answers of others are judged in a process of its own: {}.", active),
            translatable(
                "Not to be had here: {}.", enumerated([_explained(one) for one in self.missing])
            )
            if self.missing
            else None,
        )


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
            Missing(promise, reasons.get(promise, "")[:1_000])
            for promise in PROMISES
            if promise not in kept
        ),
    )


def _explained(missing: Missing) -> TranslatableText:
    reason = missing.reason or translatable("not available on this system")
    return translatable("{} ({})", PROMISES[missing.promise], reason)


def layers_here() -> tuple[Layer, ...]:
    """All layers of this system; the one that forbids putting on others comes last."""
    layers: tuple[Layer, ...]
    if sys.platform == "win32":
        from core.windows_job import enter_job

        of_job = (Promise.MEMORY, Promise.PROCESSOR, Promise.PROGRAMS, Promise.PROCESSES)
        layers = (Layer(of_job, lambda: enter_job(MEMORY_BYTES, PROCESSOR_S)),)
    else:
        from core.tasks import resource_limits

        layers = (
            Layer((Promise.MEMORY,), lambda: resource_limits.memory(MEMORY_BYTES)),
            Layer((Promise.PROCESSOR,), lambda: resource_limits.processor(PROCESSOR_S)),
            Layer((Promise.WRITING,), resource_limits.no_writing),
            Layer((Promise.PROCESSES,), resource_limits.no_processes),
            Layer((Promise.DUMPS,), resource_limits.no_dumps),
            Layer((Promise.OPENING,), resource_limits.no_opening),
        )
    if sys.platform == "linux":
        from core.tasks import linux_sandbox

        layers = (
            Layer((Promise.NETWORK,), linux_sandbox.leave_network),
            Layer((Promise.LEASH,), linux_sandbox.end_with_parent),
            *layers,
            Layer(
                (
                    Promise.NETWORK,
                    Promise.FILES,
                    Promise.PROGRAMS,
                    Promise.PROCESSES,
                    Promise.OPENING,
                    Promise.WRITING,
                ),
                linux_sandbox.allow_only_computing,
            ),
        )
    return layers
