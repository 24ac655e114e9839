"""What is said where memory is short."""

from core.errors import MemoryShortError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec, load_models
from core.storage.room import size_in_words


def too_large(spec: ModelSpec, need: int, free: int, smaller: ModelSpec | None) -> MemoryShortError:
    """The error for a model that needs more of this computer's memory than the ``free`` bytes."""
    return MemoryShortError(
        translatable(
            "{0} needs about {1} of memory to be trained, and {2} are free for it. {3}",
            spec.title,
            size_in_words(need),
            size_in_words(free),
            advice(smaller),
        )
    )


def memory_short(spec: ModelSpec) -> MemoryShortError:
    """The error for a shortage in the midst of work, with nothing left to give up."""
    return MemoryShortError(
        translatable(
            "The memory of this computer, or of its graphics card, ran out while {} was being "
            "trained; what it learnt until the last round is safe. {}",
            spec.title,
            advice(load_models().smaller_than(spec)),
        )
    )


def memory_tight(spec: ModelSpec) -> str:
    """What is said where a shortage was got over by doing less at a time."""
    return translatable(
        "Memory is short, so {} practises in smaller steps from now on: that takes longer and "
        "teaches the same. Close other programs to give it more.",
        spec.title,
    )


def advice(smaller: ModelSpec | None) -> str:
    """What to do about it, where ``smaller`` is the next model that fits."""
    if smaller is None:
        return translatable("Close other programs and try again.")
    return translatable("Close other programs, or choose the next smaller model: {}.", smaller.id)
