"""What a starter knows, and the card that tells it."""

from collections.abc import Sequence

from core.lab.make_starter import Making
from core.lab.report_card import ATTEMPTS, ReportCard, grade, model_card
from core.lab.starters import starter
from core.models.catalog.catalog import load_models
from core.rollouts.types import Completion, Question, TaskId
from core.tasks.catalog import load_catalog
from core.tasks.reasoning_tasks import make_puzzle


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
