"""Messages <-> lines of JSON; no I/O here.

A line is at most ``MAX_LINE`` bytes, ends with a newline, and holds one message.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import msgspec

from core.api.events import Command, Event
from core.api.message import JsonMessage
from core.errors import WireError
from core.i18n import encodable

MAX_LINE = 1 << 20

_Message = TypeVar("_Message")

_encoder = msgspec.json.Encoder(enc_hook=encodable)


def encode(message: JsonMessage) -> bytes:
    """One message as a line of JSON, newline included."""
    return _encoder.encode(message) + b"\n"


def decode(decoder: msgspec.json.Decoder[_Message], line: bytes) -> _Message:
    """Read one line by ``decoder``.

    Raises:
        WireError: the line is too long or is no such message.
    """
    if len(line) > MAX_LINE:
        raise WireError("line too long", f"{len(line)} bytes")
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WireError("not a message", str(error)) from error


decode_event: Callable[[bytes], Event] = partial(decode, msgspec.json.Decoder(Event))
"""Reads one line that the engine wrote; raises WireError where it is no event."""

decode_command: Callable[[bytes], Command] = partial(decode, msgspec.json.Decoder(Command))
"""Reads one line that the window wrote; raises WireError where it is no command."""
