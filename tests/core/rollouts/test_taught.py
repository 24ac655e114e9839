"""What others' tries taught a model, told from what it would have come to alone."""

from collections.abc import Callable, Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.taught import LEAST_FAILED, MOST_CELLS, QUESTIONS, CellHistory, TaughtCells
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)

CELL = "lcm/1"


def tried(number: int, *rewards: float, cell: str = CELL) -> ScoredGroup:
    """A group about question ``number`` of ``cell``."""
    task, _, level = cell.rpartition("/")
    asked = Question(PuzzleKey(TaskId(task), int(level), number, 0), f"question {number}")
    answers = tuple(Completion("?", ended=True) for _ in rewards)
    group = RolloutGroup(asked.key, asked.digest, PeerId(""), ModelId(""), 1, answers)
    return ScoredGroup(asked, group, rewards)


def failed(answers: int = LEAST_FAILED, cell: str = CELL) -> ScoredGroup:
    return tried(0, *[0.5] * answers, cell=cell)


def solved(*numbers: int, cell: str = CELL) -> list[ScoredGroup]:
    return [tried(number, 1.0, 0.0, cell=cell) for number in numbers]


OTHERS = [tried(99, 1.0, 0.0)]
FOUR = range(1, QUESTIONS + 1)


def test_a_cell_that_failed_was_shown_and_is_solved_since_was_taught_by_others() -> None:
    """Told once the last of so many different questions is solved, and no earlier."""
    cells = TaughtCells()
    cells.observe([failed()], OTHERS)
    for number in FOUR:
        assert cells.kinds() == []
        cells.observe(solved(number), [])
    assert cells.kinds() == ["lcm"]


def test_answers_that_all_fail_show_nothing() -> None:
    """Nor do such as are right in part."""
    cells = TaughtCells()
    cells.observe([failed()], [tried(99, 0.0, 0.3)])
    for number in FOUR:
        cells.observe(solved(number), [])
    assert cells.kinds() == []


def test_a_kind_counts_once_whatever_its_levels() -> None:
    """Two cells of one kind and one of another are two kinds."""
    cells = TaughtCells()
    for cell in ("lcm/1", "lcm/3", "gcd/2"):
        cells.observe([failed(cell=cell)], [tried(99, 1.0, 0.0, cell=cell)])
        cells.observe(solved(*FOUR, cell=cell), [])
    assert cells.kinds() == ["gcd", "lcm"]


def fails_too_little(cells: TaughtCells) -> None:
    cells.observe([failed(LEAST_FAILED - 1)], OTHERS)


def is_not_shown(cells: TaughtCells) -> None:
    cells.observe([failed()], [tried(99, 1.0, 0.0, cell="lcm/2")])


def solved_it_once(cells: TaughtCells) -> None:
    cells.observe([*solved(0), failed()], OTHERS)


def solves_it_in_the_same_round(cells: TaughtCells) -> None:
    cells.observe([failed(), *solved(0)], OTHERS)


def saw_a_deck_answer(cells: TaughtCells) -> None:
    cells.observe([failed()], OTHERS, [tried(98, 1.0, 0.0)])


@pytest.mark.parametrize(
    "lead",
    [
        fails_too_little,
        is_not_shown,
        solved_it_once,
        solves_it_in_the_same_round,
        saw_a_deck_answer,
    ],
)
def test_nothing_is_said_where_others_need_not_have_done_it(
    lead: Callable[[TaughtCells], None],
) -> None:
    """Too few failures, nothing learnt of others, solved alone before, or taught by a deck."""
    cells = TaughtCells()
    lead(cells)
    cells.observe(solved(*FOUR), [])
    assert cells.kinds() == []


def test_what_the_base_could_do_now_and_then_was_not_taught() -> None:
    """Measured before any practice; a share of nothing is no success."""
    for share, kinds in ((0.01, []), (0.0, ["lcm"])):
        cells = TaughtCells({CELL: share})
        cells.observe([failed()], OTHERS)
        cells.observe(solved(*FOUR), [])
        assert cells.kinds() == kinds


def test_the_same_question_solved_again_is_one_question() -> None:
    """Luck at one question is luck, however often it is asked."""
    cells = TaughtCells()
    cells.observe([failed()], OTHERS)
    cells.observe(solved(1, 1, 1, 2, 2, 3), [])
    assert cells.kinds() == []
    cells.observe(solved(4), [])
    assert cells.kinds() == ["lcm"]


def test_what_takes_longer_than_it_failed_before_may_be_perseverance() -> None:
    """With some solved and too few, the cell counts as solved alone from then on."""
    cells = TaughtCells()
    cells.observe([failed()], OTHERS)
    cells.observe([*solved(1, 2, 3), failed(LEAST_FAILED - 6)], [])
    assert cells.histories[CELL].outcome == "failing"
    cells.observe(solved(4), OTHERS)
    cells.observe(solved(*range(5, 50)), [])
    assert cells.kinds() == []


