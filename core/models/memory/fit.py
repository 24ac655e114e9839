"""Estimate of the peak memory of a model's training, made without loading anything.

The parts are those of the programs that hold them: the frozen weights, the sampler with its keys
and values (``core.sampling``), and the update with its activations and its optimiser
(``core.training``). Sampling and updating take turns, so the larger of the two counts.
``tests/benchmarks/bench_memory.py`` holds the sum against what is measured.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.api.models import Device, Verdict
from core.errors import MemoryShortError
from core.i18n import translatable
from core.models.catalog.catalog import ModelCatalog, ModelSpec, load_models
from core.models.memory.budget import CARD_SLOTS, READ_TOKENS, Budget
from core.models.memory.shortage import advice, too_large
from core.storage.room import size_in_words

FLOAT32: Final = 4  # bytes of a number
HALF: Final = 2
_LOADED_BYTES: Final = 460_000_000  # the engine with its libraries, and what they allocate once
_JUDGE_BYTES: Final = 160_000_000  # the process of the judge, with the puzzle library
PROGRAM_BYTES: Final = _LOADED_BYTES + _JUDGE_BYTES
_QUANTIZED: Final = 4.5 / 8  # bytes of a weight in four bits, with its share of a block's scale
_ADAPTER_BYTES: Final = 4 * FLOAT32  # of each parameter: itself, its gradient, Adam's two moments
_SAVED_BYTES: Final = 3 * FLOAT32  # of each parameter, once more while a checkpoint is written
CHUNK_SCORES: Final = 16 << 20  # over the vocabulary, that an update holds at once at most
CHUNK_TOKENS: Final = 256  # whose scores those are; more are no faster, and leave the cache
_DRAWN_COPIES: Final = 2  # of the scores from which the sampler draws
_FEW_SCORES: Final = 16 << 10  # of a token in all heads and layers, 64 KB: worth no further pass
_CELLS: Final = 256  # of which llama.cpp gives each of its rows a multiple
_SLACK: Final = 1.1  # what the allocator loses between the pieces

PROMPT_TOKENS: Final = 320
"""The longest prompt of a round, as a rule; a model's own limit is higher."""

TIGHT: Final = 0.85
"""Share of the free memory above which a model is said to be tight: other programs need some."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """Number and size of a round's own groups, on which the sampler's memory depends."""

    groups: int = 8
    group_size: int = 4


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a model would be trained."""

    device: Device
    memory: int  # bytes that are free for it there
    weight_bytes: int  # of a frozen weight of a model that is not small
    quantizes: bool = False  # the matrices of the layers of such a model are kept in four bits
    can_quantize: bool = False  # they can be, where the model does not fit otherwise
    held: int = 0  # bytes of an estimate that are held already, by programs that run

    def bytes_per_weight(self, spec: ModelSpec) -> int:
        """Small models stay in float32 on the processor."""
        return FLOAT32 if spec.is_small else self.weight_bytes


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Peak memory in bytes, part by part."""

    programs: int
    weights: int
    sampler: int  # its own weights, keys, values and scores
    update: int  # activations
    optimiser: int  # the adapter with its gradient and moments

    @property
    def total(self) -> int:
        """All that is held at once."""
        return self.programs + self.weights + self.optimiser + max(self.sampler, self.update)

    @property
    def words(self) -> str:
        """The figures for a person."""
        return (
            f"{size_in_words(self.total)}: weights {size_in_words(self.weights)}, "
            f"sampling {size_in_words(self.sampler)}, update {size_in_words(self.update)}, "
            f"optimiser {size_in_words(self.optimiser)}, "
            f"programs {size_in_words(self.programs)}"
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a model can be trained on a machine, and with which budget."""

    verdict: Verdict
    estimate: MemoryEstimate  # with ``budget``
    budget: Budget  # the roomiest that fits, or the smallest there is
    quantizes: bool = False  # with its weights in four bits, since it does not fit otherwise

    @property
    def words(self) -> str:
        """The verdict for a person."""
        return self.verdict.replace("_", " ") + (", in four bits" if self.quantizes else "")


