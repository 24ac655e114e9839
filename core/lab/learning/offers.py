"""The experiments that can be asked for by name, and how each is usually played."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from core.lab.learning import experiments
from core.lab.learning.plans import EVERY_LEVEL, Practice, Setting
from core.paths import RESOURCES

_SPARKS: Final = ("spark",) * 8
_MIXED: Final = ("spark",) * 4 + ("ember",) * 4
_FOLDER: Final = Path("waggle-lab")


@dataclass(frozen=True, slots=True)
class Offer:
    """One experiment, with what is usual for it."""

    name: str
    words: str
    make: Callable[[Setting], experiments.Experiment]
    models: tuple[str, ...] = _SPARKS
    folder: Path = _FOLDER  # experiments of one setting share their runs
    rounds: int = 150
    seeds: tuple[int, ...] = (1, 2, 3)
    rate: float | None = 1.25e-4  # None: each model's own
    exam_every: int | tuple[int, ...] = 50  # rounds; or after which ones
    exam_puzzles: int = 90
    levels: tuple[int, ...] = (1,)
    practice: Practice = "specialties"
    head_start: int = 0
    decks: tuple[Path, ...] = ()  # each is an experiment by itself


_over_levels = partial(Offer, rate=None, levels=EVERY_LEVEL)
_with_everything = partial(_over_levels, practice="everything")
_about_sharing = partial(
    _over_levels,
    practice="worked",
    folder=_FOLDER / "sharing",
    rounds=100,
    exam_every=(25, 50),
    head_start=100,
)

OFFERS: Final = (
    Offer("table", "does sharing teach? The paper's table, with controls", experiments.table),
    Offer("recipes", "SAPO against Waggle's own recipe", experiments.recipes),
    Offer("ablations", "Waggle's recipe without each of its parts", experiments.ablations),
    _with_everything(
        "curriculum",
        "levels that open as one learns, against levels that stay",
        experiments.curriculum,
        models=_SPARKS[:1],
        folder=_FOLDER / "curriculum",
        exam_puzzles=600,
    ),
    _over_levels(
        "answers",
        "how many answers to a question it takes to learn",
        experiments.answers,
        models=_SPARKS[:1],
        folder=_FOLDER / "answers",
        practice="worked",
        rounds=600,
        exam_every=150,
        exam_puzzles=300,
    ),
    _with_everything(
        "growth",
        "how far one model gets alone, over all levels",
        experiments.growth,
        models=_SPARKS[:1],
        folder=_FOLDER / "growth",
        rounds=3_000,
        seeds=(1, 2, 3, 4, 5),
        exam_every=(300, 1_000, 2_000),
        exam_puzzles=1_184,  # four of every cell
    ),
    _with_everything(
        "decks",
        "what one model learns of a deck alone, and from the deck's worked answers",
        experiments.decks,
        models=_SPARKS[:1],
        folder=_FOLDER / "decks",
        rounds=200,
        seeds=(1, 2, 3, 4, 5),
        exam_puzzles=300,
        decks=tuple(sorted((RESOURCES / "decks").glob("*.csv"))),
    ),
    _with_everything(
        "mixed",
        "models of two families in one swarm",
        experiments.mixed,
        models=_MIXED,
        folder=_FOLDER / "mixed",
        rounds=120,
        exam_every=60,
        exam_puzzles=296,
    ),
    _about_sharing(
        "adaptive",
        "fewer own tries where others' teach, against a fixed share",
        experiments.adaptive,
        seeds=(1, 2, 3, 4, 5),
    ),
    _about_sharing(
        "gradients",
        "policy gradients against each other, and in one swarm",
        experiments.gradients,
    ),
    _about_sharing(
        "aha",
        "whether it spreads that working pays",
        experiments.aha,
        seeds=(1, 2, 3, 4, 5),
    ),
    _over_levels(
        "specialists",
        "nodes that practise three of nine kinds each",
        experiments.specialists,
        folder=_FOLDER / "specialists",
        exam_puzzles=180,
    ),
    Offer(
        "attack",
        "what hostile nodes can spoil",
        experiments.attack,
        models=_SPARKS[:6],
        folder=_FOLDER / "attack",
        exam_every=150,  # only what is lost in the end counts,
        exam_puzzles=180,  # and it may be little
    ),
)
