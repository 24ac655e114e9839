"""``waggle invite``, and what ``waggle join`` makes of its links."""

import json
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import segno

from core.cli.main import main
from core.wire.invite import PREFIX, peer_of, read_invite
from tests.envelopes import ANNE

Say = Callable[..., str]
QUIET_ZONE, SCALE = 4, 6


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs a command that goes well; what it prints."""

    def run(*words: str) -> str:
        assert main(list(words)) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return run


def link_in(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(PREFIX))


def dark_modules(png: bytes) -> list[list[bool]]:
    """The picture as rows of modules; of PNG only what segno writes: one bit per pixel."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert (depth, colour) in {(1, 0), (1, 3)}
    data, place = b"", 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            data += png[place + 8 : place + 8 + length]
        place += 12 + length
    raw, stride = zlib.decompress(data), (width + 7) // 8 + 1
    rows, above = [], bytes(stride - 1)
    for y in range(height):
        kind, row = raw[stride * y], raw[stride * y + 1 : stride * (y + 1)]
        assert kind in (0, 2)  # as it is, or as the difference to the row above
        above = row if kind == 0 else bytes((a + b) % 256 for a, b in zip(row, above, strict=True))
        rows.append([not above[x // 8] >> (7 - x % 8) & 1 for x in range(width)])
    middle = slice(QUIET_ZONE * SCALE + SCALE // 2, -QUIET_ZONE * SCALE, SCALE)
    return [row[middle] for row in rows[middle]]


def test_a_new_invite_is_private_and_says_where_to_meet(say: Say) -> None:
    """Its link holds name, hubs with their ids, and a secret that no second one has."""
    command = ("invite", "new", "--name", "our-class")
    hubs = ("--hub", f"https://hub.example.org#{ANNE.peer_id}", "--hub", "http://10.0.0.5:8765/")
    text = say(*command, *hubs)
    invite = read_invite(link_in(text))
    assert "private" in text
    assert (invite.name, [hub.url for hub in invite.hubs]) == (
        "our-class",
        ["https://hub.example.org", "http://10.0.0.5:8765"],
    )
    assert [peer_of(hub) for hub in invite.hubs] == [ANNE.peer_id, None]
    assert len(invite.secret) == 32
    assert read_invite(link_in(say(*command))).secret != invite.secret


def test_an_open_invite_has_no_secret(say: Say) -> None:
    """It names a swarm that anybody may join."""
    text = say("invite", "new", "--name", "meadow", "--open")
    assert "open to everybody" in text
    assert read_invite(link_in(text)).swarm == "meadow"


def test_what_an_invite_says_is_shown_without_its_secret(say: Say) -> None:
    """In words and as JSON; the link itself is the secret."""
    link = link_in(say("invite", "new", "--name", "our-class", "--hub", "https://h.example"))
    secret = read_invite(link).secret.hex()
    assert "https://h.example" in say("invite", "show", link)
    told = say("invite", "show", link, "--json")
    assert secret not in told
    said = json.loads(told)
    assert said == {
        "name": "our-class",
        "private": True,
        "swarm": read_invite(link).swarm,
        "hubs": ["https://h.example"],
        "link": link,
        "decks": [],
    }


def test_a_renewed_invite_keeps_all_but_the_secret(say: Say) -> None:
    """Whoever has only the old one is elsewhere from then on."""
    old = link_in(say("invite", "new", "--name", "our-class", "--hub", "https://h.example"))
    new = link_in(say("invite", "renew", old))
    before, after = read_invite(old), read_invite(new)
    assert (before.name, before.hubs) == (after.name, after.hubs)
    assert before.secret != after.secret
    assert before.swarm != after.swarm


def test_a_png_shows_the_link(say: Say, tmp_path: Path) -> None:
    """Module for module what the QR code of the link is, with its quiet zone."""
    path = tmp_path / "invite.png"
    hub = ("--hub", f"https://hub.example.org#{ANNE.peer_id}")
    link = link_in(say("invite", "new", "--name", "our-class", *hub, "--qr", str(path)))
    png = path.read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    code = segno.make(link, micro=False, error="m")
    assert dark_modules(png) == [[bool(cell) for cell in row] for row in code.matrix]


def test_an_svg_is_drawn_too(say: Say, tmp_path: Path) -> None:
    """As large as the code of the link with its quiet zone."""
    path = tmp_path / "invite.SVG"
    link = link_in(say("invite", "new", "--name", "our-class", "--qr", str(path)))
    side = (segno.make(link, micro=False, error="m").symbol_size()[0]) * SCALE
    svg = path.read_text()
    assert re.search(rf'<svg[^>]* width="{side}" height="{side}"', svg)
    assert "<path" in svg


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["new", "--name", "No Name"], 2, "small letters, digits and hyphens"),
        (["new", "--name", "a" * 41], 2, "small letters, digits and hyphens"),
        (["new", "--name", "a", "--hub", "hub.example.org"], 2, "Write it like"),
        (["new", "--name", "a", "--hub", "https://a.example#12ab"], 2, "no id"),
        (["new", "--name", "a", "--hub", f"https://a.example#{'g' * 64}"], 2, "no id"),
        (["new", "--name", "a", *["--hub", "https://a.example"] * 9], 2, "makes no invite"),
        (["new", "--name", "a", "--qr", "invite.gif"], 2, ".png or .svg"),
        (["new", "--name", "a", "--qr", "no/such/folder/invite.png"], 1, "cannot be written"),
        (["show", "meadow"], 2, "This is no invite"),
        (["show", f"{PREFIX}abc"], 2, "cut or mistyped"),
    ],
)
def test_what_does_not_work_is_one_sentence(
    words: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed but what is wrong and what to do."""
    assert main(["invite", *words]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_an_open_swarm_has_nothing_to_renew(say: Say, capsys: pytest.CaptureFixture[str]) -> None:
    """Said before anything is made."""
    link = link_in(say("invite", "new", "--name", "meadow", "--open"))
    assert main(["invite", "renew", link]) == 2
    assert "no secret to renew" in capsys.readouterr().err


def test_a_link_that_was_cut_is_refused_wherever_it_is_used(
    say: Say, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """``join``, ``show`` and ``renew`` say so, and nobody ends up in another swarm."""
    link = link_in(say("invite", "new", "--name", "our-class"))
    cut = [link[:-1], link[: len(link) // 2], link + "A", link.replace("A", "B", 1).swapcase()]
    for broken in cut:
        for command in (["invite", "show", broken], ["invite", "renew", broken]):
            assert main(command) == 2
    capsys.readouterr()
    for broken in cut[:3]:
        command = ["join", "--swarm", broken, "--rounds", "1", "--no-lan"]
        assert main([*command, "--threads", "1", "--home", str(tmp_path)]) == 2
        assert "cut or mistyped" in capsys.readouterr().err
