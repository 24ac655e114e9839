"""A run comes back from disk as it was, or not at all."""

from pathlib import Path

import msgspec
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import save_file

from core.api.events import RoundFinished
from core.engine.round import play_round
from core.errors import LabError
from core.lab.learning.nodes import LabNode
from core.lab.learning.plans import peer_id
from core.lab.learning.saved_state import SavedState
from tests.core.lab.learning.small import Small, small_swarm
from tests.tiny_models import build_tiny_model

ROUNDS = 3


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def recipe() -> str:
    """That of the paper, where a test names no other."""
    return "sapo"


BOTH = pytest.mark.parametrize("recipe", ["sapo", "waggle-adaptive"])
"""The least that a recipe remembers, and the most."""


@pytest.fixture
async def played(model: Path, recipe: str) -> Small:
    """Two nodes after three rounds."""
    small = small_swarm(model, recipe=recipe)
    small.rollouts.copied[peer_id(2)] = ("0" * 16,)
    for number in range(1, ROUNDS + 1):
        await play(small, number)
    return small


@pytest.fixture
def state(played: Small, tmp_path: Path) -> SavedState:
    state = SavedState(tmp_path / "state.safetensors")
    state.save(ROUNDS, played.nodes, played.rollouts)
    return state


@pytest.fixture
def other(model: Path, recipe: str) -> Small:
    """Two nodes that have played nothing."""
    return small_swarm(model, recipe=recipe)


async def play(small: Small, number: int) -> list[RoundFinished]:
    """A round of every node, without the times that it took."""
    rounds = [await _play(node, number) for node in small.nodes]
    return [
        msgspec.structs.replace(one, sample_s=0, judge_s=0, share_s=0, train_s=0) for one in rounds
    ]


async def _play(node: LabNode, number: int) -> RoundFinished:
    return (await play_round(number, node.plan, node.parts, lambda _: None)).finished


def weights(small: Small) -> list[torch.Tensor]:
    return [p.detach().clone() for node in small.nodes for p in node.policy.adapter().values()]


@BOTH
async def test_a_restored_run_goes_on_as_if_nothing_had_happened(
    played: Small, state: SavedState, other: Small
) -> None:
    """Adapters, optimisers, what waits to be learnt and what was shared: two more rounds agree."""
    before = weights(other)
    assert state.restore(other.nodes, other.rollouts) == ROUNDS
    assert other.rollouts.newest == played.rollouts.newest
    assert other.rollouts.shared == played.rollouts.shared
    assert other.rollouts.handed == played.rollouts.handed
    assert other.rollouts.copied == played.rollouts.copied != {}
    for number in (ROUNDS + 1, ROUNDS + 2):
        assert await play(other, number) == await play(played, number)
    assert all(map(torch.equal, weights(other), weights(played)))
    assert not all(map(torch.equal, weights(other), before))


@BOTH
def test_saving_what_was_restored_changes_no_byte(state: SavedState, other: Small) -> None:
    """Nothing is lost on the way, and nothing depends on when it was read."""
    before = state.path.read_bytes()
    state.restore(other.nodes, other.rollouts)
    state.save(ROUNDS, other.nodes, other.rollouts)
    assert state.path.read_bytes() == before


def test_a_run_that_was_never_saved_begins_at_the_beginning(tmp_path: Path, other: Small) -> None:
    """Round 0 is the last one played, and nothing was touched."""
    before = weights(other)
    assert SavedState(tmp_path / "none").restore(other.nodes, other.rollouts) == 0
    assert all(map(torch.equal, weights(other), before))
    assert other.rollouts.newest == {}


def test_the_state_of_another_experiment_is_refused(
    state: SavedState, model: Path, tmp_path: Path
) -> None:
    """Other numbers of nodes, seeds, recipes, or models that were made again."""
    other_model = build_tiny_model(tmp_path / "other", seed=1)
    strangers = [
        small_swarm(model, nodes=3),
        small_swarm(model, seed=2),
        small_swarm(model, recipe="waggle"),
        small_swarm(other_model),
    ]
    for stranger in strangers:
        with pytest.raises(LabError, match="left by another experiment"):
            state.restore(stranger.nodes, stranger.rollouts)


@pytest.mark.parametrize("missing", ["0/adam/exp_avg", "1/adapter/"])
def test_a_tensor_that_is_missing_is_told(state: SavedState, other: Small, missing: str) -> None:
    """It is never taken for zeros."""
    with safe_open(state.path, framework="pt") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    gone = next(name for name in tensors if name.startswith(missing))
    del tensors[gone]
    save_file(tensors, state.path, metadata)
    with pytest.raises(LabError):
        state.restore(other.nodes, other.rollouts)


@pytest.mark.parametrize("metadata", [None, {}, {"words": ""}, {"words": "{}"}, {"words": "[1]"}])
def test_a_file_of_something_else_is_told(
    state: SavedState, other: Small, metadata: dict[str, str] | None
) -> None:
    """Tensors without the words that belong to them."""
    save_file({"x": torch.zeros(2)}, state.path, metadata)
    with pytest.raises(LabError, match="damaged"):
        state.restore(other.nodes, other.rollouts)


def test_a_file_that_was_cut_off_is_told(state: SavedState, other: Small) -> None:
    """However much of it is left."""
    whole = state.path.read_bytes()
    for length in (0, 7, 8, 100, len(whole) // 2, len(whole) - 1):
        state.path.write_bytes(whole[:length])
        with pytest.raises(LabError, match="damaged"):
            state.restore(other.nodes, other.rollouts)


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_words_that_were_damaged_are_told(
    state: SavedState, other: Small, data: st.DataObject
) -> None:
    """Whatever became of what is no tensor: the state of that round, or an error."""
    with safe_open(state.path, framework="pt") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    words = metadata["words"]
    start = data.draw(st.integers(0, len(words)))
    put = data.draw(st.text('"{}[],:0129enul\\', max_size=6))
    end = data.draw(st.integers(start, min(len(words), start + 30)))
    hurt = SavedState(state.path.with_name("hurt.safetensors"))
    save_file(tensors, hurt.path, {"words": words[:start] + put + words[end:]})
    try:
        reached = hurt.restore(other.nodes, other.rollouts)
    except LabError:
        return
    assert reached == ROUNDS
