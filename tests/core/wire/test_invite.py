"""Invites: one link that arrives whole or not at all."""

import base64
import hashlib
import string
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.wire.codec import MAX_LINK_CHARS, WireMessage
from core.wire.invite import PREFIX, Invite, InvitedHub, peer_of, read_invite, write_invite
from core.wire.secrecy import is_private
from tests.envelopes import ANNE, KEYS, public_key

SECRET = bytes(range(32))
HUB = InvitedHub("https://hub.example:8433", public_key(ANNE))
PLAIN = Invite(1, "orchard", (HUB,), SECRET)
FIELDS: list[object] = ["invite", 1, "orchard", [["at", HUB.url, HUB.peer]], SECRET]
URL_SAFE = string.ascii_letters + string.digits + "-_"

hubs = st.builds(
    InvitedHub, st.text(min_size=1, max_size=40), st.sampled_from([b"", public_key(ANNE)])
)
invites = st.builds(
    partial(Invite, 1),
    st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,30}\Z"),  # too short to be that of a private swarm
    st.lists(hubs, max_size=4).map(tuple),
    st.sampled_from([b"", SECRET]),
    st.lists(st.binary(min_size=32, max_size=32), max_size=8, unique=True).map(tuple),
)


def link_of(data: bytes) -> str:
    """A link around ``data`` with a right checksum, whatever it says."""
    whole = data + hashlib.sha256(data).digest()[:4]
    return PREFIX + base64.urlsafe_b64encode(whole).rstrip(b"=").decode()


def is_refused(link: str) -> bool:
    """Whether ``link`` is refused, by a sentence that says what to do."""
    try:
        read_invite(link)
    except UsageError as error:
        assert ". " in str(error)  # noqa: PT017 - what it says is part of the claim
        return True
    return False


PRINTED = (
    "waggle://join/laZpbnZpdGUBpm1lYWRvd5GTomF0s2h0dHBzOi8vaHViLmV4YW1wbGXEICmsuuFBvMrwsi4alNNNC8c2"
    "HlJtC_4SyJeUvJMilm3XxADdooqn"
)
"""Of a release that spoke version 1 of the protocol."""


def test_a_printed_invite_goes_on_being_one() -> None:
    """Whatever version the protocol has since: one made now for the same is the same link."""
    invite = read_invite(PRINTED)
    assert (invite.name, [hub.url for hub in invite.hubs]) == ("meadow", ["https://hub.example"])
    assert write_invite(invite) == PRINTED


def test_one_without_decks_is_what_it_was_before_there_were_any() -> None:
    """Byte for byte, with a secret and without, so that every release reads it."""
    for secret in (SECRET, b""):
        invite = Invite(1, "orchard", (HUB,), secret)
        assert write_invite(invite) == link_of(msgspec.msgpack.encode([*FIELDS[:4], secret]))


class EarlierInvite(WireMessage, frozen=True, tag="invite"):
    """As releases before decks had it."""

    version: int
    name: str
    hubs: tuple[InvitedHub, ...] = ()
    secret: bytes = b""


def test_an_earlier_release_refuses_decks_instead_of_leaving_them_out() -> None:
    """It would practise something else than all others; it reads all that names none."""
    earlier = msgspec.msgpack.Decoder(EarlierInvite)
    data = msgspec.msgpack.encode([*FIELDS, [bytes(32)]])
    assert read_invite(link_of(data)).decks == (bytes(32),)
    with pytest.raises(msgspec.ValidationError, match="at most length 4, got 5"):
        earlier.decode(data)
    link = write_invite(PLAIN).removeprefix(PREFIX)
    assert earlier.decode(base64.urlsafe_b64decode(f"{link}==")[:-4]).secret == SECRET


@pytest.mark.parametrize(
    "decks",
    [[bytes(31)], [bytes(33)], [bytes(32)] * 2, [b"%032d" % n for n in range(9)], ["x"], []],
)
def test_improper_decks_are_refused(decks: list[object]) -> None:
    """A name of another length, twice the same, too many, no name, or none: that is left out."""
    assert is_refused(link_of(msgspec.msgpack.encode([*FIELDS, decks])))


def test_as_much_as_may_be_named_fits_into_a_link() -> None:
    """Eight decks and eight hubs with addresses of a usual length."""
    hubs = tuple(InvitedHub(f"https://hub{n}.example.org:8443", public_key(ANNE)) for n in range(8))
    decks = tuple(b"%032d" % n for n in range(8))
    assert read_invite(write_invite(Invite(1, "orchard", hubs, SECRET, decks))).decks == decks


def test_a_renewed_one_keeps_its_decks() -> None:
    """They are sealed anew under the new secret."""
    decks = (bytes(32),)
    assert Invite(1, "orchard", (), SECRET, decks).renewed().decks == decks


@given(invites)
def test_an_invite_survives_the_journey(invite: Invite) -> None:
    """Whatever is within the limits arrives as it left, also with blanks or a slash around it."""
    link = write_invite(invite)
    fields = ["invite", 1, invite.name, invite.hubs, invite.secret]
    whole = [*fields, invite.decks] if invite.decks else fields
    assert link == link_of(msgspec.msgpack.encode(whole))
    for copied in (link, f"  {link}\n", f"{link}/"):
        assert read_invite(copied) == invite


