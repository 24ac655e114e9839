"""How much memory a model takes, and whether that is there."""

from dataclasses import replace as replace_machine
from itertools import pairwise

import pytest
from msgspec.structs import replace

from core.errors import MemoryShortError
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.memory.budget import CARD_SLOTS, READ_TOKENS, Budget
from core.models.memory.fit import (
    Machine,
    Rounds,
    chunk_tokens,
    estimate,
    judge_fit,
    ladder,
    llama_context,
    most_scores,
    next_smaller,
    reach,
    roomiest_budget,
    sampler_bytes,
)

CATALOGUE = load_models()
GIB = 1 << 30
HALF = CATALOGUE.get("qwen2.5-0.5b")


def cpu(gib: float) -> Machine:
    return Machine("cpu", int(gib * GIB), 2)


def total(spec: ModelSpec, budget: Budget, machine: Machine | None = None) -> int:
    return estimate(spec, machine or cpu(8), budget).total


def test_a_larger_model_takes_more_of_everything() -> None:
    """From one of the large models to the next, by the weights at least."""
    large = [spec for spec in CATALOGUE.models if spec.repo]
    for small, big in pairwise(large):
        assert estimate(big, cpu(8), Budget()).weights > estimate(small, cpu(8), Budget()).weights
    assert total(large[-1], Budget()) > 2 * large[-1].parameters


@pytest.mark.parametrize("spec", CATALOGUE.models, ids=lambda spec: spec.id)
def test_every_step_down_the_ladder_saves_or_costs_nothing(spec: ModelSpec) -> None:
    """No lever takes more memory than the one before, and the last takes less than the first."""
    totals = [total(spec, budget) for budget in ladder(Budget())]
    assert totals == sorted(totals, reverse=True)
    if spec.repo:
        assert totals[-1] < totals[0]


def test_the_parts_add_up() -> None:
    """Sampling and updating take turns; the rest stays."""
    parts = estimate(HALF, cpu(8), Budget())
    turn = max(parts.sampler, parts.update)
    assert parts.total == parts.programs + parts.weights + parts.optimiser + turn
    assert "weights 988 MB" in parts.words


def test_precision_counts_for_large_models_alone() -> None:
    """Without bfloat16 a weight takes twice as much; a starter is in float32 anyway."""
    wide = Machine("cpu", 8 * GIB, 4)
    assert estimate(HALF, wide, Budget()).weights == 4 * HALF.parameters
    spark = CATALOGUE.get("spark")
    assert total(spark, Budget(), wide) == total(spark, Budget())


def test_a_graphics_card_holds_no_programs() -> None:
    """The libraries and the judge stay in the computer's own memory."""
    assert estimate(HALF, Machine("cuda", 8 * GIB, 2), Budget()).programs == 0


def test_longer_answers_and_larger_groups_take_more() -> None:
    """Activations grow with the answers, and the sampler's keys and values with both."""
    longer = replace(HALF, completion_tokens=2 * HALF.completion_tokens)
    assert total(longer, Budget()) > total(HALF, Budget())
    wide = estimate(HALF, cpu(8), Budget(), Rounds(groups=8, group_size=16))
    assert wide.sampler > estimate(HALF, cpu(8), Budget()).sampler


def test_few_own_groups_save_the_sampler_memory_and_not_the_update() -> None:
    """An update learns from as many tokens at once, since groups of others come into it, too."""
    few = estimate(HALF, cpu(8), Budget(), Rounds(groups=1, group_size=2))
    usual = estimate(HALF, cpu(8), Budget())
    assert few.sampler < usual.sampler
    assert few.update == usual.update


def test_each_row_of_llama_holds_its_prompt() -> None:
    """Keys and values of 32 rows of 512 tokens in float16, and little else; less with few rows."""
    shape = HALF.shape
    cache = 32 * 512 * 2 * shape.layers * shape.keys * 2
    assert cache < llama_context(HALF, Budget()) < 1.5 * cache
    assert llama_context(HALF, Budget()) > estimate(HALF, cpu(8), Budget()).sampler
    assert llama_context(HALF, Budget(sampler_rows=16)) == pytest.approx(
        llama_context(HALF, Budget()) / 2, abs=1
    )
    assert llama_context(HALF, Budget(), Rounds(groups=4)) < llama_context(HALF, Budget())


