"""What an experiment showed, as one page of Markdown: results in, text out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from core.lab.learning.comparison import Against, Arms, Compared
from core.lab.learning.intervals import Interval
from core.lab.learning.plans import Setting
from core.lab.learning.tables import (
    amount,
    as_practice_went_on,
    by_model,
    by_task,
    cost,
    forms,
    found_out,
    gain,
    last_exam,
    learnt,
    points,
    seed_by_seed,
)

FEW_SEEDS: Final = 5
"""With fewer, the page warns of its own intervals."""

_SEEN: Final = {
    "practice.png": "Share of puzzles solved in practice, round by round",
    "exam.png": "Share of exam puzzles solved, as practice went on",
    "working.png": "Share of own answers that show their work, round by round",
    "inside.png": "Own groups trained on, entropy, drift, and what generating bought",
    "tasks.png": "The last exam, task by task",
    "skills.png": "Share solved of every kind of puzzle at every level, exam by exam",
}
"""What each picture shows, for those who cannot see it."""

_HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class About:
    """What the results themselves do not tell."""

    title: str
    command: str  # exactly as it was typed
    machine: str  # in general words: system, how much of it was used
    seconds: float  # that it took to play what was not there before, by the clock on the wall
    baseline: str  # the arm that the others are held against


def write(
    arms: Arms, compared: Sequence[Compared], about: About, pictures: Sequence[PurePath]
) -> str:
    """The page; ``pictures`` lie beside it."""
    parts = [
        f"# {about.title}",
        f"```\n{about.command}\n```",
        _setting(arms, about),
        "## What came out",
        _findings(compared) + _warning(arms),
        learnt(compared),
        "Exams at equal compute; and skill or form, in the last one:",
        last_exam(compared),
        *as_practice_went_on(arms),
        *seed_by_seed(arms),
        "What it cost:",
        cost(compared),
        *by_model(arms),
        *found_out(arms),
        *forms(arms),
        "## The last exam, by task",
        by_task(arms),
        *(f"![{_SEEN.get(path.name, 'picture')}]({path.name})" for path in pictures),
        "## How to read this",
        _HOW_TO_READ.format(baseline=about.baseline),
        *_head_start(arms),
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
        f"{models}; {setting.rounds:,} rounds, G = {setting.group_size} answers to a question "
        f"unless an arm says otherwise, level {levels}, "
        f"learning rate {'of the model' if rate is None else f'{rate:g}'}; "
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
        f"{_verdict(one.exam.difference, f'{points(one.exam.difference)} points')} in the last "
        "exam."
        for one in others
    )


def _of_reward(figure: Against) -> str:
    if figure.gain is None:
        return _verdict(figure.difference, f"{amount(figure.difference)} more than next to none")
    return _verdict(figure.gain, gain(figure.gain))


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


def _head_start(arms: Arms) -> list[str]:
    """What the figures of nodes ahead leave out."""
    runs = [one.run for results in arms.values() for one in results if one.run.arm.ahead]
    if not runs:
        return []
    return [_AHEAD.format(rounds=max(run.setting.head_start for run in runs))]


_AHEAD: Final = """\
*Ahead*: such nodes practised alone for {rounds:,} rounds before, which count in no cost and no
round here, and their exam at 0 rounds is from before that: what they gained since the start, they
gained in part by that. Tables of the nodes that are behind alone are not touched by it."""

_HOW_TO_READ: Final = """\
An *arm* is one way to train. I/J says that a node tries I questions of its own in a round, and
learns from up to J that others tried. All arms are held against {baseline}.

The *reward* of an answer is 1 where it is right and 0 where it is wrong.
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

The *standard error* behind ± is that of the gain since the first exam, puzzle by puzzle: of the
draw of the puzzles and of the luck in answering them, within each kind and level.

*Brackets* hold nominal 95 % intervals: the same figure computed 10,000 times from seeds drawn again
with replacement, and from nodes drawn again within each, those of each model and those ahead among
themselves. Where the bracket of a gain holds zero, nothing was shown. The nodes of a swarm learn
from each other, so it is the number of seeds that counts: where seeds differ more than nodes do, a
bracket holds the truth in about 76 % of cases with 3 seeds, 85 % with 5 and 92 % with 10. Even with
seeds enough, one bracket in twenty misses it by chance, and a page has many. All nodes of a model
begin with the same adapter in every seed: what another one would bring is in no bracket.

*Own groups trained on*: of all that a node tried. A question all of whose answers earned the same
is trained on only where the recipe compares it with its cell. *Swarm groups trained on*: of all
that a node heard and judged; it takes a few a round, so the others were not all useless."""