@pytest.mark.parametrize("name", ["orchard", "orchards", "an-orchard"])
def test_every_changed_character_is_noticed(name: str) -> None:
    """At every place, every other character that a link can hold; for each length of a rest."""
    link = write_invite(msgspec.structs.replace(PLAIN, name=name, hubs=()))
    for place in range(len(link)):
        others = set(URL_SAFE + "+/=.: é") - {link[place]}
        assert all(is_refused(link[:place] + other + link[place + 1 :]) for other in others)


@pytest.mark.parametrize("name", ["orchard", "orchards", "an-orchard"])
def test_every_cut_is_noticed(name: str) -> None:
    """A link that lost its end, its beginning or one character is refused, and so is a longer."""
    link = write_invite(msgspec.structs.replace(PLAIN, name=name))
    for place in range(len(link)):
        assert is_refused(link[:place])
        assert is_refused(link[place + 1 :])
        assert is_refused(link[:place] + link[place + 1 :])
    assert all(is_refused(link + more) for more in ("A", "=", "==", "/A"))


@given(st.text(max_size=200))
def test_random_text_is_refused_quietly(text: str) -> None:
    """Nothing but ``UsageError`` comes out of reading what a person pasted."""
    assert is_refused(text)
    assert is_refused(PREFIX + text)


@given(st.binary(max_size=200))
def test_well_made_nonsense_is_refused_quietly(data: bytes) -> None:
    """The same for bytes that carry a right checksum."""
    assert is_refused(link_of(data))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "envelope"),
        (1, 2),
        (1, "1"),
        (2, ""),
        (2, "Orchard"),
        (2, "o" * 41),
        (3, [["at", "", b""]]),
        (3, [["at", "u" * 301, b""]]),
        (3, [["at", HUB.url, b"k" * 31]]),
        (3, [["at", HUB.url, b"k" * 33]]),
        (3, [["at", HUB.url]] * 9),
        (3, [[HUB.url, b""]]),
        (4, b"s" * 31),
        (4, b"s" * 33),
        (4, "s" * 32),
        (4, None),
    ],
)
def test_every_field_has_its_rule(field: int, value: object) -> None:
    """One wrong value is enough to refuse an invite, and no such invite is made."""
    assert read_invite(link_of(msgspec.msgpack.encode(FIELDS))) == PLAIN
    fields = [*FIELDS[:field], value, *FIELDS[field + 1 :]]
    assert is_refused(link_of(msgspec.msgpack.encode(fields)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 2},
        {"name": "Orchard"},
        {"name": KEYS.swarm},
        {"secret": b"s" * 31},
        {"secret": b"s"},
        {"hubs": (InvitedHub("https://hub.example", b"k"),)},
        {"hubs": (InvitedHub(""),)},
        {"hubs": (HUB,) * 9},
    ],
)
def test_what_nobody_could_use_is_not_made(wrong: dict[str, object]) -> None:
    """An invite outside the limits fails where somebody can act on it."""
    with pytest.raises(UsageError, match="makes no invite"):
        write_invite(msgspec.structs.replace(PLAIN, **wrong))


@pytest.mark.parametrize("secret", [b"", SECRET])
def test_an_open_swarm_cannot_have_a_private_one_s_name(secret: bytes) -> None:
    """Else a link would make people say in the open what they think is encrypted."""
    fields = ["invite", 1, KEYS.swarm, [], secret]
    assert is_refused(link_of(msgspec.msgpack.encode(fields)))


def test_a_secret_makes_the_swarm_private() -> None:
    """The name is for people then, and another one travels; without a secret there is one name."""
    assert PLAIN.keys is not None
    assert PLAIN.swarm == PLAIN.keys.swarm
    assert is_private(PLAIN.swarm)
    public = Invite(1, "orchard")
    assert (public.keys, public.swarm) == (None, "orchard")


def test_renewing_leaves_out_whoever_has_the_old_link() -> None:
    """Same name for people, same hubs; another secret, another name on the wire, every time."""
    first, second = PLAIN.renewed(), PLAIN.renewed()
    assert len({PLAIN.swarm, first.swarm, second.swarm}) == 3
    assert (first.name, first.hubs) == (PLAIN.name, PLAIN.hubs)
    assert read_invite(write_invite(first)) == first


def test_the_longest_invite_fits() -> None:
    """Eight hubs of 130 characters with their keys, a name of 40 and a secret make a link."""
    several = tuple(InvitedHub(f"https://{n}{'h' * 121}", bytes([n]) * 32) for n in range(2, 10))
    full = Invite(1, "o" * 40, several, SECRET)
    link = write_invite(full)
    assert len(link) <= MAX_LINK_CHARS
    assert read_invite(link) == full


def test_no_link_is_longer_than_can_be_read() -> None:
    """Address by address: an invite is written and read, or refused when it is made."""
    too_long = 0
    for length in range(100, 301):
        invite = Invite(1, "orchard", (InvitedHub("u" * length, public_key(ANNE)),) * 8, SECRET)
        try:
            link = write_invite(invite)
        except UsageError:
            too_long += 1
        else:
            assert read_invite(link) == invite
    assert 0 < too_long < 200
    assert is_refused(PREFIX + "A" * MAX_LINK_CHARS)


def test_whom_a_hub_is_said_to_be() -> None:
    """A key is a peer id; without one, nothing is said."""
    assert peer_of(HUB) == ANNE.peer_id
    assert peer_of(InvitedHub(HUB.url)) is None
