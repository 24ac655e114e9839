"""The tables on the page of an experiment, in Markdown."""

from collections.abc import Callable, Sequence
from math import isinf, isnan
from typing import Final

import numpy as np

from core.lab.learning.comparison import Arms, Compared, compare, exam_by_task
from core.lab.learning.intervals import Interval, difference_of, interval_of
from core.lab.learning.measures import MILLION, rounds_to_work
from core.lab.learning.results import Figures, RunResult, nodes_behind, strata, with_model

_NONE: Final = "-"


def learnt(compared: Sequence[Compared]) -> str:
    """What each arm learnt, against the first one."""
    base = compared[0].name
    headings = ["arm", "I/J", "cumulative reward", f"over {base}", "at equal compute"]
    headings += [f"over {base}", "last exam", "points since the start", f"points over {base}"]
    return _table(headings, [_learnt_row(one, base) for one in compared])


def _learnt_row(one: Compared, base: str) -> list[str]:
    return [
        one.name,
        f"{one.local_groups}/{one.swarm_groups}",
        amount(one.reward.reached),
        _NONE if one.name == base else gain(one.reward.gain),
        amount(one.equal_compute.reached),
        _NONE if one.name == base else gain(one.equal_compute.gain),
        _interval(one.exam.reached, _share),
        f"{100 * one.exam_gain:+.1f}",
        _NONE if one.name == base else points(one.exam.difference),
    ]


def last_exam(compared: Sequence[Compared]) -> str:
    """Exams at equal compute; the last one if the form is forgiven, and within eight tries."""
    base = compared[0].name
    headings = ["arm", "mean exam until equal compute", f"over {base}"]
    headings += ["exam at equal compute", f"over {base}"]
    headings += ["last exam, if the form is forgiven", f"points over {base}"]
    headings += ["within eight tries", f"points over {base}"]
    return _table(headings, [_last_exam_row(one, base) for one in compared])


def _last_exam_row(one: Compared, base: str) -> list[str]:
    return [
        one.name,
        _interval(one.exam_area.reached, _share),
        _NONE if one.name == base else gain(one.exam_area.gain),
        _interval(one.exam_equal_compute.reached, _share),
        _NONE if one.name == base else gain(one.exam_equal_compute.gain),
        _interval(one.forgiven.reached, _share),
        _NONE if one.name == base else points(one.forgiven.difference),
        _interval(one.pass_8.reached, _share),
        _NONE if one.name == base else points(one.pass_8.difference),
    ]


def as_practice_went_on(arms: Arms) -> list[str]:
    """Every exam of the only arm, each against the one before; not where arms are compared."""
    if len(arms) > 1:
        return []
    (results,) = arms.values()
    headings = ["rounds", "solved", "points since the exam before", "if the form is forgiven"]
    headings += ["within eight tries"]
    kinds = strata(results[0])
    rows = []
    for exam, rounds in enumerate(results[0].exam_rounds):
        solved = _exam_of(results, "scores", exam)
        before = None if exam == 0 else _exam_of(results, "scores", exam - 1)
        rows.append(
            [
                f"{rounds:,}",
                _interval(interval_of(solved, kinds), _share),
                _NONE if before is None else points(difference_of(solved, before, kinds)),
                *(
                    _interval(interval_of(_exam_of(results, figure, exam), kinds), _share)
                    for figure in ("forgiven", "pass_8")
                ),
            ]
        )
    return ["As practice went on:", _table(headings, rows), *_work_shown(results)]


def _work_shown(results: Sequence[RunResult]) -> list[str]:
    """The share of the answers that show their work, kind by kind and exam by exam."""
    first = results[0]
    if not first.worked_tasks:
        return []
    shares = np.stack([one.worked for one in results]).mean(axis=(0, 2))
    headings = ["kind", *(f"{rounds:,} rounds" for rounds in first.exam_rounds)]
    rows = [
        [task, *map(_share, map(float, shares[:, at]))]
        for at, task in enumerate(first.worked_tasks)
    ]
    return ["Answers that show their work:", _table(headings, rows)]


def _exam_of(results: Sequence[RunResult], figure: str, exam: int) -> Figures:
    """One of the figures of an exam, as [seed, node]."""
    return np.stack([getattr(result, figure)[exam] for result in results])


def seed_by_seed(arms: Arms) -> list[str]:
    """Every run of a node alone: exams, the gain in standard errors, practice, and its cost."""
    runs = [one for results in arms.values() for one in results]
    if any(len(one.run.setting.models) > 1 for one in runs):
        return []
    headings = ["arm", "seed", *(f"{rounds:,} rounds" for rounds in runs[0].exam_rounds)]
    headings += ["points ± standard error", "standard errors"]
    headings += ["practice, first tenth", "last tenth", "tokens generated + trained on"]
    return ["Seed by seed:", _table(headings, [_seed_row(one) for one in runs])]


