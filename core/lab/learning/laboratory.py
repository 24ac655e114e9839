"""From an order to a folder of results: play what is missing, then read, draw and sum up."""

import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from core.errors import LabError
from core.lab.learning import figures, summary
from core.lab.learning.campaign import CampaignProgress, WorkerPool, conduct
from core.lab.learning.comparison import Compared, compare
from core.lab.learning.experiments import Experiment
from core.lab.learning.results import by_arm, read_runs
from core.storage.files import replace_file
from core.tasks.reasoning_tasks import check_ruleset

SUMMARY: Final = "summary.md"
TOOK: Final = "seconds.txt"
"""How long an order took, over all the times that it was given; runs that another experiment has
left in the folder are not in it."""


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """What is to be found out, and where the results go."""

    experiment: Experiment
    seeds: tuple[int, ...]
    workers: int
    out: Path
    command: str  # that gave the order; told in the summary


@dataclass(frozen=True, slots=True)
class LearningFindings:
    """What came out."""

    summary: str  # Markdown; in the folder, too
    arms: Sequence[Compared]  # the baseline first


async def investigate(
    order: StudyOrder, report: Callable[[CampaignProgress], None]
) -> LearningFindings:
    """Carry ``order`` out; its folder gets the runs, and a folder with summary and pictures.

    Experiments that are given the same folder share the runs that they have in common.

    Raises:
        UsageError: the folder holds other runs under the same names.
        LabError: a run failed, or what draws is not installed; what was played stays.
        RulesetError: another release of the puzzle library is installed.
    """
    check_ruleset()
    runs = order.experiment.runs(order.seeds)
    told = order.out / order.experiment.name
    with _timed(told / TOOK):
        await conduct(runs, order.out, WorkerPool(order.workers), report)
    baseline = order.experiment.baseline
    arms = by_arm(read_runs(order.out, runs), baseline)
    pictures = figures.draw_all(arms, told)
    about = summary.About(
        title=order.experiment.title,
        command=order.command,
        machine=f"{platform.system()} on {platform.machine()}; runs at a time: {order.workers}",
        seconds=_seconds(told / TOOK),
        baseline=baseline,
    )
    compared = compare(arms)
    text = summary.write(arms, compared, about, pictures)
    replace_file(told / SUMMARY, text.encode())
    return LearningFindings(text, compared)


@contextmanager
def _timed(path: Path) -> Iterator[None]:
    """Add what the block takes to the seconds in ``path``, also where it is cut short."""
    before, began = _seconds(path), monotonic()
    try:
        yield
    finally:
        if path.parent.parent.is_dir():
            path.parent.mkdir(exist_ok=True)
            replace_file(path, f"{before + monotonic() - began:.1f}\n".encode())


def _seconds(path: Path) -> float:
    try:
        return float(path.read_text("utf-8"))
    except FileNotFoundError:
        return 0.0
    except (OSError, ValueError) as error:
        raise LabError(f"{path} holds no number of seconds. Delete it, to count anew.") from error
