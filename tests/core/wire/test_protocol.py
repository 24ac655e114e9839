"""docs/protocol.md tells the truth: its messages, tables and vectors are those of the code."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import wrap

import msgspec
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from core.decks.deck import decode_deck, encode_deck
from core.net.serving import RequestGate, ServerLimits
from core.rollouts.types import Completion, ModelId, PuzzleKey, RolloutGroup, TaskId
from core.wire import codec, deck, dialback, envelope, exchange, hello, pull, receipt, signed
from core.wire.codec import Reason, WireMessage, encode, encode_group
from core.wire.dialback import DialbackReply, DialbackRequest
from core.wire.envelope import Stamp, open_envelope, seal
from core.wire.exchange import ExchangeReply, ExchangeRequest, MembershipProof
from core.wire.hello import Hello, open_hello, seal_hello
from core.wire.identity import Identity
from core.wire.invite import Invite, InvitedHub, read_invite, write_invite
from core.wire.names import friendly_name
from core.wire.pull import Pull, PullReply, open_pull, seal_pull
from core.wire.receipt import Receipt, open_receipt, seal_receipt
from core.wire.secrecy import SwarmKeys, check_membership

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"
TIME = 1_800_000_000
AUTHOR = Identity.of(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = Identity.of(Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64))))
AUTHOR_KEY, OTHER_KEY = bytes.fromhex(AUTHOR.peer_id), bytes.fromhex(OTHER.peer_id)
STAMP = Stamp("meadow", "puzzles-1", slot=3, sequence=1_800_000_000_000_001, time=TIME)
GROUP = RolloutGroup(
    PuzzleKey(TaskId("basic_arithmetic"), 1, 4_000_000_000, 7),
    "00112233445566ff",
    AUTHOR.peer_id,
    ModelId("spark"),
    12,
    (Completion("42", ended=True), Completion("4² = 16?\n", ended=False)),
)
NONCE = bytes(range(0x60, 0x70))
SECRET = bytes(range(0x40, 0x60))
BOX_NONCE = bytes(range(0x70, 0x7C))
RECEIPT = Receipt(
    2, STAMP.swarm, OTHER_KEY, AUTHOR_KEY, STAMP.sequence + 1, TIME, (STAMP.sequence,)
)
HELLO = Hello(2, "node", AUTHOR_KEY, NONCE, TIME, (STAMP.swarm,), "")
PULL = Pull(2, STAMP.swarm, OTHER_KEY, AUTHOR_KEY, TIME, NONCE, 8, (seal_receipt(OTHER, RECEIPT),))
HUB = InvitedHub("https://hub.example", OTHER_KEY)
OPEN_INVITE = Invite(1, "meadow", (HUB,))
PRIVATE_INVITE = Invite(1, "orchard", (HUB,), SECRET)
DECK = (
    b'{"cards":[{"answers":["3"],"question":"What is 1 + 2?"}],"format":1,"matcher":"integer",'
    b'"name":"Sums"}'
)
DECK_DIGEST = hashlib.sha256(DECK).digest()
DECK_INVITE = Invite(1, "orchard", (HUB,), SECRET, (DECK_DIGEST,))


def block(name: str, data: bytes) -> str:
    return "\n".join(
        [f"{name}, {len(data)} bytes", *(f"  {line}" for line in wrap(data.hex(), 96))]
    )


def link_block(name: str, link: str) -> str:
    return "\n".join(
        [
            f"{name}, {len(link)} characters",
            *(f"  {line}" for line in wrap(link, 96, break_on_hyphens=False)),
        ]
    )


def group_vectors() -> str:
    stamp = f"slot {STAMP.slot}, sequence {STAMP.sequence}, time {STAMP.time}"
    key = f"level {GROUP.key.level}, seed {GROUP.key.seed}, index {GROUP.key.index}"
    request = ExchangeRequest(AUTHOR_KEY, 8, (b"\x01\x02", b"\x03"))
    places = (bytes(range(8)), bytes(range(8, 16)))
    reply = ExchangeReply(5, ("ok", Reason.CLOCK), (b"\x04\x05",), (), places)
    lines = [
        f"author: {AUTHOR.peer_id}",
        f"name:   {friendly_name(AUTHOR.peer_id)}",
        f"swarm {STAMP.swarm}, ruleset {STAMP.ruleset}, round {GROUP.round}, {stamp}",
        f"task {GROUP.key.task}, {key}, digest {GROUP.digest}, model {GROUP.model}",
        r'completions: "42" (ended), "4² = 16?\n" (not ended)',
        block("payload", encode_group(GROUP, STAMP.ruleset)),
        block("envelope", seal(AUTHOR, GROUP, STAMP)),
        block("request: want 8, envelopes 0102 and 03", encode(request)),
        block(
            "reply: peers 5, verdicts ok and clock, envelope 0405, places 00 to 07 and 08 to 0f",
            encode(reply),
        ),
    ]
    return "\n".join(lines)


def signed_vectors() -> str:
    request = DialbackRequest(40_123)
    reply = DialbackReply("192.0.2.7", AUTHOR_KEY)
    lines = [
        f"other: {OTHER.peer_id}",
        f"nonce: {NONCE.hex()}",
        f"receipt of other for author: swarm meadow, sequence {RECEIPT.sequence}, time {TIME},",
        block(f"group {STAMP.sequence}", seal_receipt(OTHER, RECEIPT)),
        block("hello of author: a node in meadow, url empty", seal_hello(AUTHOR, HELLO)),
        block("pull of other from author: meadow, want 8, that receipt", seal_pull(OTHER, PULL)),
        block("handout: envelopes 0102 and 03", encode(PullReply((b"\x01\x02", b"\x03")))),
        block("dial: port 40123", encode(request)),
        block("dialed: host 192.0.2.7, peer author", encode(reply)),
    ]
    return "\n".join(lines)


def derived(info: bytes) -> bytes:
    """As the document says, not as the code does it."""
    return HKDF(hashes.SHA256(), 32, salt=b"waggle/swarm/1", info=info).derive(SECRET)


MEMBER = Identity.of(Ed25519PrivateKey.from_private_bytes(derived(b"member")))
MEMBER_KEY = bytes.fromhex(MEMBER.peer_id)
PRIVATE = f"p-{hashlib.sha256(b'waggle/private/1' + bytes(1) + MEMBER_KEY).hexdigest()[:32]}"
BOUND = PRIVATE.encode() + STAMP.sequence.to_bytes(8, "big")
PROOF = MEMBER.sign(b"waggle/member/1\x00" + AUTHOR_KEY)


def private_box() -> bytes:
    cipher = ChaCha20Poly1305(derived(b"box" + AUTHOR_KEY))
    payload = encode_group(GROUP, STAMP.ruleset)
    ciphertext = cipher.encrypt(BOX_NONCE, payload, BOUND)
    return msgspec.msgpack.encode(["box", BOX_NONCE + ciphertext])


def private_envelope() -> bytes:
    box = private_box()
    digest = hashlib.sha256(box).digest()
    fields = [2, PRIVATE, AUTHOR_KEY, GROUP.round, STAMP.slot, STAMP.sequence, TIME, digest]
    head = msgspec.msgpack.encode(["head", *fields])
    signature = AUTHOR.sign(b"waggle/envelope/1\x00" + head)
    return msgspec.msgpack.encode(["seal", head, signature, box])


def private_request() -> bytes:
    membership = MembershipProof(MEMBER_KEY, PROOF)
    return encode(ExchangeRequest(AUTHOR_KEY, 8, (), (), membership))


def private_vectors() -> str:
    lines = [
        f"secret:            {SECRET.hex()}",
        f"member key:        {derived(b'member').hex()}",
        f"public member key: {MEMBER_KEY.hex()}",
        f"wire name:         {PRIVATE}",
        f"box key of author: {derived(b'box' + AUTHOR_KEY).hex()}",
        f"nonce:             {BOX_NONCE.hex()}",
        block("bound", BOUND),
        block("proof of author", PROOF),
        block("box: the payload above, encrypted", private_box()),
        block("envelope: round, slot, sequence, time as above", private_envelope()),
        block("request of author: want 8, no envelopes, no receipts", private_request()),
    ]
    return "\n".join(lines)


DECK_NAME = derived(b"deckname" + DECK_DIGEST)


def sealed_deck() -> bytes:
    """As the document says, not as the code does it."""
    padded = DECK + bytes(1_024 - len(DECK))
    cipher = ChaCha20Poly1305(derived(b"deck" + DECK_DIGEST))
    sealed = cipher.encrypt(bytes(12), padded, PRIVATE.encode() + DECK_DIGEST)
    proof = MEMBER.sign(b"waggle/deck/1\x00" + DECK_NAME + hashlib.sha256(sealed).digest())
    return msgspec.msgpack.encode(["deck", MEMBER_KEY, proof, sealed])


def deck_vectors() -> str:
    whole = sealed_deck()
    lines = [
        "the deck, to be read as one line:",
        *(f"  {line}" for line in wrap(DECK.decode(), 96)),
        f"SHA-256, and name in an open swarm: {DECK_DIGEST.hex()}",
        f"name in the private swarm:          {DECK_NAME.hex()}",
        f"key:                                {derived(b'deck' + DECK_DIGEST).hex()}",
        f"at a hub in the private swarm, {len(whole):,} bytes with the SHA-256",
        f"  {hashlib.sha256(whole).hexdigest()}, which begin",
        *(f"  {line}" for line in wrap(whole[:192].hex(), 96)),
    ]
    return "\n".join(lines)


def place_vectors() -> str:
    lines = [
        "hub https://hub.example with the key of other",
        link_block("invite to the open swarm meadow", write_invite(OPEN_INVITE)),
        link_block(
            "invite to a private swarm called orchard, secret as above",
            write_invite(PRIVATE_INVITE),
        ),
        link_block("invite to the same, with that deck", write_invite(DECK_INVITE)),
        f"infohash of meadow: {infohash(STAMP.swarm).hex()}",
        f"infohash of {PRIVATE}: {infohash(PRIVATE).hex()}",
    ]
    return "\n".join(lines)


def infohash(swarm: str) -> bytes:
    name = b"waggle/dht/1\x00" + swarm.encode()
    return hashlib.sha1(name, usedforsecurity=False).digest()


def limits() -> str:
    """The table of the codec's docstring."""
    assert codec.__doc__ is not None
    table: str = codec.__doc__[codec.__doc__.index("=====") :].split("\n\n")[0]
    return table


