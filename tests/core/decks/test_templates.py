"""Templates: blanks, variables and conditions."""

from random import Random

import pytest

from core.decks.templates import (
    Filled,
    NumberVariable,
    Template,
    TemplateFiller,
    Variables,
    WordVariable,
)
from core.errors import DeckError

ONE: Variables = {"a": NumberVariable(7, 7), "name": WordVariable(("Ada",))}


def filled(template: Template, seed: int = 0) -> Filled | None:
    return TemplateFiller(template, as_fractions=False).fill(Random(seed))


def test_blanks_are_filled_everywhere() -> None:
    """In the question, the answer and the solution; doubled braces are braces."""
    template = Template("{name}, {{{a}}}?", "{a + 1}", ONE, solution="{a} + 1")
    assert filled(template) == Filled("Ada, {7}?", "8", "7 + 1")


def test_fractions_are_asked_for_in_answers_alone() -> None:
    """The question still says 0.5."""
    filler = TemplateFiller(Template("{1 / 2}", "{1 / 2}", ONE), as_fractions=True)
    assert filler.fill(Random(0)) == Filled("0.5", "1/2", "")


def test_values_are_drawn_from_the_whole_range_and_where_the_condition_holds() -> None:
    """Both bounds and each step occur; what the condition excludes does not."""
    template = Template("{a}", "{a}", {"a": NumberVariable(-4, 4, 2)}, where="a != 0")
    drawn = {made.answer for seed in range(99) if (made := filled(template, seed))}
    assert drawn == {"-4", "-2", "2", "4"}


@pytest.mark.parametrize("where", ["a < 0", "a", "1 / 0 > 0"])
def test_without_values_there_is_no_puzzle(where: str) -> None:
    """A condition that is never true, or is no condition, makes nothing and ends."""
    assert filled(Template("{a}", "{a}", ONE, where)) is None


@pytest.mark.parametrize(
    "template",
    [
        Template("{", "1", ONE),
        Template("}", "1", ONE),
        Template("{a", "1", ONE),
        Template("{{a}", "1", ONE),
        Template("{}", "1", ONE),
        Template("{a}{c}", "1", ONE),
        Template("{a!r}", "1", ONE),
        Template("{a.real}", "1", ONE),
        Template("{a}" * 33, "1", ONE),
        Template("?", "{b}", ONE),
        Template("?", "1", ONE, where="b > 1"),
        Template("?", "1", {"a": NumberVariable(2, 1)}),
    ],
)
def test_what_cannot_be_filled_is_refused(template: Template) -> None:
    """Braces without partner, blanks that are no expressions, variables without values."""
    with pytest.raises(DeckError):
        TemplateFiller(template, as_fractions=False)


def test_whoever_means_a_brace_learns_how_to_write_one() -> None:
    """Doubled, as it stands in the message."""
    with pytest.raises(DeckError, match=r"Write \{\{ for a brace that"):
        TemplateFiller(Template("{", "1", ONE), as_fractions=False)


def test_it_counts_the_values_of_its_variables() -> None:
    """Together, and no more than a number may be."""
    few: Variables = {"a": NumberVariable(1, 9, 4), "b": WordVariable(("x", "y"))}
    assert TemplateFiller(Template("?", "1", few), as_fractions=False).count == 6
    many: Variables = {name: NumberVariable(0, 10**15) for name in "abc"}
    assert TemplateFiller(Template("?", "1", many), as_fractions=False).count == 10**30
