"""The allow-list: what it holds, what it refuses, and how practice draws from it."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from core.errors import RulesetError, UnknownTaskError
from core.i18n import Remark, remarks_of, words_of
from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.catalog import (
    CATALOGUE,
    SEEDS,
    PracticeMix,
    TaskCatalog,
    load_catalog,
    ruleset_of,
)

SPECIALTIES = {
    "base_conversion",
    "basic_arithmetic",
    "arc_1d",
    "bf",
    "propositional_logic",
    "fraction_simplification",
    "decimal_arithmetic",
    "calendar_arithmetic",
    "binary_matrix",
}


@pytest.fixture(scope="module")
def catalog() -> TaskCatalog:
    return load_catalog()


def key(task: str, level: int) -> PuzzleKey:
    return PuzzleKey(TaskId(task), level, 0, 0)


def test_the_nine_specialties_of_the_paper_are_there(catalog: TaskCatalog) -> None:
    """Exactly the tasks of the SAPO paper are marked as its specialties."""
    assert {task.id for task in catalog.tasks if task.specialty} == SPECIALTIES


def test_there_are_at_least_sixty_kinds(catalog: TaskCatalog) -> None:
    """Practice is wide: most of what the library makes alike everywhere can be practised."""
    assert len(catalog.tasks) >= 60


def test_tiny_models_have_at_least_thirty_more(catalog: TaskCatalog) -> None:
    """Beyond the paper's nine, at least thirty tasks suit a model of a million parameters."""
    assert sum(task.starter and not task.specialty for task in catalog.tasks) >= 30


def test_every_task_has_three_levels_and_its_own_id(catalog: TaskCatalog) -> None:
    """No task has fewer than three levels, none shares its id, and no level comes twice."""
    assert len({task.id for task in catalog.tasks}) == len(catalog.tasks)
    for task in catalog.tasks:
        assert len(set(task.levels)) == len(task.levels) >= 3


def test_an_unknown_task_is_named_with_a_suggestion(catalog: TaskCatalog) -> None:
    """A misspelt task is refused, and the message names the one that was meant."""
    with pytest.raises(UnknownTaskError, match="Did you mean chain_sum") as refused:
        catalog.task("chain_sums")
    (said,) = remarks_of(words_of(refused.value))
    assert said.blanks[1] == Remark("Did you mean {}?", ("chain_sum",))  # in every language


def test_a_task_like_no_other_points_to_the_list(catalog: TaskCatalog) -> None:
    """A name that resembles none is refused, shortened, with the way to the list."""
    with pytest.raises(UnknownTaskError, match="waggle tasks") as refused:
        catalog.task("\u202e" * 5000)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("level", [-1, 0, 99])
def test_an_unknown_level_is_refused(catalog: TaskCatalog, level: int) -> None:
    """Levels count from 1 to the task's hardest; others do not exist."""
    with pytest.raises(UnknownTaskError, match=f"no level {level}"):
        catalog.preset(key("lcm", level))


def test_a_known_level_has_a_preset(catalog: TaskCatalog) -> None:
    """A level's preset is the one that the file lists at its place."""
    assert dict(catalog.preset(key("lcm", 1)).settings) == {"min_value": 2, "max_value": 15}
    assert catalog.preset(key("lcm", 5)).settings == ()
    assert catalog.preset(key("bf", 1)).longest_prompt == 183


@pytest.mark.parametrize(
    "text",
    [
        b"tasks = 3",
        b"[[tasks]]\nid = 'x'",
        b"\xff\xfe",
        b"[[tasks]]\nid = 'x'\ntitle = 't'\nverifier = 'eval'\nlevels = [{}, {}, {}]",
        b"[[tasks]]\nid = 'x'\ntitle = 't'\nverifier = 'text'\nlevels = [{}]",
        b"[[tasks]]\nid='x'\ntitle='t'\nverifier='text'\nlevels=[{longest_prompt='a'}, {}, {}]",
    ],
)
def test_a_damaged_list_is_explained(tmp_path: Path, text: bytes) -> None:
    """A list that breaks a rule is one clear error, not a traceback of the parser."""
    path = tmp_path / "tasks.toml"
    path.write_bytes(text)
    with pytest.raises(RulesetError, match="Install Waggle again"):
        load_catalog(path)


