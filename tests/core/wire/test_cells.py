"""What a node would rather be handed, beside its request."""

from base64 import urlsafe_b64encode
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.net.serving import has_type
from core.wire.cells import NO_CELLS, label_of, labels_of, parameter_of, read_cells
from core.wire.codec import CELL_BYTES, MAX_WANTED_CELLS, Reason
from core.wire.exchange import MEDIA_TYPE

labels = st.frozensets(
    st.binary(min_size=CELL_BYTES, max_size=CELL_BYTES), max_size=MAX_WANTED_CELLS
)


@given(labels)
def test_what_is_said_is_heard(wanted: frozenset[bytes]) -> None:
    """And whoever does not know the parameter sees the media type that it knows."""
    said = MEDIA_TYPE + parameter_of(wanted)
    assert read_cells(said) == wanted
    assert has_type({"Content-Type": said}, MEDIA_TYPE)
    assert len(parameter_of(wanted)) <= len(";cells=") + 86


def test_without_a_wish_nothing_is_said() -> None:
    """A request is byte for byte what it was before there were any."""
    assert parameter_of(labels_of(())) == ""
    assert read_cells(MEDIA_TYPE) == NO_CELLS
    assert read_cells(f"{MEDIA_TYPE};charset=utf-8") == NO_CELLS


def test_no_more_is_said_than_may_be() -> None:
    """The first of them, however many somebody wants."""
    cells = [f"adding/{level}" for level in range(1, 40)]
    assert labels_of(cells) == frozenset(map(label_of, cells[:MAX_WANTED_CELLS]))
    assert len(read_cells(MEDIA_TYPE + parameter_of(labels_of(cells)))) == MAX_WANTED_CELLS


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", Reason.SCHEMA),
        ("AAAA", Reason.SCHEMA),  # three bytes
        ("AAAAA", Reason.SCHEMA),  # no base64
        ("AAAAAA==", Reason.SCHEMA),
        ("AAAA+A", Reason.SCHEMA),
        ("\u00e4AAAAA", Reason.SCHEMA),
        (urlsafe_b64encode(bytes(68)).decode().rstrip("="), Reason.SIZE),
        ("A" * 100_000, Reason.SIZE),
    ],
)
def test_what_is_malformed_is_refused(said: str, reason: Reason) -> None:
    """With the reasons of the protocol."""
    with pytest.raises(WireError) as refused:
        read_cells(f"{MEDIA_TYPE};cells={said}")
    assert refused.value.reason == reason


@given(st.text(max_size=200) | st.from_regex(r"; ?cells=[A-Za-z0-9_=-]{0,100}.{0,9}"))
def test_whatever_stands_there_is_bounded(said: str) -> None:
    """Few labels of their length, or a refusal; never anything else."""
    found = NO_CELLS
    with suppress(WireError):
        found = read_cells(MEDIA_TYPE + said)
    assert len(found) <= MAX_WANTED_CELLS
    assert {len(label) for label in found} <= {CELL_BYTES}
