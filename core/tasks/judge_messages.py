"""What scorer and judge say to each other: length-prefixed msgpack frames, typed and bounded.

    scorer -> judge    Work
    judge -> scorer    Ready | NotReady, once; then for each Work:
                       WorkRefused, or Made and then one Judged per answer, each when it is known

A frame is a 4-byte big-endian length and that many bytes of msgpack. Both sides check what they
read: the judge may have been taken over by an answer, and must then be able to do no more than lie
about answers. No I/O here.

    MAX_ANSWER          longest answer in characters; longer ones are wrong unread
    MAX_ANSWERS         most answers in one Work
    MAX_PROMPT          longest question in characters
    MAX_LESSON          longest answer with its steps in characters
    MAX_FRAME           most bytes in a frame: all of the above at four bytes a character, and room
"""

import struct
from typing import Annotated, Literal, TypeVar

import msgspec

from core.errors import WireError
from core.i18n import Remarks
from core.rollouts.types import PuzzleKey
from core.tasks.confinement import Missing, Promise
from core.tasks.verifiers import MAX_ANSWER

DIGEST_LENGTH = 16
MAX_ANSWERS = 64
MAX_PROMPT = 65_536
MAX_LESSON = 8_192
MAX_FRAME = 1 << 20

HEADER = struct.Struct(">I")

Words = Annotated[str, msgspec.Meta(max_length=1000)]
Answer = Annotated[str, msgspec.Meta(max_length=MAX_ANSWER)]
Digest = Annotated[str, msgspec.Meta(min_length=DIGEST_LENGTH, max_length=DIGEST_LENGTH)]
Reward = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all messages between scorer and judge."""


class Work(_Message, frozen=True, tag="work"):
    """Make this puzzle and judge these answers to it; without answers, only make it."""

    key: PuzzleKey
    digest: Digest | None  # of the question meant, see Question.digest; None: any
    answers: Annotated[tuple[Answer, ...], msgspec.Meta(max_length=MAX_ANSWERS)]


class Ready(_Message, frozen=True, tag="ready"):
    """The judge has loaded its puzzles and put its protections on."""

    active: Annotated[tuple[Promise, ...], msgspec.Meta(max_length=32)]
    missing: Annotated[tuple[Missing, ...], msgspec.Meta(max_length=32)]


class NotReady(_Message, frozen=True, tag="not_ready"):
    """The judge cannot start, and ends."""

    cause: Literal["ruleset", "deck", "other"]
    words: Words  # for a person
    remarks: Remarks = ()  # that the words were made from


class Made(_Message, frozen=True, tag="made"):
    """The puzzle was made; its answers are judged next."""

    prompt: Annotated[str, msgspec.Meta(max_length=MAX_PROMPT)]
    held_out: bool | None = None  # see Question.held_out
    lesson: Annotated[str, msgspec.Meta(max_length=MAX_LESSON)] = ""  # see Question.lesson


class WorkRefused(_Message, frozen=True, tag="refused"):
    """No answer of this Work is judged."""


class Judged(_Message, frozen=True, tag="judged"):
    """What the next answer earns."""

    reward: Reward
    unusual: bool = False  # it is right, but in another form than the canonical one


Greeting = Ready | NotReady
Reply = Made | WorkRefused | Judged
_Type = TypeVar("_Type")

_encoder = msgspec.msgpack.Encoder()
_work: msgspec.msgpack.Decoder[Work] = msgspec.msgpack.Decoder(Work)
_greetings: msgspec.msgpack.Decoder[Greeting] = msgspec.msgpack.Decoder(Greeting)
_replies: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)


def is_digest(text: str) -> bool:
    """Whether ``text`` looks like a question's digest."""
    return len(text) == DIGEST_LENGTH and text.isascii()


def is_judgeable(answer: str) -> bool:
    """Whether ``answer`` can be sent at all; one that cannot is wrong.

    A lone surrogate has no UTF-8 form: no model writes one, only a person out for trouble.
    """
    if len(answer) > MAX_ANSWER:
        return False
    try:
        answer.encode()
    except UnicodeEncodeError:
        return False
    return True


def to_frame(message: Work | Greeting | Reply) -> bytes:
    """One message as a frame, header included.

    Raises:
        WireError: it is larger than a frame may be.
    """
    body = _encoder.encode(message)
    if len(body) > MAX_FRAME:
        raise WireError("frame too long", f"{len(body)} bytes")
    return HEADER.pack(len(body)) + body


def body_size(header: bytes) -> int:
    """Read how many bytes follow a frame's header.

    Raises:
        WireError: more than a frame may have.
    """
    (size,) = HEADER.unpack(header)
    if size > MAX_FRAME:
        raise WireError("frame too long", f"{size} bytes")
    return int(size)


def decode_work(body: bytes) -> Work:
    """Read a frame's body that the scorer wrote.

    Raises:
        WireError: it is no Work.
    """
    return _decode(_work, body)


def decode_greeting(body: bytes) -> Greeting:
    """Read the first frame's body that the judge wrote.

    Raises:
        WireError: it is no greeting.
    """
    return _decode(_greetings, body)


def decode_reply(body: bytes) -> Reply:
    """Read a later frame's body that the judge wrote.

    Raises:
        WireError: it is no reply.
    """
    return _decode(_replies, body)


def _decode(decoder: msgspec.msgpack.Decoder[_Type], body: bytes) -> _Type:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WireError("not a message", str(error)) from error