def section(title: str) -> str:
    text = DOCUMENT.read_text(encoding="utf-8")
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(title: str) -> list[str]:
    found: list[str] = re.findall(r"^```\n(.*?)\n```$", section(title), re.DOTALL | re.MULTILINE)
    return found


@pytest.mark.parametrize(
    "make", [group_vectors, signed_vectors, private_vectors, deck_vectors, place_vectors]
)
def test_the_vectors_are_those_of_the_code(make: Callable[[], str]) -> None:
    """Whoever writes another node can check it against them; a failure shows the right block."""
    assert make() in blocks("Vectors"), f"docs/protocol.md should contain:\n{make()}"


def test_the_limits_are_those_of_the_code() -> None:
    """The document repeats the table of ``core.wire.codec``."""
    assert limits() in blocks("Limits"), f"docs/protocol.md should contain:\n{limits()}"


def test_every_reason_is_documented() -> None:
    """And none that does not exist."""
    text = section("What is checked")
    assert set(re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)) == set(Reason)


def messages(kind: type[WireMessage] = WireMessage) -> Iterator[type[WireMessage]]:
    """Every kind of message of the product."""
    for one in kind.__subclasses__():
        if one.__module__.startswith("core."):
            yield one
        yield from messages(one)


def test_every_message_is_documented() -> None:
    """By its tag and its fields, in their order; and none that does not exist."""
    (text,) = blocks("Messages")
    described = re.findall(r'\["(\w+)", (.*?)\](?=\n\S|\n\n|\Z)', text, re.DOTALL)
    documented = {tag: tuple(re.findall(r"(\w+)\??: ", fields)) for tag, fields in described}
    assert documented == {
        str(kind.__struct_config__.tag): kind.__struct_fields__ for kind in messages()
    }
    optional = {tag: tuple(re.findall(r"(\w+)\?: ", fields)) for tag, fields in described}
    for kind in messages():
        fields = msgspec.structs.fields(kind)
        left_out = tuple(field.name for field in fields if not field.required)
        assert optional[str(kind.__struct_config__.tag)] == left_out