def test_a_missing_list_is_explained(tmp_path: Path) -> None:
    """Without its list Waggle says so."""
    with pytest.raises(RulesetError, match="cannot be read"):
        load_catalog(tmp_path / "none.toml")


def test_the_ruleset_ignores_wording_and_line_endings(tmp_path: Path, catalog: TaskCatalog) -> None:
    """Titles, comments and the line endings of another system split no swarm."""
    text = CATALOGUE.read_bytes().replace(b"\r\n", b"\n")
    path = tmp_path / "tasks.toml"
    path.write_bytes(b"# another comment\r\n" + text.replace(b"\n", b"\r\n"))
    assert load_catalog(path).ruleset == catalog.ruleset


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"max_value = 63", b"max_value = 64"),
        (b"longest_prompt = 190", b"longest_prompt = 191"),
        (b'verifier = "splits"', b'verifier = "text"'),
    ],
)
def test_the_ruleset_follows_what_decides(
    tmp_path: Path, catalog: TaskCatalog, old: bytes, new: bytes
) -> None:
    """Any setting or verifier that changes a puzzle or its reward changes the ruleset."""
    text = CATALOGUE.read_bytes()
    assert text.count(old) == 1
    path = tmp_path / "tasks.toml"
    path.write_bytes(text.replace(old, new))
    assert load_catalog(path).ruleset != catalog.ruleset


def test_the_ruleset_is_short_hex(catalog: TaskCatalog) -> None:
    """A ruleset's name is 16 hex characters, made from the tasks alone."""
    assert catalog.ruleset == ruleset_of(catalog.tasks)
    assert len(catalog.ruleset) == 16
    int(catalog.ruleset, 16)


def test_the_catalogue_needs_no_puzzle_library() -> None:
    """Listing tasks loads neither the puzzle library nor torch: both take seconds."""
    code = (
        "import sys; from core.tasks.catalog import load_catalog; load_catalog();"
        "assert not {'reasoning_gym', 'sympy', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - own code


def test_practice_uses_every_task_before_any_twice(catalog: TaskCatalog) -> None:
    """A draw spreads over the tasks without replacement, then starts over."""
    count = len(catalog.tasks)
    drawn = PracticeMix(catalog, 1).draw(2 * count, Random(5))
    assert Counter(k.task for k in drawn[:count]) == Counter(task.id for task in catalog.tasks)
    assert Counter(k.task for k in drawn[count:]) == Counter(task.id for task in catalog.tasks)


def test_practice_draws_different_puzzles_at_index_zero(catalog: TaskCatalog) -> None:
    """No two keys of a draw mean the same item; seeds are in range, indices are all 0."""
    drawn = PracticeMix(catalog, 2).draw(500, Random(5))
    assert len(set(drawn)) == 500
    assert all(k.index == 0 and 0 <= k.seed < SEEDS for k in drawn)


def test_practice_is_a_function_of_its_generator(catalog: TaskCatalog) -> None:
    """The same generator draws the same puzzles, whatever was drawn before: resuming is exact."""
    mix = PracticeMix(catalog, 1)
    first = mix.draw(7, Random(3))
    mix.draw(3, Random(4))
    assert mix.draw(7, Random(3)) == first
    assert mix.draw(7, Random(4)) != first


def test_practice_stays_within_a_tasks_levels(catalog: TaskCatalog) -> None:
    """A task that has not the level asked for is practised at its hardest."""
    drawn = PracticeMix(catalog, 6, tasks=["lcm", "basic_arithmetic"]).draw(4, Random(1))
    assert {(k.task, k.level) for k in drawn} == {("lcm", 5), ("basic_arithmetic", 6)}


def test_practice_needs_known_tasks(catalog: TaskCatalog) -> None:
    """Practising nothing, or something unknown, is refused at once."""
    with pytest.raises(UnknownTaskError, match="No task was chosen"):
        PracticeMix(catalog, 1, tasks=[])
    with pytest.raises(UnknownTaskError, match="Did you mean gcd"):
        PracticeMix(catalog, 1, tasks=["gcds"])


def test_a_mix_of_all_levels_draws_each_as_often() -> None:
    """Every level of every task once, before any comes again."""
    catalog = load_catalog()
    cells = sum(len(task.levels) for task in catalog.tasks)
    drawn = PracticeMix(catalog, None).draw(cells, Random(5))
    assert len({(key.task, key.level) for key in drawn}) == cells
