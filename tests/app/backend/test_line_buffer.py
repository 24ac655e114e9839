"""Lines come out whole, whatever way the bytes come in."""

from hypothesis import given
from hypothesis import strategies as st

from app.backend.line_buffer import LineBuffer


@given(st.lists(st.binary(max_size=8).filter(lambda b: b"\n" not in b)), st.integers(1, 7))
def test_any_cutting_gives_the_same_lines(lines: list[bytes], size: int) -> None:
    """A stream cut anywhere is put together again."""
    stream = b"".join(line + b"\n" for line in lines)
    buffer = LineBuffer(limit=100)
    found = [
        line for at in range(0, len(stream), size) for line in buffer.feed(stream[at : at + size])
    ]
    assert found == lines


def test_an_unfinished_line_waits() -> None:
    """Half a line is no line."""
    buffer = LineBuffer(limit=100)
    assert buffer.feed(b"half") == []
    assert buffer.feed(b" and half\n") == [b"half and half"]


def test_an_endless_line_is_dropped_and_the_next_one_is_not() -> None:
    """A line over the limit costs no memory and does not take its neighbours with it."""
    buffer = LineBuffer(limit=10)
    for _ in range(1_000):
        assert buffer.feed(b"x" * 9) == []
    assert buffer.feed(b"end\nfine\n") == [b"fine"]


def test_a_long_line_that_arrives_whole_is_dropped_too() -> None:
    """The limit holds for every way of arriving."""
    buffer = LineBuffer(limit=10)
    assert buffer.feed(b"a\n" + b"x" * 11 + b"\nb\n") == [b"a", b"b"]
