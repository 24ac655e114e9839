"""Lines between window and helper."""

from collections import Counter
from contextlib import suppress
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.pipe import MAX_LINE, encode
from core.api.protocol import AnyAnswer, AnyRequest, decode_answer, decode_request
from core.api.requests import Cancel, Cancelled, Done, Refused
from core.errors import WireError

KINDS = [*get_args(AnyRequest), *get_args(AnyAnswer)]
TAGS = [str(kind.__struct_config__.tag) for kind in KINDS]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=12,
)


def fields_of(tag: str) -> list[str]:
    return list(KINDS[TAGS.index(tag)].__struct_fields__)


@st.composite
def almost_messages(draw: st.DrawFn) -> bytes:
    """A known tag, with known and unknown fields that hold anything."""
    tag = draw(st.sampled_from(TAGS))
    names = st.sampled_from(fields_of(tag)) | st.text(max_size=8)
    return msgspec.json.encode({**draw(st.dictionaries(names, JSON, max_size=6)), "type": tag})


def test_no_two_messages_share_a_tag() -> None:
    """Neither among themselves nor with another direction: a line says what it is."""
    assert [tag for tag, uses in Counter(TAGS).items() if uses > 1] == []


def test_a_request_and_an_answer_come_back_equal() -> None:
    """What is written is what is read."""
    request, answer = Cancel(id=4, errand=3), Refused(id=3, words="No.\nReally — no.")
    assert decode_request(encode(request)) == request
    assert decode_answer(encode(answer)) == answer
    assert decode_answer(encode(Cancelled(id=3))) == Cancelled(id=3)


def test_directions_are_not_mixed_up() -> None:
    """The helper takes no answers, the window no requests."""
    with pytest.raises(WireError):
        decode_request(encode(Done()))
    with pytest.raises(WireError):
        decode_answer(encode(Cancel(errand=1)))


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b"hello", b'{"type":"cancel"}', b'{"type":"done","more":1}', b"\xff", b"[" * 5000],
)
def test_what_is_no_message_is_refused(line: bytes) -> None:
    """Missing and unknown fields, other types and noise are errors that can be counted."""
    with pytest.raises(WireError):
        decode_request(line)
    with pytest.raises(WireError):
        decode_answer(line)


def test_a_line_beyond_the_limit_is_refused() -> None:
    """A runaway line is not parsed at all."""
    line = encode(Done(words="x" * MAX_LINE))
    with pytest.raises(WireError, match="too long"):
        decode_answer(line)


@given(st.binary(max_size=300) | JSON.map(msgspec.json.encode) | almost_messages())
def test_any_line_is_a_message_or_an_error(line: bytes) -> None:
    """Nothing but WireError comes out of the decoders, and what is read can be written again."""
    with suppress(WireError):
        request = decode_request(line)
        assert decode_request(encode(request)) == request
    with suppress(WireError):
        answer = decode_answer(line)
        assert decode_answer(encode(answer)) == answer