def test_every_domain_is_documented() -> None:
    """Each is what its name in the table says, with one zero byte behind it."""
    rows = dict(
        re.findall(r"^\| (\w+) \| `(waggle/\w+/1)\\0` \|", section("Messages"), re.MULTILINE)
    )
    domains = {
        "envelope": envelope.DOMAIN,
        "receipt": receipt.DOMAIN,
        "hello": hello.DOMAIN,
        "pull": pull.DOMAIN,
        "deck": deck.DOMAIN,
    }
    assert {name: f"{rows[name]}\0".encode() for name in domains} == domains
    assert set(rows) == {*domains, "membership"}  # that one is checked by its vector


def test_every_status_is_documented() -> None:
    """What a server answers to each reason is what the table says."""
    rows = re.findall(r"^\| (\d{3}) \| (.*) \|$", section("HTTP"), re.MULTILINE)
    said = {reason: int(status) for status, text in rows for reason in re.findall(r"`(\w+)`", text)}
    door = RequestGate(ServerLimits(), lambda _: None)
    assert {reason: door.refuse(reason).status for reason in said} == said
    never_whole = {Reason.RULESET}  # of envelopes only
    others = {"slow", "media", "busy", "store", "absent", "quota"}
    assert set(said) == set(Reason) - never_whole | others


