"""What an experiment showed, as one page of Markdown: results in, text out."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import PurePath
from typing import Final

import numpy as np

from core.lab.learning.comparison import Against, Arms, Compared, compare, exam_by_task
from core.lab.learning.intervals import Interval, difference_of, interval_of
from core.lab.learning.measures import MILLION
from core.lab.learning.plans import Setting
from core.lab.learning.results import Figures, RunResult, by_arm, with_model

FEW_SEEDS: Final = 5
"""With fewer, the page warns of its own intervals."""

_SEEN: Final = {
    "practice.png": "Share of puzzles solved in practice, round by round",
    "exam.png": "Share of exam puzzles solved, as practice went on",
    "inside.png": "Useful questions, entropy, drift, and what generating bought",
    "tasks.png": "The last exam, task by task",
    "skills.png": "Share solved of every kind of puzzle at every level, exam by exam",
}
"""What each picture shows, for those who cannot see it."""

_HOUR: Final = 3600
_NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class About:
    """What the results themselves do not tell."""

    title: str
    command: str  # exactly as it was typed
    machine: str  # in general words: system, how much of it was used
    seconds: float  # that it took to play what was not there before, by the clock on the wall
    baseline: str  # the arm that the others are held against


def write(results: Sequence[RunResult], about: About, pictures: Sequence[PurePath]) -> str:
    """The page; ``pictures`` lie beside it.

    Raises:
        LabError: the arms cannot be compared.
    """
    arms = by_arm(results, about.baseline)
    compared = compare(arms)
    parts = [
        f"# {about.title}",
        f"```\n{about.command}\n```",
        _setting(arms, about),
        "## What came out",
        _findings(compared) + _warning(arms),
        _learnt(compared),
        "Exams at equal compute; and skill or form, in the last one:",
        _last_exam(compared),
        *_as_practice_went_on(arms),
        "What it cost:",
        _cost(compared),
        *_by_model(arms),
        *_forms(arms),
        "## The last exam, by task",
        _tasks(arms),
        *(f"![{_SEEN.get(path.name, 'picture')}]({path.name})" for path in pictures),
        "## How to read this",
        _HOW_TO_READ.format(baseline=about.baseline),
    ]
    return "\n\n".join(parts) + "\n"


def _setting(arms: Arms, about: About) -> str:
    """What was played, where, and for how long."""
    users: dict[Setting, list[str]] = {}
    for name, results in arms.items():
        users.setdefault(results[0].run.setting, []).append(name)
    lines = [
        f"{', '.join(names) if len(users) > 1 else 'All'}: {_setting_words(setting)}"
        for setting, names in users.items()
    ]
    seeds = ", ".join(str(result.run.seed) for result in arms[about.baseline])
    took = about.seconds / _HOUR
    duration = f"{took:.1f} hours" if took >= 1 else f"{60 * took:.0f} minutes"
    lines += [f"Seeds: {seeds}.", f"Machine: {about.machine}."]
    lines += [f"Playing what had not been played before took {duration}."]
    return "\n".join(f"- {line}" for line in lines)


def _setting_words(setting: Setting) -> str:
    models = ", ".join(f"{count} x {model}" for model, count in Counter(setting.models).items())
    levels = ", ".join(map(str, setting.levels))
    every = setting.exam_every
    when = f"every {every} rounds" if isinstance(every, int) else "now and then"
    rate = setting.learning_rate
    return (
        f"{models}; {setting.rounds:,} rounds, G = {setting.group_size} answers to a question, "
        f"level {levels}, learning rate {'of the model' if rate is None else f'{rate:g}'}; "
        f"an exam of {setting.exam_puzzles:,} puzzles {when}."
    )


def _findings(compared: Sequence[Compared]) -> str:
    """A line for each arm but the baseline, in the same words whatever came out."""
    first, *others = compared
    if not others:
        return f"Only {first.name} was played, so there is nothing to compare it with."
    return "\n".join(
        f"- **{one.name}** against {first.name}: {_of_reward(one.reward)} in practice; "
        f"{_of_reward(one.equal_compute)} at equal compute; "
        f"{_verdict(one.exam.difference, f'{_points(one.exam.difference)} points')} in the last "
        "exam."
        for one in others
    )


def _of_reward(figure: Against) -> str:
    if figure.gain is None:
        return _verdict(figure.difference, f"{_amount(figure.difference)} more than next to none")
    return _verdict(figure.gain, _gain(figure.gain))


def _verdict(interval: Interval, words: str) -> str:
    if not interval.excludes_zero:
        return f"no difference that chance would not explain ({words})"
    return f"{'better' if interval.mean > 0 else 'worse'} ({words})"


def _warning(arms: Arms) -> str:
    seeds = len(next(iter(arms.values())))
    if seeds >= FEW_SEEDS:
        return ""
    if seeds == 1:
        return (
            "\n\nOne seed only: the intervals tell of its nodes, and nothing of what another "
            "seed would have brought."
        )
    return (
        f"\n\n{seeds} seeds only: the intervals are narrower than they should be, and one that "
        "barely excludes zero shows little."
    )


def _learnt(compared: Sequence[Compared]) -> str:
    base = compared[0].name
    headings = ["arm", "I/J", "cumulative reward", f"over {base}", "at equal compute"]
    headings += [f"over {base}", "last exam", "points since the start", f"points over {base}"]
    return _table(headings, [_learnt_row(one, base) for one in compared])


def _learnt_row(one: Compared, base: str) -> list[str]:
    return [
        one.name,
        f"{one.local_groups}/{one.swarm_groups}",
        _amount(one.reward.reached),
        _NONE if one.name == base else _gain(one.reward.gain),
        _amount(one.equal_compute.reached),
        _NONE if one.name == base else _gain(one.equal_compute.gain),
        _interval(one.exam.reached, _share),
        f"{100 * one.exam_gain:+.1f}",
        _NONE if one.name == base else _points(one.exam.difference),
    ]


def _last_exam(compared: Sequence[Compared]) -> str:
    base = compared[0].name
    headings = ["arm", "exam at equal compute", f"over {base}"]
    headings += ["last exam, if the form is forgiven", f"points over {base}"]
    headings += ["within eight tries", f"points over {base}"]
    return _table(headings, [_last_exam_row(one, base) for one in compared])


def _last_exam_row(one: Compared, base: str) -> list[str]:
    return [
        one.name,
        _interval(one.exam_equal_compute.reached, _share),
        _NONE if one.name == base else _gain(one.exam_equal_compute.gain),
        _interval(one.forgiven.reached, _share),
        _NONE if one.name == base else _points(one.forgiven.difference),
        _interval(one.pass_8.reached, _share),
        _NONE if one.name == base else _points(one.pass_8.difference),
    ]


def _as_practice_went_on(arms: Arms) -> list[str]:
    """Every exam of the only arm, each against the one before; not where arms are compared."""
    if len(arms) > 1:
        return []
    (results,) = arms.values()
    headings = ["rounds", "solved", "points since the exam before", "if the form is forgiven"]
    headings += ["within eight tries"]
    rows = []
    for exam, rounds in enumerate(results[0].exam_rounds):
        solved = _exam_of(results, "scores", exam)
        before = None if exam == 0 else _exam_of(results, "scores", exam - 1)
        rows.append(
            [
                f"{rounds:,}",
                _interval(interval_of(solved), _share),
                _NONE if before is None else _points(difference_of(solved, before)),
                *(
                    _interval(interval_of(_exam_of(results, figure, exam)), _share)
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


def _cost(compared: Sequence[Compared]) -> str:
    base = compared[0].name
    headings = ["arm", "reward per million generated tokens", f"over {base}"]
    headings += ["million tokens generated", "million tokens trained on"]
    headings += ["own groups that taught", "swarm groups trained on"]
    return _table(headings, [_cost_row(one, base) for one in compared])


def _cost_row(one: Compared, base: str) -> list[str]:
    return [
        one.name,
        _amount(one.per_million.reached),
        _NONE if one.name == base else _gain(one.per_million.gain),
        f"{one.generated / MILLION:.2f}",
        f"{one.trained / MILLION:.2f}",
        _share(one.useful_own),
        _share(one.useful_swarm),
    ]


def _by_model(arms: Arms) -> list[str]:
    """In a mixed swarm, each half by itself."""
    first = next(iter(arms.values()))[0].run.setting.models
    kinds = sorted(set(first))
    same = all(result.run.setting.models == first for of in arms.values() for result in of)
    if len(kinds) == 1 or not same:
        return []
    parts = []
    for kind in kinds:
        half = {name: [with_model(one, kind) for one in of] for name, of in arms.items()}
        parts += [f"Only the nodes with {kind}:", _learnt(compare(half))]
    return parts


def _forms(arms: Arms) -> list[str]:
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


def _tasks(arms: Arms) -> str:
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


def _amount(one: Interval) -> str:
    return _interval(one, lambda value: f"{value:,.1f}")


def _points(one: Interval) -> str:
    return _interval(one, lambda share: f"{100 * share:+.1f}")


def _gain(one: Interval | None) -> str:
    return _NONE if one is None else _interval(one, lambda share: f"{100 * share:+.1f} %")


def _interval(one: Interval, show: Callable[[float], str]) -> str:
    return f"{show(one.mean)} [{show(one.low)}, {show(one.high)}]"


def _share(value: float) -> str:
    return _NONE if isnan(value) else f"{100 * value:.1f} %"


_HOW_TO_READ: Final = """\
An *arm* is one way to train. I/J says that a node tries I questions of its own in a round, and
learns from up to J that others tried. All arms are held against {baseline}.

