"""Payloads: what is written is read again, and nothing else is."""

import re
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, RolloutGroup, TaskId
from core.wire import codec
from core.wire.codec import Reason, check_fresh, decode_group, encode_group
from tests.envelopes import ANNE, PLAIN_PAYLOAD, RULESET, group, refused_for

AUTHOR = PeerId("ab" * 32)

completions = st.builds(
    Completion, st.text(max_size=60), st.booleans()
)  # st.text() draws no lone surrogates
groups = st.builds(
    RolloutGroup,
    st.builds(
        PuzzleKey,
        st.from_regex(r"\A[a-z0-9_]{1,64}\Z").map(TaskId),
        st.integers(1, 99),
        st.integers(0, 2**32 - 1),
        st.integers(0, 2**32 - 1),
    ),
    st.from_regex(r"\A[0-9a-f]{16}\Z"),
    st.just(AUTHOR),
    st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._/+-]{0,119}\Z").map(ModelId),
    st.just(7),
    st.lists(completions, min_size=2, max_size=32).map(tuple),
)


@given(groups, st.from_regex(r"\A[!-~][ -~]{0,63}\Z"))
def test_a_group_survives_the_journey(given_group: RolloutGroup, ruleset: str) -> None:
    """Whatever is within the limits arrives as it left."""
    data = encode_group(given_group, ruleset)
    assert decode_group(data, AUTHOR, 7) == (ruleset, given_group)


def test_token_ids_and_logprobs_stay_here() -> None:
    """Only the text of a completion travels."""
    from core.rollouts.types import SampledTokens

    told = Completion("42", ended=True)
    secret = replace(told, tokens=SampledTokens((1, 2), (-0.1, -0.2)))
    own = replace(group(AUTHOR, 7), completions=(secret, secret))
    _, arrived = decode_group(encode_group(own, RULESET), AUTHOR, 7)
    assert arrived.completions == (told, told)


@given(st.binary(max_size=2_000))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` leaves the decoder."""
    with refused_for(Reason.SCHEMA):
        decode_group(data, AUTHOR, 1)


scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats()
nested = st.recursive(
    scalars | st.text(max_size=20) | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@given(st.lists(nested, max_size=12), st.integers(0, 9))
def test_well_formed_nonsense_is_refused_quietly(fields: list[object], kept: int) -> None:
    """Valid msgpack of other shapes, also such as begins like a payload, is a ``WireError``."""
    data = msgspec.msgpack.encode([*PLAIN_PAYLOAD[:kept], *fields])
    try:
        decode_group(data, AUTHOR, 1)
    except WireError as refusal:
        assert refusal.reason == Reason.SCHEMA  # noqa: PT017 - a rare draw may be a valid payload
    else:
        assert fields == PLAIN_PAYLOAD[kept:] or kept < 9


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "grou"),
        (1, ""),
        (1, "r" * 65),
        (1, "r\x00"),
        (2, "adding\n"),
        (2, "Adding"),
        (2, "a" * 65),
        (3, 0),
        (3, 100),
        (3, 1.0),
        (3, True),
        (3, "1"),
        (4, -1),
        (4, 2**32),
        (5, 2**32),
        (6, "0123456789ABCDEF"),
        (6, "0123456789abcde"),
        (6, "0123456789abcdef\n"),
        (7, "../spark "),
        (7, "m" * 141),
        (8, []),
        (8, [["try", "42", True]]),
        (8, [["try", "42", True]] * 33),
        (8, [["try", "4" * 8_193, True]] * 2),
        (8, [["try", "42", 1]] * 2),
        (8, [["try", "42", True, 1.0]] * 2),
        (8, [["try", "42"]] * 2),
        (8, [{"text": "42", "ended": True}] * 2),
        (8, [["try", b"42", True]] * 2),
    ],
)
def test_every_field_has_its_rule(field: int, value: object) -> None:
    """One wrong value in an otherwise right payload is enough to refuse it."""
    payload = list(PLAIN_PAYLOAD)
    decode_group(msgspec.msgpack.encode(payload), AUTHOR, 1)
    payload[field] = value
    with pytest.raises(WireError):
        decode_group(msgspec.msgpack.encode(payload), AUTHOR, 1)


def test_text_must_be_utf8() -> None:
    """Bytes that are no UTF-8 inside a string are refused."""
    data = msgspec.msgpack.encode(PLAIN_PAYLOAD).replace(b"\xa242", b"\xa2\xff\xfe")
    with pytest.raises(WireError):
        decode_group(data, AUTHOR, 1)


@pytest.mark.parametrize(
    "texts", [("one",), ("x",) * 33, ("x" * 8_193, "y"), ("\ud800", "y")], ids=range(4)
)
def test_what_peers_would_refuse_is_not_sent(texts: tuple[str, ...]) -> None:
    """An own group outside the limits fails at home, with the reason that a peer would give."""
    with refused_for(Reason.SCHEMA):
        encode_group(group(ANNE.peer_id, 1, texts), RULESET)


def test_the_table_states_the_limits_that_hold() -> None:
    """Whoever reads the table reads the truth."""
    assert codec.__doc__ is not None
    rows = codec.__doc__.splitlines()
    limits = {k: v for k, v in vars(codec).items() if k.isupper() and type(v) is int}
    del limits["PROTOCOL"]
    assert len(limits) > 20
    for name, limit in limits.items():
        (row,) = [line for line in rows if re.search(rf"\b{name}\b", line)]
        assert f"{limit:,}" in row


def test_every_limit_stands_in_the_table() -> None:
    """None is added to the code and forgotten there."""
    assert codec.__doc__ is not None
    limits = {name for name in vars(codec) if name.startswith("MAX_") or name.endswith("_RATE")}
    assert len(limits) > 15
    assert limits <= set(re.findall(r"\w+", codec.__doc__))


@pytest.mark.parametrize(
    ("version", "ahead", "reason"),
    [
        (2, 0, None),
        (2, 600, None),
        (2, -600, None),
        (2, 600.5, "clock"),
        (2, -600.5, "clock"),
        (1, 0, "version"),
        (3, 0, "version"),
        (3, 9_999, "version"),
    ],
)
def test_what_is_fresh(version: int, ahead: float, reason: str | None) -> None:
    """Our version, and within ten minutes to either side of the reader's clock."""
    signed_at = 1_800_000_000
    if reason is None:
        check_fresh(version, signed_at, signed_at - ahead)
        return
    with refused_for(reason):
        check_fresh(version, signed_at, signed_at - ahead)


def test_a_replay_is_remembered_for_as_long_as_it_would_pass_the_clock() -> None:
    """An envelope from the far future of the window is valid for twice the window."""
    assert codec.REPLAY_MEMORY_S > 2 * codec.CLOCK_WINDOW_S