def _seed_row(one: RunResult) -> list[str]:
    gain, error = float(one.gains[-1, 0]), float(one.gain_errors[-1, 0])
    tenth = -(-len(one.rewards) // 10)
    return [
        one.run.arm.name,
        str(one.run.seed),
        *(_share(float(score)) for score in one.scores[:, 0]),
        f"{100 * gain:+.1f} ± {100 * error:.1f}",
        _NONE if error == 0 else f"{gain / error:+.1f}",
        *(_share(float(part.mean())) for part in (one.rewards[:tenth], one.rewards[-tenth:])),
        f"{one.generated.sum():,.0f} + {one.trained.sum():,.0f}",
    ]


def cost(compared: Sequence[Compared]) -> str:
    """What each arm generated and trained on."""
    base = compared[0].name
    headings = ["arm", "reward per million generated tokens", f"over {base}"]
    headings += ["million tokens generated", "million tokens trained on"]
    headings += ["own groups trained on", "swarm groups trained on"]
    return _table(headings, [_cost_row(one, base) for one in compared])


def _cost_row(one: Compared, base: str) -> list[str]:
    return [
        one.name,
        amount(one.per_million.reached),
        _NONE if one.name == base else gain(one.per_million.gain),
        f"{one.generated / MILLION:.2f}",
        f"{one.trained / MILLION:.2f}",
        _share(one.useful_own),
        _share(one.useful_swarm),
    ]


def by_model(arms: Arms) -> list[str]:
    """In a mixed swarm, each half by itself."""
    first = next(iter(arms.values()))[0].run.setting.models
    kinds = sorted(set(first))
    same = all(result.run.setting.models == first for of in arms.values() for result in of)
    if len(kinds) == 1 or not same:
        return []
    parts = []
    for kind in kinds:
        half = {name: [with_model(one, kind) for one in of] for name, of in arms.items()}
        parts += [f"Only the nodes with {kind}:", learnt(compare(half))]
    return parts


def found_out(arms: Arms) -> list[str]:
    """When answers began to show their work, where some nodes were ahead in that."""
    behind = nodes_behind(arms)
    if not behind:
        return []
    headings = ["arm", "rounds until half of them work, seed by seed", "working in the last tenth"]
    rows = []
    for name, results in behind.items():
        until = [float(np.median(rounds_to_work(one))) for one in results]
        tenth = -(-len(results[0].working) // 10)
        last = np.stack([np.nanmean(one.working[-tenth:], axis=0) for one in results])
        words = ", ".join("never" if isinf(one) else f"{one:.0f}" for one in until)
        rows.append([name, words, _interval(interval_of(last, strata(results[0])), _share)])
    compared = compare(behind)
    return [
        "Only the nodes that are behind in every arm:",
        learnt(compared),
        last_exam(compared),
        "Answers that show their work:",
        _table(headings, rows),
    ]


def forms(arms: Arms) -> list[str]:
    """Where some are hostile, how much of their ways of writing was taken on."""
    if all(one.run.arm.hostile is None for results in arms.values() for one in results):
        return []
    rows = [
        [
            name,
            _share(float(np.mean([one.unusual[-1].mean() for one in results]))),
            _share(float(np.mean([one.signed[-1].mean() for one in results]))),
        ]
        for name, results in arms.items()
    ]
    headings = ["arm", "right in an odd form", "with the phrase of the hostile"]
    return ["Own answers in the last exam:", _table(headings, rows)]


def by_task(arms: Arms) -> str:
    """The last exam, task by task."""
    baseline = next(iter(arms.values()))
    before = exam_by_task(baseline, 0)
    after = [exam_by_task(results, -1) for results in arms.values()]
    return _table(
        ["task", "before", *arms],
        [[task, *(_share(scores[task]) for scores in (before, *after))] for task in before],
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def amount(one: Interval) -> str:
    """With its interval and one decimal place."""
    return _interval(one, lambda value: f"{value:,.1f}")


def points(one: Interval) -> str:
    """A difference of shares in points of a hundred."""
    return _interval(one, lambda share: f"{100 * share:+.1f}")


def gain(one: Interval | None) -> str:
    """A relative gain in per cent; a dash where there is none."""
    return _NONE if one is None else _interval(one, lambda share: f"{100 * share:+.1f} %")


def _interval(one: Interval, show: Callable[[float], str]) -> str:
    return f"{show(one.mean)} [{show(one.low)}, {show(one.high)}]"


def _share(value: float) -> str:
    return _NONE if isnan(value) else f"{100 * value:.1f} %"
