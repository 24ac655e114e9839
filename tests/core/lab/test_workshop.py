"""From an order to a model with its card."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from core.errors import UnknownModelError
from core.lab.make_starter import Making
from core.lab.starters import starter
from core.lab.workshop import ATTEMPTS, ReportCard, StarterOrder, grade, model_card, pretrain
from core.models.catalog.catalog import load_models
from core.rollouts.types import Completion, Question
from core.tasks.catalog import TaskCatalog, load_catalog
from core.tasks.reasoning_tasks import make_puzzle


def test_an_order_ends_in_a_folder_with_a_card(tmp_path: Path) -> None:
    """The smallest order makes weights, tokenizer and a card that names its score."""
    told: list[str] = []
    whole = load_catalog()
    graded = TaskCatalog([whole.task("gcd")], whole.ruleset)
    pretrain(StarterOrder("spark", 1, 200, 1, tmp_path, puzzles=1, graded=graded), told.append)
    names = {path.name for path in (tmp_path / "spark").iterdir()}
    assert {"README.md", "model.safetensors", "tokenizer.json", "config.json"} <= names
    assert "mean over all kinds and levels" in (tmp_path / "spark" / "README.md").read_text()
    skills = msgspec.json.decode((tmp_path / "spark" / "skills.json").read_bytes())
    assert set(skills["cells"]) == {f"gcd/{level}" for level in range(1, 6)}
    assert told[-1].startswith("Done: solves")


def test_an_unknown_model_is_refused_before_any_work(tmp_path: Path) -> None:
    """Nothing is written."""
    with pytest.raises(UnknownModelError):
        pretrain(StarterOrder("sparc", 1, 10, 1, tmp_path), lambda _: None)
    assert list(tmp_path.iterdir()) == []


class Cheat:
    """Answers from the key, every second time, with work; does not close every fourth answer."""

    def __init__(self) -> None:
        self.catalog = load_catalog()
        self.seeds: dict[str, set[int]] = {}  # of the puzzles that were asked, by cell

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        del seed, most_tokens
        for asked in questions:
            self.seeds.setdefault(asked.key.cell, set()).add(asked.key.seed)
        answers = [make_puzzle(self.catalog, question.key).answer for question in questions]
        return [
            tuple(
                Completion(f"Steps: 1 <answer>{answer}</answer>" if i % 2 else "?", i % 4 != 3)
                for i in range(group_size)
            )
            for answer in answers
        ]


class Knowing(Cheat):
    """Goes on from where it works everything out, and is always right."""

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        tries = super().complete(questions, 2 * group_size, seed, most_tokens=most_tokens)
        return [
            tuple(replace(one, text=one.text.removeprefix("Steps:")) for one in each[1::2])
            for each in tries
        ]


def test_grades_are_mean_rewards_by_cell() -> None:
    """Half of the answers right is a half on every cell, and a quarter left open is told."""
    whole = load_catalog()
    catalog = TaskCatalog([whole.task("gcd"), whole.task("bf")], whole.ruleset)
    card = grade(catalog, Cheat(), Knowing(), 8)
    assert len(card.cells) == 8
    assert set(card.cells.values()) == {0.5}
    assert card.worked == 0.5
    assert card.mean == 0.5
    assert card.begun == 5 / 8 * 1.0 + 3 / 8 * 0.5  # only divisors can be worked out
    assert card.ended == 1 - 1 / ATTEMPTS


def test_every_cell_has_seeds_of_its_own() -> None:
    """One that is easy in a cell is easy in others: shared ones would make a whole card lucky."""
    whole = load_catalog()
    recorder = Cheat()
    grade(
        TaskCatalog([whole.task("gcd"), whole.task("lcm")], whole.ruleset), recorder, Knowing(), 4
    )
    assert len(recorder.seeds) > 2
    assert len(set.union(*recorder.seeds.values())) == sum(map(len, recorder.seeds.values()))


def test_the_card_tells_score_command_and_licence() -> None:
    """Whoever holds the model can see what it is and how to make it again."""
    making = Making(7, 400_000, 18_000_000, 0.9, 600.0, "a card", "--device cuda")
    card = ReportCard({"gcd/1": 0.25, "lcm/1": 0.25, "lcm/2": 0.1}, 0.99, 0.104, 64, 0.31)
    text = model_card(starter("spark"), load_models().get("spark"), making, card)
    command = "waggle lab pretrain spark --seed 7 --device cuda --documents 400000"
    for fact in (
        "20.0 %",
        "99.0 %",
        "10.4 %",
        "31.0 %",
        command,
        "Apache-2.0",
        "| lcm | 25 | 10 |",
    ):
        assert fact in text
    further = replace(starter("spark"), origin=Path("before"))
    further_text = model_card(further, load_models().get("spark"), making, card)
    assert "--from DIR" in further_text
    assert "--from DIR" not in text
