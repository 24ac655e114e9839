"""What a body is said to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net.media import has_type

OURS = "application/vnd.waggle.exchange"


@pytest.mark.parametrize(
    ("said", "is_ours"),
    [
        (OURS, True),
        (f" {OURS.upper()} ; charset=utf-8", True),
        (f"{OURS};x*", True),
        ("text/html", False),
        ("a/b;x*", False),  # Python's email parser fails on it
        ("", False),
        (f"{OURS}x", False),
    ],
)
def test_the_type_is_what_stands_before_parameters(said: str, is_ours: bool) -> None:  # noqa: FBT001 - a table
    """In any case, with any parameters, good or bad."""
    assert has_type({"Content-Type": said}, OURS) is is_ours


@given(st.text())
def test_nothing_said_makes_it_fail(said: str) -> None:
    """And saying nothing is no type."""
    assert not has_type({}, OURS)
    assert has_type({"Content-Type": said}, OURS) in (True, False)