def test_every_media_type_is_documented() -> None:
    """And none that does not exist."""
    types = {kind.MEDIA_TYPE for kind in (deck, dialback, exchange, hello, pull)}
    assert set(re.findall(r"application/vnd\.waggle\.\w+", section("HTTP"))) == types


def test_the_names_on_networks_are_those_of_the_code() -> None:
    """Where others are looked for is where they announce themselves."""
    from core.swarm.dht.discovery import infohash_of
    from core.swarm.lan.neighbours import LanNotice

    notice = LanNotice(AUTHOR.peer_id, STAMP.swarm, 1)
    assert notice.properties == {"v": "1", "id": AUTHOR.peer_id, "swarm": STAMP.swarm}
    assert notice.name == f"{AUTHOR.peer_id[:16]}._waggle._tcp.local."
    assert "`_waggle._tcp.local.`" in section("Finding each other")
    assert all(infohash_of(swarm) == infohash(swarm) for swarm in (STAMP.swarm, PRIVATE))


def test_the_vectors_open() -> None:
    """What is printed there are good messages at their time."""
    later = TIME + 60
    opened = open_envelope(seal(AUTHOR, GROUP, STAMP), STAMP.swarm, later)
    assert opened.read() == (STAMP.ruleset, GROUP)
    assert open_receipt(seal_receipt(OTHER, RECEIPT), STAMP.swarm, later) == RECEIPT
    assert open_hello(seal_hello(AUTHOR, HELLO), NONCE) == HELLO
    asked = open_pull(seal_pull(OTHER, PULL), STAMP.swarm, AUTHOR_KEY, later)
    assert open_receipt(asked.receipts[0], STAMP.swarm, later) == RECEIPT
    assert len(envelope.DOMAIN) == 18


def test_the_private_vectors_open() -> None:
    """What was derived and encrypted by the words of the document, the code reads."""
    keys = SwarmKeys(SECRET)
    assert keys.swarm == PRIVATE
    assert keys.membership(AUTHOR_KEY) == MembershipProof(MEMBER_KEY, PROOF)
    check_membership(PRIVATE, AUTHOR_KEY, MembershipProof(MEMBER_KEY, PROOF))
    opened = open_envelope(private_envelope(), PRIVATE, TIME + 60)
    assert opened.read(keys) == (STAMP.ruleset, GROUP)


def test_the_deck_vectors_open() -> None:
    """What was sealed by the words of the document, the code makes and reads."""
    keys = SwarmKeys(SECRET)
    assert deck.pack_deck(keys, DECK) == sealed_deck()
    assert deck.deck_name(keys, DECK_DIGEST) == DECK_NAME.hex()
    deck.check_packed(PRIVATE, DECK_NAME.hex(), sealed_deck())
    assert deck.unpack_deck(keys, DECK_DIGEST, sealed_deck()) == DECK
    assert encode_deck(decode_deck(DECK)) == DECK


def test_the_invites_can_be_written_by_hand() -> None:
    """A link is what the document says it is, and reads as what was meant."""
    places = [["at", HUB.url, OTHER_KEY]]
    for invite, secret in ((OPEN_INVITE, b""), (PRIVATE_INVITE, SECRET)):
        data = msgspec.msgpack.encode(["invite", 1, invite.name, places, secret])
        whole = base64.urlsafe_b64encode(data + hashlib.sha256(data).digest()[:4])
        link = f"waggle://join/{whole.decode().rstrip('=')}"
        assert link == write_invite(invite)
        assert read_invite(link) == invite
    assert (OPEN_INVITE.swarm, PRIVATE_INVITE.swarm) == ("meadow", PRIVATE)


def test_a_signed_message_is_what_the_document_says() -> None:
    """Statement and signature, over the domain and the statement's very bytes."""
    statement = msgspec.msgpack.encode(
        ["learnt", 2, "meadow", OTHER_KEY, AUTHOR_KEY, RECEIPT.sequence, TIME, [STAMP.sequence]]
    )
    signature = OTHER.sign(b"waggle/receipt/1\x00" + statement)
    whole = msgspec.msgpack.encode(["signed", statement, signature])
    assert whole == seal_receipt(OTHER, RECEIPT)
    assert signed.SignedKind(Receipt, receipt.DOMAIN, len(whole)).read(whole)[0] == RECEIPT
