"""The work that is measured."""

from pathlib import Path

import pytest

from core.bench.material import (
    NEVER,
    LapWork,
    never_ending,
    questions,
    scored_groups,
    usual_work,
    with_length,
)
from core.models.catalog.catalog import load_models
from tests.tiny_models import load_tiny_policy, tiny_spec

WORK = LapWork(groups=3, members=4, prompt_tokens=20, completion_tokens=5)


def test_questions_differ_and_have_the_wanted_length() -> None:
    """Counted as the model's own tokenizer counts, hardly more than asked for."""
    asked = questions(lambda text: len(text.split()), WORK)
    assert len({q.prompt for q in asked}) == 3
    assert all(20 <= len(q.prompt.split()) <= 22 for q in asked)


def test_no_group_is_flat_and_all_answers_have_the_wanted_length(tmp_path: Path) -> None:
    """So that every group is trained on."""
    policy = load_tiny_policy(tmp_path)
    asked = questions(lambda text: len(policy.encode_prompt(text)), WORK)
    groups = scored_groups(policy, asked, WORK)
    assert not any(group.is_flat for group in groups)
    lengths = [len(c.tokens.ids) for g in groups for c in g.group.completions if c.tokens]
    assert lengths == [5] * 12
    assert sum(lengths) == WORK.tokens


def test_nothing_ends_a_completion_here(tmp_path: Path) -> None:
    """No token has the id that would."""
    policy = load_tiny_policy(tmp_path)
    assert never_ending(policy).eos_id == NEVER
    assert with_length(tiny_spec(tmp_path), WORK).completion_tokens == 5


@pytest.mark.parametrize(("model", "tokens"), [("spark", 20), ("qwen2.5-0.5b", 48)])
def test_large_models_answer_at_greater_length(model: str, tokens: int) -> None:
    """As they do in practice."""
    assert usual_work(load_models().get(model)).completion_tokens == tokens
