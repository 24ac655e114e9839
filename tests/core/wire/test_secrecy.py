"""Private swarms: who belongs, and who can read along."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import Reason
from core.wire.envelope import Header
from core.wire.exchange import MembershipProof
from core.wire.secrecy import (
    NONCE_BYTES,
    SECRET_BYTES,
    SwarmKeys,
    check_membership,
    check_voucher,
    is_private,
    new_secret,
)
from tests.envelopes import (
    ANNE,
    BOB,
    KEYS,
    OTHER_KEYS,
    SWARM,
    cut,
    flipped,
    public_key,
    refused_for,
)

secrets = st.binary(min_size=32, max_size=32)
sequences = st.integers(0, 2**63 - 1)
AUTHOR = public_key(ANNE)


def refusal(sealed: bytes, keys: SwarmKeys = KEYS, author: bytes = AUTHOR, number: int = 7) -> str:
    """Why ``sealed`` cannot be decrypted."""
    with pytest.raises(WireError) as error:
        keys.decrypt(sealed, author, number)
    return error.value.reason


def rejection(swarm: str, author: bytes, membership: MembershipProof | None) -> str:
    """Why ``author`` may not take part."""
    with pytest.raises(WireError) as error:
        check_membership(swarm, author, membership)
    return error.value.reason


@given(secrets)
def test_every_private_name_is_a_swarm_s_name(secret: bytes) -> None:
    """What a secret names fits into headers and addresses, and is told from an open swarm's."""
    import msgspec

    swarm = SwarmKeys(secret).swarm
    header = ["head", 1, swarm, AUTHOR, 1, 0, 1, 1, bytes(32)]
    assert msgspec.convert(header, Header).swarm == swarm
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", swarm)  # as the hub's routes have it
    assert is_private(swarm)


@given(secrets, secrets)
def test_a_name_says_which_secret(one: bytes, other: bytes) -> None:
    """Members of the same secret meet; others do not."""
    assert (SwarmKeys(one).swarm == SwarmKeys(other).swarm) == (one == other)


@pytest.mark.parametrize(
    "name",
    [
        SWARM,
        "p-",
        "p-" + "0" * 31,
        "p-" + "0" * 33,
        "p-" + "A" * 32,
        "p-" + "g" * 32,
        "p-" + "0" * 32 + "\n",
        "p-" + "٣" * 32,
        " p-" + "0" * 32,
    ],
)
def test_other_names_are_those_of_open_swarms(name: str) -> None:
    """Nothing but ``p-`` and 32 hex digits is private, so nothing else asks for a proof."""
    assert not is_private(name)
    check_membership(name, AUTHOR, None)


@given(secrets, st.binary(min_size=32, max_size=32))
def test_a_membership_proves_itself(secret: bytes, author: bytes) -> None:
    """Whoever knows the secret may take part, whatever key it has."""
    keys = SwarmKeys(secret)
    check_membership(keys.swarm, author, keys.membership(author))


def test_a_membership_is_good_for_its_author_only() -> None:
    """Bob cannot show Anne's proof, which every hub and node of the swarm has seen."""
    proof = KEYS.membership(AUTHOR)
    assert rejection(KEYS.swarm, public_key(BOB), proof) == Reason.MEMBER


def test_a_membership_is_good_for_its_swarm_only() -> None:
    """Members of one swarm are strangers to another one; so is whoever shows nothing."""
    assert rejection(KEYS.swarm, AUTHOR, OTHER_KEYS.membership(AUTHOR)) == Reason.MEMBER
    assert rejection(KEYS.swarm, AUTHOR, None) == Reason.MEMBER


def test_a_membership_is_not_made_without_the_secret() -> None:
    """A key of one's own does not name the swarm, and the swarm's key has not signed."""
    message = b"waggle/member/1\x00" + AUTHOR
    own = MembershipProof(AUTHOR, ANNE.sign(message))
    assert rejection(KEYS.swarm, AUTHOR, own) == Reason.MEMBER
    borrowed = MembershipProof(KEYS.membership(AUTHOR).key, ANNE.sign(message))
    assert rejection(KEYS.swarm, AUTHOR, borrowed) == Reason.MEMBER


