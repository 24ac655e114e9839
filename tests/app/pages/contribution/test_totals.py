"""Totals as tiles."""

import pytest
from msgspec.structs import replace

from app.pages.contribution.totals import Tile, tiles
from core.api.contribution import ContributionShown
from tests.app.pages.contribution.samples import EVERY, MONTH, OLD, ONE_DAY, YEARS, day, shown


def named(found: ContributionShown, title: str) -> Tile:
    (tile,) = (tile for tile in tiles(found) if tile.title == title)
    return tile


@pytest.mark.parametrize("name", ["one", "month", "years", "old"])
def test_there_are_eight_with_words_in_every_place(name: str) -> None:
    """None is empty, whatever is known."""
    found = tiles(EVERY[name])
    assert len(found) == 8
    assert all(tile.title and tile.value and tile.note for tile in found)


def test_figures_are_friendly() -> None:
    """Millions in words, a share beside what was right."""
    assert named(YEARS, "Tokens written").value == "180 million"
    assert named(YEARS, "Right answers") == Tile(
        "Right answers", "1.9 million", "25\u00a0% of the tries"
    )


def test_today_is_told_beside_the_total() -> None:
    """And said where there was none."""
    both = shown([day(1), day(0, 2, 120.0)])
    assert named(both, "Rounds") == Tile("Rounds", "42", "2 today")
    assert named(both, "Practised").note == "2 minutes today"
    assert named(shown([day(1)]), "Rounds").note == "none today"


def test_what_is_not_known_is_said_so_and_not_zero() -> None:
    """Older rounds were not counted; alone nobody could have said that it was helped."""
    for title in ("Puzzle tries", "Right answers", "Puzzles shared", "Others helped"):
        assert named(OLD, title).value == "Not known yet"
    assert named(OLD, "Rounds").value == "5"
    assert named(ONE_DAY, "Others helped") == Tile("Others helped", "0", "nobody said so yet")


@pytest.mark.parametrize(
    ("uncounted", "note"), [(1, "without 1 early round"), (20, "without 20 early rounds")]
)
def test_rounds_that_are_missing_from_a_figure_are_told(uncounted: int, note: str) -> None:
    """A figure that covers a part says so."""
    some = replace(MONTH, totals=replace(MONTH.totals, uncounted=uncounted))
    assert named(some, "Puzzle tries").note == note


def test_one_thank_you_is_one() -> None:
    """Grammar holds for a single one."""
    assert named(replace(MONTH, learners=1, thanks=1), "Others helped").note == "1 thank-you"
