"""The exam of the lab, and how far a policy has gone."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.engine.exam import Grade, set_exam
from core.lab.learning.exams import LabExam, drift, examine, share_worked
from core.lab.learning.nodes import LabNode
from core.lab.learning.observed import Seen
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, Question, TaskId
from core.sampling.asked import UNANSWERED
from core.sampling.torch_sampler import TorchSampler
from tests.core.lab.learning.small import ParityScorer, small_swarm
from tests.fakes import ADDING, question
from tests.naive_update import lone_logprobs
from tests.tiny_models import build_tiny_model, disturb_adapter, tiny_spec


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def node(model: Path) -> LabNode:
    return small_swarm(model).nodes[0]


@pytest.fixture
def base(model: Path) -> Policy:
    return load_policy(tiny_spec(model), 0)


async def puzzles(count: int = 6) -> list[Question]:
    return await set_exam([(ADDING, 1)], ParityScorer(), count)


def more(_question: Question, completion: str) -> str:
    """Forgives one letter too few or too many."""
    return f"{completion}!"


async def test_an_untrained_policy_has_not_drifted(node: LabNode, base: Policy) -> None:
    """It answers as its base does."""
    result = await examine(node, base, await puzzles(), more)
    assert abs(result.drift) < 1e-5
    assert len(result.grades) == 6
    assert 0 < result.scores.solved.mean < 1
    assert result.scores.forgiven.mean == pytest.approx(1)


async def test_answers_that_show_their_work_are_counted_where_some_could(
    node: LabNode, base: Policy
) -> None:
    """Of kinds whose starters have seen it done; without any, there is no such share."""
    assert (await examine(node, base, await puzzles(), more)).worked == {}
    asked = [replace(one, key=replace(one.key, task=TaskId("lcm"))) for one in await puzzles(2)]
    completions = tuple(Completion(text, ended=True) for text in ("Steps: 1", "Steps: 2", "3", "4"))
    assert share_worked(asked, [completions] * 2) == {TaskId("lcm"): 0.5}


async def test_the_same_policy_passes_the_same(node: LabNode, base: Policy) -> None:
    """Two exams differ by what was learnt and not by chance."""
    asked = await puzzles()
    first = await examine(node, base, asked, more)
    assert await examine(node, base, asked, more) == first
    disturb_adapter(node.policy)
    assert await examine(node, base, asked, more) != first


async def test_drift_is_the_divergence_of_the_policys_own_answers(
    node: LabNode, base: Policy
) -> None:
    """Mean over its tokens of what they are likelier than under the base, one by one."""
    disturb_adapter(node.policy)
    asked = [question(index) for index in (1, 22, 333)]
    answers = TorchSampler(node.policy).complete(asked, 4, 5)
    gaps: list[float] = []
    for one, completions in zip(asked, answers, strict=True):
        for tokens in (c.tokens for c in completions):
            assert tokens is not None
            prompt = base.encode_prompt(one.prompt)
            with torch.no_grad():
                below = lone_logprobs(base.causal_lm, prompt, tokens.ids).tolist()
            gaps += [p - q for p, q in zip(tokens.logprobs, below, strict=True)]
    found = drift(base, asked, answers)
    assert found == pytest.approx(sum(gaps) / len(gaps), abs=1e-4)
    assert found > 0.01


def test_questions_without_an_answer_do_not_count(node: LabNode, base: Policy) -> None:
    """One that is too long for the model tells nothing about it; all of them tell zero."""
    asked = [question(1), question(2)]
    disturb_adapter(node.policy)
    answers = TorchSampler(node.policy).complete(asked, 4, 5)
    silent = [answers[0], (UNANSWERED,) * 4]
    assert drift(base, asked, silent) == pytest.approx(drift(base, asked[:1], answers[:1]))
    assert drift(base, asked, [(UNANSWERED,) * 4] * 2) == 0


async def test_an_exam_is_no_practice(node: LabNode, base: Policy) -> None:
    """Nothing of it is counted in the next round."""
    await examine(node, base, await puzzles(), more)
    assert node.recorder.seen == Seen()


def test_cells_are_told_apart() -> None:
    """Every cell counts alike in the score, and is the mean of its puzzles."""
    bf, lcm = TaskId("bf"), TaskId("lcm")
    grades = (
        Grade(bf, 1, 1.0, 1.0, 1.0),
        Grade(bf, 1, 0.5, 0.5, 1.0),
        Grade(lcm, 1, 0.0, 0.25, 0.0),
    )
    result = LabExam(grades, drift=0.1, unusual=0.0, signed=0.0, worked={})
    assert result.by_cell() == {(bf, 1): 0.75, (lcm, 1): 0.0}
    scores = result.scores
    assert (scores.solved.mean, scores.forgiven.mean, scores.pass_8.mean) == (0.375, 0.5, 0.5)
