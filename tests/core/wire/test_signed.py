"""Signed statements: whose they are, of what kind, and how large."""

from collections.abc import Callable
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from core.errors import WireError
from core.wire import envelope, hello, pull, receipt, secrecy
from core.wire.codec import PROTOCOL, Reason, WireMessage
from core.wire.hello import open_hello
from core.wire.pull import open_pull
from core.wire.receipt import open_receipt
from core.wire.signed import SignedKind
from tests.envelopes import (
    ANNE,
    BOB,
    NOW,
    SWARM,
    cut,
    flipped,
    plain_header,
    public_key,
    refused_for,
    sealed,
    signed_statement,
)

DOMAIN = b"waggle/test/1\x00"
DOMAINS = (DOMAIN, envelope.DOMAIN, hello.DOMAIN, pull.DOMAIN, receipt.DOMAIN)
NONCE = b"n" * 16


class Remark(WireMessage, frozen=True, tag="remark"):
    who: bytes
    words: Annotated[str, Meta(max_length=20)]


REMARKS = SignedKind(Remark, DOMAIN, 200)
GOOD = REMARKS.seal(ANNE, Remark(public_key(ANNE), "hello"))


def read_and_check(data: bytes) -> Remark:
    remark, body, signature = REMARKS.read(data)
    REMARKS.check(remark.who, body, signature)
    return remark


def refusal(data: bytes) -> str:
    """Why ``data`` is refused."""
    with pytest.raises(WireError) as error:
        read_and_check(data)
    return error.value.reason


@given(st.text(max_size=20))
def test_a_statement_survives_the_journey(words: str) -> None:
    """Whatever is within the limits arrives as it left, and its bytes are those signed."""
    remark = Remark(public_key(ANNE), words)
    data = REMARKS.seal(ANNE, remark)
    assert read_and_check(data) == remark
    _, body, signature = REMARKS.read(data)
    assert signature == ANNE.sign(DOMAIN + body)


def test_every_flipped_bit_and_every_cut_is_noticed() -> None:
    """No part of a signed statement is free to be changed."""
    for altered in (*flipped(GOOD), *cut(GOOD)):
        assert refusal(altered) in {Reason.SCHEMA, Reason.SIGNATURE}


@given(st.binary(max_size=300))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of reading what a stranger sent."""
    refusal(data)


@given(st.binary(max_size=100), st.binary(min_size=64, max_size=64))
def test_random_contents_are_refused_quietly(body: bytes, signature: bytes) -> None:
    """The same for bytes that look signed from outside."""
    refusal(msgspec.msgpack.encode(["signed", body, signature]))


def test_nobody_signs_for_another() -> None:
    """Bob's signature under Anne's name is none."""
    statement = ["remark", public_key(ANNE), "hello"]
    assert refusal(signed_statement(BOB, DOMAIN, statement)) == Reason.SIGNATURE


@pytest.mark.parametrize("domain", [b"", *DOMAINS[1:]])
def test_a_signature_means_nothing_without_its_domain(domain: bytes) -> None:
    """What its author signed for another purpose does not pass, word for word the same."""
    data = signed_statement(ANNE, domain, ["remark", public_key(ANNE), "hello"])
    assert refusal(data) == Reason.SIGNATURE


def test_no_domain_can_be_mistaken_for_another() -> None:
    """None is the beginning of another one, so no statement can make up the difference."""
    domains = (*DOMAINS, secrecy._MEMBER)  # noqa: SLF001 - signed under, too
    assert len(set(domains)) == len(domains)
    assert all(domain.endswith(b"\x00") and domain.count(b"\x00") == 1 for domain in domains)


def test_a_statement_of_one_kind_is_none_of_another() -> None:
    """No good receipt, hello, pull or envelope opens as anything else."""
    anne, bob = public_key(ANNE), public_key(BOB)
    time = int(NOW)
    good = {
        "receipt": receipt.seal_receipt(
            ANNE, receipt.Receipt(PROTOCOL, SWARM, anne, bob, sequence=1, time=time, groups=(1,))
        ),
        "hello": hello.seal_hello(
            ANNE, hello.Hello(PROTOCOL, "node", anne, NONCE, time, (SWARM,), "")
        ),
        "pull": pull.seal_pull(ANNE, pull.Pull(PROTOCOL, SWARM, anne, bob, time, NONCE, want=8)),
        "envelope": sealed(ANNE, 1),
    }
    openers: dict[str, Callable[[bytes], object]] = {
        "receipt": lambda data: open_receipt(data, SWARM, NOW),
        "hello": lambda data: open_hello(data, NONCE),
        "pull": lambda data: open_pull(data, SWARM, bob, NOW),
        "envelope": lambda data: envelope.open_envelope(data, SWARM, NOW),
    }
    for kind, opener in openers.items():
        for other, data in good.items():
            if other == kind:
                opener(data)
                continue
            with refused_for(Reason.SCHEMA):
                opener(data)


def test_a_header_of_an_envelope_is_no_statement() -> None:
    """Also where somebody wraps it as one, with the signature that its author gave it."""
    _, head, signature, _ = msgspec.msgpack.decode(sealed(ANNE, 1))
    wrapped = msgspec.msgpack.encode(["signed", head, signature])
    assert refusal(wrapped) == Reason.SCHEMA
    assert plain_header(ANNE, 1)[0] == msgspec.msgpack.decode(head)[0]


def test_size_is_checked_before_anything_else() -> None:
    """Too many bytes are refused unread, and not sent in the first place."""
    assert refusal(bytes(201)) == Reason.SIZE
    long = SignedKind(Remark, DOMAIN, len(GOOD) - 1)
    with refused_for(Reason.SIZE):
        long.seal(ANNE, Remark(public_key(ANNE), "hello"))


@pytest.mark.parametrize("words", ["x" * 21, "\ud800"])
def test_what_others_would_refuse_is_not_signed(words: str) -> None:
    """An own statement outside the limits fails at home."""
    with refused_for(Reason.SCHEMA):
        REMARKS.seal(ANNE, Remark(public_key(ANNE), words))