def judge_fit(spec: ModelSpec, machine: Machine, rounds: Rounds | None = None) -> Fit:
    """Walk down the ladder of budgets to the first that fits; if none, with quantised weights."""
    fit = _judge(spec, machine, rounds or Rounds())
    if fit.verdict != "too_large" or machine.quantizes or not machine.can_quantize or spec.is_small:
        return fit
    quantized = _judge(spec, replace(machine, quantizes=True), rounds or Rounds())
    if quantized.verdict == "too_large":
        return fit
    return replace(quantized, verdict="tight", quantizes=True)


def _judge(spec: ModelSpec, machine: Machine, rounds: Rounds) -> Fit:
    usual = Budget()
    start = replace(usual, training_slots=CARD_SLOTS) if machine.device == "cuda" else usual
    fits = [Fit("too_large", estimate(spec, machine, b, rounds), b) for b in ladder(start)]
    for fit in fits:
        need = fit.estimate.total - machine.held
        is_roomy = need <= TIGHT * machine.memory
        if fit.budget.training_slots >= usual.training_slots and is_roomy:
            return replace(fit, verdict="fits")
        if fit.budget.training_slots <= usual.training_slots and need <= machine.memory:
            return replace(fit, verdict="tight")
    return fits[-1]


def ladder(start: Budget) -> Iterator[Budget]:
    """``start`` and every smaller budget, the roomiest first."""
    budget: Budget | None = start
    while budget is not None:
        yield budget
        budget = budget.smaller()


def next_smaller(
    spec: ModelSpec, catalogue: ModelCatalog, machine: Machine, rounds: Rounds | None = None
) -> ModelSpec | None:
    """The largest model below ``spec`` that is not too large; None where there is none."""
    other = catalogue.smaller_than(spec)
    while other is not None and judge_fit(other, machine, rounds).verdict == "too_large":
        other = catalogue.smaller_than(other)
    return other


def estimate(
    spec: ModelSpec, machine: Machine, budget: Budget, rounds: Rounds | None = None
) -> MemoryEstimate:
    """Peak memory of training ``spec``: on the device; where that is the CPU, of all processes."""
    rounds = rounds or Rounds()
    width = machine.bytes_per_weight(spec)
    adapter = spec.shape.adapter(spec.lora_rank)
    on_cpu = machine.device == "cpu"
    return MemoryEstimate(
        programs=PROGRAM_BYTES if on_cpu else 0,
        weights=_weights(spec, machine),
        sampler=sampler_bytes(spec, width, budget, rounds),
        update=update_bytes(spec, width, budget) + (adapter * _SAVED_BYTES if on_cpu else 0),
        optimiser=adapter * _ADAPTER_BYTES,
    )


def _weights(spec: ModelSpec, machine: Machine) -> int:
    """Bytes of the frozen weights: see ``core.models.policy.four_bit`` where they are quantised."""
    width = machine.bytes_per_weight(spec)
    if not machine.quantizes or spec.is_small:
        return spec.parameters * width
    shape = spec.shape
    quantized = shape.layers * shape.layer_matrices
    dequantized = shape.hidden * shape.intermediate  # at a time
    return round(quantized * _QUANTIZED) + (spec.parameters - quantized + dequantized) * width


