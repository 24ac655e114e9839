"""From an order to a model with its card."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import UnknownModelError
from core.lab.make_starter import Making
from core.lab.starters import starter
from core.lab.workshop import ATTEMPTS, ReportCard, StarterOrder, grade, model_card, pretrain
from core.models.catalog.catalog import load_models
from core.rollouts.types import Completion, Question, TaskId
from core.tasks.catalog import load_catalog
from core.tasks.reasoning_tasks import make_puzzle


def test_an_order_ends_in_a_folder_with_a_card(tmp_path: Path) -> None:
    """The smallest order makes weights, tokenizer and a card that names its score."""
    told: list[str] = []
    pretrain(
        StarterOrder("spark", seed=1, documents=200, threads=1, out=tmp_path, puzzles=1),
        told.append,
    )
    names = {path.name for path in (tmp_path / "spark").iterdir()}
    assert {"README.md", "model.safetensors", "tokenizer.json", "config.json"} <= names
    assert "score on the level-1 mix" in (tmp_path / "spark" / "README.md").read_text()
    assert told[-1].startswith("Done: score")


def test_an_unknown_model_is_refused_before_any_work(tmp_path: Path) -> None:
    """Nothing is written."""
    with pytest.raises(UnknownModelError):
        pretrain(StarterOrder("sparc", 1, 10, 1, tmp_path), lambda _: None)
    assert list(tmp_path.iterdir()) == []


class Cheat:
    """Answers from the key, every second time; does not close every fourth answer."""

    def __init__(self) -> None:
        self.catalog = load_catalog()

    def complete(
        self, questions: Sequence[Question], group_size: int, seed: int
    ) -> list[tuple[Completion, ...]]:
        del seed
        answers = [make_puzzle(self.catalog, question.key).answer for question in questions]
        return [
            tuple(Completion(answer if i % 2 else "?", ended=i % 4 != 3) for i in range(group_size))
            for answer in answers
        ]


def test_grades_are_mean_rewards_by_task() -> None:
    """Half of the answers right is a half on every task, and a quarter left open is told."""
    catalog = load_catalog()
    card = grade(catalog, Cheat(), catalog.tasks[:3], 8)
    assert set(card.scores.values()) == {0.5}
    assert card.mean == 0.5
    assert card.ended == 1 - 1 / ATTEMPTS


def test_the_card_tells_score_command_and_licence() -> None:
    """Whoever holds the model can see what it is and how to make it again."""
    making = Making(7, 400_000, 18_000_000, 0.9, 600.0, 2, "x86_64")
    card = ReportCard({TaskId("gcd"): 0.25, TaskId("lcm"): 0.15}, 0.99, 64)
    text = model_card(starter("spark"), load_models().get("spark"), making, card)
    for fact in ("0.200", "99.0 %", "waggle lab pretrain spark --seed 7", "Apache-2.0", "| gcd |"):
        assert fact in text