def test_long_prompts_take_more_and_are_not_read_at_once() -> None:
    """Every prompt's keys and values count, and the activations of what is read at once."""
    usual, long = (sampler_bytes(HALF, 2, Budget(), prompt=prompt) for prompt in (None, 1_700))
    keys = 2 * HALF.shape.layers * HALF.shape.keys * 2 * 8 * (1_700 - 320)
    assert long - usual == pytest.approx(1.1 * keys, abs=1)
    assert usual > READ_TOKENS * 3 * HALF.shape.intermediate * 2
    assert llama_context(HALF, Budget(), prompt=1_700) > 3 * llama_context(HALF, Budget())


def test_gaps_are_bounded_where_they_weigh() -> None:
    """In a large model to what the estimate counts; a small one rather takes them than a pass."""
    assert most_scores(HALF, 1_024) == 1_024 * reach(HALF)
    spark = CATALOGUE.get("spark")
    assert most_scores(spark, 1_024) > 1.2 * 1_024 * reach(spark)


def test_starters_fit_everywhere() -> None:
    """Two gigabytes are plenty."""
    for name in ("spark", "ember"):
        fit = judge_fit(CATALOGUE.get(name), cpu(2))
        assert (fit.verdict, fit.budget) == ("fits", Budget())


def test_the_roomiest_budget_that_fits_is_chosen() -> None:
    """The first of the ladder to need no more than there is; with a byte less, a later one."""
    steps = list(ladder(Budget()))
    for need in {total(HALF, budget) for budget in steps}:
        roomiest = next(budget for budget in steps if total(HALF, budget) <= need)
        assert judge_fit(HALF, Machine("cpu", need, 2)).budget == roomiest
        shorter = judge_fit(HALF, Machine("cpu", need - 1, 2))
        assert shorter.verdict == "too_large" or shorter.budget != roomiest


def test_a_card_learns_from_more_at_once_where_that_leaves_room() -> None:
    """Eight thousand tokens on a roomy card; no more than usual where others would feel it."""
    usual, large = Budget(), Budget(training_slots=CARD_SLOTS)
    need = {b: total(HALF, b, Machine("cuda", 1, 2)) for b in (usual, large)}
    roomy = judge_fit(HALF, Machine("cuda", 2 * need[large], 2))
    assert (roomy.verdict, roomy.budget) == ("fits", large)
    narrow = judge_fit(HALF, Machine("cuda", need[large], 2))
    assert narrow.verdict == "fits"
    assert usual.training_slots < narrow.budget.training_slots < CARD_SLOTS
    tight = judge_fit(HALF, Machine("cuda", need[usual], 2))
    assert (tight.verdict, tight.budget) == ("tight", usual)
    assert judge_fit(HALF, Machine("mps", 2 * need[large], 2)).budget == usual


def test_what_programs_hold_already_is_not_asked_for_again() -> None:
    """An engine that has loaded its libraries needs less than its whole estimate."""
    need = total(HALF, Budget())
    held = Machine("cpu", need - 1, 2, held=1)
    assert judge_fit(HALF, held).budget == Budget()
    with pytest.raises(MemoryShortError, match=r"and 0 MB are free"):
        roomiest_budget(HALF, Machine("cpu", 1_000, 2, held=1))


def test_what_fits_narrowly_is_tight() -> None:
    """With no room for others, or with a smaller budget only."""
    need = total(HALF, Budget())
    assert judge_fit(HALF, Machine("cpu", 2 * need, 2)).verdict == "fits"
    assert judge_fit(HALF, Machine("cpu", need, 2)).verdict == "tight"
    least = min(total(HALF, budget) for budget in ladder(Budget()))
    assert judge_fit(HALF, Machine("cpu", least, 2)).verdict == "tight"
    assert judge_fit(HALF, Machine("cpu", least - 1, 2)).verdict == "too_large"
    assert judge_fit(HALF, Machine("cpu", least - 1, 2)).words == "too large"