def test_where_nothing_came_of_it_the_next_lesson_begins_anew() -> None:
    """Slow learners are not given up: all failures count, and so does the time that they allow."""
    cells = TaughtCells()
    cells.observe([failed()], OTHERS)
    cells.observe([failed(LEAST_FAILED + 1)], [])
    assert cells.histories[CELL] == CellHistory(failed=2 * LEAST_FAILED + 1)
    cells.observe([], OTHERS)
    cells.observe([failed(100)], OTHERS)
    cells.observe(solved(*FOUR), [])
    assert cells.kinds() == ["lcm"]


@pytest.mark.parametrize("chance", [0.2, 0.1, 0.05, 0.03, 0.02, 0.01])
def test_patience_alone_is_hardly_ever_taken_for_lessons(chance: float) -> None:
    """Of cells that others taught nothing, whatever the chance, fewer than one in twenty count."""
    rng, taught, runs = Random(f"patience {chance}"), 0, 1_000
    for _ in range(runs):
        cells = TaughtCells()
        number = 0
        while not (history := cells.histories.get(CELL)) or history.outcome == "failing":
            number += 1
            cells.observe([tried(number, float(rng.random() < chance))], OTHERS)
        taught += bool(cells.kinds())
    assert taught < 0.05 * runs


def test_a_run_that_resumes_counts_on() -> None:
    """Whatever the round after which it was cut, and through the file's format, it ends alike."""
    rounds: list[tuple[list[ScoredGroup], list[ScoredGroup]]] = [
        ([failed(40), *solved(7, cell="gcd/1")], OTHERS),
        ([failed(20)], OTHERS),
        (solved(1, 2), []),
        (solved(3), OTHERS),
        (solved(4, 5), []),
    ]
    whole = TaughtCells()
    for own, others in rounds:
        whole.observe(own, others)
    for cut in range(len(rounds)):
        cells = TaughtCells()
        for at, (own, others) in enumerate(rounds):
            if at == cut:
                kept = msgspec.json.encode(cells.histories)
                cells = TaughtCells()
                cells.restore(msgspec.json.decode(kept, type=dict[str, CellHistory]), {})
            cells.observe(own, others)
        assert cells.histories == whole.histories
        assert cells.kinds() == ["lcm"]


def test_what_an_earlier_waggle_saved_claims_nothing() -> None:
    """It kept no histories: where something was right it was solved alone; the rest begins at 0."""
    cells = TaughtCells()
    cells.restore({}, {CELL: (1e-200, 80.0), "gcd/1": (0.0, 80.0)})
    assert cells.histories == {}  # so that what is saved again is what was there
    cells.observe([failed(), failed(cell="gcd/1")], [*OTHERS, tried(9, 1.0, 0.0, cell="gcd/1")])
    cells.observe([*solved(*FOUR), *solved(*FOUR, cell="gcd/1")], [])
    assert cells.kinds() == ["gcd"]


numbers = st.one_of(st.integers(), st.integers(-2, 200))
digests = st.lists(st.text("0123456789abcdef", min_size=15, max_size=17), max_size=6)
histories = st.builds(
    CellHistory,
    st.sampled_from(["failing", "alone", "taught"]),
    numbers,
    st.none() | numbers,
    digests.map(tuple) | digests.map(sorted).map(tuple),
)
names = st.sampled_from([CELL, "gcd/2", "", "no level", "x" * 200 + "/1"])


@given(st.dictionaries(names, histories), st.lists(st.sampled_from(["own", "others"]), max_size=9))
def test_whatever_a_damaged_file_says_counting_goes_on(
    kept: dict[str, CellHistory], script: Sequence[str]
) -> None:
    """What cannot be true is left out; what is kept from then on is sound, and taken in again."""
    cells = TaughtCells()
    cells.restore(kept, {})
    for number, what in enumerate(script):
        cells.observe(solved(number) if what == "own" else [], OTHERS if what == "others" else [])
        assert set(cells.kinds()) <= {"lcm", "gcd"}
        again = TaughtCells()
        again.restore(cells.histories, {})
        assert again.histories == cells.histories
        assert all(one.failed >= 0 for one in cells.histories.values())
        assert len(msgspec.json.encode(cells.histories)) < 1_000


def test_cells_are_bounded() -> None:
    """However many decks come and go; those that are known go on."""
    cells = TaughtCells()
    full = {f"deck{number}/1": CellHistory("alone") for number in range(MOST_CELLS + 5)}
    cells.restore(full, {})
    cells.observe([failed()], [])
    assert len(cells.histories) == MOST_CELLS
    assert CELL not in cells.histories
