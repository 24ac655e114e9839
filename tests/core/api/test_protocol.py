"""Lines between window and helper."""

from collections import Counter
from contextlib import suppress
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from core.api.contribution import ContributionShown
from core.api.decks import (
    DeckKept,
    DeckOffered,
    DeckOpened,
    ExportDeck,
    KeepDeck,
    LookAtDeck,
    PreviewDeck,
    RemoveDeck,
    TryDeck,
)
from core.api.pipe import encode
from core.api.practice import ExamTaken
from core.api.protocol import AnyAnswer, AnyRequest, decode_answer, decode_request
from core.api.requests import Cancel, Done, Request
from core.api.swarm import HubOpen
from core.errors import WireError
from tests.core.api.test_contribution import SHOWN
from tests.core.api.test_decks import DECK, PLAN
from tests.saved_models import invented_exam

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


RARE = {  # what is seldom made up within its bounds
    DeckKept: DeckKept(deck=DECK),
    DeckOffered: DeckOffered(deck=DECK, questions=()),
    DeckOpened: DeckOpened(digest=DECK.digest, questions=()),
    ExportDeck: ExportDeck(digest=DECK.digest, path="words.deck"),
    KeepDeck: KeepDeck(plan=PLAN),
    LookAtDeck: LookAtDeck(digest=DECK.digest),
    PreviewDeck: PreviewDeck(plan=PLAN),
    RemoveDeck: RemoveDeck(digest=DECK.digest),
    TryDeck: TryDeck(model="spark", plan=PLAN),
    ContributionShown: SHOWN,
    ExamTaken: ExamTaken(result=invented_exam()),
    HubOpen: HubOpen(addresses=("http://192.168.1.5:8765",), peer="c" * 64, visitors=3),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_request_and_answer_comes_back_equal(kind: type, data: st.DataObject) -> None:
    """What the window asks is what the helper hears, and the other way round."""
    message = data.draw(st.just(RARE[kind]) if kind in RARE else st.from_type(kind))
    decode = decode_request if isinstance(message, Request) else decode_answer
    try:
        heard = decode(encode(message))
    except WireError:  # it was made up without its bounds
        reject()
    assert encode(heard) == encode(message)


def test_directions_are_not_mixed_up() -> None:
    """The helper takes no answers, the window no requests."""
    with pytest.raises(WireError):
        decode_request(encode(Done()))
    with pytest.raises(WireError):
        decode_answer(encode(Cancel(request=1)))


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


@given(st.binary(max_size=300) | JSON.map(msgspec.json.encode) | almost_messages())
def test_any_line_is_a_message_or_an_error(line: bytes) -> None:
    """Nothing but WireError comes out of the decoders, and what is read can be written again."""
    with suppress(WireError):
        request = decode_request(line)
        assert decode_request(encode(request)) == request
    with suppress(WireError):
        answer = decode_answer(line)
        assert decode_answer(encode(answer)) == answer