def llama_context(
    spec: ModelSpec, budget: Budget, rounds: Rounds | None = None, prompt: int | None = None
) -> int:
    """Bytes of a llama.cpp sampler beside its weights: see ``core.sampling.llama_runtime``.

    Each row holds its prompt, which the rows of a group share in the torch sampler. ``prompt`` is
    the longest one in tokens; None: as long as it is as a rule.
    """
    shape, rounds = spec.shape, rounds or Rounds()
    rows = min(budget.sampler_rows, rounds.groups * rounds.group_size)
    length = (prompt or _prompt_tokens(spec)) + spec.completion_tokens
    cells = -(-length // _CELLS) * _CELLS
    cache = 2 * shape.layers * shape.keys * rows * cells * HALF
    scores = (1 + _DRAWN_COPIES) * rows * shape.vocabulary * FLOAT32
    return round(_SLACK * (cache + scores))


def reach(spec: ModelSpec) -> int:
    """The context of an update's last token in tokens, at most, as a rule."""
    return _prompt_tokens(spec) + spec.completion_tokens


def most_scores(spec: ModelSpec, slots: int) -> int:
    """Attention scores of a head that a pass over ``slots`` tokens holds at most, gaps counted.

    Each token looks back at all that it can reach, at most; small models may hold more, since gaps
    hardly weigh there and each further pass would cost time.
    """
    return slots * _scores_of_token(spec)


def _scores_of_token(spec: ModelSpec) -> int:
    """Attention scores of a head that a token of an update holds on average, at most."""
    return max(reach(spec), _FEW_SCORES // (spec.shape.layers * spec.shape.heads))


def sampler_bytes(
    spec: ModelSpec,
    width: int,
    budget: Budget,
    rounds: Rounds | None = None,
    prompt: int | None = None,
) -> int:
    """Bytes of the torch sampler: see ``core.sampling.lean_weights`` and ``lean_cache``.

    ``width`` is that of a frozen weight in bytes, here and below; ``prompt`` as above.
    """
    shape, rounds, prompt = spec.shape, rounds or Rounds(), prompt or _prompt_tokens(spec)
    if spec.is_small:  # a merged copy with the adapter folded in
        weights = shape.layers * shape.layer_matrices + shape.embedding
    else:  # the adapter beside the weights
        weights = shape.adapter(spec.lora_rank)
    rows = max(rounds.group_size, min(budget.sampler_rows, rounds.groups * rounds.group_size))
    read = rows // rounds.group_size * prompt
    cache = 2 * shape.layers * shape.keys  # of a token
    drawing = rows * (cache * spec.completion_tokens + _DRAWN_COPIES * shape.vocabulary)
    reading = _reading_bytes(spec, max(prompt, min(READ_TOKENS, read)), width)
    held = weights + read * cache
    return round(_SLACK * (held * width + max(drawing * width, reading)))


def _reading_bytes(spec: ModelSpec, tokens: int, width: int) -> int:
    """Bytes of a layer's activations while ``tokens`` of prompts are read at once."""
    shape = spec.shape
    kept = 4 * shape.hidden + shape.queries + 2 * shape.keys + 3 * shape.intermediate
    turned = 2 * (shape.queries + shape.keys)  # cosine and sine, in float32 always
    return tokens * (kept * width + turned * FLOAT32)


def update_bytes(spec: ModelSpec, width: int, budget: Budget) -> int:
    """Bytes of the largest pass of an update: see ``core.training.adapted`` and ``attention``.

    However few groups are sampled, those of others fill it.
    """
    shape = spec.shape
    one = _prompt_tokens(spec) + spec.completion_tokens - 1  # a group may be taken in parts
    slots = max(one, budget.training_slots)
    scores = shape.heads * _scores_of_token(spec)  # ``core.training.batch`` holds a pass to them
    kept = 4 * shape.hidden + 2 * (shape.queries + shape.keys) + 2 * shape.intermediate + scores
    if spec.family == "qwen3":  # the norms of its heads keep what they saw
        kept += shape.queries + shape.keys
    passing = 5 * shape.intermediate + 2 * scores  # held for one layer, on the way back
    layers = shape.layers * shape.hidden + kept if budget.checkpointing else shape.layers * kept
    folded = shape.layers * shape.layer_matrices if spec.is_small else 0
    chunk = min(CHUNK_SCORES, CHUNK_TOKENS * shape.vocabulary) * (width + FLOAT32)
    return round(_SLACK * ((slots * (layers + passing) + folded) * width + chunk))


def chunk_tokens(vocabulary: int) -> int:
    """How many tokens' scores an update holds at once."""
    return max(1, min(CHUNK_TOKENS, CHUNK_SCORES // vocabulary))


def _prompt_tokens(spec: ModelSpec) -> int:
    return min(PROMPT_TOKENS, spec.prompt_tokens)


def roomiest_budget(spec: ModelSpec, machine: Machine, rounds: Rounds | None = None) -> Budget:
    """The largest budget with which ``spec`` can be trained on ``machine`` in ``rounds``.

    Raises:
        MemoryShortError: there is none; the message names the next smaller model that fits.
    """
    fit = judge_fit(spec, machine, rounds)
    if fit.verdict != "too_large":
        return fit.budget
    smaller = next_smaller(spec, load_models(), machine, rounds)
    need = fit.estimate.total - machine.held
    if machine.device != "cuda":
        raise too_large(spec, need, machine.memory, smaller)
    raise MemoryShortError(
        translatable(
            "{0} needs about {1} of the graphics card's memory to be trained, and {2} are free "
            "there. {3} Or choose the processor as device under Settings, How much.",
            spec.title,
            size_in_words(need),
            size_in_words(machine.memory),
            advice(smaller),
        )
    )