def test_every_flipped_bit_of_a_membership_is_noticed() -> None:
    """Neither key nor proof is free to be changed."""
    good = KEYS.membership(AUTHOR)
    for key in flipped(good.key):
        assert rejection(KEYS.swarm, AUTHOR, MembershipProof(key, good.proof)) == Reason.MEMBER
    for proof in flipped(good.proof):
        assert rejection(KEYS.swarm, AUTHOR, MembershipProof(good.key, proof)) == Reason.MEMBER


@given(secrets, st.binary(max_size=300), st.binary(min_size=32, max_size=32), sequences)
def test_members_read_what_members_wrote(
    secret: bytes, payload: bytes, author: bytes, sequence: int
) -> None:
    """Two who know the secret need nothing else; who does not know it sees no payload."""
    sealed = SwarmKeys(secret).encrypt(payload, author, sequence)
    assert SwarmKeys(secret).decrypt(sealed, author, sequence) == payload
    assert len(sealed) == NONCE_BYTES + len(payload) + 16
    assert len(payload) < 4 or payload not in sealed  # shorter ones occur by chance


def test_the_same_words_never_look_the_same() -> None:
    """A hub cannot even tell that something was said twice."""
    assert KEYS.encrypt(b"42", AUTHOR, 7) != KEYS.encrypt(b"42", AUTHOR, 7)


def test_what_was_encrypted_stays_where_it_was() -> None:
    """It cannot be read under another secret, author or sequence."""
    sealed = KEYS.encrypt(b"42", AUTHOR, 7)
    assert KEYS.decrypt(sealed, AUTHOR, 7) == b"42"
    assert refusal(sealed, keys=OTHER_KEYS) == Reason.MEMBER
    assert refusal(sealed, author=public_key(BOB)) == Reason.MEMBER
    assert refusal(sealed, number=8) == Reason.MEMBER


def test_every_flipped_bit_and_every_cut_is_noticed() -> None:
    """No byte of nonce or ciphertext is free to be changed."""
    sealed = KEYS.encrypt(b"42", AUTHOR, 7)
    for altered in (*flipped(sealed), *cut(sealed)):
        assert refusal(altered) == Reason.MEMBER


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of decrypting what a stranger sent."""
    assert refusal(data) == Reason.MEMBER


@pytest.mark.parametrize("sequence", [-1, 2**64])
def test_a_wrong_sequence_is_refused(sequence: int) -> None:
    """As everywhere on the wire, by ``WireError``."""
    with refused_for(Reason.SCHEMA):
        KEYS.encrypt(b"42", AUTHOR, sequence)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_has_32_bytes(length: int) -> None:
    """A shorter one would be guessed, and is a mistake of the caller."""
    with pytest.raises(ValueError, match="32 bytes"):
        SwarmKeys(bytes(length))
    assert len(new_secret()) == SECRET_BYTES
    assert new_secret() != new_secret()


def test_the_secret_is_not_printed() -> None:
    """Keys in a log line show the wire name only."""
    assert repr(KEYS) == f"SwarmKeys({KEYS.swarm})"


def test_decks_have_keys_and_names_of_their_own() -> None:
    """Fixed by secret and digest; nothing that is derived for a box is derived for a deck."""
    digest = bytes(32)
    assert KEYS.encrypt_deck(b"deck", digest) == KEYS.encrypt_deck(b"deck", digest)
    assert KEYS.decrypt_deck(KEYS.encrypt_deck(b"deck", digest), digest) == b"deck"
    assert KEYS.deck_name(digest) != OTHER_KEYS.deck_name(digest)
    with refused_for("member"):
        KEYS.decrypt(bytes(12) + KEYS.encrypt_deck(b"deck", digest), digest, 0)
    with refused_for("member"):
        OTHER_KEYS.decrypt_deck(KEYS.encrypt_deck(b"deck", digest), digest)


def test_a_voucher_is_for_one_statement() -> None:
    """Of one swarm, by who knows its secret."""
    vouched = KEYS.vouch(b"test\x00this")
    check_voucher(KEYS.swarm, vouched, b"test\x00this")
    for swarm, statement in ((KEYS.swarm, b"test\x00that"), (OTHER_KEYS.swarm, b"test\x00this")):
        with refused_for("member"):
            check_voucher(swarm, vouched, statement)
