"""Puzzles are the same for everybody, sound, and not farmed by a constant answer."""

import decimal
import importlib.metadata
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from core.errors import RulesetError, UnknownTaskError
from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.catalog import SEEDS, TaskCatalog, load_catalog
from core.tasks.reasoning_tasks import LONGEST_KEY, Puzzle, check_ruleset, make_puzzle
from core.tasks.verifiers import verify
from tests.core.tasks import puzzle_digests

ITEMS = 400
CONSTANTS = (
    *("", "0", "1", "2", "3", "4", "5", "6", "8", "10", "12", "-1", "0.0", "0.5", "1.0", "1/2"),
    *("1/1", "yes", "no", "Yes", "No", "True", "False", "true", "None", "nan", "inf", "a", "?"),
    *("[]", "0 0", "0 1", "0 0\n0 0", "1 1\n1 1", "0.00", "0.0 + 0.0i", "00:00", "0 days"),
    *("Monday", "Sunday", "P", "Q", "R", "P \u2228 Q", "P\u2227Q", "Q \u2227 R", "P \u2227 R"),
    *("\u00acP", "P \u2192 Q", "P \u2194 Q", "P \u2228 \u00acP", "P \u2227 Q \u2227 R"),
    *("P \u2227 Q \u2227 R \u2227 S", "\u00acP \u2227 \u00acQ", "\u00acP \u2227 \u00acQ \u2227 R"),
)
"""Answers that a lazy policy settles on, besides the right answers of other puzzles."""

FARMABLE = 0.35


@pytest.fixture(scope="module")
def catalog() -> TaskCatalog:
    return load_catalog()


def puzzles(catalog: TaskCatalog, count: int) -> Iterator[tuple[str, list[Puzzle]]]:
    for task, level in puzzle_digests.levels(catalog):
        keys = puzzle_digests.keys(task, level, count)
        yield f"{task.id}/{level}", [make_puzzle(catalog, key) for key in keys]


def test_puzzles_are_those_of_the_protocol(catalog: TaskCatalog) -> None:
    """Twenty puzzles of every task and level are, to the letter, what they were."""
    golden = json.loads(puzzle_digests.GOLDEN.read_text())
    assert puzzle_digests.all_digests(catalog) == golden


def test_puzzles_are_the_same_in_another_process() -> None:
    """Neither the hash seed, the time zone nor the locale of a process changes a puzzle."""
    made = subprocess.run(
        [sys.executable, "-m", "tests.core.tasks.puzzle_digests"],
        check=True,
        capture_output=True,
        env=os.environ | {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
    )
    assert json.loads(made.stdout) == json.loads(puzzle_digests.GOLDEN.read_text())


def test_puzzles_do_not_depend_on_those_before(catalog: TaskCatalog) -> None:
    """Made backward, between other tasks and under a ruined decimal context, they are the same."""
    golden = json.loads(puzzle_digests.GOLDEN.read_text())
    pairs = list(puzzle_digests.levels(catalog))
    with decimal.localcontext(decimal.Context(prec=2, rounding=decimal.ROUND_UP)):
        for position in reversed(range(puzzle_digests.PER_LEVEL)):
            for task, level in reversed(pairs):
                key = puzzle_digests.keys(task, level, puzzle_digests.PER_LEVEL)[position]
                made = puzzle_digests.digest(make_puzzle(catalog, key))
                assert made == golden[f"{task.id}/{level}"].split()[position], key


def test_making_puzzles_leaves_nothing_behind(
    catalog: TaskCatalog, capsys: pytest.CaptureFixture[str]
) -> None:
    """The library's changes to the decimal context and its prints do not get out."""
    before = decimal.getcontext().copy()
    for task in ("decimal_arithmetic", "bf"):
        make_puzzle(catalog, PuzzleKey(TaskId(task), 3, 1, 0))
    after = decimal.getcontext()
    assert (after.prec, after.rounding, after.flags) == (
        before.prec,
        before.rounding,
        before.flags,
    )
    assert capsys.readouterr().out == ""


def test_seed_and_index_add_up(catalog: TaskCatalog) -> None:
    """(42, 7) and (49, 0) are one puzzle, as in the library; only the key differs."""
    one = make_puzzle(catalog, PuzzleKey(TaskId("lcm"), 5, 42, 7))
    other = make_puzzle(catalog, PuzzleKey(TaskId("lcm"), 5, 49, 0))
    assert (one.question.prompt, one.answer) == (other.question.prompt, other.answer)
    assert one.question.key != other.question.key


def test_the_largest_seed_and_index_make_a_puzzle(catalog: TaskCatalog) -> None:
    """The corner of the key's range is as good as any other."""
    for task, level in puzzle_digests.levels(catalog):
        assert make_puzzle(catalog, PuzzleKey(task.id, level, SEEDS - 1, SEEDS - 1)).answer


def test_unknown_puzzles_are_refused(catalog: TaskCatalog) -> None:
    """A key outside the allow-list makes nothing."""
    with pytest.raises(UnknownTaskError):
        make_puzzle(catalog, PuzzleKey(TaskId("countdown"), 1, 0, 0))
    with pytest.raises(UnknownTaskError):
        make_puzzle(catalog, PuzzleKey(TaskId("lcm"), 6, 0, 0))


@pytest.mark.slow
def test_the_right_answer_earns_the_point_and_no_constant_farms_it(catalog: TaskCatalog) -> None:
    """Every key scores 1.0; the best constant answer stays at or below 0.35 on every level.

    Tried are the twenty most frequent right answers of a level and a list of lazy ones.
    """
    farmed = {}
    for name, made in puzzles(catalog, ITEMS):
        task = catalog.task(name.partition("/")[0])
        assert all(verify(task, puzzle, puzzle.answer) == 1.0 for puzzle in made), name
        frequent = [answer for answer, _ in Counter(p.answer for p in made).most_common(20)]
        for answer in {*frequent, *CONSTANTS}:
            score = sum(verify(task, puzzle, answer) for puzzle in made) / ITEMS
            if score > FARMABLE:
                farmed[name] = (answer, score)
    assert not farmed


def test_puzzles_are_short(catalog: TaskCatalog) -> None:
    """What a starter reads and writes there fits a small context; no other puzzle is long."""
    for name, made in puzzles(catalog, 100):
        starts = name.endswith("/1") and catalog.task(name[:-2]).starter
        longest_prompt, longest_answer = (400, 32) if starts else (950, LONGEST_KEY)
        assert max(len(puzzle.question.prompt) for puzzle in made) <= longest_prompt, name
        assert max(len(puzzle.answer) for puzzle in made) <= longest_answer, name


def test_level_one_has_room_for_an_exam(catalog: TaskCatalog) -> None:
    """Even the easiest level has enough different prompts to hold some back."""
    for task in catalog.tasks:
        keys = puzzle_digests.keys(task, 1, 200)
        prompts = {make_puzzle(catalog, key).question.prompt for key in keys}
        assert len(prompts) >= 80, task.id


def test_the_library_of_the_protocol_is_installed() -> None:
    """The pinned release is accepted."""
    check_ruleset()


def test_another_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another release makes other puzzles: one sentence says so, and one what to do."""
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.1.24")
    with pytest.raises(RulesetError, match=r"0\.1\.25, but here is 0\.1\.24\. Install it"):
        check_ruleset()


def test_a_missing_library_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library the same sentence appears, not a traceback."""

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(RulesetError, match="but here is none"):
        check_ruleset()
