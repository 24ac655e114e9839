"""Messages <-> lines of JSON; no I/O here.

A line is at most ``MAX_LINE`` bytes, ends with a newline, and holds one message.
"""

from typing import TypeVar

import msgspec

from core.api.events import Command, Event
from core.api.message import JsonMessage
from core.errors import WireError
from core.i18n import encodable

MAX_LINE = 1 << 20

_Message = TypeVar("_Message")

_encoder = msgspec.json.Encoder(enc_hook=encodable)
_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)


def encode(message: JsonMessage) -> bytes:
    """One message as a line of JSON, newline included."""
    return _encoder.encode(message) + b"\n"


def decode_event(line: bytes) -> Event:
    """Read one line that the engine wrote.

    Raises:
        WireError: the line is too long or is no event.
    """
    return decode(_events, line)


def decode_command(line: bytes) -> Command:
    """Read one line that the window wrote.

    Raises:
        WireError: the line is too long or is no command.
    """
    return decode(_commands, line)


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
