"""What separates cells; ``test_tables.py`` reads whole files."""

import pytest

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


def test_a_title_does_not_decide() -> None:
    """Nor would the commas in it: what follows has two cells in each row."""
    text = "Words, verbs\nEins;one\nzwei;two\ndrei;three\n"
    assert [len(cells) for _, cells in separated_rows(text, None)] == [1, 2, 2, 2]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("#separator:tab\n#html:true\n#notetype column:1\na\tb; c\n", (4, ["a", "b; c"])),
        ("#separator:Pipe\r\nwhat, then;|b\r\n", (2, ["what, then;", "b"])),
        ("#html:false\na;b\n", (2, ["a", "b"])),
        ("#1: who?;he\n", (1, ["#1: who?", "he"])),
    ],
)
def test_lines_about_a_table_are_no_rows(text: str, row: tuple[int, list[str]]) -> None:
    """Anki writes such above its own; the separator that they name is taken."""
    assert list(separated_rows(text, None)) == [row]
