"""What separates cells; ``test_tables.py`` reads whole files."""

from core.decks.separated import separated_rows


def test_a_separator_that_is_named_is_taken() -> None:
    """A file called .tsv has tabs, whatever else would fit."""
    assert list(separated_rows("a,b\tc\nd,e\tf\n", "\t")) == [
        (1, ["a,b", "c"]),
        (2, ["d,e", "f"]),
    ]


def test_an_odd_row_does_not_decide() -> None:
    """Most rows are as wide as the first one; a comma in one text does not matter."""
    text = "eins;one\nzwei, drei;two, three\nvier, fünf;four\n"
    assert {len(cells) for _, cells in separated_rows(text, None)} == {2}