def test_a_smaller_model_is_named() -> None:
    """The largest that is not too large; none below the smallest."""
    large = CATALOGUE.get("qwen3-4b")
    machine = Machine("cpu", total(HALF, Budget()), 2)
    assert judge_fit(large, machine).verdict == "too_large"
    instead = next_smaller(large, CATALOGUE, machine)
    assert instead is not None
    assert judge_fit(instead, machine).verdict != "too_large"
    assert instead.parameters >= HALF.parameters
    assert next_smaller(CATALOGUE.get("spark"), CATALOGUE, machine) is None
    assert next_smaller(large, CATALOGUE, Machine("cpu", 1, 2)) is None


def test_with_room_nothing_is_given_up() -> None:
    """The whole budget, on a machine with plenty."""
    assert roomiest_budget(CATALOGUE.get("qwen2.5-0.5b"), Machine("cpu", 64 * GIB, 2)) == Budget()


def test_a_narrow_place_gets_a_smaller_budget() -> None:
    """Less is done at once before a model is refused."""
    budget = roomiest_budget(CATALOGUE.get("qwen2.5-0.5b"), Machine("cpu", 5 * GIB // 2, 2))
    assert budget.training_slots < Budget().training_slots


def test_a_model_that_is_too_large_is_refused_with_one_that_is_not() -> None:
    """The message has both figures and names the largest model that fits."""
    with pytest.raises(MemoryShortError, match=r"needs about .* GB .* 3\.2 GB are free") as caught:
        roomiest_budget(CATALOGUE.get("qwen3-4b"), Machine("cpu", 3 * GIB, 2))
    named = str(caught.value).rpartition("smaller model: ")[2].rstrip(".")
    roomiest_budget(CATALOGUE.get(named), Machine("cpu", 3 * GIB, 2))


def test_a_model_that_does_not_fit_is_quantized_where_that_helps() -> None:
    """Where bitsandbytes is installed; it is tight then, and one that fits anyway is left alone."""
    large = CATALOGUE.get("qwen2.5-1.5b")
    small = int(0.75 * estimate(large, Machine("cuda", 0, 2), smallest_budget()).total)
    plain, able = Machine("cuda", small, 2), Machine("cuda", small, 2, can_quantize=True)
    assert judge_fit(large, plain).verdict == "too_large"
    quantized = judge_fit(large, able)
    assert (quantized.verdict, quantized.quantizes) == ("tight", True)
    assert quantized.words == "tight, in four bits"
    assert quantized.estimate.total <= small
    assert not judge_fit(large, replace_machine(able, memory=80 * GIB)).quantizes
    assert judge_fit(large, replace_machine(able, memory=GIB // 4)).words == "too large"


def test_quantized_weights_take_a_third_of_half_precision() -> None:
    """Of a whole model, whose embeddings stay as they are; of a starter nothing is quantised."""
    large, four_bits = CATALOGUE.get("qwen2.5-1.5b"), Machine("cuda", 8 * GIB, 2, quantizes=True)
    plain = Machine("cuda", 8 * GIB, 2)
    share = estimate(large, four_bits, Budget()).weights / estimate(large, plain, Budget()).weights
    assert 0.28 < share < 0.5
    spark = CATALOGUE.get("spark")
    assert estimate(spark, four_bits, Budget()) == estimate(spark, plain, Budget())


def smallest_budget() -> Budget:
    """The smallest budget there is."""
    return list(ladder(Budget()))[-1]


@pytest.mark.parametrize(("vocabulary", "expected"), [(1536, 256), (151_936, 110), (2**30, 1)])
def test_a_chunk_is_bounded(vocabulary: int, expected: int) -> None:
    """By its scores for large vocabularies and by its tokens for small ones; never empty."""
    assert chunk_tokens(vocabulary) == expected
