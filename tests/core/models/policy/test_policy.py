from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from core.models.memory.compute import Compute
from core.models.policy.loading import fingerprint_of, load_policy
from core.models.policy.policy import BASE_VERSION, Policy
from tests.naive_policy import hidden_states, logits
from tests.tiny_models import (
    END,
    FAMILIES,
    Family,
    build_tiny_model,
    disturb_adapter,
    load_tiny_policy,
    tiny_spec,
)

IDS = torch.tensor([[5, 17, 80, 3, 200, 41]])


def _scores(policy: Policy) -> Tensor:
    with torch.no_grad():
        return logits(policy, hidden_states(policy, IDS))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return load_tiny_policy(tmp_path_factory.mktemp("tiny"))


def test_a_prompt_is_stripped_and_closed_by_one_newline(tiny: Policy) -> None:
    """The format is ``prompt.strip() + newline``, so that no stray white space changes a prompt."""
    ids = tiny.encode_prompt("\n  Calculate 1 + 2. \n\n")
    assert ids == tiny.encode_prompt("Calculate 1 + 2.")
    assert ids == [*tiny.encode_completion("Calculate 1 + 2.\n", ended=False)]


def test_an_empty_prompt_still_has_a_token(tiny: Policy) -> None:
    """Something always predicts the first token of a completion."""
    assert len(tiny.encode_prompt("")) == 1


def test_answers_can_be_begun(tiny: Policy) -> None:
    """The prompt ends with what all of them go on from; the policy itself stays as it is."""
    before = tiny.encode_prompt("What?")
    begun = tiny.going_on_from("Steps:")
    beginning = tiny.encode_completion("Steps:", ended=False)
    assert begun.encode_prompt("What?") == before + beginning
    assert tiny.encode_prompt("What?") == before


def test_only_an_ended_completion_has_its_end(tiny: Policy) -> None:
    """The end-of-sequence token is there where the author wrote it, and nowhere else."""
    open_ids = tiny.encode_completion("12", ended=False)
    assert tiny.eos_id not in open_ids
    assert tiny.encode_completion("12", ended=True) == [*open_ids, tiny.eos_id]


def test_a_stranger_cannot_write_the_end_token(tiny: Policy) -> None:
    """Special tokens spelt out in a text are plain text."""
    ids = tiny.encode_completion(f"1{END}2", ended=False)
    assert tiny.eos_id not in ids
    assert tiny.decode(ids) == f"1{END}2"


@given(st.text(max_size=60))
def test_any_text_survives_its_tokens(tiny: Policy, text: str) -> None:
    """Byte-level tokens hold every text; only surrounding white space is lost."""
    assert tiny.decode(tiny.encode_completion(text, ended=True)) == text.strip()


@given(st.lists(st.integers(min_value=0, max_value=319), max_size=30))
def test_any_tokens_make_a_text(tiny: Policy, ids: list[int]) -> None:
    """A model may draw bytes that are no valid text; decoding still succeeds."""
    assert isinstance(tiny.decode(ids), str)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_untrained_policy_equals_its_base(tmp_path: Path, family: Family) -> None:
    """Round 0 is the base, to the last bit."""
    policy = load_tiny_policy(tmp_path, family)
    with policy.base():
        expected = _scores(policy)
    assert torch.equal(_scores(policy), expected)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_base_is_there_while_asked_for(tmp_path: Path, family: Family) -> None:
    """Inside ``base`` the adapter does nothing; afterwards it is back and still learns."""
    policy = load_tiny_policy(tmp_path, family)
    untrained = _scores(policy)
    disturb_adapter(policy)
    trained = _scores(policy)
    with policy.base():
        assert torch.equal(_scores(policy), untrained)
    assert torch.equal(_scores(policy), trained)
    assert not torch.allclose(trained, untrained)
    assert all(p.requires_grad for p in policy.adapter().values())


def test_the_fingerprint_holds_in_any_precision(tmp_path: Path) -> None:
    """It is that of the files: see test_fingerprint.py for what it tells apart."""
    folder = build_tiny_model(tmp_path)
    half = load_policy(tiny_spec(folder), 0, Compute(torch.device("cpu"), torch.bfloat16))
    full = load_policy(tiny_spec(folder), seed=0)
    assert half.fingerprint == full.fingerprint == fingerprint_of(folder)


def test_the_version_tells_what_a_sampler_holds(tmp_path: Path) -> None:
    """It rises with every change, and says 'base' while the adapter is switched off."""
    policy = load_tiny_policy(tmp_path)
    assert policy.version == BASE_VERSION
    disturb_adapter(policy)
    learnt = policy.version
    assert learnt > BASE_VERSION
    with policy.base():
        assert policy.version == BASE_VERSION
    assert policy.version == learnt
