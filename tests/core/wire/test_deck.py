"""Decks on their way: what a hub is given, and what it can tell from it."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.limits import MAX_DECK_BYTES
from core.errors import WireError
from core.wire.codec import MAX_PACKED_DECK_BYTES, Reason
from core.wire.deck import (
    DOMAIN,
    SealedDeck,
    check_packed,
    deck_name,
    pack_deck,
    unpack_deck,
)
from core.wire.identity import Identity
from core.wire.secrecy import SwarmKeys
from tests.envelopes import ANNE, KEYS, OTHER_KEYS, SWARM, cut, flipped, refused_for
from tests.swarm_decks import deck_data, sha256

DATA = deck_data()
DIGEST = sha256(DATA)
NAME = deck_name(KEYS, DIGEST)
PACKED = pack_deck(KEYS, DATA)
BOTH = pytest.mark.parametrize("keys", [None, KEYS], ids=["open", "private"])

contents = st.binary(max_size=5_000).map(lambda data: data + b"}")


@BOTH
@given(contents)
def test_what_is_packed_is_unpacked(keys: SwarmKeys | None, data: bytes) -> None:
    """In open and in private swarms, whatever its size, and a hub takes it."""
    packed = pack_deck(keys, data)
    assert unpack_deck(keys, sha256(data), packed) == data
    check_packed(SWARM if keys is None else keys.swarm, deck_name(keys, sha256(data)), packed)


def test_in_an_open_swarm_it_is_what_it_is() -> None:
    """The deck's own bytes, under their SHA-256."""
    assert pack_deck(None, DATA) == DATA
    assert deck_name(None, DIGEST) == DIGEST.hex()


def test_all_members_make_the_same_bytes() -> None:
    """So any of them brings back what another left; another deck shares nothing with it."""
    assert pack_deck(KEYS, DATA) == PACKED
    other = deck_data("Other")
    assert pack_deck(KEYS, other)[-64:] != PACKED[-64:]
    assert deck_name(KEYS, sha256(other)) != NAME


def test_a_hub_can_tell_nothing() -> None:
    """Neither name nor bytes hold the deck, its digest, or who left it."""
    for secret in (DATA[:40], DIGEST, DIGEST.hex().encode(), b"Sums", b"What is"):
        assert secret not in PACKED
    assert DIGEST.hex() != NAME
    assert re.fullmatch("[0-9a-f]{64}", NAME)


@pytest.mark.parametrize("size", [2, 1_000, 40_000, 1_234_567, MAX_DECK_BYTES])
def test_its_size_tells_little(size: int) -> None:
    """A byte more or less looks the same, and the largest fits into what a hub takes."""
    sizes = {len(pack_deck(KEYS, b"x" * (size - less))) for less in range(2)}
    assert len(sizes) == 1
    (packed,) = sizes
    assert size < packed <= min(MAX_PACKED_DECK_BYTES, size * 17 / 16 + 1_400)


def test_strangers_of_one_swarm_can_tell_nothing_of_another() -> None:
    """The same deck has other names and bytes there, and another secret opens none."""
    assert deck_name(OTHER_KEYS, DIGEST) != NAME
    with refused_for(Reason.MEMBER):
        unpack_deck(OTHER_KEYS, DIGEST, PACKED)
    with refused_for(Reason.MEMBER):
        check_packed(OTHER_KEYS.swarm, NAME, PACKED)


def test_one_deck_is_not_taken_for_another() -> None:
    """What a hub hands out in another one's place is noticed."""
    other = deck_data("Other")
    with refused_for(Reason.MEMBER):
        unpack_deck(KEYS, DIGEST, pack_deck(KEYS, other))
    with refused_for(Reason.DIGEST):
        unpack_deck(None, DIGEST, other)


def test_a_member_who_seals_something_else_is_noticed() -> None:
    """The digest is checked after the cipher: whoever has the secret could seal anything."""
    sealed = KEYS.encrypt_deck(b"something else", DIGEST)
    vouched = KEYS.vouch(DOMAIN + bytes.fromhex(NAME) + sha256(sealed))
    packed = msgspec.msgpack.encode(["deck", vouched.key, vouched.proof, sealed])
    check_packed(KEYS.swarm, NAME, packed)
    with refused_for(Reason.DIGEST):
        unpack_deck(KEYS, DIGEST, packed)


def forged(who: Identity, name: str, sealed: bytes, key: bytes = b"") -> bytes:
    proof = who.sign(DOMAIN + bytes.fromhex(name) + sha256(sealed))
    return msgspec.msgpack.encode(["deck", key or bytes.fromhex(who.peer_id), proof, sealed])


def test_nobody_but_a_member_leaves_a_deck() -> None:
    """Neither under an own key, nor with a member's word for other bytes or another name."""
    key, proof, sealed = msgspec.msgpack.decode(PACKED)[1:]
    another = deck_name(KEYS, bytes(32))
    hostile = [
        (NAME, forged(ANNE, NAME, sealed)),
        (NAME, forged(ANNE, NAME, sealed, key)),
        (NAME, msgspec.msgpack.encode(["deck", key, proof, b"junk"])),
        (another, PACKED),
    ]
    check_packed(KEYS.swarm, NAME, PACKED)
    for name, packed in hostile:
        with refused_for(Reason.MEMBER):
            check_packed(KEYS.swarm, name, packed)


def test_a_membership_is_no_word_for_a_deck() -> None:
    """Hubs see those of every exchange; with one of them they leave nothing."""
    membership = KEYS.membership(bytes.fromhex(NAME))
    packed = msgspec.msgpack.encode(["deck", membership.key, membership.proof, b""])
    with refused_for(Reason.MEMBER):
        check_packed(KEYS.swarm, NAME, packed)


def test_every_flipped_bit_and_every_cut_is_noticed() -> None:
    """By the hub and by whoever receives it."""
    packed = pack_deck(KEYS, b"{}")
    name = deck_name(KEYS, sha256(b"{}"))
    for altered in (*list(flipped(packed))[::7], *list(cut(packed))[::5]):
        with pytest.raises(WireError):
            check_packed(KEYS.swarm, name, altered)
    for cut_short in cut(packed):
        with pytest.raises(WireError):
            unpack_deck(KEYS, sha256(b"{}"), cut_short)


@BOTH
@given(st.binary(max_size=600))
def test_hostile_bytes_do_nothing_but_be_refused(keys: SwarmKeys | None, data: bytes) -> None:
    """Nothing but ``WireError`` comes out of reading them."""
    with pytest.raises(WireError):
        unpack_deck(keys, DIGEST, data)
    with pytest.raises(WireError):
        check_packed(SWARM if keys is None else keys.swarm, NAME, data)


def test_what_is_too_large_is_not_read() -> None:
    """Beyond the limit of what is padded and sealed, or of a deck as it is."""
    with refused_for(Reason.SIZE):
        check_packed(KEYS.swarm, NAME, bytes(MAX_PACKED_DECK_BYTES + 1))
    large = bytes(MAX_DECK_BYTES)
    check_packed(SWARM, sha256(large).hex(), large)
    with refused_for(Reason.SIZE):
        check_packed(SWARM, sha256(large + b"x").hex(), large + b"x")


def test_what_is_sealed_has_a_bound_in_its_type() -> None:
    """So that whoever reads one by other ways is safe, too."""
    fields = ["deck", bytes(32), bytes(64)]
    most = bytes(MAX_PACKED_DECK_BYTES)
    assert msgspec.convert([*fields, most], SealedDeck).sealed == most
    with pytest.raises(msgspec.ValidationError, match="of length <= "):
        msgspec.convert([*fields, most + b"x"], SealedDeck)
