"""The frames between scorer and judge."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.i18n import MOST_REMARKS, Remark
from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.confinement import Missing, Promise
from core.tasks.judge_messages import (
    HEADER,
    MAX_ANSWERS,
    MAX_FRAME,
    MAX_PROMPT,
    Greeting,
    Judged,
    Made,
    NotReady,
    Ready,
    Reply,
    Work,
    WorkRefused,
    body_size,
    decode_greeting,
    decode_reply,
    decode_work,
    is_digest,
    is_judgeable,
    to_frame,
)
from core.tasks.verifiers import MAX_ANSWER

KEY = PuzzleKey(TaskId("chain_sum"), 1, 2**32 - 1, 0)
MESSAGES: list[tuple[Callable[[bytes], object], Work | Greeting | Reply]] = [
    (decode_work, Work(KEY, None, ())),
    (decode_work, Work(KEY, "0123456789abcdef", ("1", "", "\0é\U0001f41d"))),
    (decode_greeting, Ready((Promise.NETWORK,), (Missing(Promise.MEMORY, "refused"),))),
    (decode_greeting, NotReady("ruleset", "Install it.")),
    (decode_greeting, NotReady("deck", "Add it again.", (Remark("Add {} again.", ("it",)),))),
    (decode_reply, Made("1 + 1 = ?")),
    (decode_reply, WorkRefused()),
    (decode_reply, Judged(0.25)),
    (decode_reply, Judged(1.0, unusual=True)),
]


@pytest.mark.parametrize(("decode", "message"), MESSAGES)
def test_what_is_sent_arrives(
    decode: Callable[[bytes], object], message: Work | Greeting | Reply
) -> None:
    """Every message survives the way there."""
    frame = to_frame(message)
    header, body = frame[: HEADER.size], frame[HEADER.size :]
    assert body_size(header) == len(body)
    assert decode(body) == message


def test_the_largest_messages_fit_a_frame() -> None:
    """Full-size answers and prompts of four-byte characters are within the bounds."""
    work = Work(KEY, None, ("\U0001f41d" * MAX_ANSWER,) * MAX_ANSWERS)
    made = Made("\U0001f41d" * MAX_PROMPT)
    assert decode_work(to_frame(work)[HEADER.size :]) == work
    assert decode_reply(to_frame(made)[HEADER.size :]) == made


def test_oversized_frames_are_refused_unread() -> None:
    """On both sides: neither written nor waited for."""
    with pytest.raises(WireError, match="too long"):
        to_frame(Made("x" * (MAX_FRAME + 1)))
    with pytest.raises(WireError, match="too long"):
        body_size(HEADER.pack(MAX_FRAME + 1))


@pytest.mark.parametrize(
    "reward", [float("nan"), float("inf"), -0.1, 1.0000000000000002, "1", True]
)
def test_a_reward_is_a_number_between_nought_and_one(reward: object) -> None:
    """Whatever a taken-over judge claims."""
    with pytest.raises(WireError, match="not a message"):
        decode_reply(msgspec.msgpack.encode({"type": "judged", "reward": reward}))


@pytest.mark.parametrize("unusual", [1, "yes", None, [True], {"0": True}])
def test_what_is_said_of_a_form_is_yes_or_no(unusual: object) -> None:
    """Nothing that is of another type gets past the reader."""
    with pytest.raises(WireError, match="not a message"):
        decode_reply(msgspec.msgpack.encode({"type": "judged", "reward": 1.0, "unusual": unusual}))


@pytest.mark.parametrize(
    "message",
    [
        Made("x" * (MAX_PROMPT + 1)),
        Work(KEY, None, ("x" * (MAX_ANSWER + 1),)),
        Work(KEY, None, ("x",) * (MAX_ANSWERS + 1)),
        Work(KEY, "short", ()),
        Ready((), (Missing(Promise.NETWORK, "x" * 1001),)),
        Ready((Promise.NETWORK,) * 33, ()),
        Ready(("a dance",), ()),  # type: ignore[arg-type]  # what no judge of ours says
        NotReady("other", "x" * 1001),
        NotReady("deck", "x", (Remark("x"),) * (MOST_REMARKS + 1)),
    ],
)
def test_fields_beyond_their_bounds_are_refused(message: Work | Greeting | Reply) -> None:
    """Each bound in the module's table is checked by the reader."""
    body = to_frame(message)[HEADER.size :]
    for decode in (decode_work, decode_greeting, decode_reply):
        with pytest.raises(WireError):
            decode(body)


@given(st.binary(max_size=200))
def test_noise_is_refused(body: bytes) -> None:
    """Arbitrary bytes raise WireError and nothing else."""
    for decode in (decode_work, decode_greeting, decode_reply):
        with pytest.raises(WireError):
            decode(body)


def test_deep_nesting_is_refused() -> None:
    """A hundred thousand nested lists do not overflow the stack."""
    with pytest.raises(WireError):
        decode_reply(b"\x91" * 100_000 + b"\x00")


def test_only_text_that_has_a_form_in_bytes_is_judgeable() -> None:
    """Length and lone surrogates decide."""
    assert is_judgeable("\0 \u202e \U0001f41d \uff14")
    assert is_judgeable("x" * MAX_ANSWER)
    assert not is_judgeable("x" * (MAX_ANSWER + 1))
    assert not is_judgeable("4\ud8002")


def test_a_digest_has_its_form() -> None:
    """Sixteen ASCII characters."""
    assert is_digest("0123456789abcdef")
    assert not is_digest("0123456789abcde")
    assert not is_digest("0123456789abcdé" + "f")
