"""What holds for receipts, hellos and pulls alike: each is a statement that somebody signed."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from core.wire import hello, pull, receipt
from core.wire.codec import (
    MAX_HELLO_BYTES,
    MAX_PULL_BYTES,
    MAX_RECEIPT_BYTES,
    PROTOCOL,
    Reason,
    WireMessage,
)
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    NOW,
    SWARM,
    public_key,
    refused_for,
    signed_statement,
)

NONCE = bytes(range(16))
TIME = int(NOW)
KEY, OTHER = public_key(ANNE), public_key(BOB)
DOMAINS = (b"", b"waggle/envelope/1\x00", receipt.DOMAIN, hello.DOMAIN, pull.DOMAIN)


class Statement(NamedTuple):
    """A kind of them, an honest one of Anne's, and its fields as they travel."""

    seal: Callable[..., bytes]
    read: Callable[[bytes], WireMessage]
    plain: WireMessage
    fields: list[Any]
    domain: bytes
    most: int

    def of(self, **changes: object) -> WireMessage:
        return msgspec.structs.replace(self.plain, **changes)

    def refused(self, data: bytes, reason: str) -> None:
        with refused_for(reason):
            self.read(data)


RECEIPT = Statement(
    receipt.seal_receipt,
    lambda data: receipt.open_receipt(data, SWARM, NOW),
    receipt.Receipt(PROTOCOL, SWARM, KEY, OTHER, sequence=7, time=TIME, groups=(1, 2)),
    ["learnt", PROTOCOL, SWARM, KEY, OTHER, 7, TIME, [1, 2]],
    receipt.DOMAIN,
    MAX_RECEIPT_BYTES,
)
HELLO = Statement(
    hello.seal_hello,
    lambda data: hello.open_hello(data, NONCE),
    hello.Hello(PROTOCOL, "node", KEY, NONCE, TIME, (SWARM,), ""),
    ["hello", PROTOCOL, "node", KEY, NONCE, TIME, [SWARM], ""],
    hello.DOMAIN,
    MAX_HELLO_BYTES,
)
PULL = Statement(
    pull.seal_pull,
    lambda data: pull.open_pull(data, SWARM, OTHER, NOW),
    pull.Pull(PROTOCOL, SWARM, KEY, OTHER, TIME, NONCE, want=8),
    ["pull", PROTOCOL, SWARM, KEY, OTHER, TIME, NONCE, 8, [], None],
    pull.DOMAIN,
    MAX_PULL_BYTES,
)
KINDS = {"receipt": RECEIPT, "hello": HELLO, "pull": PULL}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_nobody_says_it_for_another(kind: Statement) -> None:
    """Carol's signature under Anne's key is none."""
    kind.refused(kind.seal(CAROL, kind.plain), Reason.SIGNATURE)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_what_was_signed_for_another_purpose_is_none(kind: Statement) -> None:
    """The same words, signed under another domain, are refused."""
    assert kind.read(signed_statement(ANNE, kind.domain, kind.fields)) == kind.plain
    for domain in set(DOMAINS) - {kind.domain}:
        kind.refused(signed_statement(ANNE, domain, kind.fields), Reason.SIGNATURE)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_another_version_is_refused(kind: Statement) -> None:
    """Whoever speaks another protocol is not taken for one of ours."""
    kind.refused(kind.seal(ANNE, kind.of(version=PROTOCOL - 1)), Reason.VERSION)


@pytest.mark.parametrize("kind", [RECEIPT, PULL], ids=["receipt", "pull"])
def test_it_is_for_one_swarm(kind: Statement) -> None:
    """It is worth nothing elsewhere."""
    kind.refused(kind.seal(ANNE, kind.of(swarm="orchard")), Reason.SWARM)


@pytest.mark.parametrize("kind", [RECEIPT, PULL], ids=["receipt", "pull"])
@pytest.mark.parametrize(("age", "fine"), [(600, True), (-600, True), (601, False), (-601, False)])
def test_clocks_may_differ_by_ten_minutes(kind: Statement, age: int, *, fine: bool) -> None:
    """Within the window it is taken, outside it refused, to either side; a nonce does more."""
    data = kind.seal(ANNE, kind.of(time=TIME - age))
    if fine:
        assert kind.read(data) == kind.of(time=TIME - age)
    else:
        kind.refused(data, Reason.CLOCK)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_size_is_checked_before_anything_else(kind: Statement) -> None:
    """Too many bytes are refused unread."""
    kind.refused(bytes(kind.most + 1), Reason.SIZE)


WRONG = {
    "receipt": [
        *((0, "pull"), (1, -1), (1, "1"), (2, "Meadow"), (2, "meadow\n"), (3, b"a" * 31)),
        *((4, b"b" * 33), (4, "b" * 32), (5, -1), (5, 2**63), (6, 1.5)),
        *((7, []), (7, [1] * 33), (7, [-1]), (7, [True]), (7, 1)),
    ],
    "hello": [
        *((0, "hellO"), (1, -1), (2, "server"), (2, b"node"), (3, b"a" * 31), (4, b"n" * 15)),
        *((4, b"n" * 17), (5, -1), (5, 1.0), (6, [SWARM] * 17), (6, ["No Swarm"]), (6, SWARM)),
        *((7, "u" * 301), (7, None)),
    ],
    "pull": [
        *((0, "ask"), (1, "1"), (2, ""), (3, b"a" * 31), (4, b"b" * 33), (5, -1), (6, b"n" * 15)),
        *((7, -1), (7, 65), (7, 1.0), (8, [b""] * 65), (8, [b"x" * 601]), (8, ["text"])),
        *((9, [b"k" * 32, b"p" * 64]), (9, ["member", b"k" * 31, b"p" * 64])),
        *((9, ["member", b"k" * 32, b"p" * 65]), (9, ["member", b"k" * 32])),
        (9, ["member", b"k" * 32, b"p" * 64, 1]),
    ],
}


@pytest.mark.parametrize(
    ("name", "field", "value"), [(name, *one) for name, some in WRONG.items() for one in some]
)
def test_every_field_has_its_rule(name: str, field: int, value: object) -> None:
    """One wrong value in an otherwise right one is enough to refuse it."""
    kind = KINDS[name]
    fields = [*kind.fields[:field], value, *kind.fields[field + 1 :]]
    kind.refused(signed_statement(ANNE, kind.domain, fields), Reason.SCHEMA)