The *reward* of an answer is 1 where it is right and 0 where it is wrong; some puzzles give a part.
*Cumulative reward* adds up the mean reward of every node in every round, as the paper's table does.
A gain of +100 % is twice as much as {baseline} earned. It says how well practice went, and favours
whoever learns early.

*At equal compute*, tokens are the clock instead of rounds: a token generated and a token trained
on count alike, each arm stops at what the thriftiest node of all spent, and the unit is a mean
round of {baseline}.

The *exam* is the same for all nodes, before the first round, in between and after the last. Nobody
ever practises its puzzles. It is the better proof of learning, but the coarser one, since it has
few puzzles; that others might have been asked, or the same answered with other luck, is not in its
interval. *If the form is forgiven*, words around a right answer do no harm: an arm that is better
in the exam but not here has learnt how answers are written. *Within eight tries* is the share of
puzzles of which any try is right: what it could find, and might yet learn.

*Brackets* hold nominal 95 % intervals: the same figure computed 10,000 times from seeds drawn again
with replacement, and from nodes drawn again within each. Where the bracket of a gain holds zero,
nothing was shown. The nodes of a swarm learn from each other, so it is the number of seeds that
counts: where seeds differ more than nodes do, a bracket holds the truth in about 76 % of cases with
3 seeds, 85 % with 5 and 92 % with 10. Even with seeds enough, one bracket in twenty misses it by
chance, and a page has many.

*Own groups that taught*: a question all of whose answers earned the same teaches nothing. *Swarm
groups trained on*: of all that a node heard and judged; it takes a few a round, so the others were
not all useless."""
