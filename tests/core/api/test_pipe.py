"""Messages and lines."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.events import Event, Failed, Join, Paused, Point, RoundFinished, Started
from core.api.pipe import MAX_LINE, decode_command, decode_event, encode
from core.errors import WireError

ROUND = RoundFinished(
    round=12,
    score=0.21,
    swarm_score=None,
    local_groups=4,
    swarm_groups=0,
    useful_local=2,
    useful_swarm=0,
    tokens=1532,
    sample_s=0.8,
    judge_s=0.02,
    share_s=0.1,
    train_s=0.9,
)


@pytest.mark.parametrize(
    "event",
    [
        ROUND,
        Failed(words="The disk is full.\nFree some.", fatal=True),
        Paused(reason="you"),
        Started(
            model="spark", round=1, peer="ab", name="x", solo=True, history=(Point(1, 0.5, None),)
        ),
    ],
)
def test_an_event_is_one_line_and_comes_back_equal(event: Event) -> None:
    """No event breaks the line discipline."""
    line = encode(event)
    assert line.count(b"\n") == 1
    assert decode_event(line) == event


def test_the_important_event_looks_as_promised() -> None:
    """Scripts rely on these names."""
    line = encode(ROUND).decode()
    assert line.startswith('{"type":"round_finished","round":12,"score":0.21,"swarm_score":null,')


def test_a_command_comes_back_equal() -> None:
    """What the window says is what the engine hears."""
    join = Join(model="ember", hubs=("http://hub",), swarm="meadow")
    assert decode_command(encode(join)) == join


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b"hello", b'{"type":"join"}', b'{"type":"explode"}', b"\xff\xfe", b"[" * 5000],
)
def test_what_is_no_message_is_refused(line: bytes) -> None:
    """Garbage on the pipe is an error that can be counted."""
    with pytest.raises(WireError):
        decode_event(line)
    with pytest.raises(WireError):
        decode_command(line)


def test_a_line_beyond_the_limit_is_refused() -> None:
    """A runaway line is not parsed at all."""
    with pytest.raises(WireError, match="too long"):
        decode_event(b'"' + b"x" * MAX_LINE + b'"')


@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_an_error(line: bytes) -> None:
    """Nothing but WireError comes out of the decoder."""
    with suppress(WireError):
        decode_event(line)
