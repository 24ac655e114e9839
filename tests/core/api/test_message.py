"""What every message between window and engine promises."""

import msgspec
import pytest

from core.api.message import JsonMessage


class Hello(JsonMessage, frozen=True, tag="hello"):
    """A message like any other."""

    words: str = ""


def test_a_message_says_what_it_is() -> None:
    """The tag comes first, under ``type``."""
    assert msgspec.json.encode(Hello(words="hi")) == b'{"type":"hello","words":"hi"}'


@pytest.mark.parametrize("line", [b'{"type":"hello","word":"hi"}', b'{"type":"hallo"}'])
def test_what_is_not_known_is_refused(line: bytes) -> None:
    """Window and engine never drift apart quietly."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Hello)


def test_messages_cannot_be_changed() -> None:
    """They are values, safe to keep and to compare."""
    with pytest.raises(AttributeError):
        Hello().words = "changed"  # type: ignore[misc]  # that it cannot be done is the claim
