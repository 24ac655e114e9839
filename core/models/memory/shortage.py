"""What is said where a model needs more memory than there is, and how much it may take at once."""

from core.errors import MemoryShortError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec, load_models, size_in_words
from core.models.memory.budget import Budget
from core.models.memory.fit import Machine, Rounds, judge_fit, next_smaller


def roomiest_budget(spec: ModelSpec, machine: Machine, rounds: Rounds | None = None) -> Budget:
    """The largest budget with which ``spec`` can be trained on ``machine`` in ``rounds``.

    Raises:
        MemoryShortError: there is none; the message names the next smaller model that fits.
    """
    fit = judge_fit(spec, machine, rounds)
    if fit.verdict != "too_large":
        return fit.budget
    smaller = next_smaller(spec, load_models(), machine)
    raise MemoryShortError(
        translatable(
            "{0} needs about {1} of memory to be trained, and {2} are free. {3}",
            spec.title,
            size_in_words(fit.estimate.total),
            size_in_words(machine.memory),
            _advice(smaller),
        )
    )


def memory_short(spec: ModelSpec) -> MemoryShortError:
    """The error for a shortage in the midst of work, with nothing left to give up."""
    return MemoryShortError(
        translatable(
            "The memory of this computer ran out while {} was being trained; what it "
            "learnt until the last round is safe. {}",
            spec.title,
            _advice(load_models().smaller_than(spec)),
        )
    )


def _advice(smaller: ModelSpec | None) -> str:
    if smaller is None:
        return translatable("Close other programs and try again.")
    return translatable("Close other programs, or choose the next smaller model: {}.", smaller.id)
