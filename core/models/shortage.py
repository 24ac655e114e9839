"""What is said where a model needs more memory than there is, and how much it may take at once."""

from core.errors import MemoryShortError
from core.models.budget import Budget
from core.models.catalog import ModelSpec, load_models, size_in_words
from core.models.fit import Machine, Rounds, judge_fit, next_smaller


def roomiest_budget(spec: ModelSpec, machine: Machine, rounds: Rounds | None = None) -> Budget:
    """The largest budget with which ``spec`` can be trained on ``machine`` in ``rounds``.

    Raises:
        MemoryShortError: there is none; the message names the next smaller model that fits.
    """
    fit = judge_fit(spec, machine, rounds)
    if fit.verdict != "too large":
        return fit.budget
    smaller = next_smaller(spec, load_models(), machine)
    raise MemoryShortError(
        f"{spec.title} needs about {size_in_words(fit.estimate.total)} of memory to be trained, "
        f"and {size_in_words(machine.memory)} are free. {_advice(smaller)}"
    )


def memory_short(spec: ModelSpec) -> MemoryShortError:
    """The error for a shortage in the midst of work, with nothing left to give up."""
    return MemoryShortError(
        f"The memory of this computer ran out while {spec.title} was being trained; what it "
        f"learnt until the last round is safe. {_advice(load_models().smaller_than(spec))}"
    )


def _advice(smaller: ModelSpec | None) -> str:
    if smaller is None:
        return "Close other programs and try again."
    return f"Close other programs, or choose the next smaller model: {smaller.id}."
