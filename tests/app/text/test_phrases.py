"""Marks between words are the language's own."""

from app.text.phrases import dotted, labelled, names, series


def test_parts_of_a_series_are_set_apart() -> None:
    """One that is empty leaves no mark behind."""
    assert series(["a", "", "b", "c"]) == "a, b, c"
    assert series(["", "alone"]) == "alone"
    assert series([]) == ""


def test_facts_stand_side_by_side() -> None:
    """One that is empty leaves no mark behind."""
    assert dotted(("1.5 million", "", "fits")) == "1.5 million · fits"


def test_names_are_listed() -> None:
    """With the mark that this language puts between them."""
    assert names(["Mon", "Wed", "Fri"]) == "Mon, Wed, Fri"


def test_what_is_said_follows_its_name() -> None:
    """With the mark that this language puts there."""
    assert labelled("Today", "3 rounds") == "Today: 3 rounds"
