"""From an order to a starter model in its folder, with its card."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from core.lab.make_starter import make_starter
from core.lab.report_card import grade, model_card
from core.lab.starters import base_spec, starter
from core.models.policy.loading import load_policy
from core.sampling.torch_sampler import TorchSampler
from core.tasks.catalog import load_catalog
from core.tasks.reasoning_tasks import check_ruleset


@dataclass(frozen=True, slots=True)
class StarterOrder:
    """What is to be made."""

    model: str
    seed: int
    documents: int | None  # None: as many as the recipe says
    threads: int
    out: Path  # the model's folder is made in it
    puzzles: int = 64  # of each task, to tell on the card what it knows


def pretrain(order: StarterOrder, report: Callable[[str], None]) -> None:
    """Make the model and write its card; minutes to hours of work.

    Raises:
        UnknownModelError: there is no such starter.
        RulesetError: another release of the puzzle library is installed.
    """
    check_ruleset()
    torch.set_num_threads(order.threads)
    recipe = starter(order.model)
    if order.documents is not None:
        recipe = replace(recipe, documents=order.documents)
    catalog = load_catalog()
    folder = order.out / recipe.id
    making = make_starter(recipe, catalog, folder, order.seed, report)
    spec = base_spec(recipe.id, folder)
    card = grade(catalog, TorchSampler(load_policy(spec, 0)), catalog.tasks, order.puzzles)
    (folder / "README.md").write_text(model_card(recipe, spec, making, card), "utf-8")
    report(f"Done: score {card.mean:.3f}, {100 * card.ended:.1f} % end by themselves.")
