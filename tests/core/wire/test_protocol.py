"""docs/protocol.md tells the truth: its tables and vectors are those of the code."""

import re
from pathlib import Path
from textwrap import wrap

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.rollouts.types import Completion, ModelId, PuzzleKey, RolloutGroup, TaskId
from core.wire import codec
from core.wire.codec import Reason, encode_group
from core.wire.envelope import DOMAIN, Stamp, open_envelope, seal
from core.wire.exchange import ExchangeReply, ExchangeRequest, encode_exchange
from core.wire.identity import Identity
from core.wire.names import friendly_name

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"
AUTHOR = Identity.of(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
STAMP = Stamp("meadow", "puzzles-1", slot=3, sequence=1_800_000_000_000_001, time=1_800_000_000)
GROUP = RolloutGroup(
    PuzzleKey(TaskId("basic_arithmetic"), 1, 4_000_000_000, 7),
    "00112233445566ff",
    AUTHOR.peer_id,
    ModelId("spark"),
    12,
    (Completion("42", ended=True), Completion("4² = 16?\n", ended=False)),
)


def hex_block(name: str, data: bytes) -> str:
    return "\n".join(
        [f"{name}, {len(data)} bytes", *(f"  {line}" for line in wrap(data.hex(), 96))]
    )


def vectors() -> str:
    """The block that the document must contain."""
    envelope = seal(AUTHOR, GROUP, STAMP)
    author = bytes.fromhex(AUTHOR.peer_id)
    request = ExchangeRequest(author, 8, (b"\x01\x02", b"\x03"))
    reply = ExchangeReply(5, ("ok", Reason.CLOCK), (b"\x04\x05",))
    stamp = f"slot {STAMP.slot}, sequence {STAMP.sequence}, time {STAMP.time}"
    key = f"level {GROUP.key.level}, seed {GROUP.key.seed}, index {GROUP.key.index}"
    lines = [
        f"author: {AUTHOR.peer_id}",
        f"name:   {friendly_name(AUTHOR.peer_id)}",
        f"swarm {STAMP.swarm}, ruleset {STAMP.ruleset}, round {GROUP.round}, {stamp}",
        f"task {GROUP.key.task}, {key}, digest {GROUP.digest}, model {GROUP.model}",
        r'completions: "42" (ended), "4² = 16?\n" (not ended)',
        hex_block("payload", encode_group(GROUP, STAMP.ruleset)),
        hex_block("envelope", envelope),
        hex_block("request: want 8, envelopes 0102 and 03", encode_exchange(request)),
        hex_block("reply: peers 5, verdicts ok and clock, envelope 0405", encode_exchange(reply)),
    ]
    return "\n".join(lines)


def limits() -> str:
    """The table of the codec's docstring."""
    assert codec.__doc__ is not None
    table: str = codec.__doc__[codec.__doc__.index("=====") :].split("\n\n")[0]
    return table


def blocks() -> list[str]:
    text = DOCUMENT.read_text(encoding="utf-8")
    found: list[str] = re.findall(r"^```\n(.*?)\n```$", text, flags=re.DOTALL | re.MULTILINE)
    return found


def test_the_vectors_are_those_of_the_code() -> None:
    """Whoever writes another node can check it against them; a failure shows the right block."""
    assert vectors() in blocks(), f"docs/protocol.md should contain:\n{vectors()}"


def test_the_limits_are_those_of_the_code() -> None:
    """The document repeats the table of ``core.wire.codec``."""
    assert limits() in blocks(), f"docs/protocol.md should contain:\n{limits()}"


def test_every_reason_is_documented() -> None:
    """And none that does not exist."""
    text = DOCUMENT.read_text(encoding="utf-8").split("## What is checked")[1].split("## HTTP")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)) == set(Reason)


def test_the_vector_opens() -> None:
    """What is printed there is a good envelope at its time."""
    envelope = open_envelope(seal(AUTHOR, GROUP, STAMP), STAMP.swarm, STAMP.time + 60)
    assert envelope.read() == (STAMP.ruleset, GROUP)
    assert len(DOMAIN) == 18
